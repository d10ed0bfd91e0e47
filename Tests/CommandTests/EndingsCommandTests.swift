import CommandLineTools
import Foundation
import Testing

/// Runs `pricetag endings`.
@Suite struct EndingsCommandTests {
  private static let shop = #"""
    {"type":"tier","tier":"3","prices":{"JPN":"300","USA":"3.00"}}
    {"type":"product","productIdentifier":"com.example.fuel","prices":{"DEU":"0.79","JPN":"1203","USA":"4.99"}}
    {"type":"product","productIdentifier":"com.example.tires","tier":"3","prices":{"JPN":[{"amount":"1500","currency":"JPY","until":"2026-12-31"},{"amount":"1525","currency":"JPY","from":"2027-01-01"}]}}

    """#

  private static let rules = #"{"schema":1,"rules":{"USD":[".99",".95"],"JPY":["x0","x9"],"EUR":[".99"]}}"#

  /// Calls a closure with a temporary folder that has `shop.jsonl` and `endings.json`, and removes it.
  private static func inFolder(_ body: (String) throws -> Void) throws {
    try CommandLineTool.inFolder(["shop.jsonl": shop, "endings.json": rules]) { try body($0.path) }
  }

  private static func run(_ folder: String, _ arguments: String) throws -> CommandLineTool.Outcome {
    try CommandLineTool.shell("cd '\(folder)' && pricetag endings \(arguments)")
  }

  private static let fuel =
    "com.example.fuel in JPN: \u{2068}￥1,203\u{2069} does not end as the rule for JPY requires (x0, x9); use \u{2068}￥1,200\u{2069} or \u{2068}￥1,209\u{2069}\n"
  private static let fuelInGermany =
    "com.example.fuel in DEU: \u{2068}0,79\u{A0}€\u{2069} does not end as the rule for EUR requires (.99); use \u{2068}0,99\u{A0}€\u{2069}\n"
  private static let tier =
    "tier \"3\" in USA: \u{2068}$3.00\u{2069} does not end as the rule for USD requires (.99, .95); use \u{2068}$2.99\u{2069} or \u{2068}$3.95\u{2069}\n"
  private static let tires =
    "com.example.tires in JPN from 2027-01-01: \u{2068}￥1,525\u{2069} does not end as the rule for JPY requires (x0, x9); use \u{2068}￥1,520\u{2069} or \u{2068}￥1,529\u{2069}\n"

  static let runs: [(arguments: String, status: Int32, output: String, errors: String)] = [
    (
      "shop.jsonl --rules endings.json --at 2026-11-23", 3, tier + fuelInGermany + fuel + tires,
      "pricetag: 7 prices checked, 4 findings\n"
    ),
    // A price that has ended is not checked.
    (
      "shop.jsonl --rules endings.json --at 2027-01-01", 3, tier + fuelInGermany + fuel + tires,
      "pricetag: 6 prices checked, 4 findings\n"
    ),
    (
      "shop.jsonl --rules endings.json --at 2026-11-23 --storefronts JPN", 3, fuel + tires,
      "pricetag: 4 prices checked, 2 findings\n"
    ),
    ("shop.jsonl --rules endings.json --storefronts FRA", 0, "", "pricetag: 0 prices checked, 0 findings\n"),
    (
      #"shop.jsonl --rules <(echo '{"schema":1,"rules":{"USD":[".00"]}}') --at 2026-11-23 --storefronts JPN,USA"#,
      3,
      "com.example.fuel in USA: \u{2068}$4.99\u{2069} does not end as the rule for USD requires (.00); use \u{2068}$4.00\u{2069} or \u{2068}$5.00\u{2069}\n",
      "pricetag: 2 prices checked, 1 finding; 4 prices in currencies without a rule\n"
    ),
    (
      "shop.jsonl --rules endings.json --storefronts DEU --json", 3,
      #"{"productIdentifier":"com.example.fuel","storefront":"DEU","currency":"EUR","amount":"0.79","display":"0,79\#u{A0}€","rule":"EUR","endings":[".99"],"below":null,"above":{"amount":"0.99","display":"0,99\#u{A0}€"}}"#
        + "\n",
      "pricetag: 1 price checked, 1 finding\n"
    ),
    // Input that is rejected gives exit code 3, too.
    (
      #"- --rules endings.json <<< '{"productIdentifier":"a","prices":{"USA":"4.999","JPN":"1200"}}'"#, 3, "",
      "pricetag: rejected: /dev/stdin, product \"a\", line 1, price of USA: 4.999 USD has more decimals than the minor unit of USD (2); write an amount that can be charged; imported prices are not rounded\npricetag: 1 price checked, 0 findings\n"
    ),
    (
      "missing.jsonl --rules endings.json", 1, "",
      "pricetag: missing.jsonl: cannot read the file: No such file or directory; check the path\n"
    ),
    (
      "shop.jsonl --rules missing.json", 1, "",
      "pricetag: missing.json: cannot read the file: No such file or directory; check the path\n"
    ),
    (
      #"shop.jsonl --rules - <<< '{"schema":1,"rules":{"USD":["99"]}}'"#, 1, "",
      "pricetag: /dev/stdin, line 1, rule \"USD\": \"99\" is not a price ending; write an ending such as .99, .x9, x9, x90 or x4.50, or a step such as /5\n"
    ),
    // The default does not fit a currency of the catalog.
    (
      #"shop.jsonl --rules - --storefronts JPN <<< '{"schema":1,"rules":{"*":[".99"]}}'"#, 1, "",
      "pricetag: /dev/stdin, rule \"*\": the ending \".99\" has more decimals than the minor unit of JPY (0); add a rule for JPY, or null to allow all of its prices\n"
    ),
    (
      "shop.jsonl --rules endings.json --storefronts ZZZ", 1, "",
      "pricetag: unknown storefront \"ZZZ\"; use a code such as \"USA\" (pricetag storefronts lists all codes)\n"
    ),
    ("shop.jsonl", 2, "", "pricetag: Missing expected argument '--rules <file>' (see pricetag help)\n"),
    (
      "shop.jsonl --rules endings.json --fix up -o ./shop.jsonl", 1, "",
      "pricetag: ./shop.jsonl: the catalog and the output are the same file; use another file\n"
    ),
    (
      "shop.jsonl --rules endings.json --fix up -o endings.json", 1, "",
      "pricetag: endings.json: the rules and the output are the same file; use another file\n"
    ),
  ]

  @Test(arguments: runs)
  func printsFindings(arguments: String, status: Int32, output: String, errors: String) throws {
    try Self.inFolder { folder in
      let outcome = try Self.run(folder, arguments)
      #expect(outcome.status == status, "\(outcome.report)")
      #expect(outcome.output == output, "\(outcome.report)")
      #expect(outcome.errors == errors, "\(outcome.report)")
      // The inputs never change, and no other file is written.
      #expect(try String(contentsOfFile: "\(folder)/shop.jsonl", encoding: .utf8) == Self.shop)
      #expect(try String(contentsOfFile: "\(folder)/endings.json", encoding: .utf8) == Self.rules)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
    }
  }

  static let corrections: [(direction: String, tier: String, germany: String, fuel: String, tires: String)] =
    [
      ("up", "3.95", "0.99", "1209", "1529"),
      ("down", "2.99", "0.79", "1200", "1520"),
      ("nearest", "2.99", "0.99", "1200", "1529"),
    ]

  /// 1525 is 5 above 1520 and 4 below 1529.
  @Test(arguments: corrections)
  func writesACorrectedCatalog(
    direction: String,
    tier: String,
    germany: String,
    fuel: String,
    tires: String
  ) throws {
    try Self.inFolder { folder in
      let expected = Self.shop.replacing("3.00", with: tier).replacing("0.79", with: germany)
        .replacing("1203", with: fuel).replacing("1525", with: tires)
      let options = "--rules endings.json --at 2026-11-23"
      let outcome = try Self.run(folder, "shop.jsonl \(options) --fix \(direction) -o new.jsonl")
      #expect(outcome.status == 3, "\(outcome.report)")
      #expect(try String(contentsOfFile: "\(folder)/new.jsonl", encoding: .utf8) == expected)
      #expect(try String(contentsOfFile: "\(folder)/shop.jsonl", encoding: .utf8) == Self.shop)
      let corrected = outcome.output.split(separator: "\n").count { $0.contains("; corrected to ") }
      #expect(corrected == (germany == "0.79" ? 3 : 4), "\(outcome.report)")
      #expect(
        outcome.errors
          == "pricetag: 7 prices checked, 4 findings; \(corrected) corrected, \(4 - corrected) unchanged\n"
      )
      let again = try Self.run(folder, "new.jsonl \(options)")
      #expect(again.status == (corrected == 4 ? 0 : 3), "\(again.report)")
      #expect(again.errors == "pricetag: 7 prices checked, \(corrected == 4 ? "0 findings" : "1 finding")\n")
    }
  }

  /// A database is read as well as a file, and stays unchanged.
  @Test func correctsADatabase() throws {
    try Self.inFolder { folder in
      let outcome = try CommandLineTool.shell(
        """
        cd '\(folder)' && pricetag import shop.jsonl --into shop.pricetag --quiet && sha256sum shop.pricetag > before
        pricetag endings shop.pricetag --rules endings.json --at 2026-11-23 --fix up -o new.json --json > findings
        echo $?; sha256sum --check --quiet before; pricetag import new.json --into new.pricetag; ls; wc -l < findings
        """
      )
      #expect(
        outcome.output
          == "3\nbefore\nendings.json\nfindings\nnew.json\nnew.pricetag\nshop.jsonl\nshop.pricetag\n4\n",
        "\(outcome.report)"
      )
      #expect(
        outcome.errors
          == """
          pricetag: 7 prices checked, 4 findings; 4 corrected, 0 unchanged
          products: 2 added, 0 changed, 0 unchanged
          tiers: 1 added, 0 changed, 0 unchanged
          rejected: 0

          """,
        "\(outcome.report)"
      )
    }
  }
}
