/// An exact decimal amount of money, without a currency.
///
/// An amount is a whole coefficient and a scale of 0 to 18 digits after the decimal point: `4.99` is 499 at scale
/// 2. Every amount of up to 18 significant digits (and 19, up to 9,223,372,036,854,775,807) is held exactly.
/// No binary floating point is ever involved, and no initializer takes a `Double`.
///
///     let price = try Amount(decimal: "4.99")     // 4.99
///     let cents = try Amount(minorUnits: 499, exponent: 2)   // 4.99
///     price == cents                              // true
///     try price * 3                               // 14.97
///
/// Amounts of the same value are equal, whatever their scale: `4.9` equals `4.90`. The scale is kept, so that
/// an amount is written again as it was read. There is no negative zero.
public struct Amount: Sendable {
  /// The digits, as a whole number.
  public let coefficient: Int64
  /// How many of the digits stand after the decimal point: 0 to 18.
  public let scale: Int

  /// The most digits that an amount has after the decimal point.
  public static let maximumScale = 18

  /// Nothing.
  public static let zero = Amount(uncheckedCoefficient: 0, scale: 0)

  /// For callers that have proven `0...maximumScale`.
  @inline(__always)
  init(uncheckedCoefficient coefficient: Int64, scale: Int) {
    self.coefficient = coefficient
    self.scale = scale
  }

  /// An amount from minor units: 499 with the exponent 2 gives 4.99.
  ///
  /// How many minor units a currency has is the payment provider's to say: `Currency.minorUnitDigits` for ISO
  /// 4217, `Currency.minorUnitDigits(for:)` for a provider. Displayed digits are never the answer.
  ///
  /// - Parameters:
  ///   - minorUnits: How many of the smallest unit.
  ///   - exponent: How many digits the minor unit stands after the decimal point, 0 to 18.
  /// - Throws: `.invalidOption` where the exponent is outside 0...18.
  public init(minorUnits: Int64, exponent: Int) throws(PriceTagError) {
    guard (0...Self.maximumScale).contains(exponent) else {
      throw PriceTagError(
        .invalidOption,
        "the minor unit exponent \(exponent) is outside 0...18",
        fix: "give the currency's minor unit digits, such as 2 for USD"
      )
    }
    self.init(uncheckedCoefficient: minorUnits, scale: exponent)
  }

  /// An amount from micros, millionths of a unit, as Google Play counts: 4990000 gives 4.990000.
  public init(micros: Int64) {
    self.init(uncheckedCoefficient: micros, scale: 6)
  }

  /// An amount from units and nanos, as `google.type.Money` has them: 1 and 750000000 give 1.75.
  ///
  /// - Parameters:
  ///   - units: The whole units.
  ///   - nanos: Billionths of a unit, -999999999 to 999999999, of the same sign as `units` or zero.
  /// - Throws: `.malformedAmount` where the signs differ or nanos are out of range; `.amountOutOfRange`.
  public init(units: Int64, nanos: Int32) throws(PriceTagError) {
    guard (-999_999_999...999_999_999).contains(nanos) else {
      throw PriceTagError(
        .malformedAmount,
        "nanos \(nanos) are outside -999999999...999999999",
        fix: "carry whole units over to units"
      )
    }
    guard units == 0 || nanos == 0 || (units < 0) == (nanos < 0) else {
      throw PriceTagError(
        .malformedAmount,
        "units \(units) and nanos \(nanos) have different signs",
        fix: "give both the amount's sign, as google.type.Money does"
      )
    }
    let fraction = Amount(uncheckedCoefficient: Int64(nanos), scale: 9).normalized
    let (scaled, overflow) = units.multipliedReportingOverflow(by: powersOfTen[fraction.scale])
    let (sum, carry) = scaled.addingReportingOverflow(fraction.coefficient)
    guard !overflow, !carry else { throw .outOfRange("\(units) units and \(nanos) nanos") }
    self.init(uncheckedCoefficient: sum, scale: fraction.scale)
  }

  /// Whether the amount is below zero.
  public var isNegative: Bool { coefficient < 0 }

  /// Whether the amount is nothing.
  public var isZero: Bool { coefficient == 0 }

  /// The amount without zeros at the end of its fraction: 4.90 gives 4.9, 5.00 gives 5.
  public var normalized: Amount {
    var coefficient = coefficient
    var scale = scale
    while scale > 0, coefficient.isMultiple(of: 10) {
      coefficient /= 10
      scale -= 1
    }
    return Amount(uncheckedCoefficient: coefficient, scale: scale)
  }

  /// The amount in units of its digit at a scale: 4.99 at scale 2 gives 499.
  ///
  /// - Throws: `.needsRounding` where the amount has digits below that one; `.amountOutOfRange`.
  public func minorUnits(exponent: Int) throws(PriceTagError) -> Int64 {
    let rounded: Amount
    do throws(PriceTagError) {
      rounded = try self.rounded(toDigits: exponent, .exact)
    } catch {
      guard error.code == .needsRounding else { throw error }
      throw PriceTagError(
        .needsRounding,
        "\(self) has digits below the minor unit, which has \(exponent)",
        fix: "round it first, with a named mode: rounded(toDigits: \(exponent), .halfEven)"
      )
    }
    let (units, overflow) = rounded.coefficient.multipliedReportingOverflow(
      by: powersOfTen[exponent - rounded.scale]
    )
    guard !overflow else { throw .outOfRange(description) }
    return units
  }

  /// The amount with at most so many digits after the decimal point.
  ///
  /// An amount that has no more digits than that is answered as it is.
  ///
  ///     try Amount(decimal: "0.125").rounded(toDigits: 2, .halfEven)   // 0.12
  ///
  /// - Parameters:
  ///   - digits: The digits after the decimal point, 0 to 18.
  ///   - step: The amount is a multiple of this many units of the last digit: 5 for cash in CHF.
  ///   - mode: What to do with the rest; `.exact` refuses.
  /// - Throws: `.needsRounding`, `.amountOutOfRange`, `.invalidOption`.
  public func rounded(toDigits digits: Int, step: Int = 1, _ mode: RoundingMode) throws(PriceTagError)
    -> Amount
  {
    if scale <= digits, step == 1, digits <= Self.maximumScale { return self }
    guard (0...Self.maximumScale).contains(digits), (1...1_000_000).contains(step) else {
      throw PriceTagError(
        .invalidOption,
        "\(digits) digits in steps of \(step) cannot be rounded to",
        fix: "ask for 0 to 18 digits, and steps of 1 to 1000000"
      )
    }
    // Both sides are whole numbers of the finer of the two digits.
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
  /// Whether the values are the same, at any scale.
  public static func == (first: Amount, second: Amount) -> Bool {
    first.scale == second.scale
      ? first.coefficient == second.coefficient
      : first.aligned(with: second) { $0 == $1 }
  }

  /// Whether the first value is below the second, at any scale.
  public static func < (first: Amount, second: Amount) -> Bool {
    first.aligned(with: second) { $0 < $1 }
  }

  /// Hashes the value, not the scale.
  public func hash(into hasher: inout Hasher) {
    let normalized = normalized
    hasher.combine(normalized.coefficient)
    hasher.combine(normalized.scale)
  }

  /// Both coefficients at the larger scale; 19 digits and 18 zeros fit 128 bits.
  func aligned<Answer>(with other: Amount, _ compare: (Int128, Int128) -> Answer) -> Answer {
    let larger = max(scale, other.scale)
    return compare(
      Int128(coefficient) * Int128(powersOfTen[larger - scale]),
      Int128(other.coefficient) * Int128(powersOfTen[larger - other.scale])
    )
  }
}

/// 10 to the power of 0...18.
let powersOfTen: [Int64] = [
  1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
  100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
  10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
]

extension PriceTagError {
  static func outOfRange(_ amount: String) -> PriceTagError {
    PriceTagError(
      .amountOutOfRange,
      "\(amount) is outside what an amount holds",
      fix: "keep to 18 significant digits, at most 18 of them after the decimal point"
    )
  }

  static func needsRounding(_ amount: Amount, _ digits: Int, _ step: Int) -> PriceTagError {
    let unit = Amount(uncheckedCoefficient: Int64(step), scale: digits)
    return PriceTagError(
      .needsRounding,
      "\(amount) is not a multiple of \(unit), the smallest amount displayed",
      fix: "name a rounding mode (such as half-even), or display more digits"
    )
  }
}
