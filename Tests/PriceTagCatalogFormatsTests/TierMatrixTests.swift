import CatalogSamples
import PriceTag
import PriceTagStrings
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

@Suite struct TierMatrixTests {
  @Test func importsAppleExport() throws {
    let read = Imported(
      .tiers,
      """
      ,"Hong Kong (HKD)",,"Korea, Republic Of (KRW)",,"Croatia (HRK)",,"Bulgaria (BGN)",,
      ,"Price","Proceeds","Price","Proceeds","Price","Proceeds","Proceeds","Price"
      Free,"0.00","0.00","0","0","0.00","0.00","0.00","0.00"
      Tier 1,"8.00","5.60","1200","764","8.99","5.03","1.16","1.99"
      Alternate Tier A,"8.00","5.60",,,"2.99","1.67","0.58","0.99"
      Alternate Tier 3,"23.00","16.10"

      """,
      try .on("2026-10-01")
    )
    #expect(read.failure == nil && read.rejects == [])
    #expect(
      read.tiers.lines == [
        "0: BGR 0.00 BGN until 2025-12-31", "0: HKG 0.00 HKD", "0: HRV 0.00 HRK until 2022-12-31",
        "0: KOR 0 KRW",
        "1: BGR 1.99 BGN until 2025-12-31", "1: HKG 8.00 HKD", "1: HRV 8.99 HRK until 2022-12-31",
        "1: KOR 1200 KRW",
        "alternate-A: BGR 0.99 BGN until 2025-12-31", "alternate-A: HKG 8.00 HKD",
        "alternate-A: HRV 2.99 HRK until 2022-12-31", "alternate-3: HKG 23.00 HKD",
      ]
    )
  }

  static let matrices: [(name: String, text: String, expected: [String])] = [
    (
      "alpha-3", "tier,USA,JPN\n1,0.99,120\nspecial,,250\n",
      ["1: JPN 120 JPY", "1: USA 0.99 USD", "special: JPN 250 JPY"]
    ),
    (
      "alpha-2 and names", "Tier;us;Japan;Côte d’Ivoire;Türkiye\nTier 2;1.99;;1.99;39.99\n",
      ["2: CIV 1.99 USD", "2: TUR 39.99 TRY", "2: USA 1.99 USD"]
    ),
    (
      "a currency that changed", "tier,BGR,HRV (HRK)\n1,0.99,8.99\n",
      ["1: BGR 0.99 EUR from 2026-01-01", "1: HRV 8.99 HRK until 2022-12-31"]
    ),
    ("an empty tier", "tier\tUSA\n\n\t\n1\t\n", ["1: none"]),
    ("no tiers", "tier,USA\n", []),
  ]

  @Test(arguments: matrices)
  func importsStorefrontColumns(name: String, text: String, expected: [String]) throws {
    let read = Imported(.tiers, text, try .on("2026-10-01"))
    #expect(read.failure == nil && read.rejects == [])
    #expect(read.tiers.lines == expected)
  }

  static let wrong: [(name: String, text: String, error: String, tiers: [String])] = [
    (
      "an unknown country",
      ",Atlantis (USD),,Japan (JPY),\n,Price,Proceeds,Price,Proceeds\nTier 1,1,1,120,84\nTier 2,2,2,250,1\n",
      "line 1, column \"Atlantis (USD)\": unknown storefront \"Atlantis\"; "
        + "write the English name of a country, or a code such as \"USA\"",
      ["1: JPN 120 JPY", "2: JPN 250 JPY"]
    ),
    (
      "a currency that the storefront never charged", "tier,Armenia (AMD),JPN\n1,400,120\n2,800,250\n",
      "line 1, column \"Armenia (AMD)\": ARM has never charged AMD (known currencies: USD); "
        + "write the prices in a known currency; prices are not converted",
      ["1: JPN 120 JPY", "2: JPN 250 JPY"]
    ),
    (
      "an unknown currency", "tier,USA (USX),JPN\n1,400,120\n",
      "line 1, column \"USA (USX)\": unknown currency \"USX\"; "
        + "use an ISO 4217 code such as \"USD\"", ["1: JPN 120 JPY"]
    ),
    (
      "a storefront twice", "tier,JPN,Japan (JPY)\n1,120,130\n",
      "line 1, column \"Japan (JPY)\": \"JPN\" appears twice; remove one",
      ["1: JPN 120 JPY"]
    ),
    (
      "two price columns for a country", ",Japan,,Chad,\n,Price,Proceeds,Price,Price\nTier 1,120,84,1,2\n",
      "line 1, column \"Chad\": the second row has 2 columns \"Price\" for this country; "
        + "label one column \"Price\" and the others \"Proceeds\"", ["1: JPN 120 JPY"]
    ),
    (
      "an amount with a grouping separator", "tier,JPN,USA\n1,\"1,200\",0.99\n",
      "line 2, tier \"1\", column \"JPN\": \"1,200\" is not a decimal amount; "
        + "write ASCII digits with an optional sign and fraction, such as 1234.50", ["1: USA 0.99 USD"]
    ),
    (
      "an amount with a comma", "tier,USA\n1,0,99\n2,1.99\n",
      "line 2: the row has 3 cells but the header has 2 (\"99\" has no column); "
        + "quote text that contains a separator, and write decimals with a point",
      ["2: USA 1.99 USD"]
    ),
    (
      "too many decimals", "tier,JPN,USA\n1,120.5,0.99\n",
      "line 2, tier \"1\", column \"JPN\": 120.5 JPY has more decimals than the minor unit of JPY (0); "
        + "write an amount that can be charged; imported prices are not rounded", ["1: USA 0.99 USD"]
    ),
    (
      "a missing tier name", "tier,JPN\n,120\n2,250\n",
      "line 2: the name is empty, too long or has a control character; use 1 to 100 characters on one line",
      ["2: JPN 250 JPY"]
    ),
    (
      "a column without a name", "tier,JPN,\n1,120,84\n",
      "line 2: \"84\" is in a column without a storefront; name the column's storefront in the header",
      ["1: JPN 120 JPY"]
    ),
  ]

  @Test(arguments: wrong)
  func rejectsInvalidData(name: String, text: String, error: String, tiers: [String]) {
    let read = Imported(.tiers, text)
    #expect(read.failure == nil)
    #expect(read.rejects == [error])
    #expect(read.tiers.lines == tiers)
  }

  static let invalidFiles: [(name: String, text: String, error: String)] = [
    ("an empty file", "", "the file is empty; write a header and a row for each tier"),
    (
      "JSON without tiers", "{\n  \"data\": 7\n}",
      "line 1: the price tiers must be an array or an object, not a number; use a response of iTunes Connect such as {\"data\": {\"pricingTiers\": […]}}"
    ),
    (
      "no storefront", "tier,,\n1,2,3\n",
      "line 1: no column names a storefront; use column names such as \"Japan (JPY)\" or \"JPN\""
    ),
  ]

  @Test(arguments: invalidFiles)
  func rejectsInvalidFile(name: String, text: String, error: String) {
    #expect(Imported(.tiers, text).failure == error)
  }

  static let names = [
    ("Tier 1", "1"), ("TIER  01", "1"), ("Free", "0"), ("Tier 0", "0"), ("87", "87"),
    ("Alternate Tier 3", "alternate-3"),
    ("Alternate Tier b", "alternate-B"), ("Subscription Tier 5", "subscription-5"), ("gold", "gold"),
    ("Tier 1 (old)", "Tier 1 (old)"), ("Tier 1234567890", "Tier 1234567890"),
    ("Alternate Tier ", "Alternate Tier "),
  ]

  @Test(arguments: names)
  func normalizesTierNames(text: String, expected: String) {
    #expect(TierName.canonical(text) == expected)
  }

  /// Country names in iTunes Connect (2015) that differ from CLDR's.
  static let countries = [
    ("Korea, Republic Of", "KOR"), ("Tanzania, United Republic Of", "TZA"), ("Turkey", "TUR"),
    ("Macau", "MAC"),
    ("Czech Republic", "CZE"), ("Hong Kong", "HKG"), ("Moldova, Republic Of", "MDA"), ("Saint Lucia", "LCA"),
    ("Macedonia, The Former Yugoslav Republic Of", "MKD"), ("Lao People's Democratic Republic", "LAO"),
    ("Congo, Republic of", "COG"), ("São Tomé and Príncipe", "STP"), ("St. Kitts and Nevis", "KNA"),
    ("St. Vincent and The Grenadines", "VCT"), ("Turks and Caicos", "TCA"), ("Brunei Darussalam", "BRN"),
    ("Micronesia, Federated States of", "FSM"), ("Virgin Islands, British", "VGB"), ("Cape Verde", "CPV"),
    ("Swaziland", "SWZ"), ("United States", "USA"), ("Antigua and Barbuda", "ATG"), ("Guinea-Bissau", "GNB"),
  ]

  @Test(arguments: countries)
  func findsCountryByAppleName(name: String, storefront: String) {
    #expect(TerritoryNames(.embedded).identifier(of: name) == storefront)
  }

  @Test func findsEveryStorefrontByName() {
    let names = TerritoryNames(.embedded)
    for storefront in LocaleData.embedded.storefronts {
      #expect(names.identifier(of: UILanguage.development.name(of: storefront)) == storefront.id)
    }
    #expect(names.identifier(of: "") == nil && names.identifier(of: "日本") == nil)
  }
}
