/// An unsigned integer of 128 bits, with the few operations that rounding needs.
///
/// The standard library's `UInt128` needs functions of a compiler runtime that WebAssembly does not have.
struct WideInteger {
  private(set) var high: UInt64
  private(set) var low: UInt64

  /// Creates the product of two integers, from the products of their halves.
  init(_ first: UInt64, times second: UInt64) {
    let half: UInt64 = 0xFFFF_FFFF
    let lowLow = (first & half) &* (second & half)
    let lowHigh = (first & half) &* (second >> 32)
    let highLow = (first >> 32) &* (second & half)
    let middle = (lowLow >> 32) &+ (lowHigh & half) &+ (highLow & half)
    low = (lowLow & half) | (middle << 32)
    high = (first >> 32) &* (second >> 32) &+ (lowHigh >> 32) &+ (highLow >> 32) &+ (middle >> 32)
  }

  /// Returns the sum. The caller guarantees that it fits.
  func adding(_ number: UInt64) -> WideInteger {
    var sum = self
    sum.low = low &+ number
    if sum.low < low { sum.high = high &+ 1 }
    return sum
  }

  /// Returns the difference. The caller guarantees that it is not negative.
  func subtracting(_ number: UInt64) -> WideInteger {
    var difference = self
    difference.low = low &- number
    if low < number { difference.high = high &- 1 }
    return difference
  }

  /// Returns the quotient and remainder of a division by a number that is not zero and below 2³².
  func divided(by divisor: UInt64) -> (quotient: WideInteger, remainder: UInt64) {
    guard divisor > 0 else { return (self, 0) }
    var quotient = self
    var remainder = high % divisor
    quotient.high = high / divisor
    let upper = remainder << 32 | low >> 32
    remainder = upper % divisor
    let lower = remainder << 32 | low & 0xFFFF_FFFF
    quotient.low = (upper / divisor) << 32 | lower / divisor
    return (quotient, lower % divisor)
  }

  /// Returns the product with a number; `nil` if it has more than 127 bits.
  @inline(never)
  func times(_ number: UInt64) -> WideInteger? {
    var product = WideInteger(low, times: number)
    let upper = WideInteger(high, times: number)
    let (sum, overflow) = product.high.addingReportingOverflow(upper.low)
    guard upper.high == 0, !overflow, sum >> 63 == 0 else { return nil }
    product.high = sum
    return product
  }

  /// Returns the quotient and remainder of a division by a number that is not zero and has at most 127 bits.
  @inline(never)
  func divided(by divisor: WideInteger) -> (quotient: WideInteger, remainder: WideInteger) {
    if high | divisor.high == 0, divisor.low > 0 {
      return (WideInteger(low / divisor.low, times: 1), WideInteger(low % divisor.low, times: 1))
    }
    var (quotient, remainder) = (self, WideInteger(0, times: 0))
    var left = 128
    while left > 0 {
      // The bits move from the quotient to the remainder, and those of the result follow them.
      remainder.high = remainder.high &<< 1 | remainder.low &>> 63
      remainder.low = remainder.low &<< 1 | quotient.high &>> 63
      quotient.high = quotient.high &<< 1 | quotient.low &>> 63
      quotient.low = quotient.low &<< 1
      if remainder >= divisor {
        remainder = remainder.subtracting(divisor)
        quotient.low |= 1
      }
      left &-= 1
    }
    return (quotient, remainder)
  }

  /// Returns the sum. The caller guarantees that it fits.
  func adding(_ number: WideInteger) -> WideInteger {
    var sum = adding(number.low)
    sum.high = sum.high &+ number.high
    return sum
  }

  /// Returns the difference. The caller guarantees that it is not negative.
  func subtracting(_ number: WideInteger) -> WideInteger {
    var difference = subtracting(number.low)
    difference.high = difference.high &- number.high
    return difference
  }
}

extension WideInteger: Comparable {
  static func < (first: WideInteger, second: WideInteger) -> Bool {
    first.high == second.high ? first.low < second.low : first.high < second.high
  }
}
