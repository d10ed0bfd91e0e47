import CatalogSamples
import Foundation
import GRDB
import PriceTag
import PriceTagCatalogFormats
import PriceTagStrings
import SeededNumbers
import Testing

@testable import PriceTagCatalog

@Suite struct ListingTests {
  /// Returns all listings of a catalog.
  private static func listings(
    _ catalog: Catalog,
    _ request: ListingRequest,
    batchSize: Int = 7
  ) throws -> [Listing] {
    let reader = try catalog.listings(for: request)
    let builder = try ListingBuilder(request)
    var listings: [Listing] = []
    while case let records = try reader.next(batchSize), !records.isEmpty {
      for record in records { try builder.forEach(record) { listings.append($0) } }
    }
    #expect(listings.count == reader.count * builder.listingsPerProduct)
    return listings
  }

  private static func identifiers(_ reader: ListingReader, batchSize: Int) throws -> [String] {
    var identifiers: [String] = []
    while case let records = try reader.next(batchSize), !records.isEmpty {
      #expect(records.count <= batchSize)
      identifiers += records.map(\.identifier)
    }
    return identifiers
  }

  // MARK: Listings equal responses

  /// Compares all public properties and the order of the listings with the responses to a `ProductsRequest` for each
  /// storefront and language.
  private static func compare(
    _ catalog: Catalog,
    _ request: ListingRequest,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    struct Answers {
      var products: [Product] = []
      var spoken: [String] = []
      var invalid: [InvalidProductIdentifier] = []
    }
    var answers: [[String]: Answers] = [:]
    let listings = try Self.listings(catalog, request)
    for listing in listings {
      let key = [listing.storefront.id, listing.language.identifier]
      switch listing.answer {
      case .product(let product, let spoken):
        answers[key, default: Answers()].products.append(product)
        answers[key, default: Answers()].spoken.append(spoken)
      case .invalid(let invalid): answers[key, default: Answers()].invalid.append(invalid)
      }
    }
    var order: [[String]] = []
    for storefront in request.storefronts {
      for language in try request.languages(of: storefront) {
        let key = [storefront.id, language.identifier]
        let response = try catalog.products(
          for: ProductsRequest(
            nil,
            storefront: storefront,
            language: language,
            at: request.day,
            mode: request.mode,
            style: request.style,
            strings: request.strings
          )
        )
        let found = answers[key] ?? Answers()
        #expect(found.products.map(\.json) == response.products.map(\.json), sourceLocation: location)
        #expect(found.spoken == response.products.map(\.price.spoken), sourceLocation: location)
        #expect(found.invalid == response.invalidProductIdentifiers, sourceLocation: location)
        order.append(key)
      }
    }
    let first = listings.prefix(order.count)
    #expect(first.map { [$0.storefront.id, $0.language.identifier] } == order, sourceLocation: location)
    #expect(first.map(\.index) == Array(order.indices), sourceLocation: location)
  }

  private static func sampleShop() throws -> Catalog {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Examples/rocket-garage.json").path
    let catalog = try Catalog()
    try catalog.importFiles([CatalogFile(path: file)])
    return catalog
  }

  private static let languages = ["en-GB", "ja"]

  /// Whether every storefront is compared in every case. Otherwise each storefront is compared in one case, and
  /// storefronts whose currency changes in all of them.

  /// Returns the storefronts to compare in a case.
  private static func storefronts(inCase number: Int) -> [Storefront] {
    LocaleData.embedded.storefronts.enumerated().filter { index, storefront in
      ComparisonShare.isFull || index % cases.count == number || storefront.currencyPeriods.count > 1
    }.map(\.element)
  }

  /// The dates are those on which the shop's prices and tiers, or the currencies of its storefronts, change.
  static let cases: [(date: String, mode: ProductsRequest.Mode, languages: [String]?)] = [
    ("2026-11-21", .production, languages),
    ("2026-11-21", .development, nil),
    ("2025-12-31", .development, ["hu"]),
    ("2026-12-31", .production, ["nn"]),
    ("2027-01-01", .development, ["ar"]),
  ]

  @Test(arguments: cases.indices)
  func listingsOfSampleShopEqualResponses(number: Int) throws {
    let (date, mode, languages) = Self.cases[number]
    try Self.compare(
      Self.sampleShop(),
      ListingRequest(
        storefronts: Self.storefronts(inCase: number),
        languages: languages.map { .list(try $0.map { try UILanguage($0) }) } ?? .store,
        at: .date(CalendarDate(date)),
        mode: mode
      )
    )
  }

  @Test(arguments: ["2025-06-30", "2026-01-01", "2026-11-21", "2027-01-01"])
  func invalidListingsEqualResponses(date: String) throws {
    let storefronts = try ["USA", "BGR", "JPN", "CHE", "DEU"].map { try Storefront($0) }
    let styles = [PriceStyle(), PriceStyle(width: .iso, digits: .fixed(0))]
    for (style, mode) in zip(styles, ProductsRequest.Mode.allCases) {
      try Self.compare(
        ProductsRequestTests.shop(),
        ListingRequest(
          storefronts: storefronts,
          languages: .list([.development, UILanguage("de"), .accentedPseudo]),
          at: .date(CalendarDate(date)),
          mode: mode,
          style: style
        )
      )
    }
  }

  @Test(arguments: 1...4)
  func listingsOfRandomProductsEqualResponses(seed: Int) throws {
    var random = RandomProducts(seed: UInt64(seed))
    let catalog = try Catalog()
    try catalog.write { database in
      let store = CatalogStore(database, localeData: .embedded)
      for index in 0..<100 { _ = try store.write(random.product(index), replacing: nil) }
      try store.finish(isChanged: true)
    }
    try Self.compare(
      catalog,
      ListingRequest(
        storefronts: ["USA", "JPN", "BGR", "KWT", "HRV"].map { try Storefront($0) },
        languages: .list(["en-US", "zh-Hans", "fr-CA"].map { try UILanguage($0) }),
        at: .date(CalendarDate(RandomProducts.date)),
        mode: .development
      )
    )
  }

  static let intended: [(reason: InvalidProductIdentifier.Reason, isIntended: Bool)] = [
    (.malformed, false), (.unknown, false), (.notApproved, true), (.notClearedForSale, true),
    (.noPrice, false), (.noPeriod, false), (.notDisplayable, false),
  ]

  @Test(arguments: intended)
  func onlyShopDecisionsAreIntended(reason: InvalidProductIdentifier.Reason, isIntended: Bool) {
    #expect(reason.isIntended == isIntended)
    #expect(Set(Self.intended.map(\.reason)) == Set(InvalidProductIdentifier.Reason.allCases))
  }

  @Test func requestRemovesDuplicates() throws {
    let usa = try Storefront("USA")
    let request = ListingRequest(
      storefronts: [usa, try Storefront("JPN"), usa],
      languages: .list([.development, try UILanguage("ja"), .development])
    )
    #expect(request.storefronts.map(\.id) == ["USA", "JPN"])
    #expect(try ListingBuilder(request).listingsPerProduct == 4)
    #expect(try ListingBuilder(ListingRequest(storefronts: [])).listingsPerProduct == 0)
  }

  /// The languages of a request, and those of its listings in two storefronts.
  static let languageRows: [(requested: [String], japan: [String], bulgaria: [String])] = [
    (["ja", "en-GB"], ["ja", "en-GB"], ["ja", "en-GB"]),
    (["es-AR", "is"], ["es-AR", "is"], ["es-AR", "is"]),
    (["bg"], ["ja"], ["en-GB"]),
    (["bg", "fil", "sr-Latn", "lt-LT"], ["ja"], ["en-GB"]),
    (["de", "et", "ja"], ["de", "ja"], ["de", "en-GB", "ja"]),
    (["en-XA", "fa"], ["en-XA", "ja"], ["en-XA", "en-GB"]),
  ]

  @Test(arguments: languageRows)
  func usesDefaultLanguageOfStore(requested: [String], japan: [String], bulgaria: [String]) throws {
    let request = ListingRequest(
      storefronts: [try Storefront("JPN"), try Storefront("BGR")],
      languages: .list(try requested.map { try UILanguage($0) }),
      at: try .date(CalendarDate("2026-11-21"))
    )
    let listings = try Self.listings(ProductsRequestTests.shop(), request)
    for (id, expected) in [("JPN", japan), ("BGR", bulgaria)] {
      let shown = listings.filter { $0.storefront.id == id }
      #expect(shown.prefix(expected.count).map(\.language.identifier) == expected)
      #expect(shown.allSatisfy { requested.contains($0.requestedLanguage.identifier) })
    }
  }

  @Test func rejectsLanguageWithoutStrings() throws {
    let request = ListingRequest(
      storefronts: [try Storefront("USA")],
      languages: .list([try UILanguage("bg")]),
      isLanguageStrict: true
    )
    let failure = #expect(throws: CatalogError.self) {
      _ = try Self.listings(ProductsRequestTests.shop(), request)
    }
    #expect(failure?.code == .stringsFailed)
  }

  // MARK: Reading

  private static let everything = ListingRequest(storefronts: LocaleData.embedded.storefronts)

  static let sortOrders: [(name: String, sortOrders: [Int?])] = [
    ("no product", []),
    ("no product has a sort order", [nil, nil, nil, nil, nil]),
    ("all products have one", [3, 1, 2, -4, 0]),
    ("some products have one", [nil, 2, nil, 1, nil]),
    ("equal sort orders", [5, 5, 5, nil, 5, 1, 5]),
    ("minimum and maximum", [Int.max, nil, Int.min, 0]),
  ]

  @Test(arguments: sortOrders)
  func readsProductsInStoreOrder(name: String, sortOrders: [Int?]) throws {
    let catalog = try Catalog()
    try catalog.write { database in
      let store = CatalogStore(database, localeData: .embedded)
      for (index, sortOrder) in sortOrders.enumerated() {
        // The identifiers are in reverse order of the rows.
        var product = try CatalogProduct("p\(9 - index)")
        product.sortOrder = sortOrder
        _ = try store.write(product, replacing: nil)
      }
      try store.finish(isChanged: true)
    }
    for batchSize in [1, 2, 3, 100] {
      let reader = try catalog.listings(for: Self.everything)
      #expect(reader.count == sortOrders.count)
      #expect(
        try Self.identifiers(reader, batchSize: batchSize) == catalog.productIdentifiers(),
        "\(name), \(batchSize)"
      )
      #expect(try reader.next(1).isEmpty, "the reader stays at the end")
    }
  }

  private final class Plan: TextOutputStream {
    var text = ""
    func write(_ piece: String) { text += piece }
  }

  /// Every batch must be found with the index, so that the time to read a catalog grows linearly with its size.
  @Test func readsBatchesWithIndex() throws {
    let catalog = try Catalog()
    let positions: [ListingReader.Position] = [.sorted(0, ""), .unsorted("")]
    for position in positions {
      // The query plan does not depend on the arguments.
      let sql = try #require(ListingReader.query(after: position)).sql.replacing("?", with: "1")
      let plan = Plan()
      try catalog.read { try $0.dumpSQL("EXPLAIN QUERY PLAN \(sql: sql)", to: plan) }
      #expect(plan.text.contains("|SEARCH product USING INDEX product_in_order"), "\(plan.text)")
      #expect(!plan.text.contains("TEMP B-TREE"), "\(plan.text)")
    }
  }

  @Test(arguments: [false, true])
  func readerIgnoresLaterImport(inMemory: Bool) throws {
    let folder = try ScratchFolder()
    let catalog =
      inMemory ? try Catalog() : try Catalog(path: "\(folder.path)/shop.pricetag", access: .readAndImport)
    try catalog.importFiles([
      lines(
        #"{"productIdentifier":"a","prices":{"USA":"1"}}"#,
        #"{"productIdentifier":"b","tier":"1"}"#,
        #"{"productIdentifier":"c","prices":{"USA":"3"}}"#,
        #"{"type":"tier","tier":"1","prices":{"USA":"2"}}"#
      )
    ])
    let request = ListingRequest(storefronts: [try Storefront("USA")], languages: .list([.development]))
    let builder = try ListingBuilder(request)
    let reader = try catalog.listings(for: request)
    func next() throws -> [String] {
      var products: [String] = []
      for record in try reader.next(1) {
        try builder.forEach(record) { listing in
          if case .product(let product, _) = listing.answer {
            products.append("\(product.identifier) \(product.displayPrice)")
          }
        }
      }
      return products
    }
    #expect(try next() == ["a $1.00"])
    try catalog.importFiles(
      [
        lines(
          #"{"productIdentifier":"aa","prices":{"USA":"9"}}"#,
          #"{"productIdentifier":"b","tier":"1"}"#,
          #"{"type":"tier","tier":"1","prices":{"USA":"9"}}"#
        )
      ],
      mode: .replace
    )
    #expect(try catalog.productIdentifiers() == ["aa", "b"])
    #expect(try next() == ["b $2.00"])
    #expect(try next() == ["c $3.00"])
    #expect(try next() == [])
    #expect(reader.count == 3)
  }

  @Test func readsClosedCatalog() throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/shop.pricetag"
    let catalog = try Catalog(path: path, access: .readAndImport)
    try catalog.importFiles([lines(#"{"productIdentifier":"a","prices":{"USA":"1"}}"#)])
    try catalog.close()
    let reader = try Catalog(path: path).listings(for: Self.everything)
    #expect(try Self.identifiers(reader, batchSize: 1) == ["a"])
  }

  @Test func threadsShareReader() async throws {
    let catalog = try Self.sampleShop()
    let reader = try catalog.listings(for: Self.everything)
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 { group.addTask { try Self.identifiers(reader, batchSize: 2) } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(try found.sorted() == catalog.productIdentifiers().sorted())
  }

  // MARK: Damage

  /// Gives all rows valid checksums.
  private static func updateChecksums(_ database: Database) throws {
    for table in CatalogTable.allCases where try database.tableExists(table.name) {
      let checksum = DatabaseFunction("row_checksum", argumentCount: nil, pure: true) { values in
        var checksum = RowChecksum(table)
        for (index, value) in values.enumerated() {
          switch value.storage {
          case .null: if !table.isAdded(index + 1) { checksum.addNull() }
          case .int64(let integer): checksum.add(integer)
          case .double(let real): checksum.add(real: real.bitPattern)
          case .string(let text): checksum.add(text)
          case .blob(let bytes): bytes.withUnsafeBytes { checksum.add(blob: $0) }
          }
        }
        return checksum.value
      }
      database.add(function: checksum)
      defer { database.remove(function: checksum) }
      let columns = table.columns.dropFirst().joined(separator: ", ")
      try database.execute(sql: "UPDATE \(table.name) SET checksum = row_checksum(\(columns))")
    }
  }

  static let damages: [(statement: String, problem: String)] = [
    ("UPDATE price SET amount = '1e9'", #""1e9""#),
    ("UPDATE price SET amount = x'00ff'", "the catalog is damaged"),
    ("UPDATE price SET first_day = 'soon' WHERE storefront = 'JPN'", #""soon""#),
    ("UPDATE price SET last_day = 7", #""7""#),
    ("UPDATE product SET list = 'none'", "a column has a value of the wrong type"),
    ("UPDATE product SET kind = 'x'", #"unknown value "x""#),
    ("UPDATE product SET subscription_period = 'P'", #"unknown value "P""#),
    ("UPDATE product SET group_level = 'high'", "a column has a value of the wrong type"),
    ("UPDATE offer SET payment_mode = 'gift'", #"unknown value "gift""#),
    ("UPDATE offer SET period_count = 'x'", "a column has a value of the wrong type"),
    ("UPDATE offer SET kind = 'later-phase'", "an offer is incomplete"),
    ("UPDATE OR REPLACE tier_period SET first_day = '2026-02-30'", #""2026-02-30""#),
    ("UPDATE product SET sort_order = 'x' WHERE identifier > 'n'", "a column has a value of the wrong type"),
    ("UPDATE product SET sort_order = 0.5 WHERE identifier > 'n'", "a column has a value of the wrong type"),
    ("UPDATE product SET identifier = CAST(identifier AS BLOB)", "a column has a value of the wrong type"),
    ("DROP TABLE offer", "no such table: offer"),
  ]

  /// Even in a row with a valid checksum, a value that cannot be read is an error.
  @Test(arguments: damages)
  func rejectsUnreadableValue(statement: String, problem: String) throws {
    let catalog = try ProductsRequestTests.shop()
    try catalog.write { database in
      try database.execute(sql: statement)
      try Self.updateChecksums(database)
    }
    let failure = #expect(throws: CatalogError.self) {
      let storefronts = try ["USA", "JPN"].map { try Storefront($0) }
      _ = try Self.listings(catalog, ListingRequest(storefronts: storefronts))
    }
    #expect(failure?.code == .databaseFailed)
    #expect(failure?.description.contains(problem) == true, "\(failure?.description ?? "")")
  }
}
