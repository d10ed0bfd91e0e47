import PriceTag

/// What a catalogue knows of a product, read once for all storefronts and languages of a listing.
///
///     let reading = try catalog.listings(for: request)
///     let maker = try ListingMaker(request)
///     for facts in try reading.next(100) { try maker.forEach(facts) { listing in … } }
public struct ProductFacts: Sendable {
  /// The identifier, such as `com.example.level1`.
  public let identifier: String
  let kind: ProductKind?
  let isApproved: Bool
  let clearedForSale: Clearance
  let category: GroupFacts?
  let subscriptionGroup: GroupFacts?
  let groupLevel: Int?
  let subscriptionPeriod: SubscriptionPeriod?
  package let image: String?
  let schedule: PriceSchedule
  /// By storefront.
  let priceLocales: [String: PriceLocale]
  /// The languages in which it has a name, in order.
  let languages: [String]
  /// By the number of the language; where one text alone is shown, the others are empty.
  let texts: [ProductText]
  let offers: [OfferFacts]
}

/// What is known of an offer.
struct OfferFacts: Sendable {
  let kind: CatalogOffer.Kind
  let identifier: String?
  let paymentMode: CatalogOffer.PaymentMode
  let period: SubscriptionPeriod
  let periodCount: Int
  let clearedForSale: Clearance
  let days: Days
  /// What a payment costs; `nil` for a free trial.
  let schedule: PriceSchedule?
}

/// What is known of a category or a subscription group. One for all products that are in it.
final class GroupFacts: Sendable {
  let identifier: String
  let names: [String: String]
  /// The languages in which it has a name, in order.
  let languages: [String]

  init(_ identifier: String, names: [String: String]) {
    (self.identifier, self.names) = (identifier, names)
    languages = names.keys.sorted()
  }
}
