/// The operands of plural rules. They depend on the displayed digits, not only on the value: 1 and 1.0 differ.
package struct PluralOperands: Sendable {
  /// The integer part.
  let integer: UInt64
  /// The fraction digits as an integer, with and without trailing zeros.
  let fraction: UInt64
  let trimmedFraction: UInt64
  /// The number of fraction digits, with and without trailing zeros.
  let fractionCount: Int
  let trimmedFractionCount: Int

  /// Creates the operands of an amount that is displayed with a number of fraction digits.
  package init(_ amount: Amount, fractionDigits: Int) {
    // The power of ten is not zero, but the compiler does not know that.
    let divisor = max(1, UInt64(bitPattern: powerOfTen(amount.scale)))
    let magnitude = amount.coefficient.magnitude
    let remainder = magnitude % divisor
    var trimmed = remainder
    var count = amount.scale
    while count > 0, trimmed % 10 == 0 {
      trimmed /= 10
      count &-= 1
    }
    integer = magnitude / divisor
    fraction = remainder &* UInt64(bitPattern: powerOfTen(max(0, fractionDigits &- amount.scale)))
    fractionCount = fractionDigits
    trimmedFraction = trimmed
    trimmedFractionCount = count
  }
}
