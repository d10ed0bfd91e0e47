import CICU
import PriceTagSystem
import PriceTagText

/// A BCP 47 tag that ICU has data for. Price locales and UI languages are such tags.
package struct LocaleTag: Sendable {
  /// The use of a tag. It decides which extensions are allowed, and the wording of errors.
  package enum Purpose: Sendable {
    /// A price locale. If allowed, the tag may choose the digits with `-u-nu-…`.
    case price(allowsNumberingSystem: Bool)
    /// The language of UI strings.
    case language

    fileprivate var noun: String {
      switch self {
      case .price: "locale"
      case .language: "language"
      }
    }
  }

  /// The canonical tag.
  package let identifier: String
  /// The tag of the CLDR locale whose data is used.
  package let dataLocale: String
  /// The numbering system in the tag.
  package let numberingSystem: String?
  /// The locale in ICU's spelling.
  package let icuIdentifier: String

  /// Creates a tag from text in any case; `_` is the same as `-`.
  ///
  /// - Throws: `.malformedLocale`, `.unknownLocale` or `.unexpectedExtension`, with the closest match if there is one.
  package init(_ identifier: String, for purpose: Purpose) throws(PriceTagError) {
    let (tag, numberingSystem) = try Self.split(identifier, purpose)
    var locale = CICULocale()
    let status = cicu_locale_resolve(tag, &locale)
    guard status == CICULocaleKnown else { throw Self.error(status, identifier, tag: tag, purpose) }
    self.init(locale, numberingSystem: numberingSystem)
  }

  /// Creates a tag from well-formed text without extensions; returns `nil` if the locale is unknown. This costs less
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

  /// Returns the tag without its extensions, and its numbering system. Checks the syntax of BCP 47.
  private static func split(
    _ identifier: String,
    _ purpose: Purpose
  ) throws(PriceTagError) -> (tag: String, numberingSystem: String?) {
    func malformed(_ problem: String) -> PriceTagError {
      PriceTagError(.malformedLocale, problem, fix: fix(for: identifier, purpose))
    }
    if identifier.isEmpty { throw malformed("the \(purpose.noun) is empty") }
    let reason: String
    let allowsNumberingSystem: Bool
    switch purpose {
    case .price(let allows): (reason, allowsNumberingSystem) = ("which would change a price", allows)
    case .language: (reason, allowsNumberingSystem) = ("which a language cannot have", false)
    }
    guard identifier.utf8.count <= 48 else {
      throw malformed("\(quoted(identifier)) is longer than 48 bytes")
    }
    if identifier.utf8.contains(UInt8(ascii: "@")) {
      throw PriceTagError(
        .unexpectedExtension,
        "\(quoted(identifier)) has keywords, \(reason)",
        fix: "remove the @ and the text after it"
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
    // `joined` would search the binary for protocol conformances, once in each process.
    for subtag in subtags[1..<max(1, extensions)] {
      tag += "-"
      tag += String(subtag)
    }
    if extensions == subtags.endIndex { return (tag, nil) }

    let requested = subtags[extensions...]
    guard allowsNumberingSystem, requested.count == 3, requested.starts(with: ["u", "nu"]),
      let name = requested.last
    else {
      throw PriceTagError(
        .unexpectedExtension,
        "\(quoted(identifier)) has an extension, \(reason)",
        fix: allowsNumberingSystem
          ? "use \(quoted(tag)), or only -u-nu- and a numbering system after it"
          : "use \(quoted(identifier.prefix(tag.utf8.count)))"
      )
    }
    try checkNumberingSystem(String(name), .unknownLocale)
    return (tag, String(name))
  }

  /// Checks that CLDR has a numbering system of this name, and that it writes decimal digits.
  ///
  /// - Throws: An error with the code that the caller gives.
  static func checkNumberingSystem(_ name: String, _ code: PriceTagError.Code) throws(PriceTagError) {
    guard isDecimalNumberingSystem(name) else {
      throw PriceTagError(
        code,
        "unknown decimal numbering system \(quoted(name))",
        fix: "use a CLDR name such as \"latn\", \"arab\" or \"deva\""
      )
    }
  }

  private static func error(_ status: CICULocaleStatus, _ identifier: String, tag: String, _ purpose: Purpose)
    -> PriceTagError
  {
    let region = tag.split(separator: "-").last ?? ""
    let reason: String? =
      switch status {
      case CICULocaleUnknownLanguage: "ICU has no data for the language"
      case CICULocaleUnknownScript: "ICU has no data for the language in this script"
      case CICULocaleUnknownRegion: "CLDR has no territory \(quoted(region.uppercased()))"
      case CICULocaleUnknownVariant: "ICU has no data for the variant"
      default: nil
      }
    return PriceTagError(
      status == CICULocaleMalformed ? .malformedLocale : .unknownLocale,
      reason.map { "unknown \(purpose.noun) \(quoted(identifier)) (\($0))" }
        ?? "\(quoted(identifier)) is not a BCP 47 tag",
      fix: fix(for: identifier, purpose)
    )
  }

  private static func fix(for identifier: String, _ purpose: Purpose) -> String {
    let needsTerritory = if case .price = purpose { true } else { false }
    return didYouMean(
      LocaleSuggestions.shared.locale(for: identifier, needsTerritory: needsTerritory),
      otherwise: "use a BCP 47 tag such as \"en-US\""
    )
  }

  /// All locales that ICU lists, in BCP 47 spelling.
  package static let listed: [String] = (0..<cicu_locale_count()).compactMap { index in
    cicu_locale_at(index).map { String(cString: $0).replacing("_", with: "-") }
  }

  /// Returns whether CLDR has a numbering system with this name that writes decimal digits.
  private static func isDecimalNumberingSystem(_ name: String) -> Bool {
    (3...8).contains(name.utf8.count)
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
      && cicu_numbering_system_is_decimal(name)
  }

  /// The territory, such as `US` or `419`; `nil` if the tag has none.
  package var region: String? {
    identifier.split(separator: "-").dropFirst().prefix { $0.utf8.count > 1 }.first { subtag in
      subtag.utf8.count == 2
        || (subtag.utf8.count == 3 && subtag.utf8.allSatisfy { (0x30...0x39).contains($0) })
    }.map(String.init)
  }
}
