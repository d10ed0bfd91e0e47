import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

private func options(_ storefront: String? = nil, language: String? = nil) -> ImportOptions {
  var options = ImportOptions.inFebruary
  options.storefront = storefront.flatMap { try? Storefront($0) }
  options.language = language
  return options
}

/// Returns the imported items and the rejects for one storefront as lines.
private func lines(_ text: String, in storefront: String = "USA", language: String? = "en") -> String {
  Imported(.stripe, text, options(storefront, language: language)).text
}

@Suite struct StripeTests {
  static let good: [(name: String, text: String, expected: String)] = [
    (
      "a one-time price",
      #"{"id": "price_1", "object": "price", "active": true, "currency": "usd", "type": "one_time", "recurring": null, "unit_amount": 499, "unit_amount_decimal": "499", "nickname": "Level 1", "lookup_key": "level1", "tiers_mode": null, "custom_unit_amount": null}"#,
      """
      price_1, "Level 1", approved
      USA 4.99 USD
      """
    ),
    (
      "a subscription with a trial",
      #"{"id": "price_1", "object": "price", "active": false, "currency": "usd", "type": "recurring", "lookup_key": "monthly", "unit_amount": 999, "recurring": {"interval": "month", "interval_count": 3, "trial_period_days": 14, "usage_type": "licensed"}}"#,
      """
      price_1, auto-renewable-subscription, "monthly", P3M, not approved
      USA 9.99 USD
      introductory -, free-trial, 1 × P14D
      """
    ),
    (
      "no trial",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 1, "recurring": {"interval": "day", "trial_period_days": 0}}"#,
      """
      p, auto-renewable-subscription, P1D
      USA 0.01 USD
      """
    ),
    (
      "a plan",
      #"{"id": "gold", "object": "plan", "active": true, "amount": 2000, "amount_decimal": "2000", "billing_scheme": "per_unit", "currency": "usd", "interval": "year", "interval_count": 1, "nickname": null, "product": "prod_1", "trial_period_days": 30, "usage_type": "licensed"}"#,
      """
      gold, auto-renewable-subscription, P1Y, approved
      USA 20.00 USD
      introductory -, free-trial, 1 × P30D
      """
    ),
    (
      "a price with its product",
      #"{"id": "p", "object": "price", "active": true, "currency": "usd", "unit_amount": 100, "product": {"id": "prod_1", "object": "product", "active": false, "name": "Rocket car", "description": "Fast", "images": ["https://example.com/car.png", "x:y"]}}"#,
      """
      p, not approved, https://example.com/car.png
      en: Rocket car | Fast
      USA 1.00 USD
      rejected: price "p", line 1, field images: "x:y" is not an image address; write an http or https URL
      """
    ),
    (
      "a price whose product has several images",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "product": {"id": "prod_1", "object": "product", "images": ["https://example.com/a.png", "https://example.com/b.png"]}}"#,
      """
      p, https://example.com/a.png, images https://example.com/a.png https://example.com/b.png
      USA 1.00 USD
      """
    ),
    (
      "a product with its default price",
      #"{"id": "prod_1", "object": "product", "active": true, "name": "Rocket car", "description": null, "images": [], "default_price": {"id": "p", "object": "price", "active": true, "currency": "usd", "unit_amount": 100, "product": "prod_1"}}"#,
      """
      p, approved
      en: Rocket car | -
      USA 1.00 USD
      """
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
      """
      p
      en: One | -
      USA 1.00 USD
      q
      en: Two | -
      USA 2.00 USD
      """
    ),
    (
      "a free price", #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 0}"#,
      """
      p
      USA 0.00 USD
      """
    ),
    (
      "only a decimal amount",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": null, "unit_amount_decimal": "1250.000000000000"}"#,
      """
      p
      USA 12.50 USD
      """
    ),
    ("no prices", "[]", ""),
  ]

  @Test(arguments: good)
  func importsPrices(name: String, text: String, expected: String) {
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
  func usesStripeMinorUnits(currency: String, storefront: String, amount: String, expected: String) {
    let text = #"{"id": "p", "object": "price", "currency": "\#(currency)", "unit_amount": \#(amount)}"#
    #expect([expected] == Imported(.stripe, text, options(storefront)).prices(of: "p"))
  }

  @Test func importsAmountForAllStorefrontsOfItsCurrency() throws {
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
    #expect(all.rejects == [])
    let german = Imported(.stripe, text, options("DEU"))
    #expect(german.prices(of: "p") == ["DEU 4.59 EUR"])
    // Amounts in other currencies than the storefront's are reported once for the file.
    #expect(
      german.rejects.count == 1
        && german.rejects[0].contains("2 amounts in JPY, USD cannot be prices of DEU, which charges EUR"),
      "\(german.rejects)"
    )
    var before = options()
    before.day = try .date(CalendarDate("2025-12-31"))
    #expect(!Imported(.stripe, text, before).prices(of: "p").contains { $0.hasPrefix("BGR") })
  }

  static let wrong: [(name: String, text: String, expected: String)] = [
    (
      "tiers",
      #"{"id": "p", "object": "price", "currency": "usd", "billing_scheme": "tiered", "unit_amount": null}"#,
      #"rejected: price "p", line 1, field billing_scheme: the billing scheme "tiered" is not supported because its price depends on the quantity; remove the price"#
    ),
    (
      "an amount that the customer chooses",
      #"{"id": "p", "object": "price", "currency": "usd", "custom_unit_amount": {"minimum": 1}, "unit_amount": null}"#,
      #"rejected: price "p", line 1, field custom_unit_amount: an amount that the customer chooses is not supported; remove the price"#
    ),
    (
      "an amount for ten units",
      #"{"id": "p", "object": "price", "currency": "usd", "transform_quantity": {"divide_by": 10, "round": "up"}, "unit_amount": 100}"#,
      #"rejected: price "p", line 1, field transform_quantity: an amount for more than one unit is not supported; remove the price"#
    ),
    (
      "a metered amount",
      #"{"id": "p", "object": "price", "currency": "usd", "type": "recurring", "recurring": {"interval": "month", "usage_type": "metered"}, "unit_amount": 100}"#,
      #"rejected: price "p", line 1, field usage_type: the usage type "metered" is not supported because its price depends on usage; remove the price"#
    ),
    (
      "a meter without a usage type",
      #"{"id": "p", "object": "price", "currency": "usd", "recurring": {"interval": "month", "meter": "mtr_1"}, "unit_amount": 100}"#,
      #"rejected: price "p", line 1, field usage_type: the usage type "metered" is not supported because its price depends on usage; remove the price"#
    ),
    (
      "tiers without a billing scheme",
      #"{"id": "p", "object": "price", "currency": "usd", "tiers_mode": "graduated", "unit_amount": 100}"#,
      #"rejected: price "p", line 1, field tiers_mode: an amount that depends on the quantity is not supported; remove the price"#
    ),
    (
      "a price per seat",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "product": {"id": "prod_1", "object": "product", "name": "Team", "unit_label": "seat"}}"#,
      """
      p
      en: Team | -
      USA 1.00 USD
      rejected: price "p", line 1, field unit_label: the unit of the price, "seat", is not supported; state it in the name or the description; the price of one unit is imported
      """
    ),
    (
      "prices in test mode",
      #"[{"id": "p", "object": "price", "livemode": false, "currency": "usd", "unit_amount": 100}, {"id": "q", "object": "price", "livemode": true, "currency": "usd", "unit_amount": 200}]"#,
      """
      p
      USA 1.00 USD
      q
      USA 2.00 USD
      rejected: 1 price in test mode was imported ("livemode" is false); import the prices of live mode into the catalog of a shop
      """
    ),
    (
      "fractions of a cent",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": null, "unit_amount_decimal": "0.5"}"#,
      """
      p
      rejected: price "p", line 1, price in USD: 0.005 USD has more decimals than the minor unit of USD (2); write an amount that can be charged; imported prices are not rounded
      """
    ),
    (
      "very small fractions of a cent",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount_decimal": "0.000000000000000001"}"#,
      #"rejected: price "p", line 1, field unit_amount_decimal: 0.000000000000000001 minor units of USD have too many digits; write an amount that can be charged; imported prices are not rounded"#
    ),
    (
      "conflicting amounts",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "unit_amount_decimal": "100.5"}"#,
      #"rejected: price "p", line 1, field unit_amount_decimal: unit_amount is 100 and unit_amount_decimal is 100.5; make them equal"#
    ),
    (
      "an option that conflicts with the price",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "currency_options": {"usd": {"unit_amount": 200}}}"#,
      """
      p
      rejected: price "p", line 1, price in USD: "USD" appears twice with the amounts 1.00 and 2.00; remove one; both are rejected
      """
    ),
    (
      "no amount", #"{"id": "p", "object": "price", "currency": "usd"}"#,
      #"rejected: price "p", line 1, field unit_amount: the field "unit_amount" is missing; add it, in minor units such as 499"#
    ),
    (
      "no currency", #"{"id": "p", "object": "price", "unit_amount": 100}"#,
      #"rejected: price "p", line 1, field currency: the field "currency" is missing; add it"#
    ),
    (
      "an unknown currency", #"{"id": "p", "object": "price", "currency": "usdc", "unit_amount": 100}"#,
      #"rejected: price "p", line 1, field currency: unknown currency "usdc"; did you mean "USD"?"#
    ),
    (
      "a currency that the storefront does not charge",
      #"{"id": "p", "object": "price", "currency": "eur", "unit_amount": 100, "currency_options": {"gbp": {"unit_amount": 90}}}"#,
      """
      p
      rejected: price "p": the price has no amount in USD, which USA charges; add a currency option for USD; prices are not converted
      """
    ),
    (
      "a fraction", #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 1.5}"#,
      #"rejected: price "p", line 1, field unit_amount: 1.5 is not an integer from 0 to 999999999999; write a number in that range"#
    ),
    (
      "an exponent", #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 1e3}"#,
      #"rejected: price "p", line 1, field unit_amount: 1e3 is not an integer from 0 to 999999999999; write a number in that range"#
    ),
    (
      "a negative amount", #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": -5}"#,
      #"rejected: price "p", line 1, field unit_amount: -5 is not an integer from 0 to 999999999999; write a number in that range"#
    ),
    (
      "a huge amount",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 99999999999999999999}"#,
      #"rejected: price "p", line 1, field unit_amount: 99999999999999999999 is not an integer from 0 to 999999999999; write a number in that range"#
    ),
    (
      "a string amount", #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": "100"}"#,
      #"rejected: price "p", line 1, field unit_amount: the field "unit_amount" must be a number, not a string; write a number"#
    ),
    (
      "invalid options",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "currency_options": {"eur": 5, "xxx": {"unit_amount": 1}, "gbp": {"tiers": [], "unit_amount": null}}}"#,
      """
      p
      USA 1.00 USD
      rejected: price "p", line 1, currency option "eur", line 1: a currency option must be an object, not a number; write an object
      rejected: price "p", line 1, currency option "xxx": "XXX" is the ISO 4217 code for no currency; use the currency of the price, such as "USD"
      rejected: price "p", line 1, currency option "gbp": a currency option without a fixed amount is not supported; remove it
      """
    ),
    (
      "a type that does not match",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "type": "recurring", "recurring": null}"#,
      #"rejected: price "p", line 1, field type: the type is "recurring" but the field "recurring" is missing; use the price as returned by Stripe"#
    ),
    (
      "an unknown interval",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "recurring": {"interval": "quarter"}}"#,
      #"rejected: price "p", line 1, field interval: unknown interval "quarter"; use one of day, week, month, year"#
    ),
    (
      "an invalid interval count",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "recurring": {"interval": "month", "interval_count": 0}}"#,
      #"rejected: price "p", line 1, field interval_count: 0 is not an integer from 1 to 9999; write a number in that range"#
    ),
    (
      "no identifier", #"{"object": "price", "currency": "usd", "unit_amount": 100}"#,
      #"rejected: price, line 1, field id: the field "id" is missing; add it"#
    ),
    (
      "a malformed identifier",
      #"{"id": "gold plan", "object": "plan", "interval": "year", "currency": "usd", "amount": 100}"#,
      #"rejected: plan "gold plan", line 1, field id: "gold plan" is not a product identifier; use 1 to 255 letters, digits, ".", "_", "-" or ":", starting with a letter or digit"#
    ),
    (
      "a product without a price",
      #"{"id": "prod_1", "object": "product", "name": "One", "default_price": "p"}"#,
      #"rejected: product "prod_1", line 1, field default_price: the product has no price in the file; request it with expand[]=data.default_price, or add its prices"#
    ),
    (
      "objects that are not prices",
      #"[{"id": "cus_1", "object": "customer"}, {"id": "p", "object": "price", "deleted": true}, {"id": "q"}, 5]"#,
      """
      rejected: line 1: a Stripe object must be an object, not a number; remove it
      rejected: customer "cus_1", line 1, field object: unknown object "customer"; use prices, plans or products
      rejected: price "p", line 1, field deleted: the object was deleted; remove it
      rejected: object "q", line 1, field object: the field "object" is missing; use Stripe objects
      """
    ),
    (
      "an incomplete list",
      #"{"object": "list", "has_more": true, "data": [{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100}]}"#,
      """
      p
      USA 1.00 USD
      rejected: list, line 1, field has_more: the list is incomplete; add the following pages in one array
      """
    ),
    (
      "a duplicate price",
      #"[{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100}, {"id": "p", "object": "price", "currency": "usd", "unit_amount": 100}, {"id": "p", "object": "price", "currency": "usd", "unit_amount": 200}]"#,
      """
      p
      USA 1.00 USD
      rejected: line 1, price "p": "p" appears twice with different data; remove one; the first is imported
      """
    ),
    (
      "an invalid image address",
      #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "product": {"id": "prod_1", "object": "product", "images": ["javascript:alert(1)"]}}"#,
      """
      p
      USA 1.00 USD
      rejected: price "p", line 1, field images: "javascript:alert(1)" is not an image address; write an http or https URL
      """
    ),
    (
      "no Stripe object", #"[{"locale": "ar-SA", "name": "Arabic"}]"#,
      #"failure: the file has no Stripe object with the field "object"; use prices from a Stripe API response, such as {"object":"price",…}"#
    ),
    (
      "a number", "12",
      #"failure: the file has no Stripe object with the field "object"; use prices from a Stripe API response, such as {"object":"price",…}"#
    ),
    (
      "malformed JSON", #"{"object": "price",}"#,
      #"failure: line 1, column 20: expected the name of a field, not "}"; correct the JSON"#
    ),
  ]

  @Test(arguments: wrong)
  func rejectsInvalidData(name: String, text: String, expected: String) {
    #expect(lines(text) == expected)
  }

  @Test func rejectsTextsWithoutLanguageOnce() {
    let price =
      #"{"id": "p%", "object": "price", "currency": "usd", "unit_amount": 100, "product": {"object": "product", "name": "One"}}"#
    let text = "[" + ["1", "2"].map { price.replacing("%", with: $0) }.joined(separator: ",") + "]"
    #expect(
      lines(text, language: nil) == """
        p1
        USA 1.00 USD
        p2
        USA 1.00 USD
        rejected: the names and descriptions of 2 prices have no language; name the language with --texts-in or ImportOptions.language
        """
    )
    #expect(lines(text, language: "iw_IL").contains("he-IL: One | -"))
    #expect(lines(text, language: "xx").hasPrefix("failure: unknown language"))
  }

  /// A picture that the product no longer has does not stay in the catalog.
  @Test func removesPicturesOfEarlierImport() throws {
    func product(_ images: String) throws -> CatalogProduct {
      let text =
        #"{"id": "p", "object": "price", "currency": "usd", "unit_amount": 100, "product": {"id": "prod_1", "object": "product", "images": [\#(images)]}}"#
      return try #require(Imported(.stripe, text, options()).products.first)
    }
    let old = try product(#""https://example.com/a.png", "https://example.com/b.png""#)
    #expect(old.images?.count == 2)
    let new = old.updated(by: try product(#""https://example.com/a.png""#))
    #expect(new.image == "https://example.com/a.png" && new.images == [])
    #expect(new.updated(by: try product("")).image == "https://example.com/a.png")
  }

  @Test func rejectsCurrencyWithoutStorefront() {
    let text = #"{"id": "p", "object": "price", "currency": "bdt", "unit_amount": 100}"#
    #expect(
      Imported(.stripe, text, options()).rejects == [
        #"price "p", line 1, price in BDT: no storefront charges BDT on 2026-02-01; write the price in a currency that a storefront charges; prices are not converted"#
      ]
    )
  }

  // MARK: CSV

  private static let header =
    "Price ID,Product ID,Product Name,Product Statement Descriptor,Product Tax Code,Description,Created (UTC),Amount,Currency,Interval,Interval Count,Usage Type,Aggregate Usage,Billing Scheme,Trial Period Days,Tax Behavior"

  /// Rows of the CSV that the dashboard exports.
  static let rows: [(name: String, row: String, storefront: String, expected: String)] = [
    (
      "a subscription with a trial",
      "p,prod_1,Pro plan,,txcd_1,Internal,2025-03-20 19:31,19.00,usd,month,3,licensed,,per_unit,14,exclusive",
      "USA",
      """
      p, auto-renewable-subscription, "Internal", P3M
      en: Pro plan | -
      USA 19.00 USD, tax included false
      introductory -, free-trial, 1 × P14D
      """
    ),
    (
      "a one-time price in a currency without decimals", "p,prod_1,,,,,,1200,jpy,,,,,per_unit,,", "JPN",
      "p\nJPN 1200 JPY"
    ),
    (
      "a free price", "p,prod_1,,,,,,0,usd,month,1,licensed,,per_unit,,", "USA",
      "p, auto-renewable-subscription, P1M\nUSA 0.00 USD"
    ),
    (
      "an amount with a decimal comma", #"p,prod_1,,,,,,"225,00",usd,,,,,per_unit,,"#, "USA",
      #"rejected: price "p", line 2, column Amount: "225,00" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50"#
    ),
    (
      "more decimals than the currency has", "p,prod_1,,,,,,0.005,usd,,,,,per_unit,,", "USA",
      """
      p
      rejected: price "p", line 2, price in USD: 0.005 USD has more decimals than the minor unit of USD (2); write an amount that can be charged; imported prices are not rounded
      """
    ),
    (
      "tiers", "p,prod_1,,,,,,,usd,month,1,licensed,,tiered,,", "USA",
      #"rejected: price "p", line 2, field billing_scheme: the billing scheme "tiered" is not supported because its price depends on the quantity; remove the price"#
    ),
    (
      "a metered price", "p,prod_1,,,,,,0.10,usd,month,1,metered,sum,per_unit,,", "USA",
      #"rejected: price "p", line 2, field usage_type: the usage type "metered" is not supported because its price depends on usage; remove the price"#
    ),
    (
      "no amount", "p,prod_1,,,,,,,usd,,,,,per_unit,,", "USA",
      #"rejected: line 2, price "p": the cell "Amount" is empty; remove the row, or import the price as JSON of the Stripe API"#
    ),
    (
      "an unknown currency", "p,prod_1,,,,,,1.00,dollar,,,,,per_unit,,", "USA",
      #"rejected: price "p", line 2, column Amount: unknown currency "dollar"; did you mean "USD", or another dollar?"#
    ),
    (
      "a missing cell", "p,prod_1", "USA",
      #"rejected: line 2, price "p": the row has 2 cells but the header has 16; quote text that contains a separator"#
    ),
  ]

  @Test(arguments: rows)
  func importsRowOfDashboard(name: String, row: String, storefront: String, expected: String) throws {
    #expect(lines("\(Self.header)\n\(row)\n", in: storefront) == expected)
  }

  static let headers: [(header: String, row: String, expected: String)] = [
    ("price id;amount;currency", "p;1.99;usd", "p\nUSA 1.99 USD"),
    (
      #""Plan ID","Nickname","Amount","Currency","x (metadata)""#, "p,Gold,1.99,usd,y",
      #"p, "Gold"\#nUSA 1.99 USD"#
    ),
    (
      "Price ID,Currency", "p,usd",
      #"failure: line 1: the column "Amount" is missing; use the prices as exported by the Stripe dashboard"#
    ),
    (
      "Price ID,Amount,Amount,Currency", "p,1,2,usd",
      #"failure: line 1, column 3: the column "Amount" appears twice; remove one"#
    ),
  ]

  @Test(arguments: headers)
  func importsColumnsOfDashboard(header: String, row: String, expected: String) throws {
    let text = "\u{FEFF}\(header)\r\n\(row)\r\n"
    #expect(lines(text) == expected)
    #expect(try CatalogFormat(of: CatalogFile(name: "prices.csv", bytes: Array(text.utf8))) == .stripe)
  }

  /// The CSV of something else, with `--from stripe`.
  @Test(arguments: ["id,Created (UTC),Fee", "Kunde;Betrag"])
  func rejectsOtherColumns(header: String) {
    #expect(
      lines("\(header)\nx,y\n")
        == #"failure: line 1: the column "Amount" is missing; use the prices as exported by the Stripe dashboard"#
    )
  }
}
