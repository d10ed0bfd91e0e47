import GRDB
import PriceTagText

/// Upgrades a catalog from version 1 to version 2: adds checksums, part sets and counts.
///
/// The contents do not change. SQLite's integrity check runs first, so that damaged data does not get a valid checksum.
struct CatalogUpgrade {
  private let database: Database
  private var sets: PartSetStore

  init(_ database: Database) {
    self.database = database
    sets = PartSetStore(database)
  }

  /// Runs the upgrade.
  ///
  /// - Returns: The totals of the catalog's contents.
  func run() throws -> CatalogTotals {
    if let problem = try CatalogVerification.pageProblems(database, limit: 1).first {
      throw DamagedCatalog(problem: problem)
    }
    try addColumns()
    try database.execute(sql: CatalogSchema.partSets)
    try addLists()
    try addProducts()
    try addChecksums()
    return try totals()
  }

  private func addColumns() throws {
    for table in CatalogTable.allCases where table != .partSet {
      for (name, type) in table.addedColumns + [("checksum", "INTEGER")] {
        try database.execute(sql: "ALTER TABLE \(table.name) ADD COLUMN \(name) \(type)")
      }
    }
  }

  // MARK: Parts

  /// Fills in the part sets and counts of the price lists of products, offers and tiers.
  private func addLists() throws {
    try database.execute(
      sql: """
        CREATE TEMP TABLE list_parts (list INTEGER PRIMARY KEY, price_set INTEGER, tier_periods INTEGER);
        INSERT INTO list_parts (list, price_set, tier_periods) SELECT list, 0, count(*) FROM tier_period GROUP BY list;
        """
    )
    try addSets(
      "SELECT list AS owner, storefront AS member, 1 AS count FROM price ORDER BY list, storefront",
      """
      INSERT INTO list_parts (list, price_set, tier_periods) VALUES (?1, ?2, 0) ON CONFLICT (list) DO UPDATE SET price_set = ?2
      """
    )
    for table in [CatalogTable.product, .offer, .tier] {
      let set =
        "price_set = coalesce((SELECT price_set FROM list_parts WHERE list_parts.list = \(table.name).list), 0)"
      let periods =
        ", tier_periods = coalesce((SELECT tier_periods FROM list_parts WHERE list_parts.list = \(table.name).list), 0)"
      try database.execute(sql: "UPDATE \(table.name) SET \(set)\(table == .tier ? "" : periods)")
    }
    try database.execute(sql: "DROP TABLE list_parts")
  }

  private func addProducts() throws {
    try database.execute(
      sql: """
        UPDATE product SET text_set = 0, locale_set = 0,
          offers = (SELECT count(*) FROM offer WHERE offer.product = product.id)
        """
    )
    try addSets(
      """
      SELECT product AS owner, language AS member, name IS NOT NULL AS count FROM product_text \
      ORDER BY product, language
      """,
      "UPDATE product SET text_set = ?2 WHERE id = ?1"
    )
    try addSets(
      """
      SELECT product AS owner, storefront AS member, 1 AS count FROM price_locale ORDER BY product, storefront
      """,
      "UPDATE product SET locale_set = ?2 WHERE id = ?1"
    )
  }

  /// A member of an owner's set, and its row count.
  private enum MemberColumn: Int, CatalogColumn {
    case owner, member, count
  }

  /// Builds the set of each owner from its rows, and runs the update statement with the owner and the set's ID.
  private func addSets(_ rows: String, _ update: String) throws {
    let rows = try CatalogStatement(database, rows, MemberColumn.self)
    let update = try CatalogStatement(database, update)
    var sets = sets
    var (owner, set): (Int64?, PartSet) = (nil, PartSet())
    func finish() throws {
      if let owner { try update.run(.integer(owner), .integer(sets.id(of: set))) }
    }
    try rows.forEachRow {
      let next = try rows.requiredInteger(MemberColumn.owner)
      if next != owner {
        try finish()
        (owner, set) = (next, PartSet())
      }
      set.add(
        try rows.requiredText(MemberColumn.member),
        count: Int(try rows.requiredInteger(MemberColumn.count))
      )
    }
    try finish()
  }

  // MARK: Checksums

  private func addChecksums() throws {
    let checksum = DatabaseFunction("row_checksum", pure: true) { values in
      guard let number = values.first.flatMap(Int64.fromDatabaseValue),
        let table = CatalogTable(rawValue: UInt64(bitPattern: number))
      else { return nil }
      var checksum = RowChecksum(table)
      for value in values.dropFirst() { checksum.add(value) }
      return checksum.value
    }
    database.add(function: checksum)
    defer { database.remove(function: checksum) }
    // The row of the table catalog is written last, and new part sets already have checksums.
    for table in CatalogTable.allCases where table != .catalog && table != .partSet {
      let columns = table.columnsOfVersion2.joined(separator: ", ")
      try database.execute(
        sql: "UPDATE \(table.name) SET checksum = row_checksum(\(table.rawValue), \(columns))"
      )
    }
  }

  private func totals() throws -> CatalogTotals {
    var totals = try CatalogTotals(database, hasChecksums: false)
    let products = try CatalogStatement(database, "SELECT identifier AS value FROM product")
    try products.forEachRow {
      totals.products.insert(.product, try products.requiredText(SingleColumn.value))
    }
    let tiers = try CatalogStatement(database, "SELECT name AS value FROM tier")
    try tiers.forEachRow { totals.tiers.insert(.tier, try tiers.requiredText(SingleColumn.value)) }
    let names = try CatalogStatement(database, "SELECT \(GroupKeyColumn.selection) FROM product_group")
    try names.forEachRow {
      let (kind, identifier, language) = (
        try names.requiredText(GroupKeyColumn.kind), try names.requiredText(GroupKeyColumn.identifier),
        try names.requiredText(GroupKeyColumn.language)
      )
      totals.names.insert(.productGroup, kind, identifier, language)
    }
    return totals
  }
}

extension RowChecksum {
  fileprivate mutating func add(_ value: DatabaseValue) {
    switch value.storage {
    case .null: addNull()
    case .int64(let integer): add(integer)
    case .double(let real): add(real: real.bitPattern)
    case .string(let text): add(text)
    case .blob(let bytes): bytes.withUnsafeBytes { add(blob: $0) }
    }
  }
}
