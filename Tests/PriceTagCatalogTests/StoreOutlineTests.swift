import CatalogSamples
import PriceTag
import PriceTagStrings
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
      at: CalendarDate(RandomProducts.date),
      unitPriceRounding: .halfEven
    )
  }

  private static func catalog(seed: Int, localeData: LocaleData = .embedded) throws -> Catalog {
    var random = RandomProducts(seed: UInt64(seed))
    let catalog = try Catalog(localeData: localeData)
    try catalog.write { database in
      let store = CatalogStore(database, localeData: localeData)
      for index in 0..<200 { _ = try store.write(random.product(index), replacing: nil) }
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

  @Test(arguments: 1...4, ["USA", "JPN", "BGR", "KWT", "HRV", "FRA"])
  func outlinesListTheProductsOfResponses(seed: Int, storefront: String) throws {
    let catalog = try Self.catalog(seed: seed)
    let request = try Self.request(storefront)
    let response = try catalog.products(for: request)
    #expect(storefront == "FRA" || response.products.count > 10)
    Self.check(try catalog.outline(for: request), response)
    Self.check(try catalog.outline(for: request, of: catalog.outlinedProducts()), response)
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
    #expect(response.products.count > 10)
    Self.check(try catalog.outline(for: request), response)
    Self.check(try catalog.outline(for: request, of: catalog.outlinedProducts()), response)
  }

  @Test(arguments: 1...4) func outlinesReportProductsThatCannotBeShown(seed: Int) throws {
    let catalog = try Self.catalog(seed: seed)
    let request = try Self.request("USA")
    let response = try catalog.products(for: request)
    var invalid: [InvalidProductIdentifier] = []
    var products: [String] = []
    let listing = ListingRequest(
      storefronts: [request.storefront],
      at: request.date,
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

  @Test func outlinesVerifyEveryProduct() throws {
    let catalog = try Self.catalog(seed: 1)
    let request = try Self.request("USA")
    let products = try catalog.outlinedProducts()
    try catalog.write { try $0.execute(sql: "UPDATE product SET group_level = 77 WHERE id = 50") }
    for outline in [
      { try catalog.outline(for: request) },
      { try catalog.outline(for: request, of: catalog.outlinedProducts()) },
    ] {
      let failure = #expect(throws: CatalogError.self) { try outline() }
      #expect(failure?.code == .databaseFailed, "\(String(describing: failure))")
    }
    // The prices are verified in either case.
    try catalog.write { try $0.execute(sql: "UPDATE price SET amount = '7' WHERE storefront = 'USA'") }
    #expect(throws: CatalogError.self) { try catalog.outline(for: request, of: products) }
    #expect(throws: Never.self) { try catalog.outline(for: Self.request("FRA"), of: products) }
  }
}
