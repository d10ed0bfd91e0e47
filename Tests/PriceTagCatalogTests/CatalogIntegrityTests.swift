import CatalogSamples
import Foundation
import GRDB
import PriceTag
import PriceTagCatalogFormats
import PriceTagStrings
import SeededNumbers
import Testing

@testable import PriceTagCatalog

/// Tests that damage is an error, and never a wrong price or a missing product.
@Suite struct CatalogIntegrityTests {
  // MARK: Changed and lost rows

  /// What is damaged, the statement that damages `ProductsRequestTests.shop()`, and the product that the error names.
  static let damages: [(what: String, statement: String, product: String?)] = [
    ("an amount", "UPDATE price SET amount = '0.98' WHERE amount = '5.00'", "own"),
    ("a currency", "UPDATE price SET currency = 'EUR' WHERE amount = '5.00'", "own"),
    ("a price's storefront", "UPDATE price SET storefront = 'USB' WHERE amount = '5.00'", "own"),
    ("a price's last day", "UPDATE price SET last_day = '2027-12-31' WHERE amount = '5.00'", "own"),
    (
      "two prices exchanged",
      "UPDATE price SET amount = iif(storefront = 'USA', '6.00', '5.00') WHERE amount IN ('5.00', '6.00')",
      "own"
    ),
    (
      "two rows exchanged with their checksums",
      """
      CREATE TEMP TABLE other AS SELECT list, amount, currency, checksum FROM price
        WHERE storefront = 'USA' AND amount IN ('5.00', '14.99');
      UPDATE price SET (amount, currency, checksum) =
        (SELECT amount, currency, checksum FROM other WHERE other.list != price.list)
        WHERE storefront = 'USA' AND amount IN ('5.00', '14.99')
      """, "own"
    ),
    ("a lost price", "DELETE FROM price WHERE amount = '5.00'", "own"),
    ("a price moved to another list", "UPDATE price SET list = list + 1000 WHERE amount = '5.00'", "own"),
    (
      "a lost period of a price", "DELETE FROM price WHERE first_day = '2026-01-01' AND storefront = 'BGR'",
      "level2"
    ),
    (
      "a tier's price", "UPDATE price SET amount = '1.98' WHERE amount = '1.99' AND currency = 'USD'",
      "level2"
    ),
    (
      "a tier's list", "UPDATE tier SET list = (SELECT list FROM tier WHERE name = '1') WHERE name = '2'",
      "level2"
    ),
    ("a lost tier of a product", "DELETE FROM tier_period WHERE first_day = '2027-01-01'", "level2"),
    ("a tier of a product", "UPDATE tier_period SET tier = '2' WHERE last_day = '2026-12-31'", "level2"),
    ("a name", "UPDATE product_text SET name = 'Level 2' WHERE name = 'Level 1'", "level1"),
    ("a description", "UPDATE product_text SET description = NULL WHERE name = 'Level 1'", "level1"),
    ("a text's language", "UPDATE product_text SET language = 'fr' WHERE name = 'Level 1'", "level1"),
    ("a lost text", "DELETE FROM product_text WHERE name = 'Level 1'", "level1"),
    ("a lost price locale", "DELETE FROM price_locale", "own"),
    ("a price locale", "UPDATE price_locale SET locale = 'de-CH'", "own"),
    ("a lost offer", "DELETE FROM offer WHERE identifier = 'half'", "club.monthly"),
    ("an offer's period", "UPDATE offer SET period_count = 2 WHERE identifier = 'half'", "club.monthly"),
    ("a name of a category", "UPDATE product_group SET name = 'Cars' WHERE name = 'Levels'", "level1"),
    ("approval", "UPDATE product SET is_approved = 1 WHERE identifier = 'draft'", "draft"),
    (
      "clearance", "UPDATE product SET cleared_for_sale = 'all' WHERE cleared_for_sale IS NOT NULL",
      "not-here"
    ),
    ("an added content", "UPDATE product SET content = '1 L' WHERE identifier = 'own'", "own"),
    ("an added reference", "UPDATE product SET unit_reference = 'L' WHERE identifier = 'own'", "own"),
    ("a content", "UPDATE product SET content = '75 L' WHERE content = '0.75 L'", "bottle"),
    ("a lost content", "UPDATE product SET content = NULL WHERE content = '0.75 L'", "bottle"),
    (
      "a lost content and reference",
      "UPDATE product SET content = NULL, unit_reference = NULL WHERE content = '0.75 L'", "bottle"
    ),
    ("a product's list", "UPDATE product SET list = 1 WHERE identifier = 'own'", "own"),
    ("a product's row", "UPDATE product SET id = 100 WHERE identifier = 'own'", "own"),
    ("a product's set of storefronts", "UPDATE product SET price_set = 0 WHERE identifier = 'own'", "own"),
    ("a set of storefronts", "UPDATE part_set SET members = 'CHE DEU' WHERE members = 'CHE USA'", "own"),
    ("a lost set", "DELETE FROM part_set WHERE members = 'CHE USA'", "own"),
    ("the order", "UPDATE product SET sort_order = 30 WHERE identifier = 'level2'", "level2"),
    ("the number of products", "UPDATE catalog SET product_count = 12", nil),
    ("the next list", "UPDATE catalog SET next_list = 2", nil),
  ]

  /// Every operation that reads the catalog reports the damage.
  @Test(arguments: damages)
  func reportsDamage(what: String, statement: String, product: String?) throws {
    let catalog = try ProductsRequestTests.shop()
    try catalog.importFiles([
      lines(
        #"{"productIdentifier":"bottle","content":"0.75 L","unitReference":"100 mL","prices":{"DEU":"2.49"}}"#
      )
    ])
    #expect(try catalog.verify().damages == 0)
    try catalog.write { try $0.execute(sql: statement) }
    let storefronts = try ["USA", "CHE", "BGR"].map { try Storefront($0) }
    let operations: [(name: String, read: () throws -> Void)] = [
      ("listings", { _ = try CatalogText.listings(catalog, storefronts) }),
      ("an export", { try catalog.forEachItem { (_) throws(CatalogError) in } }),
      (
        "a replacing import",
        {
          _ = try catalog.importFiles(
            [lines(#"{"productIdentifier":"new","prices":{"USA":"1"}}"#)],
            mode: .replace
          )
        }
      ),
    ]
    for (name, read) in operations {
      let failure = #expect(throws: CatalogError.self, "\(what), \(name)") { try read() }
      #expect(failure?.code == .databaseFailed)
      #expect(failure?.problem.hasPrefix("the catalog is damaged: ") == true, "\(failure?.description ?? "")")
      if let product, name == "listings" {
        #expect(failure?.place == "product \"\(product)\"", "\(failure?.description ?? "")")
      }
    }
    var reported: [String] = []
    let verification = try catalog.verify { (error) throws(CatalogError) in reported.append(error.description)
    }
    #expect(verification.damages == reported.count && verification.damages > 0, "\(what)")
  }

  static let losses: [(what: String, statement: String)] = [
    ("a product", "DELETE FROM product WHERE identifier = 'own'"),
    ("a tier", "DELETE FROM tier WHERE name = '2'"),
    ("a name of a category", "DELETE FROM product_group WHERE language = 'en-US'"),
    ("the number of products", "UPDATE catalog SET product_count = 16"),
    (
      "a column's type",
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'list INT', 'list TEX')"
    ),
  ]

  /// The counts in the table `catalog` reveal rows that are missing from a table and all of its indexes.
  @Test(arguments: losses)
  func reportsMissingRows(what: String, statement: String) throws {
    let folder = try ScratchFolder()
    let path = folder.path("shop.pricetag")
    try ProductsRequestTests.shop().copy(to: path)
    let damaging = try DatabaseQueue(path: path)
    try damaging.writeWithoutTransaction { try $0.execute(sql: statement) }
    try damaging.close()
    #expect(throws: CatalogError.self, "\(what), an export") {
      try Catalog(path: path).forEachItem { (_) throws(CatalogError) in }
    }
    #expect(throws: CatalogError.self, "\(what), an import") {
      try Catalog(path: path, access: .readAndImport).importFiles(
        [lines(#"{"productIdentifier":"new","prices":{"USA":"1"}}"#)],
        mode: .replace
      )
    }
    #expect((try? Catalog(path: path).verify().damages) != 0, "\(what)")
  }

  static let lookups: [(what: String, statement: String, identifiers: [String]?)] = [
    ("a requested product", "DELETE FROM product WHERE identifier = 'own'", nil),
    ("a requested price", "DELETE FROM price WHERE amount = '5.00'", ["own"]),
    ("a requested text", "DELETE FROM product_text WHERE name = 'Level 1'", ["level1"]),
    (
      "a requested tier", "DELETE FROM price WHERE amount = '0.99' AND storefront = 'USA'", ["level1"]
    ),
  ]

  @Test(arguments: lookups)
  func requestReportsDamage(what: String, statement: String, identifiers: [String]?) throws {
    let catalog = try ProductsRequestTests.shop()
    try catalog.write { try $0.execute(sql: statement) }
    let failure = #expect(throws: CatalogError.self, "\(what)") {
      try catalog.products(for: ProductsRequestTests.request(identifiers))
    }
    #expect(failure?.code == .databaseFailed)
  }

  /// A request reads only one storefront's prices, so it does not report damage in other storefronts.
  @Test func verifiesOnlyRowsRead() throws {
    let catalog = try ProductsRequestTests.shop()
    try catalog.write { try $0.execute(sql: "UPDATE price SET amount = '7.00' WHERE storefront = 'CHE'") }
    let response = try catalog.products(for: ProductsRequestTests.request(["own"]))
    #expect(response.products.map(\.displayPrice) == ["$5.00"])
    #expect(throws: CatalogError.self) {
      try catalog.products(for: ProductsRequestTests.request(["own"], "CHE"))
    }
  }

  // MARK: Indexes

  static let indexes: [(index: String, identifiers: [String]?)] = [
    ("sqlite_autoindex_product_1", ["own"]), ("product_in_order", nil),
  ]

  /// A product that is missing from an index is an error.
  @Test(arguments: indexes)
  func reportsDamagedIndex(index: String, identifiers: [String]?) throws {
    let folder = try ScratchFolder()
    let path = folder.path("shop.pricetag")
    try ProductsRequestTests.shop().copy(to: path)
    let root = try DatabaseQueue(path: path).read { database in
      try #require(
        try Int.fetchOne(
          database,
          sql: "SELECT rootpage FROM sqlite_master WHERE name = ?",
          arguments: [index]
        )
      )
    }
    // The index has one page, and two bytes of the page's header count its entries.
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let count = (root - 1) * 4096 + 4
    #expect(bytes[count] == 13)
    bytes[count] = 12
    try Data(bytes).write(to: URL(filePath: path))
    let catalog = try Catalog(path: path)
    #expect(throws: CatalogError.self) {
      for identifier in identifiers ?? [] where identifier == "own" {
        // The last entry of the index is the missing one.
        let last = try catalog.read {
          try String.fetchOne($0, sql: "SELECT max(identifier) FROM product NOT INDEXED")
        }
        _ = try catalog.products(for: ProductsRequestTests.request([last ?? identifier], mode: .production))
      }
      _ = try catalog.products(for: ProductsRequestTests.request(identifiers.map { _ in ["own"] }))
      if identifiers == nil { _ = try CatalogText.listings(catalog, [Storefront("USA")]) }
    }
    #expect(try catalog.verify().damages > 0)
  }

  // MARK: Flipped bits

  /// The number of flipped bits. The environment variable `PRICETAG_FLIPS` changes it.
  private static let flips = ProcessInfo.processInfo.environment["PRICETAG_FLIPS"].flatMap(Int.init) ?? 60

  /// After flipping any one bit of a catalog, reading it gives either the original contents or an error.
  @Test func flippedBitNeverChangesContents() throws {
    let folder = try ScratchFolder()
    let path = folder.path("shop.pricetag")
    try PriceHeavyCatalog.write(to: path, products: 12)
    let original = Array(try Data(contentsOf: URL(filePath: path)))
    let expected = try CatalogText.all(path)
    #expect(expected.contains("com.example.p3"))
    var random = SeededNumbers(seed: 17)
    var (errors, same) = (0, 0)
    for _ in 0..<Self.flips {
      let (index, bit) = (random.number(0...original.count - 1), random.number(0...7))
      var bytes = original
      bytes[index] ^= 1 << UInt8(bit)
      try Data(bytes).write(to: URL(filePath: path))
      do {
        let found = try CatalogText.all(path)
        #expect(found == expected, "byte \(index), bit \(bit)")
        same += 1
      } catch is CatalogError { errors += 1 }
    }
    #expect(errors + same == Self.flips)
    #expect(errors > Self.flips / 4, "\(errors) errors of \(Self.flips)")
  }

  // MARK: Imports

  /// The counts and digests match the contents after any sequence of changes.
  @Test(arguments: 1...3)
  func importsUpdateTotals(seed: Int) throws {
    var random = RandomProducts(seed: UInt64(seed))
    let catalog = try Catalog()
    for round in 0..<4 {
      try catalog.write { database in
        let store = CatalogStore(database, localeData: .embedded)
        for index in 0..<30 {
          let product = try random.product(index)
          let stored = try store.product(product.identifier)
          if let stored, (index + round).isMultiple(of: 5) {
            try store.delete(stored)
          } else {
            _ = try store.write(product, replacing: stored)
          }
        }
        try store.finish(isChanged: true)
      }
      let verification = try catalog.verify { (error) throws(CatalogError) in Issue.record("\(error)") }
      #expect(verification.damages == 0)
      #expect(try verification.products == catalog.productIdentifiers().count)
    }
  }

  static let checksums: [(name: String, first: [CatalogValue], second: [CatalogValue])] = [
    ("null and an empty text", [.null], [""]),
    ("a number and its text", [1], ["1"]),
    ("two fields exchanged", ["a", "b"], ["b", "a"]),
    ("a border moved", ["ab", "c"], ["a", "bc"]),
    ("a long border moved", ["abcdefgh", "i"], ["abcdefg", "hi"]),
    ("an additional zero byte", ["abcdefgh"], ["abcdefgh\0"]),
    ("one bit", ["USA"], ["USC"]),
  ]

  @Test(arguments: checksums)
  func differentFieldsHaveDifferentChecksums(name: String, first: [CatalogValue], second: [CatalogValue]) {
    func value(_ table: CatalogTable, _ fields: [CatalogValue]) -> Int64 {
      var checksum = RowChecksum(table)
      for field in fields { checksum.add(field) }
      return checksum.value
    }
    #expect(value(.price, first) != value(.price, second), "\(name)")
    #expect(value(.price, first) != value(.tier, first), "\(name)")
    #expect(value(.price, first) == value(.price, first))
  }
}

/// The contents of a catalog, as text.
enum CatalogText {
  static func listings(_ catalog: Catalog, _ storefronts: [Storefront]) throws -> String {
    let request = ListingRequest(
      storefronts: storefronts,
      languages: .list([.development]),
      mode: .development
    )
    let reader = try catalog.listings(for: request)
    let builder = try ListingBuilder(request)
    var text = ""
    while case let records = try reader.next(5), !records.isEmpty {
      for record in records {
        text += "\(record.identifier) \(record.languages) \(record.texts) \(record.schedule.own)\n"
        try builder.forEach(record) { text += "\($0.storefront.id) \($0.answer)\n" }
      }
    }
    return text
  }

  /// Returns everything that the commands and the service read from a catalog in a file.
  static func all(_ path: String) throws -> String {
    let catalog = try Catalog(path: path)
    defer { try? catalog.close() }
    var text = "\(try catalog.revision()) \(try catalog.productIdentifiers()) \(try catalog.languages())\n"
    // The prices of every storefront are read, and those of two storefronts are formatted.
    let storefronts = LocaleData.embedded.storefronts
    let reader = try catalog.listings(for: ListingRequest(storefronts: storefronts), order: .identifier)
    while case let records = try reader.next(5), !records.isEmpty {
      for record in records { text += "\(record.identifier) \(record.schedule.own) \(record.texts)\n" }
    }
    for id in ["USA", "JPN"] {
      text += try catalog.products(for: ProductsRequestTests.request(nil, id)).json
      let some = ["com.example.p3", "com.example.p7", "com.example.none"]
      text += try catalog.products(for: ProductsRequestTests.request(some, id)).json
    }
    return text
  }
}

/// A catalog whose products have a price in every storefront, so that most of its bytes are prices.
enum PriceHeavyCatalog {
  static func write(to path: String, products: Int) throws {
    let catalog = try Catalog(path: path, access: .readAndImport)
    var text = [
      #"{"type":"tier","tier":"1","prices":{"USA":"0.99","JPN":"160"}}"#,
      #"{"type":"category","identifier":"levels","names":{"en-US":"Levels","ja":"レベル"}}"#,
    ]
    for product in 0..<products {
      let prices = LocaleData.embedded.storefronts.enumerated().map {
        "\"\($1.id)\":\"\(($0 + product) * 10 + 5)\""
      }
      text.append(
        #"{"productIdentifier":"com.example.p\#(product)","kind":"consumable","category":"levels","localizations":{"en-US":{"name":"Product \#(product)"},"ja":{"name":"製品\#(product)"}},"sortOrder":\#(product % 5),"prices":{\#(prices.joined(separator: ","))}}"#
      )
    }
    text.append(#"{"productIdentifier":"com.example.tiered","tier":"1"}"#)
    try catalog.importFiles([CatalogFile(name: "shop.jsonl", bytes: Array(text.joined(separator: "\n").utf8))]
    )
    try catalog.close()
  }
}
