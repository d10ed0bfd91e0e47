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
      let records = CatalogRecords(database, localeData: localeData, hasChecksums: hasChecksums)
      let keys = try CatalogKeys(database, hasChecksums: hasChecksums)
      for name in try keys.tierNames() {
        if let (_, tier) = try records.tier(name) { try body(.tier(tier)) }
      }
      for (kind, identifier) in try keys.groups() {
        if let group = try records.group(kind, identifier) { try body(.group(group)) }
      }
      for identifier in try keys.productIdentifiers() {
        if let kept = try records.product(identifier) { try body(.product(kept.product)) }
      }
    }
  }

  /// The languages that products have texts in, in the order of their tags.
  ///
  /// - Throws: `.databaseFailed`.
  public func languages() throws(CatalogError) -> [String] {
    try read { try CatalogKeys($0, hasChecksums: hasChecksums).languages() }
  }
}
