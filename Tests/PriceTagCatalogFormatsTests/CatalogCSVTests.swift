import CatalogSamples
import PriceTag
import PriceTagSystem
import PriceTagText
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

@Suite struct CatalogCSVImporterTests {
  @Test func importsRowsAsPrices() throws {
    let read = Imported(
      .csv,
      #"""
      productIdentifier,kind,name[en-US],description[de],tier,clearedForSale,approved,storefront,amount,currency,from,until
      com.example.level1,non-consumable,Level 1,"Eins, ""zwei""",1 until 2026-12-31; 3 from 2027-01-01,all but CHN,TRUE,USA,0.99,USD,,
      com.example.level1,,,,,,,BGR,1.95,BGN,,2025-12-31
      com.example.level1,,,,,,,BGR,0.99,EUR,2026-01-01,
      com.example.level2,,,,,none,false,,,,,

      """#
    )
    #expect(read.failure == nil && read.rejects == [])
    var first = try CatalogProduct("com.example.level1")
    first.kind = .nonConsumable
    first.localizations = [
      "en-US": ProductText(name: "Level 1"), "de": ProductText(name: nil, description: "Eins, \"zwei\""),
    ]
    first.tiers = [
      TierPeriod("1", days: try DateRange(from: nil, until: CalendarDate("2026-12-31"))),
      TierPeriod("3", days: try DateRange(from: CalendarDate("2027-01-01"), until: nil)),
    ]
    first.clearedForSale = .except(["CHN"])
    first.isApproved = true
    first.prices = try #require(read.products.first).prices
    var second = try CatalogProduct("com.example.level2")
    (second.clearedForSale, second.isApproved) = (.nowhere, false)
    #expect(read.products == [first, second])
    #expect(
      read.prices(of: "com.example.level1") == [
        "BGR 1.95 BGN until 2025-12-31", "BGR 0.99 EUR from 2026-01-01", "USA 0.99 USD",
      ]
    )
  }

  static let separators = [
    ("semicolons", "storefront;amount;productIdentifier\nUSA;0.99;a\n"),
    ("empty lines", "\n\r\nstorefront;amount;productIdentifier\nUSA;0.99;a\n"),
    ("tabs", "storefront\tamount\tproductIdentifier\nUSA\t0.99\ta\n"),
    ("commas", "storefront,amount,productIdentifier\nUSA,0.99,a"),
    ("a quoted comma", "\"storefront\";\"amount\";productIdentifier;\"name[de]\"\nUSA;0.99;a;\"x,y\"\n"),
    ("a line that names it", "sep=|\r\nstorefront|amount|productIdentifier\r\nUSA|0.99|a\r\n"),
    ("a comma in a name", "storefront;amount;productIdentifier;name[de]\nUSA;0.99;a;x, y\n"),
    ("CRLF and a byte order mark", "\u{FEFF}storefront,amount,productIdentifier\r\nUSA,0.99,a\r\n,,\r\n"),
  ]

  @Test(arguments: separators)
  func detectsSeparator(name: String, text: String) {
    let read = Imported(.csv, text)
    #expect(read.failure == nil && read.rejects == [])
    #expect(read.prices(of: "a") == ["USA 0.99 USD"])
  }

  /// The line of a reject counts the line that names the delimiter.
  @Test func countsLineOfDelimiter() throws {
    let text = "sep=;\nproductIdentifier;storefront;amount\na;USA;x\n"
    #expect(
      Imported(.csv, text).rejects == [
        "line 3, product \"a\", column amount: \"x\" is not a decimal amount; "
          + "write ASCII digits with an optional sign and fraction, such as 1234.50"
      ]
    )
    let file = CatalogFile(name: "shop.csv", bytes: Array(text.utf8))
    #expect(try CatalogFormat(of: file) == .csv)
  }

  @Test func namesGroups() throws {
    let read = Imported(
      .csv,
      """
      productIdentifier,category,categoryName[en-US],categoryName[de],subscriptionGroup,subscriptionGroupName[de]
      a,tracks,Tracks,Strecken,club,Klub
      b,tracks,,,club,
      c,cars,Cars,,,
      d,tracks,Tracks,,,

      """
    )
    #expect(read.failure == nil && read.rejects == [])
    #expect(read.products.map(\.category) == ["tracks", "tracks", "cars", "tracks"])
    #expect(
      read.groups == [
        ProductGroup(.category, "tracks", names: ["en-US": "Tracks", "de": "Strecken"]),
        ProductGroup(.subscriptionGroup, "club", names: ["de": "Klub"]),
        ProductGroup(.category, "cars", names: ["en-US": "Cars"]),
      ]
    )
  }

  @Test func rejectsNameOfGroup() throws {
    let read = Imported(
      .csv,
      "productIdentifier,category,categoryName[en]\na,tracks,Tracks\nb,tracks,Races\nc,,Cars\n"
    )
    #expect(
      read.rejects == [
        "line 3, product \"b\", column categoryName[en]: \"Races\" differs from \"Tracks\" in line 2; "
          + "write one name for \"tracks\"",
        "line 4, product \"c\", column categoryName[en]: the field \"category\" is missing, which \"Cars\" is the name of; "
          + "add it, or remove the name",
      ]
    )
    #expect(
      read.products.count == 3 && read.groups == [ProductGroup(.category, "tracks", names: ["en": "Tracks"])]
    )
  }

  @Test func readsContents() throws {
    let read = Imported(
      .csv,
      "productIdentifier,content,unitReference,storefront,amount\na,6 x 330 ml,100ml,USA,4.99\na,,,JPN,500\nb,12 pcs,,USA,1\n"
    )
    #expect(read.failure == nil && read.rejects == [])
    #expect(read.products.map { $0.content?.description } == ["6 × 330 mL", "12 piece"])
    #expect(read.products.map { $0.unitReference?.description } == ["100 mL", nil])
    let rows = CatalogCSVWriter(languages: []).rows(of: try #require(read.products.first)).text
    #expect(rows.hasPrefix("a,,,,,,,,,,,,6 × 330 mL,100 mL,,JPN,500,JPY,,,\n"), "\(rows)")
  }

  static let tiers: [(text: String, expected: [String]?)] = [
    ("3", ["3"]),
    ("none", []),
    ("\"none\"", ["none"]),
    ("1 until 2026-12-31; 3 from 2027-01-01", ["1 until 2026-12-31", "3 from 2027-01-01"]),
    ("3 from 2027-01-01;1 until 2026-12-31", ["1 until 2026-12-31", "3 from 2027-01-01"]),
    ("\"a; \"\"b\"\"\" from 2026-01-01 until 2026-02-01", ["a; \"b\" from 2026-01-01 until 2026-02-01"]),
    ("1; 2", nil), ("1 2", nil), ("1;", nil), ("\"1", nil), ("1 until 2026-02-30", nil),
    ("1 from 2026-02-01 until 2026-01-01", nil), (" ", nil),
  ]

  @Test(arguments: tiers)
  func parsesTiersInOneCell(text: String, expected: [String]?) {
    let read = Imported(.csv, "productIdentifier,tier\na,\(quotedForCSV(text))\n")
    #expect(read.products.first?.tiers?.map(\.line) == expected?.map { "tier \($0)" })
    #expect(read.rejects.isEmpty == (expected != nil))
  }

  /// The error of the reject, and the prices that are imported.
  static let wrong: [(name: String, text: String, error: String, prices: [String])] = [
    (
      "an unknown column", "productIdentifier,storefront,ammount,amount\na,USA,1,0.99\n",
      "line 1, column \"ammount\": unknown column \"ammount\"; "
        + "correct or remove it (did you mean \"amount\"?)", ["USA 0.99 USD"]
    ),
    (
      "an unknown language", "productIdentifier,name[xx],storefront,amount\na,b,USA,0.99\n",
      "line 1, column \"name[xx]\": unknown language \"xx\" (ICU has no data for the language); "
        + "use a BCP 47 tag such as \"en-US\"", ["USA 0.99 USD"]
    ),
    (
      "an amount with a comma", "productIdentifier,storefront,amount\na,USA,0,99\na,JPN,120\n",
      "line 2: the row has 4 cells but the header has 3 (\"99\" has no column); "
        + "quote text that contains a separator, and write decimals with a point", ["JPN 120 JPY"]
    ),
    (
      "an amount with a decimal comma", "productIdentifier;storefront;amount\na;USA;0,99\na;JPN;120\n",
      "line 2, product \"a\", column amount: \"0,99\" is not a decimal amount; "
        + "write ASCII digits with an optional sign and fraction, such as 1234.50", ["JPN 120 JPY"]
    ),
    (
      "no product", "productIdentifier,storefront,amount\na,JPN,120\n,USA,1\n",
      "line 3: the field \"productIdentifier\" is missing; add it to every row", ["JPN 120 JPY"]
    ),
    (
      "a malformed identifier", "productIdentifier,storefront,amount\nb c,JPN,120\nb c,USA,1\na,JPN,120\n",
      "line 2: \"b c\" is not a product identifier; "
        + "use 1 to 255 letters, digits, \".\", \"_\", \"-\" or \":\", starting with a letter or digit",
      ["JPN 120 JPY"]
    ),
    (
      "no storefront", "productIdentifier,amount\na,1\na,2\n",
      "line 2, product \"a\": the price has no storefront; name one with --prices-of or ImportOptions.storefront",
      []
    ),
    (
      "a content without a unit that is known",
      "productIdentifier,content,storefront,amount\na,1 bottle,JPN,120\n",
      "line 2, product \"a\", column content: \"bottle\" in \"1 bottle\" is not a unit; use one of mg, g, kg, t, oz, lb, mL, "
        + "cL, dL, L, hL, cm³, m³, fl oz, pt, qt, gal, mm, cm, m, km, in, ft, yd, cm², m², sq in, sq ft, sq yd, piece",
      []
    ),
    (
      "two different contents",
      "productIdentifier,content,storefront,amount\na,1 L,USA,1\na,2 L,JPN,120\n",
      "line 3, product \"a\", column content: \"2 L\" differs from \"1 L\" in line 2; "
        + "write the value only in the product's first row", []
    ),
    (
      "an invalid reference", "productIdentifier,unitReference,storefront,amount\na,3 L,JPN,120\n",
      "line 2, product \"a\", column unitReference: \"3 L\" is not a reference for unit prices; "
        + "write a unit, or 1, 10, 50, 75, 100 or 1000 of it, such as kg or 100 mL", []
    ),
    (
      "a reference that does not belong to the content",
      "productIdentifier,content,unitReference,storefront,amount\na,1 L,kg,JPN,120\n",
      "line 2, product \"a\", column unitReference: the content 1 L has no price per kg; "
        + "use a reference for volume, such as L", []
    ),
    (
      "no amount", "productIdentifier,storefront,currency,amount\na,USA,USD,\na,JPN,,120\n",
      "line 2, product \"a\": the field \"amount\" is missing; add it, or remove the row", ["JPN 120 JPY"]
    ),
    (
      "two different kinds",
      "productIdentifier,kind,storefront,amount\na,consumable,USA,1\na,non-consumable,JPN,120\n",
      "line 3, product \"a\", column kind: \"non-consumable\" differs from \"consumable\" in line 2; "
        + "write the value only in the product's first row", ["JPN 120 JPY", "USA 1.00 USD"]
    ),
    (
      "an unknown kind", "productIdentifier,kind,storefront,amount\na,consumabel,USA,1\n",
      "line 2, product \"a\", column kind: unknown kind \"consumabel\"; use one of consumable, "
        + "non-consumable, auto-renewable-subscription, non-renewing-subscription (did you mean \"consumable\"?)",
      ["USA 1.00 USD"]
    ),
    (
      "a foreign currency", "productIdentifier,storefront,amount,currency\na,USA,1,EUR\na,JPN,120,JPY\n",
      "line 2, product \"a\": 1 EUR is not a price for USA, which charges USD; "
        + "write the price in USD; prices are not converted", ["JPN 120 JPY"]
    ),
    (
      "too many digits", "productIdentifier,storefront,amount\na,JPN,120.5\n",
      "line 2, product \"a\": 120.5 JPY has more decimals than the minor unit of JPY (0); "
        + "write an amount that can be charged; imported prices are not rounded", []
    ),
    (
      "two prices on the same dates", "productIdentifier,storefront,amount\na,JPN,120\na,JPN,130\na,USA,1\n",
      "line 3, product \"a\": JPN has 130 JPY and 120 JPY on the same dates; "
        + "keep one price per date (all prices of JPN were rejected)", ["USA 1.00 USD"]
    ),
    (
      "two price locales",
      "productIdentifier,storefront,amount,priceLocale\na,JPN,120,ja-JP\na,JPN,120,en-JP\n",
      "line 3, product \"a\", column priceLocale: JPN has more than one price locale: en-JP and ja-JP; "
        + "write one for each storefront", ["JPN 120 JPY"]
    ),
    (
      "an end date before the start date",
      "productIdentifier,storefront,amount,from,until\na,JPN,120,2026-02-01,2026-01-01\n",
      "line 2, product \"a\": the last day 2026-01-01 is before the first day 2026-02-01; "
        + "correct one of the dates", []
    ),
    (
      "a clearance without a storefront",
      "productIdentifier,clearedForSale,storefront,amount\na,all but,USA,1\n",
      "line 2, product \"a\", column clearedForSale: \"all but\" names no storefront; "
        + "write all, none, storefronts such as USA JPN, or all but CHN HKG", ["USA 1.00 USD"]
    ),
    (
      "an invalid image address", "productIdentifier,image,storefront,amount\na,javascript:alert(1),USA,1\n",
      "line 2, product \"a\", column image: \"javascript:alert(1)\" is not an image address; "
        + "use an http or https URL, or a path", ["USA 1.00 USD"]
    ),
  ]

  @Test(arguments: wrong)
  func rejectsInvalidData(name: String, text: String, error: String, prices: [String]) throws {
    let read = Imported(.csv, text, try .on("2026-10-01"))
    #expect(read.failure == nil)
    #expect(read.rejects == [error])
    #expect(read.prices(of: "a") == prices)
  }

  static let invalidFiles: [(name: String, bytes: [UInt8], error: String)] = [
    (
      "an empty file", [],
      "the file is empty; start the file with a header such as productIdentifier,storefront,amount,currency"
    ),
    (
      "no header", Array("com.example.a,USA,0.99\n".utf8),
      "line 1: the column \"productIdentifier\" is missing; "
        + "start the file with a header such as productIdentifier,storefront,amount,currency"
    ),
    (
      "a column twice", Array("productIdentifier,name[zh_CN],name[zh-CN]\n".utf8),
      "line 1: the column \"name[zh-CN]\" appears twice; remove one"
    ),
    ("UTF-16", [0xFF, 0xFE, 0x61, 0], "line 1: the file is UTF-16; save it as UTF-8"),
    (
      "an open quote", Array("productIdentifier\n\"a\nb".utf8),
      "line 2, field 1: a quoted field is not closed; add the closing quote, and write \"\" for a quote inside the field"
    ),
    (
      "10,001 columns", Array(repeating: UInt8(ascii: ","), count: 10_000),
      "line 1: the header has more than 10000 columns; remove empty columns"
    ),
  ]

  @Test(arguments: invalidFiles)
  func rejectsInvalidFile(name: String, bytes: [UInt8], error: String) {
    let read = Imported(.csv, CatalogFile(name: "file", bytes: bytes))
    #expect(read.failure == error)
    #expect(read.products == [])
  }

  @Test func usesStorefrontOfImportOptions() throws {
    let options = ImportOptions(storefront: try Storefront("JPN"))
    let read = Imported(.csv, "productIdentifier,amount,priceLocale\na,120,en-JP\n", options)
    #expect(read.rejects == [])
    #expect(read.prices(of: "a") == ["JPN 120 JPY"])
    #expect(read.products.first?.priceLocales == ["JPN": try PriceLocale("en-JP")])
  }
}

@Suite struct CatalogCSVWriterTests {
  @Test func writesOneRowPerPrice() throws {
    let read = Imported(
      .jsonl,
      #"{"productIdentifier":"a","referenceName":" =1,\"2\"\n","tier":[{"tier":"1","until":"2026-12-31"},"#
        + #"{"tier":"b c","from":"2027-01-01"}],"localizations":{"de":{"name":"x"},"fr":{"name":"y"}},"#
        + #""prices":{"USA":"0.99","BGR":[{"amount":"1.95","currency":"BGN","until":"2025-12-31"},"#
        + #"{"amount":"0.99","currency":"EUR","from":"2026-01-01"}]},"priceLocales":{"JPN":"en-JP","BGR":"bg-BG"},"#
        + #""offers":[{"paymentMode":"free-trial","period":"P1W"}],"clearedForSale":["USA","JPN"]}"#
    )
    let product = try #require(read.products.first)
    let writer = CatalogCSVWriter(languages: ["de", "de"])
    #expect(
      writer.header
        == "productIdentifier,kind,referenceName,category,subscriptionGroup,groupLevel,subscriptionPeriod,approved,"
        + "clearedForSale,image,sortOrder,tier,content,unitReference,related,name[de],description[de],storefront,amount,currency,"
        + "priceLocale,from,until\n"
    )
    let (text, omissions) = writer.rows(of: product)
    #expect(
      text
        == "a,,\" =1,\"\"2\"\"\n\",,,,,,JPN USA,,,\"1 until 2026-12-31; \"\"b c\"\" from 2027-01-01\",,,,x,,"
        + "BGR,1.95,BGN,bg-BG,,2025-12-31\n"
        + "a,,,,,,,,,,,,,,,,,BGR,0.99,EUR,,2026-01-01,\n" + "a,,,,,,,,,,,,,,,,,JPN,,,en-JP,,\n"
        + "a,,,,,,,,,,,,,,,,,USA,0.99,USD,,,\n"
    )
    #expect(
      omissions.map(\.description) == [
        "product \"a\": CSV does not support offers (omitted: 1); export to json or jsonl, which support all data",
        "product \"a\": the header has no columns for texts in fr; create the writer with that language",
      ]
    )
    #expect(writer.rows(of: try CatalogProduct("b")).text == "b" + String(repeating: ",", count: 22) + "\n")
    // A spreadsheet would remove the spaces.
    for name in [" b", "b "] {
      var spaced = try CatalogProduct("b")
      spaced.referenceName = name
      #expect(writer.rows(of: spaced).text.hasPrefix("b,,\"\(name)\","))
    }
  }

  /// Written products are the same after an import, without offers and images.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func roundTripsProducts(seed: UInt64) throws {
    var random = RandomProducts(seed: seed)
    let writer = CatalogCSVWriter(languages: RandomProducts.languages, statesTax: true)
    let products = try (0..<3).map { number in
      var product = try random.product(number)
      product.offers = nil
      product.images = nil
      return product
    }
    let text = writer.header + products.map { writer.rows(of: $0).text }.joined()
    #expect(products.allSatisfy { writer.rows(of: $0).omissions.isEmpty })
    let read = Imported(.csv, text, try .on(RandomProducts.date))
    #expect(read.failure == nil)
    #expect(read.rejects == [])
    #expect(read.products == products)
    let again = writer.header + read.products.map { writer.rows(of: $0).text }.joined()
    #expect(Array(again.utf8) == Array(text.utf8))
  }
}
