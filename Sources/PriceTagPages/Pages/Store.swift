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
  /// The subscriptions that renew, by their group, in the order that the groups come in.
  let subscriptionGroups: [[Product]]

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
    var groups: [[Product]] = []
    var indices: [String: Int] = [:]
    for product in products where product.kind == .autoRenewable {
      guard let key = product.subscription?.group?.identifier else { continue }
      if let index = indices[key] {
        groups[index].append(product)
      } else {
        indices[key] = groups.count
        groups.append([product])
      }
    }
    subscriptionGroups = groups
  }

  /// The subscriptions of a product's group, itself among them; none where it is in no group.
  func group(of product: Product) -> [Product] {
    guard product.kind == .autoRenewable, let key = product.subscription?.group?.identifier else { return [] }
    return subscriptionGroups.first { $0.first?.subscription?.group?.identifier == key } ?? []
  }

  /// The language that somebody reads who asks for none: the storefront's own, where it has a page in it.
  var defaultLanguage: UILanguage {
    storefront.usualLanguage(among: languages) ?? language
  }
}

extension Storefront {
  /// Its own language where it is among some, else the first of them; `nil` where there are none.
  package func usualLanguage(among languages: [UILanguage]) -> UILanguage? {
    languages.first { $0.identifier == defaultLanguage } ?? languages.first
  }
}
