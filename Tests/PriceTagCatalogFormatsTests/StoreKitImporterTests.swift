import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

@Suite struct StoreKitImporterTests {
  /// A configuration with these members, tested in Japan.
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

  @Test func aConfigurationIsReadWhole() {
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
    #expect(imported.setAside == [])
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
    [(settings: String, option: String?, price: String, prices: [String], setAside: [String])] =
      [
        (#"{"_storefront": "GBR"}"#, nil, #""9.9""#, ["GBR 9.90 GBP"], []),
        (#"{"_storefront": "GBR"}"#, "gb", #""9.9""#, ["GBR 9.90 GBP"], []),
        (
          #"{"_storefront": "GBR"}"#, "FRA", #""9.9""#, [],
          [
            #"product "com.example.level1", line 2, field displayPrice: the file names GBR as the storefront of the price 9.9, and --prices-of names FRA: pass --prices-of GBR, or --reinterpret-as FRA (ImportOptions.reinterpretAs) to read the file's prices as those of FRA"#
          ]
        ),
        (
          #"{"_storefront": "GBN"}"#, "GBR", #""2""#, [],
          [
            #"settings, line 1, field _storefront: no storefront is called "GBN": give a territory such as USA (did you mean GBR?); pricetag storefronts lists them all"#,
            #"product "com.example.level1", line 2, field displayPrice: the price 2 belongs to a storefront that is unknown: correct settings, _storefront, or pass --reinterpret-as USA (ImportOptions.reinterpretAs)"#,
          ]
        ),
        (#"{"_storefront": "GBR"}"#, nil, "2", ["GBR 2.00 GBP"], []),
        (#"{"_locale": "en_US"}"#, "usa", #""2""#, ["USA 2.00 USD"], []),
        (
          #"{"_locale": "en_US"}"#, nil, #""2""#, [],
          [
            #"product "com.example.level1", line 2, field displayPrice: the file does not say whose price 2 is: say whose they are: --prices-of USA, or ImportOptions.storefront"#
          ]
        ),
        (
          #"{"_storefront": "GBN"}"#, nil, #""2""#, [],
          [
            #"settings, line 1, field _storefront: no storefront is called "GBN": give a territory such as USA (did you mean GBR?); pricetag storefronts lists them all"#,
            #"product "com.example.level1", line 2, field displayPrice: the price 2 belongs to a storefront that is unknown: correct settings, _storefront, or pass --reinterpret-as USA (ImportOptions.reinterpretAs)"#,
          ]
        ),
        (
          #"{"_storefront": "JPN"}"#, nil, #""1.50""#, [],
          [
            #"product "com.example.level1", line 2, field displayPrice: 1.50 JPY has more digits than JPY, which has 0: give a price that can be paid; nothing is rounded"#
          ]
        ),
        (
          #"{"_storefront": "JPN"}"#, nil, #""1,50""#, [],
          [
            #"product "com.example.level1", line 2, field displayPrice: "1,50" is not a decimal amount: write ASCII digits with an optional sign and fraction, such as 1234.50"#
          ]
        ),
        (
          #"{"_storefront": "JPN"}"#, nil, "null", [],
          [
            #"product "com.example.level1", line 2, field displayPrice: the field "displayPrice" is missing: give it"#
          ]
        ),
      ]

  /// The file's own storefront wins over the import's option, and the United States are never guessed.
  @Test(arguments: storefronts)
  func aPriceIsThatOfAStorefront(
    settings: String,
    option: String?,
    price: String,
    prices: [String],
    setAside: [String]
  ) throws {
    let imported = Imported(
      .storekit,
      Self.file("\"products\": [\(Self.product(price: price))]", settings: settings),
      ImportOptions(storefront: try option.map { try Storefront($0) })
    )
    #expect(imported.prices(of: "com.example.level1") == prices)
    #expect(imported.setAside == setAside)
    #expect(imported.products.count == 1)
  }

  static let reinterpretations: [(settings: String, prices: [String], storefront: String?)] = [
    (#"{"_storefront": "JPN"}"#, ["USA 500.00 USD"], "JPN"),
    (#"{"_storefront": "jp"}"#, ["USA 500.00 USD"], "JPN"),
    (#"{"_storefront": "GBN"}"#, ["USA 500.00 USD"], "GBN"),
    (#"{"_storefront": "USA"}"#, ["USA 500.00 USD"], nil),
    ("{}", ["USA 500.00 USD"], nil),
  ]

  /// Reading a file as another storefront's is an option of its own, and the summary reports it.
  @Test(arguments: reinterpretations)
  func aFileIsReinterpretedOnPurpose(settings: String, prices: [String], storefront: String?) throws {
    let catalog = try Catalog()
    let text = Self.file("\"products\": [\(Self.product(price: "\"500\""))]", settings: settings)
    let summary = try catalog.importFiles(
      [CatalogFile(name: "shop.storekit", bytes: Array(text.utf8))],
      options: ImportOptions(reinterpretAs: try Storefront("USA"))
    )
    #expect(
      try contents(of: catalog) == [
        (["com.example.level1"] + prices).joined(separator: ", ")
      ]
    )
    #expect(summary.setAside == 0)
    #expect(summary.reinterpretations.map(\.storefront) == [storefront].compactMap(\.self))
    #expect(
      summary.reinterpretations.allSatisfy { $0.file == "shop.storekit" && $0.reinterpretedAs == "USA" }
    )
  }

  /// Where the option names another storefront, the products and their texts are imported without prices.
  @Test func aContradictedStorefrontKeepsTheTexts() throws {
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
    #expect(summary.setAside == 1)
  }

  /// A format that names a storefront for each price cannot be reinterpreted as a complete file.
  @Test func onlyAConfigurationIsReinterpreted() throws {
    let catalog = try Catalog()
    let failure = #expect(throws: CatalogError.self) {
      try catalog.importFiles(
        [lines(CatalogImportTests.level)],
        options: ImportOptions(reinterpretAs: try Storefront("USA"))
      )
    }
    #expect(
      failure?.description
        == "shop.jsonl: the prices cannot be reinterpreted as those of USA: the format jsonl names no storefront for a complete file: leave out --reinterpret-as for this file, or give a StoreKit configuration"
    )
    #expect(try catalog.productIdentifiers() == [])
  }

  static let offers: [(name: String, members: String, lines: [String], setAside: [String])] = [
    ("silence", #""groupNumber": 1"#, [], []),
    (
      "free",
      #""introductoryOffer": {"internalID": "1", "paymentMode": "free", "subscriptionPeriod": "P1W"}"#,
      ["introductory -, free-trial, 1 × P1W"], []
    ),
    (
      "free for three periods",
      #""introductoryOffers": [{"paymentMode": "free", "subscriptionPeriod": "P1M", "numberOfPeriods": 3}]"#,
      ["introductory -, free-trial, 1 × P3M"], []
    ),
    (
      "a copy of the first",
      #"""
      "introductoryOffer": {"internalID": "1", "paymentMode": "free", "subscriptionPeriod": "P1M"},
      "introductoryOffers": [{"internalID": "1", "paymentMode": "free", "subscriptionPeriod": "P1M"}]
      """#,
      ["introductory -, free-trial, 1 × P1M"], []
    ),
    (
      "pay as you go",
      #"""
      "introductoryOffer": {"paymentMode": "payAsYouGo", "subscriptionPeriod": "P2M", "numberOfPeriods": 3,
        "displayPrice": "100"}
      """#,
      ["introductory -, pay-as-you-go, 3 × P2M", "  JPN 100 JPY"], []
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
      ], []
    ),
    (
      "a monthly plan's",
      #""adHocOffers": [{"offerID": "m", "billingPlanType": "MONTHLY", "paymentMode": "free"}]"#,
      ["no offers"],
      [
        #"product "com.example.club", promotional offer "m", line 3, field billingPlanType: the subscription has no billing plan "MONTHLY" for the offer: add the plan in Xcode, or remove the offer"#
      ]
    ),
    (
      "mistakes",
      #"""
      "adHocOffers": ["x", {"offerID": "a", "paymentMode": "gift", "subscriptionPeriod": "P1M"},
        {"offerID": "b", "paymentMode": "free", "subscriptionPeriod": "P1X"},
        {"offerID": "c", "paymentMode": "free", "subscriptionPeriod": "P9999Y", "numberOfPeriods": 999},
        {"offerID": "d", "paymentMode": "payUpFront", "subscriptionPeriod": "P1M"}]
      """#,
      ["no offers"],
      [
        #"product "com.example.club", promotional offer, line 3: a string stands where an offer is expected: give an object"#,
        #"product "com.example.club", promotional offer "a", line 3, field paymentMode: there is no payment mode "gift": give one of free, payAsYouGo, payUpFront"#,
        #"product "com.example.club", promotional offer "b", line 4, field subscriptionPeriod: "P1X" is not an ISO 8601 duration of whole days, weeks, months or years: write one such as P7D, P2W, P1M or P1Y"#,
        #"product "com.example.club", promotional offer "c", line 5, field numberOfPeriods: a period of 9989001 years is outside 1...9999: give a period such as P1M"#,
        #"product "com.example.club", promotional offer "d", line 6, field displayPrice: the field "displayPrice" is missing: give it"#,
      ]
    ),
  ]

  @Test(arguments: offers)
  func anOfferIsRead(name: String, members: String, lines: [String], setAside: [String]) {
    let imported = Imported(.storekit, Self.file(Self.subscription(members)))
    #expect(imported.failure == nil)
    #expect(
      imported.products.first.map { Array($0.lines.drop { !$0.hasPrefix("JPN") }.dropFirst()) } == lines
    )
    #expect(imported.setAside == setAside)
  }

  /// One price a product is missing for want of a storefront, and not one more for each offer.
  @Test func anOfferWithoutAStorefrontIsKeptWithoutAPrice() {
    let offer =
      #""introductoryOffer": {"paymentMode": "payUpFront", "subscriptionPeriod": "P1M", "displayPrice": "1"}"#
    let imported = Imported(.storekit, Self.file(Self.subscription(offer), settings: "{}"))
    #expect(imported.setAside.count == 1)
    #expect(imported.products.first?.lines.dropFirst() == ["introductory -, pay-up-front, 1 × P1M"])
  }

  static let plans: [(name: String, plans: String, prices: [String], setAside: [String])] = [
    (
      "the same price",
      #"{"billingPlanType": "BILLED_UPFRONT", "displayPrice": "500.00", "isEnabled": true}"#,
      ["JPN 500 JPY"], []
    ),
    ("one that is off", #"{"billingPlanType": "MONTHLY", "isEnabled": false}"#, ["JPN 500 JPY"], []),
    (
      "a plan that is not known", #"{"billingPlanType": "WEEKLY", "displayPrice": "50"}"#, ["JPN 500 JPY"],
      [
        #"product "com.example.club", line 3, field billingPlanType: the billing plan "WEEKLY" is not known: keep it in Xcode; the price paid up front is read"#
      ]
    ),
    (
      "another price", #"{"billingPlanType": "BILLED_UPFRONT", "displayPrice": "50"}"#, ["JPN 50 JPY"],
      [
        #"product "com.example.club", line 3, field displayPrice: the billing plan paid up front charges 50, and the subscription's displayPrice is 500: give both the same; what the plan charges is taken"#
      ]
    ),
  ]

  @Test(arguments: plans)
  func aBillingPlanPaidUpFrontIsThePrice(name: String, plans: String, prices: [String], setAside: [String]) {
    let imported = Imported(.storekit, Self.file(Self.subscription("\"billingPlans\": [\(plans)]")))
    #expect(imported.prices(of: "com.example.club") == prices)
    #expect(imported.setAside == setAside)
  }

  /// A payment's price, its period and the plan's own offers: a product of its own, as Google Play's base plans are.
  @Test func aPlanWithACommitmentIsAProduct() {
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
      imported.setAside == [
        #"product "com.example.club", line 6, field commitmentDisplayPrice: the commitment to 12 payments, 600 in total, cannot be kept: say it in the description; the price of a payment is read"#
      ]
    )
  }

  static let facts: [(name: String, members: String, products: Int, setAside: [String])] = [
    (
      "no identifier", #""products": [{"type": "Consumable"}]"#, 0,
      [#"product, line 2, field productID: the field "productID" is missing: give it"#]
    ),
    (
      "an identifier of no product", #""products": [{"productID": "../up"}]"#, 0,
      [
        #"product "../up", line 2, field productID: "../up" is not a product identifier: give 1 to 255 letters, digits, ".", "_", "-" and ":", a letter or digit first"#
      ]
    ),
    (
      "no object", #""products": [7]"#, 0,
      ["product, line 2: a number stands where a product is expected: give an object"]
    ),
    ("the same twice", "\"products\": [\(product()), \(product())]", 2, []),
    (
      "a type that is not known",
      "\"products\": [\(product().replacing("Consumable", with: "Consumible"))]", 1,
      [
        #"product "com.example.level1", line 2, field type: there is no type "Consumible": give one of Consumable, NonConsumable, NonRenewingSubscription, RecurringSubscription (did you mean Consumable?)"#
      ]
    ),
    (
      "a level that is none", "\"products\": [\(product(#", "groupNumber": 0"#))]", 1,
      [
        #"product "com.example.level1", line 2, field groupNumber: 0 is no whole number of 1 to 9999: give one"#
      ]
    ),
    (
      "texts",
      """
      "products": [\(product(#", "localizations": [{"locale": "qq_QQ", "displayName": "a"}, "#
        + #"{"displayName": "a"}, {"locale": "en", "displayName": "a"}, {"locale": "en", "displayName": "b"}]"#))]
      """, 1,
      [
        #"product "com.example.level1", line 2, field locale: ICU has no data for the language of "qq_QQ": give a locale that CLDR knows, such as en-US"#,
        #"product "com.example.level1", line 2, field locale: the field "locale" is missing: give it"#,
        #"product "com.example.level1", line 2, field locale: another text in en stands before this one: give one text for each language"#,
      ]
    ),
    (
      "groups",
      #""subscriptionGroups": [1, {"id": "G", "localizations": [{"locale": "en", "displayName": "a"}, {"locale": "en", "displayName": "b"}]}, {"subscriptions": [{"productID": "a", "displayPrice": "1"}]}]"#,
      1,
      [
        "subscription group, line 2: a number stands where a subscription group is expected: give an object",
        #"subscription group "G", line 2, field locale: another name in en stands before this one: give one name for each language"#,
        #"subscription group, line 2, field id: the field "id" is missing: give it"#,
      ]
    ),
    ("no bundles", #""subscriptionBundleGroups": [], "subscriptionSuiteGroups": []"#, 0, []),
    (
      "bundles", #""subscriptionBundleGroups": [{"id": "B"}]"#, 0,
      [
        "line 2, field subscriptionBundleGroups: bundles of subscriptions cannot be kept: keep them in Xcode; the subscriptions themselves are read"
      ]
    ),
  ]

  @Test(arguments: facts)
  func whatIsWrongIsSetAsideAlone(name: String, members: String, products: Int, setAside: [String]) {
    let imported = Imported(.storekit, Self.file(members))
    #expect(imported.failure == nil)
    #expect(imported.products.count == products)
    #expect(imported.setAside == setAside)
  }

  static let versions: [(version: String, failure: String?)] =
    (1...6).map { ("{\"major\": \($0), \"minor\": 99}", nil) } + [
      (
        #"{"major": 7, "minor": 0}"#,
        "line 1, field version: the version 7 of StoreKit configurations is not known: give one of version 1 to 6, or read the file with a newer PriceTag"
      ),
      (
        #"{"major": 0}"#,
        "line 1, field version: the version 0 of StoreKit configurations is not known: give one of version 1 to 6, or read the file with a newer PriceTag"
      ),
      (
        "null",
        "line 1, field version: the file does not say the version of its schema: give a StoreKit configuration as Xcode saves it, of version 1 to 6"
      ),
    ]

  @Test(arguments: versions)
  func aVersionIsKnownOrRefused(version: String, failure: String?) {
    let imported = Imported(
      .storekit,
      Self.file("\"products\": [\(Self.product())]", version: version)
    )
    #expect(imported.failure == failure)
    #expect(imported.products.count == (failure == nil ? 1 : 0))
  }

  static let broken: [(bytes: [UInt8], failure: String)] = [
    ([], "line 1, column 1: the text ends where a value is expected: correct the JSON"),
    (Array("[]".utf8), "line 1: an array stands where a StoreKit configuration is expected: give an object"),
    (Array("{\n\"a\" 1}".utf8), #"line 2, column 5: "1" stands where ":" is expected: correct the JSON"#),
    (
      Array(repeating: UInt8(ascii: "["), count: 100_000),
      "line 1, column 33: values are nested more than 32 deep: correct the JSON"
    ),
    ([0xFF, 0xFE, 0x7B, 0], "line 1: the file is UTF-16: save it as UTF-8"),
    (
      Array("{\"a\": \"".utf8) + [0xC0, 0x22, 0x7D],
      "line 1, column 8: the text is not UTF-8: correct the JSON"
    ),
    (
      Array(file("\"subscriptionOffersKeyPair\": {\"privateKey\": \"secret\" \"}").utf8),
      #"line 2, column 54: "\"" stands where "," or "}" is expected: correct the JSON"#
    ),
    (
      Array(file("\"products\": {}").utf8),
      "line 2, field products: an object stands where an array is expected: give an array"
    ),
  ]

  @Test(arguments: broken)
  func whatIsNoConfigurationEndsTheImport(bytes: [UInt8], failure: String) {
    let imported = Imported(.storekit, CatalogFile(name: "file", bytes: bytes))
    #expect(imported.failure == failure)
    #expect(imported.products.isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func aLargeFileTakesNoQuadraticTime() {
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
    #expect(failed.setAside.count == 20_000)
  }
}
