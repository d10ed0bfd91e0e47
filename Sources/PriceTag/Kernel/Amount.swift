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
  @inlinable @inline(__always)
  package init(uncheckedCoefficient coefficient: Int64, scale: Int) {
    self.coefficient = coefficient
    self.scale = scale
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
      scale &-= 1
    }
    return Amount(uncheckedCoefficient: coefficient, scale: scale)
  }
}
