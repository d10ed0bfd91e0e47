import CommandLineTools
import Foundation
import Testing

/// Runs `pricetag expect`, and `pricetag check` with its files.
@Suite struct ExpectCommandTests {
  private static let shop = """
    {"productIdentifier":"car","prices":{"CHE":"234.50","JPN":"1200","USA":"4.99"}}
    {"productIdentifier":"track","prices":{"CHE":"5.00","JPN":"500","USA":"5.00"}}

    """

  /// Runs a shell script in a temporary folder. The folder has `shop.jsonl` and its `prices.json`, `other.jsonl` with a changed
  /// amount and without one product, `rows.csv`, and `new/`, locale data with another group separator in Switzerland.
  private func shell(_ line: String) throws -> CommandLineTool.Outcome {
    let files: KeyValuePairs = [
      "shop.jsonl": Self.shop,
      "other.jsonl": Self.shop.replacing("4.99", with: "5.99").split(separator: "\n")[0] + "\n",
      "rows.csv": "storefront,amount\nDEU,49.99\nJPN,1200\n",
      "bad.csv": "storefront,amount\nDEU,49.99\nMars,1\n",
      "new/currency-overrides.json":
        #"{"schema":1,"overrides":[{"storefront":"CHE","decimal":"·","reason":"r"}]}"#,
    ]
    return try CommandLineTool.shell(
      """
      pricetag expect shop.jsonl --storefronts CHE,JPN,USA --at 2026-11-21 -o prices.json 2>/dev/null
      \(line)
      """,
      with: files
    )
  }

  private static func withoutVersions(_ text: String) -> String {
    text.replacing(/PriceTag \S+, ICU \S+, CLDR \S+, Unicode \S+, registry \w{16}/, with: "VERSIONS")
  }

  private static let same = """
    no changes: 6 displays in 3 storefronts
    recorded and now with VERSIONS, prices of 2026-11-21

    """
  private static let accept = "pricetag: note: to accept all changes, run again with --accept\n"
  private static let price =
    #"{"product": "car", "storefront": "CHE", "amount": "234.50", "currency": "CHF", "text": "CHF\u00a0234.50", "folded": "CHF234.50", "codePoints": "0043 0048 0046 00A0 0032 0033 0034 002E 0035 0030"},"#
    + "\n"
  private static let other = """
    4 of 6 displays changed, in 3 of 3 storefronts
    recorded and now with VERSIONS, prices of 2026-11-21

    class            displays  storefronts
    amount                  1  USA
    gone                    3  CHE JPN USA

    storefront        changed  classes
    USA                2 of 2  amount, gone
    CHE                1 of 2  gone
    JPN                1 of 2  gone

    amount: 1 display, USA
      car in USA (prices.json:18): amount, display
        - expected   4.99 USD
        + displayed  5.99 USD

    gone: 3 displays in 3 storefronts, CHE JPN USA
      track in CHE (prices.json:19)
        - CHF\\u{A0}5.00
        the catalog has no such product

    """

  static let runs: [(name: String, line: String, status: Int32, output: String, errors: String)] = [
    ("a price is a line", "grep 234.50 prices.json", 0, price, ""),
    (
      "a second run writes the same bytes",
      "pricetag expect shop.jsonl --storefronts CHE,JPN,USA --at 2026-11-21 -o again.json && cmp prices.json again.json",
      0, "",
      "pricetag: wrote 6 prices and the expressions of 3 storefronts\n"
    ),
    (
      "the day is a date", "pricetag expect rows.csv 2>/dev/null | grep -c '^\"day\": \"20[0-9-]*\",$'", 0,
      "1\n", ""
    ),
    (
      "rows on standard input", "pricetag expect - < rows.csv | grep -c '\"row\": '", 0, "2\n",
      "pricetag: wrote 2 prices and the expressions of 2 storefronts\n"
    ),
    (
      "a rejected row", "pricetag expect bad.csv -o rows.json; echo $?; grep -c '\"row\": ' rows.json", 0,
      "3\n1\n",
      """
      pricetag: rejected: bad.csv, line 3: unknown storefront "Mars"; did you mean "MAR"?
      pricetag: wrote 1 price and the expressions of 1 storefront

      """
    ),
    (
      "options of catalogs", "pricetag expect rows.csv --storefronts DEU", 2, "",
      "pricetag: the input is rows, and options of catalogs have no effect; remove them, or use a catalog (see pricetag help)\n"
    ),
    (
      "names of currencies", "pricetag expect rows.csv --width name", 1, "",
      "pricetag: DEU: prices in the width name have no regular expression; use another width, such as iso\n"
    ),
    (
      "compact notation", "pricetag expect rows.csv --notation compact-short", 1, "",
      "pricetag: JPN: prices in compact notation have no regular expression; use the notation standard\n"
    ),
    ("no changes", "pricetag check prices.json", 0, same, ""),
    ("on standard input", "cat prices.json | pricetag check -", 0, same, ""),
    ("changed prices", "pricetag check prices.json --catalog other.jsonl", 3, other, accept),
    (
      "classes that do not fail", "pricetag check prices.json --catalog other.jsonl --fail-on none", 0, other,
      ""
    ),
    (
      "changed expressions",
      "pricetag check prices.json --locale-data new --format github | grep -c 'strict is now'", 0, "1\n",
      accept
    ),
    (
      "the reports",
      "pricetag check prices.json --format json | cut -c 2-11; pricetag check prices.json --format junit | grep -c testcase",
      0, "\"recorded\"\n3\n", ""
    ),
    (
      "accepted changes",
      "pricetag check prices.json --locale-data new --accept >/dev/null && pricetag check prices.json --locale-data new",
      0, same,
      "pricetag: wrote 6 prices and the expressions of 3 storefronts\n"
    ),
    (
      "accepted rows",
      """
      pricetag expect rows.csv --at 2026-11-21 -o rows.json --width iso 2>/dev/null
      sed -i s/49.99/59.99/ rows.csv && pricetag check rows.json --fail-on none | grep expected
      pricetag check rows.json --accept >/dev/null; pricetag check rows.json
      """, 0, "    - expected   49.99 EUR\n" + same.replacing("6 displays in 3", with: "2 displays in 2"),
      "pricetag: wrote 2 prices and the expressions of 2 storefronts\n"
    ),
    (
      "a product that cannot be shown",
      "pricetag expect other.jsonl --storefronts CHE,FRA --at 2026-11-21 -o bad.json; echo $?", 0, "3\n",
      """
      pricetag: not displayed: "car": the product has no price in FRA on 2026-11-21: no price was imported; import one
      pricetag: wrote 1 price and the expressions of 1 storefront

      """
    ),
    (
      "the file names no source",
      "pricetag expect - < rows.csv 2>/dev/null > rows.json; pricetag check rows.json", 1, "",
      "pricetag: rows.json: the golden file names no catalog; add --catalog\n"
    ),
    (
      "another source",
      "pricetag expect - < rows.csv 2>/dev/null > rows.json; pricetag check rows.json --catalog rows.csv | head -1",
      0,
      "no changes: 2 displays in 2 storefronts\n", ""
    ),
    (
      "another file", "pricetag check prices.json --against prices.json", 1, "",
      "pricetag: prices.json: --against requires a golden file, not a file of pricetag expect; use a golden file\n"
    ),
    (
      "a file of another version",
      "sed 's/\"version\": 1,/\"version\": 2,/' prices.json > a.json; pricetag check a.json", 1, "",
      "pricetag: a.json: the file is not \"pricetag-expectations\" of version 1; write the file again with pricetag expect\n"
    ),
    (
      "a truncated file", "head -5 prices.json > a.json; pricetag check a.json", 1, "",
      "pricetag: a.json, line 6, column 1: expected the name of a field, but the text ends; write the file again with pricetag expect\n"
    ),
    (
      "a damaged price",
      "sed -i 's/234.50\", \"currency\"/234,50\", \"currency\"/' prices.json; pricetag check prices.json | tail -1",
      0, "    + CHF\\u{A0}234.50\n",
      "pricetag: rejected: prices.json, line 16: \"234,50\" is not a decimal amount; write the file again with pricetag expect\n"
    ),
  ]

  @Test(arguments: runs)
  func writesAndChecks(name: String, line: String, status: Int32, output: String, errors: String) throws {
    let outcome = try shell(line)
    #expect(Self.withoutVersions(outcome.output) == output, "\(name)")
    #expect(outcome.errors == errors, "\(name)")
    #expect(outcome.status == status, "\(name)")
  }
}
