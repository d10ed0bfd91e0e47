/// Writes the ranges of one price formatter.
///
/// Two patterns write a range: one the prefix, the lower bound and the text between the bounds, and one the upper bound
/// and the suffix. They are derived from ICU's text for a sample range, so that ICU decides whether the range repeats the
/// currency. With plurals, each pair of categories has its own patterns. ICU formats a range without patterns.
///
/// Sendable notes: the memory of `slots` is initialized in the initializer, and its elements are atomic.
final class RangeFormatter: @unchecked Sendable {
  private typealias Pair = (low: CompiledPattern, high: CompiledPattern)
  private typealias Bytes = (low: PatternBytes, high: PatternBytes)

  /// The patterns of ranges whose bounds have two plural categories.
  ///
  /// Sendable notes: the memory of `bytes` is immutable, and the patterns own it.
  private final class Patterns: @unchecked Sendable {
    /// The bytes of the patterns of the lower and upper bound; `nil` if no patterns reproduce ICU's text.
    let bytes: Bytes?
    private let pair: Pair?

    init(_ pair: Pair?) {
      self.pair = pair
      bytes = pair.map { ($0.low.bytes, $0.high.bytes) }
    }

    /// Returns the text of a range; `nil` without patterns.
    func text(_ low: Amount, _ high: Amount) -> String? {
      guard let bytes else { return nil }
      func text(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> String? {
        guard let output = buffer.baseAddress else { return nil }
        let count = RangeFormatter.write(low, high, bytes, to: output)
        return String(formattedUTF8: output, count: count)
      }
      // A constant size of at most 1,024 bytes keeps the buffer on the stack.
      if bytes.low.capacity + bytes.high.capacity <= PatternBytes.maximumCapacity {
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PatternBytes.maximumCapacity, text)
      }
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * PatternBytes.maximumCapacity, text)
    }
  }

  private let icu: ICUNumberFormatter
  /// The pattern of single prices; `nil` if ICU formats all ranges.
  private let single: CompiledPattern?
  /// The patterns by the categories of the lower and of the upper bound. They are compiled when they are first used.
  private let slots: UnsafeMutablePointer<SetOnce<Patterns>>
  private let slotCount: Int
  /// Whether all ranges have the same patterns.
  private let isUniform: Bool

  /// Creates the formatter of ranges; returns `nil` if ICU fails.
  ///
  /// - Parameters:
  ///   - options: The options of single prices.
  ///   - pattern: The pattern of single prices, or `nil`.
  init?(_ options: ICUNumberOptions, single pattern: CompiledPattern?) {
    guard let icu = ICUNumberFormatter(options, isRange: true) else { return nil }
    self.icu = icu
    // With plurals, a fraction of zeros that is omitted changes the category.
    let hasPatterns = pattern?.plurals == nil || pattern?.integerVariant == nil
    single = hasPatterns ? pattern : nil
    isUniform = single != nil && single?.plurals == nil
    let count = single?.plurals?.categories.count ?? 1
    slotCount = count * count
    slots = .allocate(capacity: slotCount)
    for index in 0..<slotCount { (slots + index).initialize(to: SetOnce()) }
  }

  deinit {
    slots.deinitialize(count: slotCount)
    slots.deallocate()
  }

  /// Returns the text of a range; `nil` if ICU fails.
  ///
  /// - Parameters:
  ///   - low: The lower bound, already rounded.
  ///   - high: The upper bound, already rounded, above the lower one.
  func text(_ low: Amount, _ high: Amount) -> String? {
    if let (slot, categories) = slot(low, high) {
      let text = slot.pointee.with { $0.text(low, high) } ?? patterns(slot, categories).text(low, high)
      if let text { return text }
    }
    return icuText(low, high)?.string
  }

  /// Returns ICU's text of a range, with its fields; `nil` if ICU fails.
  func icuText(_ low: Amount, _ high: Amount) -> ICUText? { icu.format(low, high) }

  /// A Boolean value that indicates whether patterns write the range of two amounts.
  func isCompiled(_ low: Amount, _ high: Amount) -> Bool {
    guard let (slot, categories) = slot(low, high) else { return false }
    return patterns(slot, categories).bytes != nil
  }

  private typealias Categories = (low: Int, high: Int)

  /// Returns the place of the patterns of a range, and the categories of its bounds; `nil` if ICU formats it.
  private func slot(
    _ low: Amount,
    _ high: Amount
  ) -> (UnsafeMutablePointer<SetOnce<Patterns>>, Categories)? {
    // The sign of a negative lower bound decides how ICU collapses the range.
    if low.isNegative { return nil }
    if isUniform { return (slots, (0, 0)) }
    guard let single, let lowCategory = single.category(of: low),
      let highCategory = single.category(of: high)
    else { return nil }
    let index = lowCategory * (single.plurals?.categories.count ?? 1) + highCategory
    return (slots + index, (lowCategory, highCategory))
  }

  private func patterns(_ slot: UnsafeMutablePointer<SetOnce<Patterns>>, _ categories: Categories) -> Patterns
  {
    if let patterns = slot.pointee.load() { return patterns }
    guard let single else { return Patterns(nil) }
    return slot.pointee.storeIfNil(Patterns(compiledPair(single, categories.low, categories.high)))
  }

  @inline(__always)
  private static func write(
    _ low: Amount,
    _ high: Amount,
    _ bytes: Bytes,
    to output: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let count = bytes.low.write(low, to: output)
    return count + bytes.high.write(high, to: output + count)
  }

  // MARK: Compiling

  private func compiledPair(_ single: CompiledPattern, _ lowCategory: Int, _ highCategory: Int) -> Pair? {
    let examples = Self.examples(single)
    guard let low = examples.first(where: { single.category(of: $0) == lowCategory }),
      let high = examples.last(where: { single.category(of: $0) == highCategory }), low < high,
      let text = icu.format(low, high),
      let (prefix, middle, suffix) = Self.affixes(in: text)
    else { return nil }
    let pair = (
      low: Self.pattern(single, prefix: prefix, suffix: middle),
      high: Self.pattern(single, prefix: [], suffix: suffix)
    )
    let capacity = pair.low.bytes.capacity + pair.high.bytes.capacity
    guard capacity <= 2 * PatternBytes.maximumCapacity else { return nil }
    // Amounts with other categories are left out, as their ranges have other patterns.
    let probes =
      [examples.first ?? low, low, high] + Self.largeExamples(single.standardVariant.fractionDigits)
    for (index, first) in probes.enumerated() where single.category(of: first) == lowCategory {
      for second in probes[index...] where first < second && single.category(of: second) == highCategory {
        guard reproducesICU(first, second, pair) else { return nil }
      }
    }
    return pair
  }

  private func reproducesICU(_ low: Amount, _ high: Amount, _ pair: Pair) -> Bool {
    guard let expected = icu.format(low, high)?.utf8 else { return false }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * PatternBytes.maximumCapacity) {
      buffer in
      guard let output = buffer.baseAddress else { return false }
      let count = Self.write(low, high, (pair.low.bytes, pair.high.bytes), to: output)
      return UnsafeBufferPointer(start: output, count: count).elementsEqual(expected)
    }
  }

  /// Returns amounts, in order, that are examples of all plural categories.
  ///
  /// Without plurals, the first and the last one have a fraction, so that they are written with one in styles that omit
  /// zeros.
  private static func examples(_ single: CompiledPattern) -> [Amount] {
    let hasPlurals = single.plurals != nil
    // Millions have a category of their own in Spanish, and zero has one in Arabic.
    let integers: [Int64] = Array(0...120) + [200, 900] + (hasPlurals ? [1_000_000, 5_000_000] : [])
    let scale = min(single.standardVariant.fractionDigits, 2)
    let fractions: [[Int64]] = [[0], [5, 0], [95, 50, 51, 21, 20, 15, 11, 10, 5, 0]]
    var amounts: [Amount] = []
    for integer in integers {
      for fraction in fractions[scale].reversed() {
        amounts.append(Amount(uncheckedCoefficient: integer * powerOfTen(scale) + fraction, scale: scale))
      }
    }
    if scale > 0, !hasPlurals { amounts.removeFirst() }
    return amounts
  }

  private static func largeExamples(_ fractionDigits: Int) -> [Amount] {
    let scale = min(fractionDigits, 2)
    let integers: [Int64] = [1_234, 5_000, 98_765_432, 234_567_890_123]
    let fraction: Int64 = scale > 0 ? 5 : 0
    let fractional = integers.map {
      Amount(uncheckedCoefficient: $0 * powerOfTen(scale) + fraction, scale: scale)
    }
    return fractional + [Amount(uncheckedCoefficient: 6_000_000_000, scale: 0)]
  }

  /// Returns the text before, between and after two numbers; `nil` if the text has fewer or more numbers.
  private static func affixes(in text: ICUText) -> (prefix: [UInt8], middle: [UInt8], suffix: [UInt8])? {
    var numbers: [Range<Int>] = []
    var isAfterGroup = false
    for field in text.fields {
      // A fraction and the digits after a group separator belong to the number that was found last.
      if field.type == .fraction || (field.type == .integer && isAfterGroup), let number = numbers.popLast() {
        numbers.append(number.lowerBound..<field.range.upperBound)
      } else if field.type == .integer {
        numbers.append(field.range)
      }
      isAfterGroup = field.type == .group
    }
    guard numbers.count == 2, numbers[0].upperBound <= numbers[1].lowerBound else { return nil }
    return (
      Array(text.utf8[..<numbers[0].lowerBound]),
      Array(text.utf8[numbers[0].upperBound..<numbers[1].lowerBound]),
      Array(text.utf8[numbers[1].upperBound...])
    )
  }

  /// Returns the pattern of one bound, with the number of single prices.
  private static func pattern(_ single: CompiledPattern, prefix: [UInt8], suffix: [UInt8]) -> CompiledPattern
  {
    let affixes = CompiledPattern.Affixes(prefix: prefix, suffix: suffix, prefixParts: [], suffixParts: [])
    func variant(_ fractionDigits: Int) -> CompiledPattern.Variant {
      CompiledPattern.Variant(
        fractionDigits: fractionDigits,
        affixes: [.init(positive: affixes, negative: affixes)]
      )
    }
    return CompiledPattern(
      number: single.number,
      standardVariant: variant(single.standardVariant.fractionDigits),
      integerVariant: single.integerVariant.map { variant($0.fractionDigits) },
      plurals: nil
    )
  }
}
