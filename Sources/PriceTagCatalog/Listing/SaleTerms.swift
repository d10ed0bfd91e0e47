import PriceTag

/// The part of a product that decides, with its price, whether a storefront shows the product.
struct SaleTerms: Sendable {
  let identifier: String
  let kind: ProductKind?
  let isApproved: Bool
  let clearedForSale: Clearance
  let subscriptionPeriod: SubscriptionPeriod?
  let content: ProductContent?
  let unitReference: UnitPriceReference?

  /// The unit that the unit price is for: its own, or else the default of the content; `nil` without a content.
  var unitPriceReference: UnitPriceReference? {
    content.map { unitReference ?? $0.defaultReference }
  }

  /// Reads the terms of the current row of a statement that selects the columns of the table `product`.
  init(_ identifier: String, _ row: CatalogStatement) throws {
    self.identifier = identifier
    kind = try stored(row.text(ProductColumn.kind), ProductKind.init)
    isApproved = try row.integer(ProductColumn.isApproved).map { $0 != 0 } ?? true
    clearedForSale =
      try stored(row.text(ProductColumn.clearedForSale), Clearance.init(stored:)) ?? .everywhere
    subscriptionPeriod = try stored(row.text(ProductColumn.subscriptionPeriod)) {
      try? SubscriptionPeriod($0)
    }
    content = try row.text(ProductColumn.content).map { try ProductContent($0) }
    unitReference = try row.text(ProductColumn.unitReference).map { try UnitPriceReference($0) }
  }
}
