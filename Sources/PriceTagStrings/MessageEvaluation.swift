import PriceTag

/// How inserted values are kept from moving the words around them.
public enum Isolation: String, Hashable, Sendable, CaseIterable, Codable {
  /// Between U+2068 FIRST STRONG ISOLATE and U+2069 POP DIRECTIONAL ISOLATE.
  case isolates
  /// Not at all: for comparison with other software.
  case none
}

/// What a message is written for.
enum Rendering {
  case text(Isolation)
  /// HTML: `<bdi>` around what is inserted, everything escaped.
  case html
  /// For the ear: prices by their spoken form.
  case spoken
}

/// One evaluation of a message.
struct MessageEvaluation {
  private let message: CompiledMessage
  private let arguments: [MessageArguments.Named]
  private let rendering: Rendering
  /// Whether problems are collected and the best text is written; otherwise the first one ends it.
  private let isLenient: Bool
  private var problems: [StringsError] = []
  private var writer: MessageWriter

  /// The text of a message, and what was wrong with its arguments where that is not to be thrown.
  static func text(
    of message: CompiledMessage,
    _ arguments: [MessageArguments.Named],
    _ rendering: Rendering,
    isLenient: Bool
  ) throws(StringsError) -> (text: String, problems: [StringsError]) {
    // What nearly every message fits in is the stack's, and of a constant size.
    if let answer = try withUnsafeTemporaryAllocation(
      of: UInt8.self,
      capacity: 4096,
      { buffer in attempt(message, arguments, rendering, isLenient, buffer) }
    )?.get() {
      return answer
    }
    var capacity = 1 << 16
    while capacity <= 1 << 30 {
      let answer = try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
        attempt(message, arguments, rendering, isLenient, buffer)
      }?.get()
      if let answer { return answer }
      capacity *= 4
    }
    throw message.error(.messageTooLarge, "the text is longer than 1 GB", fix: "give shorter arguments")
  }

  private typealias Answer = Result<(text: String, problems: [StringsError]), StringsError>

  /// `nil` where the text does not fit the buffer.
  private static func attempt(
    _ message: CompiledMessage,
    _ arguments: [MessageArguments.Named],
    _ rendering: Rendering,
    _ isLenient: Bool,
    _ buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Answer? {
    var evaluation = MessageEvaluation(
      message: message,
      arguments: arguments,
      rendering: rendering,
      isLenient: isLenient,
      writer: MessageWriter(buffer)
    )
    do throws(StringsError) {
      try evaluation.checkNames()
      try evaluation.write(message.body, hash: nil)
    } catch {
      return .failure(error)
    }
    if evaluation.writer.isFull { return nil }
    return .success((evaluation.writer.text, evaluation.problems))
  }

  private init(
    message: CompiledMessage,
    arguments: [MessageArguments.Named],
    rendering: Rendering,
    isLenient: Bool,
    writer: MessageWriter
  ) {
    self.message = message
    self.arguments = arguments
    self.rendering = rendering
    self.isLenient = isLenient
    self.writer = writer
  }

  // MARK: Arguments

  /// Every argument that the message needs, once, and no other.
  private mutating func checkNames() throws(StringsError) {
    var matched = 0
    for (index, needed) in message.arguments.enumerated() {
      let count = arguments.count { $0.name == needed.name }
      matched += count
      if count == 1 { continue }
      if count == 0 {
        try report(
          message.error(
            .missingArgument,
            "the argument \(quoted(needed.name)) is missing",
            fix: "give it" + didYouMean(needed.name, among: extraNames()),
            at: message.arguments[index].offset
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
    guard matched < arguments.count else { return }
    for name in extraNames() {
      try report(
        message.error(
          .extraArgument,
          "the message has no argument \(quoted(name))",
          fix: "leave it out" + didYouMean(name, among: message.arguments.map(\.name))
        )
      )
    }
  }

  /// The names of arguments that the message does not have.
  private func extraNames() -> [String] {
    arguments.map(\.name).filter { name in !message.arguments.contains { $0.name == name } }
  }

  private mutating func report(_ problem: StringsError) throws(StringsError) {
    guard isLenient else { throw problem }
    problems.append(problem)
  }

  @inline(__always)
  private func value(_ argument: Int) -> MessageArgument? {
    let name = message.arguments[argument].name
    for candidate in arguments where candidate.name == name { return candidate.value }
    return nil
  }

  /// An argument of a kind that its place has no use for: the best text is its name in braces.
  private mutating func misplaced(
    _ argument: Int,
    expected: String,
    fix: String
  ) throws(StringsError) {
    let needed = message.arguments[argument]
    // A missing one was reported already.
    if let value = value(argument) {
      try report(
        message.error(
          .invalidArgument,
          "\(value.kind) is given for \(quoted(needed.name)) where the message takes \(expected)",
          fix: fix,
          at: needed.offset
        )
      )
    }
    appendEscaped("{\(needed.name)}")
  }

  // MARK: Nodes

  /// Writes a block; `hash` is the number of the plural around it.
  private mutating func write(_ block: CompiledMessage.Block, hash: Amount?) throws(StringsError) {
    for index in block {
      switch message.nodes[index] {
      case .literal(let range):
        appendLiteral(range)
      case .argument(let argument):
        try write(argument: argument)
      case .number(let argument, .percent):
        guard case .percent(let percent) = value(argument) else {
          try misplaced(
            argument,
            expected: "a percent",
            fix: "give .percent, or write {name, number} for a count"
          )
          continue
        }
        try append(rounded(percent, toDigits: 0), .percent)
      case .number(let argument, let style):
        guard case .count(let count) = value(argument) else {
          try misplaced(
            argument,
            expected: "a count",
            fix: "give .count, or write {name} for anything that is no count"
          )
          continue
        }
        try append(rounded(count, toDigits: style == .integer ? 0 : LanguageData.mostFractionDigits), .number)
      case .hash:
        guard let hash else { continue }
        try append(rounded(hash, toDigits: LanguageData.mostFractionDigits), .number)
      case .plural(let index):
        try write(message.plurals[index])
      case .select(let index):
        try write(message.selects[index], hash: hash)
      }
      if writer.isFull { return }
    }
  }

  private mutating func write(_ plural: CompiledMessage.Plural) throws(StringsError) {
    guard case .count(let count) = value(plural.argument) else {
      try misplaced(plural.argument, expected: "a count", fix: "give .count: it chooses the plural")
      return
    }
    if let exact = plural.exact.first(where: { $0.number == count }) {
      return try write(exact.block, hash: try less(count, plural.offset))
    }
    let number = try less(count, plural.offset)
    let shown = try rounded(
      number,
      toDigits: plural.style == .plain ? LanguageData.mostFractionDigits : 0
    )
    let category = plural.rules.category(for: .init(shown, fractionDigits: shown.scale))
    let block = plural.categories.first { $0.category == category }?.block ?? plural.other
    try write(block, hash: number)
  }

  private func less(_ count: Amount, _ offset: Amount) throws(StringsError) -> Amount {
    if offset.isZero { return count }
    do throws(PriceTagError) { return try count - offset } catch {
      throw message.error(.invalidArgument, error.problem, fix: error.fix)
    }
  }

  private mutating func write(_ select: CompiledMessage.Select, hash: Amount?) throws(StringsError) {
    guard case .text(let keyword) = value(select.argument) else {
      try misplaced(select.argument, expected: "a text", fix: "give .text: it chooses the branch")
      return
    }
    let block = select.branches.first { $0.keyword == keyword }?.block ?? select.other
    // The # of a plural around a select is text inside it, as in ICU; it has no node there.
    try write(block, hash: nil)
  }

  private mutating func write(argument: Int) throws(StringsError) {
    switch value(argument) {
    case nil: try misplaced(argument, expected: "", fix: "")
    case .price(let price)?: append(price)
    case .count(let count)?:
      try append(rounded(count, toDigits: LanguageData.mostFractionDigits), .number)
    case .percent(let percent)?: try append(percent.normalized, .percent)
    case .text(let text)?: appendIsolated(text)
    case .period(let period)?:
      try append(Amount(integerLiteral: Int64(period.count)), .period(period.unit))
    case .language(let language)?: appendIsolated(message.language.name(of: language))
    case .storefront(let storefront)?: appendIsolated(message.language.name(of: storefront))
    case .message(let inner)?: append(inner)
    }
  }

  // MARK: Writing

  private mutating func appendLiteral(_ range: Range<Int>) {
    if case .html = rendering {
      appendEscaped(String(decoding: message.literals[range], as: UTF8.self))
      return
    }
    message.literals.withUnsafeBufferPointer { writer.append(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  private mutating func appendEscaped(_ text: String) {
    if case .html = rendering { writer.append(escapedForHTML(text)) } else { writer.append(text) }
  }

  @inline(__always)
  private mutating func append(_ price: FormattedPrice) {
    switch rendering {
    case .text(.isolates):
      writer.openIsolate()
      writer.append(price.text)
      writer.closeIsolate()
    case .text(.none): writer.append(price.text)
    case .html: writer.append(price.html)
    case .spoken:
      writer.openIsolate()
      writer.append(price.spoken)
      writer.closeIsolate()
    }
  }

  private mutating func appendIsolated(_ text: String) {
    switch rendering {
    case .text(.none): writer.append(text)
    case .html: writer.append("<bdi>\(escapedForHTML(balancedBidi(text)))</bdi>")
    case .text(.isolates), .spoken:
      writer.openIsolate()
      writer.append(balancedBidi(text))
      writer.closeIsolate()
    }
  }

  /// The words of another message; isolated only where they are of another language.
  private mutating func append(_ inner: FormattedMessage) {
    let isForeign = inner.language != message.language
    switch rendering {
    case .text(.isolates), .spoken:
      let text = if case .spoken = rendering { inner.spoken } else { inner.isolated }
      if isForeign { writer.openIsolate() }
      writer.append(text)
      if isForeign { writer.closeIsolate() }
    case .text(.none): writer.append(inner.plain)
    case .html:
      writer.append(
        isForeign
          ? "<bdi lang=\"\(inner.language)\" dir=\"\(inner.language.direction.rawValue)\">\(inner.html)</bdi>"
          : inner.html
      )
    }
  }

  @inline(__always)
  private mutating func append(_ number: Amount, _ kind: CountFormatter.Kind) throws(StringsError) {
    guard let formatter = message.language.data.counts(kind, fractionDigits: number.scale) else {
      throw message.error(
        .formattingFailed,
        "ICU cannot write numbers in \(message.language)",
        fix: "check that ICU's data is installed"
      )
    }
    // Nothing that a number has is special in HTML.
    writer.append(number, by: formatter)
  }

  @inline(__always)
  private func rounded(_ number: Amount, toDigits digits: Int) throws(StringsError) -> Amount {
    if number.scale == 0 { return number }
    do throws(PriceTagError) { return try number.rounded(toDigits: digits, .halfEven).normalized } catch {
      throw message.error(.invalidArgument, error.problem, fix: error.fix)
    }
  }
}
