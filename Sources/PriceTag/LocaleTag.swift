import CICU
import PriceTagText

/// A BCP 47 tag that ICU has data for: what a price locale and a language of words have in common.
package struct LocaleTag: Sendable {
  /// What the tag is for: errors say so.
  package enum Purpose: Sendable {
    /// A price is written in it; the tag may choose the digits with `-u-nu-…` where that is allowed.
    case price(allowsNumberingSystem: Bool)
    /// Words are written in it.
    case language
  }

  /// The canonical tag.
  package let identifier: String
  /// The tag of the CLDR locale whose data answers.
  package let dataLocale: String
  /// The numbering system that was asked for.
  package let numberingSystem: String?
  /// What ICU is given.
  package let icuIdentifier: String

  /// A tag in any case; `_` stands for `-`.
  ///
  /// - Throws: `.malformedLocale`, `.unknownLocale`, `.unexpectedExtension`; each with the closest match, where one is close.
  package init(_ identifier: String, for purpose: Purpose) throws(PriceTagError) {
    let (tag, numberingSystem) = try Self.split(identifier, purpose)
    var locale = CICULocale()
    let status = cicu_locale_resolve(tag, &locale)
    guard status == CICULocaleKnown else { throw Self.error(status, identifier, tag: tag, purpose) }
    self.init(locale, numberingSystem: numberingSystem)
  }

  /// A tag that is well-formed and has no extensions; `nil` where it is unknown. It says no more, and so costs less
  /// than an error.
  package init?(ifKnown tag: String) {
    var locale = CICULocale()
    guard cicu_locale_resolve(tag, &locale) == CICULocaleKnown else { return nil }
    self.init(locale, numberingSystem: nil)
  }

  private init(_ locale: CICULocale, numberingSystem: String?) {
    let canonical = text(of: locale.identifier)
    let icu = text(of: locale.icu)
    dataLocale = text(of: locale.data)
    self.numberingSystem = numberingSystem
    self.identifier = numberingSystem.map { "\(canonical)-u-nu-\($0)" } ?? canonical
    icuIdentifier = numberingSystem.map { "\(icu)@numbers=\($0)" } ?? icu
  }

  /// The tag without its extensions, checked for BCP 47's form, and the numbering system it asks for.
  private static func split(
    _ identifier: String,
    _ purpose: Purpose
  ) throws(PriceTagError) -> (tag: String, numberingSystem: String?) {
    func malformed(_ problem: String) -> PriceTagError {
      PriceTagError(
        .malformedLocale,
        problem,
        fix: "write a BCP 47 tag such as en-US\(suggestion(for: identifier, purpose))"
      )
    }
    if identifier.isEmpty { throw malformed("the locale is empty") }
    let what: String
    let allowsNumberingSystem: Bool
    switch purpose {
    case .price(let allows): (what, allowsNumberingSystem) = ("which would change a price", allows)
    case .language: (what, allowsNumberingSystem) = ("which says nothing of words", false)
    }
    guard identifier.utf8.count <= 48 else {
      throw malformed("\(quoted(identifier)) is longer than a locale")
    }
    if identifier.utf8.contains(UInt8(ascii: "@")) {
      throw PriceTagError(
        .unexpectedExtension,
        "\(quoted(identifier)) has keywords, \(what)",
        fix: "give the locale without what follows the @"
      )
    }
    guard isASCII(identifier) else { throw malformed("\(quoted(identifier)) is not a BCP 47 tag") }
    let subtags = identifier.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    let areWellFormed = subtags.allSatisfy { subtag in
      (1...8).contains(subtag.utf8.count)
        && subtag.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }
    guard areWellFormed, let language = subtags.first, (2...8).contains(language.utf8.count) else {
      throw malformed("\(quoted(identifier)) is not a BCP 47 tag")
    }
    let extensions = subtags.firstIndex { $0.utf8.count == 1 } ?? subtags.endIndex
    var tag = String(language)
    // `joined` would search the binary for conformances, once in each process.
    for subtag in subtags[1..<max(1, extensions)] {
      tag += "-"
      tag += String(subtag)
    }
    if extensions == subtags.endIndex { return (tag, nil) }

    let asked = subtags[extensions...]
    guard allowsNumberingSystem, asked.count == 3, asked.starts(with: ["u", "nu"]), let name = asked.last
    else {
      throw PriceTagError(
        .unexpectedExtension,
        "\(quoted(identifier)) has an extension, \(what)",
        fix: allowsNumberingSystem
          ? "only -u-nu- and a numbering system may follow \(tag)"
          : "give \(identifier.prefix(tag.utf8.count))"
      )
    }
    guard isDecimalNumberingSystem(String(name)) else {
      throw PriceTagError(
        .unknownLocale,
        "CLDR has no decimal numbering system \(quoted(name))",
        fix: "use one such as latn, arab or deva"
      )
    }
    return (tag, String(name))
  }

  private static func error(_ status: CICULocaleStatus, _ identifier: String, tag: String, _ purpose: Purpose)
    -> PriceTagError
  {
    let subtags = tag.split(separator: "-")
    let problem: String =
      switch status {
      case CICULocaleUnknownLanguage: "ICU has no data for the language of \(quoted(identifier))"
      case CICULocaleUnknownScript: "ICU has no data for \(quoted(identifier)) in that language and script"
      case CICULocaleUnknownRegion:
        "CLDR knows no territory \(quoted(subtags.last ?? "")) of \(quoted(identifier))"
      case CICULocaleUnknownVariant: "ICU has no data for the variant of \(quoted(identifier))"
      default: "\(quoted(identifier)) is not a BCP 47 tag"
      }
    return PriceTagError(
      status == CICULocaleMalformed ? .malformedLocale : .unknownLocale,
      problem,
      fix: "give a locale that CLDR knows, such as en-US\(suggestion(for: identifier, purpose))"
    )
  }

  /// The locale that somebody means, as the end of a fix.
  private static func suggestion(for identifier: String, _ purpose: Purpose) -> String {
    let needsTerritory = if case .price = purpose { true } else { false }
    return didYouMean(LocaleNames.shared.locale(meantBy: identifier, needsTerritory: needsTerritory))
  }

  /// Every locale that ICU lists, in BCP 47 spelling.
  package static let listed: [String] = (0..<cicu_locale_count()).compactMap { index in
    cicu_locale_at(index).map { String(cString: $0).replacing("_", with: "-") }
  }

  /// Whether CLDR has a numbering system of this name that writes decimal digits.
  static func isDecimalNumberingSystem(_ name: String) -> Bool {
    (3...8).contains(name.utf8.count)
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
      && cicu_numbering_system_is_decimal(name)
  }

  /// The territory, such as `US` or `419`; `nil` where the tag has none.
  package var region: String? {
    identifier.split(separator: "-").dropFirst().prefix { $0.utf8.count > 1 }.first { subtag in
      subtag.utf8.count == 2
        || (subtag.utf8.count == 3 && subtag.utf8.allSatisfy { (0x30...0x39).contains($0) })
    }.map(String.init)
  }

}
