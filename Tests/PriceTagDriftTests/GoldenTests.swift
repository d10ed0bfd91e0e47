import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagDrift

/// Goldens: what is written is what is read, and what is wrong is told with its line.
@Suite struct GoldenTests {
  // MARK: What is written is what is read

  @Test func aRecordingIsReadAsItWasMade() throws {
    let shop = try SmallShop()
    let golden = try shop.golden()
    var made: [RecordedDisplay] = []
    let recording = try DisplayRecording(of: shop.catalog, shop.request())
    while let product = try recording.next() { made += product.displays }
    #expect(made.count == 4 * SmallShop.storefronts.count)
    #expect(golden.displays.map(\.line) == made.map(\.line))
    #expect(golden.displays == made)
    #expect(golden.problems.isEmpty)
    for display in made {
      let read = try RecordedDisplay(line: display.line)
      for field in RecordedDisplay.Field.allCases {
        #expect(read[field].utf8.elementsEqual(display[field].utf8), "\(display.line)")
      }
    }
  }

  @Test func aGoldenIsWrittenAsItWasRead() throws {
    let text = try SmallShop().goldenText()
    let golden = try Golden(name: "prices.golden", text: text)
    #expect(golden.header.lines + golden.displays.map { $0.line + "\n" }.joined() == text)
  }

  /// A request, and what the header says of it.
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
    ]

  @Test(arguments: headers.indices)
  func aHeaderSaysWhatWasAskedFor(index: Int) throws {
    let (date, style, mode, storefronts, languages, lines) = Self.headers[index]
    let request = ListingRequest(
      storefronts: try storefronts?.map { try Storefront($0) } ?? LocaleData.embedded.storefronts,
      languages: try languages.map { .list(try $0.map { try UILanguage($0) }) } ?? .store,
      at: try CalendarDate(date),
      mode: mode,
      style: style
    )
    var header = try GoldenHeader(request)
    header.catalog = "../my shop: \u{301}caf\u{E9}\u{A0}.json"
    header.reading = ["from": "csv", "prices-of": "USA", "texts-in": "en"]
    let text = header.lines
    let versions = Versions.current
    let start = [
      "# PriceTag golden 1", "# PriceTag: \(versions.priceTag)", "# ICU: \(versions.icu)",
      "# CLDR: \(versions.cldr)",
      "# Unicode: \(versions.unicode)", "# registry: \(try LocaleData.embedded.revision())",
      "# catalog: ../my shop: \u{301}caf\u{E9}\\u{A0}.json", "# from: csv", "# prices-of: USA",
      "# texts-in: en",
    ]
    let columns =
      "product\tstorefront\tlanguage\tamount\tcurrency\tlocale\tdisplay\tspoken\tname\tdescription\tsubscription\toffers"
    #expect(
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        == start + lines + [columns, ""]
    )

    let read = try Golden(name: "g", text: text).header
    #expect(read == header)
    #expect(read.lines == text)
    let again = try read.request()
    #expect(
      again.storefronts.map(\.id) == (storefronts.map { Set($0).sorted() } ?? request.storefronts.map(\.id))
    )
    #expect(again.date == request.date && again.style == style && again.mode == mode)
    #expect(try GoldenHeader(again).lines.hasSuffix((lines + [columns, ""]).joined(separator: "\n")))
  }

  // MARK: Escapes

  /// A text, and how a golden writes it.
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
  func whatIsNotSeenIsEscaped(text: String, field: String) throws {
    #expect(Array(goldenEscaped(text).unicodeScalars) == Array(field.unicodeScalars))
    #expect(Array(try goldenUnescaped(Substring(field)).unicodeScalars) == Array(text.unicodeScalars))
  }

  /// Other spellings that are read too.
  static let otherEscapes: [(field: String, text: String)] = [
    (#"\u{a0}"#, "\u{A0}"), (#"\u{00A0}"#, "\u{A0}"), (#"\u{41}"#, "A"), (#"\u{10ffff}"#, "\u{10FFFF}"),
    ("\u{A0}", "\u{A0}"),
  ]

  @Test(arguments: otherEscapes)
  func anEscapeIsReadInEverySpelling(field: String, text: String) throws {
    #expect(try goldenUnescaped(Substring(field)) == text)
  }

  static let wrongEscapes = [
    #"\"#, #"a\"#, #"\x"#, #"\u"#, #"\u{"#, #"\u{}"#, #"\u{A0"#, #"\u{A0)"#, #"\u00A0"#, #"\u{110000}"#,
    #"\u{D800}"#, #"\u{DFFF}"#, #"\u{0000041}"#, #"\u{+41}"#, #"\u{-1}"#, #"\u{ 41}"#, #"\u{G}"#,
    "\\u{\u{FF21}}",
    "\\u{41\u{301}}", #"\r"#, #"\N"#, "\\n\u{301}\\",
  ]

  @Test(arguments: wrongEscapes)
  func aWrongEscapeIsAnError(field: String) throws {
    let error = try #require(throws: DriftError.self) { try goldenUnescaped(Substring(field)) }
    #expect(error.code == .malformedLine && error.problem.hasPrefix("an escape in "), "\(error)")
  }

  // MARK: Headers that are wrong

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

  private static let noGolden = "give a golden, as pricetag record writes it"
  private static let again = "record the golden again, with the version of PriceTag that checks it"

  /// A file, and the error that it gives, without the file's name.
  static let wrongHeaders: [(name: String, text: String, error: String)] = [
    ("empty", "", "line 1: the file does not start with \"# PriceTag golden 1\": \(noGolden)"),
    (
      "a byte order mark alone", "\u{FEFF}",
      "line 1: the file does not start with \"# PriceTag golden 1\": \(noGolden)"
    ),
    ("JSON", "{}\n", "line 1: the file does not start with \"# PriceTag golden 1\": \(noGolden)"),
    (
      "no title", versions + rest + columns,
      "line 1: the file does not start with \"# PriceTag golden 1\": \(noGolden)"
    ),
    (
      "only lines", line("a") + line("b"),
      "line 1: the file does not start with \"# PriceTag golden 1\": \(noGolden)"
    ),
    (
      "another version", replaced("golden 1", "golden 2"),
      "line 1: the golden is of version \"2\", and this PriceTag reads version 1: \(again)"
    ),
    (
      "a version of two digits", replaced("golden 1", "golden 10"),
      "line 1: the golden is of version \"10\", and this PriceTag reads version 1: \(again)"
    ),
    (
      "ends behind the title", "# PriceTag golden 1",
      "line 1: the golden ends before the names of its columns: \(again)"
    ),
    (
      "no columns", "# PriceTag golden 1\n" + versions + rest,
      "line 11: the golden ends before the names of its columns: \(again)"
    ),
    (
      "no columns but a line", "# PriceTag golden 1\n" + versions + rest + line("a"),
      "line 12: the line is neither a \"# name: value\" nor the columns of this version: \(again)"
    ),
    (
      "other columns", replaced("\tspoken", ""),
      "line 12: the line is neither a \"# name: value\" nor the columns of this version: \(again)"
    ),
    (
      "a field nobody knows", replaced("# date", "# dates"),
      "line 7: there is no field \"dates\" (did you mean date?): \(again)"
    ),
    (
      "a field twice", replaced("# products", "# date: 2026-11-22\n# products"),
      "line 9: the field \"date\" stands twice: \(again)"
    ),
    ("no date", replaced("# date: 2026-11-21\n", ""), "line 1: the header has no \"date\": \(again)"),
    ("no ICU", replaced("# ICU: 72.1\n", ""), "line 1: the header has no \"ICU\": \(again)"),
    (
      "a date that is none", replaced("2026-11-21", "2026-02-30"),
      "line 7: the calendar has no \"2026-02-30\": \(again)"
    ),
    (
      "a style that is none", replaced("width=standard", "width=wide"),
      "line 8: \"width=wide\" is no option of a style: \(again)"
    ),
    (
      "an option nobody knows", replaced("zeros=keep", "zero=keep"),
      "line 8: \"zero=keep\" is no option of a style: \(again)"
    ),
    (
      "an option without a value", replaced("digits=standard", "digits"),
      "line 8: \"digits\" is no option of a style: \(again)"
    ),
    (
      "many digits", replaced("digits=standard", "digits=99"),
      "line 8: \"digits=99\" is no option of a style: \(again)"
    ),
    (
      "products that are none", replaced("approved", "some"),
      "line 9: products are approved or all, not \"some\": \(again)"
    ),
    (
      "no name and value", replaced("# products: approved", "# products approved"),
      "line 9: \"# products approved\" is no \"# name: value\": \(again)"
    ),
    (
      "no space", replaced("# products", "#products"),
      "line 9: \"#products: approved\" is no \"# name: value\": \(again)"
    ),
    (
      "a wrong escape", replaced("f7e03a8ffe592243", #"\x"#),
      #"line 6: an escape in "\\x" is none: write \\ for a backslash, \n, \t or \u{A0}"#
    ),
    (
      "a merge", replaced("# ICU: 72.1\n", "<<<<<<< HEAD\n# ICU: 72.1\n=======\n# ICU: 74.2\n>>>>>>> new\n"),
      "line 3: the line is of a merge that was not resolved: \(again)"
    ),
  ]

  @Test(arguments: wrongHeaders)
  func aWrongHeaderIsAnErrorWithItsLine(name: String, text: String, error expected: String) throws {
    let error = try #require(throws: DriftError.self) { try Golden(name: "g\n.golden", text: text) }
    #expect(error.code == .malformedGolden)
    #expect(error.description == #"g\u{A}.golden, "# + expected, "\(name)")
  }

  static let unreadable: [(name: String, bytes: [UInt8], code: DriftError.Code, error: String)] = [
    (
      "UTF-16", [0xFF, 0xFE] + Array("# P".utf8).flatMap { [$0, 0] }, .unreadableFile,
      "g, line 1: the file is UTF-16: save it as UTF-8"
    ),
    (
      "a line of 17 MB", Array(good.utf8) + [UInt8](repeating: 0x61, count: 17 << 20), .malformedGolden,
      "g, line 13: the line has more than 16 MB: \(noGolden)"
    ),
    (
      "17 MB without a line", [UInt8](repeating: 0x61, count: 17 << 20), .malformedGolden,
      "g, line 1: the line has more than 16 MB: \(noGolden)"
    ),
    (
      "no UTF-8", [0xC3, 0x28, 0x0A], .malformedGolden,
      "g, line 1: the file does not start with \"# PriceTag golden 1\": \(noGolden)"
    ),
    (
      "a header that is not UTF-8", Array("# PriceTag golden 1\n# catalog: ".utf8) + [0xE9, 0x0A],
      .malformedGolden,
      "g, line 2: the line is not UTF-8: \(again)"
    ),
    (
      "a million lines of nothing",
      Array(good.utf8)
        + [UInt8](repeating: 0x61, count: 2).flatMap { _ in
          Array(repeating: [0x61, 0x0A] as [UInt8], count: 500_000).flatMap(\.self)
        }, .malformedGolden,
      "g, line 100013: more than 100000 lines are none: \(noGolden)"
    ),
  ]

  @Test(arguments: unreadable.indices)
  func whatIsNoGoldenIsOneError(index: Int) throws {
    let (name, bytes, code, expected) = Self.unreadable[index]
    let clock = ContinuousClock()
    let start = clock.now
    let error = try #require(throws: DriftError.self) { try Golden(name: "g", bytes: bytes) }
    #expect(error.code == code && error.description == expected, "\(name)")
    #expect(clock.now - start < .seconds(60), "\(name)")
  }

  @Test func aFileThatIsNotThereIsAnError() throws {
    let error = try #require(throws: DriftError.self) { try Golden(path: "/nonexistent/prices.golden") }
    #expect(error.code == .unreadableFile)
    #expect(
      error.description.hasPrefix(
        "/nonexistent/prices.golden: the file cannot be read: No such file or directory: "
      )
    )
  }

  /// Names that are not known are told when they are asked for: another registry may know them.
  static let wrongNames: [(text: String, error: String)] = [
    (replaced("storefronts: USA", "storefronts: USA USX"), "storefronts: no storefront is called \"USX\": "),
    (replaced("languages: en-US", "languages: en-US qq"), "languages: "),
  ]

  @Test(arguments: wrongNames)
  func aNameThatIsNotKnownIsAnError(text: String, expected: String) throws {
    let header = try Golden(name: "g", text: text).header
    let error = try #require(throws: DriftError.self) { try header.request() }
    #expect(error.code == .malformedGolden && error.description.hasPrefix(expected), "\(error)")
  }

  // MARK: Lines that are wrong

  /// Lines behind a good header, which has twelve: what is set aside, and of which products displays are read.
  static let lines: [(name: String, lines: String, problems: [String], products: [String])] = [
    ("none", "", [], []),
    ("good", line("a") + line("b"), [], ["a", "b"]),
    ("no line end", String(line("a").dropLast()), [], ["a"]),
    ("CRLF", (line("a") + line("b")).replacing("\n", with: "\r\n"), [], ["a", "b"]),
    ("empty lines", "\n" + line("a") + "\n\n" + line("b") + "\n", [], ["a", "b"]),
    ("empty fields taken off the end", line("a").replacing("\t\t\n", with: "\n"), [], ["a"]),
    ("sorted otherwise", line("b") + line("a.b") + line("a") + line("B"), [], ["B", "a", "a.b", "b"]),
    (
      "one field", line("a") + "b\n" + line("c"),
      ["line 14: the line has 1 of 12 fields: record the golden again"],
      ["a", "c"]
    ),
    (
      "seven fields", "a\tUSA\ten-US\t1\tUSD\ten-US\t$1\n",
      ["line 13: the line has 7 of 12 fields: record the golden again"], []
    ),
    (
      "thirteen fields", line("a").replacing("\n", with: "\tmore\n"),
      ["line 13: the line has 13 of 12 fields: record the golden again"], []
    ),
    (
      "spaces for tabs", line("a").replacing("\t", with: "    ") + line("b"),
      ["line 13: the line has 1 of 12 fields: record the golden again"], ["b"]
    ),
    (
      "a wrong escape", line("a").replacing("Car", with: #"Car\x"#) + line("b"),
      [#"line 13: an escape in "Car\\x" is none: write \\ for a backslash, \n, \t or \u{A0}"#], ["b"]
    ),
    (
      "an amount that is none", line("a", "4,99") + line("b", "1e9") + line("c"),
      [
        "line 13, field amount: \"4,99\" is not a decimal amount: write ASCII digits with an optional sign and fraction, such as 1234.50",
        "line 14, field amount: \"1e9\" is not a decimal amount: write ASCII digits with an optional sign and fraction, such as 1234.50",
      ], ["c"]
    ),
    (
      "no storefront", line("a", storefront: ""),
      ["line 13: the field \"storefront\" is empty: record the golden again"], []
    ),
    ("no product", line(""), ["line 13: the field \"product\" is empty: record the golden again"], []),
    (
      "a comment", line("a") + "# more\n",
      ["line 14: the line has 1 of 12 fields: record the golden again"], ["a"]
    ),
    (
      "twice", line("a") + line("b") + line("a", "5"),
      [
        "line 15: the display stands twice, on line 13 too: remove one, or record the golden again"
      ], ["a", "b"]
    ),
    (
      "a merge",
      line("a") + "<<<<<<< HEAD\n" + line("b") + "||||||| base\n=======\n" + line("b", "5") + ">>>>>>> new\n"
        + line("c"),
      [
        "line 14: the line is of a merge that was not resolved: record the golden again",
        "line 16: the line is of a merge that was not resolved: record the golden again",
        "line 17: the line is of a merge that was not resolved: record the golden again",
        "line 18: the display stands twice, on line 15 too: remove one, or record the golden again",
        "line 19: the line is of a merge that was not resolved: record the golden again",
      ], ["a", "b", "c"]
    ),
    (
      "zeros", "\u{0}\u{0}\u{0}\n" + line("a"),
      ["line 13: the line has 1 of 12 fields: record the golden again"], ["a"]
    ),
    (
      "100,000 columns", line("a") + String(repeating: "b\t", count: 99_999) + "b\n",
      ["line 14: the line has 100000 of 12 fields: record the golden again"], ["a"]
    ),
    (
      "a long name", line("a").replacing("Car", with: String(repeating: "Car", count: 1_000_000)), [], ["a"]
    ),
  ]

  @Test(arguments: lines.indices)
  func aWrongLineIsSetAsideWithItsNumber(index: Int) throws {
    let (name, lines, problems, products) = Self.lines[index]
    let golden = try Golden(name: "g", text: Self.good + lines)
    #expect(golden.problems.map(\.description) == problems.map { "g, \($0)" }, "\(name)")
    #expect(golden.problems.allSatisfy { $0.code == .malformedLine }, "\(name)")
    #expect(golden.displays.map(\.productIdentifier) == products, "\(name)")
  }

  @Test func aLineThatIsNotUTF8IsSetAside() throws {
    let bytes = Array((Self.good + Self.line("a")).utf8) + [0x62, 0xFF, 0x0A] + Array(Self.line("c").utf8)
    let golden = try Golden(name: "g", bytes: bytes)
    #expect(
      golden.problems.map(\.description) == ["g, line 14: the line is not UTF-8: record the golden again"]
    )
    #expect(golden.displays.map(\.productIdentifier) == ["a", "c"])
  }

  /// What a golden says after it went through an editor, another system or a merge tool, and after a check.
  @Test func aGoldenSurvivesEditors() throws {
    let text = try SmallShop().goldenText()
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
    let golden = try Golden(name: "g", text: text)
    for (name, other) in others {
      #expect(other != text)
      let read = try Golden(name: "g", text: other)
      #expect(read.header == golden.header, "\(name)")
      #expect(read.displays == golden.displays, "\(name)")
      #expect(read.problems.isEmpty, "\(name): \(read.problems)")
      let report = DriftCheck(golden).check(against: read)
      #expect(report.changes.isEmpty && report.checked == golden.displays.count, "\(name)")
    }
  }
}
