import PriceTagText

extension Amount {
  /// Creates an amount from decimal text: ASCII digits with an optional sign and an optional fraction.
  ///
  ///     try Amount(decimal: "-1234.50")   // -1234.50
  ///     try Amount(decimal: "1,234.50")   // throws: "1,234.50" is not a decimal amount
  ///     try Amount(decimal: "1e3")        // throws: "1e3" is not a decimal amount
  ///
  /// Exponents, group separators, spaces and the digits of other scripts are not allowed. A decimal point needs a digit
  /// before and after it. Zeros at the end of a fraction are stored if they fit 18 digits, and dropped otherwise.
  ///
  /// - Parameter text: The text. Only its first 65 bytes are read, so a long text costs no more than a short one.
  /// - Throws: `.malformedAmount`; `.amountOutOfRange` if the digits do not fit.
  public init(decimal text: String) throws(PriceTagError) {
    // A native string is contiguous. Of any other string, only the part that is read is copied.
    let read = text.utf8.withContiguousStorageIfAvailable { Amount(decimalUTF8: $0) }
    let start = read == nil ? Array(text.utf8.prefix(Self.maximumTextLength + 1)) : []
    guard let amount = read ?? start.withUnsafeBufferPointer({ Amount(decimalUTF8: $0) }) else {
      throw Self.error(for: text)
    }
    self = amount
  }

  /// Returns the error for a text that is not an amount.
  private static func error(for text: String) -> PriceTagError {
    let fix = "write ASCII digits with an optional sign and fraction, such as 1234.50"
    if text.isEmpty { return PriceTagError(.malformedAmount, "the amount is empty", fix: fix) }
    let bytes = Array(text.utf8.prefix(maximumTextLength + 1))
    let isOutOfRange = bytes.withUnsafeBufferPointer { problem(inDecimalUTF8: $0) } == .outOfRange
    if bytes.count > maximumTextLength {
      return PriceTagError(
        isOutOfRange ? .amountOutOfRange : .malformedAmount,
        "\(quoted(text)) is longer than \(maximumTextLength) bytes",
        fix: fix
      )
    }
    if isOutOfRange { return .outOfRange(quoted(text)) }
    if let other = text.unicodeScalars.first(where: { !$0.isASCII && $0.properties.numericType == .decimal })
    {
      return PriceTagError(
        .malformedAmount,
        "\(quoted(text)) contains \(escaped(other)), which is not an ASCII digit",
        fix: fix
      )
    }
    return PriceTagError(.malformedAmount, "\(quoted(text)) is not a decimal amount", fix: fix)
  }
}

extension Amount: CustomStringConvertible {
  /// The amount as decimal text with all digits of its scale: `-1234.50`.
  public var description: String {
    // A text of at most 15 bytes needs no memory of its own.
    let isShort = coefficient.magnitude < 1_000_000_000_000 && scale < 13
    return String(unsafeUninitializedCapacity: isShort ? 15 : 24) { buffer in
      buffer.baseAddress.map { writeDecimal(to: $0) } ?? 0
    }
  }
}

extension Amount: Codable {
  /// Decodes decimal text, such as `"4.99"`. A number is an error, because a decoder does not pass on its characters.
  public init(from decoder: any Decoder) throws {
    let instruction = #"write decimal text, such as "4.99", because a decoder may not read a number exactly"#
    self = try decoder.valueFromText(instruction) { text throws(PriceTagError) in try Amount(decimal: text) }
  }

  /// Encodes the amount as decimal text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(description)
  }
}

extension Amount: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// Creates an integer amount from a literal: `let price: Amount = 5`.
  public init(integerLiteral value: Int64) {
    self.init(uncheckedCoefficient: value, scale: 0)
  }

  /// Creates an amount from a literal: `let price: Amount = "4.99"`.
  ///
  /// An invalid literal is a programming error and stops the program, like an array index out of range. For text from
  /// any other source, use ``init(decimal:)``, which throws.
  public init(stringLiteral value: StaticString) {
    guard let amount = try? Amount(decimal: value.description) else {
      preconditionFailure("the literal \"\(value)\" is not a decimal amount")
    }
    self = amount
  }
}
