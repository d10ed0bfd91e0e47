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

  /// The columns that later versions added, which are the last ones: those of version 3, then those of version 4.
  ///
  /// If the columns of a version and of all later ones are null, the checksum does not cover them: it is then the one
  /// that the version before wrote.
  var laterColumns: [[(name: String, type: String)]] {
    switch self {
    case .product: Self.laterProductColumns.map { $0.map { ($0.sqlName, "TEXT") } }
    default: []
    }
  }

  private static let laterProductColumns: [[ProductColumn]] = [
    [.content, .unitReference], [.images, .related],
  ]
  private static let laterProductCounts = laterProductColumns.map(\.count)

  /// The number of columns that each of the later versions added. It is needed for every row, so it must not build their
  /// names.
  private var laterCounts: [Int] { self == .product ? Self.laterProductCounts : [] }

  /// Returns the number of columns, including the checksum itself, at the start of a row that its checksum covers.
  ///
  /// - Parameters:
  ///   - columnCount: The number of columns of the row.
  ///   - isNull: Returns whether the value at an index is null.
  func coveredCount(of columnCount: Int, isNull: (Int) -> Bool) -> Int {
    var covered = columnCount
    for count in laterCounts.reversed() {
      let start = max(1, covered - count)
      guard (start..<max(start, covered)).allSatisfy(isNull) else { return covered }
      covered = start
    }
    return covered
  }

  /// All columns but the checksum.
  var columns: [String] { Array(allColumns.dropFirst()) }

  /// The columns that the checksums of version 2 cover.
  var columnsOfVersion2: [String] { columns.dropLast(laterColumns.joined().count) }

  /// The version of a catalog's columns, by which columns are missing.
  enum ColumnVersion: Int, CaseIterable {
    /// No checksums.
    case first = 1
    case second, third, fourth

    static let current = fourth
  }

  /// Returns the column list of a `SELECT`: the checksum, then all other columns. The columns that the catalog does not
  /// have yet are null.
  func selection(_ version: ColumnVersion = .current) -> String {
    Self.selections[version]?[self] ?? ""
  }

  /// Returns the column list of a `SELECT` from the catalog of a connection.
  func selection(_ hasChecksums: Bool, _ database: Database) throws -> String {
    guard hasChecksums else { return selection(.first) }
    return selection(self == .product ? try CatalogSchema.columnVersion(database) : .current)
  }

  // Built only once, because each request of a service prepares ten statements.
  private static let selections = Dictionary(
    uniqueKeysWithValues: ColumnVersion.allCases.map { version in
      (version, Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.newSelection(version)) }))
    }
  )

  private func newSelection(_ version: ColumnVersion) -> String {
    var missing = laterColumns.dropFirst(max(0, version.rawValue - 2)).joined().map(\.name)
    if version == .first { missing += ["checksum"] + addedColumns.map(\.name) }
    return allColumns.map { missing.contains($0) ? "NULL AS \($0)" : $0 }.joined(separator: ", ")
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
