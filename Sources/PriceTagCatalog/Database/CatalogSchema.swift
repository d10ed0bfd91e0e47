import GRDB

/// The tables of a catalog, and the migrations of older catalogs.
///
/// Amounts are decimal text and dates ISO 8601, so that other programs can read the file. Each price belongs to a price
/// list, which a product, an offer or a tier owns. An empty `first_day` means that the range has no start; a null
/// `last_day` means that it has no end.
enum CatalogSchema {
  /// `PTag` in the SQLite header, which distinguishes a catalog from another program's database.
  static let applicationID: Int32 = 0x5054_6167

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(sql: tables(added: columns))
      try database.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
    migrator.registerMigration("2") { database in
      var totals = CatalogTotals()
      if try hasChecksums(database) {
        // The tables are new and empty.
        try database.execute(sql: partSets + crossCheckIndexes)
      } else {
        totals = try CatalogUpgrade(database).run()
        try database.execute(sql: crossCheckIndexes)
      }
      totals.schema = try digest(database)
      try totals.write(database)
    }
    for (version, columns) in zip(3..., CatalogTable.product.laterColumns) {
      migrator.registerMigration(String(version)) { database in
        var totals = try CatalogTotals(database, hasChecksums: true)
        // A damaged schema must not get a valid digest.
        try totals.checkSchema(database)
        // The checksums of products stay valid, see `CatalogTable.laterColumns`.
        for (name, type) in columns {
          try database.execute(sql: "ALTER TABLE product ADD COLUMN \(name) \(type)")
        }
        totals.schema = try digest(database)
        try totals.write(database)
      }
    }
    return migrator
  }

  /// Returns whether the catalog's tables have checksum columns.
  static func hasChecksums(_ database: Database) throws -> Bool {
    try database.columns(in: CatalogTable.catalog.name).contains { $0.name == "checksum" }
  }

  /// Returns the version of the columns of a catalog with checksums: version 3 added the contents of products, and version 4
  /// their pictures and related products.
  static func columnVersion(_ database: Database) throws -> CatalogTable.ColumnVersion {
    let names = try database.columns(in: CatalogTable.product.name).map(\.name)
    if names.contains(ProductColumn.images.sqlName) { return .fourth }
    return names.contains(ProductColumn.content.sqlName) ? .third : .second
  }

  /// Returns the definitions of the columns that version 2 added, as the continuation of a column list.
  static func columns(_ table: CatalogTable) -> String {
    let columns = table.addedColumns + [("checksum", "INTEGER")]
    return columns.map { ",\n  \($0.name) \($0.type)" }.joined()
  }

  /// The table of `PartSet`, which version 2 added.
  static let partSets = """
    CREATE TABLE part_set (
      id INTEGER PRIMARY KEY,
      members TEXT NOT NULL UNIQUE,
      checksum INTEGER
    );

    """

  /// The indexes that `IndexCrossCheck` uses.
  static let crossCheckIndexes = """
    CREATE INDEX product_check ON product (identifier);
    CREATE INDEX tier_check ON tier (name, list);
    CREATE INDEX product_group_check ON product_group (identifier, kind, language);
    """

  /// The columns of `sqlite_master` that define a table or an index.
  private enum DefinitionColumn: Int, CatalogColumn {
    case type, tblName, sql
  }

  /// Returns a digest of the definitions of the tables and indexes.
  static func digest(_ database: Database) throws -> Int64 {
    let names =
      CatalogTable.allCases.map(\.name)
      + ["product_in_order", "product_check", "tier_check", "product_group_check"]
    var checksum = RowChecksum(.catalog)
    let find = try CatalogStatement(
      database,
      "SELECT \(DefinitionColumn.selection) FROM sqlite_master WHERE name = ?"
    )
    for name in names {
      try find.forEachRow(.text(name)) {
        for column in DefinitionColumn.allCases { find.add(at: column.rawValue, to: &checksum) }
      }
    }
    return Int64(bitPattern: checksum.digest)
  }

  /// Returns the SQL of the tables of version 1, which had no checksums, with added columns.
  static func tables(added: (CatalogTable) -> String) -> String {
    """
    CREATE TABLE catalog (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      revision INTEGER NOT NULL,
      changed_at TEXT NOT NULL,
      next_list INTEGER NOT NULL\(added(.catalog))
    );
    INSERT INTO catalog (id, revision, changed_at, next_list) VALUES (1, 0, '', 1);

    CREATE TABLE product (
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL UNIQUE,
      list INTEGER NOT NULL,
      kind TEXT,
      reference_name TEXT,
      category TEXT,
      subscription_group TEXT,
      group_level INTEGER,
      subscription_period TEXT,
      is_approved INTEGER,
      cleared_for_sale TEXT,
      image TEXT,
      sort_order INTEGER\(added(.product))
    );
    CREATE INDEX product_in_order ON product (sort_order IS NULL, sort_order, identifier);

    CREATE TABLE product_text (
      product INTEGER NOT NULL,
      language TEXT NOT NULL,
      name TEXT,
      description TEXT\(added(.productText)),
      PRIMARY KEY (product, language)
    ) WITHOUT ROWID;

    CREATE TABLE price_locale (
      product INTEGER NOT NULL,
      storefront TEXT NOT NULL,
      locale TEXT NOT NULL\(added(.priceLocale)),
      PRIMARY KEY (product, storefront)
    ) WITHOUT ROWID;

    CREATE TABLE offer (
      product INTEGER NOT NULL,
      position INTEGER NOT NULL,
      list INTEGER NOT NULL,
      kind TEXT NOT NULL,
      identifier TEXT,
      payment_mode TEXT NOT NULL,
      period TEXT NOT NULL,
      period_count INTEGER NOT NULL,
      cleared_for_sale TEXT,
      first_day TEXT NOT NULL,
      last_day TEXT\(added(.offer)),
      PRIMARY KEY (product, position)
    ) WITHOUT ROWID;

    CREATE TABLE tier (
      name TEXT PRIMARY KEY NOT NULL,
      list INTEGER NOT NULL\(added(.tier))
    ) WITHOUT ROWID;

    CREATE TABLE price (
      list INTEGER NOT NULL,
      storefront TEXT NOT NULL,
      first_day TEXT NOT NULL,
      last_day TEXT,
      amount TEXT NOT NULL,
      currency TEXT NOT NULL\(added(.price)),
      PRIMARY KEY (list, storefront, first_day)
    ) WITHOUT ROWID;

    CREATE TABLE tier_period (
      list INTEGER NOT NULL,
      first_day TEXT NOT NULL,
      last_day TEXT,
      tier TEXT NOT NULL\(added(.tierPeriod)),
      PRIMARY KEY (list, first_day)
    ) WITHOUT ROWID;

    CREATE TABLE product_group (
      kind TEXT NOT NULL,
      identifier TEXT NOT NULL,
      language TEXT NOT NULL,
      name TEXT NOT NULL\(added(.productGroup)),
      PRIMARY KEY (kind, identifier, language)
    ) WITHOUT ROWID;
    """
  }
}
