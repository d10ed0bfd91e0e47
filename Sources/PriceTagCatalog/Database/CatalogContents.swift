import GRDB
import PriceTag

extension Catalog {
  /// Hands over everything that the catalogue keeps, in one state of it and one by one: tiers, groups, then products in
  /// the order that they stand in a store.
  ///
  /// - Throws: `.databaseFailed`, and what the body throws.
  public func forEachItem(
    _ body: (ImportedItem) throws(CatalogError) -> Void
  ) throws(CatalogError) {
    try read { database in
      let records = CatalogRecords(database, localeData: localeData)
      for name in try String.fetchAll(database, sql: "SELECT name FROM tier") {
        if let (_, tier) = try records.tier(name) { try body(.tier(tier)) }
      }
      let groups = try Row.fetchAll(database, sql: "SELECT DISTINCT kind, identifier FROM product_group")
      for row in groups {
        guard let kind = try stored(row.decode(atIndex: 0), ProductGroup.Kind.init) else { continue }
        if let group = try records.group(kind, row.decode(atIndex: 1)) { try body(.group(group)) }
      }
      let identifiers = try String.fetchCursor(database, sql: Self.inOrder)
      while let identifier = try identifiers.next() {
        if let kept = try records.product(identifier) { try body(.product(kept.product)) }
      }
    }
  }

  /// The languages that products have texts in, in the order of their tags.
  ///
  /// - Throws: `.databaseFailed`.
  public func languages() throws(CatalogError) -> [String] {
    try read {
      try String.fetchAll($0, sql: "SELECT DISTINCT language FROM product_text ORDER BY language")
    }
  }
}
