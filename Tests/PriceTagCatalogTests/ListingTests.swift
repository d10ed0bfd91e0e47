import CatalogSamples
import Foundation
import PriceTag
import PriceTagCatalogFormats
import PriceTagStrings
import Testing

@testable import PriceTagCatalog

@Suite struct ListingTests {
  /// All listings of a catalogue.
  private static func listings(
    _ catalog: Catalog,
    _ request: ListingRequest,
    pages: Int = 7
  ) throws -> [Listing] {
    let reading = try catalog.listings(for: request)
    let maker = try ListingMaker(request)
    var listings: [Listing] = []
    while case let products = try reading.next(pages), !products.isEmpty {
      for facts in products { try maker.forEach(facts) { listings.append($0) } }
    }
    #expect(listings.count == reading.count * maker.listingsPerProduct)
    return listings
  }

  private static func identifiers(_ reading: ListingReading, pages: Int) throws -> [String] {
    var identifiers: [String] = []
    while case let products = try reading.next(pages), !products.isEmpty {
      #expect(products.count <= pages)
      identifiers += products.map(\.identifier)
    }
    return identifiers
  }

  // MARK: One answer everywhere

  /// Holds the listings of every product against a request for each storefront and language: all that can be seen of
  /// them, and their order.
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
      let place = [listing.storefront.id, listing.language.identifier]
      switch listing.answer {
      case .product(let product, let spoken):
        answers[place, default: Answers()].products.append(product)
        answers[place, default: Answers()].spoken.append(spoken)
      case .invalid(let invalid): answers[place, default: Answers()].invalid.append(invalid)
      }
    }
    var order: [[String]] = []
    for storefront in request.storefronts {
      for language in try request.languages(of: storefront) {
        let place = [storefront.id, language.identifier]
        let response = try catalog.products(
          for: ProductsRequest(
            nil,
            storefront: storefront,
            language: language,
            at: request.date,
            mode: request.mode,
            style: request.style,
            strings: request.strings
          )
        )
        let found = answers[place] ?? Answers()
        #expect(found.products.map(\.json) == response.products.map(\.json), sourceLocation: location)
        #expect(found.spoken == response.products.map(\.price.spoken), sourceLocation: location)
        #expect(found.invalid == response.invalidProductIdentifiers, sourceLocation: location)
        order.append(place)
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

  /// Whether every storefront is compared on every day; otherwise each is on one of them, and those whose currency
  /// changes on all of them.
  private static let isFull = ProcessInfo.processInfo.environment["PRICETAG_SHARE"] == "full"

  /// The storefronts that are compared on a day.
  private static func storefronts(on day: Int) -> [Storefront] {
    LocaleData.embedded.storefronts.enumerated().filter { index, storefront in
      isFull || index % days.count == day || storefront.currencyPeriods.count > 1
    }.map(\.element)
  }

  /// Days on which the shop's prices, tiers and the currencies of its storefronts change.
  static let days: [(date: String, mode: ProductsRequest.Mode, languages: [String]?)] = [
    ("2026-11-21", .production, languages),
    ("2026-11-21", .development, nil),
    ("2025-12-31", .development, ["hu"]),
    ("2026-12-31", .production, ["nn"]),
    ("2027-01-01", .development, ["ar"]),
  ]

  @Test(arguments: days.indices)
  func theSampleShopIsListedAsItIsAnswered(day: Int) throws {
    let (date, mode, languages) = Self.days[day]
    try Self.compare(
      Self.sampleShop(),
      ListingRequest(
        storefronts: Self.storefronts(on: day),
        languages: languages.map { .list(try $0.map { try UILanguage($0) }) } ?? .store,
        at: CalendarDate(date),
        mode: mode
      )
    )
  }

  @Test(arguments: ["2025-06-30", "2026-01-01", "2026-11-21", "2027-01-01"])
  func everyRefusalIsTheSame(date: String) throws {
    let storefronts = try ["USA", "BGR", "JPN", "CHE", "DEU"].map { try Storefront($0) }
    let styles = [PriceStyle(), PriceStyle(width: .iso, digits: .fixed(0))]
    for (style, mode) in zip(styles, ProductsRequest.Mode.allCases) {
      try Self.compare(
        ProductsRequestTests.shop(),
        ListingRequest(
          storefronts: storefronts,
          languages: .list([.development, UILanguage("de"), .accentedPseudo]),
          at: CalendarDate(date),
          mode: mode,
          style: style
        )
      )
    }
  }

  /// Products of every shape.
  @Test(arguments: 1...4)
  func anyProductIsListedAsItIsAnswered(seed: Int) throws {
    var random = RandomProducts(seed: UInt64(seed))
    let catalog = try Catalog()
    try catalog.write { database in
      let records = CatalogRecords(database, localeData: .embedded)
      for index in 0..<100 { _ = try records.write(random.product(index), over: nil) }
      try records.finish(isChanged: true)
    }
    try Self.compare(
      catalog,
      ListingRequest(
        storefronts: ["USA", "JPN", "BGR", "KWT", "HRV"].map { try Storefront($0) },
        languages: .list(["en-US", "zh-Hans", "fr-CA"].map { try UILanguage($0) }),
        at: CalendarDate(RandomProducts.date),
        mode: .development
      )
    )
  }

  static let intended: [(reason: InvalidProductIdentifier.Reason, isIntended: Bool)] = [
    (.malformed, false), (.unknown, false), (.notApproved, true), (.notClearedForSale, true),
    (.noPrice, false), (.noPeriod, false), (.notDisplayable, false),
  ]

  @Test(arguments: intended)
  func aShopsDecisionIsNoMistake(reason: InvalidProductIdentifier.Reason, isIntended: Bool) {
    #expect(reason.isIntended == isIntended)
    #expect(Set(Self.intended.map(\.reason)) == Set(InvalidProductIdentifier.Reason.allCases))
  }

  @Test func whatRepeatsIsAskedForOnce() throws {
    let usa = try Storefront("USA")
    let request = ListingRequest(
      storefronts: [usa, try Storefront("JPN"), usa],
      languages: .list([.development, try UILanguage("ja"), .development])
    )
    #expect(request.storefronts.map(\.id) == ["USA", "JPN"])
    #expect(try ListingMaker(request).listingsPerProduct == 4)
    #expect(try ListingMaker(ListingRequest(storefronts: [])).listingsPerProduct == 0)
  }

  @Test func aLanguageWithoutWordsIsAnErrorWhereWordsAreNeeded() throws {
    let request = ListingRequest(
      storefronts: [try Storefront("USA")],
      languages: .list([try UILanguage("bg")])
    )
    let failure = #expect(throws: CatalogError.self) {
      _ = try Self.listings(ProductsRequestTests.shop(), request)
    }
    #expect(failure?.code == .stringsFailed)
  }

  // MARK: Reading

  private static let everything = ListingRequest(storefronts: LocaleData.embedded.storefronts)

  static let numbers: [(name: String, sortOrders: [Int?])] = [
    ("no product", []),
    ("none has a number", [nil, nil, nil, nil, nil]),
    ("all have", [3, 1, 2, -4, 0]),
    ("some have", [nil, 2, nil, 1, nil]),
    ("several have the same", [5, 5, 5, nil, 5, 1, 5]),
    ("the least and the most", [Int.max, nil, Int.min, 0]),
  ]

  @Test(arguments: numbers)
  func productsComeInTheOrderOfTheStore(name: String, sortOrders: [Int?]) throws {
    let catalog = try Catalog()
    try catalog.write { database in
      let records = CatalogRecords(database, localeData: .embedded)
      for (index, number) in sortOrders.enumerated() {
        // Neither in the order of their rows, nor in that of their numbers.
        var product = try CatalogProduct("p\(9 - index)")
        product.sortOrder = number
        _ = try records.write(product, over: nil)
      }
      try records.finish(isChanged: true)
    }
    for pages in [1, 2, 3, 100] {
      let reading = try catalog.listings(for: Self.everything)
      #expect(reading.count == sortOrders.count)
      #expect(
        try Self.identifiers(reading, pages: pages) == catalog.productIdentifiers(),
        "\(name), \(pages)"
      )
      #expect(try reading.next(1).isEmpty, "the end is the end")
    }
  }

  private final class Plan: TextOutputStream {
    var text = ""
    func write(_ piece: String) { text += piece }
  }

  /// In time that grows with the catalogue, not with its square.
  @Test func everyPageIsFoundInTheIndex() throws {
    let catalog = try Catalog()
    let positions: [ListingReading.Position] = [
      .start, .sorted(0, ""), .startOfUnsorted, .unsorted(""),
    ]
    for position in positions {
      // A plan is the same for all arguments.
      let sql = try #require(ListingReading.sql(at: position)).replacing("?", with: "1")
      let plan = Plan()
      try catalog.read { try $0.dumpSQL("EXPLAIN QUERY PLAN \(sql: sql)", to: plan) }
      #expect(plan.text.contains("|SEARCH product USING INDEX product_in_order"), "\(plan.text)")
      #expect(!plan.text.contains("TEMP B-TREE"), "\(plan.text)")
    }
  }

  @Test(arguments: [false, true])
  func anImportMeanwhileChangesNothing(inMemory: Bool) throws {
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
    let maker = try ListingMaker(request)
    let reading = try catalog.listings(for: request)
    func next() throws -> [String] {
      var displays: [String] = []
      for facts in try reading.next(1) {
        try maker.forEach(facts) { listing in
          if case .product(let product, _) = listing.answer {
            displays.append("\(product.identifier) \(product.displayPrice)")
          }
        }
      }
      return displays
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
    #expect(reading.count == 3)
  }

  @Test func aClosedCatalogueIsRead() throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/shop.pricetag"
    let catalog = try Catalog(path: path, access: .readAndImport)
    try catalog.importFiles([lines(#"{"productIdentifier":"a","prices":{"USA":"1"}}"#)])
    try catalog.close()
    let reading = try Catalog(path: path).listings(for: Self.everything)
    #expect(try Self.identifiers(reading, pages: 1) == ["a"])
  }

  @Test func severalThreadsShareAReading() async throws {
    let catalog = try Self.sampleShop()
    let reading = try catalog.listings(for: Self.everything)
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 { group.addTask { try Self.identifiers(reading, pages: 2) } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(try found.sorted() == catalog.productIdentifiers().sorted())
  }

  // MARK: Damage

  static let damages: [(statement: String, problem: String)] = [
    ("UPDATE price SET amount = '1e9'", #""1e9""#),
    ("UPDATE price SET amount = x'00ff'", "the catalog is damaged"),
    ("UPDATE price SET currency = 'XXY'", #""XXY""#),
    ("UPDATE price SET first_day = 'soon' WHERE storefront = 'JPN'", #""soon""#),
    ("UPDATE price SET last_day = 7", #""7""#),
    ("UPDATE product SET list = 'none'", "a column holds what it cannot"),
    ("UPDATE product SET kind = 'x'", #""x" has no meaning"#),
    ("UPDATE product SET subscription_period = 'P'", #""P" has no meaning"#),
    ("UPDATE product SET group_level = 'high'", "a column holds what it cannot"),
    ("UPDATE offer SET payment_mode = 'gift'", #""gift" has no meaning"#),
    ("UPDATE offer SET period_count = 'x'", "a column holds what it cannot"),
    ("UPDATE OR REPLACE tier_period SET first_day = '2026-02-30'", #""2026-02-30""#),
    ("UPDATE product SET sort_order = 'x' WHERE identifier > 'n'", "a column holds what it cannot"),
    ("UPDATE product SET sort_order = 0.5 WHERE identifier > 'n'", "a column holds what it cannot"),
    ("UPDATE product SET identifier = CAST(identifier AS BLOB)", "a column holds what it cannot"),
    ("DROP TABLE offer", "no such table: offer"),
  ]

  /// Without checksums, as a catalog of an older PriceTag, what cannot be read is an error.
  @Test(arguments: damages)
  func aDamagedCatalogueIsAnError(statement: String, problem: String) throws {
    let folder = try ScratchFolder()
    let catalog = try OldCatalog.open(folder, ProductsRequestTests.shop(), statement)
    #expect(!catalog.hasChecksums)
    let failure = #expect(throws: CatalogError.self) {
      let storefronts = try ["USA", "JPN"].map { try Storefront($0) }
      _ = try Self.listings(catalog, ListingRequest(storefronts: storefronts))
    }
    #expect(failure?.code == .databaseFailed)
    #expect(failure?.description.contains(problem) == true, "\(failure?.description ?? "")")
  }
}
