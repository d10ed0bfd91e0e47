import ICUReference
import PriceTag
import Testing

@testable import PriceTagStrings

/// The matcher and icu::LocaleMatcher side by side, over the same languages.
@Suite struct LanguageComparisonTests {
  /// Every locale that ICU lists, and the languages of many countries in each territory that ICU knows.
  static let tags: [String] = {
    let regions = Set(
      LocaleTag.listed.compactMap { $0.split(separator: "-").last }.filter {
        $0.utf8.count == 2 && $0.allSatisfy(\.isUppercase)
      }
    )
    let wide = ["ar", "de", "en", "es", "fr", "nl", "pt", "ru", "sw", "zh", "zh-Hans", "zh-Hant"]
    return Set(LocaleTag.listed + wide.flatMap { language in regions.map { "\(language)-\($0)" } }).sorted()
  }()

  /// Where the matcher differs from ICU on purpose, and why.
  static let differences: [(reason: String, tags: Set<String>)] = [
    ("CLDR has en-GB below en-001, and en-US not: ICU takes the English of the most people", ["en-001"]),
    (
      "CLDR's parent of Hindi in Latin letters is en-IN: ICU takes Hindi in letters of its own",
      ["hi-Latn", "hi-Latn-IN"]
    ),
  ]

  @Test func everyDifferenceHasAReason() throws {
    let matcher = StoreStrings.embedded.matcher
    let supported = matcher.languages.filter { !$0.isPseudo }.map(\.identifier)
    let reference = try #require(
      withCStrings(supported) { icu_reference_matcher_open($0, Int32(supported.count)) }
    )
    defer { icu_reference_matcher_close(reference) }
    var found: [String: String] = [:]
    for tag in Self.tags {
      let own = matcher.match(tag)
      let expected = text(filledBy: { icu_reference_matcher_match(reference, tag, $0, $1) })
      if own.reason == .fallback ? expected != nil : own.language.identifier != expected {
        found[tag] = "\(own), ICU: \(expected ?? "none")"
      }
    }
    #expect(Self.tags.count > 2000)
    let known = Self.differences.reduce(into: Set()) { $0.formUnion($1.tags) }
    #expect(found.filter { !known.contains($0.key) }.values.sorted() == [])
    #expect(known.filter { found[$0] == nil }.sorted() == [])
  }
}
