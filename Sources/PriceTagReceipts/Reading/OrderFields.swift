import PriceTag
import PriceTagCatalog
import PriceTagText

/// The members of a JSON object of an order. Every error has the JSON pointer of the field.
struct OrderFields: JSONFieldReader {
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

  func error(_ fault: JSONFieldFault, _ problem: String, _ field: String, fix: String) -> ReceiptError {
    let code: ReceiptErrorCode =
      switch fault {
      case .invalid: .invalidField
      case .missing: .missingField
      case .unknown: .unknownField
      }
    return error(code, problem, field, fix: fix)
  }

  func optionalText(_ field: String) throws(ReceiptError) -> String? {
    switch self[field] {
    case nil: return nil
    case .string(let text)?: return text
    case let other?: throw unexpected(other, field, "a string")
    }
  }

  func text(_ field: String) throws(ReceiptError) -> String { try required(optionalText(field), field) }

  /// Returns a text that the receipt shows: one line without control characters.
  func optionalShownText(_ field: String) throws(ReceiptError) -> String? {
    guard let text = try optionalText(field) else { return nil }
    try Self.check(text, at: pointer(to: field))
    return text
  }

  func integer(_ field: String, in range: ClosedRange<Int>) throws(ReceiptError) -> Int {
    try required(optionalInteger(field, in: range), field)
  }

  /// Returns the date that a storefront has at a time since 1970, in whole or parts of a second.
  func date(_ field: String, in store: Storefront, perSecond: Int = 1) throws(ReceiptError) -> CalendarDate {
    let time = try integer(field, in: 0...253_402_214_400 * perSecond - 1)
    return try reading(pointer(to: field)) { () throws(PriceTagError) in
      try store.date(at: Instant(secondsSince1970: time / perSecond))
    }
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

  func amount(_ field: String) throws(ReceiptError) -> Amount { try required(optionalAmount(field), field) }

  func amount(_ field: String, decimals: Int) throws(ReceiptError) -> Amount {
    try required(optionalAmount(field, decimals: decimals), field)
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
      fix: didYouMean(text, orOneOf: names)
    )
  }

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
