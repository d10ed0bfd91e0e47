import CommandLineTools
import Foundation
import Testing

/// Runs `pricetag check --displayed` without a golden file.
@Suite struct DisplayedPriceCommandTests {
  private static let rows =
    "storefront,amount,text\nUSA,4.99,$4.99\nDEU,49.9,\"49,90 €\"\nDEU,1,\"1,00 €\"\nJPN,1.50,￥1\n"
  private static let page = """
    <html lang="en"><b data-amount="6" data-storefront="CHN">¥6.00</b>
    <b data-amount="1">1,10&nbsp;&euro;</b>
    """

  static let runs: [(name: String, line: String, status: Int32, output: String, errors: String)] = [
    (
      "rows", "pricetag check --displayed rows.csv", 3,
      """
      2 of 3 displays shown differently, in 1 of 2 storefronts; 1 rejected
      VERSIONS

      class            displays  storefronts
      spacing                 2  DEU

      storefront      different  classes
      DEU                2 of 2  spacing

      spacing: 2 displays, DEU
        DEU (rows.csv:3, rows.csv:4): written-differently
          - expected   49,90\\u{A0}€
          + displayed  49,90 €
            at 6: U+0020 SPACE, expected U+00A0 NO-BREAK SPACE

      """,
      "pricetag: rejected: rows.csv, line 5: 1.50 JPY has more decimals than JPY displays (0); name a rounding mode such as half-even to allow rounding, or display more digits\n"
    ),
    (
      "a page without a storefront", "pricetag check --displayed site", 0,
      "no differences: 1 display in 1 storefront; pages without marked prices not checked: 1; prices without a storefront not checked: 1\nVERSIONS\nnot checked: pages without marked prices (1): site/x.html\nnot checked: prices without a storefront (1): site/de/a.html:2\n",
      ""
    ),
    (
      "a storefront by path",
      "pricetag check --displayed site --storefront-for 'de/**=DEU' | sed -n '1p;/^amount:/,$p'", 0,
      """
      1 of 2 displays shown differently, in 1 of 2 storefronts; pages without marked prices not checked: 1
      amount: 1 display, DEU
        DEU (site/de/a.html:2): amount
          - expected   1,00\\u{A0}€
          + displayed  1,10\\u{A0}€

      """, ""
    ),
    (
      "classes that do not fail", "pricetag check --displayed site --storefront DEU --fail-on spacing >out",
      0, "", ""
    ),
    (
      "annotations", "pricetag check --displayed site --storefront DEU --format github | head -1", 0,
      "::error file=site/de/a.html,line=2,title=amount%3A DEU::1 display shown differently in amount (amount), such as the display of DEU: \"1,00\\u{A0}€\" is shown as \"1,10\\u{A0}€\"\n",
      ""
    ),
    (
      "JUnit", "pricetag check --displayed site --storefront DEU --format junit | grep -c '<testcase'", 0,
      "3\n", ""
    ),
    (
      "standard input", "pricetag check --displayed - --storefront DEU <site/de/a.html | head -1", 0,
      "1 of 2 displays shown differently, in 1 of 2 storefronts\n", ""
    ),
    (
      "several files", "pricetag check --displayed site/x.html rows.csv --fail-on none 2>/dev/null | head -1",
      0,
      "2 of 3 displays shown differently, in 1 of 2 storefronts; pages without marked prices not checked: 1; 1 rejected\n",
      ""
    ),
    (
      "no prices", "pricetag check --displayed site/x.html", 1,
      "no displays were checked\nVERSIONS\nnot checked: pages without marked prices (1): site/x.html\n",
      "pricetag: site/x.html: no displayed price was checked; mark prices with data-amount, and name their storefront with data-storefront, --storefront-for or --storefront\n"
    ),
    (
      "a style",
      "printf 'storefront,amount,text\\nUSA,4.99,USD\\302\\2404.99\\n' | pricetag check --displayed - --width iso | head -1",
      0,
      "no differences: 1 display in 1 storefront\n", ""
    ),
    (
      "a style with a golden file", "pricetag check x.golden --width iso", 2, "",
      "pricetag: a golden file or a pack has its own style and storefronts; remove the options of style and storefronts (see pricetag help)\n"
    ),
    (
      "a catalog", "pricetag check --displayed rows.csv --catalog x", 2, "",
      "pricetag: --displayed without a golden file reads no catalog; remove the options of other comparisons (see pricetag help)\n"
    ),
    (
      "a missing file", "pricetag check --displayed none.html", 1, "",
      "pricetag: none.html: cannot read the file: No such file or directory; check the path\n"
    ),
  ]

  @Test(arguments: runs)
  func runsCommand(name: String, line: String, status: Int32, output: String, errors: String) throws {
    let files: KeyValuePairs = ["rows.csv": Self.rows, "site/de/a.html": Self.page, "site/x.html": "hello"]
    let outcome = try CommandLineTool.shell(line, with: files)
    let text = outcome.output.replacing(/formatted with PriceTag .*/, with: "VERSIONS")
    #expect(
      text == output && outcome.errors == errors && outcome.status == status,
      "\(name): \(outcome.report)"
    )
  }

  private struct Report: Decodable {
    struct Change: Decodable {
      let file: String
      let line: Int
      let code: String
    }

    let checked: Int
    let changes: [Change]
    let rejected: [String]
  }

  private static func report(_ outcome: CommandLineTool.Outcome) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
  }

  private static let planted = StructureTests.root.appending(path: "Tests/Planted/planted.py").path

  @Test func findsPlantedFaultsInRows() throws {
    let outcome = try CommandLineTool.shell(
      "'\(Self.planted)' rows pricetag | tee planted.csv | pricetag check --displayed - --format json; cat planted.csv >&2",
      with: [:]
    )
    let report = try Self.report(outcome)
    let rows = outcome.errors.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = rows.enumerated().dropFirst().compactMap { index, row in
      row.split(separator: ",", omittingEmptySubsequences: false).last.flatMap {
        $0.isEmpty ? nil : "\(index + 1) \($0)"
      }
    }
    #expect(
      expected.count == 50 && report.checked == 184 && report.rejected.isEmpty,
      "\(report.checked) \(outcome.errors.prefix(500))"
    )
    #expect(report.changes.map { "\($0.line) \($0.code)" } == expected)
  }

  /// The site of the sample shop is correct; in a copy, exactly the planted faults are found.
  @Test func findsPlantedFaultsInPages() throws {
    let shop = StructureTests.root.appending(path: "Examples/rocket-garage.json").path
    let outcome = try CommandLineTool.shell(
      """
      pricetag pages '\(shop)' -o site --quiet --unit-prices half-up --offers introductory,promotional,win-back --announce-increases \
        --storefronts USA,DEU,CHE,JPN,EGY,IND,FRA,SWE,ISR,BRA,CHN || exit 9
      pricetag check --displayed site --format text | head -1 >&2
      '\(Self.planted)' site site >&2
      pricetag check --displayed site --format json
      """,
      with: [:]
    )
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    let expected = lines.dropFirst()
    let report = try Self.report(outcome)
    #expect(
      lines.first?.hasPrefix("no differences: ") == true && report.checked > 1000,
      "\(lines.first ?? "")"
    )
    #expect(expected.count == 50 && Set(expected).count == 50 && report.rejected.isEmpty)
    #expect(Set(report.changes.map { "\($0.file):\($0.line):\($0.code)" }) == Set(expected))
    #expect(report.changes.count == 50 && outcome.status == 3)
  }
}
