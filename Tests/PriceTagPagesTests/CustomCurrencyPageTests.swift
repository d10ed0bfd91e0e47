import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Pages of products with prices in currencies of the merchant's own.
@Suite struct CustomCurrencyPageTests {
  private static let currencies = #"""
    {"schema":1,"currencies":[
     {"code":"GEMS","digits":0,"symbol":"💎","like":"USD","storefronts":["USA"],"reason":"coins",
      "names":{"en":{"one":"gem","other":"gems"},"de":{"one":"Edelstein","other":"Edelsteine"}}}]}
    """#

  private static let products = #"""
    {"format":"pricetag-catalog","version":1,
     "subscriptionGroups":[{"identifier":"club"}],
     "products":[
      {"productIdentifier":"car","prices":{"USA":"9.99"}},
      {"productIdentifier":"hat","content":"250 g",
       "prices":{"USA":[{"amount":"25","currency":"GEMS","until":"2026-12-31"},{"amount":"30","currency":"GEMS","from":"2027-01-01"}]}},
      {"productIdentifier":"pass","kind":"auto-renewable-subscription","subscriptionGroup":"club","subscriptionPeriod":"P1M",
       "prices":{"USA":{"amount":"100","currency":"GEMS"}}}]}
    """#

  /// A group of subscriptions of which some are paid in coins.
  private static let plans: String = {
    let plans = [
      ("dollars-month", "P1M", #""9.99""#), ("dollars-year", "P1Y", #""99.99""#),
      ("gems-quarter", "P3M", #"{"amount":"300","currency":"GEMS"}"#),
      ("gems-year", "P1Y", #"{"amount":"900","currency":"GEMS"}"#),
    ].map { identifier, period, price in
      #"{"productIdentifier":"\#(identifier)","kind":"auto-renewable-subscription","subscriptionGroup":"club","subscriptionPeriod":"\#(period)","prices":{"USA":\#(price)}}"#
    }
    return
      #"{"format":"pricetag-catalog","version":1,"subscriptionGroups":[{"identifier":"club"}],"products":[\#(plans.joined(separator: ","))]}"#
  }()

  private static func store(
    _ language: String,
    products identifiers: [String]? = nil,
    catalog json: String = products,
    currencies: String = currencies
  ) throws -> Store {
    let folder = try TemporaryFolder()
    try folder.write(currencies, to: "custom-currencies.json")
    let localeData = try LocaleData(folder: folder.path)
    let catalog = try Catalog(localeData: localeData)
    try catalog.importFiles(
      [CatalogFile(name: "shop.json", bytes: Array(json.utf8))],
      options: ImportOptions(localeData: localeData)
    ) { (error) throws(CatalogError) in throw error }
    return Store(
      try catalog.products(
        for: ProductsRequest(
          identifiers,
          storefront: Storefront("USA", in: localeData),
          language: UILanguage(language),
          at: .date(CalendarDate("2026-11-21"))
        )
      ),
      languages: []
    )
  }

  private static func pages() throws -> StorePages {
    StorePages(shop: try Shop(name: "Rocket Garage", url: "https://shop.example/"))
  }

  /// The same pages write stores of several registries, in which a code has other names.
  @Test func namesAreThoseOfTheRegistry() throws {
    let pages = try Self.pages()
    for name in ["gems", "diamonds", "gems"] {
      let currencies = Self.currencies.replacing(#""other":"gems""#, with: #""other":"\#(name)""#)
      let page = try pages.productPage("hat", in: Self.store("en-US", currencies: currencies))
      #expect(page.contains("in <bdi>\(name)</bdi>."), "\(name)")
    }
  }

  private static func offer(_ page: String) throws -> [String: Any] {
    try #require(try PageSearch.jsonLD(page)["offers"] as? [String: Any])
  }

  @Test func showsPrices() throws {
    let store = try Self.store("en-US")
    let page = try Self.pages().storePage(store)
    let gems = #"<span aria-hidden="true" data-amount="25" data-currency="GEMS">💎25</span>"#
    #expect(page.contains(gems + #"<span class="spoken">25 gems</span>"#))
    #expect(page.contains(#"<span aria-hidden="true" data-amount="9.99">$9.99</span>"#))
  }

  /// schema.org and Open Graph have no place for the price in a currency that only the merchant knows.
  @Test(arguments: ["hat", "pass"])
  func omitsPriceFromStructuredData(product: String) throws {
    let page = try Self.pages().productPage(product, in: Self.store("en-US"))
    let offer = try Self.offer(page)
    #expect(offer["@type"] as? String == "Offer")
    #expect(offer["availability"] as? String == "https://schema.org/InStock")
    for field in ["price", "priceCurrency", "priceSpecification", "priceValidUntil"] {
      #expect(offer[field] == nil, "\(field)")
    }
    #expect(!page.contains("product:price:"))
  }

  @Test func keepsPriceOfMoneyInStructuredData() throws {
    let page = try Self.pages().productPage("car", in: Self.store("en-US"))
    let offer = try Self.offer(page)
    #expect(offer["price"] as? String == "9.99" && offer["priceCurrency"] as? String == "USD")
    #expect(page.contains(#"<meta property="product:price:currency" content="USD">"#))
  }

  /// The note below the prices names every currency of the page.
  @Test(arguments: [
    ("en-US", nil, "in US dollars / gems."), ("en-US", ["hat"], "in gems."),
    ("en-US", ["car"], "in US dollars."),
    ("de", ["hat"], "Edelstein"),
  ])
  func namesCurrenciesInNote(language: String, products: [String]?, note: String) throws {
    let page = try Self.pages().storePage(Self.store(language, products: products))
    #expect(page.contains(note))
    if products == ["hat"] { #expect(!page.contains("US dollars") && !page.contains("US-Dollar")) }
  }

  // MARK: Comparisons

  /// The note of a product page also names the currencies of the comparison.
  @Test(arguments: [
    ("dollars-year", "in <bdi>US dollars / gems</bdi>."), ("gems-year", "in <bdi>gems / US dollars</bdi>."),
  ])
  func namesCurrenciesOfComparison(product: String, note: String) throws {
    let page = try Self.pages().productPage(product, in: Self.store("en-US", catalog: Self.plans))
    #expect(page.contains(note))
  }

  /// A saving is relative to a plan in the same currency. Savings in several currencies have no best one.
  @Test func comparesPlansOfOneCurrency() throws {
    let products = try Self.store("en-US", catalog: Self.plans).products
    func lines(_ products: [Product]) -> [String] {
      SubscriptionComparison(products).plans.map { plan in
        "\(plan.product.identifier) \(plan.saving.map(String.init) ?? "-")\(plan.isBest ? " *" : "")"
      }.sorted()
    }
    #expect(
      lines(products) == ["dollars-month -", "dollars-year 16", "gems-quarter -", "gems-year 25"]
    )
    #expect(
      lines(products.filter { $0.price.currency.code == "GEMS" }) == ["gems-quarter -", "gems-year 25 *"]
    )
  }
}
