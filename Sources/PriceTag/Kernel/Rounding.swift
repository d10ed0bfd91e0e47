extension Amount {
  /// Returns the amount rounded to a multiple of a step, in units of the last displayed digit.
  ///
  /// - Parameters:
  ///   - digits: The number of digits after the decimal point, 0 to 18.
  ///   - step: The rounding step in units of the last digit, 1 to 1,000,000.
  ///   - mode: The rounding mode.
  /// - Returns: The same amount if it has no more digits and the step is 1, otherwise an amount with this number of digits,
  ///   or with fewer zeros at the end if the coefficient does not fit otherwise.
  func rounded(
    toMultipleOf step: Int,
    digits: Int,
    _ mode: RoundingMode
  ) throws(AmountProblem) -> Amount {
    guard digits >= 0, digits <= Self.maximumScale, step >= 1, step <= 1_000_000 else {
      throw .invalidRounding
    }
    if scale <= digits {
      return step == 1 ? self : try roundedToStep(UInt64(truncatingIfNeeded: step), digits, mode)
    }
    let step = UInt64(truncatingIfNeeded: step)
    let magnitude = coefficient.magnitude
    let divisor = WideInteger(UInt64(bitPattern: powerOfTen(scale &- digits)), times: step)
    let quotient: UInt64
    let remainder: UInt64
    let comparison: RoundingMode.Remainder
    if divisor.high > 0 {
      // The divisor is above 2⁶⁴, and the amount is at most 2⁶³.
      (quotient, remainder, comparison) = (0, magnitude, .belowHalf)
    } else {
      guard divisor.low > 0 else { throw .invalidRounding }
      (quotient, remainder) = (magnitude / divisor.low, magnitude % divisor.low)
      comparison = .init(remainder, distanceToDivisor: divisor.low &- remainder)
    }
    var rounded = quotient
    if remainder > 0 {
      guard
        let away = mode.roundsAway(comparison, isNegative: isNegative, quotientIsOdd: quotient & 1 == 1)
      else { throw .needsRounding }
      if away { rounded &+= 1 }
    }
    // At most a tenth of the magnitude, and one step.
    let value = Int64(bitPattern: rounded &* step)
    return Amount(uncheckedCoefficient: isNegative ? 0 &- value : value, scale: digits)
  }

  /// Returns the amount rounded to a multiple of a step that is finer than its own last digit.
  private func roundedToStep(
    _ step: UInt64,
    _ digits: Int,
    _ mode: RoundingMode
  ) throws(AmountProblem) -> Amount {
    let scaled = WideInteger(coefficient.magnitude, times: UInt64(bitPattern: powerOfTen(digits &- scale)))
    let (quotient, remainder) = scaled.divided(by: step)
    var rounded = scaled
    if remainder > 0 {
      let comparison = RoundingMode.Remainder(remainder, distanceToDivisor: step &- remainder)
      let isOdd = quotient.low & 1 == 1
      guard let away = mode.roundsAway(comparison, isNegative: isNegative, quotientIsOdd: isOdd) else {
        throw .needsRounding
      }
      rounded = scaled.subtracting(remainder)
      if away { rounded = rounded.adding(step) }
    }
    return try Amount(rounded, isNegative: isNegative, scale: digits)
  }

  /// Creates an amount of any magnitude. Removes zeros from the end if it does not fit otherwise.
  @inline(__always)
  init(_ magnitude: WideInteger, isNegative: Bool, scale: Int) throws(AmountProblem) {
    var (magnitude, scale) = (magnitude, scale)
    let maximum = UInt64(Int64.max) &+ (isNegative ? 1 : 0)
    while magnitude.high > 0 || magnitude.low > maximum {
      let (tenth, lastDigit) = magnitude.divided(by: 10)
      guard scale > 0, lastDigit == 0 else { throw .outOfRange }
      magnitude = tenth
      scale &-= 1
    }
    let value = Int64(bitPattern: magnitude.low)
    self.init(uncheckedCoefficient: isNegative ? 0 &- value : value, scale: scale)
  }
}
