extension Amount: Hashable, CustomStringConvertible {
  /// Creates an amount from decimal text: ASCII digits with an optional sign and an optional fraction.
  ///
  ///     try Amount(decimal: "-1234.50")   // -1234.50
  ///     try Amount(decimal: "1,234.50")   // throws: "1,234.50" is not a decimal amount
  ///
  /// - Throws: `.malformedAmount`; `.amountOutOfRange`.
  public init(decimal text: String) throws(PriceTagError) {
    var bytes = Array(text.utf8.prefix(Self.maximumTextLength + 1))
    let amount = bytes.withUnsafeMutableBufferPointer { Amount(decimalUTF8: UnsafeBufferPointer($0)) }
    if let amount {
      self = amount
      return
    }
    throw PriceTagError(
      bytes.withUnsafeBufferPointer { Self.problem(inDecimalUTF8: $0) },
      text.debugDescription
    )
  }

  /// Creates an amount from minor units, such as 499 cents with the exponent 2.
  ///
  /// - Throws: `.amountOutOfRange` for an exponent outside 0...18.
  public init(minorUnits: Int64, exponent: Int) throws(PriceTagError) {
    guard (0...Self.maximumScale).contains(exponent) else {
      throw PriceTagError(.outOfRange, "the exponent \(exponent)")
    }
    self.init(uncheckedCoefficient: minorUnits, scale: exponent)
  }

  /// The amount as decimal text with all digits of its scale: `-1234.50`.
  public var description: String {
    let digits = String(coefficient.magnitude)
    let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
    return (isNegative ? "-" : "") + padded.dropLast(scale) + (scale > 0 ? "." + padded.suffix(scale) : "")
  }

  /// Returns whether two amounts have the same value: 4.9 equals 4.90.
  public static func == (first: Amount, second: Amount) -> Bool { first.isEqual(to: second) }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(normalized.coefficient)
    hasher.combine(normalized.scale)
  }
}
