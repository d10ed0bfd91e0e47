import CatalogSamples
import Foundation
import PriceTag
import PriceTagCatalogFormats
import PriceTagStrings
import Testing

@testable import PriceTagCatalog

@Suite struct ProductsRequestTests {
  static func shop() throws -> Catalog {
    let catalog = try Catalog()
    var rejects: [CatalogError] = []
    try catalog.importFiles([
      lines(
        #"{"type":"tier","tier":"1","prices":{"USA":"0.99","JPN":"160","BGR":[{"amount":"1.99","currency":"BGN","until":"2025-12-31"},{"amount":"0.99","from":"2026-01-01"}]}}"#,
        #"{"type":"tier","tier":"2","prices":{"USA":"1.99","JPN":"320"}}"#,
        #"{"type":"category","identifier":"levels","names":{"en-US":"Levels","ja":"レベル"}}"#,
        #"{"type":"subscription-group","identifier":"club","names":{"en-US":"Club"}}"#,
        #"{"productIdentifier":"level1","kind":"non-consumable","category":"levels","localizations":{"en-US":{"name":"Level 1","description":"The first"},"ja":{"name":"レベル1"}},"tier":"1","sortOrder":20}"#,
        #"{"productIdentifier":"level2","localizations":{"de":{"name":"Stufe 2"}},"tier":[{"tier":"1","until":"2026-12-31"},{"tier":"2","from":"2027-01-01"}],"sortOrder":10}"#,
        #"{"productIdentifier":"own","prices":{"USA":"5","CHE":"6"},"priceLocales":{"CHE":"fr-CH"},"tier":"1"}"#,
        #"{"productIdentifier":"draft","approved":false,"tier":"1"}"#,
        #"{"productIdentifier":"not-here","clearedForSale":{"except":["USA"]},"tier":"1"}"#,
        #"{"productIdentifier":"no-price","prices":{"DEU":"1"}}"#,
        #"{"productIdentifier":"later","prices":{"USA":{"amount":"1","from":"2027-01-01"}}}"#,
        #"{"productIdentifier":"over","prices":{"USA":{"amount":"1","until":"2025-12-31"}}}"#,
        #"{"productIdentifier":"no-tier","tier":"99"}"#,
        #"{"productIdentifier":"bulgarian","prices":{"BGR":{"amount":"1.99","currency":"BGN"}}}"#,
        #"{"productIdentifier":"club.monthly","kind":"auto-renewable-subscription","subscriptionGroup":"club","groupLevel":1,"subscriptionPeriod":"P1M","prices":{"USA":"9.99"},"offers":[{"paymentMode":"free-trial","period":"P7D"},{"paymentMode":"pay-as-you-go","period":"P1M","periodCount":3,"prices":{"USA":"2.99"},"kind":"promotional","identifier":"half"},{"paymentMode":"pay-up-front","period":"P6M","prices":{"DEU":"5.99"},"kind":"code","identifier":"elsewhere"},{"paymentMode":"free-trial","period":"P1M","kind":"win-back","identifier":"gone","until":"2026-01-01"}]}"#,
        #"{"productIdentifier":"no-period","kind":"auto-renewable-subscription","prices":{"USA":"9.99"}}"#,
        #"{"productIdentifier":"season","kind":"non-renewing-subscription","subscriptionPeriod":"P3M","prices":{"USA":"14.99"}}"#
      )
    ]) { rejects.append($0) }
    #expect(rejects == [])
    return catalog
  }

  static func request(
    _ identifiers: [String]?,
    _ storefront: String = "USA",
    language: String = "en-US",
    at date: String = "2026-11-21",
    mode: ProductsRequest.Mode = .production,
    canMakePayments: Bool = true,
    localeData: LocaleData = .embedded,
    isLanguageStrict: Bool = false
  ) throws -> ProductsRequest {
    ProductsRequest(
      identifiers,
      storefront: try Storefront(storefront, in: localeData),
      language: try UILanguage(language),
      isLanguageStrict: isLanguageStrict,
      at: try .date(CalendarDate(date)),
      mode: mode,
      canMakePayments: canMakePayments
    )
  }

  // MARK: Languages

  @Test(arguments: [("bg", "en-US", "bg"), ("lt-LT", "en-US", "lt-LT"), ("es-AR", "es-AR", "es-AR")])
  func namesLanguage(requested: String, used: String, named: String) throws {
    let response = try Self.shop().products(
      for: Self.request(["club.monthly"], language: requested, canMakePayments: false)
    )
    #expect(response.language.identifier == used && response.requestedLanguage.identifier == named)
    #expect(response.json.contains(#""requestedLanguage":"\#(requested)""#) == (used != requested))
    #expect(
      response.products.first?.subscription?.durationText.language.identifier.prefix(2) == used.prefix(2)
    )
    #expect(response.paymentsNotice?.title.language.identifier.prefix(2) == used.prefix(2))
  }

  /// A product's own text is in the requested language if the store supports it, also if there are no strings in it.
  @Test func showsTextInLanguageWithoutStrings() throws {
    let source = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "LocaleData/storefronts.json"),
      encoding: .utf8
    )
    let folder = try ScratchFolder([
      "storefronts.json": source.replacing(
        #""defaultLanguage":"en-GB","languages":["en-GB"]"#,
        with: #""defaultLanguage":"en-GB","languages":["en-GB","bg"]"#
      )
    ])
    let data = try LocaleData(folder: folder.path)
    let catalog = try Catalog()
    try catalog.importFiles([
      lines(
        #"{"productIdentifier":"car","localizations":{"en-GB":{"name":"Car"},"bg":{"name":"Кола"}},"prices":{"BGR":"5"}}"#
      )
    ])
    let response = try catalog.products(for: Self.request(["car"], "BGR", language: "bg", localeData: data))
    #expect(response.language.identifier == "en-GB")
    #expect(response.products.map(\.displayName) == ["Кола"])
    let embedded = try catalog.products(for: Self.request(["car"], "BGR", language: "bg"))
    #expect(embedded.products.map(\.displayName) == ["Car"])
  }

  @Test func refusesLanguageWithoutStrings() throws {
    let request = try Self.request(["level1"], language: "bg", isLanguageStrict: true)
    let error = #expect(throws: CatalogError.self) { try Self.shop().products(for: request) }
    #expect(error?.code == .stringsFailed)
    #expect(error?.description.hasPrefix("no strings are available in \"bg\"; use one of ar, bn") == true)
  }

  // MARK: Prices

  static let prices:
    [(identifier: String, storefront: String, date: String, display: String, next: String?)] = [
      ("level1", "USA", "2026-11-21", "$0.99", nil),
      ("level1", "JPN", "2026-11-21", "￥160", nil),
      ("level1", "BGR", "2025-06-30", "BGN\u{A0}1.99", "€0.99 from 2026-01-01"),
      ("level1", "BGR", "2026-01-01", "€0.99", nil),
      ("level2", "USA", "2026-12-31", "$0.99", "$1.99 from 2027-01-01"),
      ("level2", "JPN", "2026-12-31", "￥160", "￥320 from 2027-01-01"),
      ("level2", "JPN", "2027-01-01", "￥320", nil),
      // The product's own price takes precedence over the tier's, which other storefronts use.
      ("own", "USA", "2026-11-21", "$5.00", nil),
      ("own", "JPN", "2026-11-21", "￥160", nil),
      ("own", "CHE", "2026-11-21", "6.00\u{A0}CHF", nil),
    ]

  @Test(arguments: prices)
  func returnsPriceOfStorefrontAndDate(
    identifier: String,
    storefront: String,
    date: String,
    display: String,
    next: String?
  ) throws {
    let response = try Self.shop().products(for: Self.request([identifier], storefront, at: date))
    let product = try #require(response.products.first)
    #expect(product.displayPrice == display)
    #expect(product.scheduledPrice.map { "\($0.price.text) from \($0.firstDay)" } == next)
  }

  /// Prices with dates, and the price before reduction on 2026-11-21.
  static let reductions: [(name: String, prices: String, before: String?)] = [
    ("only one price", #""5""#, nil),
    ("reduced", #"[{"amount":"9","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#, "$9.00"),
    ("raised", #"[{"amount":"4","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#, nil),
    ("today", #"[{"amount":"9","until":"2026-11-20"},{"amount":"5","from":"2026-11-21"}]"#, "$9.00"),
    ("for 30 days", #"[{"amount":"9","until":"2026-10-22"},{"amount":"5","from":"2026-10-23"}]"#, "$9.00"),
    ("for 31 days", #"[{"amount":"9","until":"2026-10-21"},{"amount":"5","from":"2026-10-22"}]"#, nil),
    (
      "raised first: the lowest price of the 30 days before counts",
      #"[{"amount":"6","until":"2026-11-05"},{"amount":"9","from":"2026-11-06","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#,
      "$6.00"
    ),
    (
      "the same price within the 30 days before",
      #"[{"amount":"5","until":"2026-11-05"},{"amount":"9","from":"2026-11-06","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#,
      nil
    ),
    (
      "the same price earlier than 30 days before",
      #"[{"amount":"5","until":"2026-10-01"},{"amount":"9","from":"2026-10-02","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#,
      "$9.00"
    ),
    (
      "the same price in two rows",
      #"[{"amount":"9","until":"2026-10-01"},{"amount":"5","from":"2026-10-02","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#,
      nil
    ),
    (
      "a gap before it",
      #"[{"amount":"9","until":"2026-11-08"},{"amount":"5","from":"2026-11-11"}]"#, nil
    ),
    (
      "a lower price before a gap",
      #"[{"amount":"3","until":"2026-11-01"},{"amount":"9","from":"2026-11-06","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#,
      nil
    ),
    ("a first price", #"[{"amount":"5","from":"2026-11-11"}]"#, nil),
  ]

  @Test(arguments: reductions)
  func returnsLowestPriceBeforeReduction(name: String, prices: String, before: String?) throws {
    let catalog = try Catalog()
    try catalog.importFiles([lines(#"{"productIdentifier":"a","prices":{"USA":\#(prices)}}"#)])
    let product = try #require(try catalog.products(for: Self.request(["a"])).products.first)
    #expect(product.displayPrice == "$5.00")
    #expect(product.priceBeforeReduction?.text == before)
  }

  /// Prices with dates, and on 2026-11-21 the reduction in percent, the last day of the price and that of the reduction.
  static let ends: [(name: String, prices: String, percent: Int?, lastDay: String?, reductionEnds: Bool)] = [
    ("no dates", #""5""#, nil, nil, false),
    (
      "no end",
      #"[{"amount":"9","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#, 44, nil, false
    ),
    (
      "back to the old price",
      #"[{"amount":"9","until":"2026-11-10"},{"amount":"5","from":"2026-11-11","until":"2026-11-30"},{"amount":"9","from":"2026-12-01"}]"#,
      44, "2026-11-30", true
    ),
    (
      "no price afterwards",
      #"[{"amount":"9","until":"2026-11-10"},{"amount":"5","from":"2026-11-11","until":"2026-11-30"}]"#, 44,
      "2026-11-30", true
    ),
    (
      "a gap afterwards, then a lower price",
      #"[{"amount":"9","until":"2026-11-10"},{"amount":"5","from":"2026-11-11","until":"2026-11-30"},{"amount":"3","from":"2026-12-05"}]"#,
      44, "2026-11-30", true
    ),
    (
      "a further reduction",
      #"[{"amount":"9","until":"2026-11-10"},{"amount":"5","from":"2026-11-11","until":"2026-11-30"},{"amount":"3","from":"2026-12-01"}]"#,
      44, "2026-11-30", false
    ),
    (
      "the same price afterwards",
      #"[{"amount":"9","until":"2026-11-10"},{"amount":"5","from":"2026-11-11","until":"2026-11-30"},{"amount":"5","from":"2026-12-01","until":"2026-12-24"}]"#,
      44, "2026-12-24", true
    ),
    ("not reduced", #"[{"amount":"5","until":"2026-11-30"}]"#, nil, "2026-11-30", false),
    ("today is the last day", #"[{"amount":"5","until":"2026-11-21"}]"#, nil, "2026-11-21", false),
    (
      "less than one percent",
      #"[{"amount":"5.05","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#, nil, nil, false
    ),
    (
      "one percent",
      #"[{"amount":"5.06","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#, 1, nil, false
    ),
    (
      "exactly 50 percent",
      #"[{"amount":"10","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#, 50, nil, false
    ),
    (
      "just below 50 percent",
      #"[{"amount":"9.99","until":"2026-11-10"},{"amount":"5","from":"2026-11-11"}]"#, 49, nil, false
    ),
  ]

  @Test(arguments: ends)
  func returnsEndOfReduction(
    name: String,
    prices: String,
    percent: Int?,
    lastDay: String?,
    reductionEnds: Bool
  ) throws {
    let catalog = try Catalog()
    try catalog.importFiles([lines(#"{"productIdentifier":"a","prices":{"USA":\#(prices)}}"#)])
    let product = try #require(try catalog.products(for: Self.request(["a"])).products.first)
    #expect(product.displayPrice == "$5.00")
    #expect(product.reductionPercent == percent)
    #expect(product.priceLastDay?.description == lastDay)
    #expect(product.reductionLastDay == (reductionEnds ? product.priceLastDay : nil))
  }

  /// A rounded price may look reduced by less than it is, or by more.
  @Test(arguments: [("9.60", "5.40", 43), ("9.40", "4.60", 44)])
  func neverOverstatesRoundedReduction(before: String, now: String, percent: Int) throws {
    let catalog = try Catalog()
    try catalog.importFiles([
      lines(
        #"{"productIdentifier":"a","prices":{"USA":[{"amount":"\#(before)","until":"2026-11-10"},{"amount":"\#(now)","from":"2026-11-11"}]}}"#
      )
    ])
    let request = try ProductsRequest(
      ["a"],
      storefront: Storefront("USA"),
      language: .development,
      at: .date(CalendarDate("2026-11-21")),
      style: PriceStyle(digits: .fixed(0), rounding: .halfUp)
    )
    #expect(try catalog.products(for: request).products.first?.reductionPercent == percent)
  }

  /// Prices are never converted, so prices in different currencies cannot be compared.
  @Test func ignoresReductionAcrossCurrencies() throws {
    let catalog = try Catalog()
    try catalog.importFiles([
      lines(
        #"{"productIdentifier":"a","prices":{"BGR":[{"amount":"9","currency":"BGN","until":"2025-12-31"},{"amount":"5","currency":"EUR","from":"2026-01-01"}]}}"#
      )
    ])
    let product = try #require(
      try catalog.products(for: Self.request(["a"], "BGR", at: "2026-01-05")).products.first
    )
    #expect(product.displayPrice == "€5.00")
    #expect(product.priceBeforeReduction == nil)
    // The last price in the old currency ends on the last day of that currency.
    let last = try #require(
      try catalog.products(for: Self.request(["a"], "BGR", at: "2025-12-05")).products.first
    )
    #expect(last.priceLastDay?.description == "2025-12-31")
    #expect(last.scheduledIncrease == nil && last.reductionLastDay == nil)
  }

  @Test func languageDoesNotChangePrices() throws {
    let shop = try Self.shop()
    for language in StoreStrings.embedded.languages {
      let response = try shop.products(
        for: Self.request(["level1", "own"], "JPN", language: language.identifier)
      )
      #expect(response.products.map(\.displayPrice) == ["￥160", "￥160"], "\(language)")
    }
  }

  // MARK: Invalid identifiers

  static let invalid:
    [(identifier: String, storefront: String, reason: InvalidProductIdentifier.Reason, message: String)] = [
      (
        "bad id", "USA", .malformed,
        "the identifier is malformed; use letters, digits, \".\", \"_\", \"-\" and \":\""
      ),
      ("nope", "USA", .unknown, "the catalog has no such product; import it, or correct the identifier"),
      ("draft", "USA", .notApproved, "the product is not approved; use development mode to show it"),
      (
        "not-here", "USA", .notClearedForSale,
        "the product is not cleared for sale in USA; clear it there, or do not request it"
      ),
      (
        "no-period", "USA", .noPeriod,
        "the subscription has no period; import its period"
      ),
      (
        "no-price", "USA", .noPrice,
        "the product has no price in USA on 2026-11-21: no price was imported; import one"
      ),
      (
        "later", "USA", .noPrice,
        "the product has no price in USA on 2026-11-21: its next price starts on 2027-01-01; import one"
      ),
      (
        "over", "USA", .noPrice,
        "the product has no price in USA on 2026-11-21: its last price has ended; import one"
      ),
      (
        "no-tier", "USA", .noPrice,
        "the product has no price in USA on 2026-11-21: the catalog has no tier \"99\"; import one"
      ),
      (
        "level2", "BGR", .noPrice,
        "the product has no price in BGR on 2027-01-01: its tier \"2\" has no price there; import one"
      ),
      (
        "bulgarian", "BGR", .noPrice,
        "the product has no price in BGR on 2026-11-21: its price is in BGN, but the storefront charges EUR; import one"
      ),
    ]

  @Test(arguments: invalid)
  func returnsReasonForInvalidIdentifier(
    identifier: String,
    storefront: String,
    reason: InvalidProductIdentifier.Reason,
    message: String
  ) throws {
    let date = message.contains("2027-01-01: its tier") ? "2027-01-01" : "2026-11-21"
    let response = try Self.shop().products(for: Self.request([identifier, "level1"], storefront, at: date))
    #expect(response.products.map(\.identifier) == ["level1"])
    #expect(
      response.invalidProductIdentifiers == [
        InvalidProductIdentifier(productIdentifier: identifier, reason: reason, message: message)
      ]
    )
  }

  @Test func productionOmitsAndReportsInvalidIdentifiers() throws {
    var reported: [InvalidProductIdentifier] = []
    let response = try Self.shop().products(for: Self.request(["nope", "level1", "evil\n\u{1B}[2J"])) {
      reported = $0
    }
    #expect(response.products.count == 1)
    #expect(reported == response.invalidProductIdentifiers && reported.count == 2)
    #expect(reported.map(\.reason) == [.unknown, .malformed])
    // Descriptions are safe to log: one line without control characters.
    #expect(reported.map(\.description).allSatisfy { !$0.contains { $0.isNewline || $0 == "\u{1B}" } })
    #expect(reported[1].description.hasPrefix(#""evil\u{A}\u{1B}[2J": "#))
  }

  @Test func developmentShowsDraftsAndRejectsInvalidIdentifiers() throws {
    let shop = try Self.shop()
    let response = try shop.products(for: Self.request(["draft", "level1"], mode: .development))
    #expect(response.products.map(\.isApproved) == [false, true])
    var reported: [InvalidProductIdentifier] = []
    let failure = #expect(throws: CatalogError.self) {
      try shop.products(for: Self.request(["nope", "draft", "later"], mode: .development)) { reported = $0 }
    }
    #expect(reported.map(\.productIdentifier) == ["nope", "later"])
    #expect(failure?.code == .invalidProductIdentifiers)
    #expect(failure?.description.contains(#""nope": the catalog has no such product"#) == true)
    #expect(failure?.description.contains(#""later": the product has no price"#) == true)
  }

  @Test func returnsProductsInRequestOrder() throws {
    let shop = try Self.shop()
    let some = try shop.products(for: Self.request(["own", "level1", "own", "level2"]))
    #expect(some.products.map(\.identifier) == ["own", "level1", "level2"])
    // All products are in store order: by sort order, then those without one, by identifier.
    let all = try shop.products(for: Self.request(nil))
    #expect(all.products.map(\.identifier) == ["level2", "level1", "club.monthly", "own", "season"])
    #expect(try shop.products(for: Self.request([])).products.isEmpty)
  }

  // MARK: Texts

  static let texts:
    [(identifier: String, storefront: String, language: String, name: String, origin: Product.Text.Origin?)] =
      [
        ("level1", "USA", "en-US", "Level 1", .requested),
        ("level1", "USA", "en-GB", "Level 1", .requested),
        ("level1", "JPN", "ja", "レベル1", .requested),
        // Japan's store supports English; the store of the United States does not support Japanese.
        ("level1", "JPN", "en-GB", "Level 1", .requested),
        ("level1", "USA", "ja", "Level 1", .storeDefault),
        ("level1", "JPN", "de", "レベル1", .storeDefault),
        ("level1", "DEU", "de", "Level 1", .other),
        // The product has a text in neither the shopper's language nor the store's.
        ("level2", "USA", "en-US", "Stufe 2", .other),
        ("own", "USA", "en-US", "own", nil),
      ]

  @Test(arguments: texts)
  func choosesTextLanguage(
    identifier: String,
    storefront: String,
    language: String,
    name: String,
    origin: Product.Text.Origin?
  ) throws {
    let catalog = try Self.shop()
    try catalog.importFiles([lines(#"{"productIdentifier":"level1","prices":{"DEU":"1"}}"#)])
    let response = try catalog.products(for: Self.request([identifier], storefront, language: language))
    let product = try #require(response.products.first)
    #expect(product.displayName == name)
    #expect(product.text?.origin == origin)
  }

  @Test func localizesSubscriptionsAndOffers() throws {
    let shop = try Self.shop()
    let german = try shop.products(for: Self.request(["club.monthly", "season", "level1"], language: "de"))
      .products
    #expect(german[0].subscription?.priceText?.plain == "$9.99 pro Monat")
    #expect(
      german[0].subscription?.group == Product.Group(identifier: "club", name: "Club", language: "en-US")
    )
    #expect(
      german[0].offers.map { "\($0.kind) \($0.identifier ?? "-"): \($0.text.plain)" } == [
        "introductory -: 7 Tage gratis, danach $9.99 pro Monat",
        "promotional half: $2.99 pro Monat für 3 Monate, danach $9.99 pro Monat",
      ]
    )
    // A non-renewing subscription is paid once, so it has no price per period.
    #expect(german[1].subscription?.priceText == nil)
    #expect(german[1].subscription?.durationText.plain == "3 Monate")
    #expect(german[2].subscription == nil)
  }

  /// An offer of several phases is available where each phase has a price or is free.
  @Test func showsAllPhasesOfOffer() throws {
    let catalog = try Catalog()
    try catalog.importFiles([
      lines(
        #"{"productIdentifier":"club","kind":"auto-renewable-subscription","subscriptionPeriod":"P1M","prices":{"USA":"4.99","DEU":"5.99","FRA":"5.99"},"offers":[{"paymentMode":"free-trial","period":"P7D","laterPhases":[{"paymentMode":"pay-up-front","period":"P1M","prices":{"USA":"0.99","DEU":"0.99"}},{"paymentMode":"pay-as-you-go","period":"P1M","periodCount":3,"prices":{"USA":"2.49","FRA":"2.49"}}]}]}"#
      )
    ])
    func offers(_ storefront: String) throws -> [Product.Offer] {
      try catalog.products(for: Self.request(["club"], storefront)).products[0].offers
    }
    let offer = try #require(try offers("USA").first)
    #expect(
      offer.text.plain
        == "7 days free, then $0.99 for 1 month, then $2.49 per month for 3 months, then $4.99 per month"
    )
    #expect(offer.price == nil && offer.laterPhases.map { $0.price?.text } == ["$0.99", "$2.49"])
    #expect(offer.laterPhases.map(\.periodCount) == [1, 3])
    #expect(try offers("DEU").isEmpty && offers("FRA").isEmpty)
    #expect(try catalog.verify().damages == 0)
  }

  @Test func returnsPaymentsNotice() throws {
    let shop = try Self.shop()
    let response = try shop.products(for: Self.request(["level1"], language: "fr-FR", canMakePayments: false))
    #expect(!response.canMakePayments)
    #expect(response.paymentsNotice?.title.plain == Self.paymentsNotAllowed("fr-FR"))
    #expect(response.products.map(\.displayPrice) == ["$0.99"])
    #expect(try shop.products(for: Self.request(["level1"])).paymentsNotice == nil)
  }

  private static func paymentsNotAllowed(_ language: String) -> String? {
    try? StoreStrings.embedded.format("payments_not_allowed", in: UILanguage(language)).plain
  }

  @Test func doesNotRoundPrices() throws {
    let request = ProductsRequest(
      ["level1", "own"],
      storefront: try Storefront("USA"),
      language: .development,
      style: PriceStyle(digits: .fixed(0))
    )
    let response = try Self.shop().products(for: request)
    #expect(response.products.map(\.displayPrice) == ["$5"])
    #expect(response.invalidProductIdentifiers.map(\.reason) == [.notDisplayable])
  }

  @Test func writesJSON() throws {
    let response = try Self.shop().products(for: Self.request(["level1", "nope"], "JPN", language: "en-GB"))
    #expect(
      response.json == """
        {"storefront":"JPN","language":"en-GB","date":"2026-11-21","canMakePayments":true,"products":[\
        {"productIdentifier":"level1","kind":"non-consumable","displayName":"Level 1","description":"The first",\
        "textLanguage":"en-US","textOrigin":"reader","price":{"amount":"160","currency":"JPY","priceLocale":"ja-JP",\
        "display":"￥160","spoken":"160円","html":"<bdi lang=\\"ja-JP\\" dir=\\"ltr\\">￥160</bdi>"},"tier":"1",\
        "priceBeforeReduction":null,"scheduledPrice":null,"category":{"identifier":"levels","name":"Levels"},"subscription":null,"offers":[],\
        "image":null,"images":[],"related":null,"approved":true,"content":null,"unitPrice":null}],"invalidProductIdentifiers":[{"productIdentifier":"nope","reason":"unknown",\
        "message":"the catalog has no such product; import it, or correct the identifier"}]}
        """
    )
  }
}

@Suite struct PriceTableTests {
  static func price(_ storefront: String, _ amount: String, _ first: String? = nil, _ last: String? = nil)
    throws -> CatalogPrice
  {
    CatalogPrice(
      storefront: storefront,
      amount: try Amount(decimal: amount),
      currency: try Storefront(storefront).currency(on: .todayInUTC),
      days: try DateRange(from: first.map { try CalendarDate($0) }, until: last.map { try CalendarDate($0) })
    )
  }

  static let additions:
    [(name: String, prices: [(String, String, String?, String?)], expected: [String], error: String?)] = [
      (
        "sorts by storefront", [("USA", "1", nil, nil), ("DEU", "2", nil, nil)], ["DEU 2 EUR", "USA 1 USD"],
        nil
      ),
      ("an equal price", [("USA", "1", nil, nil), ("USA", "1.00", nil, nil)], ["USA 1 USD"], nil),
      (
        "consecutive dates", [("USA", "2", "2027-01-01", nil), ("USA", "1", nil, "2026-12-31")],
        ["USA 1 USD until 2026-12-31", "USA 2 USD from 2027-01-01"], nil
      ),
      (
        "a conflict rejects all prices of the storefront",
        [("USA", "1", nil, nil), ("DEU", "2", nil, nil), ("USA", "3", "2027-01-01", nil)],
        ["DEU 2 EUR"],
        "USA has 3 USD and 1 USD on the same dates; keep one price per date, and end the earlier one before 2027-01-01 (all prices of USA were rejected)"
      ),
      (
        "a price after a conflict",
        [("USA", "1", nil, nil), ("USA", "3", nil, nil), ("USA", "1", nil, nil)],
        [],
        "USA has 1 USD and other prices on the same dates; keep one price per date (all prices of USA were rejected)"
      ),
    ]

  @Test(arguments: additions)
  func pricesNeverOverlap(
    name: String,
    prices: [(String, String, String?, String?)],
    expected: [String],
    error: String?
  ) throws {
    var table = PriceTable()
    var failure: CatalogError?
    for price in prices {
      let price = try Self.price(price.0, price.1, price.2, price.3)
      do throws(CatalogError) { try table.add(price) } catch { failure = error }
    }
    #expect(table.lines == expected, "\(name)")
    #expect(failure?.description == error)
  }

  @Test func limitsPricesPerStorefront() throws {
    var table = PriceTable()
    let usd = try Currency("USD")
    var day = try CalendarDate("2000-01-01")
    var failure: CatalogError?
    for _ in 0...1000 {
      do throws(CatalogError) {
        try table.add(
          CatalogPrice(storefront: "USA", amount: 1, currency: usd, days: DateRange(from: day, until: day))
        )
      } catch { failure = error }
      day = day.next
    }
    #expect(failure?.code == .tooLarge && table.prices.count == 1000)
  }
}
