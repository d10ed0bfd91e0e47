import CICU
import PriceTag

/// A language that words are written in (`de`, `pt-BR`, `zh-Hant`): the reader's, not the store's.
///
/// It chooses words, plurals, word order, and how a count or a percent is written among them. It cannot format a
/// price: prices enter its messages as finished text.
///
///     try UILanguage("iw").identifier          // "he": aliases are resolved
///     try UILanguage("ar").direction           // .rightToLeft
///     try UILanguage("xx")                     // throws
public struct UILanguage: Hashable, Sendable, CustomStringConvertible {
  /// The canonical BCP 47 tag.
  public let identifier: String
  /// What ICU is given.
  let icuIdentifier: String
  package let data: LanguageData

  /// The language that the store's strings are written in first: American English.
  public static let development = UILanguage(identifier: "en-US", icuIdentifier: "en_US")

  /// English with accents, longer and in brackets: a layout that shows it well has room for any language.
  public static let accentedPseudo = UILanguage(identifier: "en-XA", icuIdentifier: "en_US")

  /// English from right to left: a layout that shows it well is mirrored throughout.
  public static let rightToLeftPseudo = UILanguage(identifier: "ar-XB", icuIdentifier: "en_US")

  /// A language by its BCP 47 tag, in any case; `_` stands for `-`. The pseudo-locales `en-XA` and `ar-XB` are
  /// languages too.
  ///
  /// - Throws: `.malformedLanguage`, `.unknownLanguage`; each with the closest match. A tag with extensions is
  ///   malformed: they say nothing of words.
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

  /// A language by a well-formed tag without extensions; `nil` where it is unknown.
  init?(ifKnown tag: String) {
    if let pseudo = Self.pseudo(tag) {
      self = pseudo
    } else if let tag = LocaleTag(ifKnown: tag) {
      self.init(identifier: tag.identifier, icuIdentifier: tag.icuIdentifier)
    } else {
      return nil
    }
  }

  /// The pseudo-locale of a tag.
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

  /// Whether it is one of the pseudo-locales.
  public var isPseudo: Bool { self == .accentedPseudo || self == .rightToLeftPseudo }

  /// Which way its text runs.
  public var direction: FormattedPrice.Direction {
    self == .rightToLeftPseudo || cicu_locale_is_right_to_left(icuIdentifier) ? .rightToLeft : .leftToRight
  }

  /// The language's plural categories for numbers of things, in CLDR's order: `["one", "other"]` for English.
  public var pluralCategories: [String] { categories(ordinal: false) }

  /// Its plural categories for numbers of an order (1st, 2nd): `["one", "two", "few", "other"]` for English.
  public var ordinalCategories: [String] { categories(ordinal: true) }

  private func categories(ordinal: Bool) -> [String] {
    data.plurals(ordinal: ordinal)?.rules.categories.map(\.rawValue) ?? [PluralRules.Category.other.rawValue]
  }

  // MARK: Names

  /// The name of another language in this one, as it stands inside a sentence: `japonais` for `ja` in French. The
  /// tag where CLDR has no name.
  public func name(of language: UILanguage) -> String {
    language.isPseudo
      ? language.identifier : name(CICUNameLanguage, language.identifier) ?? language.identifier
  }

  /// The name of a storefront's territory in this language: `Japon` for `JPN` in French. The identifier where CLDR
  /// has no name.
  public func name(of storefront: Storefront) -> String {
    name(CICUNameRegion, storefront.alpha2) ?? storefront.id
  }

  /// The name of a currency in this language, for the words around prices: `yen japonais` for JPY in French. The
  /// code where CLDR has no name.
  public func name(of currency: Currency) -> String { name(CICUNameCurrency, currency.code) ?? currency.code }

  private func name(_ kind: CICUNameKind, _ code: String) -> String? {
    text(capacity: 512) { cicu_display_name(kind, icuIdentifier, code, $0, $1) }
  }

  /// Things in the order of their names, as the language sorts them by CLDR's collation.
  ///
  ///     try UILanguage("sv").sorted(["Österrike", "Zambia"]) { $0 }   // ["Zambia", "Österrike"]
  public func sorted<Thing>(_ things: [Thing], by name: (Thing) -> String) -> [Thing] {
    var order = [Int32](repeating: 0, count: things.count)
    let areSorted = withCStrings(things.map(name)) { names in
      cicu_sort(icuIdentifier, names, Int32(clamping: things.count), &order) ? true : nil
    }
    guard areSorted != nil else { return things }
    return order.map { things[Int($0)] }
  }

  /// The tag.
  public var description: String { identifier }

  /// Whether both are the same language.
  public static func == (first: UILanguage, second: UILanguage) -> Bool {
    first.identifier == second.identifier
  }

  /// Hashes the tag.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
