import GRDB

/// The tables of a catalog.
///
/// Amounts are decimal text and dates ISO 8601, so that other programs can read the file. Each price belongs to a price
/// list, which a product, an offer or a tier owns. An empty `first_day` means that the range has no start; a null
/// `last_day` means that it has no end.
enum CatalogSchema {
  /// `PTag` in the SQLite header, which distinguishes a catalog from another program's database.
  static let applicationID: Int32 = 0x5054_6167

  /// The version in the SQLite header. Any change of the tables, their columns or their checksums needs a new version, and
  /// code that opens catalogs of this one: `Tests/Formats` has one.
  static let version: Int32 = 6

  /// The first version that later ones open. `upgrade(_:)` adds the tables and columns of the current version.
  static let firstVersion: Int32 = 4

  /// Returns whether a database has no tables.
  static func isEmpty(_ database: Database) throws -> Bool {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
  }

  /// Creates the tables in an empty database.
  static func create(_ database: Database) throws {
    try database.execute(sql: tables)
    try addTables(database, CatalogTotals())
  }

  /// Adds the tables and columns of later schemas to those of an earlier one, without changing a row of a product. A new catalog
  /// has the same definitions as an upgraded one.
  ///
  /// - Throws: `DamagedCatalog` if the definitions are not those of the schema.
  static func upgrade(_ database: Database) throws {
    let hasFirstVersion = try version(database) == firstVersion
    let totals = try CatalogTotals(
      database,
      columns: hasFirstVersion ? TotalsColumn.schema4 : TotalsColumn.allCases[...]
    )
    try totals.checkSchema(database)
    try addTables(database, totals)
  }

  private static func addTables(_ database: Database, _ totals: CatalogTotals) throws {
    if try version(database) <= firstVersion { try database.execute(sql: additionsOfSchema5) }
    try database.execute(sql: additionsOfSchema6)
    var totals = totals
    totals.schema = try digest(database)
    try totals.write(database)
  }

  /// Returns the schema's version.
  static func version(_ database: Database) throws -> Int32 {
    try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  /// Lets a connection read a catalog of schema 4 without writing the file: temporary views hide the tables that lack columns.
  static func hideTablesOfSchema4(_ database: Database) throws {
    guard try version(database) == firstVersion else { return }
    for table in CatalogTable.allCases {
      guard let added = table.firstAddedColumn else { continue }
      let columns = table.columns.enumerated().map { $0 < added ? $1 : "NULL AS \($1)" }
      try database.execute(
        sql:
          "CREATE TEMP VIEW \(table.name) AS SELECT \(columns.joined(separator: ", ")) FROM main.\(table.name)"
      )
    }
  }

  /// The columns of `sqlite_master` that define a table or an index.
  private enum DefinitionColumn: Int, CatalogColumn {
    case type, tblName, sql
  }

  /// Returns a digest of the definitions of the tables and indexes.
  static func digest(_ database: Database) throws -> Int64 {
    let names =
      CatalogTable.allCases.map(\.name)
      + [
        "product_in_order", "product_check", "tier_check", "product_group_check", "price_history_day",
        "product_list", "tier_period_tier",
      ]
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
    return checksum.digest
  }

  private static let additionsOfSchema6 = """
    PRAGMA user_version = \(version);

    -- The inputs whose import did or would result in the catalog's revision, and what they contain. Importing one again changes
    -- nothing while the revision is the same.
    CREATE TABLE import_input (
      digest TEXT PRIMARY KEY NOT NULL,
      revision INTEGER NOT NULL,
      products INTEGER NOT NULL,
      tiers INTEGER NOT NULL,
      groups INTEGER NOT NULL,
      unknown_tax_prices INTEGER NOT NULL,
      checksum INTEGER
    ) WITHOUT ROWID;
    """

  private static let additionsOfSchema5 = """
    ALTER TABLE catalog ADD COLUMN history_count INTEGER;
    ALTER TABLE catalog ADD COLUMN history_digest INTEGER;
    -- The date or instant since which the catalog has the product; null if schema 4 stored it.
    ALTER TABLE product ADD COLUMN known_since TEXT;
    -- The tax that the source states; null if it states none.
    ALTER TABLE product ADD COLUMN tax TEXT;

    -- The regular prices that an import replaced, one row for each import and product, which may have been removed.
    CREATE TABLE price_history (
      product TEXT NOT NULL,
      number INTEGER NOT NULL,
      day TEXT NOT NULL,
      replaced TEXT NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (product, number)
    ) WITHOUT ROWID;
    CREATE INDEX price_history_day ON price_history (day);
    -- The products of a tier.
    CREATE INDEX product_list ON product (list);
    CREATE INDEX tier_period_tier ON tier_period (tier, list);
    """

  /// The tables of schema 4.
  private static let tables = """
    PRAGMA application_id = \(applicationID);

    CREATE TABLE catalog (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      revision INTEGER NOT NULL,
      changed_at TEXT NOT NULL,
      next_list INTEGER NOT NULL,
      product_count INTEGER,
      product_digest INTEGER,
      tier_count INTEGER,
      tier_digest INTEGER,
      name_count INTEGER,
      name_digest INTEGER,
      schema_digest INTEGER,
      checksum INTEGER
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
      sort_order INTEGER,
      price_set INTEGER,
      tier_periods INTEGER,
      text_set INTEGER,
      locale_set INTEGER,
      offers INTEGER,
      content TEXT,
      unit_reference TEXT,
      images TEXT,
      related TEXT,
      checksum INTEGER
    );
    CREATE INDEX product_in_order ON product (sort_order IS NULL, sort_order, identifier);

    CREATE TABLE product_text (
      product INTEGER NOT NULL,
      language TEXT NOT NULL,
      name TEXT,
      description TEXT,
      checksum INTEGER,
      PRIMARY KEY (product, language)
    ) WITHOUT ROWID;

    CREATE TABLE price_locale (
      product INTEGER NOT NULL,
      storefront TEXT NOT NULL,
      locale TEXT NOT NULL,
      checksum INTEGER,
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
      last_day TEXT,
      price_set INTEGER,
      tier_periods INTEGER,
      checksum INTEGER,
      PRIMARY KEY (product, position)
    ) WITHOUT ROWID;

    CREATE TABLE tier (
      name TEXT PRIMARY KEY NOT NULL,
      list INTEGER NOT NULL,
      price_set INTEGER,
      checksum INTEGER
    ) WITHOUT ROWID;

    CREATE TABLE price (
      list INTEGER NOT NULL,
      storefront TEXT NOT NULL,
      first_day TEXT NOT NULL,
      last_day TEXT,
      amount TEXT NOT NULL,
      currency TEXT NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (list, storefront, first_day)
    ) WITHOUT ROWID;

    CREATE TABLE tier_period (
      list INTEGER NOT NULL,
      first_day TEXT NOT NULL,
      last_day TEXT,
      tier TEXT NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (list, first_day)
    ) WITHOUT ROWID;

    CREATE TABLE product_group (
      kind TEXT NOT NULL,
      identifier TEXT NOT NULL,
      language TEXT NOT NULL,
      name TEXT NOT NULL,
      checksum INTEGER,
      PRIMARY KEY (kind, identifier, language)
    ) WITHOUT ROWID;

    CREATE TABLE part_set (
      id INTEGER PRIMARY KEY,
      members TEXT NOT NULL UNIQUE,
      checksum INTEGER
    );

    -- The indexes that `IndexCrossCheck` uses.
    CREATE INDEX product_check ON product (identifier);
    CREATE INDEX tier_check ON tier (name, list);
    CREATE INDEX product_group_check ON product_group (identifier, kind, language);
    """
}
