import GRDB
import PriceTag

/// Reads and writes complete products, tiers and groups, and checks every row that it reads.
///
/// One belongs to one connection while it is used.
final class CatalogRecords {
  let database: Database
  let localeData: LocaleData
  let hasChecksums: Bool
  var currencies: [String: Currency] = [:]
  var sets: PartSets
  /// The sets that were read, by their numbers.
  private var knownSets = BoundedCache<Int64, PartSet>(limit: 4096)
  /// What the catalog's own row says; written by `finish()`.
  private var totals: CatalogTotals?
  /// The number of the next new product's row.
  var nextProduct: Int64?

  init(_ database: Database, localeData: LocaleData, hasChecksums: Bool = true) {
    (self.database, self.localeData, self.hasChecksums) = (database, localeData, hasChecksums)
    sets = PartSets(database)
  }

  private var statements: [StatementKey: CatalogStatement] = [:]

  /// What a statement is known by: its text's address in the program, which is hashed faster than the text.
  private struct StatementKey: Hashable {
    let address: UnsafePointer<UInt8>?
    let table: CatalogTable?
  }

  private func statement(
    _ key: StatementKey,
    _ sql: @autoclosure () -> String
  ) throws -> CatalogStatement {
    if let known = statements[key] { return known }
    let statement = try CatalogStatement(database, sql())
    statements[key] = statement
    return statement
  }

  func statement(_ sql: StaticString) throws -> CatalogStatement {
    try statement(StatementKey(address: sql.utf8Start, table: nil), sql.description)
  }

  /// A statement that reads rows of a table, which `verify` checks.
  func select(_ table: CatalogTable, _ condition: StaticString) throws -> CatalogStatement {
    try statement(
      StatementKey(address: condition.utf8Start, table: table),
      "SELECT \(table.selection(hasChecksums)) FROM \(table.name) WHERE \(condition)"
    )
  }

  /// A statement that inserts a row into a table.
  func insertion(_ table: CatalogTable) throws -> CatalogStatement {
    try statement(StatementKey(address: nil, table: table), table.insertion)
  }

  func verify(_ table: CatalogTable, _ row: CatalogStatement) throws {
    if hasChecksums { try table.verify(row) }
  }

  /// Writes a row with its checksum.
  func insert<Column: CatalogTableColumn>(_ values: KeyValuePairs<Column, CatalogValue>) throws {
    try insertion(Column.table).run(Column.row(values))
  }

  // MARK: Totals

  /// What the catalog's own row says, with what was written since.
  func currentTotals() throws -> CatalogTotals {
    if let totals { return totals }
    let totals = try CatalogTotals(database, hasChecksums: hasChecksums)
    self.totals = totals
    return totals
  }

  func changeTotals(_ change: (inout CatalogTotals) -> Void) throws {
    var totals = try currentTotals()
    change(&totals)
    self.totals = totals
  }

  /// Writes the catalog's own row.
  ///
  /// - Parameter isChanged: Whether readers see something else than before.
  func finish(isChanged: Bool) throws {
    guard isChanged else { return }
    let now = try statement("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now') AS value")
    let changedAt = try now.firstRow { try now.text(OnlyColumn.value) } ?? nil
    try changeTotals { totals in
      totals.revision &+= 1
      totals.changedAt = changedAt ?? ""
    }
    try currentTotals().write(database)
    try sets.removeUnused()
  }

  // MARK: Sets of parts

  func set(_ number: Int64?) throws -> PartSet {
    guard hasChecksums else { return PartSet() }
    guard let number else { throw DamagedCatalog.wrongType }
    if let known = knownSets[number] { return known }
    let set = try sets.set(number)
    knownSets.keep(set, for: number)
    return set
  }

  func check(_ found: PartSet, _ number: Int64?, _ what: String) throws {
    guard hasChecksums, try found != set(number) else { return }
    throw DamagedCatalog(problem: "its \(what) are not those that were imported")
  }

  func check(_ found: Int, _ count: Int64?, _ what: String) throws {
    guard hasChecksums, count != Int64(found) else { return }
    throw DamagedCatalog(problem: "its \(what) are not those that were imported")
  }
}
