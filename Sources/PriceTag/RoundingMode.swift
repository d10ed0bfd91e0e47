/// What to do with digits that are not displayed.
///
/// The default everywhere is `exact`: a price that would have to be rounded is an error. The others have the
/// meanings of ICU's modes of the same names.
public enum RoundingMode: String, Hashable, Sendable, CaseIterable, Codable {
  /// Refuse: digits that are not displayed must be zero.
  case exact
  /// To the nearest; a tie to the even neighbour: 0.125 gives 0.12.
  case halfEven = "half-even"
  /// To the nearest; a tie away from zero: 0.125 gives 0.13.
  case halfUp = "half-up"
  /// To the nearest; a tie toward zero: 0.125 gives 0.12.
  case halfDown = "half-down"
  /// Away from zero: 0.121 gives 0.13.
  case up
  /// Toward zero: 0.129 gives 0.12.
  case down
  /// Toward positive infinity: -0.129 gives -0.12.
  case ceiling
  /// Toward negative infinity: -0.121 gives -0.13.
  case floor

  /// The quotient of two whole numbers (the divisor positive), rounded. `nil` where `exact` would have to round.
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
