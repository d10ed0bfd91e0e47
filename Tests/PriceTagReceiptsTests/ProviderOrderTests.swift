import PriceTag
import PriceTagReceipts
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
    (
      ["quantity": "7"],
      "/price: the price 2.970 is not divisible by the quantity 7; write the order in PriceTag's own format, with the prices of its lines"
    ),
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
      "/total_details/amount_discount: the discounts of the lines add up to 0, but the session states 1; retrieve the line items with amount_discount and amount_tax"
    ),
    (
      [:], ["amount_discount": "2000"],
      "/line_items/data/0/amount_discount: the discount 20 is not between 0 and 19.98; correct the discount"
    ),
    (
      [:], ["quantity": "7"],
      "/line_items/data/0/amount_subtotal: the subtotal 19.98 is not divisible by the quantity 7; write the order in PriceTag's own format, with the prices of its lines"
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
      "/lines/0/unitPrice: 9.99 has more decimals than ISK has (0); write the exact amount that was charged; amounts are never rounded"
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
