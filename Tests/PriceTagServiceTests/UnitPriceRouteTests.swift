import HTTPTypes
import Hummingbird
import PriceTag
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests the unit prices of products and pages.
@Suite struct UnitPriceRouteTests {
  private static let shop = #"""
    {"format":"pricetag-catalog","version":1,"products":[
      {"productIdentifier":"fuel","content":"0.5 L","localizations":{"en-US":{"name":"Fuel"}},"prices":{"DEU":"0.99"}},
      {"productIdentifier":"eggs","content":"12 pieces","localizations":{"en-US":{"name":"Eggs"}},"prices":{"DEU":"3.00"}}
    ]}
    """#

  private static let requests: [(body: String, expected: String)] = [
    (
      #"{"storefront":"DEU","language":"de","productIdentifiers":["eggs"],"unitPrices":"half-up"}"#,
      "\"content\":\"12 piece\",\"reference\":\"piece\",\"text\":\"0,25\u{A0}€ pro Stück\""
    ),
    (
      #"{"storefront":"DEU","productIdentifiers":["fuel"],"unitPrices":"half-up"}"#,
      #""unitPrice":{"amount":"1.98","currency":"EUR""#
    ),
    (#"{"storefront":"DEU","productIdentifiers":["fuel"]}"#, #""content":"0.5 L","unitPrice":null"#),
    (
      #"{"storefront":"DEU","productIdentifiers":["fuel"],"unitPrices":null}"#,
      #""content":"0.5 L","unitPrice":null"#
    ),
  ]

  @Test(arguments: requests)
  func answersProducts(body: String, expected: String) async throws {
    let answer = try await ServiceFixture(Self.shop).service().post("/v1/products", body)
    #expect(answer.status == .ok)
    #expect(answer.text.contains(expected), "\(answer.text)")
  }

  /// Pages show unit prices only if the service has a rounding mode for them.
  @Test(arguments: [nil, RoundingMode.halfUp])
  func showsUnitPricesOnPages(rounding: RoundingMode?) async throws {
    let fixture = try ServiceFixture(Self.shop)
    var source = try fixture.source()
    source.unitPriceRounding = rounding
    let service = try fixture.service(source)
    for address in ["/store/deu/de/", "/store/deu/de/products/eggs/"] {
      let page = try await service.send(.get, address)
      #expect(page.status == .ok)
      #expect(page.text.contains("unit-price") == (rounding != nil), "\(address)")
      #expect(page.text.contains("pro Stück") == (rounding != nil), "\(address)")
      // The content itself is a fact, which is not rounded.
      #expect(page.text.contains(#""unitCode":"H87""#))
    }
  }
}
