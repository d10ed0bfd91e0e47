import CXML
import PriceTag
import PriceTagSystem
import PriceTagText

/// An attribute of an element.
package struct XMLAttribute: Hashable, Sendable {
  package let name: String
  package let value: String
}

/// The codes of a module that reads XML.
package protocol XMLErrorCode: RawRepresentable<String>, Hashable, Sendable {
  static var malformedFile: Self { get }
}

extension CodedError where Code: XMLErrorCode {
  /// Returns the error for a malformed document.
  package static func malformedXML(
    _ problem: String,
    line: Int,
    key: String? = nil,
    fix: String = "correct the XML"
  ) -> Self {
    let key = key.map { ", key \(quoted($0))" } ?? ""
    return Self(.malformedFile, problem, fix: fix, place: "line \(line)\(key)")
  }
}

/// An event of an XML document.
package enum XMLEvent {
  case start(name: String, attributes: [XMLAttribute], isEmpty: Bool)
  case end(name: String)
  case text(String)
  /// The contents of `<![CDATA[…]]>`.
  case characterData(String)
  case comment(String)
  /// The contents of `<?…?>`.
  case instruction(String)

  /// The kind of event, for error messages.
  package var kind: String {
    switch self {
    case .start(let name, _, _): "<\(printable(name, limit: 48))>"
    case .end(let name): "</\(printable(name, limit: 48))>"
    case .text, .characterData: "text"
    case .comment: "a comment"
    case .instruction: "a processing instruction"
    }
  }
}

/// Reads an XML document event by event, with line numbers. Loads no external files and rejects entity declarations.
/// Throws errors of the module that reads the document.
package final class XMLReader<Code: XMLErrorCode> {
  private let document: OpaquePointer
  /// The line of the last event, from 1.
  package private(set) var line = 1

  /// Parses a UTF-8 document.
  package init(_ bytes: [UInt8]) throws(CodedError<Code>) {
    try XMLMarkup<Code>.check(bytes)
    var error = CXMLError()
    let opened = bytes.withUnsafeBufferPointer { bytes in
      Int32(exactly: bytes.count).flatMap { cxml_open(bytes.baseAddress, $0, &error) }
    }
    guard let opened else {
      throw .malformedXML(
        "the XML is not well-formed (\(printable(PriceTagSystem.text(of: error.message))))",
        line: max(1, Int(error.line))
      )
    }
    document = opened
  }

  deinit { cxml_close(document) }

  /// Returns the next event, or `nil` after the last one.
  package func next() throws(CodedError<Code>) -> XMLEvent? {
    let event = cxml_next(document)
    let line = Int(cxml_line(document))
    // If the event has no line, the previous event's line is the best approximation.
    if line > 0 { self.line = line }
    switch event {
    case CXMLEventElementStart:
      return .start(name: name, attributes: attributes(), isEmpty: cxml_is_empty(document))
    case CXMLEventElementEnd: return .end(name: name)
    case CXMLEventText: return .text(String(cString: cxml_text(document)))
    case CXMLEventCharacterData: return .characterData(String(cString: cxml_text(document)))
    case CXMLEventComment: return .comment(String(cString: cxml_text(document)))
    case CXMLEventInstruction:
      let inside = String(cString: cxml_text(document))
      return .instruction(inside.isEmpty ? name : "\(name) \(inside)")
    case CXMLEventEntity:
      throw .malformedXML(
        "unknown entity &\(printable(name, limit: 48));",
        line: self.line,
        fix: "write the character itself"
      )
    default: return nil
    }
  }

  /// Returns the text of the element that has just started and moves past its end. Child elements are errors.
  package func textToEnd() throws(CodedError<Code>) -> String {
    var text = ""
    while let event = try next() {
      switch event {
      case .text(let part), .characterData(let part): text += part
      case .comment: continue
      case .end: return text
      case .start, .instruction:
        throw .malformedXML("\(event.kind) is not allowed inside text", line: line, fix: "remove it")
      }
    }
    return text
  }

  private var name: String { qualified(cxml_prefix(document), cxml_name(document)) }

  private func qualified(_ prefix: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?) -> String {
    let name = name.map { String(cString: $0) } ?? ""
    return prefix.map { String(cString: $0) + ":" + name } ?? name
  }

  private func attributes() -> [XMLAttribute] {
    var attributes: [XMLAttribute] = []
    var attribute = CXMLAttribute()
    while cxml_next_attribute(document, &attribute) {
      let value = attribute.value.map { String(cString: $0) } ?? ""
      cxml_free(attribute.value)
      attributes.append(.init(name: qualified(attribute.prefix, attribute.name), value: value))
    }
    return attributes
  }
}

/// A scan of a document, before it is parsed, for constructs that the parser handles too slowly or unsafely.
private struct XMLMarkup<Code: XMLErrorCode> {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0
  private var line = 1
  private var depth = 0

  /// Rejects a tag of more than 64 KB or 64 attributes (the parser compares every pair of attributes), elements nested
  /// more than 64 deep, and a document type with declarations.
  static func check(_ bytes: [UInt8]) throws(CodedError<Code>) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(CodedError<Code>) in
      var markup = XMLMarkup(bytes: bytes)
      try markup.check()
    }
  }

  private mutating func check() throws(CodedError<Code>) {
    while at < bytes.count {
      if bytes[at] != UInt8(ascii: "<") { step() } else { try markup() }
    }
  }

  private mutating func step() {
    if bytes[at] == 0x0A { line += 1 }
    at += 1
  }

  private func isAt(_ word: StaticString) -> Bool {
    word.withUTF8Buffer {
      $0.count <= bytes.count - at && $0.indices.allSatisfy { bytes[at + $0] == word.utf8Start[$0] }
    }
  }

  private mutating func skip(_ opening: Int, to closing: StaticString) {
    at += opening
    while at < bytes.count {
      if isAt(closing) {
        at += closing.utf8CodeUnitCount
        return
      }
      step()
    }
  }

  private mutating func markup() throws(CodedError<Code>) {
    if isAt("<!--") { return skip(4, to: "-->") }
    if isAt("<![CDATA[") { return skip(9, to: "]]>") }
    if isAt("<?") { return skip(2, to: "?>") }
    let isDocumentType = isAt("<!")
    let isEnd = isAt("</")
    let (start, startLine) = (at, line)
    var quote: UInt8?
    var attributes = 0
    var last: UInt8 = 0
    while at < bytes.count {
      let byte = bytes[at]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        break
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "=") {
        attributes += 1
      } else if byte == UInt8(ascii: "["), isDocumentType {
        throw .malformedXML(
          "the document type declares entities or elements",
          line: line,
          fix: "remove everything from [ to ], and write the characters themselves"
        )
      }
      last = byte
      step()
    }
    guard at - start <= 64 << 10, attributes <= 64 else {
      throw .malformedXML(
        "a tag has more than 64 KB or 64 attributes",
        line: startLine,
        fix: "write shorter tags with fewer attributes"
      )
    }
    if isDocumentType || last == UInt8(ascii: "/") { return }
    depth += isEnd ? -1 : 1
    guard depth <= 64 else {
      throw .malformedXML("elements are nested more than 64 deep", line: startLine, fix: "nest them less")
    }
  }
}
