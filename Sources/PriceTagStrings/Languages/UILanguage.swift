import CICU
import PriceTag
import PriceTagSystem

/// The user's language (`de`, `pt-BR`, `zh-Hant`), as opposed to the store's.
///
/// A UI language determines the strings, plural forms, word order, and the format of counts and percents. It cannot
/// format a price: messages accept prices only as finished text.
///
///     try UILanguage("iw").identifier          // "he", the canonical tag
///     try UILanguage("ar").direction           // .rightToLeft
///     try UILanguage("xx")                     // throws
public struct UILanguage: Hashable, Sendable, CustomStringConvertible {
  /// The canonical BCP 47 tag.
  public let identifier: String
  /// The tag in ICU's syntax.
  let icuIdentifier: String
  package let data: LanguageData

  /// The language that the built-in strings are written in and translated from: American English.
  public static let development = UILanguage(identifier: "en-US", icuIdentifier: "en_US")

  /// A pseudo-locale of English with accents, padding and brackets, for testing that a layout has room for longer
  /// text.
  public static let accentedPseudo = UILanguage(identifier: "en-XA", icuIdentifier: "en_US")

  /// A pseudo-locale of English displayed right to left, for testing that a layout is mirrored.
  public static let rightToLeftPseudo = UILanguage(identifier: "ar-XB", icuIdentifier: "en_US")

  /// Creates a language from a BCP 47 tag.
  ///
  /// - Parameter identifier: The tag, in any case, with `-` or `_` as separator. The pseudo-locales `en-XA` and
  ///   `ar-XB` are accepted. A tag with extensions is malformed, because extensions do not affect UI strings.
  /// - Throws: `.malformedLanguage` or `.unknownLanguage`, with the closest match if there is one.
  public init(_ identifier: String) throws(StringsError) {
    if let pseudo = Self.pseudo(identifier) {
      self = pseudo
      return
    }
    do throws(PriceTagError) {
      let tag = try LocaleTag(identifier, for: .language)
      self.init(identifier: tag.identifier, icuIdentifier: tag.icuIdentifier)
    } catch {
      throw StringsError(error.code == .unknownLocale ? .unknownLanguage : .malformedLanguage, error)
    }
  }

  /// Creates a language from a well-formed tag without extensions; returns `nil` if the language is unknown.
  init?(ifKnown tag: String) {
    if let pseudo = Self.pseudo(tag) {
      self = pseudo
    } else if let tag = LocaleTag(ifKnown: tag) {
      self.init(identifier: tag.identifier, icuIdentifier: tag.icuIdentifier)
    } else {
      return nil
    }
  }

  /// Returns the pseudo-locale that a tag identifies, if any.
  private static func pseudo(_ tag: String) -> UILanguage? {
    guard tag.utf8.count == 5 else { return nil }
    let tag = tag.lowercased().replacing("_", with: "-")
    return [Self.accentedPseudo, .rightToLeftPseudo].first { $0.identifier.lowercased() == tag }
  }

  private init(identifier: String, icuIdentifier: String) {
    self.identifier = identifier
    self.icuIdentifier = icuIdentifier
    data = .shared(icuIdentifier: icuIdentifier)
  }

  /// Whether the language is one of the pseudo-locales.
  public var isPseudo: Bool { self == .accentedPseudo || self == .rightToLeftPseudo }

  /// The direction in which the language is written.
  public var direction: FormattedPrice.Direction {
    self == .rightToLeftPseudo || data.isRightToLeft ? .rightToLeft : .leftToRight
  }

  /// The language's cardinal plural categories in CLDR's order: `["one", "other"]` for English.
  public var pluralCategories: [String] { categories(ordinal: false) }

  /// The language's ordinal plural categories (1st, 2nd) in CLDR's order: `["one", "two", "few", "other"]` for English.
  public var ordinalCategories: [String] { categories(ordinal: true) }

  private func categories(ordinal: Bool) -> [String] {
    data.plurals(ordinal: ordinal)?.rules.categories.map(\.rawValue) ?? [PluralRules.Category.other.rawValue]
  }

  // MARK: Names

  /// Returns the name of another language in this language, as used within a sentence: `japonais` for `ja` in French.
  ///
  /// If CLDR has no name, the result is the tag.
  public func name(of language: UILanguage) -> String {
    language.isPseudo
      ? language.identifier : name(CICUNameLanguage, language.identifier) ?? language.identifier
  }

  /// The language's name in the language itself, as an entry of a list: `Français`, `Bahasa Indonesia`.
  ///
  /// If CLDR has no name, it is the tag.
  package var ownName: String {
    // CLDR has "Indonesia" and "Melayu", which their speakers read as the names of a country and a people.
    switch identifier {
    case "id": "Bahasa Indonesia"
    case "ms": "Bahasa Melayu"
    default:
      // CLDR capitalizes names in lists in some languages only, which would look arbitrary in one list.
      name(of: self).prefix(1).uppercased() + name(of: self).dropFirst()
    }
  }

  /// Returns the continent of a storefront as its UN M.49 code, and its name in this language: `150` and `Europe` for
  /// `FRA` in French; `nil` if CLDR has none.
  package func continent(of storefront: Storefront) -> (code: String, name: String)? {
    guard let code = text(capacity: 16, filledBy: { cicu_region_continent(storefront.alpha2, $0, $1) }),
      let name = name(CICUNameRegion, code)
    else { return nil }
    return (code, name)
  }

  /// Returns the name of a storefront's territory in this language: `Japon` for `JPN` in French.
  ///
  /// If CLDR has no name, the result is the storefront's identifier.
  public func name(of storefront: Storefront) -> String {
    name(CICUNameRegion, storefront.alpha2) ?? storefront.id
  }

  /// Returns the name of a currency in this language, for use in UI strings: `yen japonais` for JPY in French.
  ///
  /// If CLDR has no name, the result is the currency code. A custom currency has the names in `custom-currencies.json`.
  public func name(of currency: Currency) -> String {
    customName(of: currency, isPlural: false) ?? name(CICUNameCurrency, currency.code) ?? currency.code
  }

  /// Returns the plural name of a currency in this language: `Japanese yen` for JPY and `US dollars` for USD in English.
  ///
  /// If CLDR has no name, the result is the currency code.
  package func pluralName(of currency: Currency) -> String {
    customName(of: currency, isPlural: true) ?? name(CICUNameCurrencyPlural, currency.code)
      ?? name(of: currency)
  }

  private func customName(of currency: Currency, isPlural: Bool) -> String? {
    guard currency.kind == .custom else { return nil }
    // ICU's spelling has the script that decides the parents of zh-TW.
    let dataLanguage = icuIdentifier.replacing("_", with: "-")
    let languages = CLDRParents.chain(of: icuIdentifier, identifier: identifier, dataLocale: dataLanguage)
    return currency.customName(in: languages, isPlural: isPlural)
  }

  private func name(_ kind: CICUNameKind, _ code: String) -> String? {
    text(capacity: 512) { cicu_display_name(kind, icuIdentifier, code, $0, $1) }
  }

  /// Returns a date in the words of this language: `December 1, 2026` in American English, `1. Dezember 2026` in German.
  ///
  /// The calendar and the digits are those that CLDR has for the language: in Thai, the year is that of the Buddhist
  /// calendar.
  public func format(_ date: CalendarDate) -> String {
    text { cicu_date(icuIdentifier, Int32(date.year), Int32(date.month), Int32(date.day), $0, $1) }
      ?? date.description
  }

  /// Returns elements sorted by name, in the language's CLDR collation order.
  ///
  ///     try UILanguage("sv").sorted(["Österrike", "Zambia"]) { $0 }   // ["Zambia", "Österrike"]
  public func sorted<Element>(_ elements: [Element], by name: (Element) -> String) -> [Element] {
    var order = [Int32](repeating: 0, count: elements.count)
    let areSorted = withCStrings(elements.map(name)) { names in
      cicu_sort(icuIdentifier, names, Int32(clamping: elements.count), &order) ? true : nil
    }
    guard areSorted != nil else { return elements }
    return order.map { elements[Int($0)] }
  }

  /// The canonical BCP 47 tag.
  public var description: String { identifier }

  /// Returns whether two languages have the same tag.
  public static func == (first: UILanguage, second: UILanguage) -> Bool {
    first.identifier == second.identifier
  }

  /// Hashes the tag.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
