import GRDB

/// A table of a catalog, and its columns in the order that a row's checksum takes them.
///
/// The numbers are part of the checksums: they do not change.
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

  /// The columns that catalogs without checksums have, too.
  private var firstColumns: [String] {
    switch self {
    case .catalog: ["id", "revision", "changed_at", "next_list"]
    case .product:
      [
        "id", "identifier", "list", "kind", "reference_name", "category", "subscription_group", "group_level",
        "subscription_period", "is_approved", "cleared_for_sale", "image", "sort_order",
      ]
    case .productText: ["product", "language", "name", "description"]
    case .priceLocale: ["product", "storefront", "locale"]
    case .offer:
      [
        "product", "position", "list", "kind", "identifier", "payment_mode", "period", "period_count",
        "cleared_for_sale", "first_day", "last_day",
      ]
    case .tier: ["name", "list"]
    case .price: ["list", "storefront", "first_day", "last_day", "amount", "currency"]
    case .tierPeriod: ["list", "first_day", "last_day", "tier"]
    case .productGroup: ["kind", "identifier", "language", "name"]
    case .partSet: []
    }
  }

  /// The columns that came with the checksums.
  var addedColumns: [(name: String, type: String)] {
    switch self {
    case .catalog:
      [
        ("product_count", "INTEGER"), ("product_digest", "INTEGER"), ("tier_count", "INTEGER"),
        ("tier_digest", "INTEGER"), ("name_count", "INTEGER"), ("name_digest", "INTEGER"),
        ("schema_digest", "INTEGER"),
      ]
    case .product:
      [
        ("price_set", "INTEGER"), ("tier_periods", "INTEGER"), ("text_set", "INTEGER"),
        ("locale_set", "INTEGER"),
        ("offers", "INTEGER"),
      ]
    case .offer: [("price_set", "INTEGER"), ("tier_periods", "INTEGER")]
    case .tier: [("price_set", "INTEGER")]
    case .partSet: [("id", "INTEGER"), ("members", "TEXT")]
    case .productText, .priceLocale, .price, .tierPeriod, .productGroup: []
    }
  }

  /// All columns but the checksum.
  var columns: [String] { firstColumns + addedColumns.map(\.name) }

  /// What a statement selects: the checksum, then all other columns. A catalog without checksums has nulls for those.
  func selection(_ hasChecksums: Bool) -> String {
    let selections = hasChecksums ? Self.selections : Self.selectionsWithoutChecksums
    return selections[self, default: ""]
  }

  // Written once: each request of a service prepares ten statements.
  private static let selections = texts { (["checksum"] + $0.columns).joined(separator: ", ") }
  private static let selectionsWithoutChecksums = texts { table in
    (["NULL"] + table.firstColumns + table.addedColumns.map { _ in "NULL" }).joined(separator: ", ")
  }

  private static func texts(_ text: (CatalogTable) -> String) -> [CatalogTable: String] {
    Dictionary(allCases.map { ($0, text($0)) }) { first, _ in first }
  }

  /// Returns a statement that selects the rows that meet a condition.
  func select(_ condition: String, _ database: Database, _ hasChecksums: Bool) throws -> CatalogStatement {
    try CatalogStatement(database, "SELECT \(selection(hasChecksums)) FROM \(name) WHERE \(condition)")
  }

  /// Checks the row that a statement of `selection` is at.
  ///
  /// - Throws: `DamagedCatalog`.
  func verify(_ row: CatalogStatement) throws {
    var checksum = RowChecksum(self)
    for column in 1..<max(1, row.columnCount) { row.add(column, to: &checksum) }
    guard try row.integer(0) == checksum.value else { throw DamagedCatalog.checksum(of: self) }
  }

  /// The checksum of values in the order of the columns.
  func checksum(_ values: [CatalogValue]) -> CatalogValue {
    var checksum = RowChecksum(self)
    for value in values { checksum.add(value) }
    return .integer(checksum.value)
  }

  /// A statement that inserts a row of all columns and the checksum.
  var insertion: String {
    let columns = columns + ["checksum"]
    return """
      INSERT INTO \(name) (\(columns.joined(separator: ", "))) \
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      """
  }
}
