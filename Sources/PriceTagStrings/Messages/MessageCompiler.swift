import CICU
import PriceTag
import PriceTagText

/// Turns ICU MessageFormat text into a program: ICU reads it (`MessagePattern`) and gives the plural rules.
struct MessageCompiler {
  let text: String
  let language: UILanguage
  let key: String

  private(set) var literals: [UInt8] = []
  private(set) var nodes: [CompiledMessage.Node] = []
  private(set) var plurals: [CompiledMessage.Plural] = []
  private(set) var selects: [CompiledMessage.Select] = []
  private(set) var arguments: [CompiledMessage.Argument] = []

  private let bytes: [UInt8]
  private let parts: [CICUPart]
  private var next = 0

  /// Compiles a message.
  ///
  /// - Throws: `.malformedMessage`, `.messageTooLarge`, `.refusedFormat`, `.unknownPluralCategory`,
  ///   `.repeatedBranch`, with the key, the language and the position.
  static func compile(
    _ text: String,
    language: UILanguage,
    key: String
  ) throws(StringsError) -> CompiledMessage {
    var compiler = try MessageCompiler(text, language: language, key: key)
    let body = try compiler.block()
    return CompiledMessage(compiler, body: body)
  }

  private init(_ text: String, language: UILanguage, key: String) throws(StringsError) {
    self.text = text
    self.language = language
    self.key = key
    bytes = Array(text.utf8)
    parts = try Self.parts(of: text, bytes, language: language, key: key)
  }

  private func error(
    _ code: StringsError.Code,
    _ problem: String,
    fix: String,
    at offset: Int32
  ) -> StringsError {
    StringsError(
      code,
      problem,
      fix: fix,
      place: messagePlace(key: key, language: language, text: text, offset: Int(offset))
    )
  }

  private func substring(_ part: CICUPart) -> String {
    String(decoding: bytes[Int(part.start)..<Int(part.end)], as: UTF8.self)
  }

  /// The next part; what ICU promises of their order is not relied on.
  private mutating func take(_ kind: CICUPartKind? = nil) throws(StringsError) -> CICUPart {
    guard next < parts.count, kind == nil || parts[next].kind == kind else {
      throw error(.malformedMessage, "ICU reads this message oddly", fix: "write it more simply", at: 0)
    }
    defer { next += 1 }
    return parts[next]
  }

  // MARK: Blocks

  /// A message, or a branch of one: from its start to its end.
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
      default:
        throw error(
          .malformedMessage,
          "ICU reads this message oddly",
          fix: "write it more simply",
          at: part.start
        )
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
    case CICUArgumentSimple: node = .number(name, try numberStyle(), offset: start.start)
    case CICUArgumentPlural, CICUArgumentSelectOrdinal:
      node = try plural(name, isOrdinal: start.argument == CICUArgumentSelectOrdinal, at: start.start)
    case CICUArgumentSelect: node = try select(name, at: start.start)
    default:
      throw error(
        .refusedFormat,
        "a choice is no part of a message",
        fix: "use plural or select",
        at: start.start
      )
    }
    return (node, Int(try take(CICUPartArgumentEnd).end))
  }

  private mutating func index(of name: String, at offset: Int) -> Int {
    if let index = arguments.firstIndex(where: { $0.name == name }) { return index }
    arguments.append(.init(name: name, offset: offset))
    return arguments.count - 1
  }

  /// The style of `{name, number, style}`. Whatever would write a price, or anything that is no plain number, is
  /// refused.
  private mutating func numberStyle() throws(StringsError) -> CompiledMessage.NumberStyle {
    let typePart = try take(CICUPartType)
    let type = substring(typePart).lowercased()
    let hasStyle = next < parts.count && parts[next].kind == CICUPartStyle
    let stylePart = hasStyle ? try take(CICUPartStyle) : nil
    let style = stylePart.map { substring($0).trimming { $0.isWhitespace } } ?? ""
    guard type == "number" else {
      let known = ["date", "time", "spellout", "ordinal", "duration"].contains(type)
      throw error(
        known ? .refusedFormat : .malformedMessage,
        known
          ? "a message does not format \(type == "ordinal" ? "an" : "a") \(type)"
          : "there is no argument type \(quoted(type))",
        fix: known
          ? "give it as finished text: {name}"
          : "write number, plural, selectordinal or select\(didYouMean(type, among: ["number", "plural", "select", "selectordinal"]))",
        at: typePart.start
      )
    }
    switch style.lowercased() {
    case "": return .plain
    case "integer": return .integer
    case "percent": return .percent
    default: break
    }
    let isMoney = style.lowercased().contains("currency") || style.contains("\u{A4}")
    throw error(
      .refusedFormat,
      isMoney
        ? "a message does not format a currency"
        : "a message does not take the number style \(quoted(style))",
      fix: isMoney
        ? "format the price by its storefront and give it as finished text: {price}"
        : "write number, or number with the style integer or percent",
      at: stylePart?.start ?? typePart.start
    )
  }

  // MARK: Branches

  private mutating func plural(
    _ argument: Int,
    isOrdinal: Bool,
    at start: Int32
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
        // `=1` and `=1.0` are one number.
        guard numbers.insert(number).inserted else { throw repeatedBranch(selector) }
        let block = try block()
        exact.append((number, block))
      } else if let category = PluralRules.Category(rawValue: keyword) {
        guard keywords.insert(Array(keyword.utf8)).inserted else { throw repeatedBranch(selector) }
        let block = try block()
        if category == .other { other = block } else { categories.append((category, block)) }
      } else {
        let known = PluralRules.Category.allCases.map(\.rawValue)
        throw error(
          .unknownPluralCategory,
          "\(quoted(keyword)) is no plural category",
          fix:
            "write =N for a number, or \(known.joined(separator: ", "))\(didYouMean(keyword, among: known))",
          at: selector.start
        )
      }
    }
    guard let other, let rules = language.data.plurals(ordinal: isOrdinal) else {
      throw error(
        .formattingFailed,
        "CLDR's plural rules of \(language) are not understood",
        fix: "check that ICU's data is installed",
        at: start
      )
    }
    plurals.append(
      CompiledMessage.Plural(
        argument: argument,
        place: Int(start),
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

  /// Of two branches of one name ICU takes the first, and the other one is never shown.
  private func repeatedBranch(_ selector: CICUPart) -> StringsError {
    error(
      .repeatedBranch,
      "the branch \(quoted(substring(selector))) is repeated",
      fix: "keep one of the two",
      at: selector.start
    )
  }

  /// How the number of a plural is written in its branch `other`: ICU chooses the category by that.
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
      throw self.error(.malformedMessage, error.problem, fix: error.fix, at: part.start)
    }
  }

  private mutating func select(_ argument: Int, at start: Int32) throws(StringsError) -> CompiledMessage.Node
  {
    var branches: [(String, CompiledMessage.Block)] = []
    // By their bytes, as ICU compares them: é and e with an accent are two branches.
    var keywords: Set<[UInt8]> = []
    while next < parts.count, parts[next].kind == CICUPartSelector {
      let selector = try take()
      guard keywords.insert(Array(substring(selector).utf8)).inserted else { throw repeatedBranch(selector) }
      branches.append((substring(selector), try block()))
    }
    guard let other = branches.first(where: { $0.0 == "other" }) else {
      throw error(.malformedMessage, "a select has no branch \"other\"", fix: "add one", at: start)
    }
    selects.append(
      CompiledMessage.Select(argument: argument, offset: Int(start), branches: branches, other: other.1)
    )
    return .select(selects.count - 1)
  }
}

extension String {
  /// The text without what stands at its ends and satisfies a condition.
  func trimming(_ isTrimmed: (Character) -> Bool) -> String {
    guard let start = firstIndex(where: { !isTrimmed($0) }), let end = lastIndex(where: { !isTrimmed($0) })
    else { return "" }
    return String(self[start...end])
  }
}
