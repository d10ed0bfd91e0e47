/// A file format that products can be imported from.
public enum CatalogFormat: String, Hashable, Sendable, CaseIterable, Codable {
  /// PriceTag's own JSON: one document, described by `Sources/PriceTagCatalogFormats/PriceTagJSON/catalog.schema.json`.
  case json
  /// PriceTag's own JSON Lines: one object per line, read line by line, so files can be of any size.
  case jsonl
  /// PriceTag's own CSV: one row per price.
  case csv
  /// StoreKit configuration files from Xcode.
  case storekit
  /// The CSV of in-app products from the Google Play Console.
  case googlePlayCSV = "google-play-csv"
  /// Google Play API resources: in-app products, one-time products and subscriptions.
  case googlePlayJSON = "google-play-json"
  /// App Store Connect API responses, and the files that storeconfig writes from them.
  case appStoreConnect = "app-store-connect"
  /// The `metadata.xml` of an iTunes Store package.
  case itmsp
  /// Stripe API prices, plans and products, and the CSV of prices of the Stripe dashboard.
  case stripe
  /// A table of price tiers by country: CSV, or the iTunes Connect JSON that fastlane stores.
  case tiers
  /// `IAPProductCatalog.json`, in which Unity stores the products of a game.
  case unity
}
