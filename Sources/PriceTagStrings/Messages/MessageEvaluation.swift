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
        if let code = message.code { try PhraseCode.write(code, number: nil, to: &evaluation) }
      } catch {
        failure = error
        return nil
      }
      if evaluation.writer.isFull { return nil }
      problems = evaluation.problems
      return evaluation.writer.text
    }
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

  /// Returns the number of an argument, or `nil` if it is missing or has another type.
  @inline(__always)
  private func number(_ argument: Int, _ kind: MessageArgument.Kind) -> Amount? {
    guard let position = position(of: argument), base[position].1.kind == kind else { return nil }
    return base[position].1.number
  }

  mutating func write(argument: Int) throws(StringsError) {
    if writer.isFull { return }
    try checkpoint()
    guard let position = position(of: argument) else {
      return appendEscaped("{\(message.arguments[argument].name)}")
    }
    let number = base[position].1.number
    switch base[position].1.kind {
    case .count: try append(rounded(number, toDigits: PhraseCode.maximumFractionDigits), .number)
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

extension MessageEvaluation: PhraseHost {
  /// Checks the time and size of long texts.
  @inline(__always)
  private func checkpoint() throws(StringsError) {
    guard let budget else { return }
    do throws(WorkBudget.Excess) { try budget.checkpoint() } catch { throw message.interrupted }
  }

  mutating func write(_ text: UnsafeRawBufferPointer) throws(StringsError) {
    appendLiteral(text)
    try checkpoint()
  }

  mutating func write(number argument: Int, style: Int, _ node: UnsafeRawPointer) throws(StringsError) {
    if writer.isFull { return }
    let isPercent = style == PhraseCode.percent
    guard let number = number(argument, isPercent ? .percent : .count) else {
      return try reportWrongType(
        argument,
        at: node.uint16(at: PhraseCode.numberPlace),
        expected: isPercent ? "a percent" : "a count",
        fix: isPercent
          ? "pass a percent, or write {name, number} for a count"
          : "pass a count, or write {name} for other values"
      )
    }
    let digits = style == PhraseCode.plain ? PhraseCode.maximumFractionDigits : 0
    try append(rounded(number, toDigits: digits), isPercent ? .percent : .number)
  }

  mutating func write(hash number: Amount) throws(StringsError) {
    if writer.isFull { return }
    try append(rounded(number, toDigits: PhraseCode.maximumFractionDigits), .number)
  }

  @inline(__always)
  mutating func count(_ argument: Int, _ node: UnsafeRawPointer) throws(StringsError) -> Amount? {
    if let count = number(argument, .count) { return count }
    try reportWrongType(
      argument,
      at: node.uint16(at: PhraseCode.pluralPlace),
      expected: "a count",
      fix: "pass a count, which selects the branch of the plural"
    )
    return nil
  }

  func subtract(_ offset: Amount, from count: Amount) throws(StringsError) -> Amount {
    do throws(PriceTagError) { return try count - offset } catch {
      throw message.source.error(.invalidArgument, error.problem, fix: error.fix)
    }
  }

  @inline(__always)
  func category(of number: Amount, fractionDigits: Int, isOrdinal: Bool) throws(StringsError) -> Int {
    guard let plurals = isOrdinal ? message.ordinals : message.cardinals else { return 0 }
    let shown = try rounded(number, toDigits: fractionDigits)
    let isSmall = shown.scale == 0 && UInt64(bitPattern: shown.coefficient) < LanguageData.Plurals.tableCount
    return isSmall ? Int(plurals.table[Int(shown.coefficient)]) : plurals.categoryIndex(of: shown)
  }

  mutating func argument(
    _ argument: Int,
    is keyword: UnsafeRawBufferPointer,
    _ node: UnsafeRawPointer
  ) throws(StringsError) -> Bool? {
    if let value = value(argument), value.kind == .text, let text = value.content?.text {
      return text.utf8.elementsEqual(keyword)
    }
    try reportWrongType(
      argument,
      at: node.uint16(at: PhraseCode.selectPlace),
      expected: "a text",
      fix: "pass a text, which selects the branch"
    )
    return nil
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
