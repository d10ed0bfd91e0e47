import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests what a shop's own templates can say: its messages, conditions, raw values, and the footer.
@Suite struct OwnMessagesTests {
  static let messages = [
    "en-US.json": #"""
    {"thanks": "Thanks", "hello": "{shop} in {storefront}", "left": "{count, plural, one {# car} other {# cars}}",
     "shipping": "{product}: {price} with shipping", "was": "It was {before}, {percent} more",
     "law": "{storefrontId, select, DEU {Widerruf} other {Returns}}", "since": "Since {date} in {currency}"}
    """#,
    "de.json": #"{"shipping": "{product}: {price} mit Versand", "thanks": "Danke"}"#,
  ]

  private func strings() throws -> StoreStrings {
    StoreStrings.embedded.adding(try ShopStrings(Self.messages))
  }

  /// Returns the page of a product or, without one, of the store, with a template.
  private func page(
    _ template: String,
    _ storefront: String = "USA",
    _ language: String = "en-US",
    product: String? = "car",
    shop: Shop? = nil
  ) throws -> String {
    let strings = try strings()
    let pages = StorePages(
      shop: try shop ?? Shop(name: "Rocket Garage"),
      templates: try PageTemplates(
        ["product.mustache": template, "store.mustache": template, "entry.mustache": template],
        strings: strings
      ),
      strings: strings
    )
    let store = try PageShop().store(storefront, language)
    return try product.map { try pages.productPage($0, in: store) } ?? pages.storePage(store)
  }

  static let pages:
    [(template: String, storefront: String, language: String, product: String?, text: String)] = [
      ("{{own.thanks}}", "USA", "de", "car", "Danke"),
      // A message that is taken from another language states it.
      ("{{own.thanks}}", "JPN", "ja", nil, #"<bdi lang="en-US" dir="ltr">Thanks</bdi>"#),
      (
        "{{own.hello}}", "DEU", "en-US", "car", "<bdi>Rocket Garage</bdi> in <bdi>Germany</bdi>"
      ),
      ("{{own.left}}", "DEU", "en-US", nil, "3 cars"),
      ("{{own.law}}", "DEU", "en-US", nil, "Widerruf"), ("{{own.law}}", "USA", "en-US", nil, "Returns"),
      (
        "{{own.since}}", "USA", "en-US", nil, "Since <bdi>November 21, 2026</bdi> in <bdi>US Dollar</bdi>"
      ),
      (
        "{{#product}}{{own.shipping}}{{/product}}", "JPN", "de", "car",
        #"<bdi>Car</bdi>: <bdi class="price" lang="ja-JP" dir="ltr"><span aria-hidden="true" data-amount="1200">￥1,200</span><span class="spoken">1,200円</span></bdi> mit Versand"#
      ),
      // A place without the value of an argument has no such message.
      ("[{{own.shipping}}]", "USA", "en-US", "car", "[]"),
      ("[{{#product}}{{own.was}}{{/product}}]", "USA", "en-US", "car", "[]"),
      (
        "{{#own.was}}never{{/own.was}}{{^own.was}}not reduced{{/own.was}}", "USA", "en-US", "car",
        "not reduced"
      ),
      // Conditions.
      ("{{#inEU}}EU{{/inEU}}{{^inEU}}not EU{{/inEU}}", "DEU", "de", nil, "EU"),
      ("{{#inEU}}EU{{/inEU}}{{^inEU}}not EU{{/inEU}}", "NOR", "nb", nil, "not EU"),
      ("{{#inEEA}}EEA{{/inEEA}}", "NOR", "nb", nil, "EEA"),
      ("[{{#inEEA}}EEA{{/inEEA}}]", "CHE", "de", nil, "[]"),
      (
        "{{#storefront.JPN}}Japan{{/storefront.JPN}}{{^storefront.JPN}}other{{/storefront.JPN}}", "JPN", "ja",
        "car", "Japan"
      ),
      (
        "{{#storefront.JPN}}Japan{{/storefront.JPN}}{{^storefront.JPN}}other{{/storefront.JPN}}", "USA",
        "en-US",
        "car", "other"
      ),
      (
        "{{#categories}}{{#products}}{{#storefront.USA}}{{id}} {{/storefront.USA}}{{/products}}{{/categories}}",
        "USA", "en-US", nil, "car kit coins free pass "
      ),
      // Raw values.
      (
        "{{#product}}{{amount}} {{currency}} {{priceLocale}} {{display}} {{kindCode}}{{/product}}", "EGY",
        "en-US",
        "car", "199.99 EGP ar-EG \u{200F}١٩٩٫٩٩\u{A0}ج.م.\u{200F} non-consumable"
      ),
      (
        "{{#product}}{{period}} {{#offers}}{{kindCode}} {{paymentMode}} {{amount}} {{period}} {{periodCount}}{{/offers}}{{/product}}",
        "USA", "en-US", "monthly", "P1M introductory free-trial  P7D 1"
      ),
      (
        "{{#product}}{{#reduction}}{{percent}} {{amount}} {{lastDay}}{{/reduction}}{{/product}}", "USA",
        "en-US",
        "kit", "50 9.99 "
      ),
    ]

  @Test(arguments: pages)
  func writes(
    template: String,
    storefront: String,
    language: String,
    product: String?,
    text: String
  ) throws {
    #expect(try page(template, storefront, language, product: product) == text)
  }

  static let invalid: [(template: String, error: String)] = [
    ("a\n{{own.thnaks}}", "store.mustache, line 2: the shop has no message \"thnaks\"; add it to en-US.json"),
    ("{{own.thnaks}}", "did you mean \"thanks\"?"),
    ("{{own.bad}}", "pages have no value \"size\" for the message \"bad\"; use one of before, count"),
    ("{{own.typed}}", "the argument \"price\" must be a count, not a price"),
    ("{{#storefront.JPM}}{{/storefront.JPM}}", "\"JPM\""),
    ("{{storefront.japan}}", "unknown name \"japan\""),
    ("{{#inEurope}}{{/inEurope}}", "unknown name \"inEurope\""),
  ]

  @Test(arguments: invalid)
  func rejectsInvalidTemplate(template: String, error: String) throws {
    let own = try ShopStrings([
      "en-US.json": #"{"thanks": "Thanks", "bad": "{size}", "typed": "{price, plural, one {a} other {b}}"}"#
    ])
    try expectError(.invalidTemplate, error) {
      try PageTemplates(["store.mustache": template], strings: StoreStrings.embedded.adding(own))
    }
  }

  @Test func requiresFolder() throws {
    try expectError(.invalidTemplate, "pass a folder of messages with --strings") {
      try PageTemplates(["store.mustache": "{{own.thanks}}"])
    }
  }

  // MARK: Additions

  /// The templates that are empty in the binary, with parts of the lines before and after their contents.
  static let additions: [(template: String, before: String, after: String, isOnStorePages: Bool)] = [
    ("ownHead", #"<link rel="stylesheet""#, "<script", true), ("ownProduct", "</p>", "<button", false),
    ("ownFooter", "Legal notice</a></p>", "</footer>", true),
  ]

  /// Additions need no copy of another template, and pages without them have no empty lines.
  @Test(arguments: additions)
  func addsToPages(template: String, before: String, after: String, isOnStorePages: Bool) throws {
    let shop = try Shop(legalLinks: [.imprint: "https://shop.example/imprint"])
    let pages = StorePages(shop: shop)
    let own = StorePages(
      shop: shop,
      templates: try PageTemplates(["\(template).mustache": "[{{own.thanks}}]\n"], strings: strings()),
      strings: try strings()
    )
    let store = try PageShop().store("USA", "en-US")
    for (page, plain, hasAddition) in [
      (try own.productPage("car", in: store), try pages.productPage("car", in: store), true),
      (try own.storePage(store), try pages.storePage(store), isOnStorePages),
    ] {
      let parts = page.components(separatedBy: "[Thanks]\n")
      #expect(parts.count == (hasAddition ? 2 : 1) && parts.joined() == plain)
      guard hasAddition, parts.count == 2 else { continue }
      let (above, below) = (parts[0].split(separator: "\n").last, parts[1].split(separator: "\n").first)
      #expect(above?.contains(before) == true && below?.contains(after) == true)
    }
  }

  /// The sample shop has words of its own in all of its languages, and its templates use them.
  @Test func sampleShopHasWordsOfItsOwn() throws {
    let examples = PageShop.examples.path
    let own = try ShopStrings(folder: "\(examples)/rocket-garage-strings")
    #expect(own.languages.count == 18 && own.keys.count == 3)
    for language in own.languages {
      for key in own.keys { #expect(try own.message(key, in: language).language == language, "\(key)") }
    }
    let templates = try PageTemplates(
      folder: "\(examples)/rocket-garage-templates",
      strings: StoreStrings.embedded.adding(own)
    )
    for key in own.keys {
      #expect(templates.texts.contains { $0.key.hasPrefix("own") && $0.value.contains("{{own.\(key)}}") })
    }
  }

  // MARK: Footer

  static let footers: [(storefront: String, language: String, labels: Bool, lines: [String])] = [
    ("DEU", "de", true, ["Alle Preise: inkl. MwSt.", "Kontakt", "Impressum"]),
    ("USA", "en-US", true, ["All prices: plus tax", "Contact", "Legal notice"]),
    ("USA", "en-US", false, ["Contact", "Legal notice"]),
  ]

  @Test(arguments: footers)
  func writesFooter(storefront: String, language: String, labels: Bool, lines: [String]) throws {
    let shop = try Shop(
      showsTaxLabels: labels,
      legalLinks: [.imprint: "https://shop.example/imprint?a=1&b=2", .contact: "mailto:info@shop.example"]
    )
    let page = try StorePages(shop: shop).storePage(PageShop().store(storefront, language))
    let footer = try #require(page.components(separatedBy: "<footer").last)
    let found = footer.matches(of: #/<p>(.*?)<\/p>/#).map { String($0.1.replacing(#/<[^>]*>/#, with: "")) }
    #expect(found.suffix(lines.count) == lines[...])
    #expect(footer.contains(#"<a href="mailto:info@shop.example">"#))
    #expect(footer.contains(#"<a href="https://shop.example/imprint?a=1&amp;b=2">"#))
  }

  @Test(arguments: [
    (Shop.LegalLink.contact, "javascript:alert(1)"), (.contact, "mailto:"), (.contact, "mailto:a b"),
    (.imprint, "mailto:info@shop.example"), (.imprint, "imprint.html"), (.privacy, "https://"),
    (.terms, "ftp://shop.example/"),
  ])
  func rejectsAddress(link: Shop.LegalLink, address: String) throws {
    try expectError(.invalidShop, "\"\(link.rawValue)\"") { try Shop(legalLinks: [link: address]) }
  }
}
