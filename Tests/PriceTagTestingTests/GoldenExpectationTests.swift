import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagDrift
import PriceTagTesting
import Testing

/// Expectations against a golden: what passes, what fails and how it is told, and how a golden is recorded.
///
/// One after another, for recording is asked for by a variable that all tests have in common; every other test that
/// looks at a golden would see it.
@Suite(.serialized) struct GoldenExpectationTests {
  private static let car = #"""
    {"productIdentifier":"car","localizations":{"en-US":{"name":"Rocket car"},"ja":{"name":"ロケットカー"}},"prices":{"CHE":"1234.50","JPN":"1200","USA":"4.99"}}
    """#

  /// A folder with a place for a golden; removed at the end.
  private final class Scratch {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag \(UUID().uuidString)")
    var golden: URL { folder.appending(path: "prices.golden") }
    var text: String { (try? String(contentsOf: golden, encoding: .utf8)) ?? "" }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Locale data with a merchant's overrides.
    func localeData(_ overrides: String) throws -> LocaleData {
      let text = #"{"schema":1,"overrides":[\#(overrides)]}"#
      try Data(text.utf8).write(to: folder.appending(path: "currency-overrides.json"))
      return try LocaleData(folder: folder.path(percentEncoded: false))
    }
  }

  /// What the body tells that fails, while goldens are recorded.
  private func recording(_ value: String = "1", _ body: () -> Void) -> [ToldFailure] {
    setenv("PRICETAG_RECORD", value, 1)
    defer { unsetenv("PRICETAG_RECORD") }
    return failures(of: body)
  }

  @Test func withoutAGoldenItSaysHow() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    for value in [nil, "", "0"] {
      if let value { setenv("PRICETAG_RECORD", value, 1) }
      defer { unsetenv("PRICETAG_RECORD") }
      let line = #line + 1
      let told = failures { expectDisplay(of: catalog, matches: scratch.golden, storefronts: ["USA"]) }
      let path = scratch.golden.path(percentEncoded: false)
      #expect(told.count == 1 && told[0].line == line)
      #expect(
        told[0].text
          == "there is no golden \"\(path)\": run the test once with PRICETAG_RECORD=1, and commit it"
      )
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func aGoldenIsRecordedAndThenPasses() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    let line = #line + 2
    let told = recording {
      expectDisplay(
        of: catalog,
        matches: scratch.golden,
        storefronts: ["USA", "JPN"],
        languages: ["en", "ja"]
      )
    }
    #expect(told.count == 1 && told[0].line == line)
    #expect(told[0].text.hasPrefix("recorded 4 displays into \""), "\(told)")
    #expect(
      told[0].text.hasSuffix("look at what changed, and run again without PRICETAG_RECORD"),
      "\(told)"
    )
    let golden = try Golden(path: scratch.golden.path(percentEncoded: false))
    #expect(
      golden.displays.map { "\($0.storefront) \($0.language) \($0.display) \($0.name)" } == [
        "JPN en ￥1,200 Rocket car", "JPN ja ￥1,200 ロケットカー", "USA en $4.99 Rocket car",
        "USA ja $4.99 Rocket car",
      ]
    )
    expectDisplay(of: catalog, matches: scratch.golden)
    expectDisplay(of: catalog, matches: scratch.golden, storefronts: ["us", "JP"], languages: ["ja", "en"])
    // A golden's own day is asked for, whatever today is.
    #expect(golden.header.date == .today)
  }

  @Test func aChangeIsToldAtTheCallersLine() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    _ = recording {
      expectDisplay(
        of: catalog,
        matches: scratch.golden,
        storefronts: ["CHE", "USA"],
        languages: ["en"],
        at: "2026-11-21"
      )
    }
    let changed = try PriceTagTestingTests.catalog(Self.car.replacing("4.99", with: "5.99"))
    let line = #line + 1
    let told = failures { expectDisplay(of: changed, matches: scratch.golden) }
    #expect(told.count == 1 && told[0].line == line)
    let text = told.first?.text ?? ""
    #expect(text.hasPrefix("1 of 2 displays changed, in 1 of 2 storefronts\n"), "\(text)")
    #expect(text.contains("\namount: 1 display, USA\n"), "\(text)")
    #expect(text.contains("  car in USA (en) ("), "\(text)")
    #expect(text.contains("prices.golden:14): amount, display, spoken\n"), "\(text)")
    #expect(text.contains("    - expected   4.99 USD\n    + displayed  5.99 USD\n"), "\(text)")
    #expect(
      text.hasSuffix("\nWhere this is right, record it: run the test once with PRICETAG_RECORD=1"),
      "\(text)"
    )
    // Asked for less, the rest is gone; for more, the rest is new.
    #expect(
      failures { expectDisplay(of: changed, matches: scratch.golden, storefronts: ["CHE"]) }
        .map { $0.text.contains("gone: 1 display, USA\n  car in USA (en)") } == [true]
    )
    #expect(
      failures { expectDisplay(of: changed, matches: scratch.golden, storefronts: ["CHE", "USA", "JPN"]) }
        .map { $0.text.contains("new: 1 display, JPN\n  car in JPN (en)") } == [true]
    )
  }

  /// What another apostrophe in Switzerland is let pass by.
  static let tolerances: [(tolerance: DisplayTolerance, merchant: String, passes: Bool)] = [
    (.strict, #""group":"'""#, false), (.spacing, #""group":"'""#, false), (.meaning, #""group":"'""#, true),
    (.spacing, #""space":"\u202f""#, true), (.bidi, #""space":"\u202f""#, false),
    ([.spacing, .bidi], #""space":"\u202f""#, true), (.meaning, #""digits":0"#, false),
    (.meaning, #""symbol":"Fr.""#, true),
  ]

  @Test(arguments: tolerances)
  func aToleranceLetsItsKindPass(tolerance: DisplayTolerance, merchant: String, passes: Bool)
    throws
  {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car.replacing("1234.50", with: "1234.00"))
    _ = recording {
      expectDisplay(of: catalog, matches: scratch.golden, storefronts: ["CHE"], languages: ["en"])
    }
    let data = try scratch.localeData(#"{"storefront":"CHE",\#(merchant),"reason":"r"}"#)
    let rounded = PriceStyle(rounding: .halfEven)
    func expectation() {
      expectDisplay(
        of: catalog,
        matches: scratch.golden,
        tolerating: tolerance,
        style: rounded,
        localeData: data
      )
    }
    if passes { expectation() } else { #expect(failures { expectation() }.count == 1) }
  }

  @Test func recordedAgainItKeepsWhatItWasMadeOf() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    _ = recording {
      expectDisplay(
        of: catalog,
        matches: scratch.golden,
        storefronts: ["USA", "JPN"],
        languages: ["ja", "en"],
        at: "2026-11-21",
        style: PriceStyle(width: .iso)
      )
    }
    let first = scratch.text
    #expect(first.contains("# date: 2026-11-21\n# style: width=iso "))
    #expect(first.contains("# storefronts: JPN USA\n# languages: en ja\n"))
    // As pricetag record has written it.
    let named = first.replacing("# date:", with: "# catalog: shop.json\n# prices-of: USA\n# date:")
    try Data(named.utf8).write(to: scratch.golden)
    let told = recording("yes") { expectDisplay(of: catalog, matches: scratch.golden) }
    #expect(told.count == 1)
    #expect(scratch.text == named)
    expectDisplay(of: catalog, matches: scratch.golden)
    // What is given goes before what was recorded.
    _ = recording {
      expectDisplay(of: catalog, matches: scratch.golden, storefronts: ["USA"], at: "2026-11-22")
    }
    #expect(scratch.text.contains("# date: 2026-11-22\n"))
    #expect(scratch.text.contains("# storefronts: USA\n# languages: en ja\n"))
    #expect(scratch.text.contains("# catalog: shop.json\n# prices-of: USA\n"))
  }

  @Test func aMalformedGoldenFailsAndIsRecordedAnew() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    func expectation() {
      expectDisplay(of: catalog, matches: scratch.golden, storefronts: ["USA"], languages: ["en"])
    }
    _ = recording { expectation() }
    let good = scratch.text
    for (text, reason) in [
      ("", "line 1: the file does not start with \"# PriceTag golden 1\""),
      (good.replacing("golden 1", with: "golden 2"), "this PriceTag reads version 1"),
      (
        good.replacing("# date", with: "<<<<<<< HEAD\n# date"), "the line is of a merge that was not resolved"
      ),
      (good.replacing("storefronts: USA", with: "storefronts: USX"), "no storefront is called \"USX\""),
    ] {
      try Data(text.utf8).write(to: scratch.golden)
      let told = failures { expectation() }
      #expect(told.count == 1 && told[0].text.contains(reason), "\(told)")
      #expect(told[0].text.contains("prices.golden"), "\(told)")
      #expect(recording { expectation() }.map { $0.text.hasPrefix("recorded 1 display into") } == [true])
      #expect(scratch.text == good)
      expectation()
    }
  }

  /// A line that is set aside fails, though nothing else changed.
  @Test func aLineThatIsSetAsideFails() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    _ = recording {
      expectDisplay(of: catalog, matches: scratch.golden, storefronts: ["USA"], languages: ["en"])
    }
    try Data(scratch.text.replacing("Rocket car", with: #"Rocket\x"#).utf8).write(to: scratch.golden)
    let told = failures { expectDisplay(of: catalog, matches: scratch.golden) }
    #expect(told.count == 1 && told[0].text.contains("prices.golden, line 13: an escape in"), "\(told)")
  }

  @Test func whatCannotBeAskedForFails() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    _ = recording {
      expectDisplay(of: catalog, matches: scratch.golden, storefronts: ["USA"], languages: ["en"])
    }
    let good = scratch.text
    let told =
      recording { expectDisplay(of: catalog, matches: scratch.golden, storefronts: ["XXX"]) }
      + failures { expectDisplay(of: catalog, matches: scratch.golden, languages: ["qq"]) }
      + failures { expectDisplay(of: catalog, matches: scratch.golden, at: "2026-02-30") }
      + recording { expectDisplay(of: catalog, matches: scratch.folder.appending(path: "nowhere/g")) }
    #expect(told.count == 4)
    for (failure, reason) in zip(told, ["\"XXX\"", "qq", "2026-02-30", "nowhere"]) {
      #expect(failure.text.contains(reason), "\(failure)")
    }
    #expect(scratch.text == good)
  }
}

/// A catalogue of lines of JSON.
func catalog(_ lines: String...) throws -> Catalog {
  let catalog = try Catalog()
  let text = lines.joined(separator: "\n")
  try catalog.importFiles([CatalogFile(name: "shop.jsonl", bytes: Array(text.utf8))]) {
    (error) throws(CatalogError) in throw error
  }
  return catalog
}
