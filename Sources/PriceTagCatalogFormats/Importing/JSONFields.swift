import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// A JSON object of a file, read field by field. Every error names the line and the field.
struct JSONFields: JSONFieldReader {
  let object: JSONObject

  init(_ object: JSONObject) {
    self.object = object
  }

  /// Creates the fields of a value that must be an object.
  ///
  /// - Parameters:
  ///   - what: What the value represents, for the error: `a product`.
  ///   - line: The line of the value, or the last known line before it.
  init(_ value: JSONValue, _ what: String, line: Int) throws(CatalogError) {
    guard case .object(let object) = value else {
      throw CatalogError(
        .invalidField,
        "\(what) must be an object, not \(value.kind)",
        fix: "write an object",
        place: "line \(line)"
      )
    }
    self.init(object)
  }

  /// Returns the JSON value of a file.
  static func document(_ file: CatalogFile) throws(CatalogError) -> JSONValue {
    try value(of: file.contents())
  }

  /// Returns the JSON value of UTF-8 text.
  static func value(of bytes: [UInt8]) throws(CatalogError) -> JSONValue {
    try bytes.withUnsafeBufferPointer { (bytes) throws(CatalogError) in try value(of: bytes, firstLine: 1) }
  }

  /// Returns the JSON value of a part of a file that starts on a line.
  static func value(of bytes: UnsafeBufferPointer<UInt8>, firstLine: Int) throws(CatalogError) -> JSONValue {
    do throws(JSONError) { return try JSONReader.value(of: bytes, firstLine: firstLine) } catch {
      throw CatalogError(error)
    }
  }

  var line: Int { object.line }

  /// Returns the place of the object: its line, kind and name.
  func place(_ kind: String, _ name: String?) -> String {
    "line \(line)" + (name.map { ", \(kind) \(quoted($0))" } ?? "")
  }

  /// Returns the line of a field, or the object's line if the field is missing.
  func line(of field: String) -> Int { object.members.first { $0.key == field }?.line ?? line }

  /// Returns an error at a field.
  func invalid(
    _ problem: String,
    _ field: String,
    fix: String,
    code: CatalogError.Code = .invalidField
  ) -> CatalogError {
    CatalogError(
      code,
      problem,
      fix: fix,
      place: "line \(self.line(of: field)), field \(printable(field, limit: 48))"
    )
  }

  /// Returns an error at a field with data that a catalog cannot represent.
  func notRepresentable(_ problem: String, _ field: String, fix: String) -> CatalogError {
    invalid(problem, field, fix: fix, code: .notRepresentable)
  }

  /// Returns the result of a closure that reads a field. Errors are rethrown with the field as their place.
  func reading<Answer>(
    _ field: String,
    _ read: () throws(CatalogError) -> Answer
  ) throws(CatalogError) -> Answer {
    do throws(CatalogError) { return try read() } catch {
      throw invalid(error.problem, field, fix: error.fix, code: error.code)
    }
  }

  /// Returns the result of a closure that reads a member. Errors are rethrown with the member as their place.
  ///
  /// For objects with arbitrary keys: a linear search for the field's line would take quadratic time.
  static func reading<Answer>(
    _ member: JSONObject.Member,
    _ read: () throws(CatalogError) -> Answer
  ) throws(CatalogError) -> Answer {
    do throws(CatalogError) { return try read() } catch {
      throw error.at("line \(member.line), field \(printable(member.key, limit: 48))")
    }
  }

  func error(_ fault: JSONFieldFault, _ problem: String, _ field: String, fix: String) -> CatalogError {
    invalid(problem, field, fix: fix)
  }

  private func unexpectedEntry(_ value: JSONValue, _ field: String, _ expected: String) -> CatalogError {
    invalid(
      "an entry of the field \(quoted(field)) must be \(expected), not \(value.kind)",
      field,
      fix: "write \(expected)"
    )
  }

  func optionalString(_ field: String) throws(CatalogError) -> String? {
    switch self[field] {
    case nil: return nil
    case .string(let text)?:
      try rejectNUL(in: text, field)
      return text
    case let other?: throw unexpected(other, field, "a string")
    }
  }

  private func rejectNUL(in text: String, _ field: String) throws(CatalogError) {
    guard text.utf8.contains(0) else { return }
    throw invalid("\(quoted(text)) contains a NUL character (U+0000)", field, fix: "remove \\u0000")
  }

  func string(_ field: String) throws(CatalogError) -> String { try required(optionalString(field), field) }

  /// Returns a string, or `nil` if it is missing or empty.
  func optionalText(_ field: String) throws(CatalogError) -> String? {
    guard let text = try optionalString(field), !text.isEmpty else { return nil }
    return text
  }

  /// Returns what a closure reads from a string. Errors are rethrown with the field as their place.
  func optionalValue<Value>(
    _ field: String,
    _ read: (String) throws(CatalogError) -> Value
  ) throws(CatalogError) -> Value? {
    guard let text = try optionalString(field) else { return nil }
    return try reading(field) { () throws(CatalogError) in try read(text) }
  }

  func value<Value>(
    _ field: String,
    _ read: (String) throws(CatalogError) -> Value
  ) throws(CatalogError) -> Value {
    try required(optionalValue(field, read), field)
  }

  /// Returns the case that a string names.
  func optionalCase<Value>(
    _ field: String
  ) throws(CatalogError) -> Value? where Value: CaseIterable & RawRepresentable<String> {
    try optionalValue(field) { (text) throws(CatalogError) in try Value.named(text, field) }
  }

  /// Returns the name of a tier or a group.
  func name(_ field: String) throws(CatalogError) -> String { try value(field, CatalogName.check) }

  /// Returns a decimal amount that is written as a string or as a number.
  func optionalDecimal(_ field: String) throws(CatalogError) -> Amount? {
    let text: String
    switch self[field] {
    case nil: return nil
    case .string(let written)?, .number(let written)?: text = written
    case let other?: throw unexpected(other, field, "a number or a string")
    }
    do throws(PriceTagError) { return try Amount(decimal: text) } catch {
      throw invalid(error.problem, field, fix: error.fix, code: .malformedAmount)
    }
  }

  func array(_ field: String) throws(CatalogError) -> [JSONValue] {
    switch self[field] {
    case nil: return []
    case .array(let values)?: return values
    case let other?: throw unexpected(other, field, "an array")
    }
  }

  /// Returns the values of an array, or the value of a field that has another type; a missing field has none.
  func values(_ field: String) -> [JSONValue] {
    switch self[field] {
    case nil: []
    case .array(let values)?: values
    case let value?: [value]
    }
  }

  func optionalFields(_ field: String) throws(CatalogError) -> JSONFields? {
    switch self[field] {
    case nil: return nil
    case .object(let object)?: return JSONFields(object)
    case let other?: throw unexpected(other, field, "an object")
    }
  }

  /// Returns the objects of an array.
  func fields(_ field: String) throws(CatalogError) -> [JSONFields] {
    var objects: [JSONFields] = []
    for value in try array(field) {
      guard case .object(let object) = value else { throw unexpectedEntry(value, field, "an object") }
      objects.append(JSONFields(object))
    }
    return objects
  }

  func strings(_ field: String) throws(CatalogError) -> [String] {
    var strings: [String] = []
    for value in try array(field) {
      guard case .string(let text) = value else { throw unexpectedEntry(value, field, "a string") }
      try rejectNUL(in: text, field)
      strings.append(text)
    }
    return strings
  }
}

extension JSONValue {
  /// Whether the value is an empty array.
  var isEmptyArray: Bool { if case .array(let values) = self { values.isEmpty } else { false } }
}
