import PriceTag
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests of the offer of the store of the shopper's region.
@Suite struct LikelyStoreTests {
  private static func page(_ identifier: String?, _ language: String, offer: LikelyStore?) throws -> String {
    var store = try PageShop().store("USA", language, languages: [language, "en-US"])
    store.likelyStore = offer
    let pages = StorePages(shop: try Shop(name: "Rocket Garage"))
    return try identifier.map { try pages.productPage($0, in: store) } ?? pages.storePage(store)
  }

  private static func offer(_ storefront: String, for language: String, hasProduct: Bool) throws
    -> LikelyStore
  {
    LikelyStore(
      try Storefront(storefront),
      languages: try Storefront(storefront).languages.map { try UILanguage($0) },
      pageLanguage: try UILanguage(language),
      hasProduct: hasProduct
    )
  }

  /// Without an offer the element is hidden, and a script fills it in.
  @Test func isHiddenWithoutOffer() throws {
    let store = try Self.page(nil, "de", offer: nil)
    let expected =
      #"<aside class="likely-store" data-choose="../../../choose/de/" data-territory="US" data-close="Schließen" hidden>"#
      + #"<a>Store für deine Region: <bdi>Vereinigte Staaten</bdi></a></aside>"#
    #expect(store.contains(expected))
    let product = try Self.page("car", "de", offer: nil)
    #expect(
      product.contains(
        #"data-page-product="car" data-stores-of-product="../../../../../choose/products/car/""#
      )
    )
  }

  typealias Row = (
    product: String?, hasProduct: Bool, language: String, href: String, hreflang: String, text: String
  )

  static let rows: [Row] = [
    (nil, false, "de", "../../deu/de/", "de", "Store für deine Region: <bdi>Deutschland</bdi>"),
    (
      "car", true, "de", "../../../../deu/de/products/car/", "de",
      "Store für deine Region: <bdi>Deutschland</bdi>"
    ),
    ("coins", false, "de", "../../../../deu/de/", "de", "Store für deine Region: <bdi>Deutschland</bdi>"),
    // The store has no pages in Arabic.
    (nil, false, "ar", "../../deu/de/", "de", "متجر منطقتك: <bdi>ألمانيا</bdi>"),
  ]

  @Test(arguments: rows) func linksOfferedStore(row: Row) throws {
    let offer = try Self.offer("DEU", for: row.language, hasProduct: row.hasProduct)
    let page = try Self.page(row.product, row.language, offer: offer)
    #expect(page.contains(#"data-offered="DEU""#))
    #expect(
      page.contains("<a href=\"\(row.href)\" hreflang=\"\(row.hreflang)\">\(row.text)</a></aside>"),
      "\(page)"
    )
  }

  /// Headers with their regions, in order of preference.
  static let headers: [(header: String, regions: [String])] = [
    ("de-AT, de-DE;q=0.9, en", ["AT", "DE"]), ("en;q=0.5,fr-ch;q=0.4, zh-Hant-TW", ["TW", "CH"]),
    ("de", []), ("", []), ("es-419", []), ("en-US;q=0, *", []), ("en-US-u-rg-gbzzzz, en-US", ["US"]),
    ("en-a-de", []), (String(repeating: "de-AT,", count: 10_000), ["AT"]),
  ]

  @Test(arguments: headers) func findsRegions(header: String, regions: [String]) {
    #expect(acceptedRegions(header) == regions)
  }
}
