import PriceTag
import PriceTagStrings

/// The store of the region that a shopper's browser is set to, which a page offers if it is of another store.
///
/// Pages never redirect to it, and it is never chosen by a price.
package struct LikelyStore: Sendable {
  /// The storefront.
  package let storefront: Storefront
  /// The language in which to link it.
  package let language: UILanguage
  /// Whether it has the product of the page.
  package let hasProduct: Bool

  /// Creates an offer of a store.
  ///
  /// - Parameters:
  ///   - storefront: The storefront.
  ///   - languages: The languages of its pages.
  ///   - pageLanguage: The language of the page that offers it.
  ///   - hasProduct: Whether it has the product of the page.
  package init(
    _ storefront: Storefront,
    languages: [UILanguage],
    pageLanguage: UILanguage,
    hasProduct: Bool
  ) {
    (self.storefront, self.hasProduct) = (storefront, hasProduct)
    language = StorePages.closestLanguage(to: pageLanguage, among: languages, of: storefront)
  }

  /// Returns the template values of the offer on a page of a store.
  ///
  /// If the page has no offer, its script fills in the store that suits the browser; until then it is hidden, and has the
  /// name of the page's own store as a placeholder.
  ///
  /// - Throws: `.stringsFailed`.
  static func values(
    _ store: Store,
    _ language: PageLanguage,
    on path: PagePath
  ) throws(PagesError) -> TemplateValues {
    let offer = store.likelyStore
    let text = try language.offer(of: offer?.storefront ?? store.storefront)
    let target = offer.map { offer in
      if offer.hasProduct, let product = path.product {
        return PagePath.product(product, offer.storefront, offer.language)
      }
      return .store(offer.storefront, offer.language)
    }
    return TemplateValues([
      .id: store.storefront.id, .territory: store.storefront.alpha2, .text: text,
      .storefrontId: offer?.storefront.id, .isShown: offer != nil,
      .href: target.map { path.href(to: $0) }, .hreflang: offer?.language.identifier,
      .chooseHref: path.href(to: .entry(store.language)),
      .productHref: path.product.map { path.href(to: .productEntry($0)) },
      .product: path.product,
    ])
  }
}
