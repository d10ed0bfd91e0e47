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
  func theColumnsAreToldByTheirNames(header: String, row: String) {
    let imported = Imported(.googlePlayCSV, "\u{FEFF}\(header)\r\n\(row)\r\n\r\n", Self.usa)
    #expect(imported.failure == nil)
    #expect(imported.setAside == [])
    #expect(imported.products.map(\.lines) == [["level1, approved", "en-US: Level | One", "USA 0.99 USD"]])
  }

  static let texts: [(name: String, cell: String, lines: [String], setAside: [String])] = [
    ("none", "", [], []),
    (
      "several", "en_US; Level; One; iw_IL; שלב; ; no_NO;Nivå;",
      ["en-US: Level | One", "he-IL: שלב | -", "no-NO: Nivå | -"], []
    ),
    ("escapes", #"fr_FR; a\;b; c\\d\e\\"#, [#"fr-FR: a;b | c\d\e\"#], []),
    ("quotes", #"fr_FR;""a"", b;c"#, [#"fr-FR: "a", b | c"#], []),
    ("a line break", "fr_FR;a;b\nc", ["fr-FR: a | b\nc"], []),
    (
      "a bare semicolon", "fr_FR;a;b;c", [],
      [
        #"line 2, product "level1", Locale; Title; Description: 4 parts stand where a locale, a title and a description repeat: write "\;" for a semicolon inside a text"#
      ]
    ),
    (
      "a locale that is none", "french;a;b;de_DE;a;b", ["de-DE: a | b"],
      [
        #"line 2, product "level1", locale "french": ICU has no data for the language of "french": give a locale that CLDR knows, such as en-US (did you mean fr?)"#
      ]
    ),
    (
      "a locale twice", "iw_IL;a;b;he-IL;a;b;he-IL;b;b", ["he-IL: a | b"],
      [
        #"line 2, product "level1", locale "he-IL": another text in he-IL stands before this one: give one text for each language"#
      ]
    ),
  ]

  @Test(arguments: texts)
  func aTextIsRead(name: String, cell: String, lines: [String], setAside: [String]) {
    let imported = Imported(.googlePlayCSV, Self.file(texts: cell))
    #expect(imported.products.first?.lines.dropFirst() == lines[...])
    #expect(imported.setAside == setAside)
  }

  static let prices: [(name: String, cell: String, prices: [String], setAside: [String])] = [
    (
      "countries in any order", "JP; 120000000;US;990000 ; DE;1090000;",
      ["DEU 1.09 EUR", "JPN 120 JPY", "USA 0.99 USD"], []
    ),
    ("one that repeats", "US; 990000; us; 0990000", ["USA 0.99 USD"], []),
    (
      "a contradiction", "US; 990000; DE; 1090000; US; 1990000; US; 990000", ["DEU 1.09 EUR"],
      [
        #"line 2, product "level1", price of US: USA has the prices 0.99 and 1.99: give one price for each country; none of them was taken"#
      ]
    ),
    (
      "a contradiction with what cannot be paid", "JP; 120500000; JP; 120000000", [],
      [
        #"line 2, product "level1", price of JP: JPN has the prices 120.5 and 120: give one price for each country; none of them was taken"#
      ]
    ),
    (
      "more digits than the currency", "JP; 1565500000", [],
      [
        #"line 2, product "level1", price of JPN: 1565.5 JPY has more digits than JPY, which has 0: give a price that can be paid; nothing is rounded"#
      ]
    ),
    (
      "countries without a storefront", "AD; 990000; UK; 1; US; 990000", ["USA 0.99 USD"],
      [
        #"line 2, product "level1", price of AD: no storefront is called "AD": give a territory such as USA; pricetag storefronts lists them all"#,
        #"line 2, product "level1", price of UK: no storefront is called "UK": give a territory such as USA (did you mean GBR?); pricetag storefronts lists them all"#,
      ]
    ),
    (
      "a storefront that does not charge the country's money", "AR; 990000000; RS; 120000000; EC; 990000",
      ["ECU 0.99 USD"],
      [
        #"line 2, product "level1", price of ARG: the file does not say whether the price 990 is in USD or in the country's own money: read the products as JSON of Google Play's API, which names the currency"#,
        #"line 2, product "level1", price of SRB: the file does not say whether the price 120 is in EUR or in the country's own money: read the products as JSON of Google Play's API, which names the currency"#,
      ]
    ),
    (
      "no country", "990000", [],
      [
        #"line 2, product "level1", default price: the file does not say whose price 0.99 is: say whose they are: --prices-of USA, or ImportOptions.storefront"#
      ]
    ),
    (
      "no micros", "US; 0.99; DE; 99999999999999999999; FR; ; GB; -990000", [],
      [
        #"line 2, product "level1", price of US: "0.99" is no price in micros: write millionths: 1990000 for 1.99"#,
        #"line 2, product "level1", price of DE: "99999999999999999999" is no price in micros: write millionths: 1990000 for 1.99"#,
        #"line 2, product "level1", price of FR: "" is no price in micros: write millionths: 1990000 for 1.99"#,
        #"line 2, product "level1", price of GBR: the price -0.99 is below zero: give zero or more"#,
      ]
    ),
    (
      "an odd count", "US; 990000; DE", [],
      [
        #"line 2, product "level1", Price: 3 parts stand where a country and a price repeat: write "US; 1990000; DE; 1790000""#
      ]
    ),
  ]

  @Test(arguments: prices)
  func aPriceIsRead(name: String, cell: String, prices: [String], setAside: [String]) {
    let imported = Imported(.googlePlayCSV, Self.file(price: cell))
    #expect(imported.prices(of: "level1") == prices)
    #expect(imported.setAside == setAside)
    #expect(imported.products.count == 1)
  }

  /// The day of the import says which money a country has.
  @Test(arguments: [
    ("2025-12-31", "BGR 1.95 BGN until 2025-12-31"), ("2026-01-01", "BGR 1.95 EUR from 2026-01-01"),
  ])
  func aCountryThatChangesItsMoney(day: String, price: String) throws {
    let options = ImportOptions(date: try CalendarDate(day))
    let imported = Imported(.googlePlayCSV, Self.file(price: "BG; 1950000"), options)
    #expect(imported.prices(of: "level1") == [price])
  }

  @Test func aPricingTemplateIsNoPrice() {
    let imported = Imported(.googlePlayCSV, Self.file(template: "4722366"), Self.usa)
    #expect(
      imported.setAside == [
        #"line 2, product "level1": the price is that of the pricing template "4722366", which the file does not have: give the product's own price"#
      ]
    )
    #expect(imported.products.map(\.lines) == [["level1, approved"]])
  }

  static let rows: [(row: String, lines: [[String]], setAside: [String])] = [
    ("a,unpublished,managed_by_publisher,,,,,", [["a, not approved"]], []),
    ("a,PUBLISHED,subscription,,,,,", [["a, auto-renewable-subscription, approved"]], []),
    ("a,,,,,,,", [["a"]], []),
    (
      "a,draft,gift,,,,,", [["a, not approved"]],
      [
        #"line 2, product "a": "draft" is not known in the column "Published State": give one of published, unpublished"#,
        #"line 2, product "a": "gift" is not known in the column "Purchase Type": give one of managed_by_android, managed_by_publisher, subscription"#,
      ]
    ),
    (
      "a,published", [],
      [
        #"line 2, product "a": the line has 2 fields where the header has 8: put a field with a comma into quotes"#
      ]
    ),
    (
      ",published,,,,,,", [],
      [
        #"line 2, product "": the product identifier is empty: give 1 to 255 letters, digits, ".", "_", "-" and ":", a letter or digit first"#
      ]
    ),
  ]

  @Test(arguments: rows)
  func aRowIsAProduct(row: String, lines: [[String]], setAside: [String]) {
    let imported = Imported(.googlePlayCSV, "\(Self.header)\n\(row)\n")
    #expect(imported.products.map(\.lines) == lines)
    #expect(imported.setAside == setAside)
  }

  @Test func aColumnThatIsNotKnownIsSetAside() {
    let imported = Imported(.googlePlayCSV, "Product ID,Price,Shelf\na,,3\n")
    #expect(
      imported.setAside == [
        #"line 1, column 3: there is no column "Shelf": name it one of "Product ID", "Published State", "Purchase Type", "Auto Translate", "Locale; Title; Description", "Auto Fill Prices", "Price", "Pricing Template ID""#
      ]
    )
    #expect(imported.products.map(\.lines) == [["a"]])
  }

  static let broken: [(bytes: [UInt8], failure: String)] = [
    ([], "line 1: the file has no header: give a file as Google Play's console exports it"),
    (
      Array("a,b\n".utf8),
      #"line 1: the header has no column "Product ID": give a file as Google Play's console exports it"#
    ),
    (
      Array("Product ID\n".utf8),
      #"line 1: the header has no column "Price": give a file as Google Play's console exports it"#
    ),
    (
      Array("Price,Product ID,price\n".utf8),
      #"line 1, column 3: the column "Price" stands twice: remove one"#
    ),
    (
      Array("Product ID,Price\na,\"1\n".utf8),
      #"line 2, field 2: a quoted field is not closed: end it with a quote, and write "" for a quote inside"#
    ),
    (
      Array("Product ID,Price\na\u{0}".utf8) + [0xFF],
      "line 2, field 1: the field is not UTF-8: save the file as UTF-8"
    ),
    ([0xFE, 0xFF, 0, 0x61], "line 1: the file is UTF-16: save it as UTF-8"),
  ]

  @Test(arguments: broken)
  func whatIsNoCSVEndsTheImport(bytes: [UInt8], failure: String) {
    let imported = Imported(.googlePlayCSV, CatalogFile(name: "file", bytes: bytes))
    #expect(imported.failure == failure)
  }

  @Test(.timeLimit(.minutes(1)))
  func aLargeCellTakesNoQuadraticTime() {
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
