import PriceTag
import PriceTagText

/// What is wrong with a field of a JSON object.
package enum JSONFieldFault {
  case invalid, missing, unknown
}

/// A JSON object that is read field by field. Every error names the field.
package protocol JSONFieldReader<Failure> {
  associatedtype Failure: Error

  var object: JSONObject { get }

  /// Returns an error at a field.
  func error(_ fault: JSONFieldFault, _ problem: String, _ field: String, fix: String) -> Failure
}

extension JSONFieldReader {
  /// The value of a field, or `nil` if it is missing or null.
  package subscript(field: String) -> JSONValue? {
    if case .null? = object[field] { return nil }
    return object[field]
  }

  /// Throws an error for a field with any other name, so that a misspelled field is not silently ignored.
  package func allow(_ fields: [String]) throws(Failure) {
    for member in object.members where !fields.contains(member.key) {
      throw error(
        .unknown,
        "unknown field \(quoted(member.key))",
        member.key,
        fix: "remove it" + didYouMean(member.key, among: fields)
      )
    }
  }

  package func unexpected(_ value: JSONValue, _ field: String, _ expected: String) -> Failure {
    error(
      .invalid,
      "the field \(quoted(field)) must be \(expected), not \(value.kind)",
      field,
      fix: "write \(expected)"
    )
  }

  package func missing(_ field: String) -> Failure {
    error(.missing, "the field \(quoted(field)) is missing", field, fix: "add it")
  }

  /// Returns a required field's value, or throws an error if it is missing.
  package func required<Value>(_ value: Value?, _ field: String) throws(Failure) -> Value {
    guard let value else { throw missing(field) }
    return value
  }

  package func optionalBool(_ field: String) throws(Failure) -> Bool? {
    switch self[field] {
    case nil: return nil
    case .bool(let bool)?: return bool
    case let other?: throw unexpected(other, field, "true or false")
    }
  }

  package func optionalInteger(_ field: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
    switch self[field] {
    case nil: return nil
    case .number(let text)?:
      guard let number = Int(text), range.contains(number) else {
        throw error(
          .invalid,
          "\(printable(text, limit: 48)) is not an integer from \(range.lowerBound) to \(range.upperBound)",
          field,
          fix: "write a number in that range"
        )
      }
      return number
    case let other?: throw unexpected(other, field, "a number")
    }
  }
}
