import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests of stores that have more products than a page shows.
@Suite struct LargeShopTests {
  /// Returns a catalog with categories, subscriptions with trials, reduced prices, and products without a category.
  static func json(_ count: Int, categories: Int = 12) -> String {
    var products: [String] = []
    for number in 0..<count {
      var fields = [
        #""productIdentifier":"item\#(number)","sortOrder":\#(number)"#,
        #""localizations":{"en-US":{"name":"Item \#(number)","description":"The description of item \#(number)."}}"#,
        number.isMultiple(of: 10)
          ? #""prices":{"USA":[{"amount":"9.99","until":"2026-11-09"},{"amount":"\#(number % 9).49","from":"2026-11-10"}]}"#
          : #""prices":{"USA":"\#(number % 90).99"}"#,
      ]
      if categories > 0, number % 50 != 49 { fields.append(#""category":"c\#(number % categories)""#) }
      if number.isMultiple(of: 25) {
        fields.append(
          #""kind":"auto-renewable-subscription","subscriptionPeriod":"P1M","subscriptionGroup":"g\#(number / 100)","#
            + #""offers":[{"kind":"introductory","paymentMode":"free-trial","period":"P7D"}]"#
        )
      } else {
        fields.append(#""kind":"non-consumable""#)
      }
      products.append("{\(fields.joined(separator: ","))}")
    }
    let names = (0..<categories).map { #"{"identifier":"c\#($0)","names":{"en-US":"Category \#($0)"}}"# }
    return #"""
      {"format":"pricetag-catalog","version":1,"categories":[\#(names.joined(separator: ","))],
       "products":[\#(products.joined(separator: ","))]}
      """#
  }

  private static func pages(_ productsPerPage: Int = Shop.defaultProductsPerPage) throws -> StorePages {
    StorePages(
      shop: try Shop(name: "Shop", url: "https://shop.example/", productsPerPage: productsPerPage)
    )
  }

  /// The identifiers of the products that a page links.
  private static func linkedProducts(_ page: String) -> Set<String> {
    let links = PageSearch.values(of: "href", in: page).filter { $0.contains("products/") }
    let products = links.compactMap { link -> String? in
      // The end of the path: `products/item1/`.
      let parts = link.split(separator: "/", omittingEmptySubsequences: false).suffix(3).map(String.init)
      guard parts.count == 3, parts[0].hasSuffix("products"), !parts[1].isEmpty, parts[2].isEmpty else {
        return nil
      }
      return parts[1]
    }
    return Set(products)
  }

  /// No page of 5,000 products in all languages exceeds the limits, and the lists have every product.
  @Test func limitsPages() throws {
    let shop = try PageShop(Self.json(5000))
    let store = try shop.store("USA", "en-US", languages: StoreStrings.embedded.languages.map(\.identifier))
    #expect(store.products.count == 5000)
    let pages = try Self.pages()
    var reached: Set<String> = []
    var checked: [(name: String, page: String)] = [("store", try pages.storePage(store))]
    for number in 1...105 {
      let page = try pages.listPage(nil, page: number, in: store)
      reached.formUnion(Self.linkedProducts(page))
      checked.append(("all \(number)", page))
    }
    checked.append(("category", try pages.listPage("c1", page: 2, in: store)))
    #expect(reached == Set(store.products.map(\.identifier)))
    for (name, page) in checked {
      #expect(page.utf8.count <= 300_000, "\(name)")
      #expect(PageSearch.elementCount(of: page) <= 1500, "\(name)")
    }
    #expect(throws: PagesError.self) { try pages.listPage(nil, page: 106, in: store) }
    #expect(throws: PagesError.self) { try pages.listPage(nil, page: 0, in: store) }
    #expect(throws: PagesError.self) { try pages.listPage("nothing", in: store) }
  }

  /// The page of a store with exactly as many products as a page shows is as before.
  @Test func keepsPagesOfSmallStores() throws {
    let pages = try Self.pages(20)
    let small = try PageShop(Self.json(20, categories: 2)).store("USA", "en-US")
    let page = try pages.storePage(small)
    #expect(Self.linkedProducts(page).count == 20)
    for text in ["See all", "/all/", "class=\"search\"", "search.js"] {
      #expect(!page.contains(text), "\(text)")
    }
    let large = try PageShop(Self.json(21, categories: 2)).store("USA", "en-US")
    let overview = try pages.storePage(large)
    for text in ["See all", "href=\"all/\"", "href=\"categories/c0/\"", "class=\"search\"", "21 products"] {
      #expect(overview.contains(text), "\(text)")
    }
  }

  /// The subscriptions among twelve products of a category, and the cards and the plans of the store page.
  static let overviews: [(plans: ClosedRange<Int>, cards: [Int], compared: [Int])] = [
    // The first eight products that the comparison does not show.
    (0...1, [2, 3, 4, 5, 6, 7, 8, 9], [0, 1]), (6...7, [0, 1, 2, 3, 4, 5, 8, 9], [6, 7]),
    (0...5, [6, 7, 8, 9, 10, 11], [0, 1, 2, 3, 4, 5]),
    // One plan, or more than a store page compares.
    (1...1, [0, 1, 2, 3, 4, 5, 6, 7], []), (0...6, [0, 1, 2, 3, 4, 5, 6, 7], []),
  ]

  @Test(arguments: overviews) func overviewShowsEachProductOnce(
    plans: ClosedRange<Int>,
    cards: [Int],
    compared: [Int]
  ) throws {
    let products = (0..<12).map { number in
      let plan = #","kind":"auto-renewable-subscription","subscriptionPeriod":"P1M","subscriptionGroup":"g""#
      return
        #"{"productIdentifier":"item\#(number)","sortOrder":\#(number),"category":"all","prices":{"USA":"1.99"}\#(plans.contains(number) ? plan : "")}"#
    }
    let shop = try PageShop(products: products)
    let store = try shop.store("USA", "en-US")
    let pages = try Self.pages(8)
    let page = try pages.storePage(store)
    func identifiers(_ pattern: Regex<(Substring, Substring)>) -> [String] {
      page.matches(of: pattern).map { String($0.1) }
    }
    #expect(identifiers(#/<li class="card" data-product="item([^"]*)"/#) == cards.map(String.init))
    #expect(identifiers(#/<tr data-product="item([^"]*)"/#) == compared.map(String.init))
    // The list has all of them.
    let list = try (1...2).map { try pages.listPage(nil, page: $0, in: store) }.joined()
    #expect(Self.linkedProducts(list).count == 12)
    // A service and a site read only the products of the page.
    let outline = try shop.catalog.outline(
      for: ProductsRequest(nil, storefront: store.storefront, language: store.language, at: .date(store.date))
    )
    let rows = outline.previews(pages.layout)
    #expect(
      rows == [cards.compactMap { number in store.products.first { $0.identifier == "item\(number)" }?.row }]
    )
  }

  typealias Page = (
    category: String?, number: Int, title: String, canonical: String, previous: String?, next: String?
  )

  static let listed: [Page] = [
    (nil, 1, "All products – Shop – United States", "all/", nil, "2/"),
    (nil, 2, "All products – Page 2 of 4 – Shop – United States", "all/2/", "../", "../3/"),
    (nil, 4, "All products – Page 4 of 4 – Shop – United States", "all/4/", "../3/", nil),
    ("c1", 1, "Category 1 – Shop – United States", "categories/c1/", nil, "2/"),
    ("c1", 2, "Category 1 – Page 2 of 2 – Shop – United States", "categories/c1/2/", "../", nil),
  ]

  @Test(arguments: listed) func namesAndConnectsPages(_ page: Page) throws {
    let store = try PageShop(Self.json(30, categories: 3)).store("USA", "en-US", languages: ["en-US", "ar"])
    let html = try Self.pages(8).listPage(page.category, page: page.number, in: store)
    let url = "https://shop.example/store/usa/en-us/"
    #expect(html.contains("<title>\(page.title)</title>"))
    #expect(html.contains(#"<link rel="canonical" href="\#(url)\#(page.canonical)">"#))
    let arabic = #"hreflang="ar-US" href="https://shop.example/store/usa/ar/\#(page.canonical)""#
    #expect(html.contains(arabic))
    for (name, address) in [("prev", page.previous), ("next", page.next)] {
      #expect(html.contains(#"<link rel="\#(name)""#) == (address != nil), "\(name)")
      if let address { #expect(html.contains(#"<link rel="\#(name)" href="\#(address)">"#), "\(name)") }
    }
    // The first page is a step to the others.
    #expect(html.contains(#""item":"\#(url)all/""#) == (page.category == nil && page.number > 1))
    #expect(html.contains(#""@type":"BreadcrumbList""#) && html.contains(#""@type":"ItemList""#))
  }

  @Test func writesNumbersAndWordsOfLanguage() throws {
    let store = try PageShop(Self.json(30, categories: 3)).store("USA", "bn", languages: ["en-US", "bn"])
    let html = try Self.pages(8).listPage(nil, page: 2, in: store)
    #expect(html.contains("৪-এর মধ্যে ২ নম্বর পৃষ্ঠা") && html.contains(">৩</a>") && html.contains("পরবর্তী"))
    // Prices are those of the store.
    #expect(html.contains("$9.99"))
  }

  @Test(
    arguments: [
      (1, 1, [1]), (1, 3, [1, 2, 3]), (1, 9, [1, 2, 3, 9]), (5, 9, [1, 3, 4, 5, 6, 7, 9]),
      (9, 9, [1, 7, 8, 9]),
    ] as [(Int, Int, [Int])]
  ) func linksToNeighborsAndEnds(_ number: Int, _ count: Int, _ expected: [Int]) {
    #expect(OutlinedStore.linkedPages(number, of: count) == expected)
  }

  @Test func shortensLongDescriptions() {
    #expect(ProductValues.shortened("Short.") == "Short.")
    let long = ProductValues.shortened(String(repeating: "word ", count: 100))
    #expect(long.count <= 241 && long.hasSuffix("word…"))
    #expect(ProductValues.shortened(String(repeating: "語", count: 500)).count == 241)
  }

  @Test(
    arguments: [
      ("cars", "cars"), ("a b/c", "a~20b~2fc"), ("..", "~2e."), ("", "~"), ("Ä", "~c3~84"),
      ("a.b-c_1", "a.b-c_1"),
    ]
  ) func namesFoldersOfCategories(_ identifier: String, _ folder: String) {
    #expect(PagePath.folder(ofCategory: identifier) == folder)
  }

  @Test func limitsFolderNames() {
    let names = ["a", "b"].map { PagePath.folder(ofCategory: String(repeating: "語", count: 200) + $0) }
    #expect(names[0] != names[1] && names.allSatisfy { $0.utf8.count < 200 })
  }

  /// The files of a site have the same pages as `StorePages`, and the sitemap lists them.
  @Test func writesSite() throws {
    let shop = try PageShop(Self.json(30, categories: 3))
    let folder = try TemporaryFolder()
    let pages = try Self.pages(8)
    let (storefronts, languages) = (["USA", "JPN"], ["en-US", "ar"])
    try shop.writeSite(to: "\(folder.path)/site", storefronts, languages: languages, shop: pages.shop)
    let files = folder.files(in: "site/store/usa/en-us").filter { !$0.hasPrefix("products/") }
    #expect(
      files == [
        "all/2/index.html", "all/3/index.html", "all/4/index.html", "all/index.html",
        "categories/c0/2/index.html", "categories/c0/index.html", "categories/c1/2/index.html",
        "categories/c1/index.html", "categories/c2/2/index.html", "categories/c2/index.html", "index.html",
        "search/1.json",
      ]
    )
    let store = try shop.store("USA", "ar", languages: languages)
    let expected: [(String, String)] = [
      ("index.html", try pages.storePage(store)),
      ("all/3/index.html", try pages.listPage(nil, page: 3, in: store)),
      ("categories/c2/index.html", try pages.listPage("c2", in: store)),
      ("products/item3/index.html", try pages.productPage("item3", in: store)),
      ("products/item25/index.html", try pages.productPage("item25", in: store)),
    ]
    for (name, page) in expected { #expect(try folder.read("site/store/usa/ar/\(name)") == page, "\(name)") }
    let sitemap = try folder.read("site/sitemap.xml")
    for path in ["", "all/", "all/4/", "categories/c1/", "categories/c1/2/", "products/item29/"] {
      #expect(sitemap.contains("<loc>https://shop.example/store/usa/ar/\(path)</loc>"), "\(path)")
    }
    #expect(!sitemap.contains("all/5/"))
    // Each page has a title of its own.
    let titles = try folder.files(in: "site").filter { $0.hasSuffix(".html") }
      .map { try PageSearch.title(of: folder.read("site/\($0)")) ?? "" }
    #expect(Set(titles).count == titles.count)
    #expect(folder.files(in: "site/assets").contains("search.js"))
  }

  @Test func indexesProductsForSearch() throws {
    let store = try PageShop(Self.json(3, categories: 1)).store("USA", "en-US")
    let index = try #require(try OutlinedStore(Self.pages(), store).searchIndex(part: 1))
    let value = try JSONSerialization.jsonObject(with: Data(index.utf8)) as? [String: [Any]]
    #expect(value?["categories"] as? [String] == ["Category 0"])
    let prices = try #require(value?["prices"] as? [[String]])
    #expect(prices.map { $0[1] } == ["0.49", "1.99", "2.99"])
    #expect(prices[1][0].contains("<span aria-hidden=\"true\" data-amount=\"1.99\">$1.99</span>"))
    let products = try #require(value?["products"] as? [[Any]])
    #expect(products.map { $0[0] as? String } == ["item0", "item1", "item2"])
    #expect(products[2].dropFirst().map { "\($0)" } == ["Item 2", "0", "2"])
  }

  /// The words for a number of each plural category, with `#` for the number.
  @Test(
    arguments: [
      ("en-US", ["1": "# product", "2": "# products"]),
      ("ar", ["0": "لا توجد منتجات", "2": "منتجان", "3": "# منتجات"]),
      ("ru", ["1": "# товар", "2": "# товара", "5": "# товаров"]),
    ]
  ) func hasWordsForCounts(_ language: String, _ expected: [String: String]) throws {
    let language = try Self.pages().language(UILanguage(language))
    let counts =
      try JSONSerialization.jsonObject(with: Data(language.productCounts().utf8)) as? [String: String]
    for (number, text) in expected {
      #expect(counts?[number] == text, "\(number)")
    }
  }

  @Test(arguments: [0, 3, 501, -1]) func rejectsPageSizes(_ size: Int) {
    #expect(throws: PagesError.self) { try Shop(productsPerPage: size) }
  }
}
