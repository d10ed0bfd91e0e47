import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// A package with elements inside `<in_app_purchases>`, which start on line 2.
private func package(_ purchases: String) -> String {
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?><package xmlns=\"http://apple.com/itunes/importer\" version=\"software5.4\">"
    + "<provider>p</provider><software><vendor_id>v</vendor_id><read_only_info/><software_metadata>"
    + "<versions><version string=\"1\"><locales><locale name=\"ko\"><title>App</title></locale></locales></version>"
    + "</versions><in_app_purchases>\n\(purchases)</in_app_purchases></software_metadata></software></package>"
}

/// A purchase with the identifier `a`.
private func purchase(_ elements: String) -> String {
  package("<in_app_purchase><product_id>a</product_id>\n\(elements)</in_app_purchase>")
}

@Suite struct ITunesPackageImporterTests {
  @Test func importsPurchase() throws {
    let read = Imported(
      .itmsp,
      package(
        """
        <in_app_purchase>
          <product_id> com.example.level1 </product_id>
          <reference_name>Level &amp; 1</reference_name>
          <type>non-consumable</type>
          <products><product>
            <cleared_for_sale>true</cleared_for_sale>
            <intervals>
              <interval><start_date>2026-01-17</start_date><end_date>2026-01-20</end_date><wholesale_price_tier>1</wholesale_price_tier></interval>
              <interval><start_date>2026-01-20</start_date><wholesale_price_tier>02</wholesale_price_tier></interval>
            </intervals>
          </product></products>
          <locales>
            <locale name="cmn-Hans"><title>关卡</title></locale>
            <locale name="en-US"><title><![CDATA[Level <1>]]></title><description> One. </description></locale>
          </locales>
          <review_screenshot><size>1</size></review_screenshot>
          <review_notes/>
          <read_only_info>
            <read_only_value key="apple-id">1</read_only_value>
            <read_only_value key="iap-status">Approved</read_only_value>
          </read_only_info>
        </in_app_purchase>
        """
      )
    )
    #expect(read.failure == nil && read.rejects == [])
    var product = try CatalogProduct("com.example.level1")
    product.kind = .nonConsumable
    product.referenceName = "Level & 1"
    product.localizations = [
      "zh-Hans": ProductText(name: "关卡"), "en-US": ProductText(name: "Level <1>", description: " One. "),
    ]
    product.clearedForSale = .everywhere
    product.isApproved = true
    // The end date of an interval is not part of it.
    product.tiers = [
      TierPeriod(
        "1",
        days: try DateRange(from: CalendarDate("2026-01-17"), until: CalendarDate("2026-01-19"))
      ),
      TierPeriod("2", days: try DateRange(from: CalendarDate("2026-01-20"), until: nil)),
    ]
    #expect(read.products == [product])
  }

  @Test func importsFamilyAsSubscriptionGroup() throws {
    let read = Imported(
      .itmsp,
      package(
        """
        <family name="Premium">
        <locales><locale name="en"><title>Premium</title><publication_name>Paper</publication_name></locale></locales>
        <review_notes/>
        <in_app_purchase><product_id>monthly</product_id><type>auto-renewable</type><duration>1 month</duration>
        <free_trial_duration>7 Days</free_trial_duration></in_app_purchase>
        <in_app_purchase><product_id>yearly</product_id><type>auto-renewable</type><duration>1 Year</duration>
        <bonus_duration>1 Month</bonus_duration>
        <products><product><wholesale_price_tier>9</wholesale_price_tier></product></products></in_app_purchase>
        </family>
        <in_app_purchase><product_id>year</product_id><type>subscription</type><bonus_duration/></in_app_purchase>
        """
      )
    )
    #expect(read.failure == nil)
    #expect(read.groups == [ProductGroup(.subscriptionGroup, "Premium", names: ["en": "Premium"])])
    #expect(read.products.map(\.identifier) == ["monthly", "yearly", "year"])
    #expect(read.products.map(\.subscriptionGroup) == ["Premium", "Premium", nil])
    #expect(read.products.map(\.kind) == [.autoRenewable, .autoRenewable, .nonRenewable])
    #expect(read.products.map { $0.subscriptionPeriod?.description } == ["P1M", "P1Y", nil])
    let trial = try CatalogOffer(.introductory, paymentMode: .freeTrial, period: SubscriptionPeriod("P7D"))
    #expect(read.products.map(\.offers) == [[trial], nil, nil])
    #expect(read.products.map { $0.tiers?.map(\.line) } == [nil, ["tier 9"], nil])
    #expect(read.products.allSatisfy { $0.isApproved == nil && $0.clearedForSale == nil })
    // Each unsupported element is rejected once.
    #expect(
      read.rejects == [
        "family \"Premium\", line 3, <publication_name>: <publication_name> is not supported (reported once for the file); "
          + "put its data in another file, such as PriceTag's own JSON",
        "product \"yearly\", line 8, <bonus_duration>: <bonus_duration> is not supported (reported once for the file); "
          + "put its data in another file, such as PriceTag's own JSON",
      ]
    )
  }

  static let statuses: [(status: String, isApproved: Bool)] = [
    ("Approved", true), (" Approved\n", true), ("Waiting for Screenshot", false),
    ("Developer Removed from Sale", false),
    ("", false),
  ]

  @Test(arguments: statuses)
  func importsApproval(status: String, isApproved: Bool) {
    let read = Imported(
      .itmsp,
      purchase(
        "<read_only_info><read_only_value key=\"iap-status\">\(status)</read_only_value></read_only_info>"
      )
    )
    #expect(read.products.map(\.isApproved) == [isApproved])
  }

  static let clearances:
    [(name: String, products: [(territory: String?, isCleared: String)], expected: Clearance?)] = [
      ("no clearance", [], nil),
      ("everywhere", [(nil, "true")], .everywhere),
      ("nowhere", [(nil, "false")], .nowhere),
      ("some", [("US", "true"), ("JP", "true"), ("CN", "false")], .only(["USA", "JPN"])),
      ("all except some", [(nil, "true"), ("CN", "false"), ("US", "true")], .except(["CHN"])),
      ("only some", [(nil, "false"), ("US", "true")], .only(["USA"])),
      ("conflicting values", [("US", "true"), ("US", "false")], .nowhere),
    ]

  @Test(arguments: clearances)
  func territoryOverridesGeneralClearance(
    name: String,
    products: [(territory: String?, isCleared: String)],
    expected: Clearance?
  ) {
    let elements = products.map { product in
      "<product>" + (product.territory.map { "<territory>\($0)</territory>" } ?? "")
        + "<cleared_for_sale>\(product.isCleared)</cleared_for_sale></product>"
    }
    let read = Imported(.itmsp, purchase("<products>\(elements.joined())</products>"))
    #expect(read.rejects == [])
    #expect(read.products.map(\.clearedForSale) == [expected])
  }

  /// The error of the reject, and the tiers that are imported.
  static let wrong: [(name: String, elements: String, error: String, tiers: [String]?)] = [
    (
      "an unknown type", "<type>nonconsumable</type>",
      "line 3, <type>: unknown type \"nonconsumable\"; "
        + "use one of consumable, non-consumable, auto-renewable, subscription", nil
    ),
    (
      "a Newsstand type", "<type>free-subscription</type>",
      "line 3, <type>: the type \"free-subscription\" is not supported; "
        + "remove the product, or use auto-renewable with the tier 0", nil
    ),
    (
      "an invalid duration", "<duration>a month</duration>",
      "line 3, <duration>: \"a month\" is not a duration; write a duration such as 7 Days, 1 Month or 1 Year",
      nil
    ),
    (
      "a duration twice", "<duration>1 Month</duration>\n<duration>1 Year</duration>",
      "line 4, <duration>: <duration> appears twice; remove one", nil
    ),
    (
      "an unknown language", "<locales><locale name=\"xx\"><title>a</title></locale></locales>",
      "language \"xx\": unknown language \"xx\" (ICU has no data for the language); "
        + "use a BCP 47 tag such as \"en-US\"", nil
    ),
    (
      "a language twice",
      "<locales><locale name=\"zh-Hans\"><title>a</title></locale>\n<locale name=\"cmn-Hans\"><title>b</title></locale></locales>",
      "language \"cmn-Hans\", line 4, <locale>: \"zh-Hans\" appears twice; remove one", nil
    ),
    (
      "a text marked for removal", "<locales><locale name=\"de\" remove=\"true\"/></locales>",
      "language \"de\", line 3, <locale>: the text is marked for removal; remove it from the package", nil
    ),
    (
      "offers", "<offers><offer/></offers>",
      "line 3, <offers>: <offers> is not supported (reported once for the file); "
        + "put its data in another file, such as PriceTag's own JSON", nil
    ),
    (
      "an invalid clearance",
      "<products><product><cleared_for_sale>yes</cleared_for_sale></product></products>",
      "line 3, <cleared_for_sale>: \"yes\" is not true or false; write true or false", nil
    ),
    (
      "an invalid tier",
      "<products><product><wholesale_price_tier>A</wholesale_price_tier></product></products>",
      "line 3, <wholesale_price_tier>: \"A\" is not a tier number; write an integer such as 3", nil
    ),
    (
      "an empty interval",
      "<products><product><intervals><interval><start_date>2026-01-20</start_date><end_date>2026-01-20</end_date>"
        + "<wholesale_price_tier>1</wholesale_price_tier></interval>\n<interval><start_date>2026-01-20</start_date>"
        + "<subscription_price_tier>2</subscription_price_tier></interval></intervals></product></products>",
      "line 3, <interval>: the interval that ends on 2026-01-20 is empty; "
        + "write an end date after the start date; the end date is not part of the interval",
      ["tier subscription-2 from 2026-01-20"]
    ),
    (
      "an invalid date",
      "<products><product><intervals><interval><start_date>20.1.2026</start_date>"
        + "<wholesale_price_tier>1</wholesale_price_tier></interval></intervals></product></products>",
      "line 3, <start_date>: \"20.1.2026\" is not a date; write YYYY-MM-DD, such as 2026-01-01", nil
    ),
    (
      "overlapping intervals",
      "<products><product><intervals><interval><start_date>2026-01-20</start_date>"
        + "<wholesale_price_tier>1</wholesale_price_tier></interval><interval><start_date>2026-02-20</start_date>"
        + "<wholesale_price_tier>2</wholesale_price_tier></interval></intervals></product></products>",
      "line 3, <product>: the tiers \"1\" and \"2\" apply on the same dates; keep one tier per date", nil
    ),
    (
      "a tier of a territory",
      "<products><product><wholesale_price_tier>1</wholesale_price_tier></product>\n<product><territory>US</territory>"
        + "<wholesale_price_tier>2</wholesale_price_tier></product></products>",
      "line 4, <product>: a tier for a single territory (USA) is not supported; "
        + "put the price and clearance for USA in another file; until then the product is not for sale there",
      ["tier 1"]
    ),
    (
      "an interval of a territory",
      "<products><product><wholesale_price_tier>1</wholesale_price_tier><intervals>\n<interval><territory>US</territory>"
        + "<wholesale_price_tier>2</wholesale_price_tier></interval></intervals></product></products>",
      "line 4, <interval>: a tier for a single territory (USA) is not supported; "
        + "put the price and clearance for USA in another file; until then the product is not for sale there",
      ["tier 1"]
    ),
  ]

  @Test(arguments: wrong)
  func rejectsInvalidData(name: String, elements: String, error: String, tiers: [String]?) {
    let read = Imported(.itmsp, purchase(elements))
    #expect(read.failure == nil)
    #expect(read.rejects == ["product \"a\", " + error])
    #expect(read.products.map { $0.tiers?.map(\.line) } == [tiers])
  }

  static let ambiguousClearances: [(name: String, products: String, error: String)] = [
    (
      "an unknown territory",
      "<product><territory>ZZ</territory><cleared_for_sale>true</cleared_for_sale></product>",
      "<territory>: unknown storefront \"ZZ\"; "
        + "use a code such as \"USA\" (pricetag storefronts lists all codes)"
    ),
    (
      "both true and false",
      "<product><cleared_for_sale>false</cleared_for_sale></product>"
        + "<product><cleared_for_sale>true</cleared_for_sale></product>",
      "<product>: <cleared_for_sale> is both true and false; remove one; until then the product is not for sale"
    ),
  ]

  @Test(arguments: ambiguousClearances)
  func ambiguousClearanceIsNotForSale(name: String, products: String, error: String) {
    let read = Imported(.itmsp, purchase("<products>\(products)</products>"))
    #expect(read.rejects == ["product \"a\", line 3, " + error])
    #expect(read.products.map(\.clearedForSale) == [.nowhere])
  }

  static let invalidPurchases: [(name: String, purchase: String, error: String)] = [
    (
      "no identifier", "<in_app_purchase><type>consumable</type></in_app_purchase>",
      "in_app_purchase, line 2, <in_app_purchase>: <product_id> is missing; add it"
    ),
    (
      "a malformed identifier", "<in_app_purchase>\n<product_id>a b</product_id></in_app_purchase>",
      "in_app_purchase, line 3, <product_id>: \"a b\" is not a product identifier; "
        + "use 1 to 255 letters, digits, \".\", \"_\", \"-\" or \":\", starting with a letter or digit"
    ),
    (
      "marked for removal", "<in_app_purchase remove=\"true\"><product_id>a</product_id></in_app_purchase>",
      "product \"a\", line 2, <in_app_purchase>: the product is marked for removal; remove it from the package"
    ),
    (
      "a family without a name", "<family/>",
      "family \"\", line 2, <family>: the name is empty, too long or has a control character; use 1 to 100 characters on one line"
    ),
    (
      "another element", "<bundle/>",
      "in_app_purchases, line 2, <bundle>: <bundle> is not supported (reported once for the file); "
        + "put its data in another file, such as PriceTag's own JSON"
    ),
  ]

  @Test(arguments: invalidPurchases)
  func rejectsInvalidPurchase(name: String, purchase: String, error: String) {
    let read = Imported(
      .itmsp,
      package(purchase + "<in_app_purchase><product_id>b</product_id></in_app_purchase>")
    )
    #expect(read.failure == nil)
    #expect(read.rejects == [error])
    #expect(read.products.map(\.identifier) == ["b"])
  }

  static let invalidFiles: [(name: String, text: String, error: String)] = [
    (
      "a part of a package",
      "<intervals><interval><wholesale_price_tier>1</wholesale_price_tier></interval></intervals>",
      "line 1: the file starts with <intervals>, so it is not a complete iTunes Store package; "
        + "use the complete metadata.xml, which starts with <package xmlns=\"http://apple.com/itunes/importer\">"
    ),
    (
      "another package", "<package xmlns=\"http://example.com\" version=\"software5.4\"/>",
      "line 1: the file starts with <package>, so it is not a complete iTunes Store package; "
        + "use the complete metadata.xml, which starts with <package xmlns=\"http://apple.com/itunes/importer\">"
    ),
    (
      "a package of a film", "<package xmlns=\"http://apple.com/itunes/importer\" version=\"film5.0\"/>",
      "line 1: unknown package version \"film5.0\"; "
        + "use the package of an app, with a version such as software5.11"
    ),
    (
      "no XML", "{}",
      "line 1: the XML is not well-formed (Start tag expected, '<' not found); correct the XML"
    ),
    (
      "an entity of a file",
      "<!DOCTYPE p [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n<package>&x;</package>",
      "line 1: the document type declares entities or elements; "
        + "remove everything from [ to ], and write the characters themselves"
    ),
    (
      "an undeclared entity",
      "<!DOCTYPE package SYSTEM \"http://127.0.0.1:9/x.dtd\">\n<package>&x;</package>",
      "line 2: the XML is not well-formed (Entity 'x' not defined); correct the XML"
    ),
  ]

  @Test func rejectsInvalidUTF8() {
    let bytes = Array("<package>\n".utf8) + [0xFF]
    #expect(
      Imported(.itmsp, CatalogFile(name: "file", bytes: bytes)).failure
        == "line 2: the file is not UTF-8; save it as UTF-8"
    )
  }

  @Test(arguments: invalidFiles)
  func rejectsInvalidFile(name: String, text: String, error: String) {
    let read = Imported(.itmsp, text)
    #expect(read.failure == error)
    #expect(read.products == [] && read.rejects == [])
  }
}

@Suite struct ITunesPackageWriterTests {
  private let writer = ITunesPackageWriter(provider: "R&D", teamIdentifier: "T1", vendorIdentifier: "sku")

  @Test func writesPackage() throws {
    var level = try CatalogProduct("level1")
    (level.kind, level.isApproved, level.clearedForSale) = (.nonConsumable, true, .everywhere)
    level.localizations = ["de": ProductText(name: "<Eins>", description: nil)]
    level.tiers = [
      TierPeriod("1", days: try DateRange(from: nil, until: CalendarDate("2026-12-31"))),
      TierPeriod("2", days: try DateRange(from: CalendarDate("2027-01-01"), until: nil)),
    ]
    var monthly = try CatalogProduct("monthly")
    (monthly.kind, monthly.subscriptionGroup, monthly.subscriptionPeriod) = (
      .autoRenewable, "Premium", .month
    )
    monthly.tiers = [TierPeriod("subscription-5")]
    let groups = [ProductGroup(.subscriptionGroup, "Premium", names: ["en": "Premium"])]
    let (text, omissions) = writer.text(of: [level, monthly], groups: groups)
    #expect(omissions == [])
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <package xmlns="http://apple.com/itunes/importer" version="software5.11">
          <provider>R&amp;D</provider>
          <team_id>T1</team_id>
          <software>
            <vendor_id>sku</vendor_id>
            <software_metadata>
              <in_app_purchases>
                <family name="Premium">
                  <locales>
                    <locale name="en">
                      <title>Premium</title>
                    </locale>
                  </locales>
                  <in_app_purchase>
                    <product_id>monthly</product_id>
                    <type>auto-renewable</type>
                    <duration>1 Month</duration>
                    <products>
                      <product>
                        <subscription_price_tier>5</subscription_price_tier>
                      </product>
                    </products>
                  </in_app_purchase>
                </family>
                <in_app_purchase>
                  <product_id>level1</product_id>
                  <type>non-consumable</type>
                  <products>
                    <product>
                      <cleared_for_sale>true</cleared_for_sale>
                      <intervals>
                        <interval>
                          <end_date>2027-01-01</end_date>
                          <wholesale_price_tier>1</wholesale_price_tier>
                        </interval>
                        <interval>
                          <start_date>2027-01-01</start_date>
                          <wholesale_price_tier>2</wholesale_price_tier>
                        </interval>
                      </intervals>
                    </product>
                  </products>
                  <locales>
                    <locale name="de">
                      <title>&lt;Eins&gt;</title>
                    </locale>
                  </locales>
                  <read_only_info>
                    <read_only_value key="iap-status">Approved</read_only_value>
                  </read_only_info>
                </in_app_purchase>
              </in_app_purchases>
            </software_metadata>
          </software>
        </package>

        """
    )
  }

  static let omissions: [(fact: String, error: String)] = [
    (
      #""prices":{"USA":"0.99","JPN":"120"}"#,
      "prices without a tier cannot be represented in the iTunes package format (omitted: 2); "
        + "use a tier, or enter the prices in App Store Connect"
    ),
    (
      #""tier":"alternate-A""#,
      "the tier \"alternate-A\" cannot be represented in the iTunes package format; use a numbered tier"
    ),
    (
      #""tier":[{"tier":"1","until":"9999-12-31"}]"#,
      "the tier's last date cannot be represented in the iTunes package format; remove the last date"
    ),
    (
      #""clearedForSale":["USA"]"#,
      "clearance for some storefronts cannot be represented in the iTunes package format; choose the territories in App Store Connect"
    ),
    (
      #""kind":"auto-renewable-subscription","subscriptionPeriod":"P2W""#,
      "the period P2W (auto-renewable-subscription) cannot be represented in the iTunes package format; "
        + "use an auto-renewable subscription of 7 days, 1, 2, 3 or 6 months, or 1 year"
    ),
    (
      #""subscriptionPeriod":"P1M""#,
      "the period P1M (no kind) cannot be represented in the iTunes package format; "
        + "use an auto-renewable subscription of 7 days, 1, 2, 3 or 6 months, or 1 year"
    ),
    (
      #""offers":[{"kind":"win-back","paymentMode":"pay-up-front","period":"P1M"}]"#,
      "the win-back offer (P1M, pay-up-front) cannot be represented in the iTunes package format; "
        + "enter it in App Store Connect; the format supports one free trial"
    ),
    (
      #""subscriptionGroup":"Premium""#,
      "the group \"Premium\" cannot be represented in the iTunes package format for this kind of product; "
        + "set the kind to auto-renewable-subscription, or remove the group"
    ),
    (
      #""category":"c""#,
      "the field \"category\" cannot be represented in the iTunes package format; store it in another file"
    ),
    (
      #""referenceName":"a\u0001""#,
      "<reference_name>: the text contains a character that XML does not allow; remove control characters"
    ),
  ]

  @Test(arguments: omissions)
  func reportsOmissions(fact: String, error: String) throws {
    let product = try #require(Imported(.jsonl, #"{"productIdentifier":"a",\#(fact)}"#).products.first)
    let (text, omissions) = writer.text(of: [product])
    #expect(omissions.map(\.description) == ["product \"a\": \(error)"])
    #expect(Imported(.itmsp, text).rejects == [])
  }

  @Test func limitsNumberOfPurchases() throws {
    let products = try (1...1001).map { number throws(CatalogError) in try CatalogProduct("p\(number)") }
    let (text, omissions) = writer.text(of: products)
    #expect(Imported(.itmsp, text).products == Array(products.dropLast()))
    #expect(
      omissions.map(\.description) == [
        "the package has more than 1000 in-app purchases (1001); write the products after \"p1000\" to another package"
      ]
    )
  }

  /// Supported data are the same after an import, and also after a second export and import.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func roundTripsSupportedData(seed: UInt64) throws {
    var random = RandomProducts(seed: seed)
    let products = try (0..<3).map { number in
      var product = try random.product(number)
      product.tiers = try random.optional { try $0.tiers { String($0.number(0...87)) } }
      return product
    }
    let written = writer.text(of: products)
    let read = Imported(.itmsp, written.text)
    #expect(read.failure == nil)
    #expect(read.rejects == [])
    for product in read.products {
      let original = try #require(products.first { $0.identifier == product.identifier })
      #expect(product.kind == original.kind)
      #expect(product.referenceName == original.referenceName)
      #expect(product.localizations == original.localizations)
      #expect(product.tiers == original.tiers)
      #expect(product.isApproved == original.isApproved)
    }
    let again = writer.text(of: read.products, groups: read.groups)
    #expect(again.omissions == [])
    #expect(Array(again.text.utf8) == Array(written.text.utf8))
    #expect(Imported(.itmsp, again.text).products == read.products)
  }
}
