import CICU
import PriceTagSystem
import PriceTagText

/// Suggests locales for unknown tags. It is created for the first unknown tag.
struct LocaleSuggestions: Sendable {
  static let shared = LocaleSuggestions()

  private let listed = LocaleTag.listed
  private let listedByKey: [String: String]
  private let spellings: SpellingIndex
  /// The English names of languages, with their tags.
  private let languages: EnglishNames
  /// The English names of territories, with their codes.
  private let territories: EnglishNames

  private init() {
    listedByKey = Dictionary(listed.map { ($0.lowercased(), $0) }) { first, _ in first }
    spellings = SpellingIndex(listed)
    let named = listed.compactMap { tag in
      text(filledBy: { cicu_display_name(CICUNameLanguage, "en", tag, $0, $1) }).map { (name: $0, code: tag) }
    }
    // Names with parentheses are of a language in a territory. Users do not write them for a locale.
    languages = EnglishNames(named.filter { !$0.name.contains("(") }, minimumPrefix: 4)
    let regions = Set(listed.compactMap { $0.split(separator: "-").last }.filter { $0.utf8.count == 2 })
    // Some of them are languages: ICU has names of regions in upper case, and a missing name is replaced with the code.
    let regionNames = regions.sorted().map { region in
      let code = region.uppercased()
      let name = text(filledBy: { cicu_display_name(CICUNameRegion, "en", code, $0, $1) })
      return (name: name ?? code, code: String(region))
    }
    territories = EnglishNames(
      regionNames + [
        ("America", "US"), ("United States of America", "US"), ("Britain", "GB"), ("England", "GB"),
      ],
      minimumPrefix: 4
    )
  }

  /// Returns the locale that an unknown tag probably means.
  ///
  /// The text may be the code or English name of a territory or language, or a tag with one letter missing, extra or
  /// swapped. A tag with a replaced letter is another language or territory.
  ///
  /// - Parameters:
  ///   - identifier: The unknown tag.
  ///   - needsTerritory: Whether to suggest `en-US` for `english`, and not `en`.
  func locale(for identifier: String, needsTerritory: Bool) -> String? {
    guard let spelling = Spelling(identifier) else { return nil }
    let key = String(decoding: spelling.letters, as: UTF8.self)
    let subtags = key.split(separator: "-", maxSplits: 8, omittingEmptySubsequences: false)
    // "us" and "jp-JP" mean the territory.
    if let last = subtags.last, subtags.count == 1 || (subtags.count == 2 && subtags.first == last),
      let likely = Self.likelyLocale(ofRegion: String(last))
    {
      return likely
    }
    if let language = languages.code(of: identifier) {
      let likely = text(filledBy: { cicu_locale_for_language(language, $0, $1) })
      return needsTerritory ? likely ?? language : language
    }
    if let region = territories.code(of: identifier) { return Self.likelyLocale(ofRegion: region) }
    if subtags.count > 1, let last = subtags.last, last.utf8.count == 3,
      let region = Self.canonicalRegion(String(last)),
      let tag = listedByKey["\(key.dropLast(3))\(region.lowercased())"]
    {
      return tag
    }
    return spellings.closest(to: spelling, limit: 1) { _ in false }.map { listed[$0] }
  }

  private static func canonicalRegion(_ code: String) -> String? {
    let isCode =
      (2...3).contains(code.utf8.count)
      && code.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    return isCode ? text(capacity: 16, filledBy: { cicu_region_canonical(code.uppercased(), $0, $1) }) : nil
  }

  private static func likelyLocale(ofRegion code: String) -> String? {
    canonicalRegion(code.lowercased()).flatMap { region in
      text(capacity: 64, filledBy: { cicu_locale_for_region(region, $0, $1) })
    }
  }
}
