import PriceTag
import PriceTagText

/// A message as a flat program: evaluating it reads memory and never ICU.
///
/// Sub-messages are ranges of `nodes`. What is read while a message is written lies behind pointers, so that reading
/// it counts no references.
///
/// Sendable notes: the memory is written in the initializer only, and lives as long as the object.
package final class CompiledMessage: @unchecked Sendable {
  /// How a number that stands alone is written.
  enum NumberStyle: Sendable {
    /// With up to three decimals, as ICU's default number format.
    case plain
    /// Without decimals, half even.
    case integer
    /// As a percent without decimals, half even.
    case percent
  }

  enum Node: Sendable {
    /// Bytes of `literals`.
    case literal(Range<Int>)
    /// `{name}`: any kind of argument.
    case argument(Int)
    /// `{name, number}` and its styles, with where it stands.
    case number(Int, NumberStyle, offset: Int32)
    /// `#`: the number of the plural around it, less its offset.
    case hash
    /// An index of `plurals`.
    case plural(Int)
    /// An index of `selects`.
    case select(Int)
  }

  package typealias Block = Range<Int>

  package struct Plural: Sendable {
    package let argument: Int
    /// Where it stands (a UTF-8 offset).
    let place: Int
    package let isOrdinal: Bool
    let offset: Amount
    /// How the number is written that chooses the category: as in the branch `other`.
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

  /// What of a plural is read each time: a plain structure.
  struct PluralHead {
    let argument: Int
    /// Whether it has an offset or branches for exact numbers.
    let hasNumbers: Bool
    let isPlain: Bool
    /// The rules' table of small numbers.
    let table: UnsafePointer<UInt8>

    init(_ plural: Plural) {
      argument = plural.argument
      hasNumbers = !plural.offset.isZero || !plural.exact.isEmpty
      isPlain = plural.style == .plain
      table = plural.rules.table
    }
  }

  package struct Select: Sendable {
    package let argument: Int
    /// Where it stands (a UTF-8 offset).
    let offset: Int
    package let branches: [(keyword: String, block: Block)]
    let other: Block

    var blocks: [Block] { branches.map(\.block) }
  }

  /// A name that the message needs, and where it stands first (a UTF-8 offset).
  package struct Argument: Sendable {
    package let name: String
    let offset: Int
    /// The name's bytes, and whether they are ASCII: then as many bytes that are equal to Swift are the same.
    private let count: Int
    private let isPlain: Bool

    init(name: String, offset: Int) {
      (self.name, self.offset) = (name, offset)
      count = name.utf8.count
      isPlain = isASCII(name)
    }

    /// Whether a name is this one, byte for byte, as ICU compares them: for Swift, é is also e and an accent.
    @inline(__always)
    func isCalled(_ other: String) -> Bool {
      other == name && other.utf8.count == count && (isPlain || other.utf8.elementsEqual(name.utf8))
    }
  }

  let text: String
  let language: UILanguage
  /// The key and file that errors name; empty where there is none.
  let key: String
  let literals: UnsafeBufferPointer<UInt8>
  let nodes: UnsafeBufferPointer<Node>
  package let plurals: UnsafeBufferPointer<Plural>
  let pluralHeads: UnsafeBufferPointer<PluralHead>
  /// For each plural, the block of each category, in CLDR's order.
  let pluralBlocks: UnsafeBufferPointer<Block>
  package let selects: UnsafeBufferPointer<Select>
  package let arguments: UnsafeBufferPointer<Argument>
  let body: Block
  /// What writes whole numbers: nearly every count is one.
  let integers: CountFormatter?

  init(_ compiler: MessageCompiler, body: Block) {
    text = compiler.text
    language = compiler.language
    key = compiler.key
    literals = Self.kept(compiler.literals)
    nodes = Self.kept(compiler.nodes)
    plurals = Self.kept(compiler.plurals)
    pluralHeads = Self.kept(compiler.plurals.map(PluralHead.init))
    pluralBlocks = Self.kept(
      compiler.plurals.flatMap { plural in PluralRules.Category.allCases.map(plural.block) }
    )
    selects = Self.kept(compiler.selects)
    arguments = Self.kept(compiler.arguments)
    self.body = body
    integers = compiler.language.data.counts(.number, fractionDigits: 0)
  }

  deinit {
    Self.free(literals)
    Self.free(nodes)
    Self.free(plurals)
    Self.free(pluralHeads)
    Self.free(pluralBlocks)
    Self.free(selects)
    Self.free(arguments)
  }

  private static func kept<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = buffer.initialize(from: elements)
    return UnsafeBufferPointer(buffer)
  }

  private static func free<Element>(_ elements: UnsafeBufferPointer<Element>) {
    let buffer = UnsafeMutableBufferPointer(mutating: elements)
    buffer.deinitialize()
    buffer.deallocate()
  }

  /// The names of the arguments that are written as percents.
  package var percents: Set<String> {
    Set(
      nodes.compactMap { node in
        if case .number(let argument, .percent, _) = node { arguments[argument].name } else { nil }
      }
    )
  }

  /// Whether a block shows the number of the plural that it is a branch of.
  package func showsNumber(_ plural: Plural, in block: Block) -> Bool {
    nodes[block].contains { node in
      switch node {
      case .hash: true
      case .argument(plural.argument), .number(plural.argument, _, _): true
      default: false
      }
    }
  }

  /// The names of the arguments in a block, at any depth.
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

  /// Whether a block has a plural or select in it, which may show the number in turn.
  package func selectsInside(_ block: Block) -> Bool {
    nodes[block].contains { node in
      switch node {
      case .plural, .select: true
      default: false
      }
    }
  }

  /// How many characters its longest text has, without what is put into it.
  package var longestCount: Int { longestCount(body) }

  private func longestCount(_ block: Block) -> Int {
    nodes[block].reduce(0) { count, node in
      switch node {
      case .literal(let range): count + String(decoding: literals[range], as: UTF8.self).count
      case .argument, .number, .hash: count
      case .plural(let index): count + longestCount(ofBranches: plurals[index].blocks)
      case .select(let index): count + longestCount(ofBranches: selects[index].blocks)
      }
    }
  }

  private func longestCount(ofBranches blocks: [Block]) -> Int { blocks.map(longestCount).max() ?? 0 }

  /// An error of this message, at an offset of its text.
  func error(_ code: StringsError.Code, _ problem: String, fix: String, at offset: Int? = nil) -> StringsError
  {
    StringsError(
      code,
      problem,
      fix: fix,
      place: messagePlace(key: key, language: language, text: text, offset: offset)
    )
  }
}

/// Where in a message something is: `message buy_for_price, de, character 12`.
func messagePlace(key: String, language: UILanguage, text: String, offset: Int?) -> String {
  let position = offset.map { offset in
    // In characters as an editor counts them, from 1.
    let index = text.utf8.index(text.startIndex, offsetBy: min(max(0, offset), text.utf8.count))
    return ", character \(text[..<index].unicodeScalars.count + 1)"
  }
  return (key.isEmpty ? "" : "message \(printable(key, limit: 64)), ") + language.identifier
    + (position ?? "")
}
