import HTTPTypes
import Hummingbird
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests of the offer of the store of the client's region.
@Suite struct LikelyStoreRouteTests {
  typealias Row = (address: String, languages: String, link: String?)

  static let rows: [Row] = [
    ("/store/usa/en-us/", "ja-JP", #"<a href="../../jpn/en-us/" hreflang="en-US">"#),
    (
      "/store/usa/en-us/products/car/", "ja-JP",
      #"<a href="../../../../jpn/en-us/products/car/" hreflang="en-US">"#
    ),
    // Japan does not sell this product.
    ("/store/usa/en-us/products/coins/", "ja-JP", #"<a href="../../../../jpn/en-us/" hreflang="en-US">"#),
    ("/store/usa/en-us/", "ja-JP, en-US;q=0.1", nil), ("/store/usa/en-us/", "ja", nil),
    ("/store/usa/en-us/", "", nil),
    ("/store/jpn/ja/", "xx-ZZ, en-US", #"<a href="../../usa/ja/" hreflang="ja">"#),
  ]

  @Test(arguments: rows) func offersStoreOfRegion(row: Row) async throws {
    let fixture = try ServiceFixture()
    defer { withExtendedLifetime(fixture) {} }
    let service = try fixture.service()
    // Another client's page is in the cache.
    _ = try await service.send(.get, row.address, [.acceptLanguage: "fr-FR"])
    for _ in 1...2 {
      let answer = try await service.send(.get, row.address, [.acceptLanguage: row.languages])
      #expect(answer.status == .ok)
      #expect(answer.headers[.vary] == "Accept-Encoding, Accept-Language")
      #expect(answer.text.contains(#"data-offered="#) == (row.link != nil))
      if let link = row.link { #expect(answer.text.contains(link)) }
    }
  }
}
