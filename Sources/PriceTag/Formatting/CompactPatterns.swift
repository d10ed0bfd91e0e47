// The patterns of a compact notation.
extension CompactFormatter {
  /// The pattern of one magnitude and one number of fraction digits.
  ///
  /// Sendable notes: the memory of `bytes` is immutable, and the pattern owns it.
  final class Member: @unchecked Sendable {
    /// The pattern, with affixes by category; `nil` if ICU formats the prices.
    let pattern: CompiledPattern?
    /// The bytes of the pattern.
    let bytes: PatternBytes?
    /// The category of each mantissa, as an integer of all its displayed digits; `unknown` for ICU. It is empty if the
    /// category is computed.
    let table: [UInt8]
    /// The number of categories that have a place for affixes in the pattern.
    let categoryCount: Int
    /// Whether all prices have the same affixes.
    let isUniform: Bool
    /// Whether ICU formats every price because no pattern reproduces its output.
    let isUnproven: Bool

    static let unknown = UInt8.max

    init(pattern: CompiledPattern?, table: [UInt8] = [], isUniform: Bool = false, isUnproven: Bool = false) {
      (self.pattern, self.table, self.isUniform) = (pattern, table, isUniform)
      bytes = pattern?.bytes
      categoryCount = pattern?.standardVariant.affixes.count ?? 0
      self.isUnproven = isUnproven
    }
  }

  /// A Boolean value that indicates whether patterns write the prices of all magnitudes. This compiles all patterns.
  var isCompiled: Bool {
    guard number != nil else { return false }
    return (0...Self.maximumMagnitude).allSatisfy { magnitude in
      fractionDigits(of: magnitude).allSatisfy { !member(magnitude, $0).isUnproven }
    }
  }

  /// Returns the numbers of fraction digits that amounts of a magnitude can have.
  private func fractionDigits(of magnitude: Int) -> [Int] {
    if let digits { return (trimsZeros && digits.lowerBound > 0 ? [0] : []) + Array(digits) }
    if magnitude == 0 { return Array(0...Amount.maximumScale) }
    return magnitude == exponents[magnitude] ? [0, 1] : [0]
  }

  @inline(__always)
  func slot(_ magnitude: Int, _ fractionDigits: Int) -> UnsafeMutablePointer<SetOnce<Member>> {
    members + (magnitude * digitCounts + fractionDigits)
  }

  @inline(__always)
  func member(_ shown: Shown) -> Member { member(shown.magnitude, shown.fractionDigits) }

  @inline(__always)
  private func member(_ magnitude: Int, _ fractionDigits: Int) -> Member {
    let slot = slot(magnitude, fractionDigits)
    if let member = slot.pointee.load() { return member }
    return slot.pointee.storeIfNil(compiledMember(magnitude, fractionDigits))
  }

  /// Returns the index of the affixes of an amount; `nil` if only ICU can decide.
  @inline(__always)
  func category(of shown: Shown, _ amount: Amount, _ member: Member) -> Int? {
    if member.isUniform { return 0 }
    if member.table.isEmpty {
      // No sample may have had the category.
      guard let index = category(shown.mantissa, shown.fractionDigits, amount), index < member.categoryCount
      else { return nil }
      return index
    }
    let zeros = powerOfTen(shown.fractionDigits - shown.mantissa.scale)
    let index = Int(clamping: shown.mantissa.coefficient.magnitude.multipliedFullWidth(by: UInt64(zeros)).low)
    guard index < member.table.count, member.table[index] != Member.unknown else { return nil }
    return Int(member.table[index])
  }

  /// Computes the index of the affixes of an amount: CLDR has patterns for the mantissas 0 and 1, and one for each plural
  /// category. With a full name, the plural category of the amount counts too.
  private func category(_ mantissa: Amount, _ fractionDigits: Int, _ amount: Amount) -> Int? {
    guard let rules else { return nil }
    var index: Int
    if mantissa.isZeroOrOne {
      index = mantissa.isZero ? 0 : 1
    } else if categories.count == 1 {
      index = 2
    } else {
      let operands = PluralRules.Operands(mantissa, fractionDigits: fractionDigits)
      guard operands.areExactInICU, let category = categories.firstIndex(of: rules.category(for: operands))
      else { return nil }
      index = 2 + category
    }
    guard options.takesPlural else { return index }
    // ICU selects the name before it divides the amount, which then has the digits that the style would display.
    let normalized = amount.normalized
    let minimum = digits?.lowerBound ?? 0
    let count = trimsZeros && normalized.scale == 0 ? 0 : max(normalized.scale, minimum)
    let operands = PluralRules.Operands(normalized, fractionDigits: count)
    guard operands.areExactInICU, let category = categories.firstIndex(of: rules.category(for: operands))
    else { return nil }
    index = index * categories.count + category
    return index
  }

  /// Amounts with one category.
  private struct Examples {
    let first: Amount
    var last: Amount
  }

  private func compiledMember(_ magnitude: Int, _ fractionDigits: Int) -> Member {
    guard let number else { return Member(pattern: nil, isUnproven: true) }
    var examples: [Int: Examples] = [:]
    var table: [UInt8] = []
    var isComplete = true
    func add(_ mantissa: Amount) -> Int? {
      guard let amount = amount(mantissa, exponents[magnitude]), let shown = shown(amount),
        shown.magnitude == magnitude, shown.fractionDigits == fractionDigits,
        let category = category(shown.mantissa, fractionDigits, amount)
      else { return nil }
      if examples[category] == nil { examples[category] = Examples(first: amount, last: amount) }
      examples[category]?.last = amount
      return category
    }
    if let mantissas = allMantissas(magnitude, fractionDigits) {
      table = [UInt8](repeating: Member.unknown, count: mantissas.upperBound)
      for coefficient in mantissas {
        let mantissa = Amount(uncheckedCoefficient: Int64(coefficient), scale: fractionDigits)
        if let category = add(mantissa) { table[coefficient] = UInt8(category) }
      }
    } else {
      isComplete = false
      for mantissa in sampleMantissas(magnitude, fractionDigits) { _ = add(mantissa) }
    }
    // Without an example, no amount is displayed so.
    if examples.isEmpty { return Member(pattern: nil) }
    return member(number, fractionDigits, examples, table, isComplete: isComplete)
  }

  private func member(
    _ number: CompiledPattern.Number,
    _ fractionDigits: Int,
    _ examples: [Int: Examples],
    _ table: [UInt8],
    isComplete: Bool
  ) -> Member {
    var affixes: [CompiledPattern.SignedAffixes?] = []
    for category in 0...(examples.keys.max() ?? 0) {
      affixes.append(examples[category].flatMap { .init(of: $0.first, icu.format) })
    }
    let found = affixes.compactMap(\.self)
    var isUniform = isComplete && found.count == examples.count
    if isUniform, let first = found.first {
      isUniform = found.allSatisfy { $0 == first }
      if isUniform { affixes = [first] }
    }
    let pattern = CompiledPattern(
      number: number,
      standardVariant: CompiledPattern.Variant(fractionDigits: fractionDigits, affixes: affixes),
      integerVariant: nil,
      plurals: nil
    )
    guard pattern.bytes.capacity <= PatternBytes.maximumCapacity,
      examples.allSatisfy({ category, examples in
        let index = isUniform ? 0 : category
        return affixes[index] == nil
          || reproducesICU(pattern, examples.first, index) && reproducesICU(pattern, examples.last, index)
      })
    else { return Member(pattern: nil, isUnproven: true) }
    return Member(pattern: pattern, table: isUniform ? [] : table, isUniform: isUniform)
  }

  /// Returns the mantissas of a magnitude, as integers of all their digits, if there are at most a thousand.
  private func allMantissas(_ magnitude: Int, _ fractionDigits: Int) -> Range<Int>? {
    let digits = magnitude - exponents[magnitude] + fractionDigits
    guard digits <= 2 else { return nil }
    return (magnitude == 0 ? 0 : Int(powerOfTen(digits)))..<Int(powerOfTen(digits + 1))
  }

  /// Returns mantissas of a magnitude of which most plural categories have an example.
  private func sampleMantissas(_ magnitude: Int, _ fractionDigits: Int) -> [Amount] {
    let lowest = powerOfTen(magnitude - exponents[magnitude])
    var integers = (0...110).map { lowest + $0 } + [2 * lowest, 2 * lowest + 1, 5 * lowest]
    if magnitude == 0 { integers = Array(0...9) }
    var mantissas = integers.map { Amount(uncheckedCoefficient: $0, scale: 0) }
    var fractions: [(value: Int64, scale: Int)] = []
    if fractionDigits > 0 { fractions += (1...9).map { ($0, 1) } }
    for scale in Set([2, fractionDigits - 1, fractionDigits]) where scale >= 2 && scale <= fractionDigits {
      fractions += [1, 2, 5, 10, 11, 12, 21, 25, 99].map { ($0, scale) }
    }
    let fewIntegers = integers.filter {
      [0, 1, 2, 3, 5, 11, 12].contains($0 - (magnitude == 0 ? 0 : lowest))
    }
    for (value, scale) in fractions {
      for integer in fewIntegers {
        let (product, overflow) = integer.multipliedReportingOverflow(by: powerOfTen(scale))
        let (sum, carry) = product.addingReportingOverflow(value)
        if !overflow, !carry { mantissas.append(Amount(uncheckedCoefficient: sum, scale: scale)) }
      }
    }
    return mantissas
  }

  /// Returns a mantissa times a power of ten; `nil` if it is out of range.
  private func amount(_ mantissa: Amount, _ exponent: Int) -> Amount? {
    if mantissa.scale >= exponent {
      return Amount(uncheckedCoefficient: mantissa.coefficient, scale: mantissa.scale - exponent)
    }
    let (coefficient, overflow) = mantissa.coefficient.multipliedReportingOverflow(
      by: powerOfTen(exponent - mantissa.scale)
    )
    return overflow ? nil : Amount(uncheckedCoefficient: coefficient, scale: 0)
  }

  /// Returns whether the pattern writes an amount and its opposite as ICU does.
  private func reproducesICU(_ pattern: CompiledPattern, _ amount: Amount, _ category: Int) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PatternBytes.maximumCapacity) { buffer in
      guard let output = buffer.baseAddress else { return false }
      return [amount, amount.opposite].allSatisfy { amount in
        guard let shown = shown(amount) else { return false }
        let count = pattern.bytes.write(shown.mantissa, category: category, to: output)
        return count >= 0 && icu.writes(amount, as: UnsafeBufferPointer(start: output, count: count))
      }
    }
  }
}
