import GRDB

/// A table of a catalog. A `CatalogTableColumn` type lists its columns.
///
/// The raw values are part of the checksums, so they must never change.
enum CatalogTable: UInt64, CaseIterable {
  case catalog, product, productText, priceLocale, offer, tier, price, tierPeriod, productGroup, partSet

  var name: String {
    switch self {
    case .catalog: "catalog"
    case .product: "product"
    case .productText: "product_text"
    case .priceLocale: "price_locale"
    case .offer: "offer"
    case .tier: "tier"
    case .price: "price"
    case .tierPeriod: "tier_period"
    case .productGroup: "product_group"
    case .partSet: "part_set"
    }
  }

  /// The checksum, then all other columns.
  private var allColumns: [String] {
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
    }
  }

  /// The columns that version 2 added together with the checksums.
  var addedColumns: [(name: String, type: String)] {
    func integers(_ columns: [some CatalogColumn]) -> [(name: String, type: String)] {
      columns.map { ($0.sqlName, "INTEGER") }
    }
    return switch self {
    case .catalog:
      integers([
        TotalsColumn.productCount, .productDigest, .tierCount, .tierDigest, .nameCount, .nameDigest,
        .schemaDigest,
      ])
    case .product: integers([ProductColumn.priceSet, .tierPeriods, .textSet, .localeSet, .offers])
    case .offer: integers([OfferColumn.priceSet, .tierPeriods])
    case .tier: integers([TierColumn.priceSet])
    case .partSet: [(PartSetColumn.id.sqlName, "INTEGER"), (PartSetColumn.members.sqlName, "TEXT")]
    case .productText, .priceLocale, .price, .tierPeriod, .productGroup: []
    }
  }

  /// The columns that version 3 added, which are the last ones.
  ///
  /// If all of them are null, the checksum does not cover them: it is then the one that version 2 wrote.
  var laterColumns: [(name: String, type: String)] {
    switch self {
    case .product: [ProductColumn.content, .unitReference].map { ($0.sqlName, "TEXT") }
    default: []
    }
  }

  /// Returns the number of columns, including the checksum itself, at the start of a row that its checksum covers.
  ///
  /// - Parameters:
  ///   - columnCount: The number of columns of the row.
  ///   - isNull: Returns whether the value at an index is null.
  func coveredCount(of columnCount: Int, isNull: (Int) -> Bool) -> Int {
    let count = max(1, columnCount - laterColumns.count)
    return (count..<max(count, columnCount)).allSatisfy(isNull) ? count : columnCount
  }

  /// All columns but the checksum.
  var columns: [String] { Array(allColumns.dropFirst()) }

  /// The columns that the checksums of version 2 cover.
  var columnsOfVersion2: [String] { columns.dropLast(laterColumns.count) }

  /// Returns the column list of a `SELECT`: the checksum, then all other columns. The columns that the catalog does not
  /// have yet are null: in a catalog without checksums, all that version 2 or 3 added.
  func selection(_ hasChecksums: Bool, hasContents: Bool = true) -> String {
    let selections =
      if !hasChecksums { Self.selectionsOfVersion1 } else if hasContents { Self.selections } else {
        Self.selectionsOfVersion2
      }
    return selections[self, default: ""]
  }

  /// Returns the column list of a `SELECT` from the catalog of a connection.
  func selection(_ hasChecksums: Bool, _ database: Database) throws -> String {
    let hasLaterColumns = self == .product ? try CatalogSchema.hasContents(database) : true
    return selection(hasChecksums, hasContents: hasLaterColumns)
  }

  // Built only once, because each request of a service prepares ten statements.
  private static let selections = texts { $0.allColumns.joined(separator: ", ") }
  private static let selectionsOfVersion1 = selections {
    ["checksum"] + $0.addedColumns.map(\.name) + $0.laterColumns.map(\.name)
  }
  private static let selectionsOfVersion2 = selections { $0.laterColumns.map(\.name) }

  /// Returns the column lists in which the missing columns of each table are null.
  private static func selections(without missing: (CatalogTable) -> [String]) -> [CatalogTable: String] {
    texts { table in
      let missing = missing(table)
      return table.allColumns.map { missing.contains($0) ? "NULL AS \($0)" : $0 }.joined(separator: ", ")
    }
  }

  private static func texts(_ text: (CatalogTable) -> String) -> [CatalogTable: String] {
    Dictionary(allCases.map { ($0, text($0)) }) { first, _ in first }
  }

  /// Returns a statement that selects the rows that satisfy a condition.
  func select(_ condition: String, _ database: Database, _ hasChecksums: Bool) throws -> CatalogStatement {
    try CatalogStatement(
      database,
      "SELECT \(selection(hasChecksums, database)) FROM \(name) WHERE \(condition)"
    )
  }

  /// Verifies the checksum of the current row of a statement that selects `selection`.
  ///
  /// - Throws: `DamagedCatalog`.
  func verify(_ row: CatalogStatement) throws {
    var checksum = RowChecksum(self)
    let count = coveredCount(of: row.columnCount) { row.isNull(at: $0) }
    for index in 1..<max(1, count) { row.add(at: index, to: &checksum) }
    guard try row.integer(at: 0) == checksum.value else { throw DamagedCatalog.checksum(of: self) }
  }

  /// The SQL that inserts a row of all columns, in the order of `CatalogTableColumn.row`.
  var insertion: String {
    let columns = allColumns
    return """
      INSERT INTO \(name) (\(columns.joined(separator: ", "))) \
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """
  }
}
