import ICUReference
import PriceTag
import PriceTagSystem
import Testing

@testable import PriceTagStrings

/// Compares `LanguageMatcher` with `icu::LocaleMatcher` for the same available languages.
@Suite struct LanguageComparisonTests {
  /// All of ICU's locales, and some languages used in many countries combined with every territory.
  static let tags: [String] = {
    let regions = Set(
      LocaleTag.listed.compactMap { $0.split(separator: "-").last }.filter {
        $0.utf8.count == 2 && $0.allSatisfy(\.isUppercase)
      }
    )
    let languages = ["ar", "de", "en", "es", "fr", "nl", "pt", "ru", "sw", "zh", "zh-Hans", "zh-Hant"]
    return Set(LocaleTag.listed + languages.flatMap { language in regions.map { "\(language)-\($0)" } })
      .sorted()
  }()

  /// The intentional differences from ICU, with reasons.
  private static let differences: [(reason: String, tags: Set<String>)] = [
    (
      "en-001 is CLDR's parent of en-GB but not of en-US; ICU prefers the variant with most speakers",
      ["en-001"]
    ),
    (
      "CLDR's parent of Hindi in Latin script is en-IN; ICU prefers Hindi in Devanagari",
      ["hi-Latn", "hi-Latn-IN"]
    ),
    (
      "es-419 is the parent of es-JP in recent versions of CLDR; ICU's matcher prefers es-ES",
      StoreStrings.embedded.matcher.match("es-JP").reason == .parent("es-419") ? ["es-JP"] : []
    ),
  ]

  @Test func matchesICUExceptForKnownDifferences() throws {
    let matcher = StoreStrings.embedded.matcher
    let supported = matcher.languages.filter { !$0.isPseudo }.map(\.identifier)
    let reference = try #require(
      withCStrings(supported) { icu_reference_matcher_open($0, Int32(supported.count)) }
    )
    defer { icu_reference_matcher_close(reference) }
    var differences: [String: String] = [:]
    for tag in Self.tags {
      let match = matcher.match(tag)
      let expected = text(filledBy: { icu_reference_matcher_match(reference, tag, $0, $1) })
      if match.reason == .fallback ? expected != nil : match.language.identifier != expected {
        differences[tag] = "\(match), ICU: \(expected ?? "none")"
      }
    }
    #expect(Self.tags.count > 2000)
    let known = Self.differences.reduce(into: Set()) { $0.formUnion($1.tags) }
    #expect(differences.filter { !known.contains($0.key) }.values.sorted() == [])
    #expect(known.filter { differences[$0] == nil }.sorted() == [])
  }
}
