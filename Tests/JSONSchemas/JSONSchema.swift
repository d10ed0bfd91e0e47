import Foundation
import PriceTag
import PriceTagText
import Testing

/// Validates values with a JSON Schema (draft 2020-12) or with the schemas of an OpenAPI document.
///
/// Supports only the keywords that this project uses. An unknown keyword is recorded as a test failure.
package struct JSONSchema {
  private let root: JSONObject

  package init(_ text: [UInt8]) throws {
    let value = try text.withUnsafeBufferPointer { try JSONReader.value(of: $0) }
    guard case .object(let object) = value else { throw CocoaError(.fileReadCorruptFile) }
    root = object
  }

  /// Returns the schema of a definition, or the root schema.
  package func definition(_ name: String?) -> JSONObject {
    guard let name else { return root }
    var definitions = root["$defs"]
    if definitions == nil, case .object(let components)? = root["components"] {
      definitions = components["schemas"]
    }
    guard case .object(let definitions)? = definitions, case .object(let found)? = definitions[name] else {
      Issue.record("unknown definition \(name)")
      return JSONObject(members: [])
    }
    return found
  }

  /// Returns the property names of a definition, or of the root schema.
  package func properties(of name: String?) -> [String] {
    guard case .object(let properties)? = definition(name)["properties"] else { return [] }
    return properties.members.map(\.key)
  }

  /// Returns whether a value is valid for a definition, or for the root schema.
  package func allows(_ value: JSONValue, as name: String? = nil) -> Bool {
    allows(value, by: definition(name))
  }

  package func allows(_ value: JSONValue, by schema: JSONValue) -> Bool {
    switch schema {
    case .bool(let isAllowed): isAllowed
    case .object(let schema): allows(value, by: schema)
    default: false
    }
  }

  private func allows(_ value: JSONValue, by schema: JSONObject) -> Bool {
    schema.members.allSatisfy { keyword, argument, _ in
      switch (keyword, argument) {
      case ("$schema", _), ("title", _), ("description", _), ("$defs", _), ("then", _), ("else", _): true
      // Annotations. In draft 2020-12, `format` is an annotation, too.
      case ("examples", _), ("default", _), ("format", _), ("x-enumDescriptions", _): true
      case ("$ref", .string(let path)): allows(value, as: path.split(separator: "/").last.map(String.init))
      case ("type", .string(let type)): isOf(type, value)
      case ("type", .array(let types)):
        types.contains { if case .string(let type) = $0 { isOf(type, value) } else { false } }
      case ("const", _): isSame(value, argument)
      case ("enum", .array(let values)): values.contains { isSame(value, $0) }
      case ("anyOf", .array(let schemas)): schemas.contains { allows(value, by: $0) }
      case ("oneOf", .array(let schemas)): schemas.count { allows(value, by: $0) } == 1
      case ("minItems", .number(let count)): items(of: value).map { $0.count >= Int(count) ?? 0 } ?? true
      case ("maxItems", .number(let count)): items(of: value).map { $0.count <= Int(count) ?? 0 } ?? true
      case ("uniqueItems", _):
        items(of: value).map { items in
          items.indices.allSatisfy { index in !items[..<index].contains { isSame($0, items[index]) } }
        } ?? true
      case ("if", _):
        (allows(value, by: argument) ? schema["then"] : schema["else"]).map { allows(value, by: $0) } ?? true
      case ("properties", .object(let properties)):
        members(of: value).allSatisfy { member in
          properties[member.key].map { allows(member.value, by: $0) } ?? true
        }
      case ("additionalProperties", _):
        additional(to: schema, in: value).allSatisfy { allows($0, by: argument) }
      case ("propertyNames", _): members(of: value).allSatisfy { allows(.string($0.key), by: argument) }
      case ("required", .array(let names)):
        names.allSatisfy { name in
          guard case .object(let object) = value, case .string(let name) = name else { return true }
          return object[name] != nil
        }
      case ("items", _):
        if case .array(let values) = value { values.allSatisfy { allows($0, by: argument) } } else { true }
      case ("pattern", .string(let pattern)):
        text(value).map { $0.range(of: pattern, options: .regularExpression) != nil } ?? true
      case ("minLength", .number(let count)):
        text(value).map { $0.unicodeScalars.count >= Int(count) ?? 0 } ?? true
      case ("maxLength", .number(let count)):
        text(value).map { $0.unicodeScalars.count <= Int(count) ?? 0 } ?? true
      case ("minimum", .number(let bound)): number(value).map { $0 >= Decimal(string: bound) ?? 0 } ?? true
      case ("maximum", .number(let bound)): number(value).map { $0 <= Decimal(string: bound) ?? 0 } ?? true
      default: unknown(keyword)
      }
    }
  }

  private func unknown(_ keyword: String) -> Bool {
    Issue.record("unknown keyword \(keyword)")
    return false
  }

  private func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("null", .null), ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
      ("number", .number):
      true
    case ("integer", .number(let text)): Int(text) != nil
    default: false
    }
  }

  private func isSame(_ first: JSONValue, _ second: JSONValue) -> Bool {
    switch (first, second) {
    case (.string(let first), .string(let second)): first == second
    case (.null, .null): true
    case (.bool(let first), .bool(let second)): first == second
    case (.number(let first), .number(let second)): Decimal(string: first) == Decimal(string: second)
    default: false
    }
  }

  private func items(of value: JSONValue) -> [JSONValue]? {
    if case .array(let values) = value { values } else { nil }
  }

  private func members(of value: JSONValue) -> [JSONObject.Member] {
    if case .object(let object) = value { object.members } else { [] }
  }

  private func additional(to schema: JSONObject, in value: JSONValue) -> [JSONValue] {
    var known: Set<String> = []
    if case .object(let properties)? = schema["properties"] { known = Set(properties.members.map(\.key)) }
    return members(of: value).filter { !known.contains($0.key) }.map(\.value)
  }

  private func text(_ value: JSONValue) -> String? { if case .string(let text) = value { text } else { nil } }

  private func number(_ value: JSONValue) -> Decimal? {
    if case .number(let text) = value { Decimal(string: text) } else { nil }
  }
}
