import PriceTag
import PriceTagText

/// Reads XML tag by tag, with the range of each, and continues after an error.
struct XMLCursor {
  enum Token {
    case start(name: String, attributes: [Attribute], isEmpty: Bool)
    case end(name: String)
    case text
    case characterData
    case other
  }

  struct Attribute {
    let name: String
    let value: String
  }

  /// What is not well-formed in the last token.
  struct Fault: Error {
    let offset: Int
    let problem: String
    let fix: String
    /// Whether the rest of the file is inside a section that is not closed.
    var hidesRest = false
  }

  let bytes: [UInt8]
  private(set) var at: Int
  private let end: Int
  /// The range of the last token; for character data, without its delimiters.
  private(set) var range = 0..<0
  private(set) var fault: Fault?
  let entities: Entities
  /// Whether a document type may follow: before the root element.
  private var acceptsDocumentType: Bool

  /// The entities that the document type declares.
  final class Entities {
    fileprivate(set) var texts: [String: String] = [:]
    fileprivate var declarationCount = 0
    /// The number of bytes that may still be written in place of entities. A small file can contain much text.
    fileprivate var remainingByteCount: Int
    fileprivate var isExceeded: Bool { remainingByteCount < 0 }

    fileprivate init(byteCount: Int) { remainingByteCount = byteCount + 1 << 20 }
  }

  /// The maximum size of a tag, and the maximum number of its attributes.
  private static let maximumTagByteCount = 64 << 10, maximumAttributeCount = 64

  init(_ bytes: [UInt8], in range: Range<Int>? = nil, entities: Entities? = nil) {
    self.bytes = bytes
    at = range?.lowerBound ?? (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    end = range?.upperBound ?? bytes.count
    self.entities = entities ?? Entities(byteCount: bytes.count)
    acceptsDocumentType = range == nil
  }

  private func byte(_ index: Int) -> UInt8 { index < end ? bytes[index] : 0 }

  private func isAt(_ index: Int, _ word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      index + word.count <= end && word.indices.allSatisfy { bytes[index + $0] == word[$0] }
    }
  }

  private func find(_ word: StaticString, from start: Int) -> Int? {
    var index = start
    while index < end {
      if bytes[index] == word.utf8Start[0], isAt(index, word) { return index }
      index += 1
    }
    return nil
  }

  /// Moves back to an offset, so that the token there is read again.
  mutating func move(to offset: Int) { at = offset }

  mutating func next() -> Token? {
    fault = nil
    guard at < end else { return nil }
    guard bytes[at] == UInt8(ascii: "<") else { return text() }
    if isAt(at, "<!--") { return section("comment", 4, "-->", .other) }
    if isAt(at, "<![CDATA[") {
      return section("CDATA section", 9, "]]>", .characterData)
    }
    if isAt(at, "<?") {
      let isMisplaced = isAt(at, "<?xml ") && at > (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
      let offset = at
      let token = section("instruction", 2, "?>", .other)
      if isMisplaced, fault == nil {
        fault = Fault(
          offset: offset,
          problem: "<?xml is not at the start of the file",
          fix: "remove what is before it"
        )
      }
      return token
    }
    guard isMarkup(at) else { return text() }
    if byte(at + 1) == UInt8(ascii: "!") { return documentType() }
    acceptsDocumentType = false
    return byte(at + 1) == UInt8(ascii: "/") ? endTag() : startTag()
  }

  /// Reads text up to the next tag. A `<` that does not start one is part of the text, and a fault.
  private mutating func text() -> Token {
    let start = at
    while at < end, !isMarkup(at) {
      if bytes[at] == UInt8(ascii: "<"), fault == nil {
        fault = Fault(offset: at, problem: "a < is not part of a tag", fix: "write &lt;")
      }
      at += 1
    }
    range = start..<at
    return .text
  }

  private func isMarkup(_ index: Int) -> Bool {
    guard bytes[index] == UInt8(ascii: "<") else { return false }
    let next = byte(index + 1)
    if next == UInt8(ascii: "!") {
      return isAt(index, "<!--") || isAt(index, "<![CDATA[")
        || acceptsDocumentType && isAt(index, "<!DOCTYPE")
    }
    return next == UInt8(ascii: "?")
      || Self.isNameStart(next == UInt8(ascii: "/") ? byte(index + 2) : next)
  }

  private mutating func section(_ name: String, _ opening: Int, _ closing: StaticString, _ token: Token)
    -> Token
  {
    guard let found = find(closing, from: at + opening) else {
      fault = Fault(
        offset: at,
        problem: "the \(name) is not closed",
        fix: "close it with \(closing)",
        hidesRest: true
      )
      range = at..<end
      at = end
      return .other
    }
    let past = found + closing.utf8CodeUnitCount
    if case .characterData = token { range = at + opening..<found } else { range = at..<past }
    at = past
    return token
  }

  static func isNameStart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || "_:".utf8.contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }

  private mutating func name() -> String {
    let start = at
    while at < end, bytes[at] > 0x20, !"/>=<\"'".utf8.contains(bytes[at]) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func skipSpace() {
    while at < end, bytes[at] <= 0x20 { at += 1 }
  }

  private mutating func endTag() -> Token {
    let start = at
    at += 2
    let name = name()
    skipSpace()
    if byte(at) == UInt8(ascii: ">") {
      at += 1
    } else {
      fault = Fault(
        offset: start,
        problem: "the tag </\(printable(name, limit: 48))> is not closed",
        fix: "add >"
      )
    }
    range = start..<at
    return .end(name: name)
  }

  private mutating func startTag() -> Token {
    let start = at
    at += 1
    let name = name()
    var attributes: [Attribute] = []
    var isEmpty = false
    func fail(_ problem: String, _ fix: String) {
      if fault == nil { fault = Fault(offset: start, problem: problem, fix: fix) }
    }
    while true {
      skipSpace()
      guard at < end, bytes[at] != UInt8(ascii: "<"), at - start <= Self.maximumTagByteCount,
        attributes.count <= Self.maximumAttributeCount
      else {
        if at < end, bytes[at] != UInt8(ascii: "<") {
          fail("a tag has more than 64 KB or 64 attributes", "write shorter tags with fewer attributes")
        } else {
          fail(
            "the tag <\(printable(name, limit: 48))> is not closed",
            "add >, and close each attribute with \""
          )
        }
        while at < end, bytes[at] != UInt8(ascii: "<") { at += 1 }
        break
      }
      if bytes[at] == UInt8(ascii: ">") {
        at += 1
        break
      }
      if bytes[at] == UInt8(ascii: "/") {
        at += 1
        isEmpty = byte(at) == UInt8(ascii: ">")
        continue
      }
      let attribute = self.name()
      skipSpace()
      let quote = byte(at) == UInt8(ascii: "=") ? valueQuote() : nil
      guard !attribute.isEmpty, let quote else {
        fail(
          "an attribute of <\(printable(name, limit: 48))> has no value in quotation marks",
          "write name=\"value\""
        )
        at += at < end && bytes[at] != UInt8(ascii: "<") && bytes[at] != UInt8(ascii: ">") ? 1 : 0
        continue
      }
      let valueStart = at + 1
      at = valueStart
      while at < end, bytes[at] != quote, bytes[at] != UInt8(ascii: "<") { at += 1 }
      if byte(at) != quote {
        // The name of a tag that is not closed is still known.
        let value = bytes[valueStart..<at].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        attributes.append(.init(name: attribute, value: String(decoding: value, as: UTF8.self)))
        continue
      }
      if attributes.contains(where: { $0.name == attribute }) {
        fail("the attribute \(quoted(attribute)) appears twice", "remove one")
      }
      var value = ""
      if let wrong = decode(valueStart..<at, { text, _ in value += text }), fault == nil { fault = wrong }
      attributes.append(.init(name: attribute, value: value))
      at += 1
      if at < end, bytes[at] > 0x20, !"/><".utf8.contains(bytes[at]) {
        fail("there is no space after the attribute \(quoted(attribute))", "add one")
      }
    }
    range = start..<at
    return .start(name: name, attributes: attributes, isEmpty: isEmpty)
  }

  /// Moves to the quotation mark of an attribute's value, from the equals sign.
  private mutating func valueQuote() -> UInt8? {
    at += 1
    skipSpace()
    return byte(at) == UInt8(ascii: "\"") || byte(at) == UInt8(ascii: "'") ? bytes[at] : nil
  }

  /// Reads a document type, and the entities that it declares. Their values contain no other entities.
  private mutating func documentType() -> Token {
    let start = at
    var (quote, depth): (UInt8?, Int) = (nil, 0)
    while at < end {
      let byte = bytes[at]
      if let open = quote {
        if byte == open { quote = nil }
      } else if isAt(at, "<!--") {
        at = find("-->", from: at + 4).map { $0 + 2 } ?? end - 1
      } else if isAt(at, "<!ENTITY"), entities.declarationCount < 1000 {
        declareEntity(at + 8)
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        depth += 1
      } else if byte == UInt8(ascii: "]") {
        depth -= 1
      } else if byte == UInt8(ascii: ">"), depth <= 0 {
        at += 1
        break
      }
      at += 1
    }
    at = min(at, end)
    range = start..<at
    return .other
  }

  private mutating func declareEntity(_ start: Int) {
    entities.declarationCount += 1
    var cursor = XMLCursor(bytes, in: start..<min(end, start + 2000))
    cursor.skipSpace()
    let name = cursor.name()
    cursor.skipSpace()
    let quote = cursor.byte(cursor.at)
    guard !name.isEmpty, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let close = bytes[(cursor.at + 1)..<cursor.end].firstIndex(of: quote)
    else { return }
    entities.texts[name] = String(decoding: bytes[(cursor.at + 1)..<close], as: UTF8.self)
  }

  /// Passes on the text of a range, piece by piece with their offsets, with its entities resolved.
  ///
  /// - Returns: The first entity that is unknown, or an ampersand without one.
  func decode(_ range: Range<Int>, _ body: (_ text: String, _ offset: Int) -> Void) -> Fault? {
    var start = range.lowerBound
    var fault: Fault?
    while let ampersand = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "&")) {
      body(String(decoding: bytes[start..<ampersand], as: UTF8.self), start)
      start = ampersand
      let nameBytes = bytes[(ampersand + 1)..<range.upperBound].prefix(64).prefix {
        $0 != UInt8(ascii: ";") && $0 > 0x20
      }
      let name = String(decoding: nameBytes, as: UTF8.self)
      let isClosed = nameBytes.endIndex < range.upperBound && bytes[nameBytes.endIndex] == UInt8(ascii: ";")
      let wasExceeded = entities.isExceeded
      if isClosed, let text = entity(name) {
        body(text, ampersand)
        start = nameBytes.endIndex + 1
        continue
      }
      let isDeclared = isClosed && entities.texts[name] != nil
      if isDeclared, fault == nil, !wasExceeded {
        fault = Fault(
          offset: ampersand,
          problem: "the entities have more than 1 MB of text in all, and the others are not read",
          fix: "write the text in place of the entities"
        )
      } else if !isDeclared, fault == nil {
        fault =
          isClosed && !name.isEmpty
          ? Fault(
            offset: ampersand,
            problem: "unknown entity \(quoted("&\(name);"))",
            fix: "write the character, or &amp; for an ampersand"
          )
          : Fault(offset: ampersand, problem: "an ampersand is not part of an entity", fix: "write &amp;")
      }
      body("&", ampersand)
      start += 1
    }
    body(String(decoding: bytes[start..<range.upperBound], as: UTF8.self), start)
    return fault
  }

  private func entity(_ name: String) -> String? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    if let declared = entities.texts[name] {
      entities.remainingByteCount -= declared.utf8.count
      return entities.isExceeded ? nil : declared
    }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return value.flatMap(Unicode.Scalar.init).flatMap { $0 == "\0" ? nil : String($0) }
  }
}
