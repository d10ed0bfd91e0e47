import PriceTag

/// The data of a product, read from a catalog once for all storefronts and languages of a request.
///
///     let reader = try catalog.listings(for: request)
///     let builder = try ListingBuilder(request)
///     for record in try reader.next(100) { try builder.forEach(record) { listing in … } }
public struct ProductRecord: Sendable {
  /// The product identifier, such as `com.example.level1`.
  public var identifier: String { terms.identifier }
  let terms: SaleTerms
  let category: GroupRecord?
  let subscriptionGroup: GroupRecord?
  let groupLevel: Int?
  package let image: String?
  let schedule: PriceSchedule
  /// The price locales that replace a storefront's own, by storefront.
  let priceLocales: [String: PriceLocale]
  /// The languages in which the product has a name, sorted.
  let languages: [String]
  /// The texts, in the order of `languages`. If only one text is shown, the others are empty.
  package let texts: [ProductText]
  let offers: [OfferRecord]
  /// All pictures, the main one first.
  package let images: [ProductImage]
  /// The identifiers of related products; `nil` for others of the category.
  let related: [String]?
  /// The ID of the product's row.
  package let row: Int64
}

/// The data of an offer.
struct OfferRecord: Sendable {
  let kind: CatalogOffer.Kind
  let identifier: String?
  let clearedForSale: Clearance
  let days: DateRange
  /// The phases; at least one.
  var phases: [Phase]

  struct Phase: Sendable {
    /// How the phase is paid, without prices.
    let terms: CatalogOffer.Phase
    /// The prices of one payment; `nil` for a free trial.
    let schedule: PriceSchedule?
  }
}

/// The data of a category or a subscription group, shared by its products.
final class GroupRecord: Sendable {
  let identifier: String
  let names: [String: String]
  /// The languages in which the group has a name, sorted.
  let languages: [String]

  init(_ identifier: String, names: [String: String]) {
    (self.identifier, self.names) = (identifier, names)
    languages = names.keys.sorted()
  }
}
