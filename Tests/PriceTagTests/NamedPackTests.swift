import Foundation
import Testing

@testable import PriceTag

/// The packs of LocaleData/packs, which are chosen by name, and the digits of ISO 4217's minor units.
@Suite struct NamedPackTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The file with the number of the CLDR to which the project refers.
  static func reference() throws -> String {
    try String(contentsOf: root.appending(path: "LocaleData/packs/reference"), encoding: .utf8)
      .trimmingCharacters(in: .newlines)
  }

  @Test func namesAreThoseOfTheFiles() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "LocaleData/packs").path
    )
    .filter { $0.hasSuffix(".pack") }.map { String($0.dropLast(5)) }.sorted()
    #expect(Pack.names == files)
    #expect(Pack.names.contains("cldr-\(try Self.reference())"))
    for name in Pack.names {
      #expect(Pack.isName(name))
      #expect(try Pack(named: name).writerVersions.cldr.hasPrefix(name.dropFirst(5)))
    }
    // Hosts without Swift have the names too.
    for path in [
      "Bindings/SQL/pricetag_packs.c", "Bindings/SQL/pricetag_sql.h", "Bindings/PostgreSQL/pricetag_pg.c",
      "Bindings/JavaScript/pricetag.js", "Bindings/JavaScript/pricetag.d.ts",
      "Bindings/JavaScript/package.json", "Bindings/Spark/pricetag/spark/PriceFunction.java",
      "Bindings/Swift/Sources/CPriceTagPack/named.c", "Bindings/Swift/Sources/PriceTagPack/Pack.swift",
    ] {
      let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
      #expect(files.filter { !text.contains($0) } == [], "\(path)")
    }
  }

  @Test func unknownNamesAreErrors() throws {
    let error = #expect(throws: PriceTagError.self) { try Pack(named: "cldr-47") }
    #expect(
      error?.description
        == "unknown pack \"cldr-47\"; use cldr-42 or cldr-48, or write ./cldr-47 for a file of that name"
    )
    #expect(error?.code == .invalidPack)
    for path in ["cldr-", "cldr-4x", "CLDR-48", "./cldr-48", "cldr-48.pack", "cldr-٤٨", ""] {
      #expect(!Pack.isName(path))
    }
  }

  /// Every storefront on every date, in all styles, so that an edit of the registry that the packs lack is found.
  @Test(arguments: Pack.names) func packsAreCurrent(_ name: String) throws {
    let pack = try Pack(named: name)
    let pinned = LocaleData.embedded.pinned(to: pack)
    var missing: [String] = []
    for storefront in try LocaleData.embedded.storefronts.map({ try Storefront($0.id, in: pinned) }) {
      for date in Set(storefront.currencyPeriods.flatMap { [$0.firstDay, $0.lastDay] }.compactMap(\.self))
        .union([.todayInUTC])
      {
        for width in PriceStyle.Width.allCases {
          for digits in [PriceStyle.Digits.standard, .minorUnits] {
            do {
              let style = PriceStyle(width: width, digits: digits)
              try PriceFormatter(storefront: storefront, on: date, style: style).checkSpokenForms()
            } catch { missing.append("\(error)") }
          }
        }
      }
    }
    let fix = "write it again with make pack NAME=\(name), as LocaleData/packs/README.md describes"
    #expect(missing.isEmpty, "LocaleData/packs/\(name).pack is not current: \(missing.prefix(3)); \(fix)")
  }

  // MARK: Minor units

  @Test(arguments: [("IQD", 3), ("RSD", 2), ("JPY", 0), ("USD", 2), ("KWD", 3), ("CLF", 4)])
  func displaysMinorUnits(code: String, digits: Int) throws {
    let formatter = try PriceFormatter("en-US", code, PriceStyle(width: .hidden, digits: .minorUnits))
    let fraction = String(repeating: "0", count: digits)
    #expect(try formatter.string(for: "1") == "1" + (digits > 0 ? "." : "") + fraction)
    let error = #expect(throws: PriceTagError.self) {
      try formatter.string(for: Amount(decimal: "0." + fraction + "1"))
    }
    #expect(error?.code == .needsRounding)
  }

  @Test func currenciesWithoutMinorUnitsAreErrors() throws {
    let error = #expect(throws: PriceTagError.self) {
      try PriceFormatter("en-US", "XAU", PriceStyle(digits: .minorUnits))
    }
    #expect(
      error?.description
        == "XAU has no minor unit in ISO 4217; use standard digits, or a number of digits"
    )
    let compact = #expect(throws: PriceTagError.self) {
      try PriceFormatter("en-US", "USD", PriceStyle(digits: .minorUnits, notation: .compactShort))
    }
    #expect(compact?.code == .invalidOption)
  }
}
