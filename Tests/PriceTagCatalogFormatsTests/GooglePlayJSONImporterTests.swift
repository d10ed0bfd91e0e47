import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

@Suite struct GooglePlayJSONImporterTests {
  private static let usa = ImportOptions(storefront: try? Storefront("USA"))

  private static let coins = #"""
    {"packageName": "com.example", "sku": "coins", "status": "active", "purchaseType": "managedUser",
     "defaultPrice": {"priceMicros": "990000", "currency": "USD"},
     "prices": {"GB": {"priceMicros": "890000", "currency": "GBP"}, "JP": {"priceMicros": 120000000, "currency": "JPY"}},
     "listings": {"en-GB": {"title": "Coins", "description": "A hundred."}, "iw-IL": {"title": "מטבעות"}},
     "defaultLanguage": "en-GB"}
    """#

  private static let level = #"""
    {"packageName": "com.example", "productId": "level1",
     "listings": [{"languageCode": "en-US", "title": "Level 1", "description": "One."}],
     "purchaseOptions": [{"purchaseOptionId": "buy", "state": "ACTIVE", "buyOption": {"legacyCompatible": true},
       "regionalPricingAndAvailabilityConfigs": [
         {"regionCode": "US", "availability": "AVAILABLE",
          "price": {"currencyCode": "USD", "units": "1", "nanos": 990000000}},
         {"regionCode": "JP", "availability": "NO_LONGER_AVAILABLE", "price": {"currencyCode": "JPY", "units": "300"}},
         {"regionCode": "GB", "availability": "AVAILABLE", "price": {"currencyCode": "GBP", "nanos": 790000000}}],
       "newRegionsConfig": {"usdPrice": {"currencyCode": "USD", "units": "9"}, "availability": "AVAILABLE"}}]}
    """#

  private static let club = #"""
    {"packageName": "com.example", "productId": "club",
     "listings": [{"languageCode": "fr-FR", "title": "Le club", "description": "Tout."}],
     "basePlans": [
       {"basePlanId": "monthly", "state": "ACTIVE",
        "autoRenewingBasePlanType": {"billingPeriodDuration": "P1M", "gracePeriodDuration": "P7D"},
        "regionalConfigs": [
          {"regionCode": "FR", "newSubscriberAvailability": true, "price": {"currencyCode": "EUR", "units": "5"}},
          {"regionCode": "US", "price": {"currencyCode": "USD", "units": "5", "nanos": 990000000}}],
        "otherRegionsConfig": {"usdPrice": {"currencyCode": "USD", "units": "6"}}},
       {"basePlanId": "month", "state": "DRAFT", "prepaidBasePlanType": {"billingPeriodDuration": "P1M"},
        "regionalConfigs": []}]}
    """#

  private static let clubLines = [
    [
      "club:monthly, auto-renewable-subscription, of club, P1M, approved, sold in [FRA]",
      "fr-FR: Le club | Tout.",
      "FRA 5.00 EUR", "USA 5.99 USD",
    ],
    ["club:month, non-renewing-subscription, of club, P1M, not approved", "fr-FR: Le club | Tout."],
  ]

  private static let trial = #"""
    {"packageName": "com.example", "productId": "club", "basePlanId": "monthly", "offerId": "trial", "state": "ACTIVE",
     "phases": [{"recurrenceCount": 1, "duration": "P1W", "regionalConfigs": [{"regionCode": "FR", "free": {}}]}],
     "targeting": {"acquisitionRule": {"scope": {"thisSubscription": {}}}},
     "regionalConfigs": [{"regionCode": "FR", "newSubscriberAvailability": true}]}
    """#

  static let resources: [(name: String, text: String, lines: [[String]])] = [
    (
      "an in-app product", coins,
      [["coins, approved", "en-GB: Coins | A hundred.", "he-IL: מטבעות | -", "GBR 0.89 GBP", "JPN 120 JPY"]]
    ),
    (
      "a one-time product", level,
      [
        [
          "level1, approved, sold in [GBR USA]", "en-US: Level 1 | One.", "GBR 0.79 GBP", "JPN 300 JPY",
          "USA 1.99 USD",
        ]
      ]
    ),
    ("a subscription", club, clubLines),
    (
      "an older subscription",
      #"""
      {"sku": "old", "status": "inactive", "purchaseType": "subscription", "subscriptionPeriod": "P1Y",
       "trialPeriod": "P7D", "gracePeriod": "P3D"}
      """#,
      [
        [
          "old, auto-renewable-subscription, P1Y, not approved", "introductory -, free-trial, 1 × P7D",
        ]
      ]
    ),
    (
      "an offer without its subscription", trial,
      [["club:monthly, of club", "introductory trial, free-trial, 1 × P1W, sold in [FRA]"]]
    ),
    (
      "a subscription with its offer", "[\(trial), \(club)]",
      [clubLines[0] + ["introductory trial, free-trial, 1 × P1W, sold in [FRA]"], clubLines[1]]
    ),
    (
      "the list of in-app products", #"{"kind": "x", "inappproduct": [{"sku": "a"}, {"sku": "b"}]}"#,
      [["a"], ["b"]]
    ),
    ("a request", #"{"inappproduct": {"sku": "a"}}"#, [["a"]]),
    (
      "other lists",
      #"""
      {"oneTimeProducts": [{"productId": "a", "purchaseOptions": []}], "nextPageToken": "1",
       "subscriptions": [{"productId": "b", "basePlans": [{"basePlanId": "c"}]}], "subscriptionOffers": []}
      """#,
      [["a"], ["b:c, of b"]]
    ),
    ("an array of lists", #"[{"inappproduct": [{"sku": "a"}]}, {"sku": "b"}]"#, [["a"], ["b"]]),
    ("an empty array", "[]", []),
  ]

  @Test(arguments: resources)
  func importsResource(name: String, text: String, lines: [[String]]) {
    let imported = Imported(.googlePlayJSON, text)
    #expect(imported.failure == nil)
    #expect(imported.rejects == [])
    #expect(imported.products.map(\.lines) == lines)
  }

  @Test func importsSubscriptionAsGroup() {
    let imported = Imported(.googlePlayJSON, Self.club)
    #expect(imported.groups == [ProductGroup(.subscriptionGroup, "club", names: ["fr-FR": "Le club"])])
  }

  // MARK: Prices

  static let defaults:
    [(name: String, price: String, prices: String, storefront: String?, read: [String], rejects: String)] =
      [
        ("for the storefront", "USD", "{}", "USA", ["USA 0.99 USD"], ""),
        (
          "without a storefront", "USD", "{}", nil, [],
          #"product "a", default price, line 1, field defaultPrice: the price 0.99 USD has no storefront; name one with --prices-of or ImportOptions.storefront"#
        ),
        (
          "in another currency", "USD", "{}", "FRA", [],
          #"product "a", default price, line 1, field defaultPrice: 0.99 USD is not a price for FRA, which charges EUR; write the price in EUR; prices are not converted"#
        ),
        ("with other prices, without a storefront", "USD", gbp, nil, ["GBR 0.89 GBP"], ""),
        ("with other prices, in another currency", "USD", gbp, "FRA", ["GBR 0.89 GBP"], ""),
        ("with other prices, for the storefront", "EUR", gbp, "FRA", ["FRA 0.99 EUR", "GBR 0.89 GBP"], ""),
        ("with the storefront's own price", "GBP", gbp, "GBR", ["GBR 0.89 GBP"], ""),
        (
          "with the storefront's own invalid price", "GBP",
          #"{"GB": {"priceMicros": "1", "currency": "GBP"}}"#,
          "GBR", [],
          #"product "a", price of GB, line 1, field GB: 0.000001 GBP has more decimals than the minor unit of GBP (2); write an amount that can be charged; imported prices are not rounded"#
        ),
      ]

  private static let gbp = #"{"GB": {"priceMicros": "890000", "currency": "GBP"}}"#

  @Test(arguments: defaults)
  func importsDefaultPriceForStorefront(
    name: String,
    price: String,
    prices: String,
    storefront: String?,
    read: [String],
    rejects: String
  ) throws {
    let imported = Imported(
      .googlePlayJSON,
      #"{"sku": "a", "defaultPrice": {"priceMicros": "990000", "currency": "\#(price)"}, "prices": \#(prices)}"#,
      ImportOptions(storefront: try storefront.map { try Storefront($0) })
    )
    #expect(imported.prices(of: "a") == read)
    #expect(imported.rejectText == rejects)
  }

  static let money: [(region: String, read: [String], rejects: String?)] = [
    (#""regionCode": "US", "price": {"currencyCode": "USD"}"#, ["USA 0.00 USD"], nil),
    (#""regionCode": "US", "price": {"currencyCode": "usd", "units": 3}"#, ["USA 3.00 USD"], nil),
    (#""regionCode": "US""#, [], nil),
    (
      #""regionCode": "AR", "price": {"currencyCode": "ARS", "units": "990"}"#, [],
      "price of AR, line 1, field price: 990 ARS is not a price for ARG, which charges USD; write the price in USD; prices are not converted"
    ),
    (
      #""regionCode": "AD", "price": {"currencyCode": "EUR", "units": "1"}"#, [],
      #"price of AD, line 1, field regionCode: unknown storefront "AD"; use a code such as "USA" (pricetag storefronts lists all codes)"#
    ),
    (
      #""regionCode": "JP", "price": {"currencyCode": "JPY", "units": "1", "nanos": 500000000}"#, [],
      "price of JP, line 1, field price: 1.5 JPY has more decimals than the minor unit of JPY (0); write an amount that can be charged; imported prices are not rounded"
    ),
    (
      #""regionCode": "US", "price": {"currencyCode": "USD", "units": "1", "nanos": -1}"#, [],
      "price of US, line 1, field units: units 1 and nanos -1 have different signs; use the amount's sign for both, as in google.type.Money"
    ),
    (
      #""regionCode": "US", "price": {"currencyCode": "USD", "units": "1.5"}"#, [],
      #"price of US, line 1, field units: "1.5" is not an integer; write an integer of at most 19 digits"#
    ),
    (
      #""regionCode": "US", "price": {"currencyCode": "USD", "nanos": 1000000000}"#, [],
      "price of US, line 1, field nanos: 1000000000 is not an integer from -999999999 to 999999999; write a number in that range"
    ),
    (
      #""regionCode": "US", "price": {"currencyCode": "USD", "units": "9223372036854775807", "nanos": 1}"#,
      [],
      #"price of US, line 1, field units: 9223372036854775807 units and 1 nanos is out of range; use at most 18 significant digits, of which at most 18 are after the decimal point"#
    ),
    (
      #""regionCode": "US", "price": {"units": "1"}"#, [],
      #"price of US, line 1, field currencyCode: the field "currencyCode" is missing; add it"#
    ),
    (
      #""regionCode": "US", "price": {"currencyCode": "DOL", "units": "1"}"#, [],
      #"price of US, line 1, field currencyCode: unknown currency "DOL"; use an ISO 4217 code such as "USD""#
    ),
    (#""price": {}"#, [], #"line 1, field regionCode: the field "regionCode" is missing; add it"#),
  ]

  @Test(arguments: money)
  func importsRegionalPrice(region: String, read: [String], rejects: String?) {
    let imported = Imported(
      .googlePlayJSON,
      #"{"productId": "a", "basePlans": [{"basePlanId": "b", "regionalConfigs": [{\#(region)}]}]}"#
    )
    #expect(imported.prices(of: "a:b") == read)
    #expect(imported.rejects == (rejects.map { [#"product "a:b", "# + $0] } ?? []))
  }

  // MARK: Rejects

  static let mistakes: [(name: String, text: String, lines: [[String]], rejects: String)] = [
    (
      "placeholders",
      #"{"sku": "sku", "status": "status", "purchaseType": "type", "defaultLanguage": "default language"}"#,
      [["sku, not approved"]],
      """
      product "sku", line 1, field status: unknown status "status"; use one of active, inactive
      product "sku", line 1, field purchaseType: unknown purchaseType "type"; use managedUser or subscription
      """
    ),
    (
      "no identifier", #"{"listings": [], "purchaseOptions": []}"#, [],
      #"product, line 1, field productId: the field "productId" is missing; add it"#
    ),
    (
      "invalid elements", #"[1, {"a": 1}, [{"sku": "a"}], {"sku": "b"}]"#, [["b"]],
      """
      element 1: a number is not a product of the Google Play API; use an API response for inappproducts, oneTimeProducts, subscriptions or their offers
      element 2, line 1: an object is not a product of the Google Play API; use an API response for inappproducts, oneTimeProducts, subscriptions or their offers
      element 3: an array is not a product of the Google Play API; use an API response for inappproducts, oneTimeProducts, subscriptions or their offers
      """
    ),
    (
      "a listing", #"{"sku": "a", "listings": {"xx": {"title": "a"}, "en": 1, "fr": {"title": "b"}}}"#,
      [["a", "fr: b | -"]],
      """
      product "a", line 1, field xx: unknown language "xx" (ICU has no data for the language); use a BCP 47 tag such as "en-US"
      product "a", line 1: a listing must be an object, not a number; write an object
      """
    ),
    (
      "benefits",
      #"{"productId": "a", "listings": [{"languageCode": "en", "title": "A", "benefits": ["b"]}], "basePlans": []}"#,
      [],
      #"subscription "a", line 1, field listings: benefits are not supported; state them in the description"#
    ),
    (
      "installments",
      #"""
      {"productId": "a", "basePlans": [{"basePlanId": "b", "installmentsBasePlanType":
        {"billingPeriodDuration": "P1M", "committedPaymentsCount": 12}}]}
      """#,
      [["a:b, auto-renewable-subscription, of a, P1M"]],
      #"product "a:b", line 1, field installmentsBasePlanType: a commitment to several payments is not supported; state it in the description; only the price of one payment is imported"#
    ),
    (
      "a pre-order",
      #"""
      {"productId": "a", "purchaseOptions": [{"regionalPricingAndAvailabilityConfigs": [
        {"regionCode": "US", "availability": "AVAILABLE_IF_RELEASED"}]}]}
      """#,
      [["a"]],
      #"product "a", price of US, line 2, field availability: pre-orders are not supported; import it again when it is AVAILABLE"#
    ),
    (
      "offers of one-time products", #"{"oneTimeProductOffers": [{"offerId": "a"}]}"#, [],
      "line 1: offers of one-time products are not supported; remove them, or make them separate products"
    ),
  ]

  @Test(arguments: mistakes)
  func rejectsInvalidData(name: String, text: String, lines: [[String]], rejects: String) {
    let imported = Imported(.googlePlayJSON, text)
    #expect(imported.failure == nil)
    #expect(imported.products.map(\.lines) == lines)
    #expect(imported.rejectText == rejects)
  }

  /// The option for older apps becomes the product itself; another option becomes an additional product.
  @Test func importsPurchaseOptionAsProduct() {
    let imported = Imported(
      .googlePlayJSON,
      #"""
      {"productId": "film", "listings": [{"languageCode": "en", "title": "The film"}], "purchaseOptions": [
        {"purchaseOptionId": "rent", "rentOption": {"rentalPeriod": "P2D"}},
        {"purchaseOptionId": "buy", "buyOption": {"legacyCompatible": true}},
        {"purchaseOptionId": "gift", "state": "INACTIVE", "buyOption": {}}, {"buyOption": {}}]}
      """#
    )
    #expect(
      imported.products.map(\.lines) == [
        ["film", "en: The film | -"], ["film:gift, not approved", "en: The film | -"],
      ]
    )
    #expect(
      imported.rejects == [
        #"product "film", purchase option "rent", line 2, field rentOption: renting a product is not supported; remove the option"#,
        #"product "film", purchase option, line 4, field purchaseOptionId: the field "purchaseOptionId" is missing; add it"#,
      ]
    )
  }

  static let offers: [(name: String, members: String, line: String?, rejects: String?)] = [
    (
      "a lower price for three months",
      #""phases": [{"recurrenceCount": 3, "duration": "P1M", "regionalConfigs": [\#(francs)]}]"#,
      "promotional o, pay-as-you-go, 3 × P1M", nil
    ),
    (
      "one payment", #""phases": [{"duration": "P3M", "regionalConfigs": [\#(francs)]}]"#,
      "promotional o, pay-up-front, 1 × P3M", nil
    ),
    (
      "two free weeks",
      #""phases": [{"recurrenceCount": 2, "duration": "P1W", "regionalConfigs": [\#(free)]}]"#,
      "promotional o, free-trial, 1 × P2W", nil
    ),
    (
      "a discount",
      #""phases": [{"duration": "P1M", "regionalConfigs": [{"regionCode": "CH", "relativeDiscount": 0.5}]}]"#,
      "promotional o, pay-up-front, 1 × P1M",
      "price of CH, line 1, field relativeDiscount: the discount is from the base plan's price in CHE, which was not imported; write the discounted price"
    ),
    (
      "no phases", #""phases": []"#, nil,
      "line 1, field phases: an offer with 0 phases is not supported; write an offer with 1 to 5 phases"
    ),
    (
      "a phase without a duration", #""phases": [{"duration": "P1W", "regionalConfigs": [\#(free)]}, {}]"#,
      nil,
      #"line 1, field duration: the field "duration" is missing; add it"#
    ),
    (
      "free in some regions", #""phases": [{"duration": "P1M", "regionalConfigs": [\#(free), \#(francs)]}]"#,
      nil,
      "line 1, field regionalConfigs: an offer that is free in only some regions is not supported; split it into two offers"
    ),
    (
      "free, and a discount",
      #""phases": [{"duration": "P1M", "regionalConfigs": [{"regionCode": "US", "free": {}, "relativeDiscount": 0.5}]}]"#,
      nil, #"line 1, field free: the region has both "free" and "relativeDiscount"; keep one"#
    ),
    (
      "an upgrade", #""targeting": {"upgradeRule": {"oncePerUser": true}}"#, nil,
      "line 1, field targeting: an offer for customers who change the base plan is not supported; remove it"
    ),
    (
      "a draft", #""state": "DRAFT""#, nil,
      "line 1, field state: the offer is not active; activate it, or remove it"
    ),
  ]

  private static let francs = #"{"regionCode": "CH", "price": {"currencyCode": "CHF", "units": "2"}}"#
  private static let free = #"{"regionCode": "US", "free": {}}"#

  @Test(arguments: offers)
  func importsOffer(name: String, members: String, line: String?, rejects: String?) {
    let imported = Imported(
      .googlePlayJSON,
      #"{"productId": "a", "basePlanId": "b", "offerId": "o", \#(members)}"#
    )
    #expect(imported.products.first?.lines.dropFirst().first == line)
    #expect(imported.rejects == (rejects.map { [#"offer "o", "# + $0] } ?? []))
  }

  /// Offers of base plans of $4.99 per month and $12 per year.
  static let phases: [(name: String, plan: String, phases: String, lines: [String], rejects: String)] = [
    (
      "free days, then a lower price", "m",
      #"{"duration": "P7D", "regionalConfigs": [\#(free)]}, {"recurrenceCount": 3, "duration": "P1M", "regionalConfigs": [\#(dollars)]}"#,
      ["promotional o, free-trial, 1 × P7D", "  then pay-as-you-go, 3 × P1M", "  USA 2.00 USD"], ""
    ),
    (
      "one payment, then a lower price", "m",
      #"{"duration": "P1M", "regionalConfigs": [\#(dollars)]}, {"recurrenceCount": 2, "duration": "P1M", "regionalConfigs": [\#(off("1"))]}"#,
      [
        "promotional o, pay-up-front, 1 × P1M", "  USA 2.00 USD", "  then pay-as-you-go, 2 × P1M",
        "  USA 3.99 USD",
      ], ""
    ),
    (
      "an amount off", "m", #"{"recurrenceCount": 3, "duration": "P1M", "regionalConfigs": [\#(off("2"))]}"#,
      ["promotional o, pay-as-you-go, 3 × P1M", "  USA 2.99 USD"], ""
    ),
    (
      "an amount off three months of a year", "y", #"{"duration": "P3M", "regionalConfigs": [\#(off("1"))]}"#,
      ["promotional o, pay-up-front, 1 × P3M", "  USA 2.00 USD"], ""
    ),
    (
      "half of three months of a year", "y", #"{"duration": "P3M", "regionalConfigs": [\#(half)]}"#,
      ["promotional o, pay-up-front, 1 × P3M", "  USA 1.50 USD"], ""
    ),
    (
      "half of a price with an odd number of cents", "m",
      #"{"duration": "P1M", "regionalConfigs": [\#(half)]}"#,
      ["promotional o, pay-up-front, 1 × P1M"],
      "field relativeDiscount: the discounted price of 4.99 USD is not exact; write the discounted price"
    ),
    (
      "another fraction", "y",
      #"{"duration": "P1Y", "regionalConfigs": [{"regionCode": "US", "relativeDiscount": 0.25}]}"#,
      ["promotional o, pay-up-front, 1 × P1Y"],
      "field relativeDiscount: a relative discount other than 0.5 is not supported, because Google documents it both as the fraction that is paid and as the discount; write the discounted price"
    ),
    (
      "days of a month", "m", #"{"duration": "P7D", "regionalConfigs": [\#(off("1"))]}"#,
      ["promotional o, pay-up-front, 1 × P7D"],
      "field absoluteDiscount: the base plan's price for P1M cannot be prorated exactly over P7D; write the discounted price"
    ),
    (
      "the complete price off", "m", #"{"duration": "P1M", "regionalConfigs": [\#(off("5"))]}"#,
      ["promotional o, pay-up-front, 1 × P1M"],
      "field absoluteDiscount: 5 USD cannot be subtracted from 4.99 USD; write the discounted price"
    ),
    (
      "a price and a discount", "m",
      #"{"duration": "P1M", "regionalConfigs": [{"regionCode": "US", "relativeDiscount": 0.5, "price": {"currencyCode": "USD", "units": "2"}}]}"#,
      ["promotional o, pay-up-front, 1 × P1M"],
      #"field relativeDiscount: the region has both "price" and "relativeDiscount"; keep one"#
    ),
  ]

  private static let dollars = #"{"regionCode": "US", "price": {"currencyCode": "USD", "units": "2"}}"#
  private static let half = #"{"regionCode": "US", "relativeDiscount": 0.5}"#
  private static func off(_ units: String) -> String {
    #"{"regionCode": "US", "absoluteDiscount": {"currencyCode": "USD", "units": "\#(units)"}}"#
  }

  @Test(arguments: phases)
  func importsPhasesAndDiscounts(
    name: String,
    plan: String,
    phases: String,
    lines: [String],
    rejects: String
  ) {
    func basePlan(_ id: String, _ period: String, _ price: String) -> String {
      #"{"basePlanId": "\#(id)", "autoRenewingBasePlanType": {"billingPeriodDuration": "\#(period)"}, "regionalConfigs": [{"regionCode": "US", "price": {"currencyCode": "USD", \#(price)}}]}"#
    }
    let imported = Imported(
      .googlePlayJSON,
      #"""
      [{"productId": "a", "basePlans": [\#(basePlan("m", "P1M", #""units": "4", "nanos": 990000000"#)), \#(basePlan("y", "P1Y", #""units": "12""#))]},
       {"productId": "a", "basePlanId": "\#(plan)", "offerId": "o", "phases": [\#(phases)]}]
      """#
    )
    let product = imported.products.first { $0.identifier == "a:\(plan)" }
    #expect(product?.lines.filter { $0.contains(" × ") || $0.hasPrefix("  ") } == lines)
    #expect(imported.rejectText == (rejects.isEmpty ? "" : #"offer "o", price of US, line 2, "# + rejects))
  }

  static let broken: [(text: String, failure: String)] = [
    ("1", "line 1: the document must be an object or an array, not a number; write an object or an array"),
    (
      #"{"a": 1}"#,
      "line 1: the object is not a product or a list of products of the Google Play API; use an API response for inappproducts, oneTimeProducts, subscriptions or their offers"
    ),
  ]

  @Test(arguments: broken)
  func invalidFileEndsImport(text: String, failure: String) {
    #expect(Imported(.googlePlayJSON, text).failure == failure)
  }

  @Test(.timeLimit(.minutes(20)))
  func largeFileTakesLinearTime() {
    let offers = (0..<50_000).map {
      #"{"productId": "a", "basePlanId": "b\#($0)", "offerId": "o", "phases": []}"#
    }
    #expect(Imported(.googlePlayJSON, "[\(offers.joined(separator: ","))]").rejects.count == 50_000)
    let prices = (0..<5_000).map { #""A\#($0)": {"priceMicros": "1", "currency": "USD"}"# }
    let imported = Imported(.googlePlayJSON, #"{"sku": "a", "prices": {\#(prices.joined(separator: ","))}}"#)
    #expect(imported.rejects.count == 5_000)
  }
}
