import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

@Suite struct GooglePlayCSVImporterTests {
  private static let header =
    "Product ID,Published State,Purchase Type,Auto Translate,Locale; Title; Description,Auto Fill Prices,Price,Pricing Template ID"

  /// A file with one product.
  private static func file(texts: String = "", price: String = "", template: String = "") -> String {
    """
    \(header)
    level1,published,managed_by_android,false,"\(texts)",false,"\(price)",\(template)
    """
  }

  private static let usa = ImportOptions(storefront: try? Storefront("USA"))

  static let headers: [(header: String, row: String)] = [
    (header, "level1,published,managed_by_android,false,en_US;Level;One,true,990000,"),
    (
      #""Product ID","Published State","Purchase Type","Auto Translate","Locale; Title; Description","Auto Fill Prices","Price""#,
      #""level1","published","managed_by_android","false","en_US; Level; One","true","990000""#
    ),
    (
      "price,PRODUCT ID,locale;title;description,Published  State",
      "990000 , level1,en-US ;Level ; One;,Published"
    ),
  ]

  @Test(arguments: headers)
  func identifiesColumnsByName(header: String, row: String) {
    let imported = Imported(.googlePlayCSV, "\u{FEFF}\(header)\r\n\(row)\r\n\r\n", Self.usa)
    #expect(imported.failure == nil)
    #expect(imported.rejects == [])
    #expect(imported.products.map(\.lines) == [["level1, approved", "en-US: Level | One", "USA 0.99 USD"]])
  }

  static let texts: [(name: String, cell: String, lines: [String], rejects: String)] = [
    ("none", "", [], ""),
    (
      "several", "en_US; Level; One; iw_IL; שלב; ; no_NO;Nivå;",
      ["en-US: Level | One", "he-IL: שלב | -", "no-NO: Nivå | -"], ""
    ),
    ("escapes", #"fr_FR; a\;b; c\\d\e\\"#, [#"fr-FR: a;b | c\d\e\"#], ""),
    ("quotes", #"fr_FR;""a"", b;c"#, [#"fr-FR: "a", b | c"#], ""),
    ("a line break", "fr_FR;a;b\nc", ["fr-FR: a | b\nc"], ""),
    (
      "a bare semicolon", "fr_FR;a;b;c", [],
      #"line 2, product "level1", Locale; Title; Description: the cell has 4 parts, which is not a multiple of 3 (locale; title; description); write "\;" for a semicolon inside a text"#
    ),
    (
      "an unknown locale", "french;a;b;de_DE;a;b", ["de-DE: a | b"],
      #"line 2, product "level1", locale "french": unknown language "french" (ICU has no data for the language); did you mean "fr"?"#
    ),
    (
      "a locale twice", "iw_IL;a;b;he-IL;a;b;he-IL;b;b", ["he-IL: a | b"],
      #"line 2, product "level1", locale "he-IL": "he-IL" appears twice with different texts; remove one"#
    ),
  ]

  @Test(arguments: texts)
  func importsText(name: String, cell: String, lines: [String], rejects: String) {
    let imported = Imported(.googlePlayCSV, Self.file(texts: cell))
    #expect(imported.products.first?.lines.dropFirst() == lines[...])
    #expect(imported.rejectText == rejects)
  }

  static let prices: [(name: String, cell: String, prices: [String], rejects: String)] = [
    (
      "countries in any order", "JP; 120000000;US;990000 ; DE;1090000;",
      ["DEU 1.09 EUR", "JPN 120 JPY", "USA 0.99 USD"], ""
    ),
    ("a repeated price", "US; 990000; us; 0990000", ["USA 0.99 USD"], ""),
    (
      "conflicting prices", "US; 990000; DE; 1090000; US; 1990000; US; 990000", ["DEU 1.09 EUR"],
      #"line 2, product "level1", price of US: "USA" appears twice with the prices 0.99 and 1.99; remove one; both are rejected"#
    ),
    (
      "conflicting prices, one of them invalid", "JP; 120500000; JP; 120000000", [],
      #"line 2, product "level1", price of JP: "JPN" appears twice with the prices 120.5 and 120; remove one; both are rejected"#
    ),
    (
      "more decimals than the currency", "JP; 1565500000", [],
      #"line 2, product "level1", price of JPN: 1565.5 JPY has more decimals than the minor unit of JPY (0); write an amount that can be charged; imported prices are not rounded"#
    ),
    (
      "countries without a storefront", "AD; 990000; UK; 1; US; 990000", ["USA 0.99 USD"],
      """
      line 2, product "level1", price of AD: unknown storefront "AD"; use a code such as "USA" (pricetag storefronts lists all codes)
      line 2, product "level1", price of UK: unknown storefront "UK"; did you mean "GBR"?
      """
    ),
    (
      "a storefront that does not charge the country's currency", "AR; 990000000; RS; 120000000; EC; 990000",
      ["ECU 0.99 USD"],
      """
      line 2, product "level1", price of ARG: the price 990 has no currency: it could be in USD or in the country's own currency; import the products as JSON of the Google Play API, which names currencies
      line 2, product "level1", price of SRB: the price 120 has no currency: it could be in EUR or in the country's own currency; import the products as JSON of the Google Play API, which names currencies
      """
    ),
    (
      "no country", "990000", [],
      #"line 2, product "level1", default price: the price 0.99 has no storefront; name one with --prices-of or ImportOptions.storefront"#
    ),
    (
      "prices that are not in micros", "US; 0.99; DE; 99999999999999999999; FR; ; GB; -990000", [],
      """
      line 2, product "level1", price of US: "0.99" is not a price in micros; write an integer of millionths, such as 1990000 for 1.99
      line 2, product "level1", price of DE: "99999999999999999999" is not a price in micros; write an integer of millionths, such as 1990000 for 1.99
      line 2, product "level1", price of FR: "" is not a price in micros; write an integer of millionths, such as 1990000 for 1.99
      line 2, product "level1", price of GBR: the price -0.99 is negative; write zero or more
      """
    ),
    (
      "an odd count", "US; 990000; DE", [],
      #"line 2, product "level1", Price: the cell has 3 parts, which is not a multiple of 2 (country; price); write pairs such as "US; 1990000; DE; 1790000""#
    ),
  ]

  @Test(arguments: prices)
  func importsPrice(name: String, cell: String, prices: [String], rejects: String) {
    let imported = Imported(.googlePlayCSV, Self.file(price: cell))
    #expect(imported.prices(of: "level1") == prices)
    #expect(imported.rejectText == rejects)
    #expect(imported.products.count == 1)
  }

  /// The import's date decides the currency of a country.
  @Test(arguments: [
    ("2025-12-31", "BGR 1.95 BGN until 2025-12-31"), ("2026-01-01", "BGR 1.95 EUR from 2026-01-01"),
  ])
  func usesCurrencyOfImportDate(date: String, price: String) throws {
    let options = ImportOptions(day: try .date(CalendarDate(date)))
    let imported = Imported(.googlePlayCSV, Self.file(price: "BG; 1950000"), options)
    #expect(imported.prices(of: "level1") == [price])
  }

  @Test func rejectsPricingTemplate() {
    let imported = Imported(.googlePlayCSV, Self.file(template: "4722366"), Self.usa)
    #expect(
      imported.rejects == [
        #"line 2, product "level1": the pricing template "4722366" is not supported because its prices are not in the file; write the product's own price"#
      ]
    )
    #expect(imported.products.map(\.lines) == [["level1, approved"]])
  }

  static let rows: [(row: String, lines: [[String]], rejects: String)] = [
    ("a,unpublished,managed_by_publisher,,,,,", [["a, not approved"]], ""),
    ("a,PUBLISHED,subscription,,,,,", [["a, auto-renewable-subscription, approved"]], ""),
    ("a,,,,,,,", [["a"]], ""),
    (
      "a,draft,gift,,,,,", [["a, not approved"]],
      """
      line 2, product "a": unknown value "draft" in the column "Published State"; use one of published, unpublished
      line 2, product "a": unknown value "gift" in the column "Purchase Type"; use one of managed_by_android, managed_by_publisher, subscription
      """
    ),
    (
      "a,published", [],
      #"line 2, product "a": the row has 2 cells but the header has 8; quote text that contains a comma"#
    ),
    (
      ",published,,,,,,", [],
      #"line 2, product "": the product identifier is empty; use 1 to 255 letters, digits, ".", "_", "-" or ":", starting with a letter or digit"#
    ),
  ]

  @Test(arguments: rows)
  func importsRowAsProduct(row: String, lines: [[String]], rejects: String) {
    let imported = Imported(.googlePlayCSV, "\(Self.header)\n\(row)\n")
    #expect(imported.products.map(\.lines) == lines)
    #expect(imported.rejectText == rejects)
  }

  @Test func rejectsUnknownColumn() {
    let imported = Imported(.googlePlayCSV, "Product ID,Price,Shelf\na,,3\n")
    #expect(
      imported.rejects == [
        #"line 1, column 3: unknown column "Shelf"; use one of "Product ID", "Published State", "Purchase Type", "Auto Translate", "Locale; Title; Description", "Auto Fill Prices", "Price", "Pricing Template ID""#
      ]
    )
    #expect(imported.products.map(\.lines) == [["a"]])
  }

  static let broken: [(bytes: [UInt8], failure: String)] = [
    ([], "line 1: the file is empty; use a file exported from the Google Play Console"),
    (
      Array("a,b\n".utf8),
      #"line 1: the column "Product ID" is missing; use a file exported from the Google Play Console"#
    ),
    (
      Array("Product ID\n".utf8),
      #"line 1: the column "Price" is missing; use a file exported from the Google Play Console"#
    ),
    (
      Array("Price,Product ID,price\n".utf8),
      #"line 1, column 3: the column "Price" appears twice; remove one"#
    ),
    (
      Array("Product ID,Price\na,\"1\n".utf8),
      #"line 2, field 2: a quoted field is not closed; add the closing quote, and write "" for a quote inside the field"#
    ),
    (
      Array("Product ID,Price\na\u{0}".utf8) + [0xFF],
      "line 2, field 1: the field is not UTF-8; save the file as UTF-8"
    ),
    ([0xFE, 0xFF, 0, 0x61], "line 1: the file is UTF-16; save it as UTF-8"),
  ]

  @Test(arguments: broken)
  func invalidFileEndsImport(bytes: [UInt8], failure: String) {
    let imported = Imported(.googlePlayCSV, CatalogFile(name: "file", bytes: bytes))
    #expect(imported.failure == failure)
  }

  @Test(.timeLimit(.minutes(20)))
  func largeCellTakesLinearTime() {
    let many = 50_000
    let prices = Imported(
      .googlePlayCSV,
      Self.file(price: String(repeating: "US; 990000; ", count: many), template: "")
    )
    #expect(prices.prices(of: "level1") == ["USA 0.99 USD"])
    let texts = Imported(.googlePlayCSV, Self.file(texts: String(repeating: "fr;a;b;", count: many)))
    #expect(texts.products.first?.localizations.count == 1)
    let semicolons = Imported(.googlePlayCSV, Self.file(texts: String(repeating: ";", count: 1 + 3 * many)))
    #expect(semicolons.products.count == 1)
  }
}
