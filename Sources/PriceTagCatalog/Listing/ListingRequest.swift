import PriceTag
import PriceTagStrings

/// A request for every product of a catalog, in several storefronts and languages, on one day.
///
///     let storefronts = LocaleData.embedded.storefronts
///     ListingRequest(storefronts: storefronts, languages: .list([.development]))
///
/// The listings equal the responses to a `ProductsRequest` for each storefront and language.
public struct ListingRequest: Sendable {
  /// The languages of the listings.
  public enum Languages: Hashable, Sendable {
    /// The languages that each store supports, its default language first.
    case store
    /// The same languages in every storefront.
    case list([UILanguage])
  }

  /// The storefronts, without duplicates.
  public let storefronts: [Storefront]
  /// The shoppers' languages, without duplicates.
  public let languages: Languages
  /// Whether a language without UI strings is an error. Otherwise, the store's default language is used instead.
  public let isLanguageStrict: Bool
  /// The day: one date, or an instant at which each storefront has its own date.
  public let day: StoreDay
  /// The products that are included.
  public let mode: ProductsRequest.Mode
  /// The style of the prices.
  public let style: PriceStyle
  /// How unit prices are rounded; `nil` for listings without unit prices.
  public let unitPriceRounding: RoundingMode?
  /// Whether prices include tax, where neither the price nor the product states it; `nil` for the storefront's fact.
  public let taxInclusion: TaxInclusion?
  /// The UI strings.
  public let strings: StoreStrings

  /// Creates a request for all products of a catalog.
  ///
  /// - Parameters:
  ///   - storefronts: The storefronts, in the order of the listings. Duplicates are removed.
  ///   - languages: The shoppers' languages. Duplicates are removed.
  ///   - isLanguageStrict: Whether a language that has no UI strings, and no close language has them, is an error.
  ///     Otherwise, the UI strings are in the store's default language.
  ///   - day: The day, whose date in each storefront selects prices and currencies.
  ///   - mode: Whether products that are not approved are shown. In both modes, a product that cannot be shown gets a
  ///     listing with the reason.
  ///   - style: The style of the prices.
  ///   - unitPriceRounding: How to round the unit prices of products with a content, to the digits that prices have. A
  ///     product whose unit price cannot be displayed cannot be shown. `nil` for no unit prices.
  ///   - taxInclusion: Whether prices include tax, where neither the price nor the product states it; `nil` for the
  ///     storefront's fact.
  ///   - strings: The UI strings.
  public init(
    storefronts: [Storefront],
    languages: Languages = .store,
    isLanguageStrict: Bool = false,
    at day: StoreDay = .now,
    mode: ProductsRequest.Mode = .production,
    style: PriceStyle = PriceStyle(),
    unitPriceRounding: RoundingMode? = nil,
    taxInclusion: TaxInclusion? = nil,
    strings: StoreStrings = .embedded
  ) {
    var seen: Set<String> = []
    self.storefronts = storefronts.filter { seen.insert($0.id).inserted }
    switch languages {
    case .store: self.languages = .store
    case .list(let list):
      var seen: Set<UILanguage> = []
      self.languages = .list(list.filter { seen.insert($0).inserted })
    }
    (self.day, self.mode, self.style, self.strings) = (day, mode, style, strings)
    self.isLanguageStrict = isLanguageStrict
    (self.unitPriceRounding, self.taxInclusion) = (unitPriceRounding, taxInclusion)
  }

  /// Returns the date in a storefront.
  ///
  /// - Throws: `.unknownTimeZone` for an instant, if the storefront has no time zone or ICU does not have it.
  package func date(in storefront: Storefront) throws(CatalogError) -> CalendarDate {
    try withCatalogErrors { () throws(PriceTagError) in try day.date(in: storefront) }
  }

  /// Returns the languages of the UI strings in a storefront, in order.
  ///
  /// - Throws: `.unknownLanguage` if the locale data contain an unknown language; `.stringsFailed` if there are no UI strings
  ///   for a language.
  package func languages(of storefront: Storefront) throws(CatalogError) -> [UILanguage] {
    try shoppers(of: storefront).map(\.language)
  }

  /// Returns the languages of the UI strings in a storefront, in order and without duplicates, each with the shopper's
  /// language, which may be another one.
  func shoppers(
    of storefront: Storefront
  ) throws(CatalogError) -> [(language: UILanguage, requested: UILanguage)] {
    switch languages {
    case .list(let list):
      var shoppers: [(language: UILanguage, requested: UILanguage)] = []
      for requested in list {
        let language: UILanguage
        do throws(StringsError) {
          let resolved = try strings.language(for: requested, in: storefront, isStrict: isLanguageStrict)
          language = resolved.isStoreDefault ? resolved.language : requested
        } catch { throw CatalogError(.stringsFailed, error) }
        if let index = shoppers.firstIndex(where: { $0.language == language }) {
          // The order of the languages does not matter: the language itself goes before one that it replaces.
          if requested == language { shoppers[index].requested = requested }
        } else {
          shoppers.append((language, requested))
        }
      }
      return shoppers
    case .store:
      var languages: [UILanguage] = []
      for tag in storefront.languages {
        do throws(StringsError) {
          let language = try UILanguage(tag)
          if !languages.contains(language) { languages.append(language) }
        } catch { throw CatalogError(.unknownLanguage, error).at(storefront.id) }
      }
      return languages.map { ($0, $0) }
    }
  }
}
