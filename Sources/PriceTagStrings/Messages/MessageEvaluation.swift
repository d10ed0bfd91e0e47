import PriceTag
import PriceTagSystem
import PriceTagText

/// The evaluation of a message with its arguments.
struct MessageEvaluation {
  /// The caller retains the message.
  unowned(unsafe) let message: CompiledMessage
  private let arguments: UnsafeBufferPointer<(String, MessageArgument)>
  /// The base address of `arguments`. Reading a field through it does not copy the argument.
  private let base: UnsafePointer<(String, MessageArgument)>
  let rendering: Rendering
  /// The problems found so far; `nil` if the first problem is thrown.
  private var problems: [StringsError]?
  /// The work budget for long texts; `nil` for short ones.
  private let budget: WorkBudget?
  var writer: MessageWriter
  /// The positions in `arguments` of the message's first eight arguments, one byte each; 0xFF if not found.
  private var positions: UInt64 = .max

  /// Returns the text of a message.
  ///
  /// - Throws: The first problem with the arguments.
  static func string(
    of message: CompiledMessage,
    _ arguments: MessageArguments,
    _ rendering: Rendering
  ) throws(StringsError) -> String {
    var problems: [StringsError]?
    return try text(of: message, arguments, rendering, &problems)
  }

  /// Returns the text of a message.
  ///
  /// - Parameter problems: Receives the problems with the arguments; if `nil`, the first problem is thrown.
  static func text(
    of message: CompiledMessage,
    _ arguments: MessageArguments,
    _ rendering: Rendering,
    _ problems: inout [StringsError]?
  ) throws(StringsError) -> String {
    var failure: StringsError?
    // Almost all messages fit into 1 KB, which a constant capacity places on the stack.
    var answer = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { buffer in
      attempt(message, arguments, rendering, nil, buffer, &problems, &failure)
    }
    var capacity = 1 << 14
    let budget = answer == nil ? WorkBudget.current : nil
    // The capacity of the last attempt, which the text exceeds.
    var filled = 1024
    while answer == nil, failure == nil {
      guard capacity <= 1 << 24 else {
        throw message.source.error(
          .messageTooLarge,
          "the formatted text is larger than 16 MB",
          fix: "pass shorter arguments"
        )
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

  /// Returns the text, or `nil` if it does not fit into the buffer or evaluation failed.
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
      // The base address of an empty array is not nil.
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

  /// Finds the position of each argument that the message needs.
  ///
  /// - Throws: An error unless each needed argument appears exactly once and there are no others.
  @inline(__always)
  private mutating func match() throws(StringsError) {
    guard let names = message.arguments.baseAddress else { return try checkNames() }
    let count = message.arguments.count
    var found = 0
    for index in 0..<min(count, 8) {
      // Callers usually pass arguments in the message's order.
      var position = index
      if position >= arguments.count || !names[index].isNamed(base[position].0) {
        guard let first = arguments.prefix(255).firstIndex(where: { names[index].isNamed($0.0) }) else {
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
          message.source.error(
            .missingArgument,
            "the argument \(quoted(needed.name)) is missing",
            fix: misspelledArgument(for: needed.name).map {
              "rename the argument \(quoted($0)) to \(quoted(needed.name))"
            } ?? "add it",
            at: needed.offset
          )
        )
      } else {
        try report(
          message.source.error(
            .extraArgument,
            "the argument \(quoted(needed.name)) appears \(count == 2 ? "twice" : "\(count) times")",
            fix: count == 2 ? "remove one" : "remove all but one"
          )
        )
      }
    }
    if given.isEmpty { return }
    for (name, _) in arguments where given.removeValue(forKey: Array(name.utf8)) != nil {
      try report(
        message.source.error(
          .extraArgument,
          "the message has no argument \(quoted(name))",
          fix: "remove it" + didYouMean(name, among: message.arguments.prefix(50).map(\.name))
        )
      )
    }
  }

  /// Returns the extra argument whose name is closest to a missing one, if any is close.
  private func misspelledArgument(for name: String) -> String? {
    let extraNames = arguments.prefix(50).map(\.0).filter { name in
      !message.arguments.contains { $0.name == name }
    }
    return closestMatch(to: name, among: extraNames)
  }

  private mutating func report(_ problem: StringsError) throws(StringsError) {
    if problems == nil { throw problem }
    problems?.append(problem)
  }

  /// Returns the position of an argument in `arguments`, or `nil` if it is missing.
  @inline(__always)
  private func position(of argument: Int) -> Int? {
    if argument < 8 {
      let position = Int(truncatingIfNeeded: positions >> UInt64(8 * argument)) & 0xFF
      if position != 0xFF { return position }
    }
    return arguments.firstIndex { message.arguments[argument].isNamed($0.0) }
  }

  @inline(__always)
  private func value(_ argument: Int) -> MessageArgument? {
    position(of: argument).map { base[$0].1 }
  }

  /// Reports an argument of the wrong type and writes its name in braces.
  private mutating func reportWrongType(
    _ argument: Int,
    at offset: Int,
    expected: String,
    fix: String
  ) throws(StringsError) {
    let needed = message.arguments[argument]
    // A missing argument has already been reported.
    if let value = value(argument) {
      try report(
        message.source.error(
          .invalidArgument,
          "the argument \(quoted(needed.name)) must be \(expected), not \(value.description)",
          fix: fix,
          at: offset
        )
      )
    }
    appendEscaped("{\(needed.name)}")
  }

  // MARK: Nodes

  /// Writes a block.
  ///
  /// - Parameter hash: The number of the enclosing plural, which `#` displays.
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
          try reportWrongType(
            argument,
            at: Int(offset),
            expected: "a percent",
            fix: "pass a percent, or write {name, number} for a count"
          )
          continue
        }
        try append(rounded(percent, toDigits: 0), .percent)
      case .number(let argument, let style, let offset):
        guard let count = number(argument, .count) else {
          try reportWrongType(
            argument,
            at: Int(offset),
            expected: "a count",
            fix: "pass a count, or write {name} for other values"
          )
          continue
        }
        try append(
          rounded(count, toDigits: style == .integer ? 0 : LanguageData.maximumFractionDigits),
          .number
        )
      case .hash:
        guard let hash else { continue }
        try append(rounded(hash, toDigits: LanguageData.maximumFractionDigits), .number)
      case .plural(let plural):
        guard let (branch, number) = try branch(ofPlural: plural) else { continue }
        if index == end {
          // Most plurals end their message, so the loop continues with the branch instead of recursing.
          (index, end, hash) = (branch.lowerBound, branch.upperBound, number)
        } else {
          try write(branch, hash: number)
        }
      case .select(let index):
        try write(message.selects[index])
      }
      if writer.isFull { return }
      if let budget {
        do throws(WorkBudget.Excess) { try budget.checkpoint() } catch { throw message.interrupted }
      }
    }
  }

  /// Returns the number of an argument, or `nil` if it is missing or has another type.
  @inline(__always)
  private func number(_ argument: Int, _ kind: MessageArgument.Kind) -> Amount? {
    guard let position = position(of: argument), base[position].1.kind == kind else { return nil }
    return base[position].1.number
  }

  /// Returns the selected branch of a plural and its number, or `nil` if the argument is not a count.
  @inline(__always)
  private mutating func branch(
    ofPlural index: Int
  ) throws(StringsError) -> (block: CompiledMessage.Block, number: Amount)? {
    let plural = message.pluralHeads[index]
    guard let count = number(plural.argument, .count) else {
      try reportWrongType(
        plural.argument,
        at: message.plurals[index].place,
        expected: "a count",
        fix: "pass a count, which selects the branch of the plural"
      )
      return nil
    }
    var number = count
    if plural.hasNumbers {
      number = try subtract(message.plurals[index].offset, from: count)
      for exact in message.plurals[index].exact where exact.number == count { return (exact.block, number) }
    }
    let shown = try rounded(number, toDigits: plural.isPlain ? LanguageData.maximumFractionDigits : 0)
    let isSmall = shown.scale == 0 && UInt64(bitPattern: shown.coefficient) < LanguageData.Plurals.tableCount
    let category =
      isSmall
      ? Int(plural.table[Int(shown.coefficient)]) : message.plurals[index].rules.categoryIndex(of: shown)
    return (message.pluralBlocks[index * PluralRules.Category.allCases.count + category], number)
  }

  private func subtract(_ offset: Amount, from count: Amount) throws(StringsError) -> Amount {
    do throws(PriceTagError) { return try count - offset } catch {
      throw message.source.error(.invalidArgument, error.problem, fix: error.fix)
    }
  }

  private mutating func write(_ select: CompiledMessage.Select) throws(StringsError) {
    guard let value = value(select.argument), value.kind == .text, let keyword = value.content?.text else {
      try reportWrongType(
        select.argument,
        at: select.offset,
        expected: "a text",
        fix: "pass a text, which selects the branch"
      )
      return
    }
    let block = select.branches.first { $0.keyword.utf8.elementsEqual(keyword.utf8) }?.block ?? select.other
    // As in ICU, # is literal text in a select inside a plural, so the branch has no hash node.
    try write(block, hash: nil)
  }

  private mutating func write(argument: Int) throws(StringsError) {
    guard let position = position(of: argument) else {
      return appendEscaped("{\(message.arguments[argument].name)}")
    }
    let number = base[position].1.number
    switch base[position].1.kind {
    case .count: try append(rounded(number, toDigits: LanguageData.maximumFractionDigits), .number)
    case .percent: try append(number.normalized, .percent)
    case .period: try append(number, .period(base[position].1.unit))
    case .price:
      guard case .text(let isolation) = rendering else { return append(base[position].1.content) }
      // The usual case needs only the text of the price.
      if isolation == .isolates { writer.openIsolate() }
      if let content = base[position].1.content { writer.append(content.text) }
      if isolation == .isolates { writer.closeIsolate() }
    case .text, .language, .storefront, .message, .date: append(base[position].1.content)
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
    case (.date(let date)?, _): appendIsolated(message.language.format(date))
    }
  }
}

extension CompiledMessage {
  /// The error for a text that exceeds the work budget of its host.
  fileprivate var interrupted: StringsError {
    source.error(
      .messageTooLarge,
      "formatting exceeded its time or size limit",
      fix: "pass shorter arguments"
    )
  }
}
