import CatalogSamples
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagStrings
import Testing

/// Tests that each store's prices change at its own midnight.
@Suite struct StoreDayListingTests {
  /// A sale until November 30, in all storefronts.
  private static func shop() throws -> Catalog {
    let catalog = try Catalog()
    let price = #"[{"amount":"4.99","until":"2026-11-30"},{"amount":"5.99","from":"2026-12-01"}]"#
    try catalog.importFiles([
      lines(#"{"productIdentifier":"car","prices":{"NZL":\#(price),"USA":\#(price),"DEU":\#(price)}}"#)
    ])
    return catalog
  }

  static let rows: [(storefront: String, day: String, price: String, next: String?)] = [
    ("NZL", "2026-11-30T10:59Z", "$4.99", "2026-12-01"), ("NZL", "2026-11-30T11:00Z", "$5.99", nil),
    ("NZL", "2026-11-30T12:00Z", "$5.99", nil), ("NZL", "2026-12-01T01:00+13:00", "$5.99", nil),
    ("DEU", "2026-11-30T22:59Z", "4,99\u{A0}€", "2026-12-01"),
    ("DEU", "2026-11-30T23:00Z", "5,99\u{A0}€", nil),
    ("USA", "2026-12-01T07:59Z", "$4.99", "2026-12-01"), ("USA", "2026-12-01T08:00Z", "$5.99", nil),
    // A date is the date of every storefront.
    ("NZL", "2026-11-30", "$4.99", "2026-12-01"), ("USA", "2026-12-01", "$5.99", nil),
  ]

  @Test(arguments: rows)
  func changesAtMidnightOfStore(storefront: String, day: String, price: String, next: String?) throws {
    let response = try Self.shop().products(
      for: ProductsRequest(
        nil,
        storefront: Storefront(storefront),
        language: UILanguage("en"),
        at: StoreDay(day)
      )
    )
    let product = try #require(response.products.first)
    #expect(product.displayPrice == price)
    #expect(product.scheduledPrice?.firstDay.description == next)
  }

  /// One instant has different dates in one list.
  @Test func listsStorefrontsAtOneInstant() throws {
    let request = ListingRequest(
      storefronts: try ["NZL", "DEU", "USA"].map { try Storefront($0) },
      languages: .list([.development]),
      at: try StoreDay("2026-11-30T12:00Z")
    )
    var prices: [String] = []
    for listing in try Self.shop().listings(of: "car", for: request) {
      if case .product(let product, _) = listing.answer { prices.append(product.displayPrice) }
    }
    #expect(prices == ["$5.99", "4,99\u{A0}€", "$4.99"])
  }
}
