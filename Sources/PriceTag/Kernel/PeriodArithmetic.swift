/// The length of a period of days, weeks, months or years, in units of 1/4,800 day.
///
/// A week is exactly seven days, and a year is exactly twelve months. Days and months are related by the mean year of the
/// Gregorian calendar, 146,097/400 = 365.2425 days: a month is 146,097/4,800 = 30.436875 days.
struct PeriodLength {
  static let day: UInt64 = 4_800
  static let week: UInt64 = 7 &* 4_800
  static let month: UInt64 = 146_097
  static let year: UInt64 = 12 &* 146_097

  /// The number of units, 1 to 9999.
  let count: UInt64
  let unit: UInt64

  var length: UInt64 { count &* unit }

  /// Reads an ISO 8601 duration with one unit, such as `P1M`; returns `nil` for other text.
  @inline(never)
  init?(_ text: UnsafeRawBufferPointer) {
    guard let start = text.baseAddress, text.count >= 3, text.count <= 6, start.uint8(at: 0) == 0x50 else {
      return nil
    }
    var count: UInt64 = 0
    var index = 1
    while index < text.count &- 1 {
      let digit = UInt64(truncatingIfNeeded: start.uint8(at: index)) &- 0x30
      guard digit <= 9 else { return nil }
      count = count &* 10 &+ digit
      index &+= 1
    }
    switch start.uint8(at: index) {
    case 0x44: unit = Self.day
    case 0x57: unit = Self.week
    case 0x4D: unit = Self.month
    case 0x59: unit = Self.year
    default: return nil
    }
    guard count > 0 else { return nil }
    self.count = count
  }
}

// Without the functions of a compiler runtime that 128-bit integers of the standard library need.
extension Amount {
  /// Returns the price of a quantity, exactly.
  func total(_ quantity: UInt64) throws(AmountProblem) -> Amount {
    let magnitude = WideInteger(coefficient.magnitude, times: 1)
    return try Self.product(magnitude, quantity, isNegative: isNegative, scale: scale)
  }

  @inline(never)
  private static func product(
    _ magnitude: WideInteger,
    _ number: UInt64,
    isNegative: Bool,
    scale: Int
  ) throws(AmountProblem) -> Amount {
    guard let product = magnitude.times(number) else { throw .outOfRange }
    return try Amount(product, isNegative: isNegative, scale: scale)
  }

  /// Returns the amount times a fraction, rounded once to a multiple of a step in units of the last digit.
  ///
  /// The caller guarantees a denominator and a step above zero, and 0 to 18 digits.
  func scaled(
    by numerator: UInt64,
    over denominator: UInt64,
    digits: Int,
    step: Int,
    _ mode: RoundingMode
  ) throws(AmountProblem) -> Amount {
    // In lowest terms: a month of a year is 1/12.
    let divisorOfBoth = greatestCommonDivisor(numerator, denominator)
    let finer = max(scale, digits)
    let step = UInt64(truncatingIfNeeded: step)
    guard
      let dividend = WideInteger(coefficient.magnitude, times: numerator / divisorOfBoth)
        .times(UInt64(bitPattern: powerOfTen(finer &- scale))),
      let divisor = WideInteger(UInt64(bitPattern: powerOfTen(finer &- digits)), times: step)
        .times(denominator / divisorOfBoth)
    else { throw .outOfRange }
    let quotient = try Self.quotient(dividend, divisor, mode, isNegative: isNegative)
    return try Self.product(quotient, step, isNegative: isNegative, scale: digits)
  }

  /// Returns the rounded quotient of two magnitudes, of which the divisor is not zero.
  private static func quotient(
    _ dividend: WideInteger,
    _ divisor: WideInteger,
    _ mode: RoundingMode,
    isNegative: Bool
  ) throws(AmountProblem) -> WideInteger {
    let (quotient, remainder) = dividend.divided(by: divisor)
    guard remainder.high | remainder.low != 0 else { return quotient }
    let comparison = RoundingMode.Remainder(remainder, distanceToDivisor: divisor.subtracting(remainder))
    let isOdd = quotient.low & 1 == 1
    guard let away = mode.roundsAway(comparison, isNegative: isNegative, quotientIsOdd: isOdd) else {
      throw .needsRounding
    }
    return away ? quotient.adding(1) : quotient
  }

  /// Returns the percentage that this price saves compared with another one that is above zero, each for a period of its own
  /// length. It is rounded down.
  func saving(
    _ length: UInt64,
    against other: Amount,
    _ otherLength: UInt64
  ) throws(AmountProblem) -> Int64 {
    guard other.coefficient > 0 else { throw .invalidRounding }
    let larger = max(scale, other.scale)
    guard
      let own = WideInteger(coefficient.magnitude, times: UInt64(bitPattern: powerOfTen(larger &- scale)))
        .times(otherLength),
      let others = WideInteger(
        other.coefficient.magnitude,
        times: UInt64(bitPattern: powerOfTen(larger &- other.scale))
      )
      .times(length)
    else { throw .outOfRange }
    // A negative price saves more than all.
    let isLower = isNegative || own <= others
    let difference =
      isNegative ? others.adding(own) : own <= others ? others.subtracting(own) : own.subtracting(others)
    guard let dividend = difference.times(100) else { throw .outOfRange }
    let percent = try Self.quotient(dividend, others, .floor, isNegative: !isLower)
    guard percent.high == 0, percent.low <= UInt64(Int64.max) else { throw .outOfRange }
    let value = Int64(bitPattern: percent.low)
    return isLower ? value : 0 &- value
  }

  /// Returns the exact difference; `nil` if it is out of range.
  func subtracting(_ other: Amount) -> Amount? {
    let scale = max(scale, other.scale)
    guard let first = units(scale), let second = other.units(scale) else { return nil }
    let (difference, overflow) = first.subtractingReportingOverflow(second)
    return overflow ? nil : Amount(uncheckedCoefficient: difference, scale: scale)
  }

  /// Returns the coefficient at a larger scale; `nil` if it does not fit.
  private func units(_ scale: Int) -> Int64? {
    let product = WideInteger(
      coefficient.magnitude,
      times: UInt64(bitPattern: powerOfTen(scale &- self.scale))
    )
    guard product.high == 0, product.low <= UInt64(Int64.max) else { return nil }
    return isNegative ? 0 &- Int64(bitPattern: product.low) : Int64(bitPattern: product.low)
  }
}

/// Returns the greatest common divisor of two numbers; 1 if both are zero.
func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
  var (larger, smaller) = (first, second)
  while smaller > 0 { (larger, smaller) = (smaller, larger % smaller) }
  return max(1, larger)
}
