/// What buying a product gives: StoreKit's product types.
public enum ProductKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// Used up, and bought again: coins.
  case consumable
  /// Bought once and kept: a level.
  case nonConsumable = "non-consumable"
  /// A subscription that goes on until it is cancelled.
  case autoRenewable = "auto-renewable-subscription"
  /// A subscription that ends.
  case nonRenewable = "non-renewing-subscription"
}
