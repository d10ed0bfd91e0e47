import GRDB
import PriceTagSystem
import PriceTagText

/// The row of the table `catalog`: the state that imports continue from, and the counts and digests of products, tiers
/// and group names, which reveal a lost one.
struct CatalogTotals: Equatable {
  var revision: Int64 = 0
  var changedAt = ""
  var nextList: Int64 = 1
  var products = KeyDigest()
  var tiers = KeyDigest()
  /// The rows of the table `product_group`.
  var names = KeyDigest()
  /// The rows of the table `price_history`.
  var history = KeyDigest()
  /// The digest of the schema. A damaged column type would change how keys are compared.
  var schema: Int64 = 0

  init() {}

  /// Reads the row, and verifies its checksum.
  ///
  /// - Parameter columns: The columns of the table; fewer in schema 4.
  init(_ database: Database, columns: ArraySlice<TotalsColumn> = TotalsColumn.allCases[...]) throws {
    let selection = columns.map { sqlName(of: $0) }.joined(separator: ", ")
    let row = try CatalogStatement(database, "SELECT \(selection) FROM catalog WHERE id = 1")
    let found: Void? = try row.firstRow {
      try CatalogTable.catalog.verify(row)
      revision = try row.requiredInteger(TotalsColumn.revision)
      changedAt = try row.requiredText(TotalsColumn.changedAt)
      nextList = try row.requiredInteger(TotalsColumn.nextList)
      products = try Self.digest(row, .productCount, .productDigest)
      tiers = try Self.digest(row, .tierCount, .tierDigest)
      names = try Self.digest(row, .nameCount, .nameDigest)
      schema = try row.requiredInteger(TotalsColumn.schemaDigest)
      // A catalog of schema 4 has no history.
      guard columns.count == TotalsColumn.allCases.count, !row.isNull(at: TotalsColumn.historyCount.rawValue)
      else { return }
      history = try Self.digest(row, .historyCount, .historyDigest)
    }
    guard found != nil else { throw DamagedCatalog(problem: "the table catalog has no row") }
  }

  private static func digest(
    _ row: CatalogStatement,
    _ count: TotalsColumn,
    _ digest: TotalsColumn
  ) throws -> KeyDigest {
    KeyDigest(count: try row.requiredInteger(count), digest: try row.requiredInteger(digest))
  }

  /// Checks that the schema is the one with which the catalog was created.
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
      .productDigest: .integer(products.digest),
      .tierCount: .integer(tiers.count),
      .tierDigest: .integer(tiers.digest),
      .nameCount: .integer(names.count),
      .nameDigest: .integer(names.digest),
      .schemaDigest: .integer(schema),
      .historyCount: .integer(history.count),
      .historyDigest: .integer(history.digest),
    ])
    try CatalogStatement(database, "UPDATE catalog SET \(columns)").run(row)
  }

  /// Checks that the keys that were read are all the keys of their kind.
  func check(_ keys: KeyPath<CatalogTotals, KeyDigest>, _ found: KeyDigest, _ kind: String) throws {
    let expected = self[keyPath: keys]
    if found == expected { return }
    throw found.count == expected.count
      ? DamagedCatalog.mismatch(kind)
      : DamagedCatalog(problem: "it has \(found.count) \(kind), but \(expected.count) were imported")
  }
}
