import PriceTag
import PriceTagCatalog
import PriceTagDrift
import Testing

/// Tests of a shop's own displays, and of their comparison with a golden file.
@Suite struct ShopDisplaysTests {
  // MARK: Files

  /// A file, its valid rows, and its rejected rows.
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
      "invalid rows", "shown.jsonl",
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
        "line 2: expected \",\" or \"}\", but the text ends",
        "line 3: the row must be a JSON object",
        "line 4: the field \"text\" is missing or not a string",
        "line 5: the field \"storefront\" is missing or not a string",
        "line 6: the field \"productIdentifier\" is missing or not a string",
      ]
    ),
    (
      "short rows", "shown.csv", "productIdentifier,storefront,text\na,USA\n\nb,USA,$4.99\nc\n",
      ["4 b USA - $4.99"],
      [
        "line 2: the row has 2 fields and the header 3 (is a text with commas not quoted?)",
        "line 5: the row has 1 field and the header 3 (is a text with commas not quoted?)",
      ]
    ),
  ]

  @Test(arguments: files.indices)
  func readsRows(index: Int) throws {
    let (name, file, text, rows, problems) = Self.files[index]
    let shop = try ShopDisplays(name: file, text: text)
    #expect(
      shop.rows.map { "\($0.line) \($0.productIdentifier) \($0.storefront) \($0.language ?? "-") \($0.text)" }
        == rows,
      "\(name)"
    )
    #expect(
      shop.problems.map(\.description)
        == problems.map { "\(file), \($0); write productIdentifier, storefront, and text" },
      "\(name)"
    )
    #expect(shop.problems.allSatisfy { $0.code == .malformedRow })
  }

  static let invalidFiles: [(file: String, text: String, code: DriftError.Code, error: String)] = [
    (
      "s.jsonl", "", .malformedRow,
      "s.jsonl: the file has no rows; write JSON Lines or CSV with productIdentifier, storefront, and text"
    ),
    (
      "s.csv", "", .malformedRow,
      "s.csv: the file has no rows; write JSON Lines or CSV with productIdentifier, storefront, and text"
    ),
    (
      "s.csv", "productIdentifier,storefront,text\n", .malformedRow,
      "s.csv: the file has no rows; write JSON Lines or CSV with productIdentifier, storefront, and text"
    ),
    (
      "s.csv", "product,storefront,text\na,USA,$4.99\n", .malformedRow,
      "s.csv, line 1: the column \"productIdentifier\" is missing; write productIdentifier, storefront, and text"
    ),
    (
      "s.csv", "identifier,storefront\na,USA\n", .malformedRow,
      "s.csv, line 1: the column \"text\" is missing; write productIdentifier, storefront, and text"
    ),
    (
      "s.csv", "identifier,storefront,text\na,USA,$4\"99\n", .unreadableFile,
      "s.csv, line 2, field 3: an unquoted field contains a quote; put the field in quotes, and write \"\" for a quote"
    ),
    (
      "s.jsonl", String(repeating: "a\n", count: 1_000_000), .malformedRow,
      "s.jsonl, line 100001: the file has more than 100000 invalid rows; write productIdentifier, storefront, and text"
    ),
  ]

  @Test(arguments: invalidFiles.indices)
  func rejectsInvalidFile(index: Int) throws {
    let (file, text, code, expected) = Self.invalidFiles[index]
    let error = try #require(throws: DriftError.self) { try ShopDisplays(name: file, text: text) }
    #expect(error.code == code && error.description == expected)
  }

  // MARK: Checks

  private static let prices = #"""
    {"productIdentifier":"a","localizations":{"en-US":{"name":"A"}},"prices":{"CHE":"1234.50","DEU":"4.99","EGY":"5","FRA":"1234.50","JPN":"1200","USA":"4.99"}}
    """#

  /// A display and the classes of its differences.
  static let displays: [(storefront: String, text: String, classes: [String])] = [
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
    ("USA", "Free", ["not-a-price"]),
    ("USA", "", ["not-a-price"]),
    ("CHE", "CHF 1·234.50", ["separators", "spacing"]),
    ("CHE", "CHF\u{A0}1234.50", ["grouping"]),
    ("FRA", "1\u{202F}234,5\u{A0}€", ["digits"]),
    ("FRA", "1\u{A0}234,50\u{A0}€", ["spacing"]),
    ("FRA", "1.234,50\u{A0}€", ["separators"]),
    ("JPN", "￥1,200", []),
    ("JPN", "¥1,200", ["symbol"]),
    ("JPN", "￥1,200.00", ["digits"]),
    ("JPN", "1,200円", ["symbol", "order"]),
    ("EGY", "٥٫٠٠\u{A0}ج.م.", ["direction-marks"]),
    ("EGY", "\u{200F}5.00\u{A0}ج.م.\u{200F}", ["digits", "separators"]),
  ]

  /// All displays in one file, with and without a language. The line of a row is its index in the table plus 2.
  @Test(arguments: ["", "en"])
  func comparesDisplaysWithGoldenFile(language: String) throws {
    let shop = try SmallShop([Self.prices])
    let goldenFile = try shop.goldenFile(shop.request(["CHE", "DEU", "EGY", "FRA", "JPN", "USA"]))
    let rows = Self.displays.map { "a\t\($0.storefront)\t\($0.text)\t\(language)\n" }.joined()
    let file = "productIdentifier\tstorefront\ttext\tlanguage\n" + rows
    let report = DriftCheck(goldenFile).check(try ShopDisplays(name: "s.tsv", text: file))
    for (index, (storefront, text, classes)) in Self.displays.enumerated() {
      let change = report.changes.first { $0.line == index + 2 }
      #expect((change?.classes ?? []).map(\.rawValue) == classes, "\(storefront) \(text.debugDescription)")
      #expect(try change == nil || change?.storefront == Storefront(storefront).id)
    }
    #expect(report.changes.count == Self.displays.count { !$0.classes.isEmpty })
    #expect(report.checked == Self.displays.count && report.current == nil && report.problems.isEmpty)
  }

  /// A golden file of a language without strings has the store's default language, and so has a row in such a language.
  @Test func comparesLanguageWithoutStrings() throws {
    let shop = try SmallShop([Self.prices])
    let goldenFile = try shop.goldenFile(shop.request(["DEU", "JPN"], languages: ["bg"]))
    #expect(goldenFile.header.languages == ["bg"])
    #expect(try DriftCheck(goldenFile).check(shop.catalog, goldenFile.header.request()).changes.isEmpty)
    for (language, count) in [("bg", 0), ("sr-Latn", 0), ("xx", 2), ("it", 2)] {
      let file =
        "productIdentifier\tstorefront\ttext\tlanguage\na\tDEU\t4,99\u{A0}€\t\(language)\na\tJP\t￥1,200\t\(language)\n"
      let report = DriftCheck(goldenFile).check(try ShopDisplays(name: "s.tsv", text: file))
      #expect(report.changes.count == count && report.problems.isEmpty, "\(language)")
    }
  }

  /// A text that is not a price, and why.
  static let texts: [(text: String, reason: String)] = [
    ("Free", #""Free" has no digits; pass a displayed price, such as "$4.99""#),
    (
      "$0.99 – $4.99",
      #""$0.99 – $4.99" has several numbers (" – $" is not a separator); pass one price at a time"#
    ),
    (
      "$4.99/month",
      #""/month" in "$4.99/month" is not a symbol, code, or name of a currency in en-US; write the price as en-US does, such as "$1.00""#
    ),
    (
      "about 4.99",
      #""about" in "about 4.99" is not a symbol, code, or name of a currency in en-US; write the price as en-US does, such as "$1.00""#
    ),
    ("&#36;4.99", #""&#36;4.99" contains the HTML entity "&#36;"; decode it, as a browser does"#),
  ]

  @Test(arguments: texts) func givesReason(text: String, reason: String) throws {
    let shop = try SmallShop([Self.prices])
    let rows = try ShopDisplays(name: "s.tsv", text: "productIdentifier\tstorefront\ttext\na\tUSA\t\(text)\n")
    let report = DriftCheck(try shop.goldenFile(shop.request(["USA"]))).check(rows)
    #expect(report.changes.map(\.reason) == [reason])
    let reportText = DriftReportText(report, file: "s.tsv")
    #expect(reportText.summary == "1 of 1 display shown differently, in 1 of 1 storefront")
    #expect(reportText.plain.contains("    \(reason)\n"))
    #expect(reportText.plain.contains("storefront      different  classes\n"))
    let line = reportText.groups(of: report.changes).map(reportText.line).joined()
    #expect(line.contains("1 display shown differently in not-a-price, such as"))
    #expect(line.hasSuffix("is shown as \(text.debugDescription) (\(reason))"))
  }

  /// The reason names the word that is not part of the price, not a word of the currency's name.
  @Test func reasonNamesOtherWord() throws {
    let shop = try SmallShop([Self.prices])
    let text = "from 9.99 Australian dollars"
    let rows = try ShopDisplays(name: "s.tsv", text: "productIdentifier\tstorefront\ttext\na\tUSA\t\(text)\n")
    let report = DriftCheck(try shop.goldenFile(shop.request(["USA"]))).check(rows)
    let change = try #require(report.changes.first)
    #expect(change.classes == [.amount, .currency, .notAPrice, .spacing])
    let reason = try #require(change.reason)
    #expect(reason.hasPrefix(#""from" in "from 9.99 Australian dollars" is not a symbol"#))
  }

  @Test func summarizesEqualDisplays() throws {
    let shop = try SmallShop([Self.prices])
    let rows = try ShopDisplays(name: "s.tsv", text: "productIdentifier\tstorefront\ttext\na\tUSA\t$4.99\n")
    let report = DriftCheck(try shop.goldenFile(shop.request(["USA"]))).check(rows)
    #expect(
      DriftReportText(report, file: "s.tsv").summary == "no differences: 1 display in 1 storefront"
    )
  }

  @Test func reportsUnknownDisplaysAsNew() throws {
    let shop = try SmallShop([Self.prices])
    let goldenFile = try shop.goldenFile(shop.request(["DEU", "USA"], languages: ["en-GB"]))
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
    let report = DriftCheck(goldenFile).check(rows)
    let reason = "the golden file has no such display of the product"
    #expect(
      report.changes.map { "\($0.line ?? 0) \($0.productIdentifier) \($0.storefront) \($0.language)" } == [
        "4 a USA de", "5 a JPN ",
      ]
    )
    #expect(report.changes.allSatisfy { $0.classes == [.new] && $0.reason == reason && $0.display != nil })
    #expect(report.checked == 4 && report.checkedByStorefront == ["USA": 3, "JPN": 1])
    let problems = report.problems.map(\.description)
    try #require(problems.count == 2, "\(problems)")
    #expect(problems[0].hasPrefix("s.csv, line 6: unknown storefront \"Atlantis\""))
    #expect(
      problems[1] == "s.csv, line 7: the golden file has no product \"b\"; use one of its products"
    )
    // Only the display in Germany has no row.
    #expect(report.unchecked == goldenFile.displays.count - 1)
  }
}
