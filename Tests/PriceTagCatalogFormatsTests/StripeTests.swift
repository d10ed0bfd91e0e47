import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

private func options(_ storefront: String? = nil, language: String? = nil) -> ImportOptions {
  var options = ImportOptions()
  if let date = try? CalendarDate("2026-02-01") { options.date = date }
  options.storefront = storefront.flatMap { try? Storefront($0) }
  options.language = language
  return options
}

/// What was read and set aside for one storefront, as lines.
private func lines(_ text: String, in storefront: String = "USA", language: String? = "en") -> [String] {
  let read = Imported(.stripe, text, options(storefront, language: language))
  return (read.failure.map { ["failure: \($0)"] } ?? []) + read.products.flatMap(\.lines)
    + read.setAside.map { "aside: \($0)" }
}

@Suite struct StripeTests {
  static let good: [(name: String, text: String, expected: [String])] = [
    (
      "a price that is paid once",
      #"{"id": "price_1", "object": "price", "active": true, "currency": "usd", "type": "one_time", "recurring": null, "unit_amount": 499, "unit_amount_decimal": "499", "nickname": "Level 1", "lookup_key": "level1", "tiers_mode": null, "custom_unit_amount": null}"#,
      [
        #"price_1, "Level 1", approved"#,
        "USA 4.99 USD",
      ]
    ),
    (
      "a subscription with a trial",
      #"{"id": "price_1", "object": "price", "active": false, "currency": "usd", "type": "recurring", "lookup_key": "monthly", "unit_amount": 999, "recurring": {"interval": "month", "interval_count": 3, "trial_period_days": 14, "usage_type": "licensed"}}"#,
      [
        #"price_1, auto-renewable-subscription, "monthly", P3M, not approved"#,
        "USA 9.99 USD",
        "introductory -, free-trial, 1 × P14D",
      ]
    ),
    (
      "no trial",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 1, "recurring": {"interval": "day", "trial_period_days": 0}}"#,
      [
        "p, auto-renewable-subscription, P1D",
        "USA 0.01 USD",
      ]
    ),
    (
      "a plan",
      #"{"id": "gold", "object": "plan", "active": true, "amount": 2000, "amount_decimal": "2000", "billing_scheme": "per_unit", "currency": "usd", "interval": "year", "interval_count": 1, "nickname": null, "product": "prod_1", "trial_period_days": 30, "usage_type": "licensed"}"#,
      [
        "gold, auto-renewable-subscription, P1Y, approved",
        "USA 20.00 USD",
        "introductory -, free-trial, 1 × P30D",
      ]
    ),
    (
      "a price with its product",
      #"{"id": "p", "object": "price", "active": true, "currency": "usd", "unit_amount": 100, "product": {"id": "prod_1", "object": "product", "active": false, "name": "Rocket car", "description": "Fast", "images": ["https://example.com/car.png", "x:y"]}}"#,
      [
        "p, not approved, https://example.com/car.png",
        "en: Rocket car | Fast",
        "USA 1.00 USD",
      ]
    ),
    (
      "a product with its default price",
      #"{"id": "prod_1", "object": "product", "active": true, "name": "Rocket car", "description": null, "images": [], "default_price": {"id": "p", "object": "price", "active": true, "currency": "usd", "unit_amount": 100, "product": "prod_1"}}"#,
      [
        "p, approved",
        "en: Rocket car | -",
        "USA 1.00 USD",
      ]
    ),
    (
      "lists of prices and products",
      #"""
      [{"object": "list", "has_more": false, "data": [
         {"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "product": "prod_1"},
         {"id": "q", "object": "price", "currency": "usd", "unit_amount": 200, "product": "prod_2"}]},
       {"object": "list", "has_more": false, "data": [
         {"id": "prod_1", "object": "product", "name": "One"},
         {"id": "prod_2", "object": "product", "name": "Two", "default_price": {
           "id": "q", "object": "price", "currency": "usd", "unit_amount": 200, "product": "prod_2"}}]}]
      """#,
      [
        "p",
        "en: One | -",
        "USA 1.00 USD",
        "q",
        "en: Two | -",
        "USA 2.00 USD",
      ]
    ),
    (
      "a free price", #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 0}"#,
      [
        "p",
        "USA 0.00 USD",
      ]
    ),
    (
      "an amount in a decimal alone",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": null, "unit_amount_decimal": "1250.000000000000"}"#,
      [
        "p",
        "USA 12.50 USD",
      ]
    ),
    ("no prices", "[]", []),
  ]

  @Test(arguments: good)
  func pricesAreRead(name: String, text: String, expected: [String]) {
    #expect(lines(text) == expected)
  }

  /// Stripe's minor units, which are not always those of ISO 4217.
  static let units: [(currency: String, storefront: String, amount: String, expected: String)] = [
    ("usd", "USA", "499", "USA 4.99 USD"),
    ("jpy", "JPN", "500", "JPN 500 JPY"),
    ("krw", "KOR", "5500", "KOR 5500 KRW"),
    ("clp", "CHL", "990", "CHL 990 CLP"),
    ("huf", "HUN", "199000", "HUN 1990.00 HUF"),
    ("twd", "TWN", "3000", "TWN 30.00 TWD"),
  ]

  @Test(arguments: units)
  func anAmountIsInStripesMinorUnits(currency: String, storefront: String, amount: String, expected: String) {
    let text = #"{"id": "p", "object": "price", "currency": "\#(currency)", "unit_amount": \#(amount)}"#
    #expect([expected] == Imported(.stripe, text, options(storefront)).prices(of: "p"))
  }

  @Test func anAmountIsThePriceOfEveryStorefrontThatChargesItsCurrency() throws {
    let text = #"""
      {"id": "p", "object": "price", "currency": "usd", "unit_amount": 499, "unit_amount_decimal": "499",
       "currency_options": {"usd": {"unit_amount": 499, "unit_amount_decimal": "499"},
         "eur": {"unit_amount": 459, "unit_amount_decimal": "459"}, "JPY": {"unit_amount": 700}}}
      """#
    let all = Imported(.stripe, text, options())
    let date = try CalendarDate("2026-02-01")
    let expected = LocaleData.embedded.storefronts.compactMap { storefront -> String? in
      switch storefront.currency(on: date).code {
      case "USD": "\(storefront) 4.99 USD"
      case "EUR": "\(storefront) 4.59 EUR"
      case "JPY": "\(storefront) 700 JPY"
      default: nil
      }
    }
    #expect(expected == all.prices(of: "p"))
    #expect(expected.contains("BGR 4.59 EUR") && expected.contains("JPN 700 JPY"))
    #expect(all.setAside == [])
    let german = Imported(.stripe, text, options("DEU"))
    #expect(german.prices(of: "p") == ["DEU 4.59 EUR"])
    // What is no price of the storefront that was named is reported, once for the file.
    #expect(
      german.setAside.count == 1
        && german.setAside[0].contains("2 amounts in JPY, USD cannot be prices of DEU, which charges EUR"),
      "\(german.setAside)"
    )
    var before = options()
    before.date = try CalendarDate("2025-12-31")
    #expect(!Imported(.stripe, text, before).prices(of: "p").contains { $0.hasPrefix("BGR") })
  }

  static let wrong: [(name: String, text: String, expected: [String])] = [
    (
      "tiers",
      #"{"id": "p", "object": "price", "currency": "usd", "billing_scheme": "tiered", "unit_amount": null}"#,
      [
        #"aside: price "p", line 1, field billing_scheme: the price is tiered, so it depends on the quantity: leave it out: a catalogue has one amount for one of a product"#
      ]
    ),
    (
      "an amount that the customer chooses",
      #"{"id": "p", "object": "price", "currency": "usd", "custom_unit_amount": {"minimum": 1}, "unit_amount": null}"#,
      [
        #"aside: price "p", line 1, field custom_unit_amount: the customer chooses the amount: leave it out: a catalogue has one amount for one of a product"#
      ]
    ),
    (
      "an amount for ten",
      #"{"id": "p", "object": "price", "currency": "usd", "transform_quantity": {"divide_by": 10, "round": "up"}, "unit_amount": 100}"#,
      [
        #"aside: price "p", line 1, field transform_quantity: the amount pays for several at once: leave it out: a catalogue has one amount for one of a product"#
      ]
    ),
    (
      "an amount for what is used",
      #"{"id": "p", "object": "price", "currency": "usd", "type": "recurring", "recurring": {"interval": "month", "usage_type": "metered"}, "unit_amount": 100}"#,
      [
        #"aside: price "p", line 1, field usage_type: the price is metered, so it depends on what is used: leave it out: a catalogue has one amount for one of a product"#
      ]
    ),
    (
      "parts of a cent",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": null, "unit_amount_decimal": "0.5"}"#,
      [
        "p",
        #"aside: price "p", line 1, price in USD: 0.005 USD has more digits than USD, which has 2: give a price that can be paid; nothing is rounded"#,
      ]
    ),
    (
      "very small parts of a cent",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount_decimal": "0.000000000000000001"}"#,
      [
        #"aside: price "p", line 1, field unit_amount_decimal: 0.000000000000000001 minor units of USD have too many digits: give a price that can be paid; nothing is rounded"#
      ]
    ),
    (
      "amounts that contradict each other",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "unit_amount_decimal": "100.5"}"#,
      [
        #"aside: price "p", line 1, field unit_amount_decimal: unit_amount is 100 and unit_amount_decimal is 100.5: give both the same amount"#
      ]
    ),
    (
      "an option that contradicts the price",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "currency_options": {"usd": {"unit_amount": 200}}}"#,
      [
        "p",
        #"aside: price "p", line 1, price in USD: 1.00 USD and 2.00 USD contradict each other: give one amount in USD; there is none until then"#,
      ]
    ),
    (
      "no amount", #"{"id": "p", "object": "price", "currency": "usd"}"#,
      [
        #"aside: price "p", line 1, field unit_amount: the price has no amount: give it in minor units, such as 499"#
      ]
    ),
    (
      "no currency", #"{"id": "p", "object": "price", "unit_amount": 100}"#,
      [
        #"aside: price "p", line 1, field currency: the field "currency" is missing: give it"#
      ]
    ),
    (
      "an unknown currency", #"{"id": "p", "object": "price", "currency": "usdc", "unit_amount": 100}"#,
      [
        #"aside: price "p", line 1, field currency: "usdc" is not an ISO 4217 code: give three letters such as USD (did you mean USD?)"#
      ]
    ),
    (
      "a currency that the storefront does not charge",
      #"{"id": "p", "object": "price", "currency": "eur", "unit_amount": 100, "currency_options": {"gbp": {"unit_amount": 90}}}"#,
      [
        "p",
        #"aside: price "p": the price has no amount in USD, which USA charges: add a currency option; nothing is converted"#,
      ]
    ),
    (
      "a fraction", #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 1.5}"#,
      [
        #"aside: price "p", line 1, field unit_amount: 1.5 is no whole number of 0 to 999999999999: give one"#
      ]
    ),
    (
      "an exponent", #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 1e3}"#,
      [
        #"aside: price "p", line 1, field unit_amount: 1e3 is no whole number of 0 to 999999999999: give one"#
      ]
    ),
    (
      "an amount below zero", #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": -5}"#,
      [
        #"aside: price "p", line 1, field unit_amount: -5 is no whole number of 0 to 999999999999: give one"#
      ]
    ),
    (
      "a huge amount",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 99999999999999999999}"#,
      [
        #"aside: price "p", line 1, field unit_amount: 99999999999999999999 is no whole number of 0 to 999999999999: give one"#
      ]
    ),
    (
      "text", #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": "100"}"#,
      [
        #"aside: price "p", line 1, field unit_amount: a string stands where a number is expected: give a number"#
      ]
    ),
    (
      "options that are none",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "currency_options": {"eur": 5, "xxx": {"unit_amount": 1}, "gbp": {"tiers": [], "unit_amount": null}}}"#,
      [
        "p",
        "USA 1.00 USD",
        #"aside: price "p", line 1, currency option "eur", line 1: a number stands where a currency option is expected: give an object"#,
        #"aside: price "p", line 1, currency option "xxx": XXX is ISO 4217's code for no currency: give the currency of the price, such as USD"#,
        #"aside: price "p", line 1, currency option "gbp": the option has no one amount: leave it out: a catalogue has one amount for one of a product"#,
      ]
    ),
    (
      "a type that says otherwise",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "type": "recurring", "recurring": null}"#,
      [
        #"aside: price "p", line 1, field type: the type "recurring" and the field "recurring" contradict each other: give the price as Stripe answers it"#
      ]
    ),
    (
      "an unknown interval",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "recurring": {"interval": "quarter"}}"#,
      [
        #"aside: price "p", line 1, field interval: there is no interval "quarter": give one of day, week, month, year"#
      ]
    ),
    (
      "a count of intervals that is none",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "recurring": {"interval": "month", "interval_count": 0}}"#,
      [
        #"aside: price "p", line 1, field interval_count: 0 is no whole number of 1 to 9999: give one"#
      ]
    ),
    (
      "no identifier", #"{"object": "price", "currency": "usd", "unit_amount": 100}"#,
      [
        #"aside: price, line 1, field id: the field "id" is missing: give it"#
      ]
    ),
    (
      "a malformed identifier",
      #"{"id": "gold plan", "object": "plan", "interval": "year", "currency": "usd", "amount": 100}"#,
      [
        #"aside: plan "gold plan", line 1, field id: "gold plan" is not a product identifier: give 1 to 255 letters, digits, ".", "_", "-" and ":", a letter or digit first"#
      ]
    ),
    (
      "a product without a price",
      #"{"id": "prod_1", "object": "product", "name": "One", "default_price": "p"}"#,
      [
        #"aside: product "prod_1", line 1, field default_price: no price of the product is in the file: request it with expand[]=data.default_price, or add its prices"#
      ]
    ),
    (
      "objects that are no prices",
      #"[{"id": "cus_1", "object": "customer"}, {"id": "p", "object": "price", "deleted": true}, {"id": "q"}, 5]"#,
      [
        "aside: line 1: a number stands where an object of Stripe's is expected: remove it",
        #"aside: customer "cus_1", line 1, field object: "customer" is no price: give prices, plans or products"#,
        #"aside: price "p", line 1, field deleted: it was deleted: remove it"#,
        #"aside: object "q", line 1, field object: the field "object" is missing: give objects of Stripe's"#,
      ]
    ),
    (
      "a list that goes on",
      #"{"object": "list", "has_more": true, "data": [{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100}]}"#,
      [
        "p",
        "USA 1.00 USD",
        "aside: list, line 1, field has_more: the list goes on, and its rest is not in the file: add the lists that follow, in one array",
      ]
    ),
    (
      "a price that stands twice",
      #"[{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100}, {"id": "p", "object": "price", "currency": "usd", "unit_amount": 100}, {"id": "p", "object": "price", "currency": "usd", "unit_amount": 200}]"#,
      [
        "p",
        "USA 1.00 USD",
        #"aside: line 1, price "p": it stands twice, and says something else: remove one; the first was taken"#,
      ]
    ),
    (
      "a picture that is none",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "product": {"id": "prod_1", "object": "product", "images": ["javascript:alert(1)"]}}"#,
      [
        "p",
        "USA 1.00 USD",
        #"aside: price "p", line 1, field images: "javascript:alert(1)" is no address of a picture: give an http or https address"#,
      ]
    ),
    (
      "no object of Stripe's", #"[{"locale": "ar-SA", "name": "Arabic"}]"#,
      [
        #"failure: no object of Stripe's is in the file: none has an "object": give prices as Stripe's API answers them, such as {"object":"price",…}"#
      ]
    ),
    (
      "no object at all", "12",
      [
        #"failure: no object of Stripe's is in the file: none has an "object": give prices as Stripe's API answers them, such as {"object":"price",…}"#
      ]
    ),
    (
      "malformed JSON", #"{"object": "price",}"#,
      [
        #"failure: line 1, column 20: "}" stands where a field's name is expected: correct the JSON"#
      ]
    ),
  ]

  @Test(arguments: wrong)
  func whatIsWrongIsSetAside(name: String, text: String, expected: [String]) {
    #expect(lines(text) == expected)
  }

  @Test func textsWithoutALanguageAreSetAsideOnce() {
    let price =
      #"{"id": "p%", "object": "price", "currency": "usd", "unit_amount": 100, "product": {"object": "product", "name": "One"}}"#
    let text = "[" + ["1", "2"].map { price.replacing("%", with: $0) }.joined(separator: ",") + "]"
    #expect(
      lines(text, language: nil) == [
        "p1", "USA 1.00 USD", "p2", "USA 1.00 USD",
        "aside: the names and descriptions of 2 prices are in a language that Stripe does not say: say which it is: --texts-in en, or ImportOptions.language",
      ]
    )
    #expect(lines(text, language: "iw_IL").contains("he-IL: One | -"))
    #expect(lines(text, language: "xx").first?.hasPrefix("failure: ICU has no data") == true)
  }

  @Test func aCurrencyThatNoStorefrontChargesIsSetAside() {
    let text = #"{"id": "p", "object": "price", "currency": "bdt", "unit_amount": 100}"#
    #expect(
      Imported(.stripe, text, options()).setAside == [
        #"price "p", line 1, price in BDT: no storefront charges BDT on 2026-02-01: give the price in a currency that one charges; nothing is converted"#
      ]
    )
  }
}
