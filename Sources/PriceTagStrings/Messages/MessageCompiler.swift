import CICU
import PriceTag
import PriceTagText

/// Compiles ICU MessageFormat text into a ``CompiledMessage``. ICU's `MessagePattern` parses the text.
struct MessageCompiler {
  let source: MessageSource

  private(set) var literals: [UInt8] = []
  private(set) var nodes: [CompiledMessage.Node] = []
  private(set) var plurals: [CompiledMessage.Plural] = []
  private(set) var selects: [CompiledMessage.Select] = []
  private(set) var arguments: [CompiledMessage.Argument] = []

  private let bytes: [UInt8]
  private let parts: [CICUPart]
  /// The index of the next part to compile.
  private var next = 0
  private var acceptsAllTypes = false

  /// Returns a message compiled from its text.
  ///
  /// - Parameter acceptsAllTypes: Whether dates, other types of ICU and other number styles are compiled as arguments of any
  ///   type. Currency formats are errors in any case.
  /// - Throws: `.malformedMessage`, `.messageTooLarge`, `.refusedFormat`, `.unknownPluralCategory`, or
  ///   `.repeatedBranch`, with the key, the language and the position.
  static func compile(
    _ text: String,
    language: UILanguage,
    key: String,
    acceptsAllTypes: Bool = false
  ) throws(StringsError) -> CompiledMessage {
    var compiler = try MessageCompiler(MessageSource(text: text, language: language, key: key))
    compiler.acceptsAllTypes = acceptsAllTypes
    let body = try compiler.block()
    return CompiledMessage(compiler, body: body)
  }

  private init(_ source: MessageSource) throws(StringsError) {
    self.source = source
    bytes = Array(source.text.utf8)
    parts = try Self.parts(of: source, bytes)
  }

  private func substring(_ part: CICUPart) -> String {
    String(decoding: bytes[Int(part.start)..<Int(part.end)], as: UTF8.self)
  }

  /// Returns the next part.
  ///
  /// - Throws: `.malformedMessage` if it has another kind than the one given, which ICU should never cause.
  private mutating func take(_ kind: CICUPartKind? = nil) throws(StringsError) -> CICUPart {
    guard next < parts.count, kind == nil || parts[next].kind == kind else { throw unexpectedPart(at: 0) }
    defer { next += 1 }
    return parts[next]
  }

  private func unexpectedPart(at offset: Int) -> StringsError {
    source.error(
      .malformedMessage,
      "ICU parsed the message in an unexpected way",
      fix: "simplify the message",
      at: offset
    )
  }

  // MARK: Blocks

  /// Compiles a message or a branch, from its start part to its end part.
  private mutating func block() throws(StringsError) -> CompiledMessage.Block {
    var local: [CompiledMessage.Node] = []
    var literal = literals.count
    func flush(_ nodes: inout [CompiledMessage.Node], _ end: Int) {
      if literal < end { nodes.append(.literal(literal..<end)) }
    }
    var end = Int(try take(CICUPartMessageStart).end)
    while true {
      let part = try take()
      literals += bytes[end..<max(end, Int(part.start))]
      end = Int(part.end)
      switch part.kind {
      case CICUPartSkip: continue
      case CICUPartMessageEnd:
        flush(&local, literals.count)
        let start = nodes.count
        nodes += local
        return start..<nodes.count
      case CICUPartNumber:
        flush(&local, literals.count)
        local.append(.hash)
        literal = literals.count
      case CICUPartArgumentStart:
        flush(&local, literals.count)
        let (node, argumentEnd) = try argument(part)
        local.append(node)
        end = argumentEnd
        literal = literals.count
      default: throw unexpectedPart(at: Int(part.start))
      }
    }
  }

  private mutating func argument(
    _ start: CICUPart
  ) throws(StringsError) -> (CompiledMessage.Node, end: Int) {
    let namePart = try take(CICUPartName)
    let name = index(of: substring(namePart), at: Int(start.start))
    let node: CompiledMessage.Node
    switch start.argument {
    case CICUArgumentNone: node = .argument(name)
    case CICUArgumentSimple:
      let style = try numberStyle()
      node = style.map { .number(name, $0, offset: start.start) } ?? .argument(name)
    case CICUArgumentPlural, CICUArgumentSelectOrdinal:
      node = try plural(name, isOrdinal: start.argument == CICUArgumentSelectOrdinal, at: Int(start.start))
    case CICUArgumentSelect: node = try select(name, at: Int(start.start))
    default:
      throw source.error(
        .refusedFormat,
        "choice arguments are not supported",
        fix: "use plural or select",
        at: Int(start.start)
      )
    }
    return (node, Int(try take(CICUPartArgumentEnd).end))
  }

  private mutating func index(of name: String, at offset: Int) -> Int {
    if let index = arguments.firstIndex(where: { $0.name == name }) { return index }
    arguments.append(.init(name: name, offset: offset))
    return arguments.count - 1
  }

  /// Compiles the type and style of `{name, type, style}`; returns `nil` for another type or style, if they are accepted.
  ///
  /// - Throws: `.refusedFormat` for ICU's other types, and for styles other than `integer` and `percent`, such as
  ///   currency formats; `.malformedMessage` for an unknown type.
  private mutating func numberStyle() throws(StringsError) -> CompiledMessage.NumberStyle? {
    let typePart = try take(CICUPartType)
    let type = substring(typePart).lowercased()
    let hasStyle = next < parts.count && parts[next].kind == CICUPartStyle
    let stylePart = hasStyle ? try take(CICUPartStyle) : nil
    let style = stylePart.map { substring($0).trimming { $0.isWhitespace } } ?? ""
    guard type == "number" else {
      let isICUType = ["date", "time", "spellout", "ordinal", "duration"].contains(type)
      if acceptsAllTypes, isICUType || type == "list" { return nil }
      let supported = ["number", "plural", "select", "selectordinal"]
      throw source.error(
        isICUType ? .refusedFormat : .malformedMessage,
        isICUType ? "\(type) arguments are not supported" : "unknown argument type \(quoted(type))",
        fix: isICUType
          ? "pass the value as finished text: {name}"
          : didYouMean(
            closestMatch(to: type, among: supported),
            otherwise: "use \(supported.joined(separator: ", "))"
          ),
        at: Int(typePart.start)
      )
    }
    switch style.lowercased() {
    case "": return .plain
    case "integer": return .integer
    case "percent": return .percent
    default: break
    }
    let isCurrency = style.lowercased().contains("currency") || style.contains("\u{A4}")
    if acceptsAllTypes, !isCurrency { return nil }
    throw source.error(
      .refusedFormat,
      isCurrency
        ? "currency formats are not supported in messages"
        : "the number style \(quoted(style)) is not supported",
      fix: isCurrency
        ? "format the price for its storefront and pass it as finished text: {price}"
        : "remove the style, or use integer or percent",
      at: Int(stylePart?.start ?? typePart.start)
    )
  }

  // MARK: Branches

  private mutating func plural(
    _ argument: Int,
    isOrdinal: Bool,
    at start: Int
  ) throws(StringsError) -> CompiledMessage.Node {
    var offset = Amount.zero
    if next < parts.count, parts[next].kind == CICUPartNumeric { offset = try number(take()) }
    var exact: [(Amount, CompiledMessage.Block)] = []
    var categories: [(PluralRules.Category, CompiledMessage.Block)] = []
    var other: CompiledMessage.Block?
    var numbers: Set<Amount> = []
    var keywords: Set<[UInt8]> = []
    while next < parts.count, parts[next].kind == CICUPartSelector {
      let selector = try take()
      let keyword = substring(selector)
      if next < parts.count, parts[next].kind == CICUPartNumeric {
        let number = try number(take())
        // `=1` and `=1.0` are the same number.
        guard numbers.insert(number).inserted else { throw repeatedBranch(selector) }
        let block = try block()
        exact.append((number, block))
      } else if let category = PluralRules.Category(rawValue: keyword) {
        guard keywords.insert(Array(keyword.utf8)).inserted else { throw repeatedBranch(selector) }
        let block = try block()
        if category == .other { other = block } else { categories.append((category, block)) }
      } else {
        let categories = PluralRules.Category.allCases.map(\.rawValue)
        throw source.error(
          .unknownPluralCategory,
          "unknown plural category \(quoted(keyword))",
          fix: didYouMean(
            closestMatch(to: keyword, among: categories),
            otherwise: "use \(categories.joined(separator: ", ")), or =N for a number"
          ),
          at: Int(selector.start)
        )
      }
    }
    guard let other, let rules = source.language.data.plurals(ordinal: isOrdinal) else {
      throw source.error(
        .formattingFailed,
        "the plural rules of \(source.language) cannot be parsed",
        fix: "check that ICU's data is installed",
        at: start
      )
    }
    plurals.append(
      CompiledMessage.Plural(
        argument: argument,
        place: start,
        isOrdinal: isOrdinal,
        offset: offset,
        style: style(of: argument, in: other),
        exact: exact,
        categories: categories,
        other: other,
        rules: rules
      )
    )
    return .plural(plurals.count - 1)
  }

  /// Returns the error for a second branch with the same selector, which ICU would ignore.
  private func repeatedBranch(_ selector: CICUPart) -> StringsError {
    source.error(
      .repeatedBranch,
      "the branch \(quoted(substring(selector))) appears twice",
      fix: "remove one",
      at: Int(selector.start)
    )
  }

  /// Returns the style of a plural's number in its branch `other`, from which ICU determines the category.
  private func style(of argument: Int, in block: CompiledMessage.Block) -> CompiledMessage.NumberStyle {
    for node in nodes[block] {
      switch node {
      case .hash: return .plain
      case .argument(argument): return .plain
      case .number(argument, let style, _): return style
      default: continue
      }
    }
    return .plain
  }

  private func number(_ part: CICUPart) throws(StringsError) -> Amount {
    let text = substring(part)
    do throws(PriceTagError) { return try Amount(decimal: text) } catch {
      throw source.error(.malformedMessage, error.problem, fix: error.fix, at: Int(part.start))
    }
  }

  private mutating func select(_ argument: Int, at start: Int) throws(StringsError) -> CompiledMessage.Node {
    var branches: [(String, CompiledMessage.Block)] = []
    // Compared by bytes, as in ICU: é and e followed by a combining accent are different keywords.
    var keywords: Set<[UInt8]> = []
    while next < parts.count, parts[next].kind == CICUPartSelector {
      let selector = try take()
      guard keywords.insert(Array(substring(selector).utf8)).inserted else { throw repeatedBranch(selector) }
      branches.append((substring(selector), try block()))
    }
    guard let other = branches.first(where: { $0.0 == "other" }) else {
      let problem = "the select has no branch \"other\""
      throw source.error(.malformedMessage, problem, fix: "add it", at: start)
    }
    selects.append(
      CompiledMessage.Select(argument: argument, offset: start, branches: branches, other: other.1)
    )
    return .select(selects.count - 1)
  }
}

extension String {
  /// Returns the text without the characters at both ends that satisfy a condition.
  func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    guard let start = firstIndex(where: { !isTrimmed($0) }), let end = lastIndex(where: { !isTrimmed($0) })
    else { return "" }
    return String(self[start...end])
  }
}
