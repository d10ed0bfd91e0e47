extension Amount {
  /// Creates an amount from minor units, such as cents.
  ///
  ///     let dollar = try Currency("USD")
  ///     try Amount(minorUnits: 499, exponent: dollar.minorUnitDigits ?? 0)               // 4.99
  ///     try Amount(minorUnits: 499, exponent: dollar.minorUnitDigits(for: "stripe"))     // 4.99
  ///
  /// Payment providers define the exponent: use ``Currency/minorUnitDigits`` for ISO 4217, or
  /// ``Currency/minorUnitDigits(for:)`` for a provider. Never use the number of displayed digits.
  ///
  /// - Parameters:
  ///   - minorUnits: The number of minor units.
  ///   - exponent: The number of digits of the minor unit after the decimal point, 0 to 18.
  /// - Throws: `.invalidOption` if the exponent is outside 0...18.
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

  /// Creates an amount from micros (millionths of a unit), the unit of Google Play's prices.
  ///
  ///     Amount(micros: 4_990_000)   // 4.990000
  public init(micros: Int64) {
    self.init(uncheckedCoefficient: micros, scale: 6)
  }

  /// Creates an amount from units and nanos, the fields of `google.type.Money`.
  ///
  ///     try Amount(units: 1, nanos: 750_000_000)   // 1.75
  ///
  /// - Parameters:
  ///   - units: The integer part.
  ///   - nanos: Billionths of a unit, -999999999 to 999999999, with the same sign as `units` or zero.
  /// - Throws: `.malformedAmount` if the signs differ or `nanos` is out of range; `.amountOutOfRange`.
  public init(units: Int64, nanos: Int32) throws(PriceTagError) {
    guard (-999_999_999...999_999_999).contains(nanos) else {
      throw PriceTagError(
        .malformedAmount,
        "nanos \(nanos) is outside -999999999...999999999",
        fix: "move complete units into units"
      )
    }
    guard units == 0 || nanos == 0 || (units < 0) == (nanos < 0) else {
      throw PriceTagError(
        .malformedAmount,
        "units \(units) and nanos \(nanos) have different signs",
        fix: "use the amount's sign for both, as in google.type.Money"
      )
    }
    let fraction = Amount(uncheckedCoefficient: Int64(nanos), scale: 9).normalized
    let (scaled, overflow) = units.multipliedReportingOverflow(by: powerOfTen(fraction.scale))
    let (sum, carry) = scaled.addingReportingOverflow(fraction.coefficient)
    guard !overflow, !carry else { throw .outOfRange("\(units) units and \(nanos) nanos") }
    self.init(uncheckedCoefficient: sum, scale: fraction.scale)
  }

  /// Returns the amount in minor units.
  ///
  ///     try Amount(decimal: "4.99").minorUnits(exponent: 2)   // 499
  ///
  /// - Parameter exponent: The number of digits of the minor unit after the decimal point, 0 to 18.
  /// - Throws: `.needsRounding` if the amount has more decimals than that; `.amountOutOfRange`.
  public func minorUnits(exponent: Int) throws(PriceTagError) -> Int64 {
    let rounded: Amount
    do throws(PriceTagError) {
      rounded = try self.rounded(toDigits: exponent, .exact)
    } catch {
      guard error.code == .needsRounding else { throw error }
      throw PriceTagError(
        .needsRounding,
        "\(self) has more decimals than the minor unit (\(exponent))",
        fix: "round it first, for example with rounded(toDigits: \(exponent), .halfEven)"
      )
    }
    let (units, overflow) = rounded.coefficient.multipliedReportingOverflow(
      by: powerOfTen(exponent - rounded.scale)
    )
    guard !overflow else { throw .outOfRange(description) }
    return units
  }
}

extension Amount: Comparable, Hashable {
  /// Returns whether two amounts have the same value. Their scales may differ.
  public static func == (first: Amount, second: Amount) -> Bool {
    first.scale == second.scale
      ? first.coefficient == second.coefficient
      : first.aligned(with: second) { $0 == $1 }
  }

  /// Returns whether the first value is below the second. Their scales may differ.
  public static func < (first: Amount, second: Amount) -> Bool {
    first.aligned(with: second) { $0 < $1 }
  }

  /// Hashes the value, not the scale.
  public func hash(into hasher: inout Hasher) {
    let normalized = normalized
    hasher.combine(normalized.coefficient)
    hasher.combine(normalized.scale)
  }

  /// Calls a function with both coefficients at the larger scale. 19 digits and 18 zeros fit 128 bits.
  func aligned<Answer>(with other: Amount, _ body: (Int128, Int128) -> Answer) -> Answer {
    let larger = max(scale, other.scale)
    return body(
      Int128(coefficient) * Int128(powerOfTen(larger - scale)),
      Int128(other.coefficient) * Int128(powerOfTen(larger - other.scale))
    )
  }
}

extension PriceTagError {
  static func outOfRange(_ amount: String) -> PriceTagError {
    PriceTagError(
      .amountOutOfRange,
      "\(amount) is out of range",
      fix: "use at most 18 significant digits, of which at most 18 are after the decimal point"
    )
  }

  static func needsRounding(_ amount: Amount, _ digits: Int, _ step: Int) -> PriceTagError {
    let unit = Amount(uncheckedCoefficient: Int64(step), scale: digits)
    return PriceTagError(
      .needsRounding,
      "\(amount) is not a multiple of \(unit)",
      fix: "name a rounding mode such as half-even to allow rounding, or use more digits"
    )
  }
}
