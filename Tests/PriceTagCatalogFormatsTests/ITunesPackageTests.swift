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

private func said(_ tiers: [TierPeriod]?) -> [String]? {
  tiers?.map { tier in
    tier.tier + (tier.days.first.map { " from \($0)" } ?? "") + (tier.days.last.map { " until \($0)" } ?? "")
  }
}

@Suite struct ITunesPackageImporterTests {
  @Test func aPurchaseIsRead() throws {
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
    #expect(read.failure == nil && read.setAside == [])
    var product = try CatalogProduct("com.example.level1")
    product.kind = .nonConsumable
    product.referenceName = "Level & 1"
    product.localizations = [
      "zh-Hans": ProductText(name: "关卡"), "en-US": ProductText(name: "Level <1>", description: " One. "),
    ]
    product.clearedForSale = .everywhere
    product.isApproved = true
    // The end of an interval is the first day that it no longer holds.
    product.tiers = [
      TierPeriod("1", days: try Days(from: CalendarDate("2026-01-17"), until: CalendarDate("2026-01-19"))),
      TierPeriod("2", days: try Days(from: CalendarDate("2026-01-20"), until: nil)),
    ]
    #expect(read.products == [product])
  }

  @Test func aFamilyIsASubscriptionGroup() throws {
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
    #expect(read.products.map { said($0.tiers) } == [nil, ["9"], nil])
    #expect(read.products.allSatisfy { $0.isApproved == nil && $0.clearedForSale == nil })
    // Once each, however often they stand.
    #expect(
      read.setAside == [
        "family \"Premium\", line 3, <publication_name>: <publication_name> is not read, here and behind here: "
          + "give what it says in another file, such as PriceTag's own JSON",
        "product \"yearly\", line 8, <bonus_duration>: <bonus_duration> is not read, here and behind here: "
          + "give what it says in another file, such as PriceTag's own JSON",
      ]
    )
  }

  static let statuses: [(status: String, isApproved: Bool)] = [
    ("Approved", true), (" Approved\n", true), ("Waiting for Screenshot", false),
    ("Developer Removed from Sale", false),
    ("", false),
  ]

  @Test(arguments: statuses)
  func whatAppleApprovedIsApproved(status: String, isApproved: Bool) {
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
      ("nothing", [], nil),
      ("all", [(nil, "true")], .everywhere),
      ("none", [(nil, "false")], .nowhere),
      ("some", [("US", "true"), ("JP", "true"), ("CN", "false")], .only(["USA", "JPN"])),
      ("all but some", [(nil, "true"), ("CN", "false"), ("US", "true")], .except(["CHN"])),
      ("none but some", [(nil, "false"), ("US", "true")], .only(["USA"])),
      ("some, and not", [("US", "true"), ("US", "false")], .nowhere),
    ]

  @Test(arguments: clearances)
  func aTerritoryGoesBeforeAll(
    name: String,
    products: [(territory: String?, isCleared: String)],
    expected: Clearance?
  ) {
    let elements = products.map { product in
      "<product>" + (product.territory.map { "<territory>\($0)</territory>" } ?? "")
        + "<cleared_for_sale>\(product.isCleared)</cleared_for_sale></product>"
    }
    let read = Imported(.itmsp, purchase("<products>\(elements.joined())</products>"))
    #expect(read.setAside == [])
    #expect(read.products.map(\.clearedForSale) == [expected])
  }

  /// What is set aside, and the tiers that remain.
  static let wrong: [(name: String, elements: String, error: String, tiers: [String]?)] = [
    (
      "a type that is none", "<type>nonconsumable</type>",
      "line 3, <type>: there is no type \"nonconsumable\": "
        + "give one of consumable, non-consumable, auto-renewable, subscription", nil
    ),
    (
      "a type of Newsstand", "<type>free-subscription</type>",
      "line 3, <type>: a free-subscription is none of StoreKit's product types: "
        + "leave it out, or say auto-renewable with the tier 0", nil
    ),
    (
      "a duration", "<duration>a month</duration>",
      "line 3, <duration>: \"a month\" is no duration: write one such as 7 Days, 1 Month or 1 Year", nil
    ),
    (
      "a duration twice", "<duration>1 Month</duration>\n<duration>1 Year</duration>",
      "line 4, <duration>: <duration> stands twice: write it once", nil
    ),
    (
      "a language", "<locales><locale name=\"xx\"><title>a</title></locale></locales>",
      "language \"xx\": ICU has no data for the language of \"xx\": "
        + "give a locale that CLDR knows, such as en-US", nil
    ),
    (
      "a language twice",
      "<locales><locale name=\"zh-Hans\"><title>a</title></locale>\n<locale name=\"cmn-Hans\"><title>b</title></locale></locales>",
      "language \"cmn-Hans\", line 4, <locale>: the language stands twice: write each language once", nil
    ),
    (
      "a text to be removed", "<locales><locale name=\"de\" remove=\"true\"/></locales>",
      "language \"de\", line 3, <locale>: the text is to be removed: take it out of the package", nil
    ),
    (
      "offers", "<offers><offer/></offers>",
      "line 3, <offers>: <offers> is not read, here and behind here: "
        + "give what it says in another file, such as PriceTag's own JSON", nil
    ),
    (
      "a clearance", "<products><product><cleared_for_sale>yes</cleared_for_sale></product></products>",
      "line 3, <cleared_for_sale>: \"yes\" is neither true nor false: write one", nil
    ),
    (
      "a tier that is none",
      "<products><product><wholesale_price_tier>A</wholesale_price_tier></product></products>",
      "line 3, <wholesale_price_tier>: \"A\" is no tier: give its number, such as 3", nil
    ),
    (
      "an interval of no day",
      "<products><product><intervals><interval><start_date>2026-01-20</start_date><end_date>2026-01-20</end_date>"
        + "<wholesale_price_tier>1</wholesale_price_tier></interval>\n<interval><start_date>2026-01-20</start_date>"
        + "<subscription_price_tier>2</subscription_price_tier></interval></intervals></product></products>",
      "line 3, <interval>: the interval ends on 2026-01-20 and holds on no day: "
        + "give the first day on which it no longer holds", ["subscription-2 from 2026-01-20"]
    ),
    (
      "a day that is none",
      "<products><product><intervals><interval><start_date>20.1.2026</start_date>"
        + "<wholesale_price_tier>1</wholesale_price_tier></interval></intervals></product></products>",
      "line 3, <start_date>: \"20.1.2026\" is not a date: write YYYY-MM-DD, such as 2026-01-01", nil
    ),
    (
      "intervals that overlap",
      "<products><product><intervals><interval><start_date>2026-01-20</start_date>"
        + "<wholesale_price_tier>1</wholesale_price_tier></interval><interval><start_date>2026-02-20</start_date>"
        + "<wholesale_price_tier>2</wholesale_price_tier></interval></intervals></product></products>",
      "line 3, <product>: the tiers \"1\" and \"2\" hold on the same days: give one tier for each day", nil
    ),
    (
      "a tier of a territory",
      "<products><product><wholesale_price_tier>1</wholesale_price_tier></product>\n<product><territory>US</territory>"
        + "<wholesale_price_tier>2</wholesale_price_tier></product></products>",
      "line 4, <product>: a tier for USA alone cannot be kept: "
        + "give the product's price in USA in another file, and clear it there; until then it is not sold there",
      ["1"]
    ),
    (
      "an interval of a territory",
      "<products><product><wholesale_price_tier>1</wholesale_price_tier><intervals>\n<interval><territory>US</territory>"
        + "<wholesale_price_tier>2</wholesale_price_tier></interval></intervals></product></products>",
      "line 4, <interval>: a tier for USA alone cannot be kept: "
        + "give the product's price in USA in another file, and clear it there; until then it is not sold there",
      ["1"]
    ),
  ]

  @Test(arguments: wrong)
  func whatIsWrongIsSetAside(name: String, elements: String, error: String, tiers: [String]?) {
    let read = Imported(.itmsp, purchase(elements))
    #expect(read.failure == nil)
    #expect(read.setAside == ["product \"a\", " + error])
    #expect(read.products.map { said($0.tiers) } == [tiers])
  }

  static let unclear: [(name: String, products: String, error: String)] = [
    (
      "a territory that is none",
      "<product><territory>ZZ</territory><cleared_for_sale>true</cleared_for_sale></product>",
      "<territory>: no storefront is called \"ZZ\": "
        + "give a territory such as USA; pricetag storefronts lists them all"
    ),
    (
      "all, and none",
      "<product><cleared_for_sale>false</cleared_for_sale></product>"
        + "<product><cleared_for_sale>true</cleared_for_sale></product>",
      "<product>: the product is cleared for sale, and is not: say one of them; it is not until then"
    ),
  ]

  @Test(arguments: unclear)
  func whatIsNotClearIsNotForSale(name: String, products: String, error: String) {
    let read = Imported(.itmsp, purchase("<products>\(products)</products>"))
    #expect(read.setAside == ["product \"a\", line 3, " + error])
    #expect(read.products.map(\.clearedForSale) == [.nowhere])
  }

  static let without: [(name: String, purchase: String, error: String)] = [
    (
      "no identifier", "<in_app_purchase><type>consumable</type></in_app_purchase>",
      "in_app_purchase, line 2, <in_app_purchase>: <product_id> is missing: give it"
    ),
    (
      "an identifier that is none", "<in_app_purchase>\n<product_id>a b</product_id></in_app_purchase>",
      "in_app_purchase, line 3, <product_id>: \"a b\" is not a product identifier: "
        + "give 1 to 255 letters, digits, \".\", \"_\", \"-\" and \":\", a letter or digit first"
    ),
    (
      "to be removed", "<in_app_purchase remove=\"true\"><product_id>a</product_id></in_app_purchase>",
      "product \"a\", line 2, <in_app_purchase>: the product is to be removed: take it out of the package"
    ),
    (
      "a family without a name", "<family/>",
      "family \"\", line 2, <family>: the name is empty or long: give 1 to 100 characters of one line"
    ),
    (
      "another element", "<bundle/>",
      "in_app_purchases, line 2, <bundle>: <bundle> is not read, here and behind here: "
        + "give what it says in another file, such as PriceTag's own JSON"
    ),
  ]

  @Test(arguments: without)
  func whatIsNoProductIsSetAside(name: String, purchase: String, error: String) {
    let read = Imported(
      .itmsp,
      package(purchase + "<in_app_purchase><product_id>b</product_id></in_app_purchase>")
    )
    #expect(read.failure == nil)
    #expect(read.setAside == [error])
    #expect(read.products.map(\.identifier) == ["b"])
  }

  static let refused: [(name: String, text: String, error: String)] = [
    (
      "a part of a package",
      "<intervals><interval><wholesale_price_tier>1</wholesale_price_tier></interval></intervals>",
      "line 1: the file starts with <intervals> and is no iTunes Store package, or a part of one: "
        + "give the whole metadata.xml, which starts with <package xmlns=\"http://apple.com/itunes/importer\">"
    ),
    (
      "another package", "<package xmlns=\"http://example.com\" version=\"software5.4\"/>",
      "line 1: the file starts with <package> and is no iTunes Store package, or a part of one: "
        + "give the whole metadata.xml, which starts with <package xmlns=\"http://apple.com/itunes/importer\">"
    ),
    (
      "a package of a film", "<package xmlns=\"http://apple.com/itunes/importer\" version=\"film5.0\"/>",
      "line 1: the package's version is \"film5.0\", not one of apps: "
        + "give an app's package, whose version is such as software5.11"
    ),
    (
      "no XML", "{}",
      "line 1: the XML is not well-formed (Start tag expected, '<' not found): correct the XML"
    ),
    (
      "an entity of a file",
      "<!DOCTYPE p [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n<package>&x;</package>",
      "line 1: the document type declares entities or elements: "
        + "remove what stands between [ and ], and write the characters themselves"
    ),
    (
      "an entity that nobody declares",
      "<!DOCTYPE package SYSTEM \"http://127.0.0.1:9/x.dtd\">\n<package>&x;</package>",
      "line 2: the XML is not well-formed (Entity 'x' not defined): correct the XML"
    ),
  ]

  @Test func whatIsNotUTF8IsRefused() {
    let bytes = Array("<package>\n".utf8) + [0xFF]
    #expect(
      Imported(.itmsp, CatalogFile(name: "file", bytes: bytes)).failure
        == "line 2: the file is not UTF-8: save it as UTF-8"
    )
  }

  @Test(arguments: refused)
  func aFileThatIsNoneIsRefused(name: String, text: String, error: String) {
    let read = Imported(.itmsp, text)
    #expect(read.failure == error)
    #expect(read.products == [] && read.setAside == [])
  }
}

@Suite struct ITunesPackageWriterTests {
  private let writer = ITunesPackageWriter(provider: "R&D", teamIdentifier: "T1", vendorIdentifier: "sku")

  @Test func aPackageIsWritten() throws {
    var level = try CatalogProduct("level1")
    (level.kind, level.isApproved, level.clearedForSale) = (.nonConsumable, true, .everywhere)
    level.localizations = ["de": ProductText(name: "<Eins>", description: nil)]
    level.tiers = [
      TierPeriod("1", days: try Days(from: nil, until: CalendarDate("2026-12-31"))),
      TierPeriod("2", days: try Days(from: CalendarDate("2027-01-01"), until: nil)),
    ]
    var monthly = try CatalogProduct("monthly")
    (monthly.kind, monthly.subscriptionGroup, monthly.subscriptionPeriod) = (
      .autoRenewable, "Premium", .month
    )
    monthly.tiers = [TierPeriod("subscription-5")]
    let groups = [ProductGroup(.subscriptionGroup, "Premium", names: ["en": "Premium"])]
    let (text, leftOut) = writer.text(of: [level, monthly], groups: groups)
    #expect(leftOut == [])
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

  static let leftOut: [(fact: String, error: String)] = [
    (
      #""prices":{"USA":"0.99","JPN":"120"}"#,
      "a package has no prices but those of tiers, and the product has 2 of its own: "
        + "give it a tier, or enter the prices in App Store Connect"
    ),
    (#""tier":"alternate-A""#, "the tier \"alternate-A\" has no number: give one of the numbered tiers"),
    (
      #""tier":[{"tier":"1","until":"9999-12-31"}]"#,
      "no day follows the tier's last: leave the last day out"
    ),
    (
      #""clearedForSale":["USA"]"#,
      "a package clears a product for sale everywhere or nowhere: choose its territories in App Store Connect"
    ),
    (
      #""kind":"auto-renewable-subscription","subscriptionPeriod":"P2W""#,
      "a package has no duration P2W of auto-renewable-subscription: "
        + "give an auto-renewable subscription 7 days, 1, 2, 3 or 6 months, or 1 year"
    ),
    (
      #""subscriptionPeriod":"P1M""#,
      "a package has no duration P1M of a product without a kind: "
        + "give an auto-renewable subscription 7 days, 1, 2, 3 or 6 months, or 1 year"
    ),
    (
      #""offers":[{"kind":"win-back","paymentMode":"pay-up-front","period":"P1M"}]"#,
      "a package has no win-back offer of P1M, pay-up-front: "
        + "enter it in App Store Connect; one free trial for all is what a package can say"
    ),
    (
      #""subscriptionGroup":"Premium""#,
      "the group \"Premium\" would be a family, which has auto-renewable subscriptions alone: "
        + "give the product its kind, or no group"
    ),
    (#""category":"c""#, "a package has no element for category: keep it in another file"),
    (
      #""referenceName":"a\u0001""#,
      "<reference_name>: it has a character that XML cannot hold: remove control characters"
    ),
  ]

  @Test(arguments: leftOut)
  func whatAPackageCannotSayIsTold(fact: String, error: String) throws {
    let product = try #require(Imported(.jsonl, #"{"productIdentifier":"a",\#(fact)}"#).products.first)
    let (text, leftOut) = writer.text(of: [product])
    #expect(leftOut.map(\.description) == ["product \"a\": \(error)"])
    #expect(Imported(.itmsp, text).setAside == [])
  }

  @Test func aPackageHoldsAThousand() throws {
    let products = try (1...1001).map { number throws(CatalogError) in try CatalogProduct("p\(number)") }
    let (text, leftOut) = writer.text(of: products)
    #expect(Imported(.itmsp, text).products == Array(products.dropLast()))
    #expect(
      leftOut.map(\.description) == [
        "a package holds 1000 in-app purchases, and these are 1001: write the products behind \"p1000\" to another package"
      ]
    )
  }

  /// What a package can say is read as it was said, and what was read is written and read again.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func aPackageIsReadAsItWasSaid(seed: UInt64) throws {
    var random = RandomProducts(seed: seed)
    let products = try (0..<3).map { number in
      var product = try random.product(number)
      product.tiers = try random.optional { try $0.tiers { String($0.number(0...87)) } }
      return product
    }
    let written = writer.text(of: products)
    let read = Imported(.itmsp, written.text)
    #expect(read.failure == nil)
    #expect(read.setAside == [])
    for product in read.products {
      let original = try #require(products.first { $0.identifier == product.identifier })
      #expect(product.kind == original.kind)
      #expect(product.referenceName == original.referenceName)
      #expect(product.localizations == original.localizations)
      #expect(product.tiers == original.tiers)
      #expect(product.isApproved == original.isApproved)
    }
    let again = writer.text(of: read.products, groups: read.groups)
    #expect(again.leftOut == [])
    #expect(Array(again.text.utf8) == Array(written.text.utf8))
    #expect(Imported(.itmsp, again.text).products == read.products)
  }
}
