import PriceTag
import PriceTagStrings

/// A request for products from a catalog, for one storefront, language and date. It corresponds to StoreKit's
/// `SKProductsRequest`.
///
///     let storefront = try Storefront("JPN")
///     try ProductsRequest(["com.example.level1"], storefront: storefront, language: UILanguage("en"))
///
/// Only the storefront determines the prices. The language selects the UI strings, and the products' names and
/// descriptions if the store supports the language and the product has a text in it.
public struct ProductsRequest: Sendable {
  /// The mode of a request.
  public enum Mode: String, Hashable, Sendable, CaseIterable, Codable {
    /// Only approved products are shown. The response lists invalid product identifiers.
    case production
    /// All products are shown, approved or not. Invalid product identifiers are an error.
    case development
  }

  /// The product identifiers, in order and without duplicates; `nil` for all products of the catalog.
  public let productIdentifiers: [String]?
  /// The storefront, which determines the prices.
  public let storefront: Storefront
  /// The shopper's language.
  public let language: UILanguage
  /// Whether a language without UI strings is an error. Otherwise, the store's default language is used instead.
  public let isLanguageStrict: Bool
  /// The date of the prices.
  public let day: StoreDay
  /// The mode.
  public let mode: Mode
  /// Whether the shopper can make payments: StoreKit's `canMakePayments`.
  public let canMakePayments: Bool
  /// The style of the prices.
  public let style: PriceStyle
  /// How unit prices are rounded; `nil` for a response without unit prices.
  public let unitPriceRounding: RoundingMode?
  /// Whether prices include tax, where neither the price nor the product states it; `nil` for the storefront's fact.
  public let taxInclusion: TaxInclusion?
  /// The UI strings.
  public let strings: StoreStrings

  /// Creates a request for some or all products of a catalog.
  ///
  /// - Parameters:
  ///   - productIdentifiers: The product identifiers, in the order of the response. Duplicates are removed. `nil`
  ///     requests all products, in store order.
  ///   - storefront: The storefront, which determines the prices.
  ///   - language: The shopper's language.
  ///   - isLanguageStrict: Whether a language that has no UI strings, and no close language has them, is an error.
  ///     Otherwise, the UI strings are in the store's default language.
  ///   - day: The day, whose date in the storefront selects prices and currencies.
  ///   - mode: Whether products that are not approved are shown, and whether invalid product identifiers are an error.
  ///   - canMakePayments: Whether the shopper can make payments. The response repeats the value.
  ///   - style: The style of the prices.
  ///   - unitPriceRounding: How to round the unit prices of products with a content, to the digits that prices have. A
  ///     product whose unit price cannot be displayed cannot be shown. `nil` for no unit prices.
  ///   - taxInclusion: Whether prices include tax, where neither the price nor the product states it; `nil` for the
  ///     storefront's fact.
  ///   - strings: The UI strings.
  public init(
    _ productIdentifiers: [String]?,
    storefront: Storefront,
    language: UILanguage,
    isLanguageStrict: Bool = false,
    at day: StoreDay = .now,
    mode: Mode = .production,
    canMakePayments: Bool = true,
    style: PriceStyle = PriceStyle(),
    unitPriceRounding: RoundingMode? = nil,
    taxInclusion: TaxInclusion? = nil,
    strings: StoreStrings = .embedded
  ) {
    var seen: Set<ExactText> = []
    self.productIdentifiers = productIdentifiers?.filter { seen.insert(ExactText($0)).inserted }
    (self.storefront, self.language, self.day) = (storefront, language, day)
    (self.mode, self.canMakePayments, self.style, self.strings) = (mode, canMakePayments, style, strings)
    self.isLanguageStrict = isLanguageStrict
    (self.unitPriceRounding, self.taxInclusion) = (unitPriceRounding, taxInclusion)
  }

  /// The date in the storefront.
  ///
  /// - Throws: `.unknownTimeZone` for an instant, if the storefront has no time zone or ICU does not have it.
  package var date: CalendarDate {
    get throws(CatalogError) {
      try withCatalogErrors { () throws(PriceTagError) in try day.date(in: storefront) }
    }
  }
}
