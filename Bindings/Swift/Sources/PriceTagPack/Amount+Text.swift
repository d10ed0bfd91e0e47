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
      PriceTagError.quoted(text)
    )
  }

  /// Creates an amount from minor units, such as 499 cents with the exponent 2.
  ///
  /// - Throws: `.invalidOption` for an exponent outside 0...18.
  public init(minorUnits: Int64, exponent: Int) throws(PriceTagError) {
    guard (0...Self.maximumScale).contains(exponent) else {
      throw PriceTagError(
        .invalidOption,
        "the minor unit exponent \(exponent) is outside 0...18",
        fix: "use the currency's minor unit digits, such as 2 for USD"
      )
    }
    self.init(uncheckedCoefficient: minorUnits, scale: exponent)
  }

  /// Creates an amount from micros (millionths of a unit).
  ///
  ///     Amount(micros: 4_990_000)   // 4.990000
  public init(micros: Int64) { self.init(uncheckedCoefficient: micros, scale: 6) }

  /// Returns the amount in minor units.
  ///
  ///     try Amount(decimal: "4.99").minorUnits(exponent: 2)   // 499
  ///
  /// - Parameter exponent: The number of digits of the minor unit after the decimal point, 0 to 18.
  /// - Throws: `.needsRounding` if the amount has more decimals than that; `.amountOutOfRange`; `.invalidOption`.
  public func minorUnits(exponent: Int) throws(PriceTagError) -> Int64 {
    let exact = try rounded(toDigits: exponent, .exact)
    let (units, overflow) = exact.coefficient.multipliedReportingOverflow(
      by: powerOfTen(exponent - exact.scale)
    )
    guard !overflow else { throw PriceTagError(AmountProblem.outOfRange, description) }
    return units
  }

  /// Returns the amount rounded to a number of digits after the decimal point.
  ///
  ///     try Amount(decimal: "0.125").rounded(toDigits: 2, .halfEven)   // 0.12
  ///     try Amount(decimal: "0.125").rounded(toDigits: 2, .exact)      // throws: 0.125 needs rounding to 2 decimals; …
  ///
  /// - Parameters:
  ///   - digits: The maximum number of digits after the decimal point, 0 to 18.
  ///   - step: The rounding step in units of the last digit, 1 to 1,000,000: 5 for CHF in cash (0.05).
  ///   - mode: The rounding mode.
  /// - Throws: `.needsRounding` if the mode is `.exact` and digits would be lost; `.amountOutOfRange`; `.invalidOption`.
  public func rounded(
    toDigits digits: Int,
    step: Int = 1,
    _ mode: RoundingMode
  ) throws(PriceTagError) -> Amount {
    do throws(AmountProblem) { return try rounded(toMultipleOf: step, digits: digits, mode) } catch {
      throw PriceTagError(error, description, digits: digits)
    }
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
