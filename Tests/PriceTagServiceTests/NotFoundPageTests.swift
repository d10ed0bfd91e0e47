import HTTPTypes
import Hummingbird
import PriceTag
import PriceTagStrings
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests of the page for an address that does not exist, and of the page of a product in all stores.
@Suite struct NotFoundPageTests {
  typealias Row = (address: String, languages: String, language: String, links: [String])

  /// Addresses, with the language of the page and the links to the store of the address and to another one.
  static let rows: [Row] = [
    ("/nothing", "de-AT, en", "de", ["./store/jpn/de/", "./assets/store.css"]),
    ("/a/b/c", "ar", "ar", ["../../store/jpn/ar/"]), ("/a/b/c/", "", "en-US", ["../../../store/jpn/en-us/"]),
    ("/store/usa/xx/", "fr", "fr-FR", [#"class="choice" href="../../../store/usa/fr-fr/""#]),
    // The language of the address wins over that of the browser.
    ("/store/jpn/ja/products/nope/", "fr", "ja", [#"class="choice" href="../../../../../store/jpn/ja/""#]),
    ("/store/xxx/ja/", "fr", "ja", ["../../../store/usa/ja/"]),
  ]

  @Test(arguments: rows) func answersBrowser(row: Row) async throws {
    let fixture = try ServiceFixture()
    defer { withExtendedLifetime(fixture) {} }
    let service = try fixture.service()
    var headers: HTTPFields = [.accept: "text/html,*/*;q=0.8"]
    if !row.languages.isEmpty { headers[.acceptLanguage] = row.languages }
    for _ in 1...2 {
      let answer = try await service.send(.get, row.address, headers)
      #expect(answer.status == .notFound)
      #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
      #expect(answer.headers[.contentLanguage] == row.language)
      #expect(answer.headers[.vary] == "Accept-Encoding, Accept, Accept-Language")
      #expect(answer.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
      let page = try UILanguage(row.language)
      let title = try StoreStrings.embedded.format("page_not_found", in: page).plain
      #expect(answer.text.contains("<h1 data-message=\"page_not_found\">\(title)</h1>"))
      for link in row.links { #expect(answer.text.contains(link), "\(link)") }
      let head = try await service.send(.head, row.address, headers)
      #expect(head.status == .notFound && head.headers[.contentType] == answer.headers[.contentType])
    }
  }

  /// Requests that get problem details.
  static let others: [(address: String, accept: String)] = [
    ("/nothing", "*/*"), ("/images/nothing.png", "image/avif,*/*"), ("/v1/nothing", "text/html"),
    ("/1/2/3/4/5/6/7/8/9/10", "text/html"),
  ]

  @Test(arguments: others)
  func answersOthersWithProblem(address: String, accept: String) async throws {
    let answer = try await ServiceFixture().send(.get, address, [.accept: accept])
    #expect(answer.status == .notFound)
    #expect(answer.headers[.contentType] == "application/problem+json")
    #expect(answer.text.contains(#""code":"not-found""#))
  }

  @Test func showsProductInAllStores() async throws {
    let fixture = try ServiceFixture()
    defer { withExtendedLifetime(fixture) {} }
    let service = try fixture.service()
    let answer = try await service.send(.get, "/choose/products/coins/")
    #expect(answer.status == .ok && answer.headers[.eTag] != nil)
    let stores = answer.text.matches(of: #/data-storefront="(\w+)"/#).map { String($0.1) }
    // Japan does not sell it.
    #expect(stores == ["USA"])
    #expect(answer.text.contains(#"href="../../../store/usa/en-us/products/coins/""#))
    let redirect = try await service.send(.get, "/choose/products/coins")
    #expect(redirect.status == .permanentRedirect)
    #expect(redirect.headers[.location] == "../../choose/products/coins/")
    let missing = try await service.send(.get, "/choose/products/nope/")
    #expect(missing.status == .notFound && missing.text.contains(#""code":"unknown-product""#))
  }
}
