import GRDB
import PriceTag
import PriceTagText

/// The second index that a table is searched by: where the first finds nothing, it must find nothing either.
enum SecondIndex {
  case product, tier

  private var sql: String {
    switch self {
    case .product: "SELECT count(*) AS value FROM product INDEXED BY product_check WHERE identifier = ?"
    case .tier: "SELECT count(*) AS value FROM tier INDEXED BY tier_check WHERE name = ?"
    }
  }

  /// Checks what the first index has answered.
  ///
  /// - Throws: `DamagedCatalog`.
  func check(_ key: String, isFound: Bool, _ database: Database) throws {
    let statement = try CatalogStatement(database, sql)
    let count = try statement.firstRow(.text(key)) { try statement.requiredInteger(OnlyColumn.value) }
    guard count == (isFound ? 1 : 0) else {
      throw DamagedCatalog(problem: "two indexes disagree on \(quoted(key))")
    }
  }

  /// Checks how many names of a group were found.
  static func checkGroup(_ kind: String, _ identifier: String, count: Int, _ database: Database) throws {
    let statement = try CatalogStatement(
      database,
      "SELECT count(*) AS value FROM product_group INDEXED BY product_group_check WHERE identifier = ? AND kind = ?"
    )
    let found = try statement.firstRow(.text(identifier), .text(kind)) {
      try statement.requiredInteger(OnlyColumn.value)
    }
    guard found == Int64(count) else {
      throw DamagedCatalog(problem: "the names of \(quoted(identifier)) are not those that were imported")
    }
  }
}
