/// CLDR's plural rules of a locale as bytes.
///
/// The bytes have the same layout everywhere, like those of `PatternBytes`. After a head of four bytes, they contain the
/// relations of all rules in CLDR's order. `PluralRules` writes them.
///
///     offset  head
///     0       number of relations
///     1       the categories that the rules use, one bit for each; always with `other`
///     2       number of bytes
///
///     offset  relation
///     0       operand: n, i, v, w, f, t, or the exponent, which is always 0
///     1       flags: 1 for "is not", 2 if the next relation must hold too
///     2       number of ranges
///     3       the category that is selected if this relation, and those before it with the flag 2, hold
///     4       modulus; 0 for none
///     8       lower and upper bound of each range, four bytes each
struct PluralBytes {
  let start: UnsafeRawPointer

  /// The operands of relations. The raw values are those of the bytes.
  enum Operand: UInt8 {
    case absoluteValue = 0
    case integer = 1
    case fractionCount = 2
    case trimmedFractionCount = 3
    case fraction = 4
    case trimmedFraction = 5
    case exponent = 6
  }

  static let headLength = 4
  static let relationLength = 8
  static let rangeLength = 8
  static let isNegated = 1
  static let isFollowed = 2
  /// The number of CLDR's categories. The last one is `other`.
  static let categoryCount = 6
  static let other = 5

  /// Returns the category of a displayed number, in CLDR's order: zero, one, two, few, many, other.
  func category(for operands: PluralOperands) -> Int {
    var left = start.uint8(at: 0)
    var relation = start + Self.headLength
    var holds = true
    while left > 0 {
      let flags = relation.uint8(at: 1)
      if holds { holds = self.holds(relation, operands, isNegated: flags & Self.isNegated != 0) }
      if flags & Self.isFollowed == 0 {
        if holds { return relation.uint8(at: 3) }
        holds = true
      }
      relation += Self.relationLength &+ relation.uint8(at: 2) &* Self.rangeLength
      left &-= 1
    }
    return Self.other
  }

  /// Returns the index of the affixes of a category: its place among the categories that the rules use.
  func affixIndex(of category: Int) -> Int {
    let before = start.uint8(at: 1) & ((1 &<< category) &- 1)
    return before.nonzeroBitCount
  }

  private func holds(_ relation: UnsafeRawPointer, _ operands: PluralOperands, isNegated: Bool) -> Bool {
    var value: UInt64
    // n is the absolute value. With a fraction, it is in no range of integers.
    var isFractional = false
    switch Operand(rawValue: UInt8(truncatingIfNeeded: relation.uint8(at: 0))) {
    case .absoluteValue:
      value = operands.integer
      isFractional = operands.trimmedFraction != 0
    case .integer: value = operands.integer
    case .fractionCount: value = UInt64(truncatingIfNeeded: operands.fractionCount)
    case .trimmedFractionCount: value = UInt64(truncatingIfNeeded: operands.trimmedFractionCount)
    case .fraction: value = operands.fraction
    case .trimmedFraction: value = operands.trimmedFraction
    case .exponent, nil: value = 0
    }
    let modulus = UInt64(relation.uint32(at: 4))
    if modulus > 0 { value %= modulus }
    if isFractional { return isNegated }
    var left = relation.uint8(at: 2)
    var range = relation + Self.relationLength
    while left > 0 {
      if value >= UInt64(range.uint32(at: 0)), value <= UInt64(range.uint32(at: 4)) { return !isNegated }
      range += Self.rangeLength
      left &-= 1
    }
    return isNegated
  }
}
