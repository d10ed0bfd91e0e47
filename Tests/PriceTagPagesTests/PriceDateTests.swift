import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests the date of the prices on pages.
@Suite struct PriceDateTests {
  /// The date is in the words, the calendar and the digits of the page's language.
  static let dates: [(storefront: String, language: String, text: String)] = [
    ("USA", "en-US", "Prices as of November 21, 2026"), ("USA", "de", "Preisstand: 21. November 2026"),
    ("JPN", "ja", "2026年11月21日時点の価格"), ("DEU", "ru", "Цены на 21 ноября 2026\u{202F}г."),
    ("SAU", "bn", "২১ নভেম্বর, ২০২৬ তারিখের দাম"), ("DEU", "cs", "Ceny ke dni 21. listopadu 2026"),
    ("USA", "th", "ราคา ณ วันที่ 21 พฤศจิกายน 2569"), ("DEU", "it", "Prezzi in data 21 novembre 2026"),
  ]

  @Test(arguments: dates)
  func pagesWithPricesStateTheDateOnce(storefront: String, language: String, text: String) throws {
    let pages = StorePages(shop: try Shop(productsPerPage: 4, showsPriceDate: true))
    let store = try PageShop().store(storefront, language)
    for page in [try pages.storePage(store), try pages.productPage("car", in: store)] {
      #expect(PageSearch.withoutTags(page).components(separatedBy: text).count == 2, "\(language)")
    }
    guard store.products.count > 4 else { return }
    #expect(try PageSearch.withoutTags(pages.listPage(nil, in: store)).contains(text))
  }

  /// Without the option, the bytes of a page do not depend on the date as long as no price does.
  @Test(arguments: [false, true]) func onlyTheOptionMakesPagesChangeEveryDay(isShown: Bool) throws {
    let pages = StorePages(shop: try Shop(showsPriceDate: isShown))
    let json = #"""
      {"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"a","prices":{"USA":"0.99"}}]}
      """#
    let catalog = try PageShop(json).catalog
    let written = try ["2026-11-21", "2026-11-22"].map { date in
      let request = try ProductsRequest(
        nil,
        storefront: Storefront("USA"),
        language: .development,
        at: .date(CalendarDate(date))
      )
      let store = Store(try catalog.products(for: request), languages: [])
      return [try pages.storePage(store), try pages.productPage("a", in: store)]
    }
    #expect((written[0] == written[1]) == !isShown)
  }

  static let instants: [(storefront: String, instant: String, isReduced: Bool)] = [
    ("JPN", "2026-11-30T14:59Z", true), ("JPN", "2026-11-30T15:00Z", false),
    ("USA", "2026-12-01T07:59Z", true), ("USA", "2026-12-01T08:00Z", false),
  ]

  /// "Until November 30" ends at the midnight of the store, as does the date of the prices.
  @Test(arguments: instants)
  func reductionEndsAtMidnightOfStore(storefront: String, instant: String, isReduced: Bool) throws {
    let price =
      #"[{"amount":"900","until":"2026-11-19"},{"amount":"500","from":"2026-11-20","until":"2026-11-30"},{"amount":"900","from":"2026-12-01"}]"#
    let catalog = try PageShop(
      #"{"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"a","prices":{"\#(storefront)":\#(price)}}]}"#
    ).catalog
    let request = try ProductsRequest(
      nil,
      storefront: Storefront(storefront),
      language: UILanguage("en-US"),
      at: StoreDay(instant)
    )
    let store = Store(try catalog.products(for: request), languages: [])
    let page = PageSearch.withoutTags(
      try StorePages(shop: Shop(showsPriceDate: true)).productPage("a", in: store)
    )
    #expect(page.contains("Until November 30, 2026") == isReduced)
    #expect(page.contains(isReduced ? "Prices as of November 30, 2026" : "Prices as of December 1, 2026"))
  }

  /// A page without prices has no date of prices.
  @Test func pagesWithoutPricesHaveNoDate() throws {
    let pages = StorePages(shop: try Shop(showsPriceDate: true))
    let shop = try PageShop()
    let closed = try pages.storePage(shop.store("USA", "en-US", canMakePayments: false))
    let empty = try pages.storePage(shop.store("AFG", "en-US"))
    #expect(!closed.contains("Prices as of") && !empty.contains("Prices as of"))
  }
}
