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
  /// What the product and its prices state about tax; `nil` if they state nothing.
  let tax: ProductTax?

  /// The unit that the unit price is for: its own, or else the default of the content; `nil` without a content.
  var unitPriceReference: UnitPriceReference? {
    content.map { unitReference ?? $0.defaultReference }
  }

  /// Reads the terms of the current row of a statement that selects the columns of the table `product`.
  init(_ identifier: String, _ row: CatalogStatement, _ clearances: inout Clearances) throws {
    self.identifier = identifier
    kind = try stored(row.text(ProductColumn.kind), ProductKind.init)
    isApproved = try row.integer(ProductColumn.isApproved).map { $0 != 0 } ?? true
    clearedForSale = try clearances.clearance(row.text(ProductColumn.clearedForSale))
    subscriptionPeriod = try stored(row.text(ProductColumn.subscriptionPeriod)) {
      try? SubscriptionPeriod($0)
    }
    content = try row.text(ProductColumn.content).map { try ProductContent($0) }
    unitReference = try row.text(ProductColumn.unitReference).map { try UnitPriceReference($0) }
    tax = try row.text(ProductColumn.tax).flatMap { try clearances.tax($0) }
  }
}

/// The clearances and the statements about tax that a reader has read. Many products have the same ones, whose sets of
/// storefronts are then stored once.
struct Clearances {
  private var clearances = BoundedCache<String, Clearance>(limit: maximumCount)
  private var taxes = BoundedCache<String, ProductTax>(limit: maximumCount)
  /// The number of sets of storefronts that were created.
  private(set) var setCount = 0

  static let maximumCount = 1000

  /// Returns the clearance of a column's text.
  mutating func clearance(_ text: String?) -> Clearance {
    guard let text, text != Clearance.everywhere.stored else { return .everywhere }
    if let cached = clearances[text] { return cached }
    let clearance = Clearance(stored: text)
    clearances.store(clearance, for: text)
    setCount += 1
    return clearance
  }

  /// Returns the statements of a column's text.
  mutating func tax(_ text: String) throws -> ProductTax? {
    if let cached = taxes[text] { return cached }
    guard let tax = try stored(text, ProductTax.init(stored:)) else { return nil }
    taxes.store(tax, for: text)
    setCount += 1
    return tax
  }
}
