import GRDB

/// A table of a catalog. A `CatalogTableColumn` type lists its columns.
///
/// The raw values are part of the checksums, so they must never change.
enum CatalogTable: UInt64, CaseIterable {
  case catalog, product, productText, priceLocale, offer, tier, price, tierPeriod, productGroup, partSet
  case priceHistory, importInput

  var name: String { Self.names[self] ?? "" }

  private static let names = Dictionary(uniqueKeysWithValues: allCases.map { ($0, sqlName(of: $0)) })

  private static let columnTypes: [any CatalogTableColumn.Type] = [
    TotalsColumn.self, ProductColumn.self, ProductTextColumn.self, PriceLocaleColumn.self, OfferColumn.self,
    TierColumn.self, PriceColumn.self, TierPeriodColumn.self, ProductGroupColumn.self, PartSetColumn.self,
    PriceHistoryColumn.self, ImportInputColumn.self,
  ]

  /// The checksum, then all other columns.
  var columns: [String] { Self.columnTypes.first { $0.table == self }?.names ?? [] }

  /// The index of the first column that schema 5 added to a table of schema 4. The checksums do not cover nulls in added columns,
  /// so those of rows of schema 4 remain valid.
  var firstAddedColumn: Int? {
    switch self {
    case .catalog: TotalsColumn.historyCount.rawValue
    case .product: ProductColumn.knownSince.rawValue
    default: nil
    }
  }

  /// Returns whether schema 5 added a column.
  func isAdded(_ index: Int) -> Bool { firstAddedColumn.map { $0 <= index } ?? false }

  /// The column list of a `SELECT`: the checksum, then all other columns.
  var selection: String { Self.selections[self] ?? "" }

  // Built only once, because each request of a service prepares ten statements.
  private static let selections = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, $0.columns.joined(separator: ", ")) }
  )

  /// Returns a statement that selects the rows that satisfy a condition.
  func select(_ condition: String, _ database: Database) throws -> CatalogStatement {
    try CatalogStatement(database, "SELECT \(selection) FROM \(name) WHERE \(condition)")
  }

  /// Verifies the checksum of the current row of a statement that selects `selection`.
  ///
  /// - Throws: `DamagedCatalog`.
  func verify(_ row: CatalogStatement) throws {
    var checksum = RowChecksum(self)
    let added = firstAddedColumn ?? .max
    for index in (0..<row.columnCount).dropFirst() where index < added || !row.isNull(at: index) {
      row.add(at: index, to: &checksum)
    }
    guard try row.integer(at: 0) == checksum.value else { throw DamagedCatalog.checksum(of: self) }
  }

  /// The SQL that inserts a row of all columns, in the order of `CatalogTableColumn.row`.
  var insertion: String {
    "INSERT INTO \(name) (\(selection)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }
}
