/// The kinds of the parts of a price, and the direction of its text, as patterns store them.
enum PatternPart {
  /// The kind of a part. The raw values are those of the bytes; they never change.
  enum Kind: UInt8 {
    case literal = 0
    case symbol = 1
    case integer = 2
    case group = 3
    case decimal = 4
    case fraction = 5
    case sign = 6
    case compact = 7
    case qualifier = 8
    case unit = 9

    static let maximum = 9
  }

  /// The direction of the first strong character. The raw values are those of the bytes.
  enum Direction: UInt8 {
    case none = 0
    case leftToRight = 1
    case rightToLeft = 2

    @inline(__always)
    init(bits: Int) { self = bits & 3 == 1 ? .leftToRight : bits & 3 == 2 ? .rightToLeft : .none }
  }
}

extension PatternBytes {
  /// Returns the index of the affixes of an amount that has no more digits than are displayed.
  @inline(__always)
  func category(of amount: Amount) -> Int {
    guard start.uint16(at: Field.plurals) > 0 else { return 0 }
    return category(for: PluralOperands(amount, fractionDigits: shownFractionDigits(of: amount)))
  }

  /// Returns the index of the affixes of a displayed number. The pattern has plural rules.
  func category(for operands: PluralOperands) -> Int {
    let rules = PluralBytes(start: start + start.uint16(at: Field.plurals))
    return rules.affixIndex(of: rules.category(for: operands))
  }

  /// Returns the number of digits after the decimal separator that an amount is displayed with.
  func shownFractionDigits(of amount: Amount) -> Int {
    start.uint16(at: Field.integerAffixes) > 0 && amount.isInteger ? 0 : fractionDigits
  }

  /// Returns the place of the prefix of an amount; `nil` if the pattern has no affixes for the category.
  private func prefix(of amount: Amount, _ category: Int) -> Int? {
    guard category >= 0, category < start.uint8(at: Field.categoryCount) else { return nil }
    let integerAffixes = start.uint16(at: Field.integerAffixes)
    var affix = integerAffixes > 0 && amount.isInteger ? integerAffixes : Field.affixes
    affix &+= category &* Self.affixesLength
    if amount.isNegative { affix &+= 2 &* Self.affixLength }
    return start.uint16(at: affix &+ 2) == Self.missing ? nil : affix
  }

  /// Calls a function with the kind and the number of bytes of each part of a price, in order.
  ///
  /// - Parameters:
  ///   - amount: The amount, already rounded.
  ///   - category: The index of the amount's plural category.
  ///   - body: The function. Parts without bytes are omitted.
  /// - Returns: Whether the pattern has affixes for the category.
  @inline(__always)
  func forEachPart(
    of amount: Amount,
    category: Int,
    _ body: (PatternPart.Kind, _ count: Int) -> Void
  ) -> Bool {
    guard let prefix = prefix(of: amount, category) else { return false }
    forEachPart(ofAffixAt: prefix, body)
    let digitLength = start.uint8(at: Field.digitLength)
    let divisor = max(1, UInt64(bitPattern: powerOfTen(amount.scale)))
    var integer = amount.coefficient.magnitude / divisor
    var digitCount = 1
    while integer > 9 {
      integer /= 10
      digitCount &+= 1
    }
    let primary = start.uint8(at: Field.primaryGroupSize)
    let secondary = start.uint8(at: Field.secondaryGroupSize)
    var written = 0
    if digitCount >= start.uint8(at: Field.minimumGroupedDigitCount) {
      var group = digitCount &- primary
      while group > secondary { group &-= secondary }
      while digitCount &- written > primary {
        if group > 0 { body(.integer, group &* digitLength) }
        let length = start.uint16(at: Field.group &+ 2)
        if length > 0 { body(.group, length) }
        written &+= group
        group = secondary
      }
    }
    body(.integer, (digitCount &- written) &* digitLength)
    let fractionDigits = shownFractionDigits(of: amount)
    if fractionDigits > 0 {
      let length = start.uint16(at: Field.decimal &+ 2)
      let kind = UInt8(truncatingIfNeeded: start.uint8(at: Field.decimalPart))
      if length > 0 { body(PatternPart.Kind(rawValue: kind) ?? .decimal, length) }
      body(.fraction, fractionDigits &* digitLength)
    }
    forEachPart(ofAffixAt: prefix &+ Self.affixLength, body)
    return true
  }

  @inline(__always)
  func forEachPart(ofAffixAt affix: Int, _ body: (PatternPart.Kind, _ count: Int) -> Void) {
    var part = start.uint16(at: affix &+ 4)
    var left = start.uint16(at: affix &+ 6) & 0x3FFF
    while left > 0 {
      let kind = PatternPart.Kind(rawValue: UInt8(truncatingIfNeeded: start.uint8(at: part)))
      body(kind ?? .literal, start.uint8(at: part &+ 1))
      part &+= Self.partLength
      left &-= 1
    }
  }

  /// Returns the direction of the first strong character of a price, or left-to-right without one.
  func direction(of amount: Amount, category: Int) -> PatternPart.Direction {
    guard let prefix = prefix(of: amount, category) else { return .leftToRight }
    let separators = start.uint16(at: Field.directions)
    let candidates = (
      start.uint16(at: prefix &+ 6) >> 14, separators, separators >> 2, separators >> 4,
      start.uint16(at: prefix &+ Self.affixLength &+ 6) >> 14
    )
    var direction = PatternPart.Direction(bits: candidates.0)
    if direction == .none { direction = .init(bits: candidates.1) }
    if direction == .none, hasGroups(amount) { direction = .init(bits: candidates.2) }
    if direction == .none, shownFractionDigits(of: amount) > 0 { direction = .init(bits: candidates.3) }
    if direction == .none { direction = .init(bits: candidates.4) }
    return direction == .none ? .leftToRight : direction
  }

  /// Returns whether an amount is written with group separators.
  private func hasGroups(_ amount: Amount) -> Bool {
    let minimum = start.uint8(at: Field.minimumGroupedDigitCount)
    guard minimum <= 19 else { return false }
    let divisor = max(1, UInt64(bitPattern: powerOfTen(amount.scale)))
    let least = UInt64(bitPattern: powerOfTen(max(0, minimum &- 1)))
    return amount.coefficient.magnitude / divisor >= least
  }
}
