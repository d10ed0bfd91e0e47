import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagDrift
import PriceTagReading
import PriceTagTesting
import Testing

/// Tests of `expectDisplay`: comparing with a golden file and recording it.
///
/// The tests are serialized because all tests of the process share the environment variable that requests recording.
@Suite(.serialized) struct GoldenFileExpectationTests {
  private static let car = #"""
    {"productIdentifier":"car","localizations":{"en-US":{"name":"Rocket car"},"ja":{"name":"ロケットカー"}},"prices":{"CHE":"1234.50","JPN":"1200","USA":"4.99"}}
    """#

  /// A temporary folder for a golden file.
  private final class Scratch {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag \(UUID().uuidString)")
    var goldenFile: URL { folder.appending(path: "prices.golden") }
    var text: String { (try? String(contentsOf: goldenFile, encoding: .utf8)) ?? "" }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns locale data with a merchant's overrides.
    func localeData(_ overrides: String) throws -> LocaleData {
      let text = #"{"schema":1,"overrides":[\#(overrides)]}"#
      try Data(text.utf8).write(to: folder.appending(path: "currency-overrides.json"))
      return try LocaleData(folder: folder.path(percentEncoded: false))
    }
  }

  /// Returns the failures of a body that runs while golden files are recorded.
  private func recording(_ value: String = "1", _ body: () -> Void) -> [RecordedFailure] {
    setenv("PRICETAG_RECORD", value, 1)
    defer { unsetenv("PRICETAG_RECORD") }
    return failures(of: body)
  }

  @Test func failsWithoutGoldenFile() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    for value in [nil, "", "0"] {
      if let value { setenv("PRICETAG_RECORD", value, 1) }
      defer { unsetenv("PRICETAG_RECORD") }
      let line = #line + 2
      let recorded = failures {
        expectDisplay(of: catalog, matches: scratch.goldenFile, storefronts: ["USA"])
      }
      let path = scratch.goldenFile.path(percentEncoded: false)
      #expect(recorded.count == 1 && recorded[0].line == line)
      #expect(
        recorded[0].text
          == "the golden file \"\(path)\" does not exist; run the test once with PRICETAG_RECORD=1 and commit it"
      )
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func recordsGoldenFileAndThenPasses() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    let line = #line + 2
    let recorded = recording {
      expectDisplay(
        of: catalog,
        matches: scratch.goldenFile,
        storefronts: ["USA", "JPN"],
        languages: ["en", "ja"]
      )
    }
    #expect(recorded.count == 1 && recorded[0].line == line)
    #expect(recorded[0].text.hasPrefix("recorded 4 displays into \""), "\(recorded)")
    #expect(
      recorded[0].text.hasSuffix("review its changes and run again without PRICETAG_RECORD"),
      "\(recorded)"
    )
    let goldenFile = try GoldenFile(path: scratch.goldenFile.path(percentEncoded: false))
    #expect(
      goldenFile.displays.map { "\($0.storefront) \($0.language) \($0.display) \($0.name)" } == [
        "JPN en ￥1,200 Rocket car", "JPN ja ￥1,200 ロケットカー", "USA en $4.99 Rocket car",
        "USA ja $4.99 Rocket car",
      ]
    )
    expectDisplay(of: catalog, matches: scratch.goldenFile)
    expectDisplay(
      of: catalog,
      matches: scratch.goldenFile,
      storefronts: ["us", "JP"],
      languages: ["ja", "en"]
    )
    guard case .instant(let instant) = goldenFile.header.day else {
      Issue.record("recorded on a date")
      return
    }
    #expect(instant <= .now && instant.secondsSince1970 > Instant.now.secondsSince1970 - 3600)
  }

  @Test func reportsChangesAtCallersLine() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    _ = recording {
      expectDisplay(
        of: catalog,
        matches: scratch.goldenFile,
        storefronts: ["CHE", "USA"],
        languages: ["en"],
        at: "2026-11-21"
      )
    }
    let changed = try PriceTagTestingTests.catalog(Self.car.replacing("4.99", with: "5.99"))
    let line = #line + 1
    let recorded = failures { expectDisplay(of: changed, matches: scratch.goldenFile) }
    #expect(recorded.count == 1 && recorded[0].line == line)
    let text = recorded.first?.text ?? ""
    #expect(text.hasPrefix("1 of 2 displays changed, in 1 of 2 storefronts\n"), "\(text)")
    #expect(text.contains("\namount: 1 display, USA\n"), "\(text)")
    #expect(text.contains("  car in USA (en) ("), "\(text)")
    #expect(text.contains("prices.golden:14): amount, display, spoken\n"), "\(text)")
    #expect(text.contains("    - expected   4.99 USD\n    + displayed  5.99 USD\n"), "\(text)")
    #expect(
      text.hasSuffix("\nIf this is correct, record it: run the test once with PRICETAG_RECORD=1"),
      "\(text)"
    )
    // With fewer storefronts the others are gone, with more storefronts the additional ones are new.
    #expect(
      failures { expectDisplay(of: changed, matches: scratch.goldenFile, storefronts: ["CHE"]) }
        .map { $0.text.contains("gone: 1 display, USA\n  car in USA (en)") } == [true]
    )
    #expect(
      failures {
        expectDisplay(of: changed, matches: scratch.goldenFile, storefronts: ["CHE", "USA", "JPN"])
      }
      .map { $0.text.contains("new: 1 display, JPN\n  car in JPN (en)") } == [true]
    )
  }

  /// Tolerances, and whether they allow a merchant's override for Switzerland.
  static let tolerances: [(tolerance: DisplayTolerance, merchant: String, passes: Bool)] = [
    (.strict, #""group":"·""#, false), (.spacing, #""group":"·""#, false), (.meaning, #""group":"·""#, true),
    (.spacing, #""space":"\u202f""#, true), (.bidi, #""space":"\u202f""#, false),
    ([.spacing, .bidi], #""space":"\u202f""#, true), (.meaning, #""digits":0"#, false),
    (.meaning, #""symbol":"Fr.""#, true),
  ]

  @Test(arguments: tolerances)
  func appliesTolerance(tolerance: DisplayTolerance, merchant: String, passes: Bool) throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car.replacing("1234.50", with: "1234.00"))
    _ = recording {
      expectDisplay(of: catalog, matches: scratch.goldenFile, storefronts: ["CHE"], languages: ["en"])
    }
    let data = try scratch.localeData(#"{"storefront":"CHE",\#(merchant),"reason":"r"}"#)
    let rounded = PriceStyle(rounding: .halfEven)
    func expectation() {
      expectDisplay(
        of: catalog,
        matches: scratch.goldenFile,
        tolerating: tolerance,
        style: rounded,
        localeData: data
      )
    }
    if passes { expectation() } else { #expect(failures { expectation() }.count == 1) }
  }

  @Test func recordingAgainKeepsSettings() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    _ = recording {
      expectDisplay(
        of: catalog,
        matches: scratch.goldenFile,
        storefronts: ["USA", "JPN"],
        languages: ["ja", "en"],
        at: "2026-11-21",
        style: PriceStyle(width: .iso)
      )
    }
    let first = scratch.text
    #expect(first.contains("# date: 2026-11-21\n# style: width=iso "))
    #expect(first.contains("# storefronts: JPN USA\n# languages: en ja\n"))
    // A header as pricetag record writes it.
    let named = first.replacing("# date:", with: "# catalog: shop.json\n# prices-of: USA\n# date:")
    try Data(named.utf8).write(to: scratch.goldenFile)
    let recorded = recording("yes") { expectDisplay(of: catalog, matches: scratch.goldenFile) }
    #expect(recorded.count == 1)
    #expect(scratch.text == named)
    expectDisplay(of: catalog, matches: scratch.goldenFile)
    // Arguments override the recorded settings.
    _ = recording {
      expectDisplay(of: catalog, matches: scratch.goldenFile, storefronts: ["USA"], at: "2026-11-22")
    }
    #expect(scratch.text.contains("# date: 2026-11-22\n"))
    #expect(scratch.text.contains("# storefronts: USA\n# languages: en ja\n"))
    #expect(scratch.text.contains("# catalog: shop.json\n# prices-of: USA\n"))
  }

  @Test func replacesMalformedGoldenFile() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    func expectation() {
      expectDisplay(
        of: catalog,
        matches: scratch.goldenFile,
        storefronts: ["USA"],
        languages: ["en"],
        at: "2026-11-21"
      )
    }
    _ = recording { expectation() }
    let good = scratch.text
    for (text, reason) in [
      ("", "line 1: the file does not start with \"# PriceTag golden 1\""),
      (good.replacing("golden 1", with: "golden 2"), "version \"2\" of golden files is not supported"),
      (good.replacing("# date", with: "<<<<<<< HEAD\n# date"), "the line is a merge conflict marker"),
      (good.replacing("storefronts: USA", with: "storefronts: USX"), "unknown storefront \"USX\""),
    ] {
      try Data(text.utf8).write(to: scratch.goldenFile)
      let recorded = failures { expectation() }
      #expect(recorded.count == 1 && recorded[0].text.contains(reason), "\(recorded)")
      #expect(recorded[0].text.contains("prices.golden"), "\(recorded)")
      #expect(recording { expectation() }.map { $0.text.hasPrefix("recorded 1 display into") } == [true])
      #expect(scratch.text == good)
      expectation()
    }
  }

  /// A rejected line is a failure even if no display changed.
  @Test func failsForRejectedLine() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    _ = recording {
      expectDisplay(of: catalog, matches: scratch.goldenFile, storefronts: ["USA"], languages: ["en"])
    }
    try Data(scratch.text.replacing("Rocket car", with: #"Rocket\x"#).utf8).write(to: scratch.goldenFile)
    let recorded = failures { expectDisplay(of: catalog, matches: scratch.goldenFile) }
    #expect(
      recorded.count == 1 && recorded[0].text.contains("prices.golden, line 14: ")
        && recorded[0].text.contains("invalid escape sequence"),
      "\(recorded)"
    )
  }

  @Test func failsForInvalidArguments() throws {
    let scratch = try Scratch()
    let catalog = try catalog(Self.car)
    _ = recording {
      expectDisplay(of: catalog, matches: scratch.goldenFile, storefronts: ["USA"], languages: ["en"])
    }
    let good = scratch.text
    let recorded =
      recording { expectDisplay(of: catalog, matches: scratch.goldenFile, storefronts: ["XXX"]) }
      + failures { expectDisplay(of: catalog, matches: scratch.goldenFile, languages: ["qq"]) }
      + failures { expectDisplay(of: catalog, matches: scratch.goldenFile, at: "2026-02-30") }
      + recording { expectDisplay(of: catalog, matches: scratch.folder.appending(path: "nowhere/g")) }
    #expect(recorded.count == 4)
    for (failure, reason) in zip(recorded, ["\"XXX\"", "qq", "2026-02-30", "nowhere"]) {
      #expect(failure.text.contains(reason), "\(failure)")
    }
    #expect(scratch.text == good)
  }
}

/// Returns a catalog with products in JSON Lines.
func catalog(_ lines: String...) throws -> Catalog {
  let catalog = try Catalog()
  let text = lines.joined(separator: "\n")
  try catalog.importFiles([CatalogFile(name: "shop.jsonl", bytes: Array(text.utf8))]) {
    (error) throws(CatalogError) in throw error
  }
  return catalog
}
