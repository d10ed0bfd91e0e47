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
      "an offer alone", trial,
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
  func aResourceIsRead(name: String, text: String, lines: [[String]]) {
    let imported = Imported(.googlePlayJSON, text)
    #expect(imported.failure == nil)
    #expect(imported.setAside == [])
    #expect(imported.products.map(\.lines) == lines)
  }

  @Test func aSubscriptionIsTheGroupOfItsBasePlans() {
    let imported = Imported(.googlePlayJSON, Self.club)
    #expect(imported.groups == [ProductGroup(.subscriptionGroup, "club", names: ["fr-FR": "Le club"])])
  }

  // MARK: Prices

  static let defaults:
    [(name: String, price: String, prices: String, storefront: String?, read: [String], setAside: [String])] =
      [
        ("of the storefront", "USD", "{}", "USA", ["USA 0.99 USD"], []),
        (
          "of no storefront", "USD", "{}", nil, [],
          [
            #"product "a", default price, line 1, field defaultPrice: the file does not say whose price 0.99 USD is: say whose they are: --prices-of USA, or ImportOptions.storefront"#
          ]
        ),
        (
          "of another currency", "USD", "{}", "FRA", [],
          [
            #"product "a", default price, line 1, field defaultPrice: 0.99 USD is a price of FRA, which charges EUR: give the price that FRA charges in EUR; nothing is converted"#
          ]
        ),
        ("beside others, of nobody", "USD", gbp, nil, ["GBR 0.89 GBP"], []),
        ("beside others, of another currency", "USD", gbp, "FRA", ["GBR 0.89 GBP"], []),
        ("beside others, of the storefront", "EUR", gbp, "FRA", ["FRA 0.99 EUR", "GBR 0.89 GBP"], []),
        ("beside the storefront's own", "GBP", gbp, "GBR", ["GBR 0.89 GBP"], []),
        (
          "beside the storefront's own that is wrong", "GBP",
          #"{"GB": {"priceMicros": "1", "currency": "GBP"}}"#,
          "GBR", [],
          [
            #"product "a", price of GB, line 1, field GB: 0.000001 GBP has more digits than GBP, which has 2: give a price that can be paid; nothing is rounded"#
          ]
        ),
      ]

  private static let gbp = #"{"GB": {"priceMicros": "890000", "currency": "GBP"}}"#

  @Test(arguments: defaults)
  func theDefaultPriceIsTheStorefrontsOrNobodys(
    name: String,
    price: String,
    prices: String,
    storefront: String?,
    read: [String],
    setAside: [String]
  ) throws {
    let imported = Imported(
      .googlePlayJSON,
      #"{"sku": "a", "defaultPrice": {"priceMicros": "990000", "currency": "\#(price)"}, "prices": \#(prices)}"#,
      ImportOptions(storefront: try storefront.map { try Storefront($0) })
    )
    #expect(imported.prices(of: "a") == read)
    #expect(imported.setAside == setAside)
  }

  static let money: [(region: String, read: [String], setAside: String?)] = [
    (#""regionCode": "US", "price": {"currencyCode": "USD"}"#, ["USA 0.00 USD"], nil),
    (#""regionCode": "US", "price": {"currencyCode": "usd", "units": 3}"#, ["USA 3.00 USD"], nil),
    (#""regionCode": "US""#, [], nil),
    (
      #""regionCode": "AR", "price": {"currencyCode": "ARS", "units": "990"}"#, [],
      "price of AR, line 1, field price: 990 ARS is a price of ARG, which charges USD: give the price that ARG charges in USD; nothing is converted"
    ),
    (
      #""regionCode": "AD", "price": {"currencyCode": "EUR", "units": "1"}"#, [],
      #"price of AD, line 1, field regionCode: no storefront is called "AD": give a territory such as USA; pricetag storefronts lists them all"#
    ),
    (
      #""regionCode": "JP", "price": {"currencyCode": "JPY", "units": "1", "nanos": 500000000}"#, [],
      "price of JP, line 1, field price: 1.5 JPY has more digits than JPY, which has 0: give a price that can be paid; nothing is rounded"
    ),
    (
      #""regionCode": "US", "price": {"currencyCode": "USD", "units": "1", "nanos": -1}"#, [],
      "price of US, line 1, field units: units 1 and nanos -1 have different signs: give both the amount's sign, as google.type.Money does"
    ),
    (
      #""regionCode": "US", "price": {"currencyCode": "USD", "units": "1.5"}"#, [],
      #"price of US, line 1, field units: "1.5" is no whole number: give one of at most 19 digits"#
    ),
    (
      #""regionCode": "US", "price": {"currencyCode": "USD", "nanos": 1000000000}"#, [],
      "price of US, line 1, field nanos: 1000000000 is no whole number of -999999999 to 999999999: give one"
    ),
    (
      #""regionCode": "US", "price": {"currencyCode": "USD", "units": "9223372036854775807", "nanos": 1}"#,
      [],
      #"price of US, line 1, field units: 9223372036854775807 units and 1 nanos is outside what an amount holds: keep to 18 significant digits, at most 18 of them after the decimal point"#
    ),
    (
      #""regionCode": "US", "price": {"units": "1"}"#, [],
      #"price of US, line 1, field currencyCode: the field "currencyCode" is missing: give it"#
    ),
    (
      #""regionCode": "US", "price": {"currencyCode": "DOL", "units": "1"}"#, [],
      #"price of US, line 1, field currencyCode: "DOL" is not an ISO 4217 code: give three letters such as USD"#
    ),
    (#""price": {}"#, [], #"line 1, field regionCode: the field "regionCode" is missing: give it"#),
  ]

  @Test(arguments: money)
  func moneyIsThatOfItsRegion(region: String, read: [String], setAside: String?) {
    let imported = Imported(
      .googlePlayJSON,
      #"{"productId": "a", "basePlans": [{"basePlanId": "b", "regionalConfigs": [{\#(region)}]}]}"#
    )
    #expect(imported.prices(of: "a:b") == read)
    #expect(imported.setAside == (setAside.map { [#"product "a:b", "# + $0] } ?? []))
  }

  // MARK: What is set aside

  static let mistakes: [(name: String, text: String, lines: [[String]], setAside: [String])] = [
    (
      "placeholders",
      #"{"sku": "sku", "status": "status", "purchaseType": "type", "defaultLanguage": "default language"}"#,
      [["sku, not approved"]],
      [
        #"product "sku", line 1, field status: there is no status "status": give one of active, inactive"#,
        #"product "sku", line 1, field purchaseType: there is no purchaseType "type": give managedUser or subscription"#,
      ]
    ),
    (
      "no identifier", #"{"listings": [], "purchaseOptions": []}"#, [],
      [#"product, line 1, field productId: the field "productId" is missing: give it"#]
    ),
    (
      "elements", #"[1, {"a": 1}, [{"sku": "a"}], {"sku": "b"}]"#, [["b"]],
      [
        "element 1: a number stands where a product of Google Play's API is expected: give its JSON as the API answers it",
        "element 2, line 1: an object stands where a product of Google Play's API is expected: give its JSON as the API answers it",
        "element 3: an array stands where a product of Google Play's API is expected: give its JSON as the API answers it",
      ]
    ),
    (
      "a listing", #"{"sku": "a", "listings": {"xx": {"title": "a"}, "en": 1, "fr": {"title": "b"}}}"#,
      [["a", "fr: b | -"]],
      [
        #"product "a", line 1, field xx: ICU has no data for the language of "xx": give a locale that CLDR knows, such as en-US"#,
        #"product "a", line 1: a number stands where a listing is expected: give an object"#,
      ]
    ),
    (
      "benefits",
      #"{"productId": "a", "listings": [{"languageCode": "en", "title": "A", "benefits": ["b"]}], "basePlans": []}"#,
      [],
      [
        #"subscription "a", line 1, field listings: the benefits cannot be kept: say them in the description"#
      ]
    ),
    (
      "instalments",
      #"""
      {"productId": "a", "basePlans": [{"basePlanId": "b", "installmentsBasePlanType":
        {"billingPeriodDuration": "P1M", "committedPaymentsCount": 12}}]}
      """#,
      [["a:b, auto-renewable-subscription, of a, P1M"]],
      [
        #"product "a:b", line 1, field installmentsBasePlanType: the payments that somebody commits to cannot be kept: say them in the description; the price of one payment is read"#
      ]
    ),
    (
      "a pre-order",
      #"""
      {"productId": "a", "purchaseOptions": [{"regionalPricingAndAvailabilityConfigs": [
        {"regionCode": "US", "availability": "AVAILABLE_IF_RELEASED"}]}]}
      """#,
      [["a"]],
      [
        #"product "a", price of US, line 2, field availability: whether it can be bought depends on a pre-order: read it again when it is AVAILABLE"#
      ]
    ),
    (
      "offers of one-time products", #"{"oneTimeProductOffers": [{"offerId": "a"}]}"#, [],
      [
        "line 1: offers of one-time products cannot be kept: leave them out, or make them products of their own"
      ]
    ),
  ]

  @Test(arguments: mistakes)
  func whatIsWrongIsSetAsideAlone(name: String, text: String, lines: [[String]], setAside: [String]) {
    let imported = Imported(.googlePlayJSON, text)
    #expect(imported.failure == nil)
    #expect(imported.products.map(\.lines) == lines)
    #expect(imported.setAside == setAside)
  }

  /// What older apps are offered is the product, and another option is a product beside it.
  @Test func aPurchaseOptionIsAProduct() {
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
      imported.setAside == [
        #"product "film", purchase option "rent", line 2, field rentOption: a product to rent cannot be kept: leave it out; what is bought for good is read"#,
        #"product "film", purchase option, line 4, field purchaseOptionId: the field "purchaseOptionId" is missing: give it"#,
      ]
    )
  }

  static let offers: [(name: String, members: String, line: String?, setAside: String?)] = [
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
      "price of CH, line 1, field relativeDiscount: the price is a discount of another price: give the price itself; nothing is computed"
    ),
    (
      "two phases", #""phases": [{}, {}]"#, nil,
      "line 1, field phases: an offer of 2 phases cannot be kept: make an offer of one phase"
    ),
    (
      "free here and there", #""phases": [{"duration": "P1M", "regionalConfigs": [\#(free), \#(francs)]}]"#,
      nil,
      "line 1, field regionalConfigs: an offer that is free in some regions alone cannot be kept: make two offers of it"
    ),
    (
      "an upgrade", #""targeting": {"upgradeRule": {"oncePerUser": true}}"#, nil,
      "line 1, field targeting: an offer for who changes the base plan cannot be kept: leave it out"
    ),
    (
      "a draft", #""state": "DRAFT""#, nil,
      "line 1, field state: the offer is not active: activate it, or leave it out"
    ),
  ]

  private static let francs = #"{"regionCode": "CH", "price": {"currencyCode": "CHF", "units": "2"}}"#
  private static let free = #"{"regionCode": "US", "free": {}}"#

  @Test(arguments: offers)
  func anOfferIsRead(name: String, members: String, line: String?, setAside: String?) {
    let imported = Imported(
      .googlePlayJSON,
      #"{"productId": "a", "basePlanId": "b", "offerId": "o", \#(members)}"#
    )
    #expect(imported.products.first?.lines.dropFirst().first == line)
    #expect(imported.setAside == (setAside.map { [#"offer "o", "# + $0] } ?? []))
  }

  static let broken: [(text: String, failure: String)] = [
    ("", "line 1, column 1: the text ends where a value is expected: correct the JSON"),
    ("1", "line 1: a number stands where products are expected: give an object or an array"),
    (
      #"{"a": 1}"#,
      "line 1: the object is no product of Google Play's API and no list of them: give an answer of the API: inappproducts, oneTimeProducts, subscriptions or their offers"
    ),
    (
      String(repeating: "[", count: 100_000),
      "line 1, column 33: values are nested more than 32 deep: correct the JSON"
    ),
    (#"{"sku": "a", "sku": "b"}"#, #"line 1, column 14: the field "sku" stands twice: correct the JSON"#),
  ]

  @Test(arguments: broken)
  func whatIsNoProductEndsTheImport(text: String, failure: String) {
    #expect(Imported(.googlePlayJSON, text).failure == failure)
  }

  @Test(.timeLimit(.minutes(1)))
  func aLargeFileTakesNoQuadraticTime() {
    let offers = (0..<50_000).map {
      #"{"productId": "a", "basePlanId": "b\#($0)", "offerId": "o", "phases": []}"#
    }
    #expect(Imported(.googlePlayJSON, "[\(offers.joined(separator: ","))]").setAside.count == 50_000)
    let prices = (0..<5_000).map { #""A\#($0)": {"priceMicros": "1", "currency": "USD"}"# }
    let imported = Imported(.googlePlayJSON, #"{"sku": "a", "prices": {\#(prices.joined(separator: ","))}}"#)
    #expect(imported.setAside.count == 5_000)
  }
}
