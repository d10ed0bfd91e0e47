import CatalogSamples
import Foundation
import GRDB
import PriceTag

@testable import PriceTagCatalog

/// Catalogs of earlier versions: version 1 had no checksums, version 2 no contents of products, and version 3
/// no pictures.
enum OldCatalog {
  /// Writes the contents of a catalog to a file of an earlier version, runs a statement on it, and opens it for reading.
  static func open(
    _ folder: ScratchFolder,
    _ catalog: Catalog,
    version: Int = 1,
    _ change: String = ""
  ) throws -> Catalog {
    let path = folder.path("old.pricetag")
    try write(catalog, to: path, version: version, change)
    return try Catalog(path: path)
  }

  /// The tables of a version. They are stored in a file, so that changes of the current schema do not affect them.
  private static func schema(_ version: Int) throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: tests.appending(path: "CatalogSchemas/\(version).sql"), encoding: .utf8)
  }

  static func write(
    _ catalog: Catalog,
    to path: String,
    version: Int = 1,
    _ change: String = ""
  ) throws {
    let old = try DatabaseQueue(path: path)
    try old.writeWithoutTransaction { database in
      try database.execute(sql: schema(version))
      try database.execute(sql: "DELETE FROM catalog")
      // Without a transaction, each row would be written to disk separately, which takes a second.
      try database.beginTransaction()
      for table in CatalogTable.allCases where table != .partSet || version > 1 {
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
      if version > 1 {
        var totals = try CatalogTotals(database, hasChecksums: true)
        totals.schema = try CatalogSchema.digest(database)
        try totals.write(database)
      }
      try database.commit()
      try database.execute(sql: change)
    }
    try old.close()
  }
}
