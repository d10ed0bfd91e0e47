/// The type of a product: StoreKit's product types.
public enum ProductKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// A product that is used up and can be purchased again, such as coins.
  case consumable
  /// A product that is purchased once and does not expire, such as a level.
  case nonConsumable = "non-consumable"
  /// A subscription that renews until it is canceled.
  case autoRenewable = "auto-renewable-subscription"
  /// A subscription that does not renew.
  case nonRenewable = "non-renewing-subscription"
}
