import PriceTag

/// What a catalogue says of a product: every fact that its sources gave, and nothing that they did not.
///
/// Facts of several sources are put together: what a later one says replaces what it speaks of, and what it is silent
/// on stays.
public struct CatalogProduct: Hashable, Sendable {
  /// The product's identifier, such as `com.example.level1`.
  public let identifier: String
  /// What buying it gives.
  public var kind: ProductKind?
  /// What the shop's own people call it. Never shown in a store.
  public var referenceName: String?
  /// The category it stands in.
  public var category: String?
  /// The subscription group.
  public var subscriptionGroup: String?
  /// The rank within the group; 1 is the highest.
  public var groupLevel: Int?
  /// What a payment of the subscription pays for.
  public var subscriptionPeriod: SubscriptionPeriod?
  /// Its name and description by language, BCP 47.
  public var localizations: [String: ProductText] = [:]
  /// Its own prices, by storefront and date.
  public var prices = PriceTable()
  /// The tiers that give a price where `prices` has none; `nil` where no source says any.
  public var tiers: [TierPeriod]?
  /// The locale that its prices are written in, where that is not the storefront's.
  public var priceLocales: [String: PriceLocale] = [:]
  /// Its offers; `nil` where no source says any.
  public var offers: [CatalogOffer]?
  /// Whether it was approved; `nil` stands for yes.
  public var isApproved: Bool?
  /// Where it is cleared for sale; `nil` stands for everywhere.
  public var clearedForSale: Clearance?
  /// The address of a picture: http, https, or a path of the shop's.
  public var image: String?
  /// Where it stands among others: smaller numbers first, products without one last.
  public var sortOrder: Int?

  /// A product of which only the identifier is known.
  ///
  /// - Throws: `.malformedIdentifier`.
  public init(_ identifier: String) throws(CatalogError) {
    try ProductIdentifier.check(identifier)
    self.identifier = identifier
  }

  /// For an identifier that a catalogue has kept.
  init(kept identifier: String) {
    self.identifier = identifier
  }

  /// The product with what another source says of it.
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
    product.tiers = other.tiers ?? tiers
    product.priceLocales.merge(other.priceLocales) { $1 }
    product.offers = other.offers ?? offers
    product.isApproved = other.isApproved ?? isApproved
    product.clearedForSale = other.clearedForSale ?? clearedForSale
    product.image = other.image ?? image
    product.sortOrder = other.sortOrder ?? sortOrder
    return product
  }
}
