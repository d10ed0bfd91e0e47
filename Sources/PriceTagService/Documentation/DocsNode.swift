import PriceTag

/// A place in the document, for reading it without asking at every step what it is.
struct DocsNode {
  let value: JSONValue

  subscript(name: String) -> DocsNode? {
    guard case .object(let object) = value else { return nil }
    return object[name].map(DocsNode.init)
  }

  /// What a string says; of anything else, nothing.
  var text: String? {
    guard case .string(let text) = value else { return nil }
    return text
  }

  var isTrue: Bool {
    guard case .bool(let isTrue) = value else { return false }
    return isTrue
  }

  /// Of an array, its values; of anything else, none.
  var items: [DocsNode] {
    guard case .array(let values) = value else { return [] }
    return values.map(DocsNode.init)
  }

  /// Of an object, its members in order; of anything else, none.
  var members: [(key: String, node: DocsNode)] {
    guard case .object(let object) = value else { return [] }
    return object.members.map { ($0.key, DocsNode(value: $0.value)) }
  }

  /// The last step of a reference: `Price` of `#/components/schemas/Price`.
  var referenceName: String? {
    self["$ref"]?.text.flatMap { $0.split(separator: "/").last.map(String.init) }
  }

  /// Where a reference within the document leads to.
  func target(of reference: String) -> DocsNode? {
    var node: DocsNode? = self
    for step in reference.split(separator: "/").dropFirst() { node = node?[String(step)] }
    return node
  }

  /// As JSON for people: what is short on one line, the rest a line each; what cannot be seen is escaped.
  func json(indent: Int = 0, label: Int = 0) -> String {
    let flat = flatJSON
    let children: [String]
    let pad = String(repeating: " ", count: indent + 2)
    switch value {
    case .object where !members.isEmpty:
      children = members.map { member in
        let key = Self.quoted(member.key)
        return "\(pad)\(key): \(member.node.json(indent: indent + 2, label: key.count + 2))"
      }
    case .array where !items.isEmpty: children = items.map { pad + $0.json(indent: indent + 2) }
    default: return flat
    }
    if depth <= 2, indent + label + flat.unicodeScalars.count <= Self.lineLength { return flat }
    let (open, close) = if case .object = value { ("{", "}") } else { ("[", "]") }
    return "\(open)\n\(children.joined(separator: ",\n"))\n\(String(repeating: " ", count: indent))\(close)"
  }

  private static let lineLength = 88

  private var depth: Int {
    switch value {
    case .object: 1 + (members.map(\.node.depth).max() ?? 0)
    case .array: 1 + (items.map(\.depth).max() ?? 0)
    default: 0
    }
  }

  private var flatJSON: String {
    switch value {
    case .null: "null"
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .number(let text): text
    case .string(let text): Self.quoted(text)
    case .array: "[\(items.map(\.flatJSON).joined(separator: ", "))]"
    case .object: "{\(members.map { "\(Self.quoted($0.key)): \($0.node.flatJSON)" }.joined(separator: ", "))}"
    }
  }

  /// A JSON string in which marks of direction and odd spaces can be seen.
  private static func quoted(_ text: String) -> String { visible(PriceTag.json(text)) }

  /// A text with what cannot be seen as `\u200F`.
  static func visible(_ text: String) -> String {
    var visible = ""
    for scalar in text.unicodeScalars {
      let isInvisible =
        switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator: true
        case .spaceSeparator: scalar != " "
        default: false
        }
      // All that prices have are in the first plane; another one stays as it is.
      guard isInvisible, scalar.value <= 0xFFFF else {
        visible.unicodeScalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      visible += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return visible
  }
}

/// A description as HTML: code between backticks, and bold between pairs of asterisks.
///
/// - Parameter isSchema: Whether a code is the name of a schema, which it then leads to.
func docsProse(_ text: String, isSchema: (String) -> Bool) -> String {
  var html = ""
  for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
    guard index.isMultiple(of: 2) else {
      let code = escapedForHTML(String(part))
      html += isSchema(String(part)) ? "<a href=\"#schema-\(code)\">\(code)</a>" : "<code>\(code)</code>"
      continue
    }
    html += escapedForHTML(String(part))
  }
  // Pairs are looked for afterwards: bold text may have code in it.
  var prose = ""
  var isBold = false
  var rest = Substring(html)
  while let mark = docsMark(in: rest) {
    prose += rest[..<mark.lowerBound]
    prose += isBold ? "</strong>" : "<strong>"
    isBold.toggle()
    rest = rest[mark.upperBound...]
  }
  return prose + rest + (isBold ? "</strong>" : "")
}

/// The next two asterisks.
private func docsMark(in text: Substring) -> Range<Substring.Index>? {
  var index = text.startIndex
  while index < text.endIndex {
    let next = text.index(after: index)
    if text[index] == "*", next < text.endIndex, text[next] == "*" { return index..<text.index(after: next) }
    index = next
  }
  return nil
}
