import CatalogSamples
import Foundation
import GRDB
import PriceTag
import PriceTagCatalogFormats
import Testing

@testable import PriceTagCatalog

/// Tests of catalogs of other versions. Older catalogs can be read, and the next import upgrades them in place. Newer
/// ones are rejected. An interrupted upgrade does not change the file.
@Suite struct CatalogUpgradeTests {
  /// Writes the shop of `ProductsRequestTests` to a catalog of version 1, and returns its path.
  private static func oldCatalog(_ folder: ScratchFolder, _ change: String = "") throws -> String {
    let path = folder.path("old.pricetag")
    try OldCatalog.write(ProductsRequestTests.shop(), to: path, change)
    return path
  }

  /// Returns every row of every table, and every table definition.
  private static func contents(of path: String) throws -> String {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read { database in
      let definitions = try Row.fetchAll(database, sql: "SELECT name, sql FROM sqlite_master ORDER BY name")
      var text = definitions.map { "\($0)\n" }.joined()
      for name in try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
      ) {
        text += try Row.fetchAll(database, sql: "SELECT * FROM \(name)").map { "\(name) \($0)\n" }.joined()
      }
      return text
    }
  }

  /// Returns the columns and indexes of a catalog, independent of their order.
  private static func shape(_ catalog: Catalog) throws -> Set<String> {
    try catalog.read { database in
      var shape = Set(
        try String.fetchAll(
          database,
          sql: "SELECT 'index ' || name || ' ' || coalesce(sql, '') FROM sqlite_master WHERE type = 'index'"
        )
      )
      for table in CatalogTable.allCases {
        for column in try database.columns(in: table.name) {
          shape.insert("\(table.name).\(column.name) \(column.type) \(column.isNotNull)")
        }
      }
      return shape
    }
  }

  @Test(arguments: [1, 2, 3])
  func upgradedCatalogHasCurrentTables(version: Int) throws {
    let folder = try ScratchFolder()
    let path = folder.path("old.pricetag")
    try OldCatalog.write(ProductsRequestTests.shop(), to: path, version: version)
    let upgraded = try Catalog(path: path, access: .readAndImport)
    let new = try Catalog()
    #expect(try Self.shape(upgraded) == Self.shape(new))
    let versions = try upgraded.read { try CatalogSchema.migrator.appliedMigrations($0) }
    #expect(versions == ["1", "2", "3", "4"])
    #expect(try upgraded.verify() == ProductsRequestTests.shop().verify())
  }

  /// Catalogs of these versions are in use. To change a table, add a version with a migration.
  @Test(arguments: [
    ("2", -5_750_667_485_996_501_972), ("3", 2_296_702_605_983_463_869), ("4", 8_543_105_105_918_415_029),
  ])
  func schemaOfVersionIsUnchanged(version: String, digest: Int64) throws {
    let queue = try DatabaseQueue()
    try CatalogSchema.migrator.migrate(queue, upTo: version)
    let found = try queue.read { try CatalogSchema.digest($0) }
    #expect(found == digest, "\(found)")
    #expect(CatalogSchema.migrator.migrations == ["1", "2", "3", "4"])
  }

  /// A catalog of version 2 has checksums, and is read without an upgrade.
  @Test func readsVersion2() throws {
    let folder = try ScratchFolder()
    let new = try ProductsRequestTests.shop()
    let old = try OldCatalog.open(folder, new, version: 2)
    #expect(old.hasChecksums)
    #expect(try old.verify() == new.verify())
    let storefronts = try ["USA", "JPN", "CHE"].map { try Storefront($0) }
    #expect(try CatalogText.listings(old, storefronts) == CatalogText.listings(new, storefronts))
    #expect(try old.languages() == new.languages())
    #expect(try old.read { try CatalogSchema.migrator.appliedMigrations($0) } == ["1", "2"])
    #expect(try old.read { try CatalogSchema.digest($0) } == -5_750_667_485_996_501_972)
  }

  /// A catalog that is open for reading sees what another connection that upgrades it imports.
  @Test func openCatalogSeesUpgrade() throws {
    let folder = try ScratchFolder()
    let old = try OldCatalog.open(folder, ProductsRequestTests.shop(), version: 2)
    let importing = try Catalog(path: folder.path("old.pricetag"), access: .readAndImport)
    try importing.importFiles([lines(#"{"productIdentifier":"own","content":"0.75 L"}"#)])
    #expect(try old.verify().damages == 0)
    var contents: [String: String] = [:]
    try old.forEachItem { (item) throws(CatalogError) in
      if case .product(let product) = item { contents[product.identifier] = product.content?.description }
    }
    #expect(contents == ["own": "0.75 L"])
  }

  /// A product with a content has the checksum of version 3, which stays valid in version 4.
  @Test func readsAndUpgradesVersion3() throws {
    let folder = try ScratchFolder()
    let new = try ProductsRequestTests.shop()
    try new.importFiles([lines(#"{"productIdentifier":"level1","content":"0.75 L"}"#)])
    let old = try OldCatalog.open(folder, new, version: 3)
    #expect(try old.verify() == new.verify() && old.verify().damages == 0)
    let storefronts = try ["USA", "JPN"].map { try Storefront($0) }
    #expect(try CatalogText.listings(old, storefronts) == CatalogText.listings(new, storefronts))
    let importing = try Catalog(path: folder.path("old.pricetag"), access: .readAndImport)
    try importing.importFiles([
      lines(#"{"productIdentifier":"own","images":[{"src":"a.jpg"}],"related":["level1"]}"#)
    ])
    #expect(try importing.verify().damages == 0 && old.verify().damages == 0)
    var found: [String] = []
    try old.forEachItem { (item) throws(CatalogError) in
      guard case .product(let product) = item else { return }
      if let content = product.content { found.append("\(product.identifier) \(content)") }
      for image in product.images ?? [] { found.append("\(product.identifier) \(image.address)") }
      for related in product.related ?? [] { found.append("\(product.identifier) \(related)") }
    }
    #expect(Set(found) == ["level1 0.75 L", "own a.jpg", "own level1"])
  }

  @Test func doesNotUpgradeDamagedSchema() throws {
    let folder = try ScratchFolder()
    let path = folder.path("old.pricetag")
    try OldCatalog.write(
      ProductsRequestTests.shop(),
      to: path,
      version: 2,
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'list INT', 'list TEX')"
    )
    let failure = #expect(throws: CatalogError.self) { try Catalog(path: path, access: .readAndImport) }
    #expect(failure?.problem == "the catalog is damaged: the schema has changed")
    let queue = try DatabaseQueue(path: path)
    #expect(try queue.read { try CatalogSchema.migrator.appliedMigrations($0) } == ["1", "2"])
    try queue.close()
  }

  @Test(arguments: [Catalog.Access.read, .readAndImport])
  func rejectsNewerCatalog(access: Catalog.Access) throws {
    let folder = try ScratchFolder()
    let path = folder.path("new.pricetag")
    let catalog = try Catalog(path: path, access: .readAndImport)
    try catalog.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('5')")
    }
    try catalog.close()
    let before = try Self.contents(of: path)
    let failure = #expect(throws: CatalogError.self) { try Catalog(path: path, access: access) }
    #expect(
      failure?.description
        == "\(path): the catalog was written by a later version of PriceTag; use that version, or import the sources into a new catalog"
    )
    #expect(failure?.code == .unknownVersion)
    #expect(try Self.contents(of: path) == before)
  }

  /// A trigger makes the last statement of the upgrade fail.
  @Test func rollsBackFailedUpgrade() throws {
    let folder = try ScratchFolder()
    let path = try Self.oldCatalog(
      folder,
      "CREATE TRIGGER stop BEFORE UPDATE ON catalog BEGIN SELECT RAISE(ABORT, 'stopped'); END"
    )
    let before = try Self.contents(of: path)
    let failure = #expect(throws: CatalogError.self) { try Catalog(path: path, access: .readAndImport) }
    #expect(failure?.problem == "the database failed: stopped")
    #expect(try Self.contents(of: path) == before)
    let old = try Catalog(path: path)
    #expect(!old.hasChecksums)
    #expect(try old.productIdentifiers() == ProductsRequestTests.shop().productIdentifiers())
    try old.close()
    // Without the trigger, the next import upgrades the catalog.
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: "DROP TRIGGER stop") }
    try queue.close()
    let upgraded = try Catalog(path: path, access: .readAndImport)
    #expect(upgraded.hasChecksums)
    #expect(try upgraded.verify().damages == 0)
  }

  /// The copied files are those of a process that was killed between the upgrade's last statement and its commit.
  @Test func killedUpgradeChangesNothing() throws {
    let folder = try ScratchFolder()
    let path = try Self.oldCatalog(folder)
    let before = try Self.contents(of: path)
    let copy = folder.path("copy.pricetag")
    let pool = try DatabasePool(path: path)
    try pool.writeWithoutTransaction { database in
      // A small cache writes pages to disk before the transaction ends.
      try database.execute(sql: "PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
      try database.inTransaction(.immediate) {
        _ = try CatalogUpgrade(database).run()
        for ending in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
        }
        return .rollback
      }
    }
    try pool.close()
    let size = try FileManager.default.attributesOfItem(atPath: "\(copy)-wal")[.size] as? Int
    #expect(try #require(size) > 4096, "no page was written before the commit")
    let old = try Catalog(path: copy)
    #expect(!old.hasChecksums)
    try old.close()
    #expect(try Self.contents(of: copy) == before)
    let upgraded = try Catalog(path: copy, access: .readAndImport)
    #expect(upgraded.hasChecksums)
    #expect(try upgraded.verify() == ProductsRequestTests.shop().verify())
  }
}
