extension Amount {
  /// Returns the exact sum: 4.99 + 0.01 is 5.00.
  ///
  /// - Throws: `.amountOutOfRange`.
  public static func + (first: Amount, second: Amount) throws(PriceTagError) -> Amount {
    try Amount(exactly: first.aligned(with: second) { $0 + $1 }, scale: max(first.scale, second.scale))
  }

  /// Returns the exact difference: 5.00 - 0.01 is 4.99.
  ///
  /// - Throws: `.amountOutOfRange`.
  public static func - (first: Amount, second: Amount) throws(PriceTagError) -> Amount {
    try Amount(exactly: first.aligned(with: second) { $0 - $1 }, scale: max(first.scale, second.scale))
  }

  /// Returns the exact product with an integer: 4.99 * 12 is 59.88.
  ///
  /// - Throws: `.amountOutOfRange`.
  public static func * (amount: Amount, factor: Int) throws(PriceTagError) -> Amount {
    try Amount(exactly: Int128(amount.coefficient) * Int128(factor), scale: amount.scale)
  }

  /// Returns the exact product with a decimal number, without zeros after the amount's own decimals: 362.98 × 2.5 is 907.45.
  ///
  /// - Throws: `.amountOutOfRange`, also if the product has more than 18 decimals.
  package func multiplied(by factor: Amount) throws(PriceTagError) -> Amount {
    // Two 64-bit numbers fit 128 bits.
    var (product, digits) = (Int128(coefficient) * Int128(factor.coefficient), scale + factor.scale)
    while digits > scale, product.isMultiple(of: 10) {
      product /= 10
      digits -= 1
    }
    guard digits <= Self.maximumScale else { throw .outOfRange("\(self) × \(factor)") }
    return try Amount(exactly: product, scale: digits)
  }

  /// Returns the amount with the opposite sign.
  ///
  /// - Throws: `.amountOutOfRange` if the coefficient is `Int64.min`, whose opposite does not fit.
  public func negated() throws(PriceTagError) -> Amount { try Amount.zero - self }

  /// Creates an amount of a coefficient and a scale. Removes zeros from the end if the coefficient does not fit otherwise.
  init(exactly coefficient: Int128, scale: Int) throws(PriceTagError) {
    var coefficient = coefficient
    var scale = scale
    while scale > 0, Int64(exactly: coefficient) == nil, coefficient.isMultiple(of: 10) {
      coefficient /= 10
      scale -= 1
    }
    guard let fitting = Int64(exactly: coefficient) else { throw .outOfRange("the result \(coefficient)") }
    self.init(uncheckedCoefficient: fitting, scale: scale)
  }

  /// Returns the amount times a fraction, rounded once at the end.
  func scaled(
    by numerator: UInt64,
    over denominator: UInt64,
    toDigits digits: Int,
    step: Int,
    _ mode: RoundingMode
  ) throws(PriceTagError) -> Amount {
    guard denominator > 0, (0...Self.maximumScale).contains(digits), step > 0 else {
      throw PriceTagError(
        .invalidOption,
        "cannot round to \(digits) digits in steps of \(step)",
        fix: "use 0 to 18 digits and a positive step"
      )
    }
    do throws(AmountProblem) {
      return try scaled(by: numerator, over: denominator, digits: digits, step: step, mode)
    } catch {
      if error == .needsRounding { throw .needsRounding(self, digits, step) }
      let common = greatestCommonDivisor(numerator, denominator)
      throw .outOfRange("\(self) × \(numerator / common)/\(denominator / common)")
    }
  }

  // MARK: Allocation

  /// Divides the amount into equal parts that add up to it. The first parts get the remainder, one minor unit each.
  ///
  ///     try Amount(decimal: "10.00").allocated(over: 3, digits: 2)   // 3.34, 3.33, 3.33
  ///
  /// - Parameters:
  ///   - parts: The number of parts, 1 to 1,000,000.
  ///   - digits: The digits of the minor unit, 0 to 18: ``Currency/minorUnitDigits``.
  /// - Throws: `.invalidOption`; `.needsRounding` if the amount has more decimals than the minor unit.
  public func allocated(over parts: Int, digits: Int) throws(PriceTagError) -> [Amount] {
    guard (1...1_000_000).contains(parts) else {
      throw PriceTagError(
        .invalidOption,
        "cannot divide an amount into \(parts) parts",
        fix: "use 1 to 1000000 parts"
      )
    }
    return try allocated(by: Array(repeating: 1, count: parts), digits: digits)
  }

  /// Divides the amount into parts by weight that add up to it.
  ///
  /// The remainder is distributed one minor unit each, first to the parts that lost the largest fractions. Of parts that
  /// lost the same fraction, the first one comes first.
  ///
  ///     try Amount(decimal: "0.05").allocated(by: [3, 7], digits: 2)   // 0.02, 0.03
  ///
  /// - Parameters:
  ///   - weights: At most 1,000,000 weights, none negative and at least one above zero.
  ///   - digits: The digits of the minor unit, 0 to 18.
  /// - Throws: The errors of ``allocated(over:digits:)``.
  public func allocated(by weights: [Int], digits: Int) throws(PriceTagError) -> [Amount] {
    let total = weights.reduce(Int128(0)) { $0 + Int128($1) }
    guard total > 0, weights.count <= 1_000_000, weights.allSatisfy({ $0 >= 0 }) else {
      throw PriceTagError(
        .invalidOption,
        "cannot divide an amount by these weights",
        fix: "use 1 to 1000000 weights, none negative and at least one above zero"
      )
    }
    let units = Int128(try minorUnits(exponent: digits))
    var shares: [Int128] = []
    var remainders: [(index: Int, remainder: UInt128)] = []
    for (index, weight) in weights.enumerated() {
      // A product of two 64-bit numbers fits 128 bits.
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
