import PriceTag
import PriceTagCatalog
import PriceTagText
import PriceTagXML

extension ListValue {
  /// Creates a value from an XML property list. Foundation's decoder reports no lines, and overflows a small stack at
  /// about 600 levels of nesting.
  ///
  /// - Throws: `.malformedFile`, with the line.
  init(propertyList bytes: [UInt8]) throws(CatalogError) {
    self = try PropertyListReader(reader: CatalogXMLReader(bytes)).document()
  }
}

extension CatalogErrorCode: XMLErrorCode {}

typealias CatalogXMLReader = XMLReader<CatalogErrorCode>

/// Reads the elements of a property list, whose depth the XML reader limits.
private struct PropertyListReader {
  let reader: CatalogXMLReader

  func document() throws(CatalogError) -> ListValue {
    guard case .start("plist", _, _)? = try next() else {
      throw malformed("the document is not a property list", fix: "write <plist><array>…</array></plist>")
    }
    guard case .start(let name, _, _)? = try next() else {
      throw malformed("the property list is empty", fix: "add an <array> of <string> elements")
    }
    let value = try value(name)
    if case .start(let name, _, _)? = try next() {
      throw malformed("<plist> contains more than one value", fix: "remove \(tag(name))")
    }
    return value
  }

  /// Returns the value of the element that has just started.
  private func value(_ name: String) throws(CatalogError) -> ListValue {
    let line = reader.line
    let content: ListValue.Content
    switch name {
    case "string": content = .string(try reader.textToEnd())
    case "array": content = .array(try array())
    case "dict": content = .object(try dictionary())
    case "integer", "real": content = .number(try reader.textToEnd())
    case "true", "false", "date", "data":
      _ = try reader.textToEnd()
      content = .other(tag(name))
    default: throw malformed("\(tag(name)) is not a property list value", fix: "write a <string>")
    }
    return ListValue(content: content, line: line)
  }

  private func array() throws(CatalogError) -> [ListValue] {
    var values: [ListValue] = []
    while case .start(let name, _, _)? = try next() { values.append(try value(name)) }
    return values
  }

  private func dictionary() throws(CatalogError) -> [ListValue.Member] {
    var members: [ListValue.Member] = []
    var keys: Set<String> = []
    while case .start(let name, _, _)? = try next() {
      guard name == "key" else {
        throw malformed(
          "\(tag(name)) has no <key>",
          fix: "add a <key> before each value"
        )
      }
      let line = reader.line
      let key = try reader.textToEnd()
      guard keys.insert(key).inserted else {
        throw malformed("the key \(quoted(key)) appears twice", fix: "remove one")
      }
      guard case .start(let name, _, _)? = try next() else {
        // The end of an element has the line of its start, so the line of the key is used.
        throw malformed(
          "the key \(quoted(key)) has no value",
          fix: "add a value after each <key>",
          line: line
        )
      }
      members.append((key, try value(name)))
    }
    return members
  }

  /// Returns the next element, or the end of the current one.
  private func next() throws(CatalogError) -> XMLEvent? {
    while true {
      let event = try reader.next()
      switch event {
      case .comment, .instruction: continue
      case .text(let text) where text.utf8.allSatisfy({ $0 <= 0x20 }): continue
      case .text, .characterData:
        throw malformed("text is not allowed outside a value", fix: "write it in a <string>")
      case .start, .end, nil: return event
      }
    }
  }

  private func tag(_ name: String) -> String { "<\(printable(name, limit: 48))>" }

  private func malformed(_ problem: String, fix: String, line: Int? = nil) -> CatalogError {
    .malformedXML(problem, line: line ?? reader.line, fix: fix)
  }
}
