import CommandLineTools
import Foundation
import PriceTag
import Testing

private let packs = StructureTests.root.appending(path: "LocaleData/packs")
/// The CLDR of the reference, such as "42".
private let reference =
  (try? String(contentsOf: packs.appending(path: "reference"), encoding: .utf8))?
  .trimmingCharacters(in: .newlines) ?? ""

/// Runs the command with the packs of LocaleData/packs, by name.
@Suite struct NamedPackCommandTests {
  static let root = StructureTests.root
  static let runs: [(line: String, status: Int32, output: String, errors: String)] = [
    ("pricetag format --storefront HUN --pack cldr-42 1234", 0, "1\u{A0}234,00\u{A0}Ft\n", ""),
    ("pricetag format --storefront=HUN --pack=cldr-48 1234", 0, "1234\u{A0}Ft\n", ""),
    ("PRICETAG_PACK=cldr-48 pricetag format --storefront HUN 1234", 0, "1234\u{A0}Ft\n", ""),
    (
      "pricetag format --storefront HUN --pack cldr-48 --digits minor-units 1234.5", 0, "1234,50\u{A0}Ft\n",
      ""
    ),
    ("pricetag format --storefront HUN --pack cldr-48 1234.5", 1, "", "1234.5 HUF has more decimals"),
    (
      "pricetag format --storefront HUN --pack cldr-47 1", 1, "",
      "unknown pack \"cldr-47\"; use cldr-42 or cldr-48, or write ./cldr-47 for a file of that name"
    ),
    (
      "pricetag pack --storefronts JPN -o ./cldr-48 2>/dev/null; pricetag format --storefront JPN --pack ./cldr-48 5",
      0,
      "￥5\n", ""
    ),
    (
      "pricetag pack --storefronts JPN -o cldr-48", 2, "",
      "cldr-48 is the name of a pack of PriceTag; write ./cldr-48 for a file of that name"
    ),
    ("pricetag pack --show cldr-48 | grep ^cldr", 0, "cldr: 48.0\n", ""),
    (
      "echo '{\"storefront\":\"HUN\",\"amount\":\"5\"}' >rows.jsonl; "
        + "pricetag batch rows.jsonl --quiet --pack cldr-48 --digits minor-units | grep -o '5,00'",
      0, "5,00\n", ""
    ),
    ("pricetag check cldr-42 --against cldr-42 | grep -o '^no changes'", 0, "no changes\n", ""),
    (
      "pricetag check cldr-42 --against cldr-48 | grep -A1 '^digits: decimals' | cut -d';' -f1", 0,
      "digits: decimals 2 → 0\n  4 storefronts: COL HUN IDN PAK\n", ""
    ),
    (
      "pricetag check cldr-42 --accept", 2, "",
      "--accept requires a file that it can replace, not the pack of PriceTag; pass its path"
    ),
  ]

  @Test(arguments: runs.indices) func runsCommand(_ index: Int) throws {
    let row = Self.runs[index]
    let outcome = try CommandLineTool.shell(row.line, with: [:])
    #expect(outcome.status == row.status && outcome.output == row.output, "\(outcome.report)")
    #expect(
      row.errors.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(row.errors),
      "\(outcome.report)"
    )
  }

  /// The command writes the bytes of the reference again, with the options of the Makefile, if the installed ICU has its CLDR.
  @Test(
    .enabled(
      if: Versions.current.cldr.hasPrefix("\(reference)."),
      "the installed ICU has another CLDR"
    )
  )
  func writesTheReference() throws {
    let makefile = try String(contentsOf: Self.root.appending(path: "Makefile"), encoding: .utf8)
    let options = try #require(makefile.firstMatch(of: #/(?m)^NAMED_PACK = (.*)$/#)).1
    let file = packs.appending(path: "cldr-\(reference).pack").path
    let outcome = try CommandLineTool.shell(
      "pricetag pack \(options) -o - 2>/dev/null | cmp - '\(file)'",
      with: [:]
    )
    #expect(
      outcome.status == 0,
      "\(file) differs from what the command writes; write the named packs again, as LocaleData/packs/README.md describes: \(outcome.report)"
    )
  }
}
