/// The formats that are read as orders.
public enum OrderFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// PriceTag's own order.
  case priceTag = "pricetag"
  /// The decoded payload of an App Store transaction (`JWSTransactionDecodedPayload`).
  case appStore = "app-store"
  /// A Stripe checkout session with its line items.
  case stripe
}
