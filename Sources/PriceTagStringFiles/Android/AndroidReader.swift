import PriceTagStrings
import PriceTagText

extension StringsFile {
  /// Reads Android's `<resources>` with `<string>`, `<plurals>` and `<string-array>`, by the rules of AAPT2.
  static func readAndroid(_ bytes: [UInt8], language: String) -> StringsFile {
    var reader = AndroidReader(bytes, language: language)
    reader.read()
    return StringsFile(
      format: .android,
      language: language,
      bytes: bytes,
      entries: reader.entries.entries,
      problems: reader.problems.problems + reader.entries.problems
    )
  }
}

/// Reads Android's `strings.xml`. A malformed entry is recorded, and the reading continues with the next one.
private struct AndroidReader {
  private var cursor: XMLCursor
  private let language: String
  private(set) var entries = EntryList()
  private(set) var problems = ProblemList()
  /// The prefixes of names that are declared, or were reported.
  private var prefixes: Set<Substring> = ["xml", "xmlns"]

  private static let quantities = ["zero", "one", "two", "few", "many", "other"]
  private static let elements = ["string", "plurals", "string-array"]

  init(_ bytes: [UInt8], language: String) {
    (cursor, self.language) = (XMLCursor(bytes), language)
  }

  private mutating func next(key: String) -> XMLCursor.Token? {
    let token = cursor.next()
    switch token {
    case .start(let name, let attributes, _)?: checkPrefixes(of: [name] + attributes.map(\.name), key: key)
    case .other?: checkComment(key: key)
    default: break
    }
    guard let fault = cursor.fault else { return token }
    switch token {
    case .text? where key.isEmpty: break  // Text outside of entries is reported as such.
    case .start(let name, let attributes, _)? where Self.elements.contains(name):
      let key = attributes.first { $0.name == "name" }?.value ?? ""
      problems.report(fault.problem, fault.fix, key: key, at: fault.offset)
    default: problems.report(fault.problem, fault.fix, key: key, at: fault.offset, hidesRest: fault.hidesRest)
    }
    return token
  }

  /// Reports prefixes such as `xliff:` without a declaration.
  private mutating func checkPrefixes(of names: [String], key: String) {
    guard names.contains(where: { $0.utf8.contains(UInt8(ascii: ":")) }) else { return }
    for name in names where name.hasPrefix("xmlns:") { prefixes.insert(name.dropFirst(6)) }
    for name in names {
      guard let colon = name.firstIndex(of: ":"), prefixes.insert(name[..<colon]).inserted else { continue }
      let prefix = printable(String(name[..<colon]), limit: 48)
      problems.report(
        "the prefix \(quoted("\(prefix):")) is not declared",
        "add xmlns:\(prefix)=\"…\" with its address to <resources>",
        key: key,
        at: cursor.range.lowerBound
      )
    }
  }

  private mutating func checkComment(key: String) {
    let comment = cursor.bytes[cursor.range]
    guard comment.starts(with: "<!--".utf8), cursor.fault == nil else { return }
    // The hyphens of the end must be the first two together.
    let content = comment.dropFirst(4).dropLast(2)
    guard zip(content, content.dropFirst()).contains(where: { $0 == 0x2D && $1 == 0x2D }) else { return }
    problems.report("a comment contains --", "write a single hyphen", key: key, at: cursor.range.lowerBound)
  }

  mutating func read() {
    var isInside = false
    var others: [(name: String, offset: Int)] = []
    /// Whether an entry was abandoned, so that its end tag is still to come.
    var expectsEnd = false
    while let token = next(key: "") {
      let offset = cursor.range.lowerBound
      switch token {
      case .start(let name, _, let isEmpty) where !isInside:
        guard name == "resources" else {
          return problems.report(
            "<\(printable(name, limit: 48))> is not allowed here",
            "use <resources> as the root element",
            key: "",
            at: offset,
            rule: .unreadableFile
          )
        }
        isInside = !isEmpty
        if isEmpty { return }
      case .start(let name, let attributes, let isEmpty)
      where Self.elements.contains(name)
        || name == "item" && others.isEmpty
          && attributes.contains { $0.name == "type" && $0.value == "string" }:
        if let open = others.first { unclosed(open.name, key: "", at: open.offset) }
        others = []
        expectsEnd = !entry(name, attributes, isEmpty, offset)
      case .start(let name, _, false): others.append((name, offset))
      case .start: break
      case .end(let name):
        if others.last?.name == name {
          others.removeLast()
        } else if name == "resources" {
          if let open = others.first { unclosed(open.name, key: "", at: open.offset) }
          return finish()
        } else if expectsEnd {
          expectsEnd = false
        } else {
          problems.report(
            "the tag </\(printable(name, limit: 48))> has no start",
            "remove it",
            key: "",
            at: offset
          )
        }
      case .text, .characterData:
        if expectsEnd { break }
        if others.isEmpty, isInside {
          strayText()
        } else if let fault = cursor.fault {
          problems.report(fault.problem, fault.fix, key: "", at: fault.offset)
        }
      case .other: break
      }
    }
    if !isInside {
      problems.report(
        "there is no <resources>",
        "use <resources> as the root element",
        key: "",
        at: 0,
        rule: .unreadableFile
      )
    } else {
      problems.report(
        "<resources> is not closed",
        "add </resources>",
        key: "",
        at: max(0, cursor.bytes.count - 1),
        hidesRest: true
      )
    }
  }

  /// Reports what follows the root element, other than comments and white space.
  private mutating func finish() {
    while let token = next(key: "") {
      if case .other = token { continue }
      if case .text = token, cursor.bytes[cursor.range].allSatisfy({ $0 <= 0x20 }) { continue }
      return problems.report(
        "there is more after </resources>",
        "remove it, or move it before </resources>",
        key: "",
        at: cursor.range.lowerBound,
        hidesRest: true
      )
    }
  }

  private mutating func unclosed(_ name: String, key: String, at offset: Int, hidesRest: Bool = false) {
    let name = printable(name, limit: 48)
    problems.report(
      "the <\(name)> is not closed",
      "close it with </\(name)>",
      key: key,
      at: offset,
      hidesRest: hidesRest
    )
  }

  private mutating func strayText() {
    let bytes = cursor.bytes[cursor.range]
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
    else {
      return
    }
    let text = String(decoding: bytes[first...last], as: UTF8.self)
    problems.report(
      "the text \(quoted(text)) is not in <string> or <item>",
      "remove it, or make it a comment: <!-- … -->",
      key: "",
      at: first
    )
  }

  /// Reads an entry that has just started, up to its end tag.
  ///
  /// - Returns: Whether the end tag was read.
  private mutating func entry(
    _ element: String,
    _ attributes: [XMLCursor.Attribute],
    _ isEmpty: Bool,
    _ offset: Int
  ) -> Bool {
    func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    let key = attribute("name") ?? ""
    // <item type="string"> is the same as <string>.
    let isString = element == "string" || element == "item"
    if key.isEmpty, cursor.fault == nil {
      problems.report("the attribute \"name\" of <\(element)> is missing", "add it", key: "", at: offset)
    } else if !key.unicodeScalars.allSatisfy({
      $0.properties.isXIDContinue || ".-$".unicodeScalars.contains($0)
    }) {
      problems.report(
        "the name \(quoted(key)) is not an identifier",
        "use letters, digits and _",
        key: key,
        at: offset
      )
    }
    var entry = StringsFile.Entry(key: key, offset: offset)
    // A resource can have variants for products and feature flags.
    let variants = ["product", "android:featureFlag"].compactMap { name in
      attribute(name).map { " \(name) \($0)" }
    }
    entry.kind = (element == "item" ? "string" : element) + variants.joined()
    entry.isTranslatable = attribute("translatable") != "false"
    let isFormatted = entry.isTranslatable && attribute("formatted") != "false"
    if cursor.fault != nil { return false }
    let end = cursor.range.upperBound
    if isEmpty {
      if isString { add(end..<end, .init(), to: &entry, isFormatted) }
    } else if isString {
      guard let range = contents(of: element, key: key, offset) else { return false }
      add(range, .init(), to: &entry, isFormatted)
    } else if !items(of: element, &entry, offset) {
      return false
    }
    if !key.isEmpty { entries.append(entry) }
    return true
  }

  private mutating func items(
    of element: String,
    _ entry: inout StringsFile.Entry,
    _ offset: Int
  ) -> Bool {
    let key = entry.key
    while let token = next(key: key) {
      let place = cursor.range
      switch token {
      case .end(element): return true
      case .start("item", let attributes, let isEmpty):
        var role = StringsFile.Role()
        if element == "plurals" {
          role.category = attributes.first { $0.name == "quantity" }?.value
          if let category = role.category, !Self.quantities.contains(category) {
            role.category = nil
            problems.report(
              "unknown quantity \(quoted(category))",
              "use zero, one, two, few, many or other",
              key: key,
              at: place.lowerBound
            )
          } else if role.category == nil {
            problems.report(
              "the attribute \"quantity\" of <item> is missing",
              "add it, such as quantity=\"one\" or quantity=\"other\"",
              key: key,
              at: place.lowerBound
            )
          }
        } else {
          role.item = entry.texts.count
        }
        let end = place.upperBound
        guard let range = isEmpty ? end..<end : contents(of: "item", key: key, place.lowerBound) else {
          return false
        }
        // AAPT2 checks the positions only in <string>.
        add(range, role, to: &entry, false)
      case .text, .characterData:
        strayText()
      case .other: continue
      case .start, .end:
        unclosed(element, key: key, at: offset)
        cursor.move(to: place.lowerBound)
        return false
      }
    }
    unclosed(element, key: key, at: offset, hidesRest: true)
    return false
  }

  /// Reads the contents of an element that has just started; returns `nil` if it is not closed.
  private mutating func contents(of element: String, key: String, _ offset: Int) -> Range<Int>? {
    let start = cursor.range.upperBound
    var open: [String] = []
    while let token = next(key: key) {
      let place = cursor.range
      switch token {
      case .start(let name, _, let isEmpty):
        if Self.elements.contains(name) || name == "item" || name == "resources" {
          unclosed(open.last ?? element, key: key, at: offset)
          cursor.move(to: place.lowerBound)
          return nil
        }
        if !isEmpty { open.append(name) }
        if open.count > JSONCursor.maximumDepth {
          problems.report(
            "elements are nested more than \(JSONCursor.maximumDepth) deep",
            "nest them less",
            key: key,
            at: place.lowerBound
          )
          return nil
        }
      case .end(let name):
        if let last = open.last, last == name {
          open.removeLast()
        } else if open.isEmpty, name == element {
          return start..<place.lowerBound
        } else {
          let expected = printable(open.last ?? element, limit: 48)
          problems.report(
            "the <\(expected)> ends with </\(printable(name, limit: 48))>",
            "close it with </\(expected)>",
            key: key,
            at: place.lowerBound
          )
          if Self.elements.contains(name) || name == "item" || name == "resources" {
            cursor.move(to: place.lowerBound)
          }
          return nil
        }
      default: continue
      }
    }
    unclosed(element, key: key, at: offset, hidesRest: true)
    return nil
  }

  /// The maximum number of faults to report for a text: each finding has the text.
  private static let maximumFaultCount = 10

  private mutating func add(
    _ range: Range<Int>,
    _ role: StringsFile.Role,
    to entry: inout StringsFile.Entry,
    _ isFormatted: Bool
  ) {
    var text = AndroidText(cursor, range)
    text.read()
    if isFormatted { text.checkPositions() }
    entry.texts.append(.init(language: language, role: role, text: text.text, range: range))
    for (rule, fault) in text.faults.prefix(Self.maximumFaultCount) {
      problems.report(fault.problem, fault.fix, key: entry.key, at: fault.offset, rule: rule, range: range)
    }
  }
}
