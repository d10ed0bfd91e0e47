import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagDrift

/// Tests of golden files: writing, reading, and errors with line numbers.
@Suite struct GoldenFileTests {
  // MARK: Writing and reading

  @Test func readsRecordedDisplays() throws {
    let shop = try SmallShop()
    let goldenFile = try SmallShop.goldenFile()
    var recorded: [RecordedDisplay] = []
    let recording = try DisplayRecording(of: shop.catalog, shop.request())
    while let product = try recording.next() { recorded += product.displays }
    #expect(recorded.count == 4 * SmallShop.storefronts.count)
    #expect(goldenFile.displays.map(\.line) == recorded.map(\.line))
    #expect(goldenFile.displays == recorded)
    #expect(goldenFile.problems.isEmpty)
    for display in recorded {
      let read = try RecordedDisplay(line: display.line)
      for field in RecordedDisplay.Field.allCases {
        #expect(read[field].utf8.elementsEqual(display[field].utf8), "\(display.line)")
      }
    }
  }

  @Test func writesGoldenFileAsRead() throws {
    let text = try SmallShop.goldenText()
    let goldenFile = try GoldenFile(name: "prices.golden", text: text)
    #expect(goldenFile.header.lines + goldenFile.displays.map { $0.line + "\n" }.joined() == text)
  }

  /// A request and the header lines that describe it.
  static let headers:
    [(
      date: String, style: PriceStyle, mode: ProductsRequest.Mode, storefronts: [String]?,
      languages: [String]?,
      lines: [String]
    )] = [
      (
        "2026-11-21", PriceStyle(), .production, nil, nil,
        [
          "# date: 2026-11-21",
          "# style: width=standard zeros=keep sign=auto digits=standard rounding=exact",
          "# products: approved", "# storefronts: all", "# languages: store",
        ]
      ),
      (
        "2027-01-01",
        PriceStyle(
          width: .iso,
          zeros: .trim,
          sign: .accounting,
          digits: .fixed(3),
          rounding: .halfEven
        ), .development,
        ["USA", "JPN", "USA"], ["ja", "en-GB"],
        [
          "# date: 2027-01-01", "# style: width=iso zeros=trim sign=accounting digits=3 rounding=half-even",
          "# products: all",
          "# storefronts: JPN USA", "# languages: en-GB ja",
        ]
      ),
      // At an instant, dates depend on the time zones.
      (
        "2026-11-30T12:00:00Z", PriceStyle(), .production, ["NZL"], nil,
        [
          "# date: 2026-11-30T12:00:00Z",
          "# style: width=standard zeros=keep sign=auto digits=standard rounding=exact",
          "# products: approved", "# storefronts: NZL", "# languages: store",
        ]
      ),
      (
        "2027-01-01",
        PriceStyle(
          width: .unambiguous,
          sign: .accountingExceptZero,
          digits: .range(0...2),
          grouping: .never,
          numberingSystem: "latn"
        ), .production, ["EGY"], nil,
        [
          "# date: 2027-01-01",
          "# style: width=unambiguous zeros=keep sign=accounting-except-zero digits=0-2 rounding=exact grouping=never numbering=latn",
          "# products: approved", "# storefronts: EGY", "# languages: store",
        ]
      ),
    ]

  @Test(arguments: headers.indices)
  func headerDescribesRequest(index: Int) throws {
    let (date, style, mode, storefronts, languages, lines) = Self.headers[index]
    let request = ListingRequest(
      storefronts: try storefronts?.map { try Storefront($0) } ?? LocaleData.embedded.storefronts,
      languages: try languages.map { .list(try $0.map { try UILanguage($0) }) } ?? .store,
      at: try StoreDay(date),
      mode: mode,
      style: style
    )
    var header = try GoldenFileHeader(request)
    header.catalog = "../my shop: \u{301}caf\u{E9}\u{A0}.json"
    header.reading = ["from": "csv", "prices-of": "USA", "texts-in": "en"]
    let text = header.lines
    let versions = Versions.current
    let start =
      [
        "# PriceTag golden 1", "# PriceTag: \(versions.priceTag)", "# ICU: \(versions.icu)",
        "# CLDR: \(versions.cldr)",
        "# Unicode: \(versions.unicode)",
      ] + (date.contains("T") ? ["# zones: \(versions.zones)"] : []) + [
        "# registry: \(try LocaleData.embedded.revision())",
        "# catalog: ../my shop: \u{301}caf\u{E9}\\u{A0}.json", "# from: csv", "# prices-of: USA",
        "# texts-in: en",
      ]
    let columns =
      "product\tstorefront\tlanguage\tamount\tcurrency\tlocale\tdisplay\tspoken\tname\tdescription\tsubscription\toffers"
    #expect(
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        == start + lines + [columns, ""]
    )

    let read = try GoldenFile(name: "g", text: text).header
    #expect(read == header)
    #expect(read.lines == text)
    let again = try read.request()
    #expect(
      again.storefronts.map(\.id) == (storefronts.map { Set($0).sorted() } ?? request.storefronts.map(\.id))
    )
    #expect(again.day == request.day && again.style == style && again.mode == mode)
    #expect(try GoldenFileHeader(again).lines.hasSuffix((lines + [columns, ""]).joined(separator: "\n")))
  }

  // MARK: Escapes

  /// A text and its escaped form.
  static let escapes: [(text: String, field: String)] = [
    ("", ""),
    ("plain", "plain"),
    ("4,99\u{A0}€", #"4,99\u{A0}€"#),
    ("1\u{202F}234", #"1\u{202F}234"#),
    ("\u{200F}5\u{200E}", #"\u{200F}5\u{200E}"#),
    ("a\tb", #"a\tb"#),
    ("a\nb", #"a\nb"#),
    ("a\r\nb", #"a\u{D}\nb"#),
    ("a\u{0}b", #"a\u{0}b"#),
    (#"a\b"#, #"a\\b"#),
    (#"\u{A0}"#, #"\\u{A0}"#),
    (#"\n"#, #"\\n"#),
    ("\u{2068}x\u{2069}", #"\u{2068}x\u{2069}"#),
    ("\u{202E}x\u{202C}", #"\u{202E}x\u{202C}"#),
    ("\u{2028}\u{2029}\u{85}", #"\u{2028}\u{2029}\u{85}"#),
    ("\u{FEFF}x", #"\u{FEFF}x"#),
    ("a\u{AD}b", #"a\u{AD}b"#),
    ("\u{E000}\u{10FFFF}", #"\u{E000}\u{10FFFF}"#),
    ("\u{1F3CE}\u{FE0F}", "\u{1F3CE}\u{FE0F}"),
    ("\u{1F468}\u{200D}\u{1F680}", "\u{1F468}\\u{200D}\u{1F680}"),
    ("e\u{301}", "e\u{301}"),
    ("\u{E9}", "\u{E9}"),
    ("\u{301}e", "\u{301}e"),
    (#"\"# + "\u{301}", #"\\"# + "\u{301}"),
    ("n\u{301}", "n\u{301}"),
    (" two  spaces ", " two  spaces "),
    ("# no header", "# no header"),
    ("\u{661}\u{662}", "\u{661}\u{662}"),
  ]

  @Test(arguments: escapes)
  func escapesInvisibleCharacters(text: String, field: String) throws {
    #expect(Array(escapedForGoldenFile(text).unicodeScalars) == Array(field.unicodeScalars))
    #expect(Array(try unescapedFromGoldenFile(Substring(field)).unicodeScalars) == Array(text.unicodeScalars))
  }

  /// Other spellings of escape sequences that are accepted.
  static let otherEscapes: [(field: String, text: String)] = [
    (#"\u{a0}"#, "\u{A0}"), (#"\u{00A0}"#, "\u{A0}"), (#"\u{41}"#, "A"), (#"\u{10ffff}"#, "\u{10FFFF}"),
    ("\u{A0}", "\u{A0}"),
  ]

  @Test(arguments: otherEscapes)
  func unescapesOtherSpellings(field: String, text: String) throws {
    #expect(try unescapedFromGoldenFile(Substring(field)) == text)
  }

  static let invalidEscapes = [
    #"\"#, #"a\"#, #"\x"#, #"\u"#, #"\u{"#, #"\u{}"#, #"\u{A0"#, #"\u{A0)"#, #"\u00A0"#, #"\u{110000}"#,
    #"\u{D800}"#, #"\u{DFFF}"#, #"\u{0000041}"#, #"\u{+41}"#, #"\u{-1}"#, #"\u{ 41}"#, #"\u{G}"#,
    "\\u{\u{FF21}}",
    "\\u{41\u{301}}", #"\r"#, #"\N"#, "\\n\u{301}\\",
  ]

  @Test(arguments: invalidEscapes)
  func rejectsInvalidEscape(field: String) throws {
    let error = try #require(throws: DriftError.self) { try unescapedFromGoldenFile(Substring(field)) }
    #expect(
      error.code == .malformedLine && error.problem.hasSuffix("has an invalid escape sequence"),
      "\(error)"
    )
  }

  // MARK: Invalid headers

  private static let versions = """
    # PriceTag: 0.1.0
    # ICU: 72.1
    # CLDR: 42.0
    # Unicode: 15.0
    # registry: f7e03a8ffe592243

    """
  private static let rest = """
    # date: 2026-11-21
    # style: width=standard zeros=keep sign=auto digits=standard rounding=exact
    # products: approved
    # storefronts: USA
    # languages: en-US

    """
  private static let columns =
    "product\tstorefront\tlanguage\tamount\tcurrency\tlocale\tdisplay\tspoken\tname\tdescription\tsubscription\toffers\n"
  private static let good = "# PriceTag golden 1\n" + versions + rest + columns

  private static func line(_ product: String, _ amount: String = "4.99", storefront: String = "USA") -> String
  {
    "\(product)\t\(storefront)\ten-US\t\(amount)\tUSD\ten-US\t$\(amount)\t\(amount) US dollars\tCar\tIt drives.\t\t\n"
  }

  private static func replaced(_ text: String, _ with: String) -> String { good.replacing(text, with: with) }

  private static let useGoldenFile = "use a golden file that pricetag record wrote"
  private static let again = "record the golden file again with this version of PriceTag"

  /// A file and its error, without the file name.
  static let invalidHeaders: [(name: String, text: String, error: String)] = [
    ("empty", "", "line 1: the file does not start with \"# PriceTag golden 1\"; \(useGoldenFile)"),
    (
      "a byte order mark alone", "\u{FEFF}",
      "line 1: the file does not start with \"# PriceTag golden 1\"; \(useGoldenFile)"
    ),
    ("JSON", "{}\n", "line 1: the file does not start with \"# PriceTag golden 1\"; \(useGoldenFile)"),
    (
      "no title", versions + rest + columns,
      "line 1: the file does not start with \"# PriceTag golden 1\"; \(useGoldenFile)"
    ),
    (
      "only lines", line("a") + line("b"),
      "line 1: the file does not start with \"# PriceTag golden 1\"; \(useGoldenFile)"
    ),
    (
      "another version", replaced("golden 1", "golden 2"),
      "line 1: version \"2\" of golden files is not supported, only version 1; \(again)"
    ),
    (
      "a version of two digits", replaced("golden 1", "golden 10"),
      "line 1: version \"10\" of golden files is not supported, only version 1; \(again)"
    ),
    (
      "ends after the title", "# PriceTag golden 1",
      "line 1: the file ends before its column names; \(again)"
    ),
    (
      "no columns", "# PriceTag golden 1\n" + versions + rest,
      "line 11: the file ends before its column names; \(again)"
    ),
    (
      "no columns but a line", "# PriceTag golden 1\n" + versions + rest + line("a"),
      "line 12: the line is neither a header line \"# name: value\" nor the column names of this version; \(again)"
    ),
    (
      "other columns", replaced("\tspoken", ""),
      "line 12: the line is neither a header line \"# name: value\" nor the column names of this version; \(again)"
    ),
    (
      "an unknown field", replaced("# date", "# dates"),
      "line 7: unknown field \"dates\" (did you mean \"date\"?); \(again)"
    ),
    (
      "a field twice", replaced("# products", "# date: 2026-11-22\n# products"),
      "line 9: the field \"date\" appears twice; \(again)"
    ),
    ("no date", replaced("# date: 2026-11-21\n", ""), "line 1: the field \"date\" is missing; \(again)"),
    ("no ICU", replaced("# ICU: 72.1\n", ""), "line 1: the field \"ICU\" is missing; \(again)"),
    (
      "an invalid date", replaced("2026-11-21", "2026-02-30"),
      "line 7: the date \"2026-02-30\" does not exist; \(again)"
    ),
    (
      "an invalid style", replaced("width=standard", "width=wide"),
      "line 8: unknown style option \"width=wide\"; \(again)"
    ),
    (
      "an unknown option", replaced("zeros=keep", "zero=keep"),
      "line 8: unknown style option \"zero=keep\"; \(again)"
    ),
    (
      "an option without a value", replaced("digits=standard", "digits"),
      "line 8: unknown style option \"digits\"; \(again)"
    ),
    (
      "many digits", replaced("digits=standard", "digits=99"),
      "line 8: unknown style option \"digits=99\"; \(again)"
    ),
    (
      "an invalid numbering system", replaced("digits=standard", "numbering=roman"),
      "line 8: unknown style option \"numbering=roman\"; \(again)"
    ),
    (
      "invalid grouping", replaced("digits=standard", "grouping=some"),
      "line 8: unknown style option \"grouping=some\"; \(again)"
    ),
    (
      "invalid products", replaced("approved", "some"),
      "line 9: the field \"products\" must be \"approved\" or \"all\", not \"some\"; \(again)"
    ),
    (
      "no name and value", replaced("# products: approved", "# products approved"),
      "line 9: \"# products approved\" is not a header line \"# name: value\"; \(again)"
    ),
    (
      "no space", replaced("# products", "#products"),
      "line 9: \"#products: approved\" is not a header line \"# name: value\"; \(again)"
    ),
    (
      "an invalid escape", replaced("f7e03a8ffe592243", #"\x"#),
      #"line 6: "\\x" has an invalid escape sequence; write \\ for a backslash, \n, \t, or \u{A0}"#
    ),
    (
      "a merge", replaced("# ICU: 72.1\n", "<<<<<<< HEAD\n# ICU: 72.1\n=======\n# ICU: 74.2\n>>>>>>> new\n"),
      "line 3: the line is a merge conflict marker; \(again)"
    ),
  ]

  @Test(arguments: invalidHeaders)
  func rejectsInvalidHeaderWithLine(name: String, text: String, error expected: String) throws {
    let error = try #require(throws: DriftError.self) { try GoldenFile(name: "g\n.golden", text: text) }
    #expect(error.code == .malformedGoldenFile)
    #expect(error.description == #"g\u{A}.golden, "# + expected, "\(name)")
  }

  static let unreadable: [(name: String, bytes: [UInt8], code: DriftError.Code, error: String)] = [
    (
      "UTF-16", [0xFF, 0xFE] + Array("# P".utf8).flatMap { [$0, 0] }, .unreadableFile,
      "g, line 1: the file is UTF-16; save it as UTF-8"
    ),
    (
      "a line of 17 MB", Array(good.utf8) + [UInt8](repeating: 0x61, count: 17 << 20), .malformedGoldenFile,
      "g, line 13: the line is larger than 16 MB; \(useGoldenFile)"
    ),
    (
      "17 MB without a line", [UInt8](repeating: 0x61, count: 17 << 20), .malformedGoldenFile,
      "g, line 1: the line is larger than 16 MB; \(useGoldenFile)"
    ),
    (
      "no UTF-8", [0xC3, 0x28, 0x0A], .malformedGoldenFile,
      "g, line 1: the file does not start with \"# PriceTag golden 1\"; \(useGoldenFile)"
    ),
    (
      "a header that is not UTF-8", Array("# PriceTag golden 1\n# catalog: ".utf8) + [0xE9, 0x0A],
      .malformedGoldenFile,
      "g, line 2: the line is not UTF-8; \(again)"
    ),
    (
      "a million invalid lines",
      Array((good + String(repeating: "a\n", count: 1_000_000)).utf8), .malformedGoldenFile,
      "g, line 100013: the file has more than 100000 invalid lines; \(useGoldenFile)"
    ),
  ]

  @Test(.timeLimit(.minutes(20)), arguments: unreadable.indices)
  func rejectsOtherFiles(index: Int) throws {
    let (name, bytes, code, expected) = Self.unreadable[index]
    let error = try #require(throws: DriftError.self) { try GoldenFile(CatalogFile(name: "g", bytes: bytes)) }
    #expect(error.code == code && error.description == expected, "\(name)")
  }

  @Test func rejectsMissingFile() throws {
    let error = try #require(throws: DriftError.self) { try GoldenFile(path: "/nonexistent/prices.golden") }
    #expect(error.code == .unreadableFile)
    #expect(
      error.description.hasPrefix(
        "/nonexistent/prices.golden: cannot read the file: No such file or directory; "
      )
    )
  }

  /// Unknown names are reported by `request()`, because another registry may contain them.
  static let unknownNames: [(text: String, error: String)] = [
    (replaced("storefronts: USA", "storefronts: USA USX"), "storefronts: unknown storefront \"USX\"; "),
    (replaced("languages: en-US", "languages: en-US qq"), "languages: "),
  ]

  @Test(arguments: unknownNames)
  func rejectsUnknownNames(text: String, expected: String) throws {
    let header = try GoldenFile(name: "g", text: text).header
    let error = try #require(throws: DriftError.self) { try header.request() }
    #expect(error.code == .malformedGoldenFile && error.description.hasPrefix(expected), "\(error)")
  }

  // MARK: Invalid lines

  /// Lines after a valid header of 12 lines, the rejected lines, and the products of the displays.
  static let lines: [(name: String, lines: String, problems: [String], products: [String])] = [
    ("none", "", [], []),
    ("good", line("a") + line("b"), [], ["a", "b"]),
    ("no line end", String(line("a").dropLast()), [], ["a"]),
    ("CRLF", (line("a") + line("b")).replacing("\n", with: "\r\n"), [], ["a", "b"]),
    ("empty lines", "\n" + line("a") + "\n\n" + line("b") + "\n", [], ["a", "b"]),
    ("no empty fields at the end", line("a").replacing("\t\t\n", with: "\n"), [], ["a"]),
    ("another order", line("b") + line("a.b") + line("a") + line("B"), [], ["B", "a", "a.b", "b"]),
    (
      "one field", line("a") + "b\n" + line("c"),
      ["line 14: the line has 1 field instead of 12; record the golden file again"],
      ["a", "c"]
    ),
    (
      "seven fields", "a\tUSA\ten-US\t1\tUSD\ten-US\t$1\n",
      ["line 13: the line has 7 fields instead of 12; record the golden file again"], []
    ),
    (
      "thirteen fields", line("a").replacing("\n", with: "\tmore\n"),
      ["line 13: the line has 13 fields instead of 12; record the golden file again"], []
    ),
    (
      "spaces for tabs", line("a").replacing("\t", with: "    ") + line("b"),
      ["line 13: the line has 1 field instead of 12; record the golden file again"], ["b"]
    ),
    (
      "an invalid escape", line("a").replacing("Car", with: #"Car\x"#) + line("b"),
      [#"line 13: "Car\\x" has an invalid escape sequence; write \\ for a backslash, \n, \t, or \u{A0}"#],
      ["b"]
    ),
    (
      "an invalid amount", line("a", "4,99") + line("b", "1e9") + line("c"),
      [
        "line 13, field amount: \"4,99\" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50",
        "line 14, field amount: \"1e9\" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50",
      ], ["c"]
    ),
    (
      "no storefront", line("a", storefront: ""),
      ["line 13: the field \"storefront\" is empty; record the golden file again"], []
    ),
    ("no product", line(""), ["line 13: the field \"product\" is empty; record the golden file again"], []),
    (
      "a comment", line("a") + "# more\n",
      ["line 14: the line has 1 field instead of 12; record the golden file again"], ["a"]
    ),
    (
      "twice", line("a") + line("b") + line("a", "5"),
      [
        "line 15: the display appears twice, first on line 13; remove one, or record the golden file again"
      ], ["a", "b"]
    ),
    (
      "a merge",
      line("a") + "<<<<<<< HEAD\n" + line("b") + "||||||| base\n=======\n" + line("b", "5") + ">>>>>>> new\n"
        + line("c"),
      [
        "line 14: the line is a merge conflict marker; record the golden file again",
        "line 16: the line is a merge conflict marker; record the golden file again",
        "line 17: the line is a merge conflict marker; record the golden file again",
        "line 18: the display appears twice, first on line 15; remove one, or record the golden file again",
        "line 19: the line is a merge conflict marker; record the golden file again",
      ], ["a", "b", "c"]
    ),
    (
      "zeros", "\u{0}\u{0}\u{0}\n" + line("a"),
      ["line 13: the line has 1 field instead of 12; record the golden file again"], ["a"]
    ),
    (
      "100,000 columns", line("a") + String(repeating: "b\t", count: 99_999) + "b\n",
      ["line 14: the line has 100000 fields instead of 12; record the golden file again"], ["a"]
    ),
    (
      "a long name", line("a").replacing("Car", with: String(repeating: "Car", count: 1_000_000)), [], ["a"]
    ),
  ]

  @Test(arguments: lines.indices)
  func rejectsInvalidLinesWithNumber(index: Int) throws {
    let (name, lines, problems, products) = Self.lines[index]
    let goldenFile = try GoldenFile(name: "g", text: Self.good + lines)
    #expect(goldenFile.problems.map(\.description) == problems.map { "g, \($0)" }, "\(name)")
    #expect(goldenFile.problems.allSatisfy { $0.code == .malformedLine }, "\(name)")
    #expect(goldenFile.displays.map(\.productIdentifier) == products, "\(name)")
  }

  @Test func rejectsLineThatIsNotUTF8() throws {
    let bytes = Array((Self.good + Self.line("a")).utf8) + [0x62, 0xFF, 0x0A] + Array(Self.line("c").utf8)
    let goldenFile = try GoldenFile(CatalogFile(name: "g", bytes: bytes))
    #expect(
      goldenFile.problems.map(\.description) == [
        "g, line 14: the line is not UTF-8; record the golden file again"
      ]
    )
    #expect(goldenFile.displays.map(\.productIdentifier) == ["a", "c"])
  }

  /// A golden file that was changed by an editor, another system, or a merge tool.
  @Test func readsFileChangedByEditor() throws {
    let text = try SmallShop.goldenText()
    let lines = text.split(separator: "\n").map(String.init)
    let head = lines.prefix { $0.hasPrefix("#") || $0.hasPrefix("product\t") }
    let others = [
      "CRLF": text.replacing("\n", with: "\r\n"),
      "a byte order mark": "\u{FEFF}" + text,
      "reversed": (head + lines.dropFirst(head.count).reversed()).joined(separator: "\n"),
      "no blanks at line ends": lines.map { line in
        String(line.reversed().drop { $0 == "\t" || $0 == " " }.reversed())
      }.joined(separator: "\n"),
    ]
    let goldenFile = try GoldenFile(name: "g", text: text)
    for (name, other) in others {
      #expect(other != text)
      let read = try GoldenFile(name: "g", text: other)
      #expect(read.header == goldenFile.header, "\(name)")
      #expect(read.displays == goldenFile.displays, "\(name)")
      #expect(read.problems.isEmpty, "\(name): \(read.problems)")
      let report = DriftCheck(goldenFile).check(against: read)
      #expect(report.changes.isEmpty && report.checked == goldenFile.displays.count, "\(name)")
    }
  }
}
