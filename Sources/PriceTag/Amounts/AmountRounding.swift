extension Amount {
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
    do throws(AmountProblem) {
      return try rounded(toMultipleOf: step, digits: digits, mode)
    } catch {
      switch error {
      case .needsRounding: throw .needsRounding(self, digits, step)
      case .outOfRange, .malformed: throw .outOfRange("the result of rounding \(self)")
      case .invalidRounding:
        throw PriceTagError(
          .invalidOption,
          "cannot round to \(digits) digits in steps of \(step)",
          fix: "use 0 to 18 digits and a step of 1 to 1000000"
        )
      }
    }
  }
}

extension RoundingMode: RawRepresentable, Codable {
  /// Creates the mode with a name, such as `half-even`.
  public init?(rawValue: String) {
    guard let mode = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = mode
  }

  /// The name of the mode, such as `half-even`.
  public var rawValue: String {
    switch self {
    case .exact: "exact"
    case .halfEven: "half-even"
    case .halfUp: "half-up"
    case .halfDown: "half-down"
    case .up: "up"
    case .down: "down"
    case .ceiling: "ceiling"
    case .floor: "floor"
    }
  }

  /// Returns the rounded quotient of two integers, of which the divisor is positive; `nil` if the mode is `exact` and the
  /// division has a remainder.
  func quotient<Number: FixedWidthInteger & SignedInteger>(_ dividend: Number, by divisor: Number) -> Number?
  {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    if remainder == 0 { return quotient }
    let distance = remainder.magnitude
    let comparison = Remainder(distance, distanceToDivisor: divisor.magnitude - distance)
    return roundsAway(
      comparison,
      isNegative: dividend < 0,
      quotientIsOdd: !quotient.isMultiple(of: 2)
    ).map { $0 ? quotient + (dividend < 0 ? -1 : 1) : quotient }
  }
}
