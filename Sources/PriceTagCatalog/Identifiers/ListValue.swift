import PriceTag
import PriceTagText

/// A JSON or property list value, reduced to what a list of product identifiers needs.
package struct ListValue {
  package enum Content {
    case string(String)
    case array([ListValue])
    case object([Member])
    /// A number, as written in the file.
    case number(String)
    case null
    /// Any other value, by the name that errors use for its kind.
    case other(String)
  }

  package typealias Member = (key: String, value: ListValue)

  package let content: Content
  /// The line of the value, if known.
  package let line: Int?

  package init(content: Content, line: Int?) { (self.content, self.line) = (content, line) }

  /// The kind of the value, for errors.
  var kind: String {
    switch content {
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    case .number(let text): "the number \(printable(text, limit: 48))"
    case .null: "null"
    case .other(let kind): kind
    }
  }

  /// Returns a member of an object, or `nil` if it is missing or null.
  subscript(key: String) -> ListValue? {
    guard case .object(let members) = content,
      let value = members.first(where: { $0.key == key })?.value
    else { return nil }
    if case .null = value.content { return nil }
    return value
  }
}

extension ListValue {
  /// Creates a value from JSON. `JSONReader` limits the depth to 32.
  init(_ value: JSONValue) {
    switch value {
    case .string(let text): self.init(content: .string(text), line: nil)
    case .array(let values): self.init(content: .array(values.map(ListValue.init)), line: nil)
    case .object(let object):
      self.init(content: .object(object.members.map { ($0.key, ListValue($0.value)) }), line: object.line)
    case .number(let text): self.init(content: .number(text), line: nil)
    case .null: self.init(content: .null, line: nil)
    case .bool: self.init(content: .other(value.kind), line: nil)
    }
  }
}
