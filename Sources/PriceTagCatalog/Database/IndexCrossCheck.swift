import GRDB
import PriceTag
import PriceTagText

/// Repeats a lookup with a second index, which must give the same answer as the first one.
///
/// Otherwise a damaged index would hide a row, and the lookup would report that the row does not exist.
enum IndexCrossCheck {
  case product, tier

  private var sql: String {
    switch self {
    case .product: "SELECT count(*) AS value FROM main.product INDEXED BY product_check WHERE identifier = ?"
    case .tier: "SELECT count(*) AS value FROM tier INDEXED BY tier_check WHERE name = ?"
    }
  }

  /// Checks that the key, which the first index does not have, is missing from the second one too.
  ///
  /// - Throws: `DamagedCatalog`.
  func checkMissing(_ key: String, _ database: Database) throws {
    let statement = try CatalogStatement(database, sql)
    let count = try statement.firstRow(.text(key)) { try statement.requiredInteger(SingleColumn.value) }
    guard count == 0 else {
      throw DamagedCatalog(problem: "two indexes disagree on \(quoted(key))")
    }
  }

  /// Checks the number of names found for a group.
  static func checkGroup(_ kind: String, _ identifier: String, count: Int, _ database: Database) throws {
    let statement = try CatalogStatement(
      database,
      "SELECT count(*) AS value FROM product_group INDEXED BY product_group_check WHERE identifier = ? AND kind = ?"
    )
    let found = try statement.firstRow(.text(identifier), .text(kind)) {
      try statement.requiredInteger(SingleColumn.value)
    }
    guard found == Int64(count) else {
      throw DamagedCatalog(problem: "the names of \(quoted(identifier)) do not match what was imported")
    }
  }
}
