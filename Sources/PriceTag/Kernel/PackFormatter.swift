/// A formatter in a pack: the place of its entry. It is valid as long as the memory of the pack.
///
/// Sendable notes: the bytes of a pack do not change.
struct PackFormatter: @unchecked Sendable {
  let start: UnsafeRawPointer

  /// Returns the amount that is displayed, and the pattern that writes it.
  ///
  /// - Parameters:
  ///   - amount: The amount.
  ///   - mode: The rounding mode for amounts with more digits than are displayed.
  @inline(__always)
  func displayed(
    _ amount: Amount,
    _ mode: RoundingMode
  ) throws(AmountProblem) -> (amount: Amount, pattern: PatternBytes) {
    if start.uint8(at: PackBytes.Formatter.kind) == PackBytes.patternFormatter {
      return (try pattern.displayed(amount, mode), pattern)
    }
    return try displayedByMember(amount, mode)
  }

  /// The maximum number of digits that are displayed after the decimal separator.
  var fractionDigits: Int { lastPattern.fractionDigits }

  /// The number of bytes that any price needs, including those that a copy may write beyond its end.
  var capacity: Int { isFamily ? PatternBytes.maximumCapacity : pattern.capacity }

  /// The formatter of the spoken form, which may be this one; `nil` if the pack does not have it.
  var spoken: PackFormatter? {
    guard start.uint32(at: PackBytes.Formatter.spoken) != PackBytes.none else { return nil }
    return PackFormatter(start: start + distance(at: start + PackBytes.Formatter.spoken))
  }

  /// Whether the pattern depends on the amount.
  var isFamily: Bool { start.uint8(at: PackBytes.Formatter.kind) == PackBytes.familyFormatter }

  /// The pattern of a formatter with one pattern.
  @inline(__always)
  var pattern: PatternBytes {
    PatternBytes(start: start + distance(at: start + PackBytes.Formatter.pattern))
  }

  // MARK: Families

  private var family: UnsafeRawPointer { start + distance(at: start + PackBytes.Formatter.pattern) }

  /// The pattern of amounts with the maximum number of digits.
  var lastPattern: PatternBytes {
    guard isFamily else { return pattern }
    let family = family
    return member(
      family.uint8(at: PackBytes.Family.maximumDigits) &- family.uint8(at: PackBytes.Family.minimumDigits)
    )
  }

  private func member(_ index: Int) -> PatternBytes {
    let place = family + (PackBytes.Family.members &+ 4 &* index)
    return PackFormatter(start: start + distance(at: place)).pattern
  }

  @inline(never)
  private func displayedByMember(
    _ amount: Amount,
    _ mode: RoundingMode
  ) throws(AmountProblem) -> (amount: Amount, pattern: PatternBytes) {
    let rounded = try lastPattern.displayed(amount, mode)
    let minimumDigits = family.uint8(at: PackBytes.Family.minimumDigits)
    let maximumDigits = family.uint8(at: PackBytes.Family.maximumDigits)
    var (coefficient, scale) = (rounded.coefficient, rounded.scale)
    while scale > minimumDigits, coefficient.isMultiple(of: 10) {
      coefficient /= 10
      scale &-= 1
    }
    var index = min(max(scale, minimumDigits), maximumDigits) &- minimumDigits
    if coefficient == 0, family.uint8(at: PackBytes.Family.hasZero) != 0 {
      index = maximumDigits &- minimumDigits &+ 1
    }
    return (Amount(uncheckedCoefficient: coefficient, scale: scale), member(index))
  }

  @inline(__always)
  private func distance(at place: UnsafeRawPointer) -> Int {
    Int(truncatingIfNeeded: Int32(bitPattern: place.uint32(at: 0)))
  }
}

extension PackFormatter: ReadablePatterns {
  var patternCount: Int {
    guard isFamily else { return 1 }
    let (minimum, maximum) = (
      family.uint8(at: PackBytes.Family.minimumDigits), family.uint8(at: PackBytes.Family.maximumDigits)
    )
    return maximum &- minimum &+ 1 &+ family.uint8(at: PackBytes.Family.hasZero)
  }

  @inline(__always)
  func pattern(at index: Int) -> PatternBytes { isFamily ? member(index) : pattern }

  @inline(__always)
  func exactly(_ amount: Amount) -> (amount: Amount, pattern: PatternBytes)? {
    do throws(AmountProblem) { return try displayed(amount, .exact) } catch { return nil }
  }

  /// The names of the currency, in the texts of the pack.
  var names: FoldedNames {
    let distance = distance(at: start + PackBytes.Formatter.names)
    return FoldedNames(start: distance == 0 ? nil : start + distance)
  }
}
