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

  /// All columns but the checksum.
  var columns: [String] { Array(allColumns.dropFirst()) }

  /// Returns the column list of a `SELECT`: the checksum, then all other columns. For a catalog without checksums, the
  /// columns that version 2 added are null.
  func selection(_ hasChecksums: Bool) -> String {
    let selections = hasChecksums ? Self.selections : Self.selectionsWithoutChecksums
    return selections[self, default: ""]
  }

  // Built only once, because each request of a service prepares ten statements.
  private static let selections = texts { $0.allColumns.joined(separator: ", ") }
  private static let selectionsWithoutChecksums = texts { table in
    let added = ["checksum"] + table.addedColumns.map(\.name)
    return table.allColumns.map { added.contains($0) ? "NULL AS \($0)" : $0 }.joined(separator: ", ")
  }

  private static func texts(_ text: (CatalogTable) -> String) -> [CatalogTable: String] {
    Dictionary(allCases.map { ($0, text($0)) }) { first, _ in first }
  }

  /// Returns a statement that selects the rows that satisfy a condition.
  func select(_ condition: String, _ database: Database, _ hasChecksums: Bool) throws -> CatalogStatement {
    try CatalogStatement(database, "SELECT \(selection(hasChecksums)) FROM \(name) WHERE \(condition)")
  }

  /// Verifies the checksum of the current row of a statement that selects `selection`.
  ///
  /// - Throws: `DamagedCatalog`.
  func verify(_ row: CatalogStatement) throws {
    var checksum = RowChecksum(self)
    for index in 1..<max(1, row.columnCount) { row.add(at: index, to: &checksum) }
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
