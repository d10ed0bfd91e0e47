/// Learns a pattern from what ICU writes, and proves it.
///
/// A handful of numbers is formatted; ICU's fields tell prefix, digits, separators and suffix. The stamp made of
/// them then writes these numbers again and a set of others, and where one byte differs from ICU's there is no stamp.
struct StampCompiler {
  private let icu: ICUNumberFormatter
  private let options: ICUNumberOptions
  private let lessons = Lessons()

  init(icu: ICUNumberFormatter, options: ICUNumberOptions) {
    self.icu = icu
    self.options = options
  }

  /// The stamp; `nil` where ICU's output cannot be reproduced.
  func stamp() -> PriceStamp? {
    guard options.takesPlural else { return provenStamp(plurals: nil) }
    guard let rules = PluralRules(icuLocale: options.locale) else { return nil }
    return provenStamp(plurals: (rules, rules.categories))
  }

  private typealias Plurals = (rules: PluralRules, categories: [PluralRules.Category])

  private func provenStamp(plurals: Plurals?) -> PriceStamp? {
    guard let negative = sample(-1_234_567_890), let negativeText = learn(negative),
      let positive = sample(1_234), let positiveText = learn(positive),
      let number = learnNumber(negativeText, fourDigits: positiveText)
    else { return nil }
    let shape: PriceStamp.Shape
    if let plurals {
      guard let learned = learnShape(isWhole: false, plurals) else { return nil }
      shape = learned
    } else {
      guard let positive = affixes(of: positiveText), let negative = affixes(of: negativeText) else {
        return nil
      }
      shape = PriceStamp.Shape(fractionDigits: options.fractionDigits, affixes: [(positive, negative)])
    }
    var wholeShape: PriceStamp.Shape?
    if options.trimsWholeFraction, options.fractionDigits > 0 {
      guard let learned = learnShape(isWhole: true, plurals) else { return nil }
      wholeShape = learned
    }
    let stamp = PriceStamp(number: number, shape: shape, wholeShape: wholeShape, plurals: plurals)
    return stamp.image.pointee.capacity <= StampImage.maximumCapacity && proves(stamp) ? stamp : nil
  }

  /// The numbers that the stamp is learned from, and what ICU writes for them.
  private final class Lessons {
    var texts: [(amount: Amount, utf8: [UInt8])] = []
  }

  private func learn(_ amount: Amount) -> ICUText? {
    let text = icu.format(amount)
    if let text { lessons.texts.append((amount, text.utf8)) }
    return text
  }

  // MARK: Numbers

  /// A number of these digits before the point, with a fraction that is not zero where one is displayed.
  private func sample(_ integer: Int64, isWhole: Bool = false) -> Amount? {
    if isWhole || options.fractionDigits == 0 { return Amount(uncheckedCoefficient: integer, scale: 0) }
    // One digit of fraction is enough to show all of it.
    let (magnitude, overflow) = integer.magnitude.multipliedReportingOverflow(by: 10)
    guard !overflow, let coefficient = Int64(exactly: magnitude + 5) else { return nil }
    return Amount(uncheckedCoefficient: integer < 0 ? -coefficient : coefficient, scale: 1)
  }

  /// Digits, separators and groups, from the text of 1234567890, and then from as few digits as are still grouped.
  private func learnNumber(_ text: ICUText, fourDigits: ICUText) -> PriceStamp.Number? {
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
    // Between the integer and the fraction stands the decimal separator, whatever ICU calls it: the escudo's
    // symbol takes its place.
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
    guard let group = groups.first, let primary = digitCounts.last else {
      return PriceStamp.Number(
        digits: [zero] + digits,
        group: [],
        decimal: decimal,
        decimalType: decimalType,
        primaryGroup: 1,
        secondaryGroup: 1,
        fewestGroupedDigits: .max
      )
    }
    let secondary = digitCounts.count > 2 ? digitCounts[digitCounts.count - 2] : primary
    guard primary > 0, secondary > 0,
      let fewest = fewestGroupedDigits(primary: primary, fourDigits: fourDigits)
    else {
      return nil
    }
    return PriceStamp.Number(
      digits: [zero] + digits,
      group: group,
      decimal: decimal,
      decimalType: decimalType,
      primaryGroup: primary,
      secondaryGroup: secondary,
      fewestGroupedDigits: fewest
    )
  }

  private func fewestGroupedDigits(primary: Int, fourDigits: ICUText) -> Int? {
    for count in (primary + 1)...10 {
      guard let text = count == 4 ? fourDigits : sample(powersOfTen[count - 1]).flatMap(learn) else {
        return nil
      }
      if text.fields.contains(where: { $0.type == .group }) { return count }
    }
    return nil
  }

  // MARK: Affixes

  private func learnShape(isWhole: Bool, _ plurals: Plurals?) -> PriceStamp.Shape? {
    let fractionDigits = isWhole ? 0 : options.fractionDigits
    guard let plurals else {
      guard let affixes = learnAffixes(of: sample(1, isWhole: isWhole)) else { return nil }
      return PriceStamp.Shape(fractionDigits: fractionDigits, affixes: [affixes])
    }
    var affixes: [(positive: PriceStamp.Affixes, negative: PriceStamp.Affixes)?] = []
    for category in plurals.categories {
      // A category that no such number has is never asked for; were it, the price would go through ICU.
      guard let example = example(of: category, plurals.rules, fractionDigits) else {
        affixes.append(nil)
        continue
      }
      let learned = learnAffixes(of: example)
      // "A day" and "two days" have no digits in Arabic: a length of time without a number is ICU's to say.
      if case .period = options.unit {} else if learned == nil { return nil }
      affixes.append(learned)
    }
    return PriceStamp.Shape(fractionDigits: fractionDigits, affixes: affixes)
  }

  /// A number above zero of a plural category, as it is displayed with so many digits.
  private func example(
    of category: PluralRules.Category,
    _ rules: PluralRules,
    _ fractionDigits: Int
  ) -> Amount? {
    let fractions: [Int64] = fractionDigits == 0 ? [0] : fractionDigits == 1 ? Array(0...9) : Array(0...99)
    let scale = min(fractionDigits, 2)
    let trims = options.trimsWholeFraction && fractionDigits > 0
    for fraction in fractions where !(trims && fraction == 0) {
      for integer in Array(0...110) + [1_000, 1_000_000] where integer != 0 || fraction != 0 {
        let amount = Amount(
          uncheckedCoefficient: Int64(integer) * powersOfTen[scale] + fraction,
          scale: scale
        )
        if rules.category(for: .init(amount, fractionDigits: fractionDigits)) == category { return amount }
      }
    }
    return nil
  }

  private func learnAffixes(
    of amount: Amount?
  ) -> (positive: PriceStamp.Affixes, negative: PriceStamp.Affixes)? {
    guard let amount, let text = learn(amount), let positive = affixes(of: text),
      let negativeText = learn(Amount(uncheckedCoefficient: -amount.coefficient, scale: amount.scale)),
      let negative = affixes(of: negativeText)
    else { return nil }
    return (positive, negative)
  }

  private func affixes(of text: ICUText) -> PriceStamp.Affixes? {
    let isNumber = { (field: ICUText.Field) in field.type == .integer || field.type == .fraction }
    guard let start = text.fields.first(where: isNumber)?.range.lowerBound,
      let end = text.fields.last(where: isNumber)?.range.upperBound
    else { return nil }
    let parts = text.parts
    func learned(_ range: Range<Int>) -> [PriceStamp.Affixes.Part] {
      parts.filter { range.contains($0.range.lowerBound) }.map { .init(type: $0.type, count: $0.range.count) }
    }
    return PriceStamp.Affixes(
      prefix: Array(text.utf8[..<start]),
      suffix: Array(text.utf8[end...]),
      prefixParts: learned(0..<start),
      suffixParts: learned(end..<text.utf8.count)
    )
  }

  // MARK: Proof

  /// Whether the stamp writes what ICU writes: the numbers that it was learned from, and others: zero, less than one,
  /// small and large, with groups and without, with a fraction and without, of either sign.
  private func proves(_ stamp: PriceStamp) -> Bool {
    let digits = min(options.fractionDigits, 2)
    let probes: [(coefficient: Int64, scale: Int)] = [
      (0, 0), (-7, digits), (98_765, digits), (234_567_890, digits), (-123_456_789_012_345_678, 0),
    ]
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: StampImage.maximumCapacity) { buffer in
      guard let output = buffer.baseAddress else { return false }
      func written(_ amount: Amount) -> UnsafeBufferPointer<UInt8>? {
        let count = stamp.write(amount, to: output)
        return count < 0 ? nil : UnsafeBufferPointer(start: output, count: count)
      }
      // A number that the stamp leaves to ICU needs no proof.
      return lessons.texts.allSatisfy { written($0.amount)?.elementsEqual($0.utf8) ?? true }
        && probes.allSatisfy { probe in
          let amount = Amount(uncheckedCoefficient: probe.coefficient, scale: probe.scale)
          return written(amount).map { icu.writes(amount, as: $0) } ?? true
        }
    }
  }
}
