import GRDB

/// A table of a catalog. A `CatalogTableColumn` type lists its columns.
///
/// The raw values are part of the checksums, so they must never change.
enum CatalogTable: UInt64, CaseIterable {
  case catalog, product, productText, priceLocale, offer, tier, price, tierPeriod, productGroup, partSet
  case priceHistory

  var name: String { sqlName(of: self) }

  /// The checksum, then all other columns.
  var columns: [String] {
    switch self {
    case .catalog: TotalsColumn.names
    case .product: ProductColumn.names
    case .productText: ProductTextColumn.names
    case .priceLocale: PriceLocaleColumn.names
    case .offer: OfferColumn.names
    case .tier: TierColumn.names
    case .price: PriceColumn.names
    case .tierPeriod: TierPeriodColumn.names
    case .productGroup: ProductGroupColumn.names
    case .partSet: PartSetColumn.names
    case .priceHistory: PriceHistoryColumn.names
    }
  }

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
