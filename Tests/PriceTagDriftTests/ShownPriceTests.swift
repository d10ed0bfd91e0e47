import PriceTag
import PriceTagCatalog
import Testing

@testable import PriceTagDrift

/// Tests of displayed prices that are checked without a golden file.
@Suite struct ShownPriceTests {
  private static let day = StoreDay.date(CalendarDate(year: 2026, month: 11, day: 28))

  /// Returns the report of a file of rows.
  private static func report(
    _ name: String,
    _ text: String,
    storefront: String? = nil,
    _ style: PriceStyle = PriceStyle()
  ) throws
    -> DriftReport
  {
    let check = ShownPriceCheck(style: style, on: day, in: .embedded)
    try check.addRows(of: CatalogFile(name: name, bytes: Array(text.utf8)), storefront: storefront)
    return try check.report()
  }

  /// Texts with the codes and classes of what differs; none for a correct text.
  static let texts: [(storefront: String, amount: String, text: String, code: String?, classes: String)] = [
    ("DEU", "49.99", "49,99\u{A0}€", nil, ""),
    ("DE", "49.9", "49,90\u{A0}€", nil, ""),
    ("DEU", "49.99", "49,99 €", "written-differently", "spacing"),
    ("DEU", "49.99", "49,99\u{202F}€", "written-differently", "spacing"),
    ("DEU", "49.99", "49,99\u{A0}EUR", "written-differently", "symbol"),
    ("DEU", "49.99", "49.99\u{A0}€", "not-as-written", "separators"),
    ("DEU", "49.99", "€\u{A0}49,99", "not-as-written", "order"),
    ("DEU", "49.99", "49,9\u{A0}€", "not-as-written", "amount digits"),
    ("DEU", "49.99", "49,98\u{A0}€", "amount", "amount"),
    ("DEU", "49.99", "49,99\u{A0}£", "not-as-written", "currency"),
    ("DEU", "1234.50", "1234,50\u{A0}€", "not-as-written", "grouping"),
    ("DEU", "1234.50", "1,234.50\u{A0}€", "not-as-written", "separators"),
    ("DEU", "49.99", "Preis", "not-a-price", "not-a-price"),
    ("DEU", "49.99", "", "not-a-price", "not-a-price"),
    ("DEU", "49.99", String(repeating: "9", count: 40) + ",99\u{A0}€", "amount-out-of-range", "amount"),
    ("DEU", "49.99", "49,99\u{A0}€" + String(repeating: " ", count: 5000), "text-too-long", "not-a-price"),
    ("CHE", "1234.50", "CHF\u{A0}1\u{2BC}234.50", "written-differently", "separators"),
    ("JPN", "700", "¥700", "written-differently", "symbol"),
    ("EGY", "4.99", "\u{200F}٤٫٩٩\u{A0}ج.م.\u{200F}", nil, ""),
    ("EGY", "4.99", "٤٫٩٩\u{A0}ج.م.", "written-differently", "direction-marks"),
    ("CHN", "6", "¥6.00", nil, ""),
  ]

  @Test(arguments: texts.indices)
  func namesFinding(index: Int) throws {
    let (storefront, amount, text, code, classes) = Self.texts[index]
    let check = ShownPriceCheck(style: PriceStyle(), on: Self.day, in: .embedded)
    check.add(text, amount: amount, PriceOrigin(storefront: storefront), file: "a", line: 1)
    let report = try check.report()
    #expect(report.checked == 1 && report.problems.isEmpty)
    #expect(report.changes.first?.code == code, "\(text)")
    #expect(report.changes.first?.classes.map(\.rawValue).joined(separator: " ") ?? "" == classes, "\(text)")
  }

  static let files:
    [(name: String, file: String, text: String, storefront: String?, findings: [String], problems: [String])] =
      [
        (
          "CSV", "s.csv", "storefront,amount,text\nUSA,4.99,$4.99\nUSA,4.99,$4.98\n", nil, ["3 USA amount"],
          []
        ),
        (
          "semicolons, and other columns", "s.csv",
          "text;n;amount;storefront;identifier\n4,99\u{A0}€;1;4.99;DEU;a\n$1;2;1;USA;b\n", nil,
          ["3 USA not-as-written"], []
        ),
        ("tabs", "s", "storefront\tamount\ttext\nUSA\t4.99\t$4.98\n", nil, ["2 USA amount"], []),
        (
          "JSON Lines", "s.jsonl",
          #"""
          {"storefront":"USA","amount":4.99,"text":"$4.99"}
          {"storefront":"USA","amount":"4.99","text":"$4.98"}
          {"storefront":"USA","amount":4.99,"text":4.99}
          {"storefront":"USA","amount":499e-2,"text":"$4.99"}
          """#, nil, ["2 USA amount"],
          [
            #"s.jsonl, line 4: "499e-2" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50"#,
            #"s.jsonl, line 3: the field "text" is missing or not a string; write storefront, amount, and text"#,
          ]
        ),
        ("the storefront of the file", "s.csv", "amount,text\n4.99,$4.98\n", "USA", ["2 USA amount"], []),
        (
          "a storefront in a row wins", "s.csv", "amount,text,storefront\n4.99,$4.98,\n6,¥6.00,CHN\n", "USA",
          ["2 USA amount"], []
        ),
        (
          "currencies and dates", "s.csv",
          "storefront,amount,text,currency,at\nBGR,9.99,BGN\u{A0}9.99,,2025-12-31\nBGR,9.99,€9.99,EUR,2026-01-01T00:00+02:00\nUSA,1,$1.00,EUR,\n",
          nil, [], ["s.csv, line 4: the USA store charges USD, not EUR"]
        ),
        (
          "rejected rows", "s.csv",
          "storefront,amount,text\nXYZ,1,1\nJPN,1200.50,￥1\nUSA,\"1,5\",$1\nUSA,1\nUSA,1,$1.00\n", nil, [],
          [
            #"s.csv, line 2: unknown storefront "XYZ""#,
            "s.csv, line 3: 1200.50 JPY has more decimals than JPY displays (0)",
            #"s.csv, line 4: "1,5" is not a decimal amount"#,
            "s.csv, line 5: the row has 2 fields and the header 3",
          ]
        ),
      ]

  @Test(arguments: files.indices)
  func readsRows(index: Int) throws {
    let (name, file, text, storefront, findings, problems) = Self.files[index]
    let report = try Self.report(file, text, storefront: storefront)
    #expect(
      report.changes.map { "\($0.line ?? 0) \($0.storefront) \($0.code ?? "-")" } == findings,
      "\(name)"
    )
    #expect(report.problems.count == problems.count, "\(name): \(report.problems)")
    for (found, expected) in zip(report.problems.map(\.description), problems) {
      #expect(found.hasPrefix(expected), "\(name): \(found)")
    }
  }

  static let invalidFiles: [(text: String, error: String)] = [
    (
      "storefront,text\nUSA,1\n",
      "s.csv, line 1: the column \"amount\" is missing; write storefront, amount, and text"
    ),
    (
      "storefront,amount,text\n",
      "s.csv: the file has no rows; write JSON Lines or CSV with storefront, amount, and text"
    ),
    (
      "amount,text\n1,1\n",
      "s.csv, line 1: the column \"storefront\" is missing; write storefront, amount, and text"
    ),
  ]

  @Test(arguments: invalidFiles)
  func rejectsFiles(text: String, error: String) {
    #expect { try Self.report("s.csv", text) } throws: { "\($0)" == error }
  }

  @Test func readsStyles() throws {
    let text = "storefront,amount,text\nUSA,4.994,USD\u{A0}4.99\nJPN,5,￥5\n"
    let report = try Self.report("s.csv", text, PriceStyle(width: .iso, rounding: .halfEven))
    #expect(report.changes.map(\.code) == ["not-as-written"])
    // Compact prices are not read back.
    let compact = try Self.report(
      "s.csv",
      "storefront,amount,text\nUSA,1200000,$1.2M\nUSA,1200000,$1.3M\n",
      PriceStyle(notation: .compactShort)
    )
    #expect(compact.changes.map(\.line) == [3])
  }

  @Test func endsAfterManyFindings() throws {
    let report = try Self.report(
      "s.csv",
      "storefront,amount,text\n" + String(repeating: "USA,x,1\n", count: 100_010) + "USA,1,$1.00\n"
    )
    #expect(report.problems.count == 100_001 && report.checked == 0)
    #expect(
      report.problems.last?.problem
        == "more than 100000 prices differ or are rejected, and the others were not checked"
    )
  }
}
