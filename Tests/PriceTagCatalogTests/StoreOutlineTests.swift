import CatalogSamples
import GRDB
import PriceTag
import PriceTagStrings
import SeededNumbers
import Testing

@testable import PriceTagCatalog

/// Tests the outlines of stores: which products each lists, in which sections and groups.
@Suite struct StoreOutlineTests {
  private static func request(_ storefront: String, in localeData: LocaleData = .embedded) throws
    -> ProductsRequest
  {
    try ProductsRequest(
      nil,
      storefront: Storefront(storefront, in: localeData),
      language: .development,
      at: .date(CalendarDate(RandomProducts.date)),
      unitPriceRounding: .halfEven
    )
  }

  private static let tiers = ["1", "2", "3", "4", "5", "6"]

  private static func catalog(seed: Int, localeData: LocaleData = .embedded) throws -> Catalog {
    var random = RandomProducts(seed: UInt64(seed))
    let catalog = try Catalog(localeData: localeData)
    try catalog.write { database in
      let store = CatalogStore(database, localeData: localeData)
      for tier in Self.tiers { try store.write(PriceTier(tier, prices: random.prices()), replacing: nil) }
      for index in 0..<300 {
        var product = try random.product(index)
        // The tier "x" does not exist.
        if index % 3 == 0 {
          product.prices = PriceTable()
          product.tiers = try random.tiers { $0.pick(Self.tiers + ["x"]) }
        }
        _ = try store.write(product, replacing: nil)
      }
      try store.finish(isChanged: true)
    }
    return catalog
  }

  /// The products of a list by their keys, in the order of the first product of each.
  private static func sections(
    _ products: [Product],
    by key: (Product) -> String??
  ) -> [(key: String?, rows: [Int64])] {
    var sections: [(key: String?, rows: [Int64])] = []
    for product in products {
      guard let key = key(product) else { continue }
      let index = sections.firstIndex { section in
        section.key.map { Array($0.utf8) } == key.map { Array($0.utf8) }
      }
      if let index { sections[index].rows.append(product.row) } else { sections.append((key, [product.row])) }
    }
    return sections
  }

  private static func check(_ outline: StoreOutline, _ response: ProductsResponse) {
    #expect(outline.products == response.products.map(\.row))
    let sections = Self.sections(response.products) { .some($0.category?.identifier) }
    #expect(outline.sections.map(\.category) == sections.map(\.key))
    #expect(outline.sections.map(\.products) == sections.map(\.rows))
    let groups = Self.sections(response.products) { product in
      guard product.kind == .autoRenewable, let subscription = product.subscription else { return nil }
      return subscription.group.map { .some($0.identifier) }
    }
    #expect(outline.subscriptionGroups.map(\.category) == groups.map(\.key))
    #expect(outline.subscriptionGroups.map(\.products) == groups.map(\.rows))
  }

  @Test(arguments: 1...(ComparisonShare.isFull ? 4 : 2), ["USA", "JPN", "BGR", "KWT", "HRV", "FRA"])
  func outlinesListTheProductsOfResponses(seed: Int, storefront: String) throws {
    let catalog = try Self.catalog(seed: seed)
    let request = try Self.request(storefront)
    let response = try catalog.products(for: request)
    #expect((response.products.count > 5) == (storefront != "FRA"))
    // The random prices of tiers have none in France, and few in the currency of Croatia.
    #expect(["FRA", "HRV"].contains(storefront) || response.products.contains { $0.tier != nil })
    Self.check(try catalog.outline(for: request), response)
    let products = try #require(try catalog.outlinedProducts())
    Self.check(try catalog.outline(for: request, of: products), response)
  }

  /// A pack lacks the styles of unit prices, the price locales of some products, and the prices before a change of currency.
  @Test(arguments: ["USA", "JPN", "BGR"]) func outlinesOfPinnedPricesListTheProductsOfResponses(
    storefront: String
  ) throws {
    var writer = PackWriter(styles: [PriceStyle()], on: try CalendarDate(RandomProducts.date))
    writer.add(try Storefront(storefront))
    let pinned = LocaleData.embedded.pinned(to: try Pack(writer.bytes(revision: "test")))
    let catalog = try Self.catalog(seed: 5, localeData: pinned)
    let request = try Self.request(storefront, in: pinned)
    let response = try catalog.products(for: request)
    #expect(response.products.count >= 5)
    Self.check(try catalog.outline(for: request), response)
    #expect(try catalog.outlinedProducts() == nil)
  }

  @Test(arguments: 1...4) func outlinesReportProductsThatCannotBeShown(seed: Int) throws {
    let catalog = try Self.catalog(seed: seed)
    let request = try Self.request("USA")
    let response = try catalog.products(for: request)
    var invalid: [InvalidProductIdentifier] = []
    var products: [String] = []
    let listing = ListingRequest(
      storefronts: [request.storefront],
      at: request.day,
      unitPriceRounding: .halfEven
    )
    _ = try catalog.storeReader(for: listing).outline { position, identifier, _ in
      #expect(position == products.count)
      products.append(identifier)
    } onInvalid: {
      invalid.append($0)
    }
    #expect(invalid == response.invalidProductIdentifiers)
    #expect(!invalid.isEmpty)
    #expect(products == (try catalog.productIdentifiers()))
  }

  /// The products that were read before an import are not used after it.
  @Test func outlinesFollowChanges() throws {
    let catalog = try Self.catalog(seed: 1)
    let request = try Self.request("USA")
    let products = try #require(try catalog.outlinedProducts())
    let first = try #require(catalog.outline(for: request, of: products).products.first)
    try catalog.write { database in
      let store = CatalogStore(database, localeData: .embedded)
      let identifier = try #require(
        try String.fetchOne(database, sql: "SELECT identifier FROM product WHERE id = ?", arguments: [first])
      )
      let stored = try #require(try store.product(identifier))
      var product = stored.product
      product.clearedForSale = .nowhere
      _ = try store.write(product, replacing: stored)
      try store.finish(isChanged: true)
    }
    let outline = try catalog.outline(for: request, of: products)
    #expect(!outline.products.contains(first))
    Self.check(outline, try catalog.products(for: request))
  }

  @Test(arguments: [(999, true), (1000, true), (1001, false)])
  func productsWithManyClearancesAreNotStored(count: Int, isStored: Bool) throws {
    let catalog = try Catalog()
    try catalog.write { database in
      let store = CatalogStore(database, localeData: .embedded)
      for index in 0..<2 * count {
        var product = try CatalogProduct("p\(index)")
        product.clearedForSale = .only(["S\(index % count)"])
        _ = try store.write(product, replacing: nil)
      }
      try store.finish(isChanged: true)
    }
    #expect((try catalog.outlinedProducts() != nil) == isStored)
  }

  /// The products p1, p2 and p3 have the price lists 2, 3 and 4. The tier has list 1, and p4 has the tier.
  static let damages: [(statement: String, damaged: String?, storefronts: [String])] = [
    ("UPDATE product SET group_level = 77 WHERE identifier = 'p2'", "p2", ["USA", "JPN"]),
    ("UPDATE product SET list = 2 WHERE identifier = 'p2'", "p2", ["USA", "JPN"]),
    ("DELETE FROM product WHERE identifier = 'p2'", nil, ["USA", "JPN"]),
    ("DELETE FROM product WHERE identifier = 'p4'", nil, ["USA", "JPN"]),
    // The prices of other storefronts are not read.
    ("DELETE FROM price WHERE storefront = 'USA' AND list = 2", "p1", ["USA"]),
    ("DELETE FROM price WHERE storefront = 'USA' AND list = 3", "p2", ["USA"]),
    ("DELETE FROM price WHERE storefront = 'USA' AND list = 4", "p3", ["USA"]),
    ("UPDATE price SET amount = '7' WHERE storefront = 'USA' AND list = 3", "p2", ["USA"]),
    ("UPDATE price SET amount = '7' WHERE storefront = 'USA' AND list = 1", "p4", ["USA"]),
    ("DELETE FROM tier_period", "p4", ["USA", "JPN"]),
  ]

  /// Every outline reads all products, and the prices of its storefront.
  @Test(arguments: damages, ["USA", "JPN"])
  func damageFailsTheOutline(
    damage: (statement: String, damaged: String?, storefronts: [String]),
    storefront: String
  ) throws {
    let catalog = try Catalog()
    try catalog.write { database in
      let store = CatalogStore(database, localeData: .embedded)
      func prices() throws -> PriceTable {
        var prices = PriceTable()
        for (storefront, currency) in [("USA", "USD"), ("JPN", "JPY")] {
          let currency = try Currency(currency)
          try prices.add(CatalogPrice(storefront: storefront, amount: 5, currency: currency, days: .always))
        }
        return prices
      }
      try store.write(PriceTier("1", prices: prices()), replacing: nil)
      for identifier in ["p1", "p2", "p3", "p4"] {
        var product = try CatalogProduct(identifier)
        if identifier == "p4" { product.tiers = [TierPeriod("1")] } else { product.prices = try prices() }
        _ = try store.write(product, replacing: nil)
      }
      try store.finish(isChanged: true)
    }
    let request = try Self.request(storefront)
    let products = try #require(try catalog.outlinedProducts())
    #expect(try catalog.outline(for: request, of: products).products.count == 4)
    try catalog.write { try $0.execute(sql: damage.statement) }
    // The products that were read before have their old data, so only changes of prices and lost products concern them.
    let isProductChanged = damage.statement.hasPrefix("UPDATE product SET group_level")
    for (products, isRead) in [(nil, true), (products, !isProductChanged)] {
      if damage.storefronts.contains(storefront), isRead {
        let failure = #expect(throws: CatalogError.self) { try catalog.outline(for: request, of: products) }
        #expect(failure?.code == .databaseFailed)
        #expect(
          failure?.place == damage.damaged.map { "product \"\($0)\"" } ?? "",
          "\(String(describing: failure))"
        )
      } else {
        #expect(try catalog.outline(for: request, of: products).products.count == 4)
      }
    }
  }
}
