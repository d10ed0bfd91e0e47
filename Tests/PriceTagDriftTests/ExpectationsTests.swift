import Foundation
import JSONSchemas
import PriceTagText
import Testing

@testable import PriceTag
@testable import PriceTagCatalog
@testable import PriceTagDrift

/// Tests of the files of `pricetag expect`. The tests of the command have those of catalogs.
@Suite struct ExpectationsTests {
  static let request = ListingRequest(
    storefronts: LocaleData.embedded.storefronts,
    languages: .store,
    at: (try? StoreDay("2026-11-28")) ?? .now
  )
  static let csv =
    "storefront,amount,currency,at\nDEU,49.99,,\nJP,1200,JPY,\nBGR,5.00,,2025-06-01\nBGR,5.00,,\n"

  static func rows(_ text: String, _ name: String = "rows.csv") throws -> PriceRows {
    try PriceRows(CatalogFile(name: name, bytes: Array(text.utf8)), request, in: .embedded)
  }

  static func file(_ text: String = csv) throws -> String {
    var expectations = Expectations(request, in: .embedded)
    let header = try GoldenFileHeader(request, catalog: "rows.csv")
    return String(decoding: try expectations.file(.rows(try rows(text)), header), as: UTF8.self)
  }

  private static func read(_ text: String) throws -> ExpectationsFile {
    try ExpectationsFile(CatalogFile(name: "prices.json", bytes: Array(text.utf8)))
  }

  @Test func fileHasAPriceOnEachLine() throws {
    let lines = try Self.file().split(separator: "\n").map(String.init)
    #expect(
      lines.suffix(7) == [
        #""prices": ["#,
        #"{"row": 2, "storefront": "DEU", "amount": "49.99", "currency": "EUR", "text": "49,99\u00a0€", "folded": "49,99€", "codePoints": "0034 0039 002C 0039 0039 00A0 20AC"},"#,
        #"{"row": 3, "storefront": "JPN", "amount": "1200", "currency": "JPY", "text": "￥1,200", "folded": "¥1,200", "codePoints": "FFE5 0031 002C 0032 0030 0030"},"#,
        #"{"row": 4, "storefront": "BGR", "amount": "5.00", "currency": "BGN", "at": "2025-06-01", "expressions": "BGR en-BG BGN 2025-06-01", "text": "BGN\u00a05.00", "folded": "BGN5.00", "codePoints": "0042 0047 004E 00A0 0035 002E 0030 0030"},"#,
        #"{"row": 5, "storefront": "BGR", "amount": "5.00", "currency": "EUR", "text": "€5.00", "folded": "€5.00", "codePoints": "20AC 0035 002E 0030 0030"}"#,
        "]", "}",
      ]
    )
    #expect(lines.count { $0.contains(#""strict": "^"#) } == 4)
    #expect(try Self.file() == Self.file())
  }

  @Test func oneChangedPriceChangesOneLine() throws {
    let (old, new) = (try Self.file(), try Self.file(Self.csv.replacing("49.99", with: "59.99")))
    let changed = zip(old.split(separator: "\n"), new.split(separator: "\n")).count { $0 != $1 }
    #expect(changed == 1)
  }

  @Test func schemaAllowsTheFile() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Sources/PriceTagDrift/Expectations/expectations.schema.json"
    )
    let schema = try JSONSchema(Array(Data(contentsOf: path.standardized)))
    let text = try Self.file()
    func allows(_ text: String) throws -> Bool { schema.allows(try JSONReader.value(of: Array(text.utf8))) }
    #expect(try allows(text))
    for (found, other) in [
      (#""version": 1"#, #""version": 2"#), (#""prices""#, #""price""#), (#""strict""#, #""exact""#),
      (#""row": 2"#, #""row": "2""#), (#""amount": "49.99""#, #""amount": 49.99"#), ("0034 0039", "34"),
      (#""digits""#, #""number""#),
    ] { #expect(try !allows(text.replacing(found, with: other)), "\(other)") }
    guard case .object(let top) = try JSONReader.value(of: Array(text.utf8)) else { return }
    #expect(schema.properties(of: nil) == top.members.map(\.key))
  }

  @Test func unchangedPricesHaveNoChanges() throws {
    for indented in [false, true] {
      var text = try Self.file()
      if indented { text = text.replacing("\n", with: "\n    ").replacing(", \"", with: ",\n \"") }
      let report = try Self.read(text).check(.rows(try Self.rows(Self.csv)), Self.request, in: .embedded)
      #expect(report.changes.isEmpty && report.problems.isEmpty)
      #expect(report.checked == 4)
    }
  }

  @Test func changesHaveClassesAndLines() throws {
    let file = try Self.file()
    let stale = file.replacing("49,99\\u00a0€", with: "49,99\\u202f€").replacing(
      "0039 00A0 20AC",
      with: "0039 202F 20AC"
    )
    .replacing(#"strict": "^(?:(￥)"#, with: #"strict": "^(?:(JP¥)"#)
    let other = Self.csv.replacing("1200", with: "1300") + "USA,1.00,,\nUSA,1.001,,\nXXX,1,,\n"
    let report = try Self.read(stale).check(.rows(try Self.rows(other)), Self.request, in: .embedded)
    let changes = report.changes.map {
      "\($0.productIdentifier) \($0.storefront) \($0.classes.map(\.rawValue)) \($0.line ?? 0)"
    }
    let line = try #require(file.split(separator: "\n").firstIndex { $0.hasPrefix(#"{"row": 2"#) }) + 1
    #expect(
      changes == [
        #"row 2 DEU ["spacing"] \#(line)"#, #"row 3 JPN ["amount"] \#(line + 1)"#, #"row 6 USA ["new"] 0"#,
        #"regular expressions JPN ["text"] \#(line - 3)"#,
      ]
    )
    #expect(report.problems.map(\.place) == ["rows.csv, line 7", "rows.csv, line 8"])
    #expect(report.checked == 6)
  }

  static let malformed: [(text: String, error: String)] = [
    (
      "",
      "prices.json, line 1, column 1: expected a value, but the text ends; write the file again with pricetag expect"
    ),
    (
      "{}",
      "prices.json: the file is not \"pricetag-expectations\" of version 1; write the file again with pricetag expect"
    ),
    (
      #"{"format": "pricetag-expectations", "version": 2}"#,
      "prices.json: the file is not \"pricetag-expectations\" of version 1; write the file again with pricetag expect"
    ),
    (
      #"{"format": "pricetag-expectations", "version": 1, "prices": []}"#,
      "prices.json: the field \"PriceTag\" is missing; write the file again with pricetag expect"
    ),
    (
      #"{"format": "pricetag-expectations", "version": 1,"#,
      "prices.json, line 1, column 50: expected the name of a field, but the text ends; write the file again with pricetag expect"
    ),
    (
      String(repeating: "[", count: 100),
      "prices.json, line 1, column 33: values are nested more than 32 deep; write the file again with pricetag expect"
    ),
  ]

  @Test(arguments: malformed)
  func rejectsFile(text: String, error: String) throws {
    let thrown = #expect(throws: DriftError.self) { try Self.read(text) }
    #expect(thrown?.description == error)
  }

  /// Each change of a valid file is an error, or a rejected price.
  @Test(arguments: [
    (#""day": "2026-11-28""#, #""day": "2026-02-30""#, true), (#""prices": ["#, #""price": ["#, true),
    (#""prices": ["#, #""prices": [1, "#, true), ("zeros=keep", "zeros=some", true),
    (#""icu": "#, #""ic": "#, true),
    (#""amount": "49.99""#, #""amount": "49,99""#, false),
    (#""text": "49,99\u00a0€""#, #""text": "49,99 €""#, false),
    (#""row": 2"#, #""line": 2"#, false), (#""DEU": {"#, #""DE": {"#, false),
    (#""currency": "EUR", "text""#, #""text""#, false),
  ])
  func rejectsChange(found: String, other: String, isError: Bool) throws {
    let text = try Self.file()
    #expect(text.contains(found))
    let changed = text.replacing(found, with: other)
    if isError {
      #expect(throws: DriftError.self) { try Self.read(changed) }
    } else {
      let report = try Self.read(changed).check(.rows(try Self.rows(Self.csv)), Self.request, in: .embedded)
      #expect(!report.problems.isEmpty)
    }
  }

  @Test func rejectsLargeFile() throws {
    let text = "{" + String(repeating: " ", count: CatalogFile.maximumByteCount) + "}"
    let error = #expect(throws: DriftError.self) { try Self.read(text) }
    #expect(
      error?.description == "prices.json: the file is larger than 64 MB; write a file for fewer storefronts"
    )
  }

  static let inputs: [(name: String, text: String, texts: [String], problems: [String])] = [
    (
      "rows.csv", "amount;storefront\n5;USA\n\n6,5;USA\n7;Mars\n8\n", ["$5.00"],
      [
        "rows.csv, line 4: \"6,5\" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50",
        "rows.csv, line 5: unknown storefront \"Mars\"; did you mean \"MAR\"?",
        "rows.csv, line 6: the storefront is missing; add a storefront, or both a price locale and a currency",
      ]
    ),
    (
      "rows.jsonl",
      #"{"storefront":"DE","amount":5}"# + "\n[]\n" + #"{"storefront":"DEU","amount":"5","currency":"USD"}"#
        + "\n",
      ["5,00\u{A0}€"],
      [
        "rows.jsonl, line 2: the storefront is missing; add a storefront, or both a price locale and a currency",
        "rows.jsonl, line 3: the DEU store charges EUR, not USD; remove the currency, or use a store that charges it (prices are never converted)",
      ]
    ),
  ]

  @Test(arguments: inputs)
  func readsRows(name: String, text: String, texts: [String], problems: [String]) throws {
    let rows = try Self.rows(text, name)
    #expect(rows.prices.map(\.text) == texts)
    #expect(rows.problems.map(\.description) == problems)
    #expect(PriceRows.isStart(of: CatalogFile(name: name, bytes: Array(text.utf8))))
  }

  @Test(arguments: [
    "", "storefront,amount\n", "storefront,price\nUSA,5\n", "storefront,amount\nUSA,x\n",
    "{\"storefront\": \"USA\"}\n",
  ])
  func rejectsRows(text: String) {
    #expect(throws: DriftError.self) { try Self.rows(text) }
  }

  @Test(arguments: [
    (#"{"productIdentifier":"a","prices":{"USA":"1"}}"#, false),
    ("productIdentifier,storefront,amount", false), ("{", false),
    (#"{"storefront":"USA","amount":"1"}"#, true), ("storefront;amount", true),
  ])
  func tellsRowsFromCatalogs(start: String, areRows: Bool) {
    #expect(PriceRows.isStart(of: CatalogFile(name: "x", bytes: Array(start.utf8))) == areRows)
  }
}
