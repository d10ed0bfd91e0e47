/// The names in PriceTag's own JSON, matching `catalog.schema.json`.
enum CatalogJSON {
  static let formatName = "pricetag-catalog"
  static let version = 1

  /// The arrays of a document, in the order in which they are read and written.
  enum Section: String, CaseIterable {
    case tiers, categories, subscriptionGroups, products

    /// The value of the field `type` in JSON Lines.
    var type: String {
      switch self {
      case .tiers: "tier"
      case .categories: "category"
      case .subscriptionGroups: "subscription-group"
      case .products: "product"
      }
    }
  }

  /// The fields of a document. Editors use `$schema` to find the schema.
  static let documentFields = ["$schema", "format", "version"] + Section.allCases.map(\.rawValue)
  static let tierFields = ["type", "tier", "prices"]
  static let groupFields = ["type", "identifier", "names"]
  static let productFields = [
    "type", "productIdentifier", "kind", "referenceName", "category", "subscriptionGroup", "groupLevel",
    "subscriptionPeriod", "localizations", "tier", "prices", "taxIncluded", "priceLocales", "offers",
    "approved",
    "clearedForSale", "image", "images", "related", "sortOrder", "content", "unitReference",
    "history",
  ]
  static let imageFields = ["src", "width", "height", "alt", "sources"]
  static let sourceFields = ["src", "width"]
  static let textFields = ["name", "description"]
  static let priceFields = ["amount", "currency", "from", "until"]
  static let historyFields = ["day", "prices", "added"]
  /// The fields of a price of a product. Offers and tiers do not state whether they include tax.
  static let productPriceFields = priceFields + ["taxIncluded"]
  static let tierPeriodFields = ["tier", "from", "until"]
  static let exceptionFields = ["except"]
  static let phaseFields = ["paymentMode", "period", "periodCount", "tier", "prices"]
  static let offerFields = [
    "kind", "identifier", "paymentMode", "period", "periodCount", "clearedForSale", "from", "until", "tier",
    "prices", "laterPhases",
  ]
}
