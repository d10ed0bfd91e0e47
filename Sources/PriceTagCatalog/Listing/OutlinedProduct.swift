import GRDB
import PriceTag
import PriceTagText

/// The products of a catalog, as the outlines of all its storefronts read them.
package struct OutlinedProducts: Sendable {
  /// All products, in store order.
  let products: [OutlinedProduct]
  /// The revision of the catalog.
  let revision: Int64
}

/// A product as the outlines of all storefronts read it: without its texts, its pictures and its prices.
struct OutlinedProduct: Sendable {
  let terms: SaleTerms
  /// The ID of the product's row.
  let row: Int64
  /// The ID of its price list.
  let list: Int64
  /// The ID of the set of the storefronts with prices.
  let priceSet: Int64
  /// The number of its tiers.
  let tierCount: Int64
  /// The ID of the set of the storefronts with price locales.
  let localeSet: Int64
  let category: OutlineKey?
  fileprivate let subscriptionGroup: OutlineKey?

  /// The group with whose other subscriptions a page compares the product.
  var comparedGroup: OutlineKey? {
    terms.kind == .autoRenewable && terms.subscriptionPeriod != nil ? subscriptionGroup : nil
  }
}

/// The identifier of a category or a subscription group, which its products share.
final class OutlineKey: Sendable {
  let identifier: String
  /// The number of the identifier among all categories and groups of the catalog.
  let number: Int

  init(_ identifier: String, number: Int) {
    (self.identifier, self.number) = (identifier, number)
  }
}

/// The keys of the products that were read.
struct OutlineKeys {
  private var keys: [ExactText: OutlineKey] = [:]

  /// Returns the key of an identifier.
  mutating func key(_ identifier: String?) -> OutlineKey? {
    guard let identifier else { return nil }
    if let stored = keys[ExactText(identifier)] { return stored }
    let key = OutlineKey(identifier, number: keys.count)
    keys[ExactText(identifier)] = key
    return key
  }
}

/// Reads the products of a catalog for outlines. Verifies the checksum of every row, the order, and that no product is missing.
///
/// A reader belongs to one connection and is used only on its thread.
final class OutlinedProductReader {
  private let database: Database
  let statement: CatalogStatement
  private var keys = OutlineKeys()
  private var clearances = Clearances()

  /// Whether the products have so many different clearances that they should not be stored.
  var hasManyClearances: Bool { clearances.setCount > Clearances.maximumCount }

  init(_ database: Database, _ condition: String = "true ORDER BY \(ProductOrder.columns)") throws {
    self.database = database
    statement = try CatalogTable.product.select(condition, database)
  }

  /// Calls the body with each product in store order, and with its row.
  func forEach(_ body: (OutlinedProduct, CatalogStatement) throws -> Void) throws {
    var order = ProductOrder()
    let budget = WorkBudget.current
    var count = 0
    try statement.forEachRow {
      if count.isMultiple(of: 256) { try budget?.checkpoint() }
      count += 1
      let product = try product()
      try order.check(sortOrder: statement.integer(ProductColumn.sortOrder), product.terms.identifier)
      try body(product, statement)
    }
    try CatalogTotals(database).check(\.products, order.found, "products")
  }

  /// Returns the product of the current row.
  func product() throws -> OutlinedProduct {
    let identifier = try statement.requiredText(ProductColumn.identifier)
    return try DamagedCatalog.naming(identifier) {
      try CatalogTable.product.verify(statement)
      return OutlinedProduct(
        terms: try SaleTerms(identifier, statement, &clearances),
        row: try statement.requiredInteger(ProductColumn.id),
        list: try statement.requiredInteger(ProductColumn.list),
        priceSet: try statement.requiredInteger(ProductColumn.priceSet),
        tierCount: try statement.requiredInteger(ProductColumn.tierPeriods),
        localeSet: try statement.requiredInteger(ProductColumn.localeSet),
        category: keys.key(try statement.text(ProductColumn.category)),
        subscriptionGroup: keys.key(try statement.text(ProductColumn.subscriptionGroup))
      )
    }
  }
}

extension ProductRecordReader {
  /// Returns the prices of a product in the requested storefronts.
  func schedule(of product: OutlinedProduct) throws -> PriceSchedule {
    try schedules.schedule(of: product.list, product.priceSet, product.tierCount)
  }
}
