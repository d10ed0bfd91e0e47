import PriceTag
import PriceTagText

/// One evaluation of a message.
struct MessageEvaluation {
  /// Its caller holds it.
  unowned(unsafe) let message: CompiledMessage
  private let arguments: UnsafeBufferPointer<(String, MessageArgument)>
  /// The same: read through it, one field of an argument is not a copy of all of it.
  private let base: UnsafePointer<(String, MessageArgument)>
  let rendering: Rendering
  /// What was wrong so far, where the best text is written all the same; `nil` where the first problem ends it.
  private var problems: [StringsError]?
  /// What a long text may use; `nil` for short ones.
  private let budget: WorkBudget?
  var writer: MessageWriter
  /// Where each of the message's first eight arguments was given, a byte each.
  private var positions: UInt64 = .max

  /// The text of a message whose arguments must fit.
  static func string(
    of message: CompiledMessage,
    _ arguments: MessageArguments,
    _ rendering: Rendering
  ) throws(StringsError) -> String {
    var problems: [StringsError]?
    return try text(of: message, arguments, rendering, &problems)
  }

  /// The text of a message; what is wrong with its arguments is added to the problems, or thrown where they are `nil`.
  static func text(
    of message: CompiledMessage,
    _ arguments: MessageArguments,
    _ rendering: Rendering,
    _ problems: inout [StringsError]?
  ) throws(StringsError) -> String {
    var failure: StringsError?
    // What nearly every message fits in is the stack's: of a constant size, and no more than 1 KB.
    var answer = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { buffer in
      attempt(message, arguments, rendering, nil, buffer, &problems, &failure)
    }
    var capacity = 1 << 14
    let budget = answer == nil ? WorkBudget.current : nil
    // The text is longer than what the last attempt had room for.
    var filled = 1024
    while answer == nil, failure == nil {
      guard capacity <= 1 << 24 else {
        throw message.error(.messageTooLarge, "the text is longer than 16 MB", fix: "give shorter arguments")
      }
      if let budget, filled > budget.remainingByteCount {
        _ = try? budget.add(byteCount: filled)
        throw message.interrupted
      }
      answer = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
        attempt(message, arguments, rendering, budget, buffer, &problems, &failure)
      }
      filled = capacity
      capacity *= 4
    }
    if let failure { throw failure }
    return answer ?? ""
  }

  /// `nil` where the text does not fit the buffer, or there is a failure.
  private static func attempt(
    _ message: CompiledMessage,
    _ arguments: MessageArguments,
    _ rendering: Rendering,
    _ budget: WorkBudget?,
    _ buffer: UnsafeMutableBufferPointer<UInt8>,
    _ problems: inout [StringsError]?,
    _ failure: inout StringsError?
  ) -> String? {
    arguments.values.withUnsafeBufferPointer { arguments in
      // Even an empty array has an address.
      guard let base = arguments.baseAddress else { return nil }
      var evaluation = MessageEvaluation(
        message: message,
        arguments: arguments,
        base: base,
        rendering: rendering,
        problems: problems == nil ? nil : [],
        budget: budget,
        writer: MessageWriter(buffer)
      )
      do throws(StringsError) {
        try evaluation.match()
        try evaluation.write(message.body, hash: nil)
      } catch {
        failure = error
        return nil
      }
      if evaluation.writer.isFull { return nil }
      problems = evaluation.problems
      return evaluation.writer.text
    }
  }

  private init(
    message: CompiledMessage,
    arguments: UnsafeBufferPointer<(String, MessageArgument)>,
    base: UnsafePointer<(String, MessageArgument)>,
    rendering: Rendering,
    problems: [StringsError]?,
    budget: WorkBudget?,
    writer: MessageWriter
  ) {
    self.message = message
    self.arguments = arguments
    self.base = base
    self.rendering = rendering
    self.problems = problems
    self.budget = budget
    self.writer = writer
  }

  // MARK: Arguments

  /// Finds every argument that the message needs. All of them, once, and no other: that is the rule.
  @inline(__always)
  private mutating func match() throws(StringsError) {
    guard let names = message.arguments.baseAddress else { return try checkNames() }
    let count = message.arguments.count
    var found = 0
    for index in 0..<min(count, 8) {
      // Most often they are given in the message's own order.
      var position = index
      if position >= arguments.count || !names[index].isCalled(base[position].0) {
        guard let first = arguments.prefix(255).firstIndex(where: { names[index].isCalled($0.0) }) else {
          continue
        }
        position = first
      }
      positions ^= UInt64(0xFF ^ position) << UInt64(8 * index)
      found += 1
    }
    if count <= 8, found == count, arguments.count == count { return }
    try checkNames()
  }

  private mutating func checkNames() throws(StringsError) {
    var given: [[UInt8]: Int] = [:]
    for (name, _) in arguments { given[Array(name.utf8), default: 0] += 1 }
    for needed in message.arguments {
      let count = given.removeValue(forKey: Array(needed.name.utf8)) ?? 0
      if count == 1 { continue }
      if count == 0 {
        try report(
          message.error(
            .missingArgument,
            "the argument \(quoted(needed.name)) is missing",
            fix: "give it" + misspelt(needed.name),
            at: needed.offset
          )
        )
      } else {
        try report(
          message.error(
            .extraArgument,
            "the argument \(quoted(needed.name)) is given \(count) times",
            fix: "give it once"
          )
        )
      }
    }
    if given.isEmpty { return }
    for (name, _) in arguments where given.removeValue(forKey: Array(name.utf8)) != nil {
      try report(
        message.error(
          .extraArgument,
          "the message has no argument \(quoted(name))",
          fix: "leave it out" + didYouMean(name, among: message.arguments.prefix(50).map(\.name))
        )
      )
    }
  }

  /// The argument that was given in place of one, by its look.
  private func misspelt(_ name: String) -> String {
    let suggestion = didYouMean(name, among: extraNames())
    return suggestion.isEmpty
      ? "" : suggestion.replacing("did you mean", with: "in place of").replacing("?)", with: ")")
  }

  /// The names of arguments that the message does not have.
  private func extraNames() -> [String] {
    arguments.prefix(50).map(\.0).filter { name in !message.arguments.contains { $0.name == name } }
  }

  private mutating func report(_ problem: StringsError) throws(StringsError) {
    if problems == nil { throw problem }
    problems?.append(problem)
  }

  /// Where an argument was given; `nil` where it is missing.
  @inline(__always)
  private func position(of argument: Int) -> Int? {
    if argument < 8 {
      let position = Int(truncatingIfNeeded: positions >> UInt64(8 * argument)) & 0xFF
      if position != 0xFF { return position }
    }
    return arguments.firstIndex { message.arguments[argument].isCalled($0.0) }
  }

  @inline(__always)
  private func value(_ argument: Int) -> MessageArgument? {
    position(of: argument).map { base[$0].1 }
  }

  /// An argument of a kind that its place has no use for: the best text is its name in braces.
  private mutating func misplaced(
    _ argument: Int,
    at offset: Int,
    expected: String,
    fix: String
  ) throws(StringsError) {
    let needed = message.arguments[argument]
    // A missing one was reported already.
    if let value = value(argument) {
      try report(
        message.error(
          .invalidArgument,
          "\(value.description) is given for \(quoted(needed.name)) where the message takes \(expected)",
          fix: fix,
          at: offset
        )
      )
    }
    appendEscaped("{\(needed.name)}")
  }

  // MARK: Nodes

  /// Writes a block; `hash` is the number of the plural around it.
  private mutating func write(_ block: CompiledMessage.Block, hash: Amount?) throws(StringsError) {
    var (index, end, hash) = (block.lowerBound, block.upperBound, hash)
    while index < end {
      let node = message.nodes[index]
      index += 1
      switch node {
      case .literal(let range):
        appendLiteral(range)
      case .argument(let argument):
        try write(argument: argument)
      case .number(let argument, .percent, let offset):
        guard let percent = number(argument, .percent) else {
          try misplaced(
            argument,
            at: Int(offset),
            expected: "a percent",
            fix: "give a percent, or write {name, number} for a count"
          )
          continue
        }
        try append(rounded(percent, toDigits: 0), .percent)
      case .number(let argument, let style, let offset):
        guard let count = number(argument, .count) else {
          try misplaced(
            argument,
            at: Int(offset),
            expected: "a count",
            fix: "give a count, or write {name} for anything else"
          )
          continue
        }
        try append(rounded(count, toDigits: style == .integer ? 0 : LanguageData.mostFractionDigits), .number)
      case .hash:
        guard let hash else { continue }
        try append(rounded(hash, toDigits: LanguageData.mostFractionDigits), .number)
      case .plural(let plural):
        guard let (branch, number) = try branch(ofPlural: plural) else { continue }
        if index == end {
          // Nearly every plural is all of its message, and its branch is gone on with.
          (index, end, hash) = (branch.lowerBound, branch.upperBound, number)
        } else {
          try write(branch, hash: number)
        }
      case .select(let index):
        try write(message.selects[index])
      }
      if writer.isFull { return }
      if let budget {
        do throws(WorkBudget.Excess) { try budget.goOn() } catch { throw message.interrupted }
      }
    }
  }

  /// A number that was given; `nil` where there is none, or something else.
  @inline(__always)
  private func number(_ argument: Int, _ kind: MessageArgument.Kind) -> Amount? {
    guard let position = position(of: argument), base[position].1.kind == kind else { return nil }
    return base[position].1.number
  }

  /// The branch that a plural takes, and its number; `nil` where there is no count.
  @inline(__always)
  private mutating func branch(
    ofPlural index: Int
  ) throws(StringsError) -> (block: CompiledMessage.Block, number: Amount)? {
    let plural = message.pluralHeads[index]
    guard let count = number(plural.argument, .count) else {
      try misplaced(
        plural.argument,
        at: message.plurals[index].place,
        expected: "a count",
        fix: "give a count: it chooses the plural"
      )
      return nil
    }
    var number = count
    if plural.hasNumbers {
      number = try less(count, message.plurals[index].offset)
      for exact in message.plurals[index].exact where exact.number == count { return (exact.block, number) }
    }
    let shown = try rounded(number, toDigits: plural.isPlain ? LanguageData.mostFractionDigits : 0)
    let isSmall = shown.scale == 0 && UInt64(bitPattern: shown.coefficient) < LanguageData.Plurals.tableCount
    let category =
      isSmall
      ? Int(plural.table[Int(shown.coefficient)]) : message.plurals[index].rules.categoryIndex(of: shown)
    return (message.pluralBlocks[index * PluralRules.Category.allCases.count + category], number)
  }

  private func less(_ count: Amount, _ offset: Amount) throws(StringsError) -> Amount {
    do throws(PriceTagError) { return try count - offset } catch {
      throw message.error(.invalidArgument, error.problem, fix: error.fix)
    }
  }

  private mutating func write(_ select: CompiledMessage.Select) throws(StringsError) {
    guard let value = value(select.argument), value.kind == .text, let keyword = value.content?.text else {
      try misplaced(
        select.argument,
        at: select.offset,
        expected: "a text",
        fix: "give a text: it chooses the branch"
      )
      return
    }
    let block = select.branches.first { $0.keyword.utf8.elementsEqual(keyword.utf8) }?.block ?? select.other
    // The # of a plural around a select is text inside it, as in ICU; it has no node there.
    try write(block, hash: nil)
  }

  private mutating func write(argument: Int) throws(StringsError) {
    guard let position = position(of: argument) else {
      return appendEscaped("{\(message.arguments[argument].name)}")
    }
    let number = base[position].1.number
    switch base[position].1.kind {
    case .count: try append(rounded(number, toDigits: LanguageData.mostFractionDigits), .number)
    case .percent: try append(number.normalized, .percent)
    case .period: try append(number, .period(base[position].1.unit))
    case .price:
      guard case .text(let isolation) = rendering else { return append(base[position].1.content) }
      // The usual case: the price's text and nothing else of it.
      if isolation == .isolates { writer.openIsolate() }
      if let content = base[position].1.content { writer.append(content.text) }
      if isolation == .isolates { writer.closeIsolate() }
    case .text, .language, .storefront, .message: append(base[position].1.content)
    }
  }

  @inline(never)
  mutating func append(_ content: MessageArgument.Content?) {
    switch (content?.source, rendering) {
    case (nil, _): break
    case (.price(let price)?, .html(let html)): writer.append(html(price))
    case (.price(let price)?, _):
      writer.openIsolate()
      writer.append(price.spoken)
      writer.closeIsolate()
    case (.text?, _): appendIsolated(content?.text ?? "")
    case (.language(let language)?, _): appendIsolated(message.language.name(of: language))
    case (.storefront(let storefront)?, _): appendIsolated(message.language.name(of: storefront))
    case (.message(let inner)?, _): append(inner)
    }
  }
}

extension CompiledMessage {
  /// The error of a text that its host has ended.
  fileprivate var interrupted: StringsError {
    error(.messageTooLarge, "the text was ended before it was complete", fix: "give shorter arguments")
  }
}
