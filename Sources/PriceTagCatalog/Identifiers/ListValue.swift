import PriceTag
import PriceTagText

/// A value of a list of identifiers, whether a property list's or JSON's: as much of it as such a list needs.
package struct ListValue {
  package enum Content {
    case string(String)
    case array([ListValue])
    case object([Member])
    /// A number as it is written.
    case number(String)
    case null
    /// Anything else, by what errors call it.
    case other(String)
  }

  package typealias Member = (key: String, value: ListValue)

  package let content: Content
  /// The line that it stands on, where that is known.
  package let line: Int?

  package init(content: Content, line: Int?) { (self.content, self.line) = (content, line) }

  /// What it is, for errors.
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

  /// An object's member; `nil` where there is none, or it is null.
  subscript(key: String) -> ListValue? {
    guard case .object(let members) = content,
      let value = members.first(where: { $0.key == key })?.value
    else { return nil }
    if case .null = value.content { return nil }
    return value
  }
}

extension ListValue {
  /// A value of JSON; no more than 32 deep, as its reader has it.
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
