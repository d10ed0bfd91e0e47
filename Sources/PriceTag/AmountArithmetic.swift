extension Amount {
  /// The exact sum: 4.99 + 0.01 is 5.00.
  ///
  /// - Throws: `.amountOutOfRange`.
  public static func + (first: Amount, second: Amount) throws(PriceTagError) -> Amount {
    try Amount(exactly: first.aligned(with: second) { $0 + $1 }, scale: max(first.scale, second.scale))
  }

  /// The exact difference: 5.00 - 0.01 is 4.99.
  ///
  /// - Throws: `.amountOutOfRange`.
  public static func - (first: Amount, second: Amount) throws(PriceTagError) -> Amount {
    try Amount(exactly: first.aligned(with: second) { $0 - $1 }, scale: max(first.scale, second.scale))
  }

  /// The exact product with a whole number: 4.99 * 12 is 59.88.
  ///
  /// - Throws: `.amountOutOfRange`.
  public static func * (amount: Amount, factor: Int) throws(PriceTagError) -> Amount {
    try Amount(exactly: Int128(amount.coefficient) * Int128(factor), scale: amount.scale)
  }

  /// The amount with the other sign.
  ///
  /// - Throws: `.amountOutOfRange` for the one amount whose opposite has a digit too many.
  public func negated() throws(PriceTagError) -> Amount { try Amount.zero - self }

  /// A coefficient at a scale, without zeros at the end where it would not fit with them.
  init(exactly coefficient: Int128, scale: Int) throws(PriceTagError) {
    var coefficient = coefficient
    var scale = scale
    while scale > 0, Int64(exactly: coefficient) == nil, coefficient.isMultiple(of: 10) {
      coefficient /= 10
      scale -= 1
    }
    guard let fitting = Int64(exactly: coefficient) else { throw .outOfRange("a result of \(coefficient)") }
    self.init(uncheckedCoefficient: fitting, scale: scale)
  }

  /// The amount times a fraction, rounded once.
  func scaled(
    by numerator: Int64,
    over denominator: Int64,
    toDigits digits: Int,
    step: Int,
    _ mode: RoundingMode
  ) throws(PriceTagError) -> Amount {
    guard denominator > 0, (0...Self.maximumScale).contains(digits), step > 0 else {
      throw PriceTagError(
        .invalidOption,
        "\(digits) digits in steps of \(step) cannot be rounded to",
        fix: "ask for 0 to 18 digits and a positive step"
      )
    }
    // In lowest terms, so that a price per month of a year is a twelfth and cannot overflow.
    let divisorOfBoth = greatestCommonDivisor(numerator, denominator)
    let (numerator, denominator) = (numerator / divisorOfBoth, denominator / divisorOfBoth)
    let finer = max(scale, digits)
    let (product, overflow) = Int128(coefficient).multipliedReportingOverflow(by: Int128(numerator))
    let (dividend, overflow2) = product.multipliedReportingOverflow(by: Int128(powersOfTen[finer - scale]))
    let (unit, overflow3) = Int128(powersOfTen[finer - digits]).multipliedReportingOverflow(by: Int128(step))
    let (divisor, overflow4) = unit.multipliedReportingOverflow(by: Int128(denominator))
    guard !overflow, !overflow2, !overflow3, !overflow4 else {
      throw .outOfRange("\(self) × \(numerator)/\(denominator)")
    }
    guard let quotient = mode.quotient(dividend, by: divisor) else {
      throw .needsRounding(self, digits, step)
    }
    return try Amount(exactly: quotient * Int128(step), scale: digits)
  }

  private func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    var (larger, smaller) = (first, second)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return max(1, larger)
  }

  // MARK: Allocation

  /// The amount in equal parts that add up to it: what does not divide goes to the first ones, a minor unit each.
  ///
  ///     try Amount(decimal: "10.00").allocated(over: 3, digits: 2)   // 3.34, 3.33, 3.33
  ///
  /// - Parameters:
  ///   - parts: How many, 1 to 1,000,000.
  ///   - digits: The digits of the minor unit, 0 to 18: `Currency.minorUnitDigits`.
  /// - Throws: `.invalidOption`; `.needsRounding` where the amount itself has digits below the minor unit.
  public func allocated(over parts: Int, digits: Int) throws(PriceTagError) -> [Amount] {
    guard (1...1_000_000).contains(parts) else {
      throw PriceTagError(
        .invalidOption,
        "an amount cannot have \(parts) parts",
        fix: "ask for 1 to 1000000 parts"
      )
    }
    return try allocated(by: Array(repeating: 1, count: parts), digits: digits)
  }

  /// The amount in parts of given weights that add up to it: what does not divide goes, a minor unit each, to the
  /// parts that lost the largest fractions, of equal ones to the first.
  ///
  ///     try Amount(decimal: "0.05").allocated(by: [3, 7], digits: 2)   // 0.02, 0.03
  ///
  /// - Parameters:
  ///   - weights: Not negative, not all zero, at most 1,000,000 of them.
  ///   - digits: The digits of the minor unit, 0 to 18.
  /// - Throws: as `allocated(over:digits:)`.
  public func allocated(by weights: [Int], digits: Int) throws(PriceTagError) -> [Amount] {
    let total = weights.reduce(Int128(0)) { $0 + Int128($1) }
    guard total > 0, weights.count <= 1_000_000, weights.allSatisfy({ $0 >= 0 }) else {
      throw PriceTagError(
        .invalidOption,
        "these weights give an amount no parts",
        fix: "give 1 to 1000000 weights, none negative, not all zero"
      )
    }
    let units = Int128(try minorUnits(exponent: digits))
    var shares: [Int128] = []
    var remainders: [(index: Int, remainder: UInt128)] = []
    for (index, weight) in weights.enumerated() {
      // 64 bits times 64 bits fit 128.
      let (share, remainder) = (units * Int128(weight)).quotientAndRemainder(dividingBy: total)
      shares.append(share)
      remainders.append((index, remainder.magnitude))
    }
    let left = units - shares.reduce(0, +)
    let unit: Int128 = left < 0 ? -1 : 1
    remainders.sort { ($0.remainder, $1.index) > ($1.remainder, $0.index) }
    for (index, _) in remainders.prefix(Int(left.magnitude)) { shares[index] += unit }
    var amounts: [Amount] = []
    for share in shares { amounts.append(try Amount(exactly: share, scale: digits)) }
    return amounts
  }
}
