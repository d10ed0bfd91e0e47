import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

@Suite struct StoreKitImporterTests {
  /// Returns a configuration with the given members for Japan.
  private static func file(
    _ members: String,
    version: String = #"{"major": 4, "minor": 0}"#,
    settings: String = #"{"_locale": "ja", "_storefront": "JPN"}"#
  ) -> String {
    """
    {"identifier": "0A1B2C3D", "settings": \(settings), "version": \(version),
    \(members)}
    """
  }

  private static func product(_ members: String = "", price: String = "\"120\"") -> String {
    #"{"productID": "com.example.level1", "type": "Consumable", "displayPrice": \#(price)\#(members)}"#
  }

  private static func subscription(_ members: String) -> String {
    """
    "subscriptionGroups": [{"id": "G1", "name": "Garage", "localizations": [], "subscriptions": [
    {"productID": "com.example.club", "type": "RecurringSubscription", "displayPrice": "500", \(members)}]}]
    """
  }

  @Test func importsConfiguration() {
    let imported = Imported(
      .storekit,
      Self.file(
        """
        "appPolicies": {"eula": ""}, "subscriptionOffersKeyPair": {"id": "1", "privateKey": "secret"},
        "products": [
          {"productID": "com.example.level1", "type": "Consumable", "displayPrice": "120", "referenceName": "Level",
           "familyShareable": false, "internalID": "1", "aFieldOfNextYear": {"a": [1]},
           "localizations": [{"locale": "en_US", "displayName": "Level 1", "description": ""},
                             {"locale": "zh_Hans", "displayName": "第一关", "description": "一"},
                             {"locale": "iw_IL", "displayName": "", "description": ""}]},
          {"productID": "com.example.rocket_car", "type": "NonConsumable", "displayPrice": "0.00"}],
        "nonRenewingSubscriptions": [{"productID": "com.example.season", "displayPrice": "980"}],
        "subscriptionGroups": [{"id": "G1", "name": "Garage",
          "localizations": [{"locale": "fr", "displayName": "Le garage"}, {"locale": "de", "displayName": ""}],
          "subscriptions": [{"productID": "com.example.club", "type": "RecurringSubscription",
            "displayPrice": "500", "groupNumber": 2, "recurringSubscriptionPeriod": "P1M", "subscriptionGroupID": "G1",
            "introductoryOffer": null, "adHocOffers": [], "codeOffers": []}]}]
        """
      )
    )
    #expect(imported.failure == nil)
    #expect(imported.rejects == [])
    #expect(imported.groups == [ProductGroup(.subscriptionGroup, "G1", names: ["fr": "Le garage"])])
    #expect(
      imported.products.map(\.lines) == [
        [
          #"com.example.level1, consumable, "Level""#, "en-US: Level 1 | -", "zh-Hans: 第一关 | 一",
          "JPN 120 JPY",
        ],
        ["com.example.rocket_car, non-consumable", "JPN 0 JPY"],
        ["com.example.season, non-renewing-subscription", "JPN 980 JPY"],
        [
          "com.example.club, auto-renewable-subscription, of G1, level 2, P1M", "JPN 500 JPY", "no offers",
        ],
      ]
    )
    #expect(imported.products.allSatisfy { $0.priceLocales.isEmpty })
  }

  static let storefronts:
    [(settings: String, option: String?, price: String, prices: [String], rejects: String)] =
      [
        (#"{"_storefront": "GBR"}"#, nil, #""9.9""#, ["GBR 9.90 GBP"], ""),
        (#"{"_storefront": "GBR"}"#, "gb", #""9.9""#, ["GBR 9.90 GBP"], ""),
        (
          #"{"_storefront": "GBR"}"#, "FRA", #""9.9""#, [],
          #"product "com.example.level1", line 2, field displayPrice: the price 9.9 belongs to GBR according to the file, but to FRA according to --prices-of; pass --prices-of GBR, or --reinterpret-as FRA (ImportOptions.reinterpretAs) to import it as a price of FRA"#
        ),
        (
          #"{"_storefront": "GBN"}"#, "GBR", #""2""#, [],
          """
          settings, line 1, field _storefront: unknown storefront "GBN"; did you mean "GBR"?
          product "com.example.level1", line 2, field displayPrice: the price 2 belongs to an unknown storefront; correct _storefront in the settings, or pass --reinterpret-as (ImportOptions.reinterpretAs)
          """
        ),
        (#"{"_storefront": "GBR"}"#, nil, "2", ["GBR 2.00 GBP"], ""),
        (#"{"_locale": "en_US"}"#, "usa", #""2""#, ["USA 2.00 USD"], ""),
        (
          #"{"_locale": "en_US"}"#, nil, #""2""#, [],
          #"product "com.example.level1", line 2, field displayPrice: the price 2 has no storefront; name one with --prices-of or ImportOptions.storefront"#
        ),
        (
          #"{"_storefront": "GBN"}"#, nil, #""2""#, [],
          """
          settings, line 1, field _storefront: unknown storefront "GBN"; did you mean "GBR"?
          product "com.example.level1", line 2, field displayPrice: the price 2 belongs to an unknown storefront; correct _storefront in the settings, or pass --reinterpret-as (ImportOptions.reinterpretAs)
          """
        ),
        (
          #"{"_storefront": "JPN"}"#, nil, #""1.50""#, [],
          #"product "com.example.level1", line 2, field displayPrice: 1.50 JPY has more decimals than the minor unit of JPY (0); write an amount that can be charged; imported prices are not rounded"#
        ),
        (
          #"{"_storefront": "JPN"}"#, nil, #""1,50""#, [],
          #"product "com.example.level1", line 2, field displayPrice: "1,50" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50"#
        ),
        (
          #"{"_storefront": "JPN"}"#, nil, "null", [],
          #"product "com.example.level1", line 2, field displayPrice: the field "displayPrice" is missing; add it"#
        ),
      ]

  /// The file's storefront is not overridden by the import options, and no storefront is guessed.
  @Test(arguments: storefronts)
  func importsPriceForStorefront(
    settings: String,
    option: String?,
    price: String,
    prices: [String],
    rejects: String
  ) throws {
    let imported = Imported(
      .storekit,
      Self.file("\"products\": [\(Self.product(price: price))]", settings: settings),
      ImportOptions(storefront: try option.map { try Storefront($0) })
    )
    #expect(imported.prices(of: "com.example.level1") == prices)
    #expect(imported.rejectText == rejects)
    #expect(imported.products.count == 1)
  }

  static let reinterpretations: [(settings: String, storefront: String?)] = [
    (#"{"_storefront": "JPN"}"#, "JPN"),
    (#"{"_storefront": "jp"}"#, "JPN"),
    (#"{"_storefront": "GBN"}"#, "GBN"),
    (#"{"_storefront": "USA"}"#, nil),
    ("{}", nil),
  ]

  /// The option `reinterpretAs` replaces the storefront of a file, and the summary reports it.
  @Test(arguments: reinterpretations)
  func reinterpretsStorefront(settings: String, storefront: String?) throws {
    let catalog = try Catalog()
    let text = Self.file("\"products\": [\(Self.product(price: "\"500\""))]", settings: settings)
    let summary = try catalog.importFiles(
      [CatalogFile(name: "shop.storekit", bytes: Array(text.utf8))],
      options: ImportOptions(reinterpretAs: try Storefront("USA"))
    )
    #expect(try contents(of: catalog) == ["com.example.level1, USA 500.00 USD"])
    #expect(summary.rejected == 0)
    #expect(summary.reinterpretations.map(\.storefront) == [storefront].compactMap(\.self))
    #expect(
      summary.reinterpretations.allSatisfy { $0.file == "shop.storekit" && $0.reinterpretedAs == "USA" }
    )
  }

  /// If the options name another storefront, products and texts are imported without prices.
  @Test func importsTextsDespiteStorefrontMismatch() throws {
    let catalog = try Catalog()
    let text = Self.file(
      "\"products\": [\(Self.product(#", "localizations": [{"locale": "en", "displayName": "Level 1"}]"#))]"
    )
    let summary = try catalog.importFiles(
      [CatalogFile(name: "shop.storekit", bytes: Array(text.utf8))],
      options: ImportOptions(storefront: try Storefront("USA"))
    )
    #expect(try contents(of: catalog) == ["com.example.level1, en=Level 1"])
    #expect(summary.products == .init(added: 1))
    #expect(summary.rejected == 1)
  }

  /// `reinterpretAs` supports only formats that name one storefront for the complete file.
  @Test func rejectsReinterpretationOfOtherFormats() throws {
    let catalog = try Catalog()
    let failure = #expect(throws: CatalogError.self) {
      try catalog.importFiles(
        [lines(CatalogImportTests.level)],
        options: ImportOptions(reinterpretAs: try Storefront("USA"))
      )
    }
    #expect(
      failure?.description
        == "shop.jsonl: prices in the format jsonl cannot be reinterpreted as prices of USA; remove --reinterpret-as, which applies to StoreKit configurations only"
    )
    #expect(try catalog.productIdentifiers() == [])
  }

  static let offers: [(name: String, members: String, lines: [String], rejects: String)] = [
    ("no offers", #""groupNumber": 1"#, [], ""),
    (
      "free",
      #""introductoryOffer": {"internalID": "1", "paymentMode": "free", "subscriptionPeriod": "P1W"}"#,
      ["introductory -, free-trial, 1 × P1W"], ""
    ),
    (
      "free for three periods",
      #""introductoryOffers": [{"paymentMode": "free", "subscriptionPeriod": "P1M", "numberOfPeriods": 3}]"#,
      ["introductory -, free-trial, 1 × P3M"], ""
    ),
    (
      "a copy of the first",
      #"""
      "introductoryOffer": {"internalID": "1", "paymentMode": "free", "subscriptionPeriod": "P1M"},
      "introductoryOffers": [{"internalID": "1", "paymentMode": "free", "subscriptionPeriod": "P1M"}]
      """#,
      ["introductory -, free-trial, 1 × P1M"], ""
    ),
    (
      "pay as you go",
      #"""
      "introductoryOffer": {"paymentMode": "payAsYouGo", "subscriptionPeriod": "P2M", "numberOfPeriods": 3,
        "displayPrice": "100"}
      """#,
      ["introductory -, pay-as-you-go, 3 × P2M", "  JPN 100 JPY"], ""
    ),
    (
      "every kind",
      #"""
      "winbackOffers": [{"offerID": "back", "paymentMode": "payUpFront", "subscriptionPeriod": "P1Y",
        "displayPrice": "900", "isStackable": true}],
      "codeOffers": [{"referenceName": "code", "eligibility": ["new"], "paymentMode": "free",
        "subscriptionPeriod": "P3D"}],
      "adHocOffers": [{"offerID": "promo", "referenceName": "r", "paymentMode": "payUpFront",
        "subscriptionPeriod": "P6M", "numberOfPeriods": 2, "displayPrice": "1"}]
      """#,
      [
        "promotional promo, pay-up-front, 1 × P12M", "  JPN 1 JPY", "code code, free-trial, 1 × P3D",
        "win-back back, pay-up-front, 1 × P1Y", "  JPN 900 JPY",
      ], ""
    ),
    (
      "an offer of a missing plan",
      #""adHocOffers": [{"offerID": "m", "billingPlanType": "MONTHLY", "paymentMode": "free"}]"#,
      ["no offers"],
      #"product "com.example.club", promotional offer "m", line 3, field billingPlanType: unknown billing plan "MONTHLY"; add the plan in Xcode, or remove the offer"#
    ),
    (
      "invalid offers",
      #"""
      "adHocOffers": ["x", {"offerID": "a", "paymentMode": "gift", "subscriptionPeriod": "P1M"},
        {"offerID": "b", "paymentMode": "free", "subscriptionPeriod": "P1X"},
        {"offerID": "c", "paymentMode": "free", "subscriptionPeriod": "P9999Y", "numberOfPeriods": 999},
        {"offerID": "d", "paymentMode": "payUpFront", "subscriptionPeriod": "P1M"}]
      """#,
      ["no offers"],
      """
      product "com.example.club", promotional offer, line 3: an offer must be an object, not a string; write an object
      product "com.example.club", promotional offer "a", line 3, field paymentMode: unknown paymentMode "gift"; use one of free, payAsYouGo, payUpFront
      product "com.example.club", promotional offer "b", line 4, field subscriptionPeriod: "P1X" is not an ISO 8601 duration in days, weeks, months or years; write one such as P7D, P2W, P1M or P1Y
      product "com.example.club", promotional offer "c", line 5, field numberOfPeriods: a period of 9989001 years is outside 1...9999; use a period such as P1M
      product "com.example.club", promotional offer "d", line 6, field displayPrice: the field "displayPrice" is missing; add it
      """
    ),
  ]

  @Test(arguments: offers)
  func importsOffer(name: String, members: String, lines: [String], rejects: String) {
    let imported = Imported(.storekit, Self.file(Self.subscription(members)))
    #expect(imported.failure == nil)
    #expect(
      imported.products.first.map { Array($0.lines.drop { !$0.hasPrefix("JPN") }.dropFirst()) } == lines
    )
    #expect(imported.rejectText == rejects)
  }

  /// Without a storefront, only the product's price is rejected, not also the price of each offer.
  @Test func importsOfferWithoutPrice() {
    let offer =
      #""introductoryOffer": {"paymentMode": "payUpFront", "subscriptionPeriod": "P1M", "displayPrice": "1"}"#
    let imported = Imported(.storekit, Self.file(Self.subscription(offer), settings: "{}"))
    #expect(imported.rejects.count == 1)
    #expect(imported.products.first?.lines.dropFirst() == ["introductory -, pay-up-front, 1 × P1M"])
  }

  static let plans: [(name: String, plans: String, prices: [String], rejects: String)] = [
    (
      "the same price",
      #"{"billingPlanType": "BILLED_UPFRONT", "displayPrice": "500.00", "isEnabled": true}"#,
      ["JPN 500 JPY"], ""
    ),
    ("a disabled plan", #"{"billingPlanType": "MONTHLY", "isEnabled": false}"#, ["JPN 500 JPY"], ""),
    (
      "an unknown plan", #"{"billingPlanType": "WEEKLY", "displayPrice": "50"}"#, ["JPN 500 JPY"],
      #"product "com.example.club", line 3, field billingPlanType: unknown billing plan "WEEKLY"; keep it in Xcode; only the price paid up front is imported"#
    ),
    (
      "another price", #"{"billingPlanType": "BILLED_UPFRONT", "displayPrice": "50"}"#, [],
      #"product "com.example.club", line 3, field displayPrice: the price 50 of the billing plan differs from the subscription's displayPrice 500; make them equal; both are rejected"#
    ),
    (
      "another total", #"{"billingPlanType": "BILLED_UPFRONT", "commitmentDisplayPrice": "600"}"#, [],
      #"product "com.example.club", line 3, field commitmentDisplayPrice: the price 600 of the billing plan differs from the subscription's displayPrice 500; make them equal; both are rejected"#
    ),
    (
      "another price of a disabled plan",
      #"{"billingPlanType": "BILLED_UPFRONT", "displayPrice": "50", "isEnabled": false}"#, ["JPN 500 JPY"],
      ""
    ),
    (
      "one plan with the price, and one with another",
      #"{"billingPlanType": "BILLED_UPFRONT", "displayPrice": "50"}, {"billingPlanType": "BILLED_UPFRONT", "displayPrice": "500"}"#,
      [],
      #"product "com.example.club", line 3, field displayPrice: the price 50 of the billing plan differs from the subscription's displayPrice 500; make them equal; both are rejected"#
    ),
  ]

  @Test(arguments: plans)
  func importsUpFrontBillingPlan(name: String, plans: String, prices: [String], rejects: String) {
    let imported = Imported(.storekit, Self.file(Self.subscription("\"billingPlans\": [\(plans)]")))
    #expect(imported.prices(of: "com.example.club") == prices)
    #expect(imported.rejectText == rejects)
  }

  /// A monthly plan becomes a separate product, like a base plan of Google Play.
  @Test func importsMonthlyPlanAsProduct() {
    let members = #"""
      "recurringSubscriptionPeriod": "P1Y", "groupNumber": 1, "referenceName": "Club",
      "localizations": [{"locale": "en_US", "displayName": "Club"}],
      "billingPlans": [{"billingPlanType": "BILLED_UPFRONT", "displayPrice": "500", "commitmentDisplayPrice": "500"},
        {"billingPlanType": "MONTHLY", "displayPrice": "50", "commitmentDisplayPrice": "600", "isEnabled": true}],
      "introductoryOffers": [
        {"billingPlanType": "BILLED_UPFRONT", "paymentMode": "free", "subscriptionPeriod": "P1M"},
        {"billingPlanType": "MONTHLY", "paymentMode": "free", "subscriptionPeriod": "P2M"}]
      """#
    let imported = Imported(.storekit, Self.file(Self.subscription(members)))
    #expect(imported.failure == nil)
    #expect(imported.products.map(\.identifier) == ["com.example.club", "com.example.club:monthly"])
    #expect(imported.products.map { $0.subscriptionPeriod?.description } == ["P1Y", "P1M"])
    #expect(imported.prices(of: "com.example.club") == ["JPN 500 JPY"])
    #expect(imported.prices(of: "com.example.club:monthly") == ["JPN 50 JPY"])
    #expect(imported.products.map { $0.offers?.map(\.period.description) } == [["P1M"], ["P2M"]])
    #expect(imported.products.map(\.subscriptionGroup) == ["G1", "G1"])
    #expect(imported.products.allSatisfy { $0.localizations["en-US"]?.name == "Club" })
    #expect(
      imported.rejects == [
        #"product "com.example.club", line 6, field commitmentDisplayPrice: a commitment to 12 payments (600 in total) is not supported; state it in the description; only the price of one payment is imported"#
      ]
    )
  }

  static let contradictoryMonthlyPlans: [(name: String, plans: String, reject: String)] = [
    (
      "two prices",
      #"{"billingPlanType": "MONTHLY", "displayPrice": "50"}, {"billingPlanType": "MONTHLY", "displayPrice": "60"}"#,
      "displayPrice: JPN has 60 JPY and 50 JPY on the same dates; keep one price per date (all prices of JPN were rejected)"
    ),
    (
      "a total of another price",
      #"{"billingPlanType": "MONTHLY", "displayPrice": "50", "commitmentDisplayPrice": "500"}"#,
      "commitmentDisplayPrice: the total 500 is not that of 12 payments of 50; correct one; until then the plan is rejected"
    ),
  ]

  @Test(arguments: contradictoryMonthlyPlans)
  func rejectsContradictoryMonthlyPlan(name: String, plans: String, reject: String) {
    let members = #""recurringSubscriptionPeriod": "P1Y", "billingPlans": [\#(plans)]"#
    let imported = Imported(.storekit, Self.file(Self.subscription(members)))
    #expect(imported.products.map(\.identifier) == ["com.example.club"])
    #expect(imported.rejects == [#"product "com.example.club", line 3, field \#(reject)"#])
  }

  static let invalidData: [(name: String, members: String, products: Int, rejects: String)] = [
    (
      "no identifier", #""products": [{"type": "Consumable"}]"#, 0,
      #"product, line 2, field productID: the field "productID" is missing; add it"#
    ),
    (
      "a malformed identifier", #""products": [{"productID": "../up"}]"#, 0,
      #"product "../up", line 2, field productID: "../up" is not a product identifier; use 1 to 255 letters, digits, ".", "_", "-" or ":", starting with a letter or digit"#
    ),
    (
      "a product that is not an object", #""products": [7]"#, 0,
      "product, line 2: a product must be an object, not a number; write an object"
    ),
    ("the same twice", "\"products\": [\(product()), \(product())]", 2, ""),
    (
      "an unknown type",
      "\"products\": [\(product().replacing("Consumable", with: "Consumible"))]", 1,
      #"product "com.example.level1", line 2, field type: unknown type "Consumible"; use one of Consumable, NonConsumable, NonRenewingSubscription, RecurringSubscription (did you mean "Consumable"?)"#
    ),
    (
      "an invalid level", "\"products\": [\(product(#", "groupNumber": 0"#))]", 1,
      #"product "com.example.level1", line 2, field groupNumber: 0 is not an integer from 1 to 9999; write a number in that range"#
    ),
    (
      "texts",
      """
      "products": [\(product(#", "localizations": [{"locale": "qq_QQ", "displayName": "a"}, "#
        + #"{"displayName": "a"}, {"locale": "en", "displayName": "a"}, {"locale": "en", "displayName": "b"}]"#))]
      """, 1,
      """
      product "com.example.level1", line 2, field locale: unknown language "qq_QQ" (ICU has no data for the language); use a BCP 47 tag such as "en-US"
      product "com.example.level1", line 2, field locale: the field "locale" is missing; add it
      product "com.example.level1", line 2, field locale: "en" appears twice with different texts; remove one
      """
    ),
    (
      "groups",
      #""subscriptionGroups": [1, {"id": "G", "localizations": [{"locale": "en", "displayName": "a"}, {"locale": "en", "displayName": "b"}]}, {"subscriptions": [{"productID": "a", "displayPrice": "1"}]}]"#,
      1,
      """
      subscription group, line 2: a subscription group must be an object, not a number; write an object
      subscription group "G", line 2, field locale: "en" appears twice with different names; remove one
      subscription group, line 2, field id: the field "id" is missing; add it
      """
    ),
    ("no bundles", #""subscriptionBundleGroups": [], "subscriptionSuiteGroups": []"#, 0, ""),
    (
      "bundles", #""subscriptionBundleGroups": [{"id": "B"}]"#, 0,
      "line 2, field subscriptionBundleGroups: bundles of subscriptions are not supported; keep them in Xcode; only the subscriptions themselves are imported"
    ),
  ]

  @Test(arguments: invalidData)
  func rejectsInvalidData(name: String, members: String, products: Int, rejects: String) {
    let imported = Imported(.storekit, Self.file(members))
    #expect(imported.failure == nil)
    #expect(imported.products.count == products)
    #expect(imported.rejectText == rejects)
  }

  static let versions: [(version: String, failure: String?)] =
    (1...6).map { ("{\"major\": \($0), \"minor\": 99}", nil) } + [
      (
        #"{"major": 7, "minor": 0}"#,
        "line 1, field version: unknown StoreKit configuration version 7; use version 1 to 6, or use a later version of PriceTag"
      ),
      (
        #"{"major": 0}"#,
        "line 1, field version: unknown StoreKit configuration version 0; use version 1 to 6, or use a later version of PriceTag"
      ),
      (
        "null",
        "line 1, field version: the field \"version\" is missing or has no \"major\"; use a StoreKit configuration saved by Xcode, of version 1 to 6"
      ),
    ]

  @Test(arguments: versions)
  func checksVersion(version: String, failure: String?) {
    let imported = Imported(
      .storekit,
      Self.file("\"products\": [\(Self.product())]", version: version)
    )
    #expect(imported.failure == failure)
    #expect(imported.products.count == (failure == nil ? 1 : 0))
  }

  static let broken: [(text: String, failure: String)] = [
    ("[]", "line 1: a StoreKit configuration must be an object, not an array; write an object"),
    ("{\n\"a\" 1}", #"line 2, column 5: expected ":", not "1"; correct the JSON"#),
    (
      file("\"subscriptionOffersKeyPair\": {\"privateKey\": \"secret\" \"}"),
      #"line 2, column 54: expected "," or "}", not "\""; correct the JSON"#
    ),
    (
      file("\"products\": {}"),
      "line 2, field products: the field \"products\" must be an array, not an object; write an array"
    ),
  ]

  @Test(arguments: broken)
  func invalidFileEndsImport(text: String, failure: String) {
    let imported = Imported(.storekit, text)
    #expect(imported.failure == failure)
    #expect(imported.products.isEmpty)
  }

  @Test(.timeLimit(.minutes(20)))
  func largeFileTakesLinearTime() {
    let text = #"{"locale": "en", "displayName": "a"}"#
    let many = Array(repeating: text, count: 20_000).joined(separator: ",")
    let imported = Imported(
      .storekit,
      Self.file("\"products\": [\(Self.product(", \"localizations\": [\(many)]"))]")
    )
    #expect(imported.products.first?.localizations.count == 1)
    let offers = (0..<20_000).map { "{\"internalID\": \"\($0)\", \"paymentMode\": \"\"}" }
    let failed = Imported(
      .storekit,
      Self.file(Self.subscription("\"introductoryOffers\": [\(offers.joined(separator: ","))]"))
    )
    #expect(failed.rejects.count == 20_000)
  }
}
