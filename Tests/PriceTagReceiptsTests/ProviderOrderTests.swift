import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagReceipts
import PriceTagStrings
import Testing

/// Decoded App Store transactions and Stripe checkout sessions as orders.
@Suite struct ProviderOrderTests {
  static func transaction(_ changes: [String: String?] = [:]) -> String {
    ReceiptHarness.json(
      [
        "transactionId": "\"2000000000000001\"", "productId": "\"coins\"",
        "bundleId": "\"com.example.garage\"",
        "purchaseDate": "1795392000000", "quantity": "3", "type": "\"Consumable\"", "price": "2970",
        "currency": "\"USD\"", "storefront": "\"USA\"", "storefrontId": "\"143441\"",
        "inAppOwnershipType": "\"PURCHASED\"", "environment": "\"Production\"", "futureField": "{}",
      ],
      changes
    )
  }

  static let transactions: [(changes: [String: String?], totals: String)] = [
    ([:], "Total $2.97"),
    (
      ["storefront": "\"JPN\"", "currency": "\"JPY\"", "price": "160000", "quantity": "1"], "Total ￥160"
    ),
    (
      ["storefront": "\"KWT\"", "currency": "\"USD\"", "price": "4990", "quantity": nil],
      "Total \u{200F}٤٫٩٩ US$"
    ),
    (["price": "0", "quantity": "1", "offerType": "1"], "Total $0.00"),
    (
      ["revocationDate": "1795478400000", "revocationReason": "0"],
      "Total $2.97, Refund -$2.97, Total after refund $0.00"
    ),
    (
      [
        "revocationDate": "1795478400000", "revocationType": "\"REFUND_FULL\"",
        "revocationPercentage": "100000",
      ],
      "Total $2.97, Refund -$2.97, Total after refund $0.00"
    ),
    // The percentage is rounded, so that the amount is not known.
    (
      [
        "revocationDate": "1795478400000", "revocationType": "\"REFUND_PRORATED\"",
        "revocationPercentage": "33333",
      ],
      "Total $2.97"
    ),
    (["revocationDate": "1795478400000", "revocationType": "\"FAMILY_REVOKE\""], "Total $2.97"),
    (["quantity": "7"], "Total $2.97"), (["quantity": "2"], "Total $2.97"),
    (["storefront": nil], "/storefront: the field \"storefront\" is missing; add it"),
    (
      ["price": "2975", "quantity": "1"],
      "/lines/0/unitPrice: 2.975 has more decimals than USD has (2); write the exact amount that was charged; amounts are never rounded"
    ),
    (
      ["price": nil],
      "/price: the transaction has no price; request the transaction again from the App Store Server API, which adds price and currency"
    ),
    (
      ["currency": "\"EUR\""],
      "/currency: the USA store charges USD on 2026-11-22, not EUR; use the storefront that charged the order; amounts are never converted"
    ),
    (
      ["inAppOwnershipType": "\"FAMILY_SHARED\""],
      "/inAppOwnershipType: a family member shared the purchase, and nothing was charged; use the transaction of the purchaser"
    ),
    (
      ["price": "2.97"],
      "/price: 2.97 is not an integer from -999999999999999 to 999999999999999; write a number in that range"
    ),
  ]

  @Test(arguments: transactions) func readsTransactions(changes: [String: String?], totals: String) {
    #expect(ReceiptHarness.totals(Self.transaction(changes)) == totals)
  }

  /// What the receipt of a test states about the payment, in two languages, and its findings.
  static let tests: [(name: String, order: String, english: String, german: String, findings: [String])] = [
    ("production", transaction(), "Paid", "Bezahlt", []),
    ("no environment", transaction(["environment": nil]), "Paid", "Bezahlt", []),
    ("sandbox", transaction(["environment": "\"Sandbox\""]), testWords.0, testWords.1, [finding("2.97")]),
    ("Xcode", transaction(["environment": "\"Xcode\""]), testWords.0, testWords.1, [finding("2.97")]),
    (
      "a refund in the sandbox",
      transaction(["environment": "\"Sandbox\"", "revocationDate": "1795478400000"]),
      testWords.0, testWords.1, [finding("2.97")]
    ),
    ("live session", session(["livemode": "true"]), "Paid", "Bezahlt", []),
    ("test session", session(["livemode": "false"]), testWords.0, testWords.1, [finding("19.98")]),
    (
      "an unpaid test session", session(["livemode": "false", "payment_status": "\"unpaid\""]),
      testWords.0, testWords.1, [finding("19.98")]
    ),
    (
      "own format", ReceiptHarness.order(["state": "\"test\""]),
      testWords.0, testWords.1, [finding("9.98")]
    ),
  ]

  private static let testWords = ("Test purchase, not paid", "Testkauf, nicht bezahlt")

  private static func finding(_ amount: String) -> String {
    "the order is a test; \(amount) USD was not paid"
  }

  @Test(arguments: tests)
  func marksTests(name: String, order: String, english: String, german: String, findings: [String]) throws {
    for (language, words) in [("en-US", english), ("de", german)] {
      let receipt = try ReceiptHarness.receipt(order, language: language)
      #expect(receipt.findings.map(\.description) == findings)
      #expect(receipt.json.contains(#""state":"test""#) == !findings.isEmpty)
      for form in ReceiptForm.allCases { #expect(receipt.text(as: form).contains(words), "\(form)") }
    }
  }

  @Test func rejectsUnknownEnvironment() throws {
    #expect(
      ReceiptHarness.totals(Self.transaction(["environment": "\"Staging\""]))
        == #"/environment: unknown environment "Staging"; use Production, Sandbox, Xcode or LocalTesting"#
    )
  }

  @Test func readsFactsOfTransactions() throws {
    let receipt = try ReceiptHarness.receipt(Self.transaction(["offerType": "4"]))
    #expect(receipt.order.identifier == "2000000000000001")
    // 2026-11-23T00:00Z, when it is the day before in the store.
    #expect(receipt.order.date.description == "2026-11-22")
    #expect(receipt.order.lines.map(\.unitPrice) == ["0.99"])
    #expect(receipt.order.lines.map(\.offer) == [.winBack])
    #expect(receipt.language.identifier == "en-US")
    // The App Store adds sales tax, which the transaction does not state.
    #expect(receipt.text.contains("plus tax"))
    let states = [
      "REFUND_PRORATED": "partially-refunded", "FAMILY_REVOKE": "revoked", "REFUND_FULL": "refunded",
    ]
    for (type, state) in states {
      let changes = ["revocationDate": "1795478400000", "revocationType": "\"\(type)\""]
      #expect(try ReceiptHarness.receipt(Self.transaction(changes)).order.state.rawValue == state)
    }
  }

  static func session(_ changes: [String: String?] = [:], item: [String: String?] = [:]) -> String {
    let line = ReceiptHarness.json(
      [
        "id": "\"li_1\"", "object": "\"item\"", "amount_discount": "0", "amount_subtotal": "1998",
        "amount_tax": "0",
        "amount_total": "1998", "currency": "\"usd\"", "description": "\"Rocket car\"", "quantity": "2",
        "price": #"{"id":"price_1","object":"price","unit_amount":999,"product":"prod_1"}"#,
      ],
      item
    )
    return ReceiptHarness.json(
      [
        "id": "\"cs_test_1\"", "object": "\"checkout.session\"", "amount_subtotal": "1998",
        "amount_total": "1998",
        "created": "1795392000", "currency": "\"usd\"", "locale": "null", "payment_status": "\"paid\"",
        "status": "\"complete\"",
        "customer_details": #"{"name":"Ada","email":"ada@example.com","address":{"country":"US"}}"#,
        "total_details": #"{"amount_discount":0,"amount_shipping":0,"amount_tax":0}"#,
        "line_items": #"{"object":"list","data":[\#(line)],"has_more":false}"#, "metadata": "{}",
      ],
      changes
    )
  }

  typealias Session = (changes: [String: String?], item: [String: String?], totals: String)

  static let sessions: [Session] = [
    ([:], [:], "Total $19.98"),
    // A tax that is added, after a discount.
    (
      [
        "amount_total": "1945",
        "total_details": #"{"amount_discount":200,"amount_shipping":0,"amount_tax":147}"#,
      ],
      ["amount_discount": "200", "amount_tax": "147", "amount_total": "1945"],
      "Subtotal $17.98, Tax $1.47, Total $19.45"
    ),
    // A tax that prices include.
    (
      [
        "currency": "\"eur\"", "customer_details": #"{"address":{"country":"DE"}}"#,
        "total_details": #"{"amount_discount":0,"amount_shipping":0,"amount_tax":319}"#,
      ], ["currency": "\"eur\"", "amount_tax": "319"], "Total 19,98 €, VAT included 3,19 €"
    ),
    // Currencies without decimals, and with other decimals at Stripe than in ISO 4217.
    (
      ["currency": "\"jpy\"", "customer_details": #"{"address":{"country":"JP"}}"#], ["currency": "\"jpy\""],
      "Total ￥1,998"
    ),
    (
      [
        "amount_total": "2498",
        "shipping_cost": #"{"amount_subtotal":500,"amount_tax":0,"amount_total":500}"#,
      ], [:],
      "Subtotal $19.98, Shipping $5.00, Total $24.98"
    ),
    (
      [
        "amount_total": "2498",
        "total_details": #"{"amount_discount":0,"amount_shipping":500,"amount_tax":0}"#,
      ], [:],
      "Subtotal $19.98, Shipping $5.00, Total $24.98"
    ),
    (
      ["payment_intent": #"{"id":"pi_1","latest_charge":{"id":"ch_1","amount_refunded":999}}"#], [:],
      "Total $19.98, Refund -$9.99, Total after refund $9.99"
    ),
    (["payment_intent": "\"pi_1\""], [:], "Total $19.98"),
    (
      ["amount_total": "1999"], [:],
      "/charged: the lines add up to 19.98 USD, but 19.99 USD was charged; correct the amounts of the order"
    ),
    (
      ["amount_subtotal": "1000"], [:],
      "/subtotal: the lines add up to a subtotal of 19.98 USD, but 10.00 USD is stated; correct the amounts of the order"
    ),
    (
      ["total_details": #"{"amount_discount":100,"amount_shipping":0,"amount_tax":0}"#], [:],
      "/total_details/amount_discount: the discounts of the lines add up to 0.00 USD, but 1.00 USD is stated; retrieve the session with all line items, their amount_discount and amount_tax"
    ),
    (
      [:], ["amount_discount": "2000"],
      "/line_items/data/0/amount_discount: the discount 20.00 USD is not between 0.00 USD and 19.98 USD; correct the discount"
    ),
    // Named taxes with rates, of an expanded line item and of the shipping.
    (
      [
        "amount_total": "2698",
        "shipping_cost":
          #"{"amount_subtotal":500,"amount_tax":40,"amount_total":540,"taxes":[{"amount":40,"rate":{"display_name":"State tax","percentage":8,"inclusive":false}}]}"#,
        "total_details":
          #"{"amount_discount":0,"amount_shipping":500,"amount_tax":200,"breakdown":{"discounts":[],"taxes":[{"amount":160},{"amount":40}]}}"#,
      ],
      [
        "amount_tax": "160", "amount_total": "2158",
        "taxes":
          #"[{"amount":120,"rate":{"display_name":"State tax","percentage":8.0,"inclusive":false}},{"amount":40,"rate":{"display_name":"City tax","percentage":2.125,"inclusive":false}}]"#,
      ],
      "Subtotal $19.98, Shipping $5.00, Tax (State tax 8%) $1.60, Tax (City tax 2.125%) $0.40, Total $26.98"
    ),
    (
      ["total_details": #"{"amount_discount":0,"amount_shipping":0,"amount_tax":319}"#],
      [
        "amount_tax": "319",
        "taxes":
          #"[{"amount":319,"rate":{"display_name":"VAT","percentage":19,"inclusive":true}},{"amount":0,"rate":"txr_1"}]"#,
      ], "Total $19.98, Tax included (VAT 19%) $3.19"
    ),
    (
      [:], ["taxes": #"[{"amount":147,"rate":{"display_name":"VAT","percentage":19,"inclusive":true}}]"#],
      "/line_items/data/0/amount_tax: the taxes add up to 1.47 USD, but 0.00 USD is stated; retrieve the session with all line items, their amount_discount and amount_tax"
    ),
    (
      [
        "total_details":
          #"{"amount_discount":0,"amount_shipping":0,"amount_tax":0,"breakdown":{"discounts":[],"taxes":[{"amount":160}]}}"#
      ], [:],
      "/total_details/breakdown: the taxes add up to 1.60 USD, but 0.00 USD is stated; retrieve the session with all line items, their amount_discount and amount_tax"
    ),
    (
      ["line_items": nil], [:],
      "/line_items: the session has no line items; retrieve it with expand[]=line_items"
    ),
    (
      ["status": "\"open\"", "payment_status": "\"unpaid\""], [:],
      "/status: the session is \"open\", not complete; wait for the event checkout.session.completed"
    ),
    (
      ["customer_details": nil], [:],
      "the session has no storefront, and its buyer has no country; name a storefront with --storefront or OrderReader.storefront"
    ),
    // The seller's checkout chooses the currency, which can be one that no storefront charges.
    (["currency": "\"eur\""], ["currency": "\"eur\""], "Total €19.98"),
    (
      ["currency": "\"kwd\"", "customer_details": #"{"address":{"country":"KW"}}"#], ["currency": "\"kwd\""],
      "Total \u{200F}١٫٩٩٨ د.ك.\u{200F}"
    ),
    // Stripe counts hundredths of a krona, which has none.
    (
      ["currency": "\"isk\""], ["currency": "\"isk\""],
      "/lines/0/subtotal: 19.98 has more decimals than ISK has (0); write the exact amount that was charged; amounts are never rounded"
    ),
    (
      ["currency": "\"isk\"", "amount_subtotal": "199800", "amount_total": "199800"],
      ["currency": "\"isk\"", "amount_subtotal": "199800", "amount_total": "199800"], "Total ISK 1,998"
    ),
    (
      ["presentment_details": #"{"presentment_amount":1850,"presentment_currency":"eur"}"#], [:],
      "/presentment_details/presentment_currency: the buyer was charged in \"eur\", but the lines are in \"usd\"; write the order in PriceTag's own format, with the amounts that were charged"
    ),
    (
      ["object": "\"payment_intent\""], [:],
      "/object: the Stripe object is \"payment_intent\", not a checkout session; pass an object \"checkout.session\" with expanded line_items"
    ),
    (
      [:], ["currency": "\"eur\""],
      "/line_items/data/0/currency: the item is in another currency than the session; use the session as Stripe sent it"
    ),
  ]

  @Test(arguments: sessions) func readsSessions(row: Session) {
    #expect(ReceiptHarness.totals(Self.session(row.changes, item: row.item)) == row.totals)
  }

  /// Prices of one item, and what the receipt shows below the name of the product.
  static let unitPrices: [(price: String, quantity: Int, subtotal: Int, unitPrice: Amount?, note: String)] = [
    (#"{"id":"p"}"#, 2, 1998, "9.99", "2 × $9.99"), (#"{"id":"p"}"#, 7, 2000, nil, "Quantity 7"),
    (#"{"id":"p"}"#, 2, 1633, nil, "Quantity 2"), (#"{"id":"p"}"#, 1, 1633, "16.33", ""),
    // Stripe multiplies a price with fractions of a cent and rounds the product.
    (#"{"id":"p","unit_amount_decimal":"816.5"}"#, 2, 1633, nil, "Quantity 2"),
    (#"{"id":"p","unit_amount_decimal":"816.5"}"#, 3, 2450, nil, "Quantity 3"),
    (#"{"id":"p","unit_amount_decimal":"250.1"}"#, 4, 1000, nil, "Quantity 4"),
    (#"{"id":"p","unit_amount_decimal":"999"}"#, 2, 1998, "9.99", "2 × $9.99"),
    (#"{"id":"p","currency":"usd","unit_amount_decimal":"999.000"}"#, 2, 1998, "9.99", "2 × $9.99"),
    // A trial, and a part of a period.
    (#"{"id":"p","unit_amount_decimal":"999"}"#, 1, 0, "0", ""),
    (#"{"id":"p","unit_amount_decimal":"999"}"#, 2, 1500, "7.50", "2 × $7.50"),
    // Prices of packages, of tiers and in another currency.
    (
      #"{"id":"p","unit_amount_decimal":"2000","transform_quantity":{"divide_by":7,"round":"up"}}"#, 7, 2000,
      nil, "Quantity 7"
    ),
    (#"{"id":"p","unit_amount_decimal":null,"billing_scheme":"tiered"}"#, 2, 1998, "9.99", "2 × $9.99"),
    (#"{"id":"p","currency":"eur","unit_amount_decimal":"900"}"#, 2, 1998, "9.99", "2 × $9.99"),
  ]

  @Test(arguments: unitPrices)
  func readsUnitPrices(price: String, quantity: Int, subtotal: Int, unitPrice: Amount?, note: String) throws {
    let session = Self.session(
      ["amount_subtotal": "\(subtotal)", "amount_total": "\(subtotal)"],
      item: [
        "price": price, "quantity": "\(quantity)", "amount_subtotal": "\(subtotal)",
        "amount_total": "\(subtotal)",
      ]
    )
    let receipt = try ReceiptHarness.receipt(session, language: "en-US")
    #expect(receipt.lines.map(\.line.unitPrice) == [unitPrice])
    #expect(receipt.lines.map(\.subtotal.amount) == [try Amount(minorUnits: Int64(subtotal), exponent: 2)])
    let json = receipt.json
    #expect(
      json.contains("\"quantity\":\(quantity),\"unitPrice\":\(unitPrice == nil ? "null" : "{")"),
      "\(json)"
    )
    if !note.isEmpty {
      #expect(receipt.text.contains("\n  \(note)\n"))
      let shown = receipt.email.replacing(#/<[^>]*>/#, with: "")
      #expect(shown.contains(note))
    }
  }

  /// Countries of buyers: the storefront of the receipt, and the name of a tax, which is the storefront's only for its own.
  static let countries: [(country: String, option: String?, storefront: String?, mapped: Bool, tax: String)] =
    [
      ("DE", nil, "DEU", false, "VAT included"), ("de", "FRA", "DEU", false, "VAT included"),
      ("MC", nil, "FRA", true, "Tax included"), ("MC", "USA", "FRA", true, "Tax included"),
      ("PR", nil, "USA", true, "Tax included"), ("LI", nil, "CHE", true, "Tax included"),
      ("RE", nil, "FRA", true, "Tax included"), ("AD", nil, "ESP", true, "Tax included"),
      ("BD", "DEU", "DEU", true, "Tax included"), ("BD", nil, nil, true, ""),
    ]

  @Test(arguments: countries)
  func readsCountries(country: String, option: String?, storefront: String?, mapped: Bool, tax: String) throws
  {
    let session = Self.session(
      [
        "currency": "\"eur\"", "customer_details": "{\"address\":{\"country\":\"\(country)\"}}",
        "total_details": #"{"amount_discount":0,"amount_shipping":0,"amount_tax":319}"#,
      ],
      item: ["currency": "\"eur\"", "amount_tax": "319"]
    )
    guard let storefront else {
      #expect(
        ReceiptHarness.totals(session)
          == "/customer_details/address/country: no storefront is known for a buyer in \"BD\"; name one with --storefront or OrderReader.storefront"
      )
      return
    }
    let receipt = try ReceiptHarness.receipt(session, language: "en-US", storefront: option)
    #expect(receipt.order.storefront.id == storefront)
    #expect(receipt.order.country == (mapped ? country : nil))
    #expect(receipt.totals.last?.label.plain == tax)
    let place =
      "\"storefront\":\"\(storefront)\"," + (mapped ? "\"country\":\"\(country)\"," : "\"currency\"")
    #expect(receipt.json.contains(place))
    let name = UILanguage.development.name(of: receipt.order.storefront)
    for form in [ReceiptForm.text, .page, .email] {
      #expect(receipt.text(as: form).contains(name), "\(form)")
    }
  }

  /// The locale of a session, and the language of its receipt: the store's default one if there are no strings.
  static let locales: [(locale: String, country: String, language: String, requested: String?)] = [
    ("bg", "BG", "en-GB", "bg"), ("fil", "PH", "en-GB", "fil"), ("mt", "MT", "en-US", nil),
    ("de", "DE", "de", nil), ("auto", "BG", "en-GB", nil), ("lt", "MC", "fr-FR", "lt"),
  ]

  @Test(arguments: locales)
  func readsLocales(locale: String, country: String, language: String, requested: String?) throws {
    let session = Self.session([
      "locale": "\"\(locale)\"", "customer_details": "{\"address\":{\"country\":\"\(country)\"}}",
    ])
    let receipt = try ReceiptHarness.receipt(session)
    let next = requested.map { "\"requestedLanguage\":\"\($0)\"" } ?? "\"date\""
    #expect(receipt.json.contains("\"language\":\"\(language)\",\(next)"), "\(receipt.json)")
    #expect(receipt.resolvedLanguage.isStoreDefault == (requested != nil))
    let order = try OrderReader().order(Array(session.utf8))
    var code: ReceiptErrorCode?
    do throws(ReceiptError) { _ = try Receipt(order, isLanguageStrict: true) } catch { code = error.code }
    #expect(code == (requested == nil ? nil : .unknownLanguage))
  }

  private static func tokyo(_ milliseconds: String) -> String {
    transaction([
      "purchaseDate": milliseconds, "storefront": "\"JPN\"", "currency": "\"JPY\"", "price": "600000",
      "quantity": "1",
    ])
  }

  private static func session(in country: String, _ seconds: String) -> String {
    session(["created": seconds, "customer_details": "{\"address\":{\"country\":\"\(country)\"}}"])
  }

  /// A receipt has the date of the storefront at the time of the purchase.
  static let days: [(order: String, date: String)] = [
    (tokyo("1798729200000"), "2027-01-01"), (tokyo("1798729199999"), "2026-12-31"),
    // The date of a refund does not change it.
    (transaction(["purchaseDate": "1798761600000", "revocationDate": "1799000000000"]), "2026-12-31"),
    (transaction(["purchaseDate": "1798790400000", "revocationDate": "1799000000000"]), "2027-01-01"),
    // Midnight in UTC is on the day before in the United States. Puerto Rico has the date of its storefront.
    (session(in: "US", "1798761600"), "2026-12-31"), (session(in: "US", "1798790399"), "2026-12-31"),
    (session(in: "US", "1798790400"), "2027-01-01"), (session(in: "PR", "1798761600"), "2026-12-31"),
    (session(in: "NZ", "1798761600"), "2027-01-01"),
  ]

  @Test(arguments: days) func hasDateOfStorefront(order: String, date: String) throws {
    #expect(try ReceiptHarness.receipt(order).order.date.description == date)
  }

  /// A price that starts on January 1 in Tokyo is that of a purchase at midnight there.
  @Test func comparesPriceOfTheDayInTokyo() throws {
    let catalog = try Catalog()
    let shop = #"""
      {"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"coins","localizations":{"en-US":{"name":"Gold"}},
       "prices":{"JPN":[{"amount":"500","until":"2026-12-31"},{"amount":"600","from":"2027-01-01"}]}}]}
      """#
    try catalog.importFiles([CatalogFile(name: "shop.json", bytes: Array(shop.utf8))])
    let receipt = try ReceiptHarness.receipt(Self.days[0].order, language: "en-US", catalog: catalog)
    #expect(receipt.findings.isEmpty)
    #expect(receipt.text.contains("January 1, 2027"))
    let before = try ReceiptHarness.receipt(Self.days[1].order, language: "en-US", catalog: catalog)
    #expect(before.findings.map(\.message) == ["charged 600 JPY, but the catalog has 500 JPY on 2026-12-31"])
  }

  @Test func readsFactsOfSessions() throws {
    let receipt = try ReceiptHarness.receipt(Self.session(["locale": "\"fr-CA\""]))
    #expect(receipt.order.buyer == "Ada")
    // 2026-11-23T00:00Z, when it is the day before in the store.
    #expect(receipt.order.date.description == "2026-11-22")
    #expect(receipt.order.lines.map(\.productIdentifier) == ["price_1"])
    #expect(receipt.lines.map(\.name) == ["Rocket car"])
    #expect(receipt.language.identifier == "fr-CA")
    let states: [(status: String, state: Order.State)] = [
      ("paid", .paid), ("unpaid", .pending), ("no_payment_required", .pending),
    ]
    for (status, state) in states {
      let session = Self.session(["payment_status": "\"\(status)\""])
      #expect(try ReceiptHarness.receipt(session).order.state == state)
    }
  }
}
