import PriceTag
import PriceTagCatalog
import PriceTagDrift
import Testing

/// What a shop shows its customers, held against a golden.
@Suite struct ShopDisplaysTests {
  // MARK: Files

  /// A file, the rows that are read, and what is set aside.
  static let files: [(name: String, file: String, text: String, rows: [String], problems: [String])] = [
    (
      "JSON Lines", "shown.jsonl",
      #"""
      {"productIdentifier":"a","storefront":"USA","text":"$4.99"}
      {"identifier":"b","storefront":"US","display":"$5.99","language":"en"}

      {"productIdentifier":"c","storefront":"DEU","text":"4,99\u00a0€","language":"","more":[1]}
      """#,
      ["1 a USA - $4.99", "2 b US en $5.99", "4 c DEU - 4,99\u{A0}€"], []
    ),
    (
      "any other ending", "shown", #"{"productIdentifier":"a","storefront":"USA","text":"$4.99"}"#,
      ["1 a USA - $4.99"], []
    ),
    (
      "CSV", "shown.csv",
      "productIdentifier,storefront,text\na,USA,$4.99\r\nb,DEU,\"4,99\u{A0}€\"\n",
      ["2 a USA - $4.99", "3 b DEU - 4,99\u{A0}€"], []
    ),
    (
      "CSV with other columns", "SHOWN.CSV",
      "when,language,display,storefront,identifier\nnow,en,$4.99,USA,a\n",
      ["2 a USA en $4.99"], []
    ),
    (
      "semicolons", "shown.csv", "\u{FEFF}productIdentifier;storefront;text\na;DEU;4,99 €\n",
      ["2 a DEU - 4,99 €"], []
    ),
    (
      "tabs", "shown.tsv", "productIdentifier\tstorefront\ttext\tlanguage\na\tDEU\t4,99 €\tde\n",
      ["2 a DEU de 4,99 €"], []
    ),
    (
      "wrong rows", "shown.jsonl",
      #"""
      {"productIdentifier":"a","storefront":"USA","text":"$4.99"}
      {"productIdentifier":"b"
      ["b","USA","$4.99"]
      {"productIdentifier":"b","storefront":"USA"}
      {"productIdentifier":"b","storefront":5,"text":"$4.99"}
      {"storefront":"USA","text":"$4.99"}
      {"productIdentifier":"c","storefront":"USA","text":"$4.99"}
      """#,
      ["1 a USA - $4.99", "7 c USA - $4.99"],
      [
        "line 2: the text ends where \",\" or \"}\" is expected",
        "line 3: the row is no object",
        "line 4: the row has no text in its field \"text\"",
        "line 5: the row has no text in its field \"storefront\"",
        "line 6: the row has no text in its field \"productIdentifier\"",
      ]
    ),
    (
      "short rows", "shown.csv", "productIdentifier,storefront,text\na,USA\n\nb,USA,$4.99\nc\n",
      ["4 b USA - $4.99"],
      [
        "line 2: the row has 2 fields, and the header 3: put a text with commas into quotes",
        "line 5: the row has 1 field, and the header 3: put a text with commas into quotes",
      ]
    ),
  ]

  @Test(arguments: files.indices)
  func rowsAreReadOneByOne(index: Int) throws {
    let (name, file, text, rows, problems) = Self.files[index]
    let shop = try ShopDisplays(name: file, text: text)
    #expect(
      shop.rows.map { "\($0.line) \($0.productIdentifier) \($0.storefront) \($0.language ?? "-") \($0.text)" }
        == rows,
      "\(name)"
    )
    #expect(
      shop.problems.map(\.description)
        == problems.map { "\(file), \($0): give productIdentifier, storefront and text" },
      "\(name)"
    )
    #expect(shop.problems.allSatisfy { $0.code == .malformedRow })
  }

  static let wrongFiles: [(file: String, text: String, code: DriftError.Code, error: String)] = [
    (
      "s.jsonl", "", .malformedRow,
      "s.jsonl: there are no rows: give JSON Lines or CSV with productIdentifier, storefront and text"
    ),
    (
      "s.csv", "", .malformedRow,
      "s.csv: there are no rows: give JSON Lines or CSV with productIdentifier, storefront and text"
    ),
    (
      "s.csv", "productIdentifier,storefront,text\n", .malformedRow,
      "s.csv: there are no rows: give JSON Lines or CSV with productIdentifier, storefront and text"
    ),
    (
      "s.csv", "product,storefront,text\na,USA,$4.99\n", .malformedRow,
      "s.csv, line 1: the header has no column \"productIdentifier\": give productIdentifier, storefront and text"
    ),
    (
      "s.csv", "identifier,storefront\na,USA\n", .malformedRow,
      "s.csv, line 1: the header has no column \"text\": give productIdentifier, storefront and text"
    ),
    (
      "s.csv", "identifier,storefront,text\na,USA,$4\"99\n", .unreadableFile,
      "s.csv, line 2, field 3: a quote stands inside a field: put the field into quotes, and write \"\" for a quote"
    ),
    (
      "s.jsonl", String(repeating: "a\n", count: 1_000_000), .malformedRow,
      "s.jsonl, line 100001: more than 100000 rows are wrong: give productIdentifier, storefront and text"
    ),
  ]

  @Test(arguments: wrongFiles.indices)
  func aWrongFileIsOneError(index: Int) throws {
    let (file, text, code, expected) = Self.wrongFiles[index]
    let error = try #require(throws: DriftError.self) { try ShopDisplays(name: file, text: text) }
    #expect(error.code == code && error.description == expected)
  }

  // MARK: Checks

  private static let prices = #"""
    {"productIdentifier":"a","localizations":{"en-US":{"name":"A"}},"prices":{"CHE":"1234.50","DEU":"4.99","EGY":"5","FRA":"1234.50","JPN":"1200","USA":"4.99"}}
    """#

  /// What a shop shows, and the classes of what differs.
  static let shown: [(storefront: String, text: String, classes: [String])] = [
    ("USA", "$4.99", []),
    ("US", "$4.99", []),
    ("us", "$4.99", []),
    ("DEU", "4,99\u{A0}€", []),
    ("DEU", "4,99 €", ["spacing"]),
    ("DEU", "4,99€", ["spacing"]),
    ("DEU", "4.99 €", ["separators", "spacing"]),
    ("DEU", "4.99\u{A0}€", ["separators"]),
    ("DEU", "€ 4,99", ["order", "spacing"]),
    ("DEU", "4,99\u{A0}EUR", ["symbol"]),
    ("DEU", "5,99\u{A0}€", ["amount"]),
    ("DEU", "4,99\u{A0}$", ["currency"]),
    ("USA", "USD\u{A0}4.99", ["symbol", "spacing"]),
    ("USA", "USD4.99", ["symbol"]),
    ("USA", "€4.99", ["currency"]),
    ("USA", "$5", ["amount", "digits"]),
    ("USA", "499", ["amount", "currency", "digits"]),
    ("USA", "Free", ["amount"]),
    ("USA", "", ["amount"]),
    ("CHE", "CHF 1'234.50", ["separators", "spacing"]),
    ("CHE", "CHF\u{A0}1234.50", ["grouping"]),
    ("CHE", "CHF\u{A0}1’234.5", ["digits"]),
    ("FRA", "1\u{A0}234,50\u{A0}€", ["spacing"]),
    ("FRA", "1.234,50\u{A0}€", ["separators"]),
    ("JPN", "￥1,200", []),
    ("JPN", "¥1,200", ["symbol"]),
    ("JPN", "￥1,200.00", ["digits"]),
    ("JPN", "1,200円", ["symbol", "order"]),
    ("EGY", "٥٫٠٠\u{A0}ج.م.", ["direction-marks"]),
    ("EGY", "\u{200F}5.00\u{A0}ج.م.\u{200F}", ["digits", "separators"]),
  ]

  /// All of them in one file, with and without a language: a row's line is its place in the table.
  @Test(arguments: ["", "en"])
  func whatAShopShowsIsHeldAgainstTheGolden(language: String) throws {
    let shop = try SmallShop([Self.prices])
    let golden = try shop.golden(shop.request(["CHE", "DEU", "EGY", "FRA", "JPN", "USA"]))
    let rows = Self.shown.map { "a\t\($0.storefront)\t\($0.text)\t\(language)\n" }.joined()
    let file = "productIdentifier\tstorefront\ttext\tlanguage\n" + rows
    let report = DriftCheck(golden).check(try ShopDisplays(name: "s.tsv", text: file))
    for (index, (storefront, text, classes)) in Self.shown.enumerated() {
      let change = report.changes.first { $0.line == index + 2 }
      #expect((change?.classes ?? []).map(\.rawValue) == classes, "\(storefront) \(text.debugDescription)")
      #expect(try change == nil || change?.storefront == Storefront(storefront).id)
    }
    #expect(report.changes.count == Self.shown.count { !$0.classes.isEmpty })
    #expect(report.checked == Self.shown.count && report.current == nil && report.problems.isEmpty)
  }

  /// Rows, and what is told of them: their line, their classes, and why.
  @Test func whatTheGoldenDoesNotHaveIsNew() throws {
    let shop = try SmallShop([Self.prices])
    let golden = try shop.golden(shop.request(["DEU", "USA"], languages: ["en-GB"]))
    let rows = try ShopDisplays(
      name: "s.csv",
      text: """
        productIdentifier,storefront,language,text
        a,USA,,$4.99
        a,USA,EN-gb,$4.99
        a,USA,de,$4.99
        a,JPN,,"￥1,200"
        a,Atlantis,,$4.99
        b,USA,,$4.99
        """
    )
    let report = DriftCheck(golden).check(rows)
    let why = "the golden has no such display of the product"
    #expect(
      report.changes.map { "\($0.line ?? 0) \($0.productIdentifier) \($0.storefront) \($0.language)" } == [
        "4 a USA de", "5 a JPN ",
      ]
    )
    #expect(report.changes.allSatisfy { $0.classes == [.new] && $0.reason == why && $0.display != nil })
    #expect(report.checked == 4 && report.checkedByStorefront == ["USA": 3, "JPN": 1])
    let problems = report.problems.map(\.description)
    try #require(problems.count == 2, "\(problems)")
    #expect(problems[0].hasPrefix("s.csv, line 6: no storefront is called \"Atlantis\""))
    #expect(
      problems[1] == "s.csv, line 7: the golden has no product \"b\": give one that it has"
    )
    // Of the golden's displays of the product those in Germany were not told of.
    #expect(report.unchecked == golden.displays.count - 1)
  }
}
