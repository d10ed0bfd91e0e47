import PriceTag

/// A product in a catalog: the fields that the imported files contained.
///
/// When several files describe a product, the fields of a later file replace those of an earlier one, and fields that it
/// omits are unchanged.
public struct CatalogProduct: Hashable, Sendable {
  /// The product identifier, such as `com.example.level1`.
  public let identifier: String
  /// The type of the product.
  public var kind: ProductKind?
  /// The shop's internal name of the product. It is never shown in a store.
  public var referenceName: String?
  /// The category of the product.
  public var category: String?
  /// The subscription group.
  public var subscriptionGroup: String?
  /// The rank within the subscription group; 1 is the highest.
  public var groupLevel: Int?
  /// The billing period of a subscription.
  public var subscriptionPeriod: SubscriptionPeriod?
  /// The name and description, by language (BCP 47).
  public var localizations: [String: ProductText] = [:]
  /// The product's own prices.
  public var prices = PriceTable()
  /// Whether prices include tax, where a price of the product does not state it; `nil` if no file states it.
  public var taxInclusion: TaxInclusion?
  /// The tiers that give the price in storefronts where `prices` has none; `nil` if no file contains tiers.
  public var tiers: [TierPeriod]?
  /// The price locales that replace a storefront's own, by storefront.
  public var priceLocales: [String: PriceLocale] = [:]
  /// The offers; `nil` if no file contains offers.
  public var offers: [CatalogOffer]?
  /// Whether the product is approved; `nil` means yes.
  public var isApproved: Bool?
  /// The storefronts in which the product is cleared for sale; `nil` means all.
  public var clearedForSale: Clearance?
  /// The address of an image: an http or https URL, or a path on the shop's site.
  public var image: String?
  /// The pictures; `nil` if no file contains any. The main picture, ``image``, need not be among them.
  public var images: [ProductImage]?
  /// The identifiers of the products that the product's page shows as related; `nil` for others of the category, an empty
  /// list for none.
  public var related: [String]?
  /// The position in a store: smaller numbers come first, products without a number last.
  public var sortOrder: Int?
  /// The content, such as `0.75 L` or `6 × 330 mL`, from which unit prices are computed.
  public var content: ProductContent?
  /// The unit that the unit price is for, such as `100 mL`; `nil` for the default of the content's unit.
  public var unitReference: UnitPriceReference?

  /// The records of the product's history, the oldest first; only in exports, and in an import of one.
  package var history: [PriceRecord] = []

  /// Creates a product with only an identifier.
  ///
  /// - Throws: `.malformedIdentifier`.
  public init(_ identifier: String) throws(CatalogError) {
    try ProductIdentifier.check(identifier)
    self.identifier = identifier
  }

  /// Creates a product with an identifier read from a catalog, which was checked when it was imported.
  init(stored identifier: String) {
    self.identifier = identifier
  }

  /// Returns the product updated with the fields of another description of it.
  ///
  /// A new content without a unit of reference removes the stored reference if it does not belong to the content.
  func updated(by other: CatalogProduct) -> CatalogProduct {
    var product = self
    product.kind = other.kind ?? kind
    product.referenceName = other.referenceName ?? referenceName
    product.category = other.category ?? category
    product.subscriptionGroup = other.subscriptionGroup ?? subscriptionGroup
    product.groupLevel = other.groupLevel ?? groupLevel
    product.subscriptionPeriod = other.subscriptionPeriod ?? subscriptionPeriod
    product.localizations.merge(other.localizations) { $0.updated(by: $1) }
    product.prices = prices.updated(by: other.prices)
    product.taxInclusion = other.taxInclusion ?? taxInclusion
    product.tiers = other.tiers ?? tiers
    product.priceLocales.merge(other.priceLocales) { $1 }
    product.offers = other.offers ?? offers
    product.isApproved = other.isApproved ?? isApproved
    product.clearedForSale = other.clearedForSale ?? clearedForSale
    product.image = other.image ?? image
    product.images = other.images ?? images
    product.related = other.related ?? related
    product.sortOrder = other.sortOrder ?? sortOrder
    product.content = other.content ?? content
    product.unitReference = other.unitReference ?? unitReference
    if other.unitReference == nil, other.content != nil, (try? product.checkUnitReference()) == nil {
      product.unitReference = nil
    }
    return product
  }

  /// Checks that the content has a price per the unit of reference: both measure the same, in the same system of units.
  ///
  /// - Throws: `.invalidField`.
  package func checkUnitReference() throws(CatalogError) {
    guard let content, let unitReference else { return }
    // The check of a unit price does not depend on the amount.
    _ = try withCatalogErrors { () throws(PriceTagError) in
      try Amount.zero.unitPrice(content: content, per: unitReference, digits: 0, rounding: .down)
    }
  }
}
