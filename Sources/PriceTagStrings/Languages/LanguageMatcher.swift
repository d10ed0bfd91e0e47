import CICU
import PriceTag
import PriceTagText

/// What a reader asked for, what there is for it, and why.
public struct LanguageMatch: Hashable, Sendable, CustomStringConvertible {
  /// Why a language was chosen.
  public enum Reason: Hashable, Sendable {
    /// It is the language that was asked for, aliases resolved (`iw` is `he`).
    case exact
    /// It stands for a CLDR parent of what was asked for: `es-MX` for `es-419`, the parent of `es-AR`.
    case parent(String)
    /// It is the nearest by CLDR's distances between languages: `nb` for `nn`.
    case nearest
    /// There is nothing near what was asked for, or nothing was asked for: the development language.
    case fallback
  }

  /// What was asked for, as it was written; empty where that was nothing.
  public let requested: String
  /// The language to use.
  public let language: UILanguage
  /// Why.
  public let reason: Reason

  /// A sentence: `es-AR: es-MX, which stands for es-419`.
  public var description: String {
    let why =
      switch reason {
      case .exact:
        requested.lowercased() == language.identifier.lowercased() || requested.isEmpty
          ? "\(language)" : "\(language), its canonical tag"
      case .parent(let parent):
        parent == language.identifier ? "\(language), its parent" : "\(language), which stands for \(parent)"
      case .nearest: "\(language), the nearest"
      case .fallback: "\(language), for want of anything nearer"
      }
    return requested.isEmpty ? why : "\(printable(requested, limit: 64)): \(why)"
  }
}

/// Finds the language of a list that suits a reader best, by CLDR's parent locales and distances.
///
///     let matcher = LanguageMatcher(StoreStrings.embedded.languages)
///     matcher.match("es-AR").language    // es-MX: it stands for es-419, the parent of es-AR
///     matcher.match("zh-HK").language    // zh-Hant
///     matcher.match(acceptLanguage: "sr, nn;q=0.8, en;q=0.5").language   // nb, the nearest to nn
///
/// Sendable notes: ICU's LocaleMatcher is immutable.
public final class LanguageMatcher: @unchecked Sendable {
  /// The languages to choose among.
  public let languages: [UILanguage]
  /// What is answered where nothing is near.
  public let fallback: UILanguage

  private let byTag: [String: UILanguage]
  /// The languages below each CLDR parent.
  private let below: [String: [UILanguage]]
  private let matcher: OpaquePointer?

  /// A matcher over a list of languages.
  ///
  /// - Parameters:
  ///   - languages: What there is, in no particular order.
  ///   - fallback: What is answered where nothing is near.
  public init(_ languages: [UILanguage], fallback: UILanguage = .development) {
    self.languages = languages
    self.fallback = fallback
    byTag = Dictionary(languages.map { ($0.identifier, $0) }) { first, _ in first }
    var below: [String: [UILanguage]] = [:]
    let real = languages.filter { !$0.isPseudo }
    for language in real {
      for parent in Self.parents(of: language.fullTag) { below[parent, default: []].append(language) }
    }
    self.below = below
    matcher = withCStrings(real.map(\.identifier)) { cicu_matcher_open($0, Int32(real.count)) }
    matched = real
  }

  /// What the matcher's indices mean.
  private let matched: [UILanguage]

  deinit {
    if let matcher { cicu_matcher_close(matcher) }
  }

  // MARK: Matching

  /// The language for a reader who asks for one.
  ///
  /// - Parameter requested: A BCP 47 tag, in any case, with or without extensions; what is malformed or unknown is
  ///   answered with the fallback.
  public func match(_ requested: String) -> LanguageMatch { match([requested]) }

  /// The language for a reader who asks for several, the most wanted first.
  ///
  /// One that is merely near is taken where none of them is there.
  public func match(_ requested: [String]) -> LanguageMatch {
    for find in [found, near] {
      for tag in requested {
        if let match = find(tag, { _ in true }) { return match }
      }
    }
    return LanguageMatch(requested: requested.first ?? "", language: fallback, reason: .fallback)
  }

  /// The language for an HTTP request's `Accept-Language` (RFC 9110, 12.5.4): by falling quality, in the order of
  /// the header where that is equal. Malformed parts are ignored, and so is what follows the first 32 or the first
  /// 4 KB.
  ///
  ///     matcher.match(acceptLanguage: "en-US;q=0, en").language   // en-GB: en-US is refused
  ///
  /// A language of quality 0 is answered only where the header refuses all of them.
  public func match(acceptLanguage header: String) -> LanguageMatch {
    let ranges = AcceptLanguage(header)
    func accepts(_ language: UILanguage) -> Bool { !ranges.refuses(language) }
    for find in [found, near] {
      for range in ranges.wanted {
        if range == "*" {
          return LanguageMatch(requested: "*", language: fallback(accepts), reason: .fallback)
        }
        if let match = find(range, accepts) { return match }
      }
    }
    return LanguageMatch(
      requested: ranges.wanted.first ?? "",
      language: fallback(accepts),
      reason: .fallback
    )
  }

  /// Where a string that a language does not have may come from, in order: the languages that stand for its CLDR
  /// parents, and the fallback at the end. `[fr-FR, en-US]` for `fr-CA`.
  public func fallbacks(of language: UILanguage) -> [UILanguage] {
    var found: [UILanguage] = []
    func add(_ candidate: UILanguage) {
      if candidate != language, !found.contains(candidate) { found.append(candidate) }
    }
    if !language.isPseudo {
      for parent in Self.parents(of: language.fullTag) {
        if let representative = representative(of: parent, for: parent) { add(representative) }
      }
    }
    add(fallback)
    return found
  }

  /// A language itself, or what stands for a parent of it.
  private func found(_ requested: String, _ accepts: (UILanguage) -> Bool) -> LanguageMatch? {
    func match(_ language: UILanguage, _ reason: LanguageMatch.Reason) -> LanguageMatch {
      LanguageMatch(requested: requested, language: language, reason: reason)
    }
    guard let tag = Self.withoutExtensions(requested), let wanted = UILanguage(ifKnown: tag) else {
      return nil
    }
    if let exact = byTag[wanted.identifier], accepts(exact) { return match(exact, .exact) }
    // A bare language is its own representative's: fr stands below nothing, and above fr-FR.
    for parent in [wanted.fullTag] + Self.parents(of: wanted.fullTag) {
      if let language = representative(of: parent, for: wanted.fullTag, accepts) {
        return match(language, .parent(parent))
      }
    }
    return nil
  }

  /// A language that is near.
  private func near(_ requested: String, _ accepts: (UILanguage) -> Bool) -> LanguageMatch? {
    guard let tag = Self.withoutExtensions(requested).map(Self.withoutVariants), !tag.isEmpty,
      let language = nearest(tag), accepts(language)
    else { return nil }
    return LanguageMatch(requested: requested, language: language, reason: .nearest)
  }

  /// What is answered where nothing is near: the fallback; where it is refused, another variant of it; where that is
  /// refused too, any language that is not.
  private func fallback(_ accepts: (UILanguage) -> Bool) -> UILanguage {
    if accepts(fallback) { return fallback }
    for parent in Self.parents(of: fallback.fullTag) {
      if let language = representative(of: parent, for: parent, accepts) { return language }
    }
    return languages.first { !$0.isPseudo && accepts($0) } ?? fallback
  }

  /// The language of the list that stands for a CLDR locale: itself, or of those below it the nearest to what is
  /// wanted.
  private func representative(
    of parent: String,
    for wanted: String,
    _ accepts: (UILanguage) -> Bool = { _ in true }
  ) -> UILanguage? {
    if let language = byTag[parent], accepts(language) { return language }
    guard let candidates = below[parent]?.filter(accepts), let first = candidates.first else { return nil }
    if candidates.count == 1 { return first }
    if let nearest = nearest(wanted), candidates.contains(nearest) { return nearest }
    return candidates.first { Self.ofWideRegions.contains($0.identifier) } ?? first
  }

  /// What stands for a region of many countries, where ICU's choice is refused.
  private static let ofWideRegions: Set = ["en-GB", "es-MX"]

  private func nearest(_ tag: String) -> UILanguage? {
    guard let matcher else { return nil }
    let index = Int(cicu_matcher_nearest(matcher, tag))
    return matched.indices.contains(index) ? matched[index] : nil
  }

  /// CLDR's parents of a tag, the nearest first, without the root.
  private static func parents(of tag: String) -> [String] {
    var parents: [String] = []
    var child = tag
    // No locale has more than a handful.
    while parents.count < 8, let parent = text(filledBy: { cicu_locale_parent(child, $0, $1) }),
      parent != "und"
    {
      parents.append(parent)
      child = parent
    }
    return parents
  }

  /// The tag without variants: to ICU they are no distance, and take long to read.
  private static func withoutVariants(_ tag: String) -> String {
    tag.split(separator: "-").prefix {
      $0.utf8.count < 4 || ($0.utf8.count == 4 && $0.utf8.allSatisfy { $0 > 0x39 })
    }
    .joined(separator: "-")
  }

  /// The tag without extensions, which say nothing of words; `nil` where it is no tag.
  private static func withoutExtensions(_ tag: String) -> String? {
    guard (1...64).contains(tag.utf8.count), isASCII(tag) else { return nil }
    let subtags = tag.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    let kept = subtags.prefix { $0.utf8.count != 1 }
    let areWellFormed = kept.allSatisfy { subtag in
      (2...8).contains(subtag.utf8.count)
        && subtag.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "z") ~= $0 }
        && subtag.allSatisfy { $0.isLetter || $0.isNumber }
    }
    return areWellFormed && !kept.isEmpty ? kept.joined(separator: "-") : nil
  }
}

extension UILanguage {
  /// The tag with the script that ICU needs to be told: `zh-Hant-HK` for `zh-HK`.
  fileprivate var fullTag: String { icuIdentifier.replacing("_", with: "-") }
}
