/// An exact decimal amount of money, without a currency.
///
/// Create an amount from decimal text, from minor units such as cents, or from a literal:
///
///     let price = try Amount(decimal: "4.99")                // 4.99
///     let cents = try Amount(minorUnits: 499, exponent: 2)   // 4.99
///     let literal: Amount = "4.99"                           // 4.99
///     price == cents                                         // true
///     try price * 3                                          // 14.97
///     try price.rounded(toDigits: 1, .halfEven)              // 5.0
///
/// An amount is an integer coefficient and a scale: `4.99` is 499 with 2 digits after the decimal point. It holds every
/// number of up to 18 significant digits exactly (and of 19 digits up to 9,223,372,036,854,775,807). Binary floating
/// point is not involved, and no initializer takes a `Double`.
///
/// Amounts with the same value are equal, whatever their scale: `4.9` equals `4.90`. An amount keeps its scale, so it is
/// printed as it was read. Negative zero does not exist.
///
/// Arithmetic is exact or throws. Rounding is decided in ``rounded(toDigits:step:_:)``.
public struct Amount: Sendable {
  /// All digits, as an integer: 499 for `4.99`.
  public let coefficient: Int64
  /// The number of digits after the decimal point, 0 to 18: 2 for `4.99`.
  public let scale: Int

  /// The maximum number of digits after the decimal point.
  public static let maximumScale = 18

  /// The amount 0.
  public static let zero = Amount(uncheckedCoefficient: 0, scale: 0)

  /// Creates an amount without a check. The caller guarantees a scale in `0...maximumScale`.
  @inline(__always)
  init(uncheckedCoefficient coefficient: Int64, scale: Int) {
    self.coefficient = coefficient
    self.scale = scale
  }

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
    let (scaled, overflow) = units.multipliedReportingOverflow(by: powersOfTen[fraction.scale])
    let (sum, carry) = scaled.addingReportingOverflow(fraction.coefficient)
    guard !overflow, !carry else { throw .outOfRange("\(units) units and \(nanos) nanos") }
    self.init(uncheckedCoefficient: sum, scale: fraction.scale)
  }

  /// A Boolean value that indicates whether the amount is below zero.
  public var isNegative: Bool { coefficient < 0 }

  /// A Boolean value that indicates whether the amount is zero.
  public var isZero: Bool { coefficient == 0 }

  /// The amount without zeros at the end of its fraction: 4.90 becomes 4.9, 5.00 becomes 5.
  public var normalized: Amount {
    var coefficient = coefficient
    var scale = scale
    while scale > 0, coefficient.isMultiple(of: 10) {
      coefficient /= 10
      scale -= 1
    }
    return Amount(uncheckedCoefficient: coefficient, scale: scale)
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
      by: powersOfTen[exponent - rounded.scale]
    )
    guard !overflow else { throw .outOfRange(description) }
    return units
  }

  /// Returns the amount rounded to a number of digits after the decimal point.
  ///
  /// All rounding of amounts happens here. Formatters, minor units and the command all call this function. It rounds only
  /// in a mode that the caller names. With `.exact`, the default of ``PriceStyle``, an amount that would change is an
  /// error. (Prices per period are divided and rounded in one step, by the same rules of ``RoundingMode``.)
  ///
  ///     let amount = try Amount(decimal: "0.125")
  ///     try amount.rounded(toDigits: 2, .halfEven)   // 0.12
  ///     try amount.rounded(toDigits: 2, .halfUp)     // 0.13
  ///     try amount.rounded(toDigits: 2, .exact)      // throws: 0.125 is not a multiple of 0.01
  ///
  /// An amount with no more digits than requested is returned unchanged, with its own scale.
  ///
  /// - Parameters:
  ///   - digits: The maximum number of digits after the decimal point, 0 to 18.
  ///   - step: The rounding step in units of the last digit, 1 to 1,000,000: 5 for CHF in cash (0.05).
  ///   - mode: The rounding mode.
  /// - Throws: `.needsRounding` if the mode is `.exact` and digits would be lost; `.amountOutOfRange`;
  ///   `.invalidOption` if the digits or the step are out of range.
  public func rounded(toDigits digits: Int, step: Int = 1, _ mode: RoundingMode) throws(PriceTagError)
    -> Amount
  {
    if scale <= digits, step == 1, digits <= Self.maximumScale { return self }
    guard (0...Self.maximumScale).contains(digits), (1...1_000_000).contains(step) else {
      throw PriceTagError(
        .invalidOption,
        "cannot round to \(digits) digits in steps of \(step)",
        fix: "use 0 to 18 digits and a step of 1 to 1000000"
      )
    }
    // Both sides as integers, in units of the finer of the two digits.
    let finer = max(scale, digits)
    let dividend = Int128(coefficient) * Int128(powersOfTen[finer - scale])
    let divisor = Int128(powersOfTen[finer - digits]) * Int128(step)
    guard let quotient = mode.quotient(dividend, by: divisor) else {
      throw .needsRounding(self, digits, step)
    }
    return try Amount(exactly: quotient * Int128(step), scale: digits)
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
      Int128(coefficient) * Int128(powersOfTen[larger - scale]),
      Int128(other.coefficient) * Int128(powersOfTen[larger - other.scale])
    )
  }
}

/// The powers of ten from 10⁰ to 10¹⁸.
let powersOfTen: [Int64] = [
  1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
  100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
  10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
]

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
