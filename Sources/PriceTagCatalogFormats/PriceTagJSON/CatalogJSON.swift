import PriceTagCatalog

/// The names of PriceTag's own JSON, as `catalog.schema.json` has them.
enum CatalogJSON {
  static let formatName = "pricetag-catalog"
  static let version = 1

  /// The arrays of a document, in the order that they are read and written in.
  enum Section: String, CaseIterable {
    case tiers, categories, subscriptionGroups, products

    /// What a line of JSON Lines says it is.
    var type: String {
      switch self {
      case .tiers: "tier"
      case .categories: "category"
      case .subscriptionGroups: "subscription-group"
      case .products: "product"
      }
    }
  }

  /// An editor is told of the schema by `$schema`.
  static let documentFields = ["$schema", "format", "version"] + Section.allCases.map(\.rawValue)
  static let tierFields = ["type", "tier", "prices"]
  static let groupFields = ["type", "identifier", "names"]
  static let productFields = [
    "type", "productIdentifier", "kind", "referenceName", "category", "subscriptionGroup", "groupLevel",
    "subscriptionPeriod", "localizations", "tier", "prices", "priceLocales", "offers", "approved",
    "clearedForSale", "image", "sortOrder",
  ]
  static let textFields = ["name", "description"]
  static let priceFields = ["amount", "currency", "from", "until"]
  static let tierPeriodFields = ["tier", "from", "until"]
  static let exceptionFields = ["except"]
  static let offerFields = [
    "kind", "identifier", "paymentMode", "period", "periodCount", "clearedForSale", "from", "until", "tier",
    "prices",
  ]
}
