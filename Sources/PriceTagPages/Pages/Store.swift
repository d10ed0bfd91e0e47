import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// What one storefront shows to readers of one language: what a store page is made of.
public struct Store: Sendable {
  /// Whose prices they are.
  public let storefront: Storefront
  /// The reader's language.
  public let language: UILanguage
  /// The languages that the storefront has pages in, this one among them.
  public let languages: [UILanguage]
  /// The products that can be bought here, in the order of the shop.
  public let products: [Product]
  /// The day that the prices are those of.
  public let date: CalendarDate
  /// Whether the reader may pay; where not, a notice stands in place of the products.
  public let canMakePayments: Bool

  /// A store of an answer.
  ///
  /// - Parameters:
  ///   - response: What a catalogue answered.
  ///   - languages: The languages that the storefront has pages in.
  public init(_ response: ProductsResponse, languages: [UILanguage]) {
    self.init(
      response.storefront,
      response.language,
      languages: languages,
      products: response.products,
      on: response.date,
      canMakePayments: response.canMakePayments
    )
  }

  init(
    _ storefront: Storefront,
    _ language: UILanguage,
    languages: [UILanguage],
    products: [Product],
    on date: CalendarDate,
    canMakePayments: Bool
  ) {
    (self.storefront, self.language, self.products) = (storefront, language, products)
    (self.date, self.canMakePayments) = (date, canMakePayments)
    self.languages = languages.contains(language) ? languages : [language] + languages
  }

  /// The language that somebody reads who asks for none: the storefront's own, where it has a page in it.
  var defaultLanguage: UILanguage {
    languages.first { $0.identifier == storefront.defaultLanguage } ?? languages.first ?? language
  }
}
