import PriceTag
import PriceTagCatalog

/// A format of files that products are read from.
public enum CatalogFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// PriceTag's own JSON, described by `Sources/PriceTagCatalogFormats/PriceTagJSON/catalog.schema.json`.
  case json
  /// The same, an object a line: as large as one likes.
  case jsonl
  /// PriceTag's own CSV: a row per price.
  case csv
  /// Xcode's StoreKit configuration.
  case storekit
  /// Google Play's CSV of in-app products.
  case googlePlayCSV = "google-play-csv"
  /// Google Play's API: in-app products, one-time products and subscriptions.
  case googlePlayJSON = "google-play-json"
  /// App Store Connect's API, and storeconfig's files of it.
  case appStoreConnect = "app-store-connect"
  /// The iTunes Store package's `metadata.xml`.
  case itmsp
  /// Stripe's prices and plans.
  case stripe
  /// A matrix of price tiers over countries: CSV, or the JSON of iTunes Connect that fastlane keeps.
  case tiers
}
