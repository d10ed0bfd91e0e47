import PriceTag

/// A part of a template.
enum TemplateToken {
  case text([UInt8])
  case tag(TemplateTag)
}

/// A tag of a template.
struct TemplateTag {
  /// `#`, `^`, `/` and `>` as in the template, and a space for a value. Other characters are not supported.
  let kind: Character
  let name: String
  /// The value that the name means.
  let reference: TemplateReference
  let line: Int
}

/// The name of a value such as `name`, `words.price`, `count(products)` and `index()`.
///
/// It is a class, so that rendering a tag retains one object.
final class TemplateReference: Sendable {
  /// A part of a dotted name.
  struct Name: Sendable {
    /// The name of a value; `nil` for that of a message or a storefront.
    let value: TemplateName?
    let text: String
  }

  let names: [Name]
  /// The transforms, the innermost first.
  let transforms: [String]
  /// Whether the name starts with a dot, so that enclosing sections are not searched.
  let isImmediate: Bool
  /// The name, if the reference is only the name of a value, as most are.
  let plainName: Name?

  init(_ name: Substring) {
    var rest = name
    var transforms: [String] = []
    while let open = rest.firstIndex(of: "("), rest.last == ")" {
      transforms.append(String(rest[..<open]))
      rest = rest[rest.index(after: open)...].dropLast()
    }
    self.transforms = transforms.reversed()
    isImmediate = rest.first == "." && rest != "."
    names = rest.split(separator: ".").map { Name(value: TemplateName.byText[String($0)], text: String($0)) }
    plainName = names.count == 1 && transforms.isEmpty && !isImmediate ? names[0] : nil
  }
}

/// Reads the parts of a template: Mustache with the meaning of swift-mustache. A line with only one tag of a section, a comment
/// or a partial is removed completely, as Mustache prescribes.
///
/// The indentation of partials is removed. Indenting their output would take longer than rendering everything else.
struct TemplateReader {
  private let bytes: [UInt8]
  private let file: String
  private var position = 0
  private var line = 1
  private var tokens: [TemplateToken] = []

  private static let (newLine, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  /// Returns the parts of a template, without comments.
  ///
  /// - Throws: `.invalidTemplate` for a tag that is not closed.
  static func tokens(of text: String, _ file: String) throws(PagesError) -> [TemplateToken] {
    var reader = TemplateReader(text, file)
    try reader.read()
    return reader.tokens
  }

  private init(_ text: String, _ file: String) { (bytes, self.file) = (Array(text.utf8), file) }

  private mutating func read() throws(PagesError) {
    var startsLine = true
    // Whether the tags of the open sections are alone on their lines.
    var sections: [Bool] = []
    var space = 0..<0
    while position < bytes.count {
      if startsLine { space = skipSpace() }
      let start = position
      while position < bytes.count, bytes[position] != Self.newLine, !isTag(at: position) { position += 1 }
      let endsLine = position < bytes.count && bytes[position] == Self.newLine
      if endsLine {
        position += 1
        line += 1
      }
      if start < position {
        add(space)
        add(start..<position)
        space = 0..<0
        startsLine = endsLine
      }
      if endsLine || position >= bytes.count { continue }
      let tag = try tag()
      let isAlone = "#^/!>".contains(tag.kind) && startsLine && skipLineEnd()
      if tag.kind != "!" {
        if tag.kind == ">" ? !startsLine : !isAlone { add(space) }
        space = 0..<0
        tokens.append(.tag(tag))
      }
      startsLine = isAlone
      if tag.kind == "#" || tag.kind == "^" { sections.append(isAlone) }
      if tag.kind == "/" { startsLine = sections.popLast() ?? false }
    }
  }

  private mutating func add(_ range: Range<Int>) {
    if !range.isEmpty { tokens.append(.text(Array(bytes[range]))) }
  }

  private func isTag(at position: Int) -> Bool {
    bytes[position] == UInt8(ascii: "{") && position + 1 < bytes.count
      && bytes[position + 1] == UInt8(ascii: "{")
  }

  private mutating func skipSpace() -> Range<Int> {
    let start = position
    while position < bytes.count, [0x20, 0x09].contains(bytes[position]) { position += 1 }
    return start..<position
  }

  /// Skips the rest of a line if it is empty.
  private mutating func skipLineEnd() -> Bool {
    let start = position
    if start >= bytes.count { return true }
    _ = skipSpace()
    if position + 1 < bytes.count, bytes[position] == Self.carriageReturn, bytes[position + 1] == Self.newLine
    {
      position += 1
    }
    guard position < bytes.count, bytes[position] == Self.newLine else {
      position = start
      return false
    }
    position += 1
    line += 1
    return true
  }

  private mutating func tag() throws(PagesError) -> TemplateTag {
    let tagLine = line
    position += 2
    let isTriple = position < bytes.count && bytes[position] == UInt8(ascii: "{")
    if isTriple { position += 1 }
    let start = position
    let end = Array((isTriple ? "}}}" : "}}").utf8)
    while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
    let contents = bytes[start..<position]
    // A name contains no line break and no bracket; if one seems to, the end found belongs to another tag.
    let canContainAnything = contents.first == UInt8(ascii: "!") || contents.first == UInt8(ascii: "=")
    guard position < bytes.count,
      canContainAnything || !contents.dropFirst().contains(where: { "\n\r{}<".utf8.contains($0) })
    else {
      throw .invalidTemplate(
        "a tag is not closed",
        fix: "close it with }}",
        place: "\(file), line \(tagLine)"
      )
    }
    line += contents.count { $0 == Self.newLine }
    position += end.count
    var name = String(decoding: contents, as: UTF8.self)[...]
    var kind: Character = " "
    if !isTriple, let first = name.first, "#^/!>&<$=%*".contains(first) {
      kind = first == "&" ? " " : first
      name = name.dropFirst()
    }
    name = name.drop { $0.isWhitespace }
    if kind == ">", name.first == "*" { kind = "*" }
    while name.last?.isWhitespace == true { name = name.dropLast() }
    return TemplateTag(kind: kind, name: String(name), reference: TemplateReference(name), line: tagLine)
  }
}
