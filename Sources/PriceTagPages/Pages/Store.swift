import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// The products and prices of a storefront in one language: the contents of a store page.
public struct Store: Sendable {
  /// The storefront.
  public let storefront: Storefront
  /// The shopper's language.
  public let language: UILanguage
  /// The languages of the storefront's pages, including this one.
  public let languages: [UILanguage]
  /// The products for sale in the storefront, in the order of the catalog.
  public let products: [Product]
  /// The date of the prices.
  public let date: CalendarDate
  /// Whether the shopper may pay; if not, a notice replaces the products.
  public let canMakePayments: Bool
  /// The store that the page offers because the shopper's browser is set to its region; `nil` for none.
  package var likelyStore: LikelyStore?
  /// The languages that the page names for search engines, with their `hreflang`.
  let searchLanguages: [(language: UILanguage, tag: String)]
  /// The properties of Open Graph for the languages.
  let openGraphLocales: [(String, String)]
  /// The storefront's name in the language of the page.
  let storefrontName: String
  /// The storefront's name in the language of the page; with the name of that language if another page of the storefront
  /// has the same name for it, so that no two pages have the same title.
  let title: String
  /// The products by category and subscription group. A store whose products are not in memory has them, too.
  package let outline: StoreOutline
  /// The places of the products in `products`, by the IDs of their rows.
  private let places: [Int64: Int]

  /// Creates a store from a products response.
  ///
  /// - Parameters:
  ///   - response: The response of a catalog.
  ///   - languages: The languages of the storefront's pages.
  public init(_ response: ProductsResponse, languages: [UILanguage]) {
    self.init(
      response.storefront,
      response.language,
      languages: languages,
      products: response.products,
      StoreOutline(response.products),
      on: response.date,
      canMakePayments: response.canMakePayments
    )
  }

  /// Creates a store.
  ///
  /// - Parameter products: The products of the outline; none if they are read when a page needs them.
  package init(
    _ storefront: Storefront,
    _ language: UILanguage,
    languages: [UILanguage],
    products: [Product] = [],
    _ outline: StoreOutline,
    on date: CalendarDate,
    canMakePayments: Bool = true
  ) {
    (self.storefront, self.language, self.products, self.outline) = (storefront, language, products, outline)
    places = Dictionary(products.enumerated().map { ($1.row, $0) }) { first, _ in first }
    (self.date, self.canMakePayments) = (date, canMakePayments)
    let languages = languages.contains(language) ? languages : [language] + languages
    self.languages = languages
    searchLanguages = storefront.searchLanguages(languages)
    openGraphLocales = language.openGraphLocales(languages)
    let name = language.name(of: storefront)
    let isAmbiguous = languages.contains { $0 != language && $0.name(of: storefront) == name }
    storefrontName = name
    title = isAmbiguous ? "\(name), \(language.name(of: language))" : name
  }

  /// Returns products that are in memory by the IDs of their rows.
  func products(_ ids: [Int64]) -> [Product] { ids.compactMap { id in places[id].map { products[$0] } } }
}

extension Storefront {
  /// Returns the languages of pages with their `hreflang`: the language and the territory of the store, such as `fr-CH`.
  ///
  /// If several languages have the same one, such as English of the United States and of Great Britain in Japan, it is that of
  /// the storefront's default language, else of the first; the links for search engines omit the others.
  package func searchLanguages(_ languages: [UILanguage]) -> [(language: UILanguage, tag: String)] {
    var tags: Set<String> = []
    var found: [UILanguage: String] = [:]
    // A language of this very territory comes first.
    let preferred = languages.filter { $0.identifier.hasSuffix("-\(alpha2)") }
    for language in preferred + [defaultLanguage(among: languages)].compactMap(\.self) + languages
    where found[language] == nil {
      // A territory, of two letters, is replaced; a script, of four, is kept.
      let parts = language.identifier.split(separator: "-").filter {
        $0.utf8.count != 2 || $0.first?.isLowercase == true
      }
      let tag = (parts.map(String.init) + [alpha2]).joined(separator: "-")
      if tags.insert(tag).inserted { found[language] = tag }
    }
    return languages.compactMap { language in found[language].map { (language, $0) } }
  }
}

extension Storefront {
  /// Returns the storefront's default language if the list contains it, else the first of the list; `nil` for an empty
  /// list.
  package func defaultLanguage(among languages: [UILanguage]) -> UILanguage? {
    languages.first { $0.identifier == defaultLanguage } ?? languages.first
  }
}
