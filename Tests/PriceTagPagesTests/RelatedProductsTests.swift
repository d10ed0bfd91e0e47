import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests of the related products of a product's page.
@Suite struct RelatedProductsTests {
  /// Returns the identifiers of the related products of a page.
  private static func related(_ page: String) -> [String] {
    guard let section = page.components(separatedBy: #"<section class="category related">"#).dropFirst().first
    else { return [] }
    return section.matches(of: #/<li class="card" data-product="([^"]*)">/#).map { String($0.1) }
  }

  /// Returns a catalog of products `a` to `h`. All but `h` are of one category, and `d` is sold in Japan only.
  private static func shop(_ fields: [String: String] = [:]) throws -> PageShop {
    let products = "abcdefgh".enumerated().map { number, letter in
      let category = letter == "h" ? "" : #","category":"all""#
      let price = letter == "d" ? #"{"JPN":"100"}"# : #"{"USA":"1.99","JPN":"300"}"#
      let others = fields[String(letter)].map { ",\($0)" } ?? ""
      return
        #"{"productIdentifier":"\#(letter)","sortOrder":\#(number),"prices":\#(price)\#(category)\#(others)}"#
    }
    return try PageShop(products: products)
  }

  private static let plan =
    #""kind":"auto-renewable-subscription","subscriptionPeriod":"P1M","subscriptionGroup":"plans""#

  static let cases: [(product: String, fields: [String: String], related: [String])] = [
    // The next four of the category, from the start again at the end, without what is not sold there.
    ("a", [:], ["b", "c", "e", "f"]), ("e", [:], ["f", "g", "a", "b"]), ("g", [:], ["a", "b", "c", "e"]),
    ("h", [:], []),
    // The shop's own list, without what is not sold there or unknown.
    ("a", ["a": #""related":["h","d","x","c"]"#], ["h", "c"]), ("a", ["a": #""related":[]"#], []),
    ("h", ["h": #""related":["g"]"#], ["g"]), ("a", ["a": #""related":["d"]"#], []),
    // The comparison shows the other plans.
    ("a", ["a": plan, "b": plan, "f": plan], ["c", "e", "g"]),
    ("a", ["a": #"\#(plan),"related":["b","c","f","h"]"#, "b": plan, "f": plan], ["c", "h"]),
  ]

  /// The library, a site and a site with lists in pages show the same related products.
  @Test(arguments: cases)
  func showsRelatedProducts(product: String, fields: [String: String], related: [String]) throws {
    let shop = try Self.shop(fields)
    let page = try StorePages(shop: Shop()).productPage(product, in: shop.store("USA", "en-US"))
    #expect(Self.related(page) == related)
    #expect(page.contains("<h2>Related products</h2>") == !related.isEmpty)
    for pageSize in [Shop.defaultProductsPerPage, 4] {
      let (output, ownShop) = (try TemporaryFolder(), try Shop(productsPerPage: pageSize))
      try shop.writeSite(to: output.path + "/site", languages: ["en-US", "ar"], shop: ownShop)
      for language in ["en-us", "ar"] {
        let page = try output.read("site/store/usa/\(language)/products/\(product)/index.html")
        #expect(Self.related(page) == related, "\(pageSize)")
      }
    }
  }

  /// The prices are those of the store, and the words those of the shopper.
  @Test func relatedProductsHavePricesOfStore() throws {
    let page = try StorePages(shop: Shop()).productPage("a", in: Self.shop().store("JPN", "de"))
    #expect(Self.related(page) == ["b", "c", "d", "e"])
    #expect(page.contains("<h2>Ähnliche Produkte</h2>") && page.contains("￥100"))
  }

  @Test func closedStoreShowsNone() throws {
    let store = try Self.shop().store("USA", "en-US", canMakePayments: false)
    #expect(Self.related(try StorePages(shop: Shop()).productPage("a", in: store)).isEmpty)
  }

  /// Templates of a related product's card. Some use values of the page, which differ from page to page.
  static let cards: [(card: String, first: String)] = [
    ("{{id}}", "b"), ("{{id}} {{words.price}}", "b Price"), ("{{id}} {{storefront.id}}", "b USA"),
    ("{{id}} of {{product.id}}", "b of a"), ("{{id}} of {{title}}", "b of a – Store – United States"),
    ("{{#price}}{{.product.id}}{{product.id}}{{/price}}", "a"), ("{{> inner}}{{id}}", "1.99 of a b"),
    ("{{#product}}{{id}}{{/product}}", "a"), ("{{^notice}}{{id}}{{/notice}}{{^product}}!{{/product}}", "b"),
    ("{{#storefront.USA}}{{id}}{{/storefront.USA}}{{^storefront.JPN}}!{{/storefront.JPN}}", "b!"),
  ]

  /// A card is the same whether or not another page has shown it before.
  @Test(arguments: cards) func sharedCardsUseValuesOfTheirPage(card: String, first: String) throws {
    var texts = [
      "product.mustache": "{{#related}}{{#products}}{{> mine}}; {{/products}}{{/related}}",
      "mine.mustache": card,
    ]
    if card.contains("inner") { texts["inner.mustache"] = "{{amount}} of {{product.id}} " }
    let templates = try PageTemplates(texts)
    let pages = StorePages(shop: try Shop(), templates: templates)
    let store = try Self.shop().store("USA", "en-US")
    let shared = try OutlinedStore(pages, store)
    for product in store.products {
      var rows = RelatedRows(store.outline)
      let related = store.products(rows.rows(of: product))
      let page = String(decoding: try shared.productPage(product, related: related), as: UTF8.self)
      #expect(page == (try pages.productPage(product.identifier, in: store)))
      if product.identifier == "a" { #expect(page.hasPrefix("\(first); "), "\(page)") }
    }
  }

  /// A page is the same whether or not other pages of the store were created before: their links, and on a product's own page
  /// the complete description and the offers to present subscribers.
  @Test(arguments: ["en-US", "ar"]) func pagesOfStoreShareFrame(language: String) throws {
    let description = String(repeating: "A long description, ", count: 20) + "with an end."
    let offer = #"{"kind":"promotional","identifier":"x","paymentMode":"free-trial","period":"P7D"}"#
    let shop = try Self.shop([
      "b": #""localizations":{"en-US":{"name":"B","description":"\#(description)"}},"image":"images/b.png""#,
      "e": #"\#(Self.plan),"offers":[\#(offer)]"#,
    ])
    let store = try shop.store("USA", language)
    let pages = StorePages(
      shop: try Shop(url: "https://shop.example/", shownOffers: [.introductory, .promotional])
    )
    let shared = try OutlinedStore(pages, store)
    for product in store.products {
      var rows = RelatedRows(store.outline)
      let related = store.products(rows.rows(of: product))
      let page = String(decoding: try shared.productPage(product, related: related), as: UTF8.self)
      #expect(page == (try pages.productPage(product.identifier, in: store)), "\(product.identifier)")
      #expect(page.contains(description) == (product.identifier == "b"))
    }
  }

  /// Rows are the same in any order of the products.
  @Test func findsRowsInAnyOrder() throws {
    let shop = try PageShop(LargeShopTests.json(300, categories: 3))
    let store = try shop.store("USA", "en-US")
    let outline = try shop.catalog.outline(
      for: ProductsRequest(
        nil,
        storefront: store.storefront,
        language: store.language,
        at: .date(CalendarDate(PageShop.date))
      )
    )
    var sorted = RelatedRows(outline)
    let inOrder = store.products.map { sorted.rows(of: $0) }
    for (product, rows) in zip(store.products, inOrder) {
      let category = store.products.filter { $0.category == product.category }
      let place = try #require(category.firstIndex { $0.row == product.row })
      let others = (category[place...] + category[..<place]).dropFirst().filter { other in
        product.comparedGroup == nil || other.comparedGroup != product.comparedGroup
      }
      #expect(rows == (product.category == nil ? [] : others.prefix(4).map(\.row)))
    }
    // Products that are in memory have the same outline.
    #expect(store.outline.sections.map(\.products) == outline.sections.map(\.products))
    #expect(store.outline.subscriptionGroups.map(\.products) == outline.subscriptionGroups.map(\.products))
    var reversed = RelatedRows(outline)
    #expect(store.products.reversed().map { reversed.rows(of: $0) } == inOrder.reversed())
  }

  /// A product page stays within the limits with the most pictures, related products and plans.
  ///
  /// It has the products of its list and its subscription group only, which are the same among 100 products as among 5,000.
  @Test func limitsPages() throws {
    let identifiers = (1...12).map { #""item\#($0)""# }.joined(separator: ",")
    let images = (0..<50).map { #"{"src":"\#($0).jpg","width":800,"height":600}"# }.joined(separator: ",")
    let json = LargeShopTests.json(100).replacing(
      #""productIdentifier":"item0","#,
      with: #""productIdentifier":"item0","related":[\#(identifiers)],"images":[\#(images)],"#
    )
    let store = try PageShop(json).store(
      "USA",
      "en-US",
      languages: StoreStrings.embedded.languages.map(\.identifier)
    )
    let page = try StorePages(shop: Shop(url: "https://shop.example/")).productPage("item0", in: store)
    #expect(Self.related(page).count == 12)
    #expect(page.utf8.count <= 300_000 && PageSearch.elementCount(of: page) <= 1500)
  }
}
