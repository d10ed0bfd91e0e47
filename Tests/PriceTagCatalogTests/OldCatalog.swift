import CatalogSamples
import GRDB
import PriceTag

@testable import PriceTagCatalog

/// Catalogs as the first release of PriceTag wrote them: without checksums.
enum OldCatalog {
  /// Writes what a catalog says into a file of the first release, changes it, and opens it for reading.
  static func open(_ folder: ScratchFolder, _ catalog: Catalog, _ change: String = "") throws -> Catalog {
    let path = folder.path("old.pricetag")
    try write(catalog, to: path, change)
    return try Catalog(path: path)
  }

  static func write(_ catalog: Catalog, to path: String, _ change: String = "") throws {
    let old = try DatabaseQueue(path: path)
    try old.writeWithoutTransaction { database in
      try database.execute(sql: CatalogSchema.tables { _ in "" })
      try database.execute(sql: "PRAGMA application_id = \(CatalogSchema.applicationID)")
      try database.execute(
        sql: """
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('1');
          DELETE FROM catalog;
          """
      )
      // A row on the disk after the other would take a second.
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
