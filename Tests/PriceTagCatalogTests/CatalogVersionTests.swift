import CatalogSamples
import Foundation
import GRDB
import PriceTag
import PriceTagCatalogFormats
import PriceTagStrings
import Testing

@testable import PriceTagCatalog

/// Tests of the version of the database. `Tests/Formats` has a catalog and the file that was imported into it.
@Suite struct CatalogVersionTests {
  private static let formats = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Formats")

  /// Copies the catalog of `Tests/Formats`, because SQLite creates files beside an open catalog, and returns its path.
  private static func storedCatalog(_ folder: ScratchFolder, _ name: String = "shop.pricetag") throws
    -> String
  {
    try folder.write(name, Array(Data(contentsOf: formats.appending(path: name))))
  }

  @Test func readsStoredCatalogWithoutWriting() throws {
    let folder = try ScratchFolder()
    let path = try Self.storedCatalog(folder)
    let bytes = try Data(contentsOf: URL(filePath: path))
    let catalog = try Catalog(path: path)
    let imported = try Catalog()
    try imported.importFiles([CatalogFile(path: Self.formats.appending(path: "shop.jsonl").path)])
    #expect(try contents(of: catalog) == contents(of: imported))
    #expect(try catalog.verify() == imported.verify())
    #expect(try catalog.verify().prices == 11)
    let request = ListingRequest(storefronts: [try Storefront("DEU")])
    let digests = try [catalog, imported].map { try $0.listings(for: request).productDigests().all.text }
    #expect(digests[0] == digests[1])
    try catalog.close()
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  static let names = ["shop.pricetag", "shop-5.pricetag", "shop-6.pricetag"]

  @Test(arguments: names)
  func importsIntoStoredCatalog(name: String) throws {
    let folder = try ScratchFolder()
    let catalog = try Catalog(path: Self.storedCatalog(folder, name), access: .readAndImport)
    // The catalogs of later schemas have another price of the fuel.
    if name != Self.names[0] {
      try catalog.importFiles([lines(#"{"productIdentifier":"com.example.fuel","prices":{"DEU":"0.99"}}"#)])
    }
    let same = try catalog.importFiles([
      CatalogFile(path: Self.formats.appending(path: "shop.jsonl").path)
    ])
    #expect(same.isUnchanged && same.products.unchanged == 3)
    let changed = try catalog.importFiles([
      lines(#"{"productIdentifier":"com.example.fuel","prices":{"DEU":"1.09"}}"#)
    ])
    #expect(changed.products == .init(changed: 1))
    #expect(try catalog.verify().damages == 0)
  }

  /// The catalogs of later schemas have a history, also after they were upgraded.
  @Test(arguments: names.dropFirst(), [Catalog.Access.read, .readAndImport])
  func readsStoredHistory(name: String, access: Catalog.Access) throws {
    let folder = try ScratchFolder()
    let catalog = try Catalog(path: Self.storedCatalog(folder, name), access: access)
    #expect(try catalog.verify() == CatalogVerification(products: 3, prices: 11, damages: 0))
    let request = try ProductsRequest(
      ["com.example.fuel"],
      storefront: Storefront("DEU"),
      language: UILanguage("en"),
      at: .date(CalendarDate("2026-11-28"))
    )
    let product = try #require(try catalog.products(for: request).products.first)
    #expect(
      [product.price, product.priceBeforeReduction].map { $0?.price.amount.description } == ["0.89", "0.99"]
    )
  }

  /// A change of the tables needs a new version, and a new catalog in `Tests/Formats` beside the old one.
  @Test func storedCatalogHasCurrentTables() throws {
    let folder = try ScratchFolder()
    let upgraded = try Self.names.dropLast().map {
      try Catalog(path: Self.storedCatalog(folder, $0), access: .readAndImport)
    }
    let stored = try Catalog(path: Self.storedCatalog(folder, Self.names[2]))
    let digests = try (upgraded + [stored, Catalog()]).map { try $0.read { try CatalogSchema.digest($0) } }
    #expect(Set(digests).count == 1)
  }

  @Test(
    arguments: [CatalogSchema.firstVersion - 1, CatalogSchema.version + 1],
    [Catalog.Access.read, .readAndImport]
  )
  func rejectsOtherVersion(version: Int32, access: Catalog.Access) throws {
    let folder = try ScratchFolder()
    let path = try Self.storedCatalog(folder)
    func write(_ version: Int32) throws {
      let queue = try DatabaseQueue(path: path)
      try queue.write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
      try queue.close()
    }
    let expected = try Catalog(path: path).verify()
    try write(version)
    let failure = #expect(throws: CatalogError.self) { try Catalog(path: path, access: access) }
    #expect(failure?.code == .unknownVersion)
    #expect(
      failure?.description
        == "\(path): the catalog has schema \(version), but this version of PriceTag reads schemas 4 to 6; import its sources into a new catalog"
    )
    // The contents are unchanged.
    try write(CatalogSchema.firstVersion)
    #expect(try Catalog(path: path).verify() == expected)
  }
}
