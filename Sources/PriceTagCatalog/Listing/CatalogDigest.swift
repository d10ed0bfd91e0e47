import GRDB
import PriceTag
import PriceTagText

extension ListingReader {
  /// Returns a digest of everything that listings are read from: all rows of the catalog, and the registry of storefronts
  /// and currencies.
  ///
  /// It reads the contents instead of their stored checksums, which have 32 bits for a row. The time and the number of the
  /// last import have no effect.
  package func digest() throws(CatalogError) -> String {
    try snapshot.read(path) { database in
      var digest = ContentDigest()
      digest.add(localeData.digest)
      let hasHistory = try CatalogTotals(database).history.count > 0
      let knownSince = sqlName(of: ProductColumn.knownSince)
      let tables = CatalogTable.allCases.filter { ![.catalog, .importInput].contains($0) }
      for table in tables where table != .priceHistory || hasHistory {
        digest.add(table.name)
        // The time of the first import has no effect, nor have the checksums, which cover it.
        let columns = table.columns.dropFirst().filter { $0 != knownSince }
        let row = try CatalogStatement(
          database,
          "SELECT \(columns.joined(separator: ", ")) FROM \(table.name)"
        )
        var count = 0
        let budget = WorkBudget.current
        try row.forEachRow {
          if count.isMultiple(of: 256) { try budget?.checkpoint() }
          row.addRow(to: &digest)
          count += 1
        }
        digest.add(count)
      }
      return digest.text
    }
  }
}
