/// The rule for rounding amounts.
///
/// The default everywhere is `exact`: an amount that needs rounding is an error. The other modes are the same as ICU's
/// modes with these names.
///
///     let style = PriceStyle(rounding: .halfEven)
///     try PriceFormatter(storefront: Storefront("JPN"), style: style).string(for: "1200.50")   // "￥1,200"
///
/// The amounts are rounded by ``Amount/rounded(toDigits:step:_:)``.
public enum RoundingMode: Hashable, Sendable, CaseIterable {
  /// No rounding: digits that would be lost must be zero.
  case exact
  /// To the nearest value, and for a tie to the even digit: 0.125 becomes 0.12.
  case halfEven
  /// To the nearest value, and for a tie away from zero: 0.125 becomes 0.13.
  case halfUp
  /// To the nearest value, and for a tie toward zero: 0.125 becomes 0.12.
  case halfDown
  /// Away from zero: 0.121 becomes 0.13.
  case up
  /// Toward zero: 0.129 becomes 0.12.
  case down
  /// Toward positive infinity: -0.129 becomes -0.12.
  case ceiling
  /// Toward negative infinity: -0.121 becomes -0.13.
  case floor

  /// The part of a division that is rounded, compared with half of the divisor.
  enum Remainder {
    case belowHalf, half, aboveHalf

    /// Compares a remainder with its distance to the divisor.
    @inline(__always)
    init<Number: Comparable>(_ remainder: Number, distanceToDivisor rest: Number) {
      self = remainder > rest ? .aboveHalf : remainder == rest ? .half : .belowHalf
    }
  }

  /// Returns whether a quotient with a remainder is rounded away from zero; `nil` if the mode is `exact`.
  ///
  /// Every rounded amount in PriceTag comes from this function.
  func roundsAway(_ remainder: Remainder, isNegative: Bool, quotientIsOdd: Bool) -> Bool? {
    switch self {
    case .exact: nil
    case .halfEven: remainder == .aboveHalf || (remainder == .half && quotientIsOdd)
    case .halfUp: remainder != .belowHalf
    case .halfDown: remainder == .aboveHalf
    case .up: true
    case .down: false
    case .ceiling: !isNegative
    case .floor: isNegative
    }
  }
}
