import CICU
import PriceTag
import PriceTagSystem
import PriceTagText

/// The result of matching a requested language against the available ones.
public struct LanguageMatch: Hashable, Sendable, CustomStringConvertible {
  /// Why a language was chosen.
  public enum Reason: Hashable, Sendable {
    /// The requested language is available, possibly under its canonical tag (`he` for `iw`).
    case exact
    /// The language represents a CLDR parent locale of the requested one: `es-MX` represents `es-419`, the parent of
    /// `es-AR`.
    case parent(String)
    /// The language is the closest match by CLDR's distances between languages: `de` for `gsw`.
    case closest
    /// No language is close to the requested one, or no language was requested.
    case fallback
  }

  /// The requested language, as given; empty if none was requested.
  public let requested: String
  /// The language to use.
  public let language: UILanguage
  /// Why the language was chosen.
  public let reason: Reason

  /// One line, such as `es-AR: es-MX (represents the parent locale es-419)`.
  public var description: String {
    let result =
      switch reason {
      case .exact:
        requested.lowercased() == language.identifier.lowercased() || requested.isEmpty
          ? "\(language)" : "\(language) (the canonical tag)"
      case .parent(let parent):
        parent == language.identifier
          ? "\(language) (the parent locale)" : "\(language) (represents the parent locale \(parent))"
      case .closest: "\(language) (the closest match)"
      case .fallback: "\(language) (no close match)"
      }
    return requested.isEmpty ? result : "\(printable(requested, limit: 64)): \(result)"
  }
}

/// Finds the available language that suits a user best, by CLDR's parent locales and language distances.
///
///     let matcher = LanguageMatcher(StoreStrings.embedded.languages)
///     matcher.match("es-AR").language    // es-MX, which represents es-419, the parent of es-AR
///     matcher.match("zh-HK").language    // zh-Hant
///     matcher.match(acceptLanguage: "sr, nn;q=0.8, en;q=0.5").language   // nb
///
/// Sendable because ICU's LocaleMatcher is immutable.
public final class LanguageMatcher: @unchecked Sendable {
  /// The available languages.
  public let languages: [UILanguage]
  /// The language to use if no available language is close to a requested one.
  public let fallback: UILanguage

  private let byTag: [String: UILanguage]
  /// The available languages that have a CLDR locale as parent, directly or indirectly.
  private let descendants: [String: [UILanguage]]
  private let matcher: OpaquePointer?

  /// Creates a matcher for a list of available languages.
  ///
  /// - Parameters:
  ///   - languages: The available languages, in any order.
  ///   - fallback: The language to use if no available language is close to a requested one.
  public init(_ languages: [UILanguage], fallback: UILanguage = .development) {
    self.languages = languages
    self.fallback = fallback
    byTag = Dictionary(languages.map { ($0.identifier, $0) }) { first, _ in first }
    var descendants: [String: [UILanguage]] = [:]
    let real = languages.filter { !$0.isPseudo }
    for language in real {
      for parent in Self.parents(of: language.fullTag) { descendants[parent, default: []].append(language) }
    }
    self.descendants = descendants
    matcher = withCStrings(real.map(\.identifier)) { cicu_matcher_open($0, Int32(real.count)) }
    matcherLanguages = real
  }

  /// The languages that the indices returned by ICU's matcher refer to.
  private let matcherLanguages: [UILanguage]

  deinit {
    if let matcher { cicu_matcher_close(matcher) }
  }

  // MARK: Matching

  /// Returns the best language for a requested one.
  ///
  /// - Parameter requested: A BCP 47 tag, in any case, with or without extensions. A malformed or unknown tag matches
  ///   the fallback.
  public func match(_ requested: String) -> LanguageMatch { match([requested]) }

  /// Returns the best language for a list of requested ones, in order of preference.
  ///
  /// An exact or parent match of any requested language wins over a merely close match of a more preferred one.
  public func match(_ requested: [String]) -> LanguageMatch {
    for find in [exactOrParentMatch, closestMatch] {
      for tag in requested {
        if let match = find(tag, { _ in true }) { return match }
      }
    }
    return LanguageMatch(requested: requested.first ?? "", language: fallback, reason: .fallback)
  }

  /// Returns the best language for the `Accept-Language` header of an HTTP request (RFC 9110, 12.5.4).
  ///
  ///     matcher.match(acceptLanguage: "en-US;q=0, en").language   // en-GB, because en-US is excluded
  ///
  /// Ranges are tried by descending quality, those of equal quality in the header's order. A language of quality 0 is
  /// returned only if the header excludes all languages.
  ///
  /// - Parameter header: The header's value. Malformed parts are ignored, as is everything after the first 32 ranges
  ///   or the first 4 KB.
  public func match(acceptLanguage header: String) -> LanguageMatch {
    let ranges = AcceptLanguage(header)
    func accepts(_ language: UILanguage) -> Bool { !ranges.excludes(language) }
    for find in [exactOrParentMatch, closestMatch] {
      for range in ranges.preferences {
        if range == "*" {
          return LanguageMatch(requested: "*", language: fallback(accepts), reason: .fallback)
        }
        if let match = find(range, accepts) { return match }
      }
    }
    return LanguageMatch(
      requested: ranges.preferences.first ?? "",
      language: fallback(accepts),
      reason: .fallback
    )
  }

  /// Returns the languages to take a string from that a language lacks, in order.
  ///
  /// They are the languages that represent its CLDR parent locales, and then the fallback: `[fr-FR, en-US]` for
  /// `fr-CA`.
  public func fallbacks(of language: UILanguage) -> [UILanguage] {
    var fallbacks: [UILanguage] = []
    func add(_ candidate: UILanguage) {
      if candidate != language, !fallbacks.contains(candidate) { fallbacks.append(candidate) }
    }
    if !language.isPseudo {
      for parent in Self.parents(of: language.fullTag) {
        if let representative = representative(of: parent, for: parent) { add(representative) }
      }
    }
    add(fallback)
    return fallbacks
  }

  /// Returns the requested language itself, or the language that represents its closest CLDR parent locale.
  private func exactOrParentMatch(_ requested: String, _ accepts: (UILanguage) -> Bool) -> LanguageMatch? {
    func match(_ language: UILanguage, _ reason: LanguageMatch.Reason) -> LanguageMatch {
      LanguageMatch(requested: requested, language: language, reason: reason)
    }
    guard let tag = Self.withoutExtensions(requested), let language = UILanguage(ifKnown: tag) else {
      return nil
    }
    if let exact = byTag[language.identifier], accepts(exact) { return match(exact, .exact) }
    // The list starts with the tag itself: the bare language fr is the parent of fr-FR.
    for parent in [language.fullTag] + Self.parents(of: language.fullTag) {
      if let representative = representative(of: parent, for: language.fullTag, accepts) {
        return match(representative, .parent(parent))
      }
    }
    return nil
  }

  /// Returns the language closest to the requested one by CLDR's distances.
  private func closestMatch(_ requested: String, _ accepts: (UILanguage) -> Bool) -> LanguageMatch? {
    guard let tag = Self.withoutExtensions(requested).map(Self.withoutVariants), !tag.isEmpty,
      let language = closestLanguage(to: tag), accepts(language)
    else { return nil }
    return LanguageMatch(requested: requested, language: language, reason: .closest)
  }

  /// Returns the fallback, or, if it is excluded, another variant of its language, or else any language that is not
  /// excluded.
  private func fallback(_ accepts: (UILanguage) -> Bool) -> UILanguage {
    if accepts(fallback) { return fallback }
    for parent in Self.parents(of: fallback.fullTag) {
      if let language = representative(of: parent, for: parent, accepts) { return language }
    }
    return languages.first { !$0.isPseudo && accepts($0) } ?? fallback
  }

  /// Returns the available language that represents a CLDR locale: the locale itself, or the one of its descendants
  /// that is closest to a requested tag.
  private func representative(
    of parent: String,
    for requested: String,
    _ accepts: (UILanguage) -> Bool = { _ in true }
  ) -> UILanguage? {
    if let language = byTag[parent], accepts(language) { return language }
    guard let candidates = descendants[parent]?.filter(accepts), let first = candidates.first else {
      return nil
    }
    if candidates.count == 1 { return first }
    if let closest = closestLanguage(to: requested), candidates.contains(closest) { return closest }
    return candidates.first { Self.multiCountryVariants.contains($0.identifier) } ?? first
  }

  /// The variants used in many countries, preferred if ICU's choice is excluded.
  private static let multiCountryVariants: Set = ["en-GB", "es-MX"]

  private func closestLanguage(to tag: String) -> UILanguage? {
    guard let matcher else { return nil }
    let index = Int(cicu_matcher_best_match(matcher, tag))
    return matcherLanguages.indices.contains(index) ? matcherLanguages[index] : nil
  }

  /// Returns the CLDR parent locales of a tag, the direct parent first, without the root.
  private static func parents(of tag: String) -> [String] {
    var parents: [String] = []
    var child = tag
    // A limit in case of a cycle; real locales have at most a few parents.
    while parents.count < 8, let parent = text(filledBy: { cicu_locale_parent(child, $0, $1) }),
      parent != "und"
    {
      parents.append(parent)
      child = parent
    }
    return parents
  }

  /// Returns a tag without variant subtags. ICU's distances ignore them, and parsing many of them is slow.
  private static func withoutVariants(_ tag: String) -> String {
    tag.split(separator: "-").prefix {
      $0.utf8.count < 4 || ($0.utf8.count == 4 && $0.utf8.allSatisfy { $0 > 0x39 })
    }
    .joined(separator: "-")
  }

  /// Returns a tag without extensions, which do not affect UI strings; `nil` if the tag is malformed.
  private static func withoutExtensions(_ tag: String) -> String? {
    guard (1...64).contains(tag.utf8.count), isASCII(tag) else { return nil }
    let subtags = tag.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    let languageSubtags = subtags.prefix { $0.utf8.count != 1 }
    let areWellFormed = languageSubtags.allSatisfy { subtag in
      (2...8).contains(subtag.utf8.count)
        && subtag.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "z") ~= $0 }
        && subtag.allSatisfy { $0.isLetter || $0.isNumber }
    }
    return areWellFormed && !languageSubtags.isEmpty ? languageSubtags.joined(separator: "-") : nil
  }
}

extension UILanguage {
  /// The tag with an explicit script if ICU requires one: `zh-Hant-HK` for `zh-HK`.
  fileprivate var fullTag: String { icuIdentifier.replacing("_", with: "-") }
}
