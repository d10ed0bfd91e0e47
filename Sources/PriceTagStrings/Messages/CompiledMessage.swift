import PriceTag
import PriceTagSystem
import PriceTagText

/// A message compiled into a flat list of nodes for lint, and into code that is written without ICU's MessageFormat.
///
/// Branches are ranges of `nodes`. The data is stored in unmanaged buffers, so that evaluation needs no reference
/// counting.
///
/// Sendable because the buffers are immutable after initialization and live as long as the object.
package final class CompiledMessage: @unchecked Sendable {
  /// The style of a number argument.
  enum NumberStyle: Sendable {
    /// Up to three decimals, as in ICU's default number format.
    case plain
    /// No decimals, rounded half even.
    case integer
    /// A percentage without decimals, rounded half even.
    case percent
  }

  enum Node: Sendable {
    /// Literal text: a range of `literals`.
    case literal(Range<Int>)
    /// `{name}`, which accepts an argument of any type: an index into `arguments`.
    case argument(Int)
    /// `{name, number}` with a style: an index into `arguments`, and the UTF-8 offset in the message.
    case number(Int, NumberStyle, offset: Int32)
    /// `#`: the number of the enclosing plural, minus its offset.
    case hash
    /// A plural: an index into `plurals`.
    case plural(Int)
    /// A select: an index into `selects`.
    case select(Int)
  }

  package typealias Block = Range<Int>

  package struct Plural: Sendable {
    package let argument: Int
    /// The UTF-8 offset of the argument in the message.
    let place: Int
    package let isOrdinal: Bool
    package let offset: Amount
    /// The number style that determines the plural category: the one used in the branch `other`.
    let style: NumberStyle
    package let exact: [(number: Amount, block: Block)]
    package let categories: [(category: PluralRules.Category, block: Block)]
    package let other: Block
    package let rules: LanguageData.Plurals
    var blocks: [Block] { exact.map(\.block) + categories.map(\.block) + [other] }

    func block(of category: PluralRules.Category) -> Block {
      categories.first { $0.category == category }?.block ?? other
    }
  }

  package struct Select: Sendable {
    package let argument: Int
    /// The UTF-8 offset of the argument in the message.
    let offset: Int
    package let branches: [(keyword: String, block: Block)]
    let other: Block

    var blocks: [Block] { branches.map(\.block) }
  }

  /// An argument that the message needs.
  package struct Argument: Sendable {
    package let name: String
    /// The UTF-8 offset of the first use in the message.
    let offset: Int
    private let byteCount: Int
    /// Whether the name is ASCII, so that an equal string of the same length has the same bytes.
    private let isASCIIName: Bool

    init(name: String, offset: Int) {
      (self.name, self.offset) = (name, offset)
      byteCount = name.utf8.count
      isASCIIName = isASCII(name)
    }

    /// Returns whether a name has the same bytes as the argument's, as ICU compares names.
    ///
    /// Swift compares strings by canonical equivalence: é equals e followed by a combining accent.
    @inline(__always)
    func isNamed(_ other: String) -> Bool {
      other == name && other.utf8.count == byteCount && (isASCIIName || other.utf8.elementsEqual(name.utf8))
    }
  }

  let source: MessageSource
  let literals: UnsafeBufferPointer<UInt8>
  let nodes: UnsafeBufferPointer<Node>
  package let plurals: UnsafeBufferPointer<Plural>
  /// The plural rules of the message's plurals and ordinal plurals; `nil` without any.
  let cardinals: LanguageData.Plurals?
  let ordinals: LanguageData.Plurals?
  /// The nodes in the layout of `PhraseCode`, from which the message is written. It is set in the initializer.
  private(set) var code: UnsafeRawPointer?
  package let selects: UnsafeBufferPointer<Select>
  package let arguments: UnsafeBufferPointer<Argument>
  let body: Block
  /// The formatter for integers, which almost all counts are.
  let integers: CountFormatter?

  var language: UILanguage { source.language }

  init(_ compiler: MessageCompiler, body: Block) {
    source = compiler.source
    literals = Self.buffer(compiler.literals)
    nodes = Self.buffer(compiler.nodes)
    plurals = Self.buffer(compiler.plurals)
    cardinals = compiler.plurals.first { !$0.isOrdinal }?.rules
    ordinals = compiler.plurals.first { $0.isOrdinal }?.rules
    selects = Self.buffer(compiler.selects)
    arguments = Self.buffer(compiler.arguments)
    self.body = body
    integers = compiler.source.language.data.counts(.number, fractionDigits: 0)
    code = UnsafeRawPointer(Self.buffer(code(of: body, hasPlaces: true) { $0 }).baseAddress)
  }

  deinit {
    Self.free(literals)
    Self.free(nodes)
    Self.free(plurals)
    code?.deallocate()
    Self.free(selects)
    Self.free(arguments)
  }

  private static func buffer<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = buffer.initialize(from: elements)
    return UnsafeBufferPointer(buffer)
  }

  private static func free<Element>(_ elements: UnsafeBufferPointer<Element>) {
    let buffer = UnsafeMutableBufferPointer(mutating: elements)
    buffer.deinitialize()
    buffer.deallocate()
  }

  /// The names of the arguments with the number style `percent`.
  package var percents: Set<String> {
    Set(
      nodes.compactMap { node in
        if case .number(let argument, .percent, _) = node { arguments[argument].name } else { nil }
      }
    )
  }

  /// The names of the arguments that select a branch of a plural, and are not displayed.
  package var hiddenCounts: Set<String> {
    var hidden = Set(plurals.map { arguments[$0.argument].name })
    for plural in plurals where plural.blocks.contains(where: { showsNumber(plural, in: $0) }) {
      hidden.remove(arguments[plural.argument].name)
    }
    for case .argument(let argument) in nodes { hidden.remove(arguments[argument].name) }
    for case .number(let argument, _, _) in nodes { hidden.remove(arguments[argument].name) }
    return hidden
  }

  /// Returns whether a branch of a plural contains the plural's number.
  package func showsNumber(_ plural: Plural, in block: Block) -> Bool {
    nodes[block].contains { node in
      switch node {
      case .hash: true
      case .argument(plural.argument), .number(plural.argument, _, _): true
      default: false
      }
    }
  }

  /// Returns the names of the arguments in a block, including nested blocks.
  package func argumentNames(in block: Block) -> Set<String> {
    nodes[block].reduce(into: []) { names, node in
      switch node {
      case .literal, .hash: break
      case .argument(let argument), .number(let argument, _, _): names.insert(arguments[argument].name)
      case .plural(let index):
        names.insert(arguments[plurals[index].argument].name)
        for block in plurals[index].blocks { names.formUnion(argumentNames(in: block)) }
      case .select(let index):
        names.insert(arguments[selects[index].argument].name)
        for block in selects[index].blocks { names.formUnion(argumentNames(in: block)) }
      }
    }
  }

  /// Returns whether a block contains a plural or select, which may contain the number in turn.
  package func containsSelector(_ block: Block) -> Bool {
    nodes[block].contains { node in
      switch node {
      case .plural, .select: true
      default: false
      }
    }
  }

  /// Compiles a message to check it. Types and styles that messages of PriceTag do not have, such as dates, are accepted;
  /// currency formats are not.
  package static func forLint(_ text: String, language: UILanguage) throws(StringsError) -> CompiledMessage {
    try MessageCompiler.compile(text, language: language, key: "", acceptsAllTypes: true)
  }

  /// The literal text, in which U+FFFC is each argument. Branches are separate lines.
  package var prose: String { prose(body) }

  private func prose(_ block: Block) -> String {
    nodes[block].reduce(into: "") { prose, node in
      switch node {
      case .literal(let range): prose += String(decoding: literals[range], as: UTF8.self)
      case .argument, .number, .hash: prose += "\u{FFFC}"
      case .plural(let index):
        prose += plurals[index].blocks.map { "\n" + self.prose($0) }.joined() + "\n"
      case .select(let index):
        prose += selects[index].blocks.map { "\n" + self.prose($0) }.joined() + "\n"
      }
    }
  }

  /// The maximum number of characters of literal text, over all branches.
  package var maximumLiteralCount: Int { maximumLiteralCount(body) }

  private func maximumLiteralCount(_ block: Block) -> Int {
    nodes[block].reduce(0) { count, node in
      switch node {
      case .literal(let range): count + String(decoding: literals[range], as: UTF8.self).count
      case .argument, .number, .hash: count
      case .plural(let index): count + maximumLiteralCount(ofBranches: plurals[index].blocks)
      case .select(let index): count + maximumLiteralCount(ofBranches: selects[index].blocks)
      }
    }
  }

  private func maximumLiteralCount(ofBranches blocks: [Block]) -> Int {
    blocks.map(maximumLiteralCount).max() ?? 0
  }
}

/// The text of a message, and what its errors say about it.
struct MessageSource: Sendable {
  let text: String
  let language: UILanguage
  /// The message's key; empty if it has none.
  let key: String

  /// Creates an error with its place in the message: `message buy_for_price, de, character 12`.
  ///
  /// - Parameter offset: The UTF-8 offset of the error in the message's text.
  func error(_ code: StringsError.Code, _ problem: String, fix: String, at offset: Int? = nil) -> StringsError
  {
    let position = offset.map { offset in
      // In Unicode scalars, from 1.
      let index = text.utf8.index(text.startIndex, offsetBy: min(max(0, offset), text.utf8.count))
      return ", character \(text[..<index].unicodeScalars.count + 1)"
    }
    let message = key.isEmpty ? "" : "message \(printable(key, limit: 64)), "
    return StringsError(code, problem, fix: fix, place: message + language.identifier + (position ?? ""))
  }
}
