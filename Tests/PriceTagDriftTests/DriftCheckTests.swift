import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagReading
import PriceTagStrings
import Testing

@testable import PriceTagDrift

/// Tests of the comparison with a golden file.
@Suite struct DriftCheckTests {
  /// Returns the names of the classes by storefront.
  private static func classes(_ report: DriftReport) -> [String: [String]] {
    Dictionary(uniqueKeysWithValues: report.storefronts.map { ($0.id, $0.classes.map(\.rawValue)) })
  }

  /// Returns each change as a line: product, storefront, language, classes, fields, and reason.
  private static func lines(_ report: DriftReport) -> [String] {
    report.changes.map { change in
      let classes = change.classes.map(\.rawValue).joined(separator: " ")
      let fields = change.fields.map(\.field.rawValue).joined(separator: " ")
      return
        "\(change.productIdentifier) \(change.storefront) \(change.language): \(classes)"
        + (fields.isEmpty ? "" : " of \(fields)") + (change.reason.map { " (\($0))" } ?? "")
    }
  }

  // MARK: A newer CLDR

  /// Overrides that imitate a newer CLDR, and the expected classes in both directions.
  static let newerCLDR: [(name: String, overrides: [String], classes: [String: [String]])] = [
    ("nothing", [], [:]),
    (
      "another group separator", [#"{"storefront":"CHE","group":"·","reason":"r"}"#], ["CHE": ["separators"]]
    ),
    (
      "another space between groups", [#"{"storefront":"FRA","group":"\u00a0","reason":"r"}"#],
      ["FRA": ["spacing"]]
    ),
    (
      "a point for a space between groups", [#"{"storefront":"FRA","group":".","reason":"r"}"#],
      ["FRA": ["separators"]]
    ),
    (
      "another space beside the symbol", [#"{"storefront":"DEU","space":"\u202f","reason":"r"}"#],
      ["DEU": ["spacing"]]
    ),
    ("no space beside the symbol", [#"{"storefront":"DEU","space":"","reason":"r"}"#], ["DEU": ["spacing"]]),
    (
      "another number of decimals",
      [#"{"storefront":"HUN","digits":1,"reason":"r"}"#, #"{"storefront":"IDN","digits":1,"reason":"r"}"#],
      ["HUN": ["digits"], "IDN": ["digits"]]
    ),
    ("more decimals", [#"{"storefront":"JPN","digits":2,"reason":"r"}"#], ["JPN": ["digits"]]),
    ("another symbol", [#"{"storefront":"TWN","symbol":"NT$","reason":"r"}"#], ["TWN": ["symbol"]]),
    (
      "a code for a symbol", [#"{"storefront":"USA","symbol":"USD","space":"","reason":"r"}"#],
      ["USA": ["symbol"]]
    ),
    (
      "a code with its space", [#"{"storefront":"USA","symbol":"USD","reason":"r"}"#],
      ["USA": ["symbol", "spacing"]]
    ),
    (
      "digits of another script", [#"{"storefront":"EGY","numbering":"latn","reason":"r"}"#],
      ["EGY": ["digits", "separators"]]
    ),
    (
      "another decimal separator", [#"{"storefront":"USA","decimal":"·","reason":"r"}"#],
      ["USA": ["separators"]]
    ),
    (
      "separators that change places", [#"{"storefront":"DEU","decimal":".","group":",","reason":"r"}"#],
      ["DEU": ["separators"]]
    ),
    (
      "a currency in all its storefronts", [#"{"currency":"EUR","symbol":"EUR","reason":"r"}"#],
      ["BGR": ["symbol", "spacing"], "DEU": ["symbol"], "FRA": ["symbol"]]
    ),
    (
      "all at once",
      [
        #"{"storefront":"CHE","group":"·","reason":"r"}"#,
        #"{"storefront":"FRA","group":"\u00a0","reason":"r"}"#,
        #"{"storefront":"DEU","space":"\u202f","reason":"r"}"#,
        #"{"storefront":"HUN","digits":1,"group":".","reason":"r"}"#,
        #"{"storefront":"IDN","digits":1,"reason":"r"}"#,
        #"{"storefront":"TWN","symbol":"NT$","digits":0,"reason":"r"}"#,
        #"{"storefront":"EGY","numbering":"latn","reason":"r"}"#,
      ],
      [
        "CHE": ["separators"], "FRA": ["spacing"], "DEU": ["spacing"], "HUN": ["digits", "separators"],
        "IDN": ["digits"], "TWN": ["symbol", "digits"], "EGY": ["digits", "separators"],
      ]
    ),
  ]

  @Test(arguments: newerCLDR)
  func reportsClassesOfNewerCLDR(
    name: String,
    overrides: [String],
    classes expected: [String: [String]]
  ) throws {
    let lines = [SmallShop.car, SmallShop.free, SmallShop.garage]
    let old = try SmallShop(lines)
    let new = try SmallShop(lines, overrides: overrides)
    let (oldFile, newFile) = (try SmallShop.goldenFile(lines), try new.goldenFile())
    for (goldenFile, other) in [(oldFile, new), (newFile, old)] {
      let report = try DriftCheck(goldenFile, in: other.localeData).check(other.catalog, other.request())
      #expect(Self.classes(report) == expected, "\(name): \(DriftReportText(report, file: "g").plain)")
      #expect(report.checked == 3 * SmallShop.storefronts.count && report.problems.isEmpty)
      #expect(report.current?.registry == (try other.localeData.revision()))
    }
    // Comparing the two golden files gives the same classes.
    let report = DriftCheck(oldFile).check(against: newFile)
    #expect(Self.classes(report) == expected, "\(name)")
    #expect(report.checked == 3 * SmallShop.storefronts.count && report.problems.isEmpty)
    #expect(report.recorded.registry == (try old.localeData.revision()))
    #expect(report.current?.registry == (try new.localeData.revision()))
    #expect(
      try DriftCheck(newFile, in: new.localeData).check(new.catalog, new.request()).changes.isEmpty
    )
  }

  /// The fields with changes. A symbol that only one of the registries has is not a change of text.
  @Test func comparesAllFields() throws {
    let old = try SmallShop([SmallShop.tour])
    let new = try SmallShop(
      [SmallShop.tour],
      overrides: [
        #"{"storefront":"CHE","group":"·","reason":"r"}"#,
        #"{"storefront":"TWN","symbol":"NT$","reason":"r"}"#,
      ]
    )
    for (one, other) in [(old, new), (new, old)] {
      let report = try DriftCheck(one.goldenFile(), in: other.localeData).check(
        other.catalog,
        other.request()
      )
      #expect(
        Self.lines(report) == [
          "com.example.tour CHE en: separators of display spoken subscription offers",
          "com.example.tour TWN en: symbol of display subscription offers",
        ]
      )
    }
  }

  // MARK: Another catalog

  private static func replaced(_ line: String, _ text: String, _ with: String) -> String {
    line.replacing(text, with: with)
  }

  /// The recorded catalog, the current one, and the changes.
  static let catalogs: [(name: String, old: [String], new: [String], lines: [String])] = [
    ("the same", [SmallShop.car], [SmallShop.car], []),
    (
      "another amount", [SmallShop.car], [replaced(SmallShop.car, #""CHE":"1234.50""#, #""CHE":"1334.50""#)],
      ["com.example.car CHE en: amount of amount display spoken"]
    ),
    (
      "an amount of other decimals", [SmallShop.car],
      [replaced(SmallShop.car, #""USA":"1234.50""#, #""USA":"1234.5""#)], []
    ),
    (
      "a tenth", [SmallShop.car], [replaced(SmallShop.car, #""JPN":"1234""#, #""JPN":"123""#)],
      ["com.example.car JPN en: amount of amount display spoken"]
    ),
    (
      "a subscription's amount", [SmallShop.tour],
      [replaced(SmallShop.tour, #""USA":"1200""#, #""USA":"1300""#)],
      ["com.example.tour USA en: amount of amount display spoken subscription offers"]
    ),
    (
      "not cleared for sale", [SmallShop.free],
      [
        replaced(
          SmallShop.free,
          #"{"productIdentifier""#,
          #"{"clearedForSale":{"except":["FRA"]},"productIdentifier""#
        )
      ],
      [
        "com.example.free FRA en: gone (the product is not cleared for sale in FRA; clear it there, or do not request it)"
      ]
    ),
    (
      "no price", [SmallShop.free], [replaced(SmallShop.free, #","JPN":"0""#, "")],
      [
        "com.example.free JPN en: gone (the product has no price in JPN on 2026-11-21: no price was imported; import one)"
      ]
    ),
    (
      "cleared for sale now", [replaced(SmallShop.free, #","JPN":"0""#, "")], [SmallShop.free],
      ["com.example.free JPN en: new"]
    ),
    (
      "another name", [SmallShop.car], [replaced(SmallShop.car, "Rocket car", "Rocket bike")],
      SmallShop.storefronts.map { "com.example.car \($0) en: text of name" }
    ),
    (
      "a name in other bytes", [replaced(SmallShop.car, "Rocket car", "Caf\\u00e9")],
      [replaced(SmallShop.car, "Rocket car", "Cafe\\u0301")],
      SmallShop.storefronts.map { "com.example.car \($0) en: text of name" }
    ),
    (
      "a space in a name", [SmallShop.car], [replaced(SmallShop.car, "Rocket car", "Rocket\\u00a0car")],
      SmallShop.storefronts.map { "com.example.car \($0) en: spacing of name" }
    ),
    (
      "a mark in a name", [SmallShop.car], [replaced(SmallShop.car, "Rocket car", "Rocket\\u200e car")],
      SmallShop.storefronts.map { "com.example.car \($0) en: direction-marks of name" }
    ),
    (
      "another description", [SmallShop.car], [replaced(SmallShop.car, "It flies.", "")],
      SmallShop.storefronts.map { "com.example.car \($0) en: text of description" }
    ),
    (
      "another offer", [SmallShop.pass], [replaced(SmallShop.pass, "P2W", "P1M")],
      ["DEU", "USA"].map { "com.example.pass \($0) en: text of offers" }
    ),
    (
      "another period", [SmallShop.pass], [replaced(SmallShop.pass, "P1Y", "P6M")],
      ["DEU", "USA"].map { "com.example.pass \($0) en: text of subscription offers" }
    ),
    (
      "no offer", [SmallShop.pass],
      [replaced(SmallShop.pass, #""period":"P2W"}"#, #""period":"P2W","until":"2026-11-20"}"#)],
      ["DEU", "USA"].map { "com.example.pass \($0) en: text of offers" }
    ),
    (
      "a product less", [SmallShop.car, SmallShop.free, SmallShop.garage], [SmallShop.car, SmallShop.garage],
      SmallShop.storefronts.map { "com.example.free \($0) en: gone (the catalog has no such product)" }
    ),
    (
      "the last product less", [SmallShop.car, SmallShop.free], [SmallShop.car],
      SmallShop.storefronts.map { "com.example.free \($0) en: gone (the catalog has no such product)" }
    ),
    (
      "a product more", [SmallShop.free], [SmallShop.car, SmallShop.free],
      SmallShop.storefronts.map { "com.example.car \($0) en: new" }
    ),
    (
      "no products", [SmallShop.free], [],
      SmallShop.storefronts.map { "com.example.free \($0) en: gone (the catalog has no such product)" }
    ),
    (
      "all others", [SmallShop.free], [SmallShop.garage],
      SmallShop.storefronts.map { "com.example.free \($0) en: gone (the catalog has no such product)" }
        + SmallShop.storefronts.map { "com.example.garage \($0) en: new" }
    ),
  ]

  @Test(arguments: catalogs.indices)
  func reportsCatalogChanges(index: Int) throws {
    let (name, old, new, expected) = Self.catalogs[index]
    let other = try SmallShop(new)
    let goldenFile = try SmallShop.goldenFile(old)
    let report = try DriftCheck(goldenFile).check(other.catalog, goldenFile.header.request())
    #expect(Self.lines(report) == expected, "\(name)")
    // Only new displays have no line in the golden file.
    let text = try SmallShop.goldenText(old).split(separator: "\n")
    for change in report.changes {
      let start = "\(change.productIdentifier)\t\(change.storefront)\t\(change.language)\t"
      #expect(
        (change.line == nil) == (change.classes == [.new])
          && change.line.map { text[$0 - 1].hasPrefix(start) } ?? true
      )
    }
    let against = DriftCheck(goldenFile).check(against: try SmallShop.goldenFile(new))
    #expect(against.changes.map(\.classes) == report.changes.map(\.classes), "\(name)")
  }

  // MARK: Another date, another language

  @Test func reportsCurrencyOfAnotherDate() throws {
    let shop = try SmallShop()
    let goldenFile = try shop.goldenFile(shop.request(at: "2025-12-31"))
    let report = try DriftCheck(goldenFile).check(
      shop.catalog,
      goldenFile.header.request(at: .date(CalendarDate("2026-01-01")))
    )
    #expect(
      Self.lines(report) == [
        "com.example.car BGR en: currency of amount display spoken",
        "com.example.free BGR en: currency of amount display spoken",
        "com.example.garage BGR en: currency of amount display spoken",
        "com.example.tour BGR en: currency of amount display spoken subscription offers",
      ]
    )
    #expect(
      report.recorded.day.description == "2025-12-31" && report.current?.day.description == "2026-01-01"
    )
    let amount = try #require(report.changes.first?.fields.first?.comparison)
    #expect((amount.expected, amount.actual) == ("1234.50 BGN", "1234.50 EUR"))
  }

  @Test func reportsAnotherLanguageAsNew() throws {
    let shop = try SmallShop([SmallShop.car])
    let goldenFile = try shop.goldenFile(shop.request(["DEU", "USA"]))
    let report = try DriftCheck(goldenFile).check(
      shop.catalog,
      shop.request(["DEU", "USA"], languages: ["de", "en"])
    )
    #expect(Self.lines(report) == ["com.example.car DEU de: new", "com.example.car USA de: new"])
    #expect(report.checkedByStorefront == ["DEU": 2, "USA": 2])
    let back = try DriftCheck(shop.goldenFile(shop.request(["DEU", "USA"], languages: ["de", "en"])))
      .check(shop.catalog, shop.request(["DEU"]))
    #expect(
      Self.lines(back) == [
        "com.example.car DEU de: gone", "com.example.car USA de: gone", "com.example.car USA en: gone",
      ]
    )
  }

  // MARK: Rejected lines

  /// A rejected line is reported as a problem, not as gone or new.
  @Test func skipsRejectedLine() throws {
    let lines = [SmallShop.car, SmallShop.free]
    let shop = try SmallShop(lines)
    let intact = try SmallShop.goldenFile(lines)
    let broken = try SmallShop.goldenText(lines).replacing(
      "Rocket car",
      with: #"Rocket\x"#,
      maxReplacements: 1
    )
    let goldenFile = try GoldenFile(name: "g", text: broken)
    let report = try DriftCheck(goldenFile).check(shop.catalog, shop.request())
    #expect(report.changes.isEmpty)
    #expect(report.problems.map(\.place) == ["g, line 13"])
    #expect(report.checked == 2 * SmallShop.storefronts.count - 1)
    for (one, other) in [(goldenFile, intact), (intact, goldenFile)] {
      let against = DriftCheck(one).check(against: other)
      #expect(against.changes.isEmpty && against.problems.map(\.place) == ["g, line 13"])
    }
    let other = try DriftCheck(goldenFile).check(SmallShop([SmallShop.free]).catalog, shop.request())
    #expect(other.changes.count == SmallShop.storefronts.count - 1)
  }

  // MARK: Summaries

  private static let mixed: Result<DriftReport, any Error> = Result {
    let new = try SmallShop(
      [
        replaced(SmallShop.car, #""JPN":"1234""#, #""JPN":"1235""#),
        replaced(SmallShop.free, #","FRA":"0""#, ""), SmallShop.garage,
        replaced(SmallShop.tour, "A year.", "One year."),
      ],
      overrides: [
        #"{"storefront":"CHE","group":"·","reason":"r"}"#,
        #"{"storefront":"DEU","space":"\u202f","reason":"r"}"#,
        #"{"storefront":"TWN","symbol":"NT$","reason":"r"}"#,
      ]
    )
    return try DriftCheck(SmallShop.goldenFile(), in: new.localeData).check(new.catalog, new.request())
  }

  @Test func sortsBySeverity() throws {
    let report = try Self.mixed.get()
    #expect(
      report.classSummaries.map {
        "\($0.driftClass.rawValue) \($0.displayCount) \($0.storefronts.joined(separator: " "))"
      } == [
        "amount 1 JPN", "gone 1 FRA", "symbol 4 TWN", "separators 2 CHE",
        "text 10 BGR CHE DEU EGY FRA HUN IDN JPN TWN USA", "spacing 4 DEU",
      ]
    )
    #expect(
      report.storefronts.map {
        "\($0.id) \($0.changes.count) of \($0.checked): \($0.classes.map(\.rawValue).joined(separator: " "))"
      } == [
        "JPN 2 of 4: amount text", "FRA 2 of 4: gone text", "TWN 4 of 4: symbol text",
        "CHE 2 of 4: separators text", "DEU 4 of 4: text spacing", "BGR 1 of 4: text", "EGY 1 of 4: text",
        "HUN 1 of 4: text", "IDN 1 of 4: text", "USA 1 of 4: text",
      ]
    )
    #expect(report.checked == 40 && report.changes.count == 19)
    #expect(
      report.hasDrift(of: [.gone]) && !report.hasDrift(of: [.currency, .new]) && !report.hasDrift(of: [])
    )
    let text = DriftReportText(report, file: "g")
    #expect(text.summary == "19 of 40 displays changed, in 10 of 10 storefronts")
  }

  /// A tolerance, and the storefronts with the remaining changes.
  static let tolerances: [(tolerance: DisplayTolerance, count: Int, storefronts: [String])] = [
    (.strict, 19, ["JPN", "FRA", "TWN", "CHE", "DEU", "BGR", "EGY", "HUN", "IDN", "USA"]),
    (.spacing, 16, ["JPN", "FRA", "TWN", "CHE", "BGR", "DEU", "EGY", "HUN", "IDN", "USA"]),
    (.bidi, 19, ["JPN", "FRA", "TWN", "CHE", "DEU", "BGR", "EGY", "HUN", "IDN", "USA"]),
    (.meaning, 12, ["JPN", "FRA", "TWN", "CHE", "DEU", "BGR", "EGY", "HUN", "IDN", "USA"]),
  ]

  @Test(arguments: tolerances)
  func appliesTolerance(tolerance: DisplayTolerance, count: Int, storefronts: [String]) throws {
    let report = try Self.mixed.get().beyond(tolerance)
    #expect(report.changes.count == count && report.checked == 40)
    #expect(Set(report.storefronts.map(\.id)) == Set(storefronts))
    #expect(report.changes.allSatisfy { !$0.classes.allSatisfy(tolerance.allows) })
  }

  // MARK: JSON

  @Test func writesJSON() throws {
    let report = try Self.mixed.get()
    #expect(!report.json.contains("\n"))
    let object = try #require(JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "recorded", "current", "checked", "changed", "classes", "storefronts", "changes", "rejected",
        "unchecked",
      ]
    )
    #expect(object["checked"] as? Int == 40 && object["changed"] as? Int == 19)
    let classes = try #require(object["classes"] as? [[String: Any]])
    #expect(classes.map { $0["class"] as? String } == report.classSummaries.map(\.driftClass.rawValue))
    #expect(classes.map { $0["displays"] as? Int } == report.classSummaries.map(\.displayCount))
    #expect(classes.map { $0["storefronts"] as? [String] } == report.classSummaries.map(\.storefronts))
    let storefronts = try #require(object["storefronts"] as? [[String: Any]])
    #expect(storefronts.map { $0["storefront"] as? String } == report.storefronts.map(\.id))
    #expect(storefronts.map { $0["changed"] as? Int } == report.storefronts.map(\.changes.count))
    #expect(storefronts.map { $0["checked"] as? Int } == report.storefronts.map(\.checked))
    #expect(
      storefronts.map { $0["classes"] as? [String] } == report.storefronts.map { $0.classes.map(\.rawValue) }
    )
    let changes = try #require(object["changes"] as? [[String: Any]])
    #expect(changes.map { $0["productIdentifier"] as? String } == report.changes.map(\.productIdentifier))
    #expect(changes.map { $0["storefront"] as? String } == report.changes.map(\.storefront))
    #expect(changes.map { $0["language"] as? String } == report.changes.map(\.language))
    #expect(changes.map { $0["line"] as? Int } == report.changes.map(\.line))
    #expect(changes.map { $0["reason"] as? String } == report.changes.map(\.reason))
    #expect(changes.map { $0["display"] as? String } == report.changes.map(\.display))
    let gone = try #require(changes.first { $0["classes"] as? [String] == ["gone"] })
    #expect(gone["display"] as? String == "0,00\u{A0}€" && gone["reason"] is String)
    let group = try #require(
      changes.first { $0["storefront"] as? String == "CHE" }?["fields"] as? [[String: Any]]
    )
    #expect(group.map { $0["field"] as? String } == ["display", "spoken"])
    let display = try PriceFormatter(storefront: Storefront("CHE")).format("1234.50")
    #expect(group[0]["expected"] as? String == display.text)
    let separator = try #require(display.parts.first { $0.type == .group }).value
    #expect(group[0]["actual"] as? String == display.text.replacing(separator, with: "·"))
    let points = try #require(group[0]["codePoints"] as? [[String: Any]])
    #expect(points.count == 1 && points[0]["position"] as? Int == 6)
    #expect(
      ["U+2019 RIGHT SINGLE QUOTATION MARK", "U+0027 APOSTROPHE"].contains(points[0]["expected"] as? String)
    )
    #expect(points[0]["actual"] as? String == "U+00B7 MIDDLE DOT")
    #expect((object["recorded"] as? [String: Any])?["date"] as? String == SmallShop.date)
    #expect((object["rejected"] as? [String]) == [])
  }
}
