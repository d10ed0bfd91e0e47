import GRDB
import PriceTagText

/// The row of the table `catalog`: what an import counts on, and how many products, tiers and names of groups there
/// are, so that a lost one is noticed.
struct CatalogTotals: Equatable {
  var revision: Int64 = 0
  var changedAt = ""
  var nextList: Int64 = 1
  var products = KeyDigest()
  var tiers = KeyDigest()
  /// The rows of the table `product_group`.
  var names = KeyDigest()
  /// The digest of the schema: a column of another type would compare keys in another way.
  var schema: Int64 = 0

  init() {}

  /// Reads the row, and checks it and the schema.
  init(_ database: Database, hasChecksums: Bool) throws {
    let table = CatalogTable.catalog
    let row = try CatalogStatement(
      database,
      "SELECT \(table.selection(hasChecksums)) FROM catalog WHERE id = 1"
    )
    let found: Void? = try row.firstRow {
      if hasChecksums { try table.verify(row) }
      revision = try row.requiredInteger(TotalsColumn.revision)
      changedAt = try row.requiredText(TotalsColumn.changedAt)
      nextList = try row.requiredInteger(TotalsColumn.nextList)
      guard hasChecksums else { return }
      products = try Self.digest(row, .productCount, .productDigest)
      tiers = try Self.digest(row, .tierCount, .tierDigest)
      names = try Self.digest(row, .nameCount, .nameDigest)
      schema = try row.requiredInteger(TotalsColumn.schemaDigest)
    }
    guard found != nil else { throw DamagedCatalog(problem: "the table catalog has lost its row") }
  }

  private static func digest(
    _ row: CatalogStatement,
    _ count: TotalsColumn,
    _ digest: TotalsColumn
  ) throws -> KeyDigest {
    KeyDigest(count: try row.requiredInteger(count), digest: try row.requiredInteger(digest))
  }

  /// Checks the schema against the one that the catalog was created with.
  func checkSchema(_ database: Database) throws {
    guard try CatalogSchema.digest(database) == schema else {
      throw DamagedCatalog(problem: "the schema has changed")
    }
  }

  func write(_ database: Database) throws {
    let columns = TotalsColumn.names.map { "\($0) = ?" }.joined(separator: ", ")
    let row = TotalsColumn.row([
      .id: 1,
      .revision: .integer(revision),
      .changedAt: .text(changedAt),
      .nextList: .integer(nextList),
      .productCount: .integer(products.count),
      .productDigest: .integer(products.storedDigest),
      .tierCount: .integer(tiers.count),
      .tierDigest: .integer(tiers.storedDigest),
      .nameCount: .integer(names.count),
      .nameDigest: .integer(names.storedDigest),
      .schemaDigest: .integer(schema),
    ])
    try CatalogStatement(database, "UPDATE catalog SET \(columns)").run(row)
  }

  /// Checks that all products were read.
  func check(products found: KeyDigest) throws {
    guard found == products else { throw Self.lost("products", found, products) }
  }

  func check(tiers found: KeyDigest) throws {
    guard found == tiers else { throw Self.lost("tiers", found, tiers) }
  }

  func check(names found: KeyDigest) throws {
    guard found == names else { throw Self.lost("names of groups", found, names) }
  }

  private static func lost(_ what: String, _ found: KeyDigest, _ expected: KeyDigest) -> DamagedCatalog {
    DamagedCatalog(
      problem: found.count == expected.count
        ? "its \(what) are not those that were imported"
        : "\(found.count) \(what) were found, and \(expected.count) were imported"
    )
  }
}
