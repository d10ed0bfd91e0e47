import PriceTag
import PriceTagCatalog
import PriceTagText

/// An object of a JSON file, read field by field; every failure names the line and the field.
struct JSONFields {
  let object: JSONObject

  init(_ object: JSONObject) {
    self.object = object
  }

  /// An object of a value.
  ///
  /// - Parameters:
  ///   - what: What is expected, for the error: `a product`.
  ///   - line: The line that the value stands on or behind.
  init(_ value: JSONValue, _ what: String, line: Int) throws(CatalogError) {
    guard case .object(let object) = value else {
      throw CatalogError(
        .invalidField,
        "\(value.kind) stands where \(what) is expected",
        fix: "give an object",
        place: "line \(line)"
      )
    }
    self.init(object)
  }

  /// The value of a whole file.
  static func document(_ file: CatalogFile) throws(CatalogError) -> JSONValue {
    try value(of: file.contents())
  }

  /// The value of a text.
  static func value(of bytes: [UInt8]) throws(CatalogError) -> JSONValue {
    try bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(CatalogError) in try value(of: bytes, firstLine: 1) }
    }.get()
  }

  /// The value of a part of a file that starts on a line.
  static func value(of bytes: UnsafeBufferPointer<UInt8>, firstLine: Int) throws(CatalogError) -> JSONValue {
    do throws(JSONError) { return try JSONReader.value(of: bytes) } catch {
      throw CatalogError(error, firstLine: firstLine)
    }
  }

  var line: Int { object.line }

  /// The place of the object: its line, and what it is called.
  func place(_ kind: String, _ name: String?) -> String {
    "line \(line)" + (name.map { ", \(kind) \(quoted($0))" } ?? "")
  }

  /// The line of a field, or of the object that lacks it.
  func line(of field: String) -> Int { object.members.first { $0.key == field }?.line ?? line }

  /// A failure of a field.
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

  /// What a field's value was found to be wrong with, at the field.
  func reading<Answer>(
    _ field: String,
    _ read: () throws(CatalogError) -> Answer
  ) throws(CatalogError) -> Answer {
    do throws(CatalogError) { return try read() } catch {
      throw invalid(error.problem, field, fix: error.fix, code: error.code)
    }
  }

  /// What a member's value was found to be wrong with, at the member: of an object with members of any name, which may
  /// be too many to be looked through for each.
  static func reading<Answer>(
    _ member: JSONObject.Member,
    _ read: () throws(CatalogError) -> Answer
  ) throws(CatalogError) -> Answer {
    do throws(CatalogError) { return try read() } catch {
      throw error.at("line \(member.line), field \(printable(member.key, limit: 48))")
    }
  }

  /// Refuses a field of any other name: a misspelt one would silently do nothing.
  func allow(_ fields: [String]) throws(CatalogError) {
    for member in object.members where !fields.contains(member.key) {
      throw invalid(
        "there is no field \(quoted(member.key))",
        member.key,
        fix: "remove it" + didYouMean(member.key, among: fields)
      )
    }
  }

  /// The value of a field; `nil` where it is missing or null.
  subscript(field: String) -> JSONValue? {
    if case .null? = object[field] { return nil }
    return object[field]
  }

  private func unexpected(_ value: JSONValue, _ field: String, _ expected: String) -> CatalogError {
    invalid("\(value.kind) stands where \(expected) is expected", field, fix: "give \(expected)")
  }

  /// A value that a format never leaves out.
  func required<Value>(_ value: Value?, _ field: String) throws(CatalogError) -> Value {
    guard let value else { throw invalid("the field \(quoted(field)) is missing", field, fix: "give it") }
    return value
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
    throw invalid("\(quoted(text)) has a NUL character (U+0000)", field, fix: "remove \\u0000")
  }

  func string(_ field: String) throws(CatalogError) -> String { try required(optionalString(field), field) }

  /// A string that is not empty: an empty one stands for none.
  func optionalText(_ field: String) throws(CatalogError) -> String? {
    guard let text = try optionalString(field), !text.isEmpty else { return nil }
    return text
  }

  /// A name of a tier or a group.
  func name(_ field: String) throws(CatalogError) -> String {
    let name = try string(field)
    try reading(field) { () throws(CatalogError) in try CatalogName.check(name) }
    return name
  }

  func optionalBool(_ field: String) throws(CatalogError) -> Bool? {
    switch self[field] {
    case nil: return nil
    case .bool(let bool)?: return bool
    case let other?: throw unexpected(other, field, "true or false")
    }
  }

  func optionalInteger(_ field: String, in range: ClosedRange<Int>) throws(CatalogError) -> Int? {
    switch self[field] {
    case nil: return nil
    case .number(let text)?:
      guard let number = Int(text), range.contains(number) else {
        throw invalid(
          "\(printable(text, limit: 48)) is no whole number of \(range.lowerBound) to \(range.upperBound)",
          field,
          fix: "give one"
        )
      }
      return number
    case let other?: throw unexpected(other, field, "a number")
    }
  }

  /// A decimal that is written as a string or as a number.
  func optionalDecimal(_ field: String) throws(CatalogError) -> Amount? {
    let text: String
    switch self[field] {
    case nil: return nil
    case .string(let written)?, .number(let written)?: text = written
    case let other?: throw unexpected(other, field, "an amount")
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

  func optionalFields(_ field: String) throws(CatalogError) -> JSONFields? {
    switch self[field] {
    case nil: return nil
    case .object(let object)?: return JSONFields(object)
    case let other?: throw unexpected(other, field, "an object")
    }
  }

  /// The objects of an array.
  func fields(_ field: String) throws(CatalogError) -> [JSONFields] {
    var objects: [JSONFields] = []
    for value in try array(field) {
      guard case .object(let object) = value else { throw unexpected(value, field, "an object") }
      objects.append(JSONFields(object))
    }
    return objects
  }

  func strings(_ field: String) throws(CatalogError) -> [String] {
    var strings: [String] = []
    for value in try array(field) {
      guard case .string(let text) = value else { throw unexpected(value, field, "a string") }
      try rejectNUL(in: text, field)
      strings.append(text)
    }
    return strings
  }
}

extension JSONValue {
  /// Whether it says that there is nothing of something.
  var isEmptyArray: Bool { if case .array(let values) = self { values.isEmpty } else { false } }
}
