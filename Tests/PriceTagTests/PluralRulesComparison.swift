import ICUReference
import PriceTag
import Testing

/// Compares the plural categories of `PluralRules` with those of ICU in every locale.
@Suite struct PluralRulesComparison {
  private static let languages = Set(
    LocaleTag.listed.map { $0.replacing("-", with: "_") } + ["pt_PT", "und"]
  ).sorted()

  private static let integers =
    (0...200).map { (String($0), 0) } + [("1000", 0), ("1000000", 0), ("2000000", 0), ("1100000", 0)]
  private static let fractions = [
    "0.0", "1.0", "1.00", "0.01", "1.5", "2.50", "10.20", "11.11", "21.1", "1000000.00", "0.21",
  ].map { ($0, $0.split(separator: ".")[1].count) }

  @Test(arguments: [false, true])
  func selectsSameCategoriesAsICU(ordinal: Bool) throws {
    let numbers = Self.integers + (ordinal ? [] : Self.fractions)
    var (comparisons, mismatches) = (0, [String]())
    for locale in Self.languages {
      guard let rules = PluralRules(icuLocale: locale, ordinal: ordinal),
        let reference = icu_reference_plurals_open(locale, ordinal)
      else {
        mismatches.append("\(locale) has no rules")
        continue
      }
      defer { icu_reference_plurals_close(reference) }
      for (number, digits) in numbers {
        var category = [CChar](repeating: 0, count: 32)
        let isSelected = icu_reference_plurals_select(reference, number, Int32(digits), &category, 32)
        let expected = String(
          decoding: category.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
          as: UTF8.self
        )
        let own = rules.category(for: .init(try Amount(decimal: number), fractionDigits: digits)).rawValue
        comparisons += 1
        if !isSelected || own != expected {
          mismatches.append("\(locale) \(number): \(own), ICU \(expected)")
        }
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.prefix(10))")
    #expect(comparisons > 100_000)
  }
}
