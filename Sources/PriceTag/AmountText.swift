import PriceTagText

extension Amount {
  /// The maximum length of an amount's text, in bytes.
  static let maximumTextLength = 64

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

  /// Creates an amount from decimal text in UTF-8; returns `nil` if the text is not an amount. Allocates no memory.
  @inline(__always)
  package init?(decimalUTF8 text: UnsafeBufferPointer<UInt8>) {
    guard let start = text.baseAddress, text.count <= Self.maximumTextLength else { return nil }
    self.init(decimalUTF8: start, end: start + text.count)
  }

  private init?(decimalUTF8 start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    var at = start
    guard at < end else { return nil }
    let isNegative = at.pointee == UInt8(ascii: "-")
    if isNegative || at.pointee == UInt8(ascii: "+") { at += 1 }
    // The maximum last digit after 922337203685477580. The negative range is larger by one.
    let lastDigit: UInt8 = isNegative ? 8 : 7
    var magnitude: UInt64 = 0
    let integerStart = at
    while at < end {
      let digit = at.pointee &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      guard
        magnitude < 922_337_203_685_477_580 || (magnitude == 922_337_203_685_477_580 && digit <= lastDigit)
      else {
        return nil
      }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      at += 1
    }
    guard at > integerStart else { return nil }
    var scale = 0
    if at < end {
      guard at.pointee == UInt8(ascii: ".") else { return nil }
      at += 1
      guard at < end else { return nil }
      while at < end {
        let digit = at.pointee &- UInt8(ascii: "0")
        guard digit <= 9 else { return nil }
        if scale < Self.maximumScale,
          magnitude < 922_337_203_685_477_580 || (magnitude == 922_337_203_685_477_580 && digit <= lastDigit)
        {
          magnitude = magnitude &* 10 &+ UInt64(digit)
          scale += 1
        } else {
          // Only zeros may follow. They do not change the value.
          while at < end {
            guard at.pointee == UInt8(ascii: "0") else { return nil }
            at += 1
          }
          break
        }
        at += 1
      }
    }
    let value = Int64(bitPattern: magnitude)
    self.init(uncheckedCoefficient: isNegative ? 0 &- value : value, scale: scale)
  }

  /// Returns the error for a text that is not an amount.
  private static func error(for text: String) -> PriceTagError {
    let fix = "write ASCII digits with an optional sign and fraction, such as 1234.50"
    if text.isEmpty { return PriceTagError(.malformedAmount, "the amount is empty", fix: fix) }
    let bytes = text.utf8.prefix(maximumTextLength + 1)
    let isDecimal = bytes.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B }
    if bytes.count > maximumTextLength {
      return PriceTagError(
        isDecimal ? .amountOutOfRange : .malformedAmount,
        "\(quoted(text)) is longer than \(maximumTextLength) bytes",
        fix: fix
      )
    }
    let digits = bytes.drop { $0 == 0x2D || $0 == 0x2B }
    let parts = digits.split(separator: 0x2E, omittingEmptySubsequences: false)
    let isWellFormed =
      bytes.count - digits.count <= 1 && parts.count <= 2
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }
    if isWellFormed { return .outOfRange(quoted(text)) }
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

  /// Writes the amount as decimal text, such as `-1234.50`, and returns the number of bytes, at most 21.
  @inline(__always)
  package func writeDecimal(to bytes: UnsafeMutablePointer<UInt8>) -> Int {
    var digits = coefficient.magnitude
    var count = 0
    // Written backward, with at least one digit before the point.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { reversed in
      var length = 0
      repeat {
        if length == scale, scale > 0 {
          reversed[length] = UInt8(ascii: ".")
          length += 1
        }
        reversed[length] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits % 10)
        digits /= 10
        length += 1
      } while digits > 0 || length <= scale + (scale > 0 ? 1 : 0)
      if isNegative {
        reversed[length] = UInt8(ascii: "-")
        length += 1
      }
      for index in 0..<length { bytes[index] = reversed[length - 1 - index] }
      count = length
    }
    return count
  }
}

extension Amount: CustomStringConvertible {
  /// The amount as decimal text with all digits of its scale: `-1234.50`.
  public var description: String {
    String(unsafeUninitializedCapacity: 24) { buffer in
      buffer.baseAddress.map { writeDecimal(to: $0) } ?? 0
    }
  }
}

extension Amount: Codable {
  /// Decodes decimal text, such as `"4.99"`. A number is an error, since decoders read numbers as binary fractions.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText { text throws(PriceTagError) in try Amount(decimal: text) }
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
