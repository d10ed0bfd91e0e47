import CatalogSamples
import Foundation
import GRDB
import PriceTag

@testable import PriceTagCatalog

/// Catalogs of version 1, which had no checksums.
enum OldCatalog {
  /// Writes the contents of a catalog to a file of version 1, runs a statement on it, and opens it for reading.
  static func open(_ folder: ScratchFolder, _ catalog: Catalog, _ change: String = "") throws -> Catalog {
    let path = folder.path("old.pricetag")
    try write(catalog, to: path, change)
    return try Catalog(path: path)
  }

  /// The tables of version 1. They are stored in a file, so that changes of the current schema do not affect them.
  private static func firstSchema() throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: tests.appending(path: "CatalogSchemas/1.sql"), encoding: .utf8)
  }

  static func write(_ catalog: Catalog, to path: String, _ change: String = "") throws {
    let old = try DatabaseQueue(path: path)
    try old.writeWithoutTransaction { database in
      try database.execute(sql: firstSchema())
      try database.execute(sql: "DELETE FROM catalog")
      // Without a transaction, each row would be written to disk separately, which takes a second.
      try database.beginTransaction()
      for table in CatalogTable.allCases where table != .partSet {
        let columns = try database.columns(in: table.name).map(\.name)
        let rows = try catalog.read {
          try Row.fetchAll($0, sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table.name)")
        }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        for row in rows {
          try database.execute(
            sql: "INSERT INTO \(table.name) VALUES (\(marks))",
            arguments: StatementArguments(row.databaseValues)
          )
        }
      }
      try database.commit()
      try database.execute(sql: change)
    }
    try old.close()
  }
}
