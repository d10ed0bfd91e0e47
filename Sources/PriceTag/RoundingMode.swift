/// The rule for rounding amounts.
///
/// The default everywhere is `exact`: an amount that needs rounding is an error. The other modes are the same as ICU's
/// modes with these names.
///
///     let style = PriceStyle(rounding: .halfEven)
///     try PriceFormatter(storefront: Storefront("JPN"), style: style).string(for: "1200.50")   // "￥1,200"
///
/// The amounts are rounded by ``Amount/rounded(toDigits:step:_:)``.
public enum RoundingMode: String, Hashable, Sendable, CaseIterable, Codable {
  /// No rounding: digits that would be lost must be zero.
  case exact
  /// To the nearest value, and for a tie to the even digit: 0.125 becomes 0.12.
  case halfEven = "half-even"
  /// To the nearest value, and for a tie away from zero: 0.125 becomes 0.13.
  case halfUp = "half-up"
  /// To the nearest value, and for a tie toward zero: 0.125 becomes 0.12.
  case halfDown = "half-down"
  /// Away from zero: 0.121 becomes 0.13.
  case up
  /// Toward zero: 0.129 becomes 0.12.
  case down
  /// Toward positive infinity: -0.129 becomes -0.12.
  case ceiling
  /// Toward negative infinity: -0.121 becomes -0.13.
  case floor

  /// Returns the rounded quotient of two integers, of which the divisor is positive; `nil` if the mode is `exact` and the
  /// division has a remainder.
  ///
  /// Every rounded amount in PriceTag comes from this function.
  func quotient<Number: FixedWidthInteger & SignedInteger>(_ dividend: Number, by divisor: Number) -> Number?
  {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    if remainder == 0 { return quotient }
    let away: Number = dividend < 0 ? -1 : 1
    let distance = remainder.magnitude
    let rest = divisor.magnitude - distance
    switch self {
    case .exact: return nil
    case .halfEven:
      return distance > rest || (distance == rest && !quotient.isMultiple(of: 2)) ? quotient + away : quotient
    case .halfUp: return distance >= rest ? quotient + away : quotient
    case .halfDown: return distance > rest ? quotient + away : quotient
    case .up: return quotient + away
    case .down: return quotient
    case .ceiling: return away > 0 ? quotient + away : quotient
    case .floor: return away < 0 ? quotient + away : quotient
    }
  }
}
