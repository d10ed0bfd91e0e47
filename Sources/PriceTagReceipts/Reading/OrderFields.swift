import PriceTag
import PriceTagText

/// The members of a JSON object of an order. Every error has the JSON pointer of the field.
struct OrderFields {
  let object: JSONObject
  /// The JSON pointer of the object; empty for the order.
  let pointer: String

  init(_ value: JSONValue, at pointer: String) throws(ReceiptError) {
    guard case .object(let object) = value else {
      throw ReceiptError(
        .invalidField,
        "expected an object, not \(value.kind)",
        fix: "write an object",
        place: pointer
      )
    }
    (self.object, self.pointer) = (object, pointer)
  }

  func pointer(to field: String) -> String {
    "\(pointer)/\(printable(field.replacing("~", with: "~0").replacing("/", with: "~1"), limit: 48))"
  }

  func error(_ code: ReceiptErrorCode, _ problem: String, _ field: String, fix: String) -> ReceiptError {
    ReceiptError(code, problem, fix: fix, place: pointer(to: field))
  }

  /// Throws an error for a field with any other name.
  func allow(_ fields: [String]) throws(ReceiptError) {
    for member in object.members where !fields.contains(member.key) {
      throw error(
        .unknownField,
        "unknown field \(quoted(member.key))",
        member.key,
        fix: "remove it" + didYouMean(member.key, among: fields)
      )
    }
  }

  /// The value of a field; `nil` if it is missing or null.
  subscript(field: String) -> JSONValue? {
    if case .null? = object[field] { return nil }
    return object[field]
  }

  func missing(_ field: String) -> ReceiptError {
    error(.missingField, "the field \(quoted(field)) is missing", field, fix: "add it")
  }

  private func unexpected(_ value: JSONValue, _ field: String, _ expected: String) -> ReceiptError {
    error(
      .invalidField,
      "the field \(quoted(field)) must be \(expected), not \(value.kind)",
      field,
      fix: "write \(expected)"
    )
  }

  func optionalText(_ field: String) throws(ReceiptError) -> String? {
    switch self[field] {
    case nil: return nil
    case .string(let text)?: return text
    case let other?: throw unexpected(other, field, "a string")
    }
  }

  func text(_ field: String) throws(ReceiptError) -> String {
    guard let text = try optionalText(field) else { throw missing(field) }
    return text
  }

  /// Returns a text that the receipt shows: one line without control characters.
  func optionalShownText(_ field: String) throws(ReceiptError) -> String? {
    guard let text = try optionalText(field) else { return nil }
    try OrderText.check(text, at: pointer(to: field))
    return text
  }

  func optionalFlag(_ field: String) throws(ReceiptError) -> Bool? {
    switch self[field] {
    case nil: return nil
    case .bool(let flag)?: return flag
    case let other?: throw unexpected(other, field, "true or false")
    }
  }

  func optionalInteger(_ field: String, in range: ClosedRange<Int>) throws(ReceiptError) -> Int? {
    switch self[field] {
    case nil: return nil
    case .number(let text)?:
      guard let number = Int(text), range.contains(number) else {
        throw error(
          .invalidField,
          "\(printable(text, limit: 48)) is not an integer from \(range.lowerBound) to \(range.upperBound)",
          field,
          fix: "write a number in that range"
        )
      }
      return number
    case let other?: throw unexpected(other, field, "a number")
    }
  }

  func integer(_ field: String, in range: ClosedRange<Int>) throws(ReceiptError) -> Int {
    guard let number = try optionalInteger(field, in: range) else { throw missing(field) }
    return number
  }

  /// Returns a decimal amount, which is written as a string or as a number.
  func optionalAmount(_ field: String) throws(ReceiptError) -> Amount? {
    switch self[field] {
    case nil: return nil
    case .string(let text)?, .number(let text)?:
      return try reading(pointer(to: field)) { () throws(PriceTagError) in try Amount(decimal: text) }
    case let other?: throw unexpected(other, field, "an amount such as \"4.99\"")
    }
  }

  func amount(_ field: String) throws(ReceiptError) -> Amount {
    guard let amount = try optionalAmount(field) else { throw missing(field) }
    return amount
  }

  /// Returns an amount that is written as an integer of smaller units.
  func optionalAmount(_ field: String, decimals: Int) throws(ReceiptError) -> Amount? {
    let limit = 999_999_999_999_999
    guard let units = try optionalInteger(field, in: -limit...limit) else { return nil }
    return try reading(pointer(to: field)) { () throws(PriceTagError) in
      try Amount(minorUnits: Int64(units), exponent: decimals)
    }
  }

  func optionalObject(_ field: String) throws(ReceiptError) -> OrderFields? {
    guard let value = self[field] else { return nil }
    return try OrderFields(value, at: pointer(to: field))
  }

  /// Returns the objects of an array; `nil` if the field is missing.
  func optionalObjects(_ field: String, maximumCount: Int) throws(ReceiptError) -> [OrderFields]? {
    guard let value = self[field] else { return nil }
    guard case .array(let values) = value else { throw unexpected(value, field, "an array") }
    guard values.count <= maximumCount else {
      throw error(
        .tooLarge,
        "\(quoted(field)) has \(values.count) entries, more than \(maximumCount)",
        field,
        fix: "split the order"
      )
    }
    var objects: [OrderFields] = []
    for (index, value) in values.enumerated() {
      objects.append(try OrderFields(value, at: "\(pointer(to: field))/\(index)"))
    }
    return objects
  }

  /// Returns the case of an enumeration.
  func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
    _ field: String,
    of: Choice.Type
  ) throws(ReceiptError) -> Choice? {
    guard let text = try optionalText(field) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    throw error(
      .invalidField,
      "unknown \(field) \(quoted(text))",
      field,
      fix: didYouMean(
        closestMatch(to: text, among: names),
        otherwise: "use one of \(names.joined(separator: ", "))"
      )
    )
  }
}

/// Rules for the texts of an order.
enum OrderText {
  /// Checks a text that a receipt shows on one line.
  static func check(_ text: String, at pointer: String) throws(ReceiptError) {
    guard !text.isEmpty else {
      throw ReceiptError(
        .invalidField,
        "the text is empty",
        fix: "write a text, or remove the field",
        place: pointer
      )
    }
    guard text.utf8.count <= OrderLimits.textByteCount else {
      throw ReceiptError(
        .tooLarge,
        "the text has \(text.utf8.count) bytes, more than \(OrderLimits.textByteCount)",
        fix: "shorten it",
        place: pointer
      )
    }
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        throw ReceiptError(
          .invalidField,
          "\(quoted(text)) contains the control character \(escaped(scalar))",
          fix: "remove the character",
          place: pointer
        )
      default: continue
      }
    }
  }
}
