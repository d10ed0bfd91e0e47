import Synchronization

/// Derives a pattern from ICU's output, and verifies that the pattern reproduces it.
///
/// The compiler formats a few sample amounts with ICU. The fields that ICU reports give the prefix, digits, separators
/// and suffix. The compiler then compares the pattern's output with ICU's for the samples and for other amounts. If one
/// byte differs, there is no pattern.
struct PatternCompiler {
  private let icu: ICUNumberFormatter
  private let options: ICUNumberOptions
  private let samples = Samples()

  init(icu: ICUNumberFormatter, options: ICUNumberOptions) {
    self.icu = icu
    self.options = options
  }

  /// Compiles the pattern; returns `nil` if no pattern can reproduce ICU's output.
  func compile() -> CompiledPattern? {
    guard options.takesPlural else { return verifiedPattern(plurals: nil) }
    guard let rules = PluralRules(icuLocale: options.locale) else { return nil }
    return verifiedPattern(plurals: (rules, rules.categories))
  }

  private typealias Plurals = (rules: PluralRules, categories: [PluralRules.Category])

  private func verifiedPattern(plurals: Plurals?) -> CompiledPattern? {
    guard let negative = sampleAmount(-1_234_567_890), let negativeText = formatSample(negative),
      let positive = sampleAmount(1_234), let positiveText = formatSample(positive),
      let number = number(in: negativeText, fourDigits: positiveText)
    else { return nil }
    let standardVariant: CompiledPattern.Variant
    if let plurals {
      guard let variant = variant(isInteger: false, plurals) else { return nil }
      standardVariant = variant
    } else {
      guard let positive = CompiledPattern.Affixes(around: positiveText),
        let negative = CompiledPattern.Affixes(around: negativeText)
      else { return nil }
      standardVariant = CompiledPattern.Variant(
        fractionDigits: options.fractionDigits,
        affixes: [.init(positive: positive, negative: negative)]
      )
    }
    var integerVariant: CompiledPattern.Variant?
    if options.trimsZeroFraction, options.fractionDigits > 0 {
      guard let variant = variant(isInteger: true, plurals) else { return nil }
      integerVariant = variant
    }
    let pattern = CompiledPattern(
      number: number,
      standardVariant: standardVariant,
      integerVariant: integerVariant,
      plurals: plurals
    )
    return pattern.bytes.capacity <= PatternBytes.maximumCapacity && reproducesICU(pattern)
      ? pattern : nil
  }

  /// The amounts that the pattern is derived from, with ICU's text for each.
  private final class Samples {
    var texts: [(amount: Amount, utf8: [UInt8])] = []
  }

  /// Formats an amount with ICU, and records it for the verification.
  private func formatSample(_ amount: Amount) -> ICUText? {
    let text = icu.format(amount)
    if let text { samples.texts.append((amount, text.utf8)) }
    return text
  }

  // MARK: Numbers

  /// Returns an amount with these integer digits, and with a fraction other than zero if the style displays one.
  private func sampleAmount(_ integer: Int64, isInteger: Bool = false) -> Amount? {
    if isInteger || options.fractionDigits == 0 { return Amount(uncheckedCoefficient: integer, scale: 0) }
    // One fraction digit is enough: ICU fills up the others.
    let (magnitude, overflow) = integer.magnitude.multipliedReportingOverflow(by: 10)
    guard !overflow, let coefficient = Int64(exactly: magnitude + 5) else { return nil }
    return Amount(uncheckedCoefficient: integer < 0 ? -coefficient : coefficient, scale: 1)
  }

  /// Returns the digits, separators and group sizes in ICU's text for 1234567890.
  private func number(in text: ICUText, fourDigits: ICUText) -> CompiledPattern.Number? {
    let chunks = text.fields.filter { $0.type == .integer }
    let groups = text.fields.filter { $0.type == .group }.map { Array(text.utf8[$0.range]) }
    var digits: [[UInt8]] = []
    for chunk in chunks {
      digits += String(decoding: text.utf8[chunk.range], as: UTF8.self).unicodeScalars.map {
        Array(String($0).utf8)
      }
    }
    guard digits.count == 10, let zero = digits.popLast(), digits.allSatisfy({ $0.count == zero.count }),
      zero.count > 1 || zero == [UInt8(ascii: "0")], groups.allSatisfy({ $0 == groups.first })
    else { return nil }
    // The text between the integer and the fraction is the decimal separator, whatever ICU calls it: for the Cape Verde
    // escudo it is the currency symbol.
    var decimal: [UInt8] = []
    var decimalType = FormattedPrice.PartType.decimal
    if options.fractionDigits > 0 {
      guard let integerEnd = chunks.last?.range.upperBound,
        let fraction = text.fields.first(where: { $0.type == .fraction }),
        integerEnd < fraction.range.lowerBound
      else { return nil }
      decimal = Array(text.utf8[integerEnd..<fraction.range.lowerBound])
      decimalType = text.fields.first { $0.range.lowerBound == integerEnd }?.type ?? .decimal
    }
    let digitCounts = chunks.map { $0.range.count / zero.count }
    var (primary, secondary, minimum) = (1, 1, Int.max)
    if !groups.isEmpty, let last = digitCounts.last {
      (primary, secondary) = (last, digitCounts.count > 2 ? digitCounts[digitCounts.count - 2] : last)
      guard primary > 0, secondary > 0,
        let found = minimumGroupedDigitCount(primary: primary, fourDigits: fourDigits)
      else { return nil }
      minimum = found
    }
    return CompiledPattern.Number(
      digits: [zero] + digits,
      group: groups.first ?? [],
      decimal: decimal,
      decimalType: decimalType,
      primaryGroupSize: primary,
      secondaryGroupSize: secondary,
      minimumGroupedDigitCount: minimum
    )
  }

  private func minimumGroupedDigitCount(primary: Int, fourDigits: ICUText) -> Int? {
    for count in (primary + 1)...10 {
      guard let text = count == 4 ? fourDigits : sampleAmount(powerOfTen(count - 1)).flatMap(formatSample)
      else {
        return nil
      }
      if text.fields.contains(where: { $0.type == .group }) { return count }
    }
    return nil
  }

  // MARK: Affixes

  private func variant(isInteger: Bool, _ plurals: Plurals?) -> CompiledPattern.Variant? {
    let fractionDigits = isInteger ? 0 : options.fractionDigits
    guard let plurals else {
      guard let amount = sampleAmount(1, isInteger: isInteger),
        let affixes = CompiledPattern.SignedAffixes(of: amount, formatSample)
      else { return nil }
      return CompiledPattern.Variant(fractionDigits: fractionDigits, affixes: [affixes])
    }
    var affixes: [CompiledPattern.SignedAffixes?] = []
    for category in plurals.categories {
      // No displayed number has a category without an example. If one had, ICU would format it.
      guard let example = example(of: category, plurals.rules, fractionDigits) else {
        affixes.append(nil)
        continue
      }
      let signedAffixes = CompiledPattern.SignedAffixes(of: example, formatSample)
      // In Arabic, "a day" and "two days" have no digits. ICU formats periods without digits.
      if case .period = options.unit {} else if signedAffixes == nil { return nil }
      affixes.append(signedAffixes)
    }
    return CompiledPattern.Variant(fractionDigits: fractionDigits, affixes: affixes)
  }

  /// What an example depends on. Many locales have the same rules.
  private struct ExampleKey: Hashable {
    let rules: [UInt8]
    let category: PluralRules.Category
    let fractionDigits: Int
    let trims: Bool
  }

  /// The examples found so far, because a search evaluates the rules for up to 15,000 amounts.
  private static let examples = Mutex<[ExampleKey: Amount?]>([:])

  /// Returns an amount that has a plural category when it is displayed with a number of fraction digits. It is above zero,
  /// unless only zero has the category.
  private func example(
    of category: PluralRules.Category,
    _ rules: PluralRules,
    _ fractionDigits: Int
  ) -> Amount? {
    let trims = options.trimsZeroFraction && fractionDigits > 0
    let key = ExampleKey(rules: rules.bytes, category: category, fractionDigits: fractionDigits, trims: trims)
    if let found = Self.examples.withLock({ $0[key] }) { return found }
    let example = Self.findExample(of: category, rules, fractionDigits, trims: trims)
    Self.examples.withLock { $0[key] = .some(example) }
    return example
  }

  private static func findExample(
    of category: PluralRules.Category,
    _ rules: PluralRules,
    _ fractionDigits: Int,
    trims: Bool
  ) -> Amount? {
    let fractions: [Int64] = fractionDigits == 0 ? [0] : fractionDigits == 1 ? Array(0...9) : Array(0...99)
    func example(_ integers: [Int64], scale: Int) -> Amount? {
      for fraction in fractions where !(trims && fraction == 0) {
        for integer in integers where integer != 0 || fraction != 0 {
          let amount = Amount(uncheckedCoefficient: integer * powerOfTen(scale) + fraction, scale: scale)
          if rules.category(for: .init(amount, fractionDigits: fractionDigits)) == category { return amount }
        }
      }
      return nil
    }
    if let amount = example(Array(0...110) + [1_000, 1_000_000], scale: min(fractionDigits, 2)) {
      return amount
    }
    // In some languages, the last digits of the fraction decide: in Croatian, 0.001 and 0.003 have different categories.
    if (3...PluralOperands.exactDigitCount).contains(fractionDigits),
      let amount = example([0, 1, 2], scale: fractionDigits)
    {
      return amount
    }
    // ICU writes zero in the same way with both signs.
    return rules.zeroCategories.contains(category) && !trims ? .zero : nil
  }

  // MARK: Verification

  /// Returns whether a pattern writes the same bytes as ICU.
  ///
  /// The comparison covers the samples and other amounts: zero, below one, small and large, with and without groups, with
  /// and without a fraction, positive and negative.
  private func reproducesICU(_ pattern: CompiledPattern) -> Bool {
    let digits = min(options.fractionDigits, 2)
    let probes: [(coefficient: Int64, scale: Int)] = [
      (0, 0), (-7, digits), (98_765, digits), (234_567_890, digits), (-123_456_789_012_345_678, 0),
    ]
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PatternBytes.maximumCapacity) { buffer in
      guard let output = buffer.baseAddress else { return false }
      func written(_ amount: Amount) -> UnsafeBufferPointer<UInt8>? {
        pattern.write(amount, to: output).map { UnsafeBufferPointer(start: output, count: $0) }
      }
      // Amounts that the pattern leaves to ICU need no comparison.
      return samples.texts.allSatisfy { written($0.amount)?.elementsEqual($0.utf8) ?? true }
        && probes.allSatisfy { probe in
          let amount = Amount(uncheckedCoefficient: probe.coefficient, scale: probe.scale)
          return written(amount).map { icu.writes(amount, as: $0) } ?? true
        }
    }
  }
}

extension CompiledPattern.Affixes {
  /// Creates the affixes around the number of ICU's text; returns `nil` if it has no number.
  init?(around text: ICUText) {
    let isNumber = { (field: ICUText.Field) in field.type == .integer || field.type == .fraction }
    guard let start = text.fields.first(where: isNumber)?.range.lowerBound,
      let end = text.fields.last(where: isNumber)?.range.upperBound
    else { return nil }
    let parts = text.parts
    func affixParts(_ range: Range<Int>) -> [Part] {
      parts.filter { range.contains($0.range.lowerBound) }.map { .init(type: $0.type, count: $0.range.count) }
    }
    self.init(
      prefix: Array(text.utf8[..<start]),
      suffix: Array(text.utf8[end...]),
      prefixParts: affixParts(0..<start),
      suffixParts: affixParts(end..<text.utf8.count)
    )
  }
}

extension CompiledPattern.SignedAffixes {
  /// Reads the affixes from the texts of a positive amount and its opposite; returns `nil` if ICU cannot format them.
  init?(of amount: Amount, _ format: (Amount) -> ICUText?) {
    guard let text = format(amount), let positive = CompiledPattern.Affixes(around: text),
      let negativeText = format(amount.opposite), let negative = CompiledPattern.Affixes(around: negativeText)
    else { return nil }
    self.init(positive: positive, negative: negative)
  }
}
