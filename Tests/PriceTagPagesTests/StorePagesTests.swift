import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests of the contents of pages.
@Suite struct StorePagesTests {
  private static func pages(_ shop: Shop? = nil) throws -> StorePages {
    StorePages(shop: try shop ?? Shop(name: "Rocket Garage", url: "https://shop.example/"))
  }

  /// Returns the visible prices of a page, in order.
  private static func prices(_ page: String) -> [String] {
    var search = PageSearch(page)
    var prices: [String] = []
    while search.skip(past: #"<bdi class="price""#), search.skip(past: ">") {
      guard search.skip(#"<span aria-hidden="true">"#), let price = search.text(before: "<"),
        search.skip("</span>")
      else { continue }
      prices.append(price)
    }
    return prices
  }

  /// Returns the card of a product, or its row in a comparison.
  private static func card(_ id: String, of page: String) -> String {
    for (start, end) in [("<li class=\"card", "</li>"), ("<tr", "</tr>")] {
      for part in page.components(separatedBy: start).dropFirst() {
        let tag = part.prefix { $0 != ">" }
        if tag.contains(#" data-product="\#(id)""#) { return part.components(separatedBy: end)[0] }
      }
    }
    return ""
  }

  /// Returns the words of markup that a shopper sees.
  private static func visible(_ html: String) -> String {
    html.replacing(#/<span class="spoken">.*?<\/span>/#, with: "").replacing(#/<[^>]*>/#, with: "")
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  static let buttons: [(product: String, storefront: String, language: String, button: String)] = [
    (
      "car", "USA", "en-US",
      #"Buy for <bdi class="price" lang="en-US" dir="ltr"><span aria-hidden="true" data-amount="1234.50">$1,234.50</span><span class="spoken">1,234.50 US dollars</span></bdi>"#
    ),
    (
      "car", "USA", "de",
      #"Für <bdi class="price" lang="en-US" dir="ltr"><span aria-hidden="true" data-amount="1234.50">$1,234.50</span><span class="spoken">1,234.50 US dollars</span></bdi> kaufen"#
    ),
    (
      "car", "JPN", "ar",
      #"شراء مقابل <bdi class="price" lang="ja-JP" dir="ltr"><span aria-hidden="true" data-amount="1200">￥1,200</span><span class="spoken">1,200円</span></bdi>"#
    ),
    (
      "car", "EGY", "en-US",
      "Buy for <bdi class=\"price\" lang=\"ar-EG\" dir=\"rtl\"><span aria-hidden=\"true\" data-amount=\"199.99\">\u{200F}١٩٩٫٩٩\u{A0}ج.م.\u{200F}</span>"
    ),
    ("free", "USA", "en-US", ">Get<"),
    (
      "yearly", "DEU", "en-US",
      #"Subscribe for <bdi class="price" lang="de-DE" dir="ltr"><span aria-hidden="true" data-amount="99.99">99,99"#
    ),
    ("pass", "USA", "en-US", "Buy for "),
  ]

  @Test(arguments: buttons)
  func buttonHasStoresPriceInShoppersLanguage(
    product: String,
    storefront: String,
    language: String,
    button: String
  ) throws {
    let page = try Self.pages().storePage(PageShop().store(storefront, language))
    let card = Self.card(product, of: page)
    #expect(card.contains(button), "\(card)")
    #expect(
      page.contains(
        #"<html lang="\#(language)" dir="\#(try UILanguage(language).direction.rawValue)" data-storefront="\#(storefront)">"#
      )
    )
  }

  @Test func languageDoesNotChangePrices() throws {
    let (shop, pages) = (try PageShop(), try Self.pages())
    for storefront in ["USA", "DEU", "JPN", "SAU", "EGY"] {
      var seen: Set<[String]> = []
      for language in StoreStrings.embedded.languages {
        let page = try pages.storePage(shop.store(storefront, language.identifier))
        // The order of two prices in a sentence depends on the language.
        seen.insert(Self.prices(page).sorted())
      }
      #expect(seen.count == 1, "\(storefront): \(seen)")
    }
  }

  /// The note about the currency, which needs the plural in English.
  static let notes: [(storefront: String, language: String, note: String)] = [
    ("USA", "en-US", "in US dollars."), ("JPN", "en-GB", "in Japanese yen."), ("DEU", "en-US", "in euros."),
    ("USA", "de", "(Währung: US-Dollar)"), ("USA", "fr-FR", "dollar des États-Unis."),
  ]

  @Test(arguments: notes)
  func notesCurrency(storefront: String, language: String, note: String) throws {
    let page = try Self.pages().storePage(PageShop().store(storefront, language))
    #expect(page.contains(note))
  }

  /// StoreKit's kinds of products are not shown.
  @Test func groupsProductsByCategory() throws {
    let page = try Self.pages().storePage(PageShop().store("DEU", "de"))
    let headings = page.matches(of: #/<h([23])[^>]*>(.*?)</h\1>/#).map {
      "\($0.1) " + $0.2.replacing(#/<[^>]*>/#, with: "")
    }
    #expect(
      headings.filter { $0.hasPrefix("2") } == ["2 Autos", "2 Klub"]
    )
    #expect(!page.contains("Nicht verbrauchbar"))
    #expect(page.contains(#"<bdi lang="de" dir="ltr">Autos</bdi>"#))
  }

  /// Monthly prices are rounded up, savings down.
  @Test func comparesSubscriptions() throws {
    let page = try Self.pages().storePage(PageShop().store("USA", "en-US"))
    let table = try #require(
      page.components(separatedBy: "<table").dropFirst().first?.components(separatedBy: "</table>").first
    )
    let rows = table.components(separatedBy: "<tr ").dropFirst().map { row in
      row.components(separatedBy: "</t").map {
        $0.replacing(#/<span class="spoken">[^<]*</span>/#, with: "").replacing(#/<[^>]*>/#, with: "")
          .components(separatedBy: ">").last?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
          ?? ""
      }.filter { !$0.isEmpty }
    }
    #expect(
      rows == [
        [
          "Monthly", "1 month",
          "$9.99 per month Introductory offer 7 days free, then $9.99 per month For new subscribers", "$9.99",
          "Try 7 days free",
        ],
        ["Yearly Best value", "1 year", "$99.99 per year", "$8.34", "Save 16%", "Subscribe for $99.99"],
      ]
    )
  }

  /// Product pages link to their category, even if its identifier contains special characters.
  @Test func linksToCategory() throws {
    let shop = try PageShop(PageShop.json.replacing("\"cars\"", with: "\"a b%20<c>\""))
    let store = try shop.store("USA", "en-US")
    let fragment = "category-a~20b~2520~3cc~3e"
    #expect(try Self.pages().storePage(store).contains(#"<section class="category" id="\#(fragment)">"#))
    #expect(try Self.pages().productPage("car", in: store).contains(##"href="../../#\##(fragment)""##))
  }

  @Test func showsAvailableOffers() throws {
    let store = try PageShop().store("USA", "en-US")
    let card = Self.card("monthly", of: try Self.pages().storePage(store))
    #expect(card.contains("7 days free, then <bdi"))
    #expect(!card.contains("Promotional offer"))
    let page = try Self.pages().productPage("monthly", in: store)
    #expect(page.contains("Introductory offer") && !page.contains("Promotional offer"))
    #expect(!page.contains("secret"))
  }

  @Test func showsReducedPrice() throws {
    let card = Self.card("kit", of: try Self.pages().storePage(PageShop().store("USA", "en-US")))
    #expect(
      card.contains(
        """
        <p class="badge sale-badge">50% off</p>
            <p class="amount"><s class="was" aria-hidden="true">\
        <bdi class="price" lang="en-US" dir="ltr"><span aria-hidden="true" data-amount="9.99">$9.99</span></bdi></s> \
        <span class="spoken">Current price: <span lang="en-US">4.99 US dollars</span></span>\
        <bdi class="price" lang="en-US" dir="ltr"><span aria-hidden="true" data-amount="4.99">$4.99</span></bdi></p>
            <p class="note lowest-price">Lowest price in the last 30 days before the reduction: \
        <bdi class="price" lang="en-US" dir="ltr"><span aria-hidden="true" data-amount="9.99">$9.99</span><span class="spoken">9.99 US dollars</span></bdi></p>
        """
      ),
      "\(card)"
    )
    #expect(!card.contains("Until"))
  }

  /// Prices of a product in the United States: whether its pages show an end, an increase, and what search engines get.
  static let ends: [(prices: String, announces: Bool, texts: [String], validUntil: String?, was: String?)] = [
    (#""5""#, true, [], nil, nil),
    (
      #"[{"amount":"9","until":"2026-11-10"},{"amount":"5","from":"2026-11-11","until":"2026-11-30"},{"amount":"9","from":"2026-12-01"}]"#,
      false, ["44% off", "Until November 30, 2026"], "2026-11-30", "9.00"
    ),
    (
      #"[{"amount":"9","until":"2026-11-10"},{"amount":"5","from":"2026-11-11","until":"2026-11-30"},{"amount":"9","from":"2026-12-01"}]"#,
      true, ["44% off", "From December 1, 2026: $9.00 per month"], "2026-11-30", "9.00"
    ),
    // Between the two dates, the product is not sold.
    (
      #"[{"amount":"9","until":"2026-11-10"},{"amount":"5","from":"2026-11-11","until":"2026-11-30"},{"amount":"9","from":"2026-12-08"}]"#,
      true, ["44% off", "Until November 30, 2026", "From December 8, 2026: $9.00 per month"], "2026-11-30",
      "9.00"
    ),
    (
      #"[{"amount":"9","until":"2026-11-10"},{"amount":"5","from":"2026-11-11","until":"2026-11-30"},{"amount":"3","from":"2026-12-01"}]"#,
      true, ["44% off"], nil, "9.00"
    ),
    (
      #"[{"amount":"5","until":"2026-11-30"},{"amount":"9","from":"2026-12-01"}]"#, false, [], nil, nil
    ),
    (
      #"[{"amount":"5","until":"2026-11-30"},{"amount":"9","from":"2026-12-01"}]"#, true,
      ["From December 1, 2026: $9.00 per month"], "2026-11-30", nil
    ),
    // A later reduction is not shown before it starts.
    (#"[{"amount":"5","until":"2026-11-30"},{"amount":"3","from":"2026-12-01"}]"#, true, [], nil, nil),
  ]

  /// The page and its structured data state the same.
  @Test(arguments: ends)
  func agreesWithStructuredData(
    prices: String,
    announces: Bool,
    texts: [String],
    validUntil: String?,
    was: String?
  ) throws {
    let shop = try PageShop(
      #"{"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"a","kind":"auto-renewable-subscription","subscriptionPeriod":"P1M","prices":{"USA":\#(prices)}}]}"#
    )
    let pages = try Self.pages(Shop(announcesIncreases: announces))
    let store = try shop.store("USA", "en-US")
    for page in [try pages.productPage("a", in: store), Self.card("a", of: try pages.storePage(store))] {
      let visible = Self.visible(page)
      for text in ["44% off", "Until ", "From "] + texts {
        #expect(visible.contains(text) == texts.contains { $0.contains(text) }, "\(text)")
      }
    }
    let data = try PageSearch.jsonLD(try pages.productPage("a", in: store))
    let offer = try #require(data["offers"] as? [String: Any])
    #expect(offer["price"] as? String == "5.00")
    #expect(offer["priceValidUntil"] as? String == validUntil)
    let specifications = offer["priceSpecification"] as? [[String: Any]] ?? []
    let struck = specifications.first {
      ($0["priceType"] as? String)?.hasSuffix("StrikethroughPrice") == true
    }
    #expect(struck?["price"] as? String == was)
  }

  /// The offers that a shop shows, on the store page and on the product's own page, and for whom.
  static let shownOffers: [(kinds: Set<CatalogOffer.Kind>, card: [String], page: [String])] = [
    ([.introductory], ["For new subscribers"], ["For new subscribers"]),
    ([], [], []),
    (
      [.introductory, .promotional], ["For new subscribers"],
      ["For new subscribers", "For current and former subscribers"]
    ),
    ([.winBack], [], ["For former subscribers"]),
  ]

  /// The shop with an offer to former subscribers.
  private static let withWinBackOffer = PageShop.json.replacing(
    #"{"kind":"code","#,
    with:
      #"{"kind":"win-back","identifier":"return","paymentMode":"free-trial","period":"P1M"},{"kind":"code","#
  )

  @Test(arguments: shownOffers)
  func showsOffersThatShopAsksFor(kinds: Set<CatalogOffer.Kind>, card: [String], page: [String]) throws {
    let pages = try Self.pages(Shop(shownOffers: kinds))
    let store = try PageShop(Self.withWinBackOffer).store("USA", "en-US")
    // The comparison below the product is tested separately.
    let own = try pages.productPage("monthly", in: store).components(separatedBy: "</article>")[0]
    func audiences(_ text: String) -> [String] {
      text.matches(of: #/<span class="audience">([^<]*)</#).map { String($0.1) }
    }
    #expect(audiences(Self.card("monthly", of: try pages.storePage(store))) == card)
    #expect(audiences(own) == page)
    // A trial for others is not on the button.
    #expect(own.contains(">Try 7 days free</") == kinds.contains(.introductory))
    #expect(!own.contains(">Try 1 month free</"))
  }

  /// Each kind of offers has a heading of its own.
  @Test(arguments: [
    ("en-US", ["Introductory offer", "Promotional offer", "Welcome back offer"]),
    ("de", ["Einführungsangebot", "Aktionsangebot", "Willkommen-zurück-Angebot"]),
    ("zh-Hans", ["首次订阅优惠", "促销优惠", "回头客优惠"]),
  ]) func headsOffers(language: String, headings: [String]) throws {
    let pages = try Self.pages(Shop(shownOffers: [.introductory, .promotional, .winBack]))
    let article = try pages.productPage("monthly", in: PageShop(Self.withWinBackOffer).store("USA", language))
      .components(separatedBy: "</article>")[0]
    #expect(
      article.matches(of: #/<span class="offer-label">([^<]*)</#).map { String($0.1) } == headings
    )
  }

  @Test func headingsOfOffersDifferInEveryLanguage() throws {
    let strings = StoreStrings.embedded
    for language in strings.languages {
      let headings = try ["introductory_offer", "promotional_offer", "win_back_offer"].map {
        try strings.format($0, in: language).plain
      }
      #expect(Set(headings).count == 3, "\(language): \(headings)")
    }
  }

  @Test func rejectsOffersWithCode() throws {
    try expectError(.invalidShop) { try Shop(shownOffers: [.code]) }
  }

  /// The buttons of products with and without a free trial.
  static let trials: [(product: String, storefront: String, language: String, button: String)] = [
    ("monthly", "USA", "en-US", ">Try 7 days free</button>"),
    ("monthly", "USA", "de", ">7 Tage gratis testen</button>"),
    ("monthly", "JPN", "bn", ">৭ দিন বিনামূল্যে ব্যবহার করে দেখুন</button>"),
    ("yearly", "USA", "en-US", ">Subscribe for <bdi"),
  ]

  @Test(arguments: trials)
  func buttonOffersFreeTrial(product: String, storefront: String, language: String, button: String) throws {
    let store = try PageShop().store(storefront, language)
    #expect(Self.card(product, of: try Self.pages().storePage(store)).contains(button))
    let page = try Self.pages().productPage(product, in: store).components(separatedBy: "</article>")[0]
    #expect(page.contains(button))
    // The terms of the trial precede its button.
    if let offer = page.firstRange(of: "class=\"offer\"") {
      #expect(try offer.lowerBound < #require(page.firstRange(of: button)).lowerBound)
    } else {
      #expect(product == "yearly")
    }
  }

  /// Returns a shop with two plans of a group, of which `season` has an offer and an announced increase.
  private static func club(_ offer: String) throws -> PageShop {
    try PageShop(
      #"""
      {"format":"pricetag-catalog","version":1,"products":[
       {"productIdentifier":"monthly","kind":"auto-renewable-subscription","subscriptionGroup":"club","subscriptionPeriod":"P1M",
        "prices":{"USA":"4.99","JPN":"700"}},
       {"productIdentifier":"season","kind":"auto-renewable-subscription","subscriptionGroup":"club","subscriptionPeriod":"P3M",
        "prices":{"USA":[{"amount":"12.99","until":"2026-12-31"},{"amount":"14.99","from":"2027-01-01"}],"JPN":"1900"},
        "offers":[\#(offer)]}
      ]}
      """#
    )
  }

  private static let upFront =
    #"{"kind":"introductory","paymentMode":"pay-up-front","period":"P3M","prices":{"USA":"4.99"}}"#
  private static let asYouGo =
    #"{"kind":"introductory","paymentMode":"pay-as-you-go","period":"P1M","periodCount":3,"prices":{"USA":"0.99"}}"#

  /// A button names no price if an offer above it has another one.
  static let paidOffers:
    [(offer: String, storefront: String, language: String, kinds: Set<CatalogOffer.Kind>, button: String)] = [
      (upFront, "USA", "en-US", [.introductory], "Subscribe"),
      (asYouGo, "USA", "en-US", [.introductory], "Subscribe"),
      (upFront, "USA", "de", [.introductory], "Abonnieren"),
      (upFront, "USA", "fr-FR", [.introductory], "S’abonner"),
      (upFront, "USA", "tr", [.introductory], "Abone ol"),
      // A trial for some people and a paid offer for others.
      (
        #"\#(upFront),{"kind":"introductory","paymentMode":"free-trial","period":"P1W"}"#, "USA", "en-US",
        [.introductory], "Try 1 week free"
      ),
      // An offer with a price of zero is worded as free.
      (upFront.replacing("4.99", with: "0"), "USA", "en-US", [.introductory], "Try 3 months free"),
      (asYouGo.replacing("0.99", with: "0"), "USA", "de", [.introductory], "3 Monate gratis testen"),
      // Pages without the offer.
      (upFront, "USA", "en-US", [], "Subscribe for $12.99"),
      (upFront, "JPN", "en-US", [.introductory], "Subscribe for ￥1,900"),
      // A new subscriber pays the price of the product.
      (
        upFront.replacing("introductory", with: "promotional"), "USA", "en-US", [.promotional],
        "Subscribe for $12.99"
      ),
    ]

  @Test(arguments: paidOffers)
  func buttonNamesNoOtherPriceThanOffer(
    offer: String,
    storefront: String,
    language: String,
    kinds: Set<CatalogOffer.Kind>,
    button: String
  ) throws {
    let pages = try Self.pages(Shop(shownOffers: kinds))
    let store = try Self.club(offer).store(storefront, language)
    for page in [try pages.productPage("season", in: store), try pages.storePage(store)] {
      let buttons = page.matches(of: #/<button class="buy"[^>]*data-product="season"[^>]*>(.*?)<\/button>/#)
      #expect(!buttons.isEmpty && buttons.allSatisfy { Self.visible(String($0.1)) == button }, "\(page)")
    }
  }

  /// The comparison states what the page of a plan states.
  @Test(arguments: [
    (
      upFront, "en-US", true,
      "$12.99 every 3 months From January 1, 2027: $14.99 every 3 months Introductory offer $4.99 for 3 months, then $12.99 every 3 months For new subscribers"
    ),
    (
      asYouGo, "de", false,
      "$12.99 alle 3 Monate Einführungsangebot $0.99 pro Monat für 3 Monate, danach $12.99 alle 3 Monate Für neue Abonnenten"
    ),
    ("", "en-US", true, "$12.99 every 3 months From January 1, 2027: $14.99 every 3 months"),
  ]) func comparisonRepeatsOfferAndIncrease(
    offer: String,
    language: String,
    announces: Bool,
    price: String
  ) throws {
    let pages = try Self.pages(Shop(announcesIncreases: announces))
    let store = try Self.club(offer).store("USA", language)
    for page in [try pages.storePage(store), try pages.productPage("monthly", in: store)] {
      let cells = Self.card("season", of: page).matches(of: #/<td data-label[^>]*>(.*?)<\/td>/#)
      #expect(cells.map { Self.visible(String($0.1)) }.contains(price), "\(cells)")
    }
  }

  /// Screen readers get "Current price" for a reduced subscription, too, with its period.
  @Test func speaksReducedSubscription() throws {
    let shop = try PageShop(
      PageShop.json.replacing(
        #""prices":{"USA":"9.99","DEU""#,
        with:
          #""prices":{"USA":[{"amount":"19.99","until":"2026-11-09"},{"amount":"9.99","from":"2026-11-10"}],"DEU""#
      )
    )
    let card = Self.card("monthly", of: try Self.pages().storePage(shop.store("USA", "en-US")))
    #expect(
      card.contains(
        """
        <span class="spoken">Current price: <span lang="en-US">9.99 US dollars</span> per month</span>\
        <span aria-hidden="true"><bdi class="price" lang="en-US" dir="ltr"><span aria-hidden="true" data-amount="9.99">$9.99</span></bdi> \
        per month</span>
        """
      ),
      "\(card)"
    )
  }

  @Test func marksTextInAnotherLanguage() throws {
    let page = try Self.pages().storePage(PageShop().store("SAU", "ar"))
    let card = Self.card("car", of: page)
    #expect(card.contains(#"<bdi lang="en-US" dir="ltr">Car</bdi>"#))
    #expect(card.contains(#"<p class="description"><bdi lang="en-US" dir="ltr">Fast.</bdi></p>"#))
    // Only the product's own page has the note.
    let note = "وصف المنتج بلغة أخرى"
    #expect(!page.contains(note))
    #expect(try Self.pages().productPage("car", in: PageShop().store("SAU", "ar")).contains(note))
    #expect(page.contains(#"<bdi lang="ar" dir="rtl">السيارات</bdi>"#))
    #expect(
      !Self.card("car", of: try Self.pages().storePage(PageShop().store("DEU", "de"))).contains(
        #"class="note""#
      )
    )
  }

  @Test func escapesHTMLInNames() throws {
    let store = try PageShop().store("USA", "en-US")
    let pages = [
      (page: try Self.pages().storePage(store), scripts: 2),
      (page: try Self.pages().productPage("coins", in: store), scripts: 3),
    ]
    for (page, scripts) in pages {
      #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &quot;\u{301} &amp; &#39;coins&#39;"))
      #expect(!page.contains("<script>alert"))
      #expect(!page.contains("</p><b>"))
      // Only the templates' own script elements exist.
      #expect(page.matches(of: #/<script/#).count == scripts)
      #expect(page.matches(of: #/<\/script/#).count == scripts)
    }
  }

  /// A name with bidi controls does not reorder other text.
  @Test func isolatesNames() throws {
    let shop = try PageShop(
      "{\"format\":\"pricetag-catalog\",\"version\":1,\"products\":[{\"productIdentifier\":\"a\",\"localizations\":{\"en-US\":{\"name\":\"\u{202E}evil\u{2069}\u{2069}\"}},\"prices\":{\"USA\":\"1.00\"}}]}"
    )
    let page = try Self.pages().productPage("a", in: shop.store("USA", "en-US"))
    #expect(
      page.contains("<title>\u{2068}\u{202E}evil\u{202C}\u{2069} – Rocket Garage – United States</title>"),
      "\(page)"
    )
    #expect(page.contains("\u{202E}evil\u{202C}</bdi>"))
    #expect(!page.contains("\u{2069}\u{2069}"))
  }

  @Test func showsNoticeWithoutPayments() throws {
    let store = try PageShop().store("USA", "de", canMakePayments: false)
    for page in [try Self.pages().storePage(store), try Self.pages().productPage("car", in: store)] {
      #expect(page.contains("Der Store ist nicht verfügbar"))
      #expect(Self.prices(page).isEmpty)
      #expect(!page.contains("priceCurrency") && !page.contains("product:price"))
    }
  }

  @Test func showsEmptyStore() throws {
    let page = try Self.pages().storePage(PageShop().store("FRA", "en-US"))
    #expect(page.contains("No products are available yet."))
  }

  @Test func rejectsProductNotForSale() throws {
    let store = try PageShop().store("FRA", "en-US")
    try expectError(.notFound, #"the store of FRA has no product "car""#) {
      try Self.pages().productPage("car", in: store)
    }
  }

  // MARK: Structured data

  static let offers: [(product: String, storefront: String, price: String, currency: String)] = [
    ("car", "USA", "1234.50", "USD"), ("car", "DEU", "1234.50", "EUR"), ("car", "JPN", "1200", "JPY"),
    ("car", "EGY", "199.99", "EGP"), ("coins", "USA", "0.99", "USD"), ("yearly", "JPN", "10000", "JPY"),
  ]

  @Test(arguments: offers)
  func writesStructuredData(product: String, storefront: String, price: String, currency: String) throws {
    let store = try PageShop().store(storefront, "ar")
    let page = try Self.pages().productPage(product, in: store)
    let data = try PageSearch.jsonLD(page)
    let offer = try #require(data["offers"] as? [String: Any])
    #expect(data["@type"] as? String == "Product")
    #expect(data["sku"] as? String == product)
    #expect(data["name"] as? String == store.products.first { $0.identifier == product }?.displayName)
    #expect(offer["price"] as? String == price)
    #expect(offer["priceCurrency"] as? String == currency)
    #expect(page.contains(#"<meta property="product:price:amount" content="\#(price)">"#))
    let list = try PageSearch.jsonLD(try Self.pages().storePage(store))
    #expect(list["numberOfItems"] as? Int == store.products.count)
  }

  @Test func linksOtherLanguages() throws {
    let store = try PageShop().store("USA", "de", languages: ["en-US", "de", "ar"])
    let page = try Self.pages().productPage("car", in: store)
    let address = "https://shop.example/store/usa"
    #expect(page.contains(#"<link rel="canonical" href="\#(address)/de/products/car/">"#))
    for (tag, folder) in [("en-US", "en-us"), ("de-US", "de"), ("ar-US", "ar")] {
      #expect(
        page.contains(
          #"<link rel="alternate" hreflang="\#(tag)" href="\#(address)/\#(folder)/products/car/">"#
        )
      )
    }
    // For all others there is the page to choose a store.
    let choice = #"<link rel="alternate" hreflang="x-default" href="https://shop.example/"#
    #expect(page.contains("\(choice)choose/products/car/\">"))
    #expect(try Self.pages().storePage(store).contains("\(choice)\">"))
    #expect(page.contains(#"<meta property="og:locale" content="de_DE">"#))
    // Without an address of the site there are no absolute addresses.
    let plain = try StorePages(shop: Shop()).productPage("car", in: store)
    #expect(!plain.contains("canonical") && !plain.contains("og:url"))
    #expect(plain.contains(#"<link rel="alternate" hreflang="ar-US" href="../../../ar/products/car/">"#))
  }

  /// The languages of a storefront, and the tags that search engines find for them.
  static let searchLanguages: [(storefront: String, languages: [String], tags: [String])] = [
    ("CHE", ["de", "fr-FR", "it", "en-GB"], ["de-CH", "fr-CH", "it-CH", "en-CH"]),
    ("USA", ["en-US", "es-MX", "pt-BR", "zh-Hans"], ["en-US", "es-US", "pt-US", "zh-Hans-US"]),
    ("IND", ["en-GB", "hi"], ["en-IN", "hi-IN"]),
    // Two languages with the same tag: that of the territory is found, or else the storefront's default language.
    ("CAN", ["fr-FR", "fr-CA", "en-US", "en-CA"], ["-", "fr-CA", "-", "en-CA"]),
    ("JPN", ["ja", "en-GB", "en-US"], ["ja-JP", "en-JP", "-"]),
  ]

  @Test(arguments: searchLanguages)
  func namesLanguagesForSearch(storefront: String, languages: [String], tags: [String]) throws {
    let found = try Storefront(storefront).searchLanguages(languages.map { try UILanguage($0) })
    let expected = zip(languages, tags).filter { !$1.hasPrefix("-") }.map { "\($0) \($1)" }
    #expect(found.map { "\($0.language.identifier) \($0.tag)" } == expected)
  }

  /// No two pages of a shop have the same title.
  @Test func titlesAreUnique() throws {
    let (shop, pages) = (try PageShop(), try Self.pages())
    var titles: [String: String] = [:]
    for storefront in ["JPN", "USA", "CAN", "IND", "DEU"] {
      let languages = try Storefront(storefront).languages
      for language in languages {
        let store = try shop.store(storefront, language, languages: languages)
        let texts =
          try [pages.storePage(store)]
          + store.products.map { try pages.productPage($0.identifier, in: store) }
        for (index, page) in texts.enumerated() {
          let title = try #require(PageSearch.title(of: page))
          let place = "\(storefront) \(language) \(index)"
          #expect(titles.updateValue(place, forKey: title) == nil, "\(place): \(title)")
        }
      }
    }
    #expect(titles.count > 30)
  }

  @Test func writesBreadcrumbs() throws {
    let store = try PageShop().store("DEU", "de")
    let page = try Self.pages().productPage("car", in: store)
    let text = try #require(
      page.firstMatch(of: #/<script type="application\/ld\+json">([^<]*BreadcrumbList[^<]*)</#)
    ).1
    let data = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let items = try #require(data["itemListElement"] as? [[String: Any]])
    let lines = items.map { "\($0["position"] ?? "") \($0["name"] ?? "") \($0["item"] ?? "-")" }
    #expect(
      lines == [
        "1 Rocket Garage https://shop.example/store/deu/de/",
        "2 Autos https://shop.example/store/deu/de/#category-cars", "3 Auto -",
      ]
    )
    // Relative addresses are of no use to search engines.
    #expect(try !StorePages(shop: Shop()).productPage("car", in: store).contains("BreadcrumbList"))
  }

  /// A symbol of Latin letters in a right-to-left price keeps its order.
  @Test func isolatesLatinSymbols() throws {
    for (storefront, currency) in [("SAU", "USD"), ("EGY", "EGP")] {
      let price = try PriceFormatter(
        locale: PriceLocale(storefront == "SAU" ? "ar-SA" : "ar-EG"),
        currency: Currency(currency)
      )
      .format("1.50")
      let html = PriceMarkup.visible(price)
      #expect(html.contains(#"<span dir="ltr">US$</span>"#) == (currency == "USD"), "\(html)")
      #expect(html.replacing(#/<[^>]*>/#, with: "") == price.text)
    }
  }

  @Test func showsExistingImages() throws {
    let store = try PageShop().store("USA", "en-US")
    let all = StorePages(shop: try Shop(logo: "/logo.svg", url: "https://shop.example/"))
    let page = try all.productPage("car", in: store)
    #expect(page.contains(#"src="../../../../../images/car.svg""#))
    #expect(page.contains(#"src="../../../../../logo.svg""#))
    #expect(page.contains(#""image":"https://shop.example/images/car.svg""#))
    let none = StorePages(shop: try Shop(logo: "/logo.svg"), hasFile: { _ in false })
    #expect(try !none.productPage("car", in: store).contains("<img"))
  }

  @Test func linksToCheckout() throws {
    let shop = try Shop(checkout: "https://pay.example/?a={product}&s={storefront}&l={language}")
    let page = try Self.pages(shop).storePage(PageShop().store("JPN", "en-US"))
    #expect(page.contains(#"href="https://pay.example/?a=car&amp;s=JPN&amp;l=en-US""#))
    #expect(!page.contains("<button class=\"buy\""))
  }

  // MARK: Entry page

  @Test func entryPageListsStoresAndLanguages() throws {
    let languages = try ["en-US", "de", "ar"].map { try UILanguage($0) }
    let page = try Self.pages().entryPage(
      at: .entry(languages[1]),
      in: languages[1],
      storefronts: PageShop.storefronts(["USA", "JPN", "AUT"]),
      languages: languages,
      on: .date(CalendarDate(PageShop.date))
    )
    let links = page.matches(
      of: #/<li data-storefront="(\w+)"[^>]*><a href="([^"]*)" hreflang="([^"]*)"><span>([^<]*)/#
    )
    .map { "\($0.1) \($0.2) \($0.3) \($0.4)" }
    // By continent, then by name in the language of the page. A store without pages in this language is linked in its own.
    #expect(
      links == [
        "USA ../../store/usa/en-us/ en-US Vereinigte Staaten", "JPN ../../store/jpn/ja/ ja Japan",
        "AUT ../../store/aut/de/ de Österreich",
      ]
    )
    #expect(page.contains(#"<a href="../ar/" lang="ar" hreflang="ar" dir="rtl">العربية</a>"#))
    #expect(page.contains(#"<a href="./" lang="de" hreflang="de" dir="ltr" aria-current="page">Deutsch</a>"#))
  }

  /// The products of a store in the order of its catalog as `identifier price category`, and the identifiers of its cards, the
  /// hero in brackets.
  static let heroes: [(products: [String], hero: String?, cards: String)] = [
    (["a 1 x", "b 2 x"], nil, "[a] b"), (["a 0 x", "b 2 x", "c 3 x"], nil, "[b] a c"),
    // The category of the hero comes first.
    (["a 0 x", "b 0 y", "c 3 y", "d 4 x"], nil, "[c] b a d"),
    (["a 0 x", "b 0 x"], nil, "[a] b"),
    (["a 1 x", "b 2 x", "c 0 y"], "c", "[c] a b"), (["a 1 x", "b 2 x"], "b", "[b] a"),
    // A store that does not sell the product.
    (["a 0 x", "b 2 x"], "c", "[b] a"),
    (["a 0 -", "b 0 x", "c 1 -"], nil, "[c] a b"),
  ]

  @Test(arguments: heroes) func showsHeroFirst(products: [String], hero: String?, cards: String) throws {
    let json = products.enumerated().map { number, product in
      let parts = product.split(separator: " ")
      let category = parts[2] == "-" ? "" : #","category":"\#(parts[2])""#
      return
        #"{"productIdentifier":"\#(parts[0])","sortOrder":\#(number),"prices":{"USA":"\#(parts[1])"}\#(category)}"#
    }
    let store = try PageShop(products: json).store("USA", "en-US")
    let page = try StorePages(shop: Shop(hero: hero)).storePage(store)
    let shown = page.matches(of: #/<li class="card( hero)?" data-product="([^"]*)">/#).map {
      $0.1 == nil ? "\($0.2)" : "[\($0.2)]"
    }
    #expect(shown.joined(separator: " ") == cards)
  }

  @Test(arguments: ["", "a b", "com.example/x", "<b>"]) func rejectsHero(hero: String) throws {
    try expectError(.invalidShop, "is not a product identifier") { try Shop(hero: hero) }
  }

  /// A subscription has a card or a place in a comparison, and its own page leads there.
  static let plans: [(groups: String, category: String?, hero: String?, cards: [String], href: String?)] = [
    // Two plans of a group, beside another product of the category, and alone in it.
    ("club club -", "cars", nil, ["car", "plan2"], "../../#compare-club"),
    ("club club -", "plans", nil, ["car", "plan2"], "../../#compare-club"),
    ("club club club", "plans", nil, ["car"], "../../#compare-club"),
    ("club club club", nil, nil, ["car"], nil),
    // A group of one plan is not compared.
    ("club other -", "plans", nil, ["car", "plan0", "plan1", "plan2"], "../../#category-plans"),
    // The shop wants a plan to be large.
    ("club club -", "plans", "plan0", ["plan0", "plan2", "car"], "../../#compare-club"),
  ]

  @Test(arguments: plans)
  func comparedPlanHasNoCard(groups: String, category: String?, hero: String?, cards: [String], href: String?)
    throws
  {
    let plans = groups.split(separator: " ").enumerated().map { number, group in
      #"{"productIdentifier":"plan\#(number)","kind":"auto-renewable-subscription","subscriptionPeriod":"P\#(number + 1)M","#
        + (group == "-" ? "" : #""subscriptionGroup":"\#(group)","#)
        + (category.map { #""category":"\#($0)","# } ?? "")
        + #""sortOrder":\#(number + 1),"prices":{"USA":"\#(number + 1).99"}}"#
    }
    let car = #"{"productIdentifier":"car","category":"cars","sortOrder":0,"prices":{"USA":"9.99"}}"#
    let store = try PageShop(products: [car] + plans).store("USA", "en-US")
    let pages = try Self.pages(Shop(url: "https://shop.example/", hero: hero))
    let page = try pages.storePage(store)
    let shown = page.matches(of: #/<li class="card[^"]*" data-product="([^"]*)">/#).map { String($0.1) }
    #expect(shown == cards)
    // Each category of the navigation has cards.
    let anchors = page.matches(of: ##/href="#([^"]*)"/##).map { String($0.1) }
    #expect(anchors.allSatisfy { page.contains(#" id="\#($0)""#) }, "\(anchors)")
    let own = try pages.productPage("plan0", in: store)
    let path = own.firstMatch(of: #/<nav class="path".*?<\/nav>/#.dotMatchesNewlines()).map { String($0.0) }
    #expect(path?.contains(href.map { #"href="\#($0)""# } ?? "href") == true)
    if let anchor = href?.split(separator: "#").last {
      #expect(page.contains(#" id="\#(anchor)""#) && own.contains("/store/usa/en-us/#\(anchor)\""))
    }
  }

  /// The first card of a store is the hero; its picture is loaded at once.
  @Test func firstCardIsHero() throws {
    let page = try StorePages(shop: Shop()).storePage(PageShop().store("USA", "en-US"))
    #expect(page.components(separatedBy: #"<li class="card hero" data-product="#).count == 2)
    #expect(page.contains(#"<li class="card hero" data-product="car">"#))
    #expect(page.contains(#"<img src="../../../images/car.svg" alt="" width="400" height="300">"#))
  }
}
