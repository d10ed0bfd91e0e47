import GRDB
import PriceTag

extension Catalog {
  /// Calls the body with every item of the catalog, read from one consistent state: tiers, then groups, then products
  /// in store order.
  ///
  /// - Throws: `.databaseFailed`, and the errors of the body.
  public func forEachItem(
    _ body: (ImportedItem) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    try read { database in
      let store = CatalogStore(database, localeData: localeData)
      let keys = try CatalogKeys(database)
      for name in try keys.tierNames() {
        if let (_, tier) = try store.tier(name) { try body(.tier(tier)) }
      }
      for (kind, identifier) in try keys.groups() {
        if let group = try store.group(kind, identifier) { try body(.group(group)) }
      }
      for identifier in try keys.productIdentifiers() {
        guard var product = try store.product(identifier)?.product else { continue }
        product.history = try store.records(of: identifier)
        try body(.product(product))
      }
    }
  }

  /// Returns the languages of the products' texts, sorted by tag.
  ///
  /// - Throws: `.databaseFailed`.
  public func languages() throws(CatalogError) -> [String] {
    try read { try CatalogKeys($0).languages() }
  }

  /// Returns whether a product or one of its prices states whether prices include tax.
  package func statesTax() throws(CatalogError) -> Bool {
    try read {
      try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM product WHERE tax IS NOT NULL)") ?? false
    }
  }
}
