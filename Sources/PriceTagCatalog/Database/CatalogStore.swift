import GRDB
import PriceTag

/// Reads and writes complete products, tiers and groups, and verifies every row that it reads.
///
/// A store belongs to one connection and is used only on its thread.
final class CatalogStore {
  let database: Database
  let localeData: LocaleData
  var currencies: [String: Currency] = [:]
  var sets: PartSetStore
  /// The sets that were read, by ID.
  private var cachedSets = BoundedCache<Int64, PartSet>(limit: 4096)
  /// The row of the table `catalog`, with the changes that `finish(isChanged:)` will write.
  private var totals: CatalogTotals?
  /// The ID of the next new product.
  var nextProductID: Int64?

  init(_ database: Database, localeData: LocaleData) {
    (self.database, self.localeData) = (database, localeData)
    sets = PartSetStore(database)
  }

  private var statements: [StatementKey: CatalogStatement] = [:]

  /// The cache key of a statement. It uses the address of the static SQL text, which hashes faster than the text.
  struct StatementKey: Hashable {
    let address: UnsafePointer<UInt8>?
    let table: CatalogTable?
    var rowCount = 1
  }

  func statement(
    _ key: StatementKey,
    _ sql: @autoclosure () throws -> String
  ) throws -> CatalogStatement {
    if let cached = statements[key] { return cached }
    let statement = try CatalogStatement(database, sql())
    statements[key] = statement
    return statement
  }

  func statement(_ sql: StaticString) throws -> CatalogStatement {
    try statement(StatementKey(address: sql.utf8Start, table: nil), sql.description)
  }

  /// Returns a statement that reads rows of a table in the form that `CatalogTable.verify` expects.
  func select(_ table: CatalogTable, _ condition: StaticString) throws -> CatalogStatement {
    try statement(
      StatementKey(address: condition.utf8Start, table: table),
      "SELECT \(table.selection) FROM \(table.name) WHERE \(condition)"
    )
  }

  /// Returns a statement that inserts a row into a table.
  func insertion(_ table: CatalogTable) throws -> CatalogStatement {
    try statement(StatementKey(address: nil, table: table), table.insertion)
  }

  /// Inserts a row with its checksum.
  func insert<Column: CatalogTableColumn>(_ values: KeyValuePairs<Column, CatalogValue>) throws {
    try insertion(Column.table).run(Column.row(values))
  }

  // MARK: Totals

  /// Returns the totals, including the changes since the last `finish(isChanged:)`.
  func currentTotals() throws -> CatalogTotals {
    if let totals { return totals }
    let totals = try CatalogTotals(database)
    self.totals = totals
    return totals
  }

  func changeTotals(_ change: (inout CatalogTotals) -> Void) throws {
    var totals = try currentTotals()
    change(&totals)
    self.totals = totals
  }

  /// Writes the totals with a new revision, and removes unused sets.
  ///
  /// - Parameter isChanged: Whether the contents changed. If not, nothing is written.
  func finish(isChanged: Bool) throws {
    guard isChanged else { return }
    let changedAt = try String.fetchOne(database, sql: "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')")
    try changeTotals { totals in
      totals.revision &+= 1
      totals.changedAt = changedAt ?? ""
    }
    try currentTotals().write(database)
    try sets.removeUnused()
  }

  // MARK: Part sets

  /// Returns the set with an ID.
  func set(_ id: Int64) throws -> PartSet {
    if let cached = cachedSets[id] { return cached }
    let set = try sets.set(id)
    cachedSets.store(set, for: id)
    return set
  }

  /// Checks that the rows found are those of a stored set.
  ///
  /// - Parameter kind: The kind of rows, for the error.
  func check(_ found: PartSet, setID: Int64, _ kind: String) throws {
    guard try found == set(setID) else { throw DamagedCatalog.mismatch(kind) }
  }

  /// Checks that the number of rows found is the stored one.
  ///
  /// - Parameter kind: The kind of rows, for the error.
  func check(_ found: Int, count: Int64, _ kind: String) throws {
    guard count == Int64(found) else { throw DamagedCatalog.mismatch(kind) }
  }
}
