import CommandLineTools
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Runs `pricetag record` and `pricetag check`.
@Suite struct DriftCommandTests {
  private static let car =
    #"{"productIdentifier":"car","localizations":{"en-US":{"name":"Car <b>&\"'","description":"100 %, and: more\nlines."}},"prices":{"CHE":"234.50","JPN":"1200","USA":"4.99"}}"#
  private static let track =
    #"{"productIdentifier":"track","localizations":{"en-US":{"name":"Track"}},"prices":{"CHE":"5.00","JPN":"500","USA":"5.00"}}"#

  /// Runs a shell script in a temporary folder. The folder has `shop.jsonl` and its `prices.golden`, `other.jsonl` with a
  /// changed amount and without one product, and `new/`, locale data with another group separator in Switzerland.
  private func shell(_ line: String) throws -> CommandLineTool.Outcome {
    let files: KeyValuePairs = [
      "shop.jsonl": "\(Self.car)\n\(Self.track)\n",
      "other.jsonl": "\(Self.car.replacing("4.99", with: "5.99"))\n",
      "bad.jsonl": "\(Self.car)\n\(Self.track.replacing("5.00", with: "5.001"))\n",
      "new/currency-overrides.json":
        #"{"schema":1,"overrides":[{"storefront":"CHE","decimal":"·","reason":"r"}]}"#,
    ]
    return try CommandLineTool.shell(
      """
      pricetag record shop.jsonl --storefronts CHE,JPN,USA --languages en-US --at 2026-11-21 -o prices.golden 2>/dev/null
      \(line)
      """,
      with: files
    )
  }

  /// Replaces the versions and the registry, which other tests check.
  private static func withoutVersions(_ text: String) -> String {
    text.replacing(/PriceTag \S+, ICU \S+, CLDR \S+, Unicode \S+, registry \w{16}/, with: "VERSIONS")
      .replacing(/(# (PriceTag|ICU|CLDR|Unicode|registry)): \S+/) { "\($0.1): VERSION" }
  }

  private static let golden = """
    # PriceTag golden 1
    # PriceTag: VERSION
    # ICU: VERSION
    # CLDR: VERSION
    # Unicode: VERSION
    # registry: VERSION
    # catalog: shop.jsonl
    # date: 2026-11-21
    # style: width=standard zeros=keep sign=auto digits=standard rounding=exact
    # products: approved
    # storefronts: CHE JPN USA
    # languages: en-US
    product\tstorefront\tlanguage\tamount\tcurrency\tlocale\tdisplay\tspoken\tname\tdescription\tsubscription\toffers
    car\tCHE\ten-US\t234.50\tCHF\tde-CH\tCHF\\u{A0}234.50\t234.50 Schweizer Franken\tCar <b>&"'\t100 %, and: more\\nlines.\t\t
    car\tJPN\ten-US\t1200\tJPY\tja-JP\t￥1,200\t1,200円\tCar <b>&"'\t100 %, and: more\\nlines.\t\t
    car\tUSA\ten-US\t4.99\tUSD\ten-US\t$4.99\t4.99 US dollars\tCar <b>&"'\t100 %, and: more\\nlines.\t\t
    track\tCHE\ten-US\t5.00\tCHF\tde-CH\tCHF\\u{A0}5.00\t5.00 Schweizer Franken\tTrack\t\t\t
    track\tJPN\ten-US\t500\tJPY\tja-JP\t￥500\t500円\tTrack\t\t\t
    track\tUSA\ten-US\t5.00\tUSD\ten-US\t$5.00\t5.00 US dollars\tTrack\t\t\t

    """

  private static let same = """
    no changes: 6 displays in 3 storefronts
    recorded and now with VERSIONS, prices of 2026-11-21

    """
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
      car in USA (en-US) (prices.golden:16): amount, display, spoken
        - expected   4.99 USD
        + displayed  5.99 USD

    gone: 3 displays in 3 storefronts, CHE JPN USA
      track in CHE (en-US) (prices.golden:17)
        - CHF\\u{A0}5.00
        the catalog has no such product

    """
  private static let accept = "pricetag: note: to accept all changes, run again with --accept\n"

  private static let useEither =
    "use a golden file that pricetag record wrote, or a pack that pricetag pack wrote"

  static let runs: [(name: String, line: String, status: Int32, output: String, errors: String)] = [
    ("a golden file", "cat prices.golden", 0, golden, ""),
    (
      "a golden file on standard output",
      "pricetag record shop.jsonl --storefronts USA,CHE,JP --languages en-US --at 2026-11-21", 0, golden,
      "pricetag: recorded 6 displays of 2 products in 3 storefronts\n"
    ),
    (
      "products without a price",
      "pricetag record shop.jsonl --storefronts USA,FRA --languages en-US --at 2026-11-21 | tail -2", 0,
      golden.split(separator: "\n").filter { $0.hasPrefix("car\tUSA") || $0.hasPrefix("track\tUSA") }.map {
        $0 + "\n"
      }.joined(),
      """
      pricetag: not displayed: "car": the product has no price in FRA on 2026-11-21: no price was imported; import one
      pricetag: not displayed: "track": the product has no price in FRA on 2026-11-21: no price was imported; import one
      pricetag: recorded 2 displays of 2 products in 2 storefronts

      """
    ),
    (
      "exit code for products without a price",
      "pricetag record shop.jsonl --storefronts FRA -o g 2>/dev/null", 3,
      "", ""
    ),
    ("no changes", "pricetag check prices.golden", 0, same, ""),
    (
      "no changes, with CRLF", "sed -i 's/$/\\r/' prices.golden; pricetag check prices.golden",
      0, same, ""
    ),
    ("another folder", "mkdir d; cd d; pricetag check ../prices.golden", 0, same, ""),
    ("a link to the folder of the golden file", "ln -s . l; pricetag check l/prices.golden", 0, same, ""),
    (
      "a golden file in another folder",
      "mkdir d; pricetag record shop.jsonl --storefronts USA --languages en-US --at 2026-11-21 -o d/g 2>/dev/null; grep catalog d/g; cd /; pricetag check \"$OLDPWD/d/g\" | head -1",
      0, "# catalog: ../shop.jsonl\nno changes: 2 displays in 1 storefront\n", ""
    ),
    ("standard input", "pricetag check - <prices.golden", 0, same, ""),
    ("another catalog", "pricetag check prices.golden --catalog other.jsonl", 3, other, accept),
    (
      "another registry",
      "pricetag check prices.golden --locale-data new | grep -v ^now | grep -v '^recorded with'", 0,
      """
      2 of 6 displays changed, in 1 of 3 storefronts
      The registries differ: check --locale-data and its version.

      class            displays  storefronts
      separators              2  CHE

      storefront        changed  classes
      CHE                2 of 2  separators

      separators: 2 displays, CHE
        car in CHE (en-US) (prices.golden:14): display, spoken
          - expected   CHF\\u{A0}234.50
          + displayed  CHF\\u{A0}234·50
            at 8: U+00B7 MIDDLE DOT, expected U+002E FULL STOP

      """, accept
    ),
    (
      "another date", "pricetag check prices.golden --at 2027-01-01", 0,
      "no changes: 6 displays in 3 storefronts\nrecorded with VERSIONS, prices of 2026-11-21\nnow      with VERSIONS, prices of 2027-01-01\n",
      ""
    ),
    (
      "another golden file",
      "pricetag record other.jsonl --storefronts CHE,JPN,USA --languages en-US --at 2026-11-21 -o o 2>/dev/null; pricetag check prices.golden --against o",
      3,
      other.replacing("    the catalog has no such product\n", with: ""), ""
    ),
    (
      "the texts of a shop",
      "printf 'identifier;storefront;text\\ncar;US;$4.99\\ncar;CHE;CHF 234.50\\ncar;FRA;4,99 €\\n' >s.csv; pricetag check prices.golden --displayed s.csv",
      3,
      """
      2 of 3 displays shown differently, in 2 of 3 storefronts; 4 more in the golden file not checked
      recorded with VERSIONS, prices of 2026-11-21

      class            displays  storefronts
      new                     1  FRA
      spacing                 1  CHE

      storefront      different  classes
      FRA                1 of 1  new
      CHE                1 of 1  spacing

      new: 1 display, FRA
        car in FRA (s.csv:4)
          + 4,99 €
          the golden file has no such display of the product

      spacing: 1 display, CHE
        car in CHE (s.csv:3): display
          - expected   CHF\\u{A0}234.50
          + displayed  CHF 234.50
            at 4: U+0020 SPACE, expected U+00A0 NO-BREAK SPACE

      """, ""
    ),
    (
      "a rejected line", "sed -i 's/^car.JPN.*/car/' prices.golden; pricetag check prices.golden", 3,
      """
      1 of 6 displays changed, in 1 of 3 storefronts; 1 line rejected
      recorded and now with VERSIONS, prices of 2026-11-21

      class            displays  storefronts
      new                     1  JPN

      storefront        changed  classes
      JPN                1 of 2  new

      new: 1 display, JPN
        car in JPN (en-US)
          + ￥1,200

      """,
      "pricetag: rejected: prices.golden, line 15: the line has 1 field instead of 12; record the golden file again\n"
    ),
    (
      "a part of the catalog is rejected", "pricetag check prices.golden --catalog bad.jsonl | head -1", 0,
      "2 of 6 displays changed, in 2 of 3 storefronts\n",
      "pricetag: rejected: bad.jsonl, product \"track\", line 2, price of CHE: 5.001 CHF has more decimals than the minor unit of CHF (2); write an amount that can be charged; imported prices are not rounded\npricetag: rejected: bad.jsonl, product \"track\", line 2, price of USA: 5.001 USD has more decimals than the minor unit of USD (2); write an amount that can be charged; imported prices are not rounded\n"
    ),
    // --fail-on
    ("only amounts", "pricetag check prices.golden --catalog other.jsonl --fail-on amount", 3, other, accept),
    (
      "only classes without changes",
      "pricetag check prices.golden --catalog other.jsonl --fail-on currency,spacing", 0, other, ""
    ),
    ("no class fails", "pricetag check prices.golden --catalog other.jsonl --fail-on none", 0, other, ""),
    (
      "a rejected line always fails",
      "echo junk >>prices.golden; pricetag check prices.golden --fail-on none", 3,
      same.replacing("storefronts\n", with: "storefronts; 1 line rejected\n"),
      "pricetag: rejected: prices.golden, line 20: the line has 1 field instead of 12; record the golden file again\n"
    ),
    // Wrong command lines.
    (
      "an unknown class", "pricetag check prices.golden --fail-on amount,spaces", 2, "",
      "pricetag: The value 'amount,spaces' is invalid for '--fail-on <all|none|classes>': unknown class \"spaces\"; use a list of amount,currency,not-a-price,gone,symbol,order,digits,separators,grouping,text,new,spacing,direction-marks (see pricetag help)\n"
    ),
    (
      "two comparisons", "pricetag check prices.golden --catalog a --against b", 2, "",
      "pricetag: --catalog and --against cannot be combined; keep one (see pricetag help)\n"
    ),
    (
      "a comparison and a date", "pricetag check prices.golden --against prices.golden --at 2026-01-01", 2,
      "",
      "pricetag: --against and options that read a catalog (--at, --from, --prices-of, --reinterpret-as, --texts-in) cannot be combined; remove one (see pricetag help)\n"
    ),
    (
      "standard input twice", "pricetag check - --displayed - <prices.golden", 2, "",
      "pricetag: standard input (-) appears twice; use it for one file only (see pricetag help)\n"
    ),
    (
      "accepting another golden file", "pricetag check prices.golden --accept --against prices.golden", 2, "",
      "pricetag: --accept and --against cannot be combined; remove one (see pricetag help)\n"
    ),
    (
      "accepting standard input", "pricetag check - --accept <prices.golden", 2, "",
      "pricetag: --accept requires a file that it can replace, not standard input; pass its path (see pricetag help)\n"
    ),
    (
      "an unknown format", "pricetag check prices.golden --format xml", 2, "",
      "pricetag: The value 'xml' is invalid for '--format <format>'. Please provide one of 'text', 'json', 'github' or 'junit'. (see pricetag help)\n"
    ),
    (
      "no golden file", "pricetag check", 2, "",
      "pricetag: the golden file or the pack is missing; name one, or use --displayed to check displayed prices (see pricetag help)\n"
    ),
    // Failures.
    (
      "a missing golden file", "pricetag check nope.golden", 1, "",
      "pricetag: nope.golden: cannot read the file: No such file or directory; check the path\n"
    ),
    (
      "a moved catalog", "mv shop.jsonl moved.jsonl; pricetag check prices.golden", 1, "",
      "pricetag: prices.golden: the catalog of the golden file, ./shop.jsonl, does not exist; add --catalog\n"
    ),
    (
      "a golden file from standard input",
      "pricetag record - --from jsonl --storefronts USA -o g <shop.jsonl 2>/dev/null; pricetag check g", 1,
      "",
      "pricetag: g: the golden file names no catalog; add --catalog\n"
    ),
    (
      "an unknown storefront",
      "sed -i 's/CHE JPN/CHE JPX/' prices.golden; pricetag check prices.golden", 1, "",
      "pricetag: prices.golden, storefronts: unknown storefront \"JPX\"; did you mean \"JPN\"?\n"
    ),
    (
      "a merge conflict in the header",
      "sed -i '3i <<<<<<< HEAD' prices.golden; pricetag check prices.golden", 1, "",
      "pricetag: prices.golden, line 3: the line is a merge conflict marker; record the golden file again with this version of PriceTag\n"
    ),
    (
      "another file", "pricetag check shop.jsonl", 1, "",
      "pricetag: shop.jsonl: the file is neither a golden file nor a pack; \(useEither)\n"
    ),
    ("an empty file", ": >e; pricetag check e", 1, "", "pricetag: e: the file is empty; \(useEither)\n"),
    ("a folder", "pricetag check .", 1, "", "pricetag: .: the path is that of a folder; \(useEither)\n"),
    (
      "a file that does not exist", "pricetag check none.pack", 1, "",
      "pricetag: none.pack: cannot read the file: No such file or directory; check the path\n"
    ),
    (
      "another file from a pipe", "cat shop.jsonl | pricetag check -", 1, "",
      "pricetag: /dev/stdin: the file is neither a golden file nor a pack; \(useEither)\n"
    ),
    (
      "another file as the other golden file", "pricetag check prices.golden --against shop.jsonl", 1, "",
      "pricetag: shop.jsonl, line 1: the file does not start with \"# PriceTag golden 1\"; use a golden file that pricetag record wrote\n"
    ),
    (
      "a golden file as the catalog",
      "pricetag check prices.golden --catalog prices.golden 2>&1 | grep -c ^pricetag", 0, "1\n", ""
    ),
    (
      "recording to the catalog",
      "pricetag record shop.jsonl -o ./shop.jsonl; code=$?; wc -l <shop.jsonl; exit $code", 1, "2\n",
      "pricetag: ./shop.jsonl: the catalog and the output are the same file; use another file\n"
    ),
    (
      "appending to the catalog",
      "pricetag record shop.jsonl >>shop.jsonl; code=$?; wc -l <shop.jsonl; exit $code", 1, "2\n",
      "pricetag: standard output: the catalog and the output are the same file; use another file\n"
    ),
    (
      "recording to a missing folder", "pricetag record shop.jsonl -o nope/g", 1, "",
      "pricetag: nope/g: cannot write the file: No such file or directory; create the folder first, or check the path\n"
    ),
    (
      "recording a missing catalog",
      "cp prices.golden old; pricetag record nope.jsonl -o prices.golden; code=$?; cmp old prices.golden; exit $code",
      1, "",
      "pricetag: nope.jsonl: cannot read the file: No such file or directory; check the path\n"
    ),
  ]

  @Test(arguments: runs)
  func runsCommand(name: String, line: String, status: Int32, output: String, errors: String) throws {
    let outcome = try shell(line)
    #expect(Self.withoutVersions(outcome.output) == output, "\(name): \(outcome.report)")
    #expect(outcome.errors == errors && outcome.status == status, "\(name): \(outcome.report)")
  }

  // MARK: Accepting

  @Test func acceptUsesOptionsOfGoldenFile() throws {
    let outcome = try shell(
      """
      pricetag record shop.jsonl --storefronts USA,JPN --languages ja,en-US --at 2026-11-21 --width iso --zeros trim -o g 2>/dev/null
      cp g old; cp other.jsonl shop.jsonl
      pricetag check g --accept; echo "status $?"
      pricetag check g | head -1
      diff <(grep '^#' old) <(grep '^#' g) && grep -c '' g && cut -f 1-4,7 g | tail -4
      """
    )
    #expect(outcome.status == 0, "\(outcome.report)")
    #expect(
      outcome.output.hasSuffix(
        """
        status 0
        no changes: 4 displays in 2 storefronts
        17
        car\tJPN\ten-US\t1200\tJPY\\u{A0}1,200
        car\tJPN\tja\t1200\tJPY\\u{A0}1,200
        car\tUSA\ten-US\t5.99\tUSD\\u{A0}5.99
        car\tUSA\tja\t5.99\tUSD\\u{A0}5.99

        """
      ),
      "\(outcome.report)"
    )
    #expect(outcome.output.hasPrefix("6 of 8 displays changed, in 2 of 2 storefronts\n"), "\(outcome.report)")
    #expect(
      outcome.errors == "pricetag: recorded 4 displays of 1 product in 2 storefronts\n",
      "\(outcome.report)"
    )
  }

  static let acceptRuns: [(name: String, line: String, output: String)] = [
    (
      "another catalog becomes that of the golden file",
      "mkdir d; pricetag check prices.golden --catalog ./d/../other.jsonl --accept >/dev/null; grep catalog prices.golden; pricetag check prices.golden | head -1",
      "# catalog: other.jsonl\nno changes: 3 displays in 3 storefronts\n"
    ),
    (
      "standard input has no name",
      "pricetag check prices.golden --catalog - --from jsonl --accept <other.jsonl >/dev/null; grep -E 'catalog|from' prices.golden",
      "# catalog: shop.jsonl\n# from: jsonl\n"
    ),
    (
      "another date",
      "pricetag check prices.golden --at 2027-01-01 --accept >/dev/null; grep date prices.golden",
      "# date: 2027-01-01\n"
    ),
    (
      "a link stays one",
      "mkdir d; mv prices.golden d/g; ln -s d/g prices.golden; pricetag check prices.golden --catalog other.jsonl --accept >/dev/null; readlink prices.golden; wc -l <d/g",
      "d/g\n16\n"
    ),
    (
      "a rejected line is corrected",
      "cp prices.golden old; sed -i 's/^car.JPN.*/car/' prices.golden; pricetag check prices.golden --accept >/dev/null; echo $?; cmp old prices.golden && echo same",
      "0\nsame\n"
    ),
    (
      "products without a price",
      "sed -i 's/CHE JPN/CHE FRA JPN/' prices.golden; pricetag check prices.golden --accept >/dev/null; echo $?; wc -l <prices.golden",
      "3\n19\n"
    ),
  ]

  @Test(arguments: acceptRuns)
  func accepts(name: String, line: String, output: String) throws {
    let outcome = try shell(line)
    #expect(outcome.output == output, "\(name): \(outcome.report)")
  }

  // MARK: Formats

  @Test func writesJSON() throws {
    let outcome = try shell("pricetag check prices.golden --catalog other.jsonl --format json")
    #expect(outcome.status == 3 && outcome.output.split(separator: "\n").count == 1, "\(outcome.report)")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    )
    #expect(object["checked"] as? Int == 6 && object["changed"] as? Int == 4)
    #expect(
      (object["classes"] as? [[String: Any]])?.map { $0["class"] as? String } == ["amount", "gone"]
    )
    let first = try #require((object["changes"] as? [[String: Any]])?.first)
    #expect(first["line"] as? Int == 16 && first["storefront"] as? String == "USA")
  }

  /// Each annotation for GitHub Actions is one line, with special characters escaped.
  @Test func writesGitHubAnnotations() throws {
    let outcome = try shell(
      """
      mv prices.golden 'a%,:b.golden'
      sed -i 's/100 %, and: more/50 %, and: less/' shop.jsonl
      pricetag check 'a%,:b.golden' --catalog shop.jsonl --format github --fail-on amount
      echo junk >>'a%,:b.golden'
      pricetag check 'a%,:b.golden' --catalog other.jsonl --format github --fail-on amount | head -1
      pricetag check 'a%,:b.golden' --catalog shop.jsonl --format github 2>/dev/null | tail -2
      """
    )
    let lines = outcome.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 5, "\(outcome.report)")
    #expect(
      lines[0]
        == #"::warning file=a%25%2C%3Ab.golden,line=14,title=text%3A CHE JPN USA::3 displays changed in text, such as the description of car in CHE (en-US): "100 %25, and: more\u{A}lines." is now "50 %25, and: less\u{A}lines.""#,
      "\(outcome.report)"
    )
    #expect(
      lines[1].hasPrefix("::notice::3 of 6 displays changed, in 3 of 3 storefronts. recorded and now with")
    )
    #expect(
      lines[2]
        == #"::error file=a%25%2C%3Ab.golden,line=16,title=amount%3A USA::1 display changed in amount, such as the amount of car in USA (en-US): "4.99 USD" is now "5.99 USD""#
    )
    #expect(
      lines[3]
        == "::error file=a%25%2C%3Ab.golden,line=1,title=rejected::a%25,:b.golden, line 20: the line has 1 field instead of 12; record the golden file again"
    )
    #expect(
      lines[4].hasPrefix(
        "::notice::3 of 6 displays changed, in 3 of 3 storefronts; 1 line rejected. recorded"
      )
    )
  }

  /// Parses JUnit XML.
  private final class JUnit: NSObject, XMLParserDelegate {
    private(set) var cases: [(name: String, failure: String?, text: String)] = []
    private(set) var suite: [String: String] = [:]

    init?(_ text: String) {
      super.init()
      let parser = XMLParser(data: Data(text.utf8))
      parser.delegate = self
      if !parser.parse() { return nil }
    }

    func parser(
      _ parser: XMLParser,
      didStartElement name: String,
      namespaceURI: String?,
      qualifiedName: String?,
      attributes: [String: String]
    ) {
      switch name {
      case "testsuite": suite = attributes
      case "testcase": cases.append((attributes["name"] ?? "", nil, ""))
      case "failure":
        cases[cases.count - 1].failure = "\(attributes["type"] ?? ""): \(attributes["message"] ?? "")"
      default: break
      }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if !cases.isEmpty { cases[cases.count - 1].text += text }
    }
  }

  @Test func writesJUnit() throws {
    let outcome = try shell(
      """
      mv prices.golden '<b>&"'"'"'.golden'
      sed -i 's/Car <b>/Car <i>/' other.jsonl
      pricetag check '<b>&"'"'"'.golden' --catalog other.jsonl --format junit --fail-on amount,gone
      """
    )
    #expect(outcome.status == 3 && outcome.errors == Self.accept, "\(outcome.report)")
    let report = try #require(JUnit(outcome.output), "\(outcome.report)")
    #expect(report.suite == ["name": #"<b>&"'.golden"#, "tests": "3", "failures": "3", "errors": "0"])
    #expect(report.cases.map(\.name) == ["CHE", "JPN", "USA"])
    #expect(
      report.cases.map(\.failure) == [
        "gone, text: 2 of 2 displays changed", "gone, text: 2 of 2 displays changed",
        "amount, gone, text: 2 of 2 displays changed",
      ]
    )
    #expect(
      report.cases[0].text.contains(
        #"""
        1 display gone, such as track in CHE (en-US) "CHF\u{A0}5.00": the catalog has no such product
        1 display changed in text, such as the name of car in CHE (en-US): "Car <b>&\"'" is now "Car <i>&\"'"
        """#
      ),
      "\(outcome.report)"
    )
  }

  @Test func writesRejectedLinesAsJUnit() throws {
    let outcome = try shell(
      """
      sed -i 's/"USA":"4.99"/"USA":"5.99"/' shop.jsonl
      printf '\\x1b<\\xef\\xbf\\xbe\\n' >>prices.golden
      pricetag check prices.golden --format junit --fail-on gone
      """
    )
    #expect(outcome.status == 3, "\(outcome.report)")
    let report = try #require(JUnit(outcome.output), "\(outcome.report)")
    #expect(report.suite == ["name": "prices.golden", "tests": "4", "failures": "1", "errors": "0"])
    #expect(report.cases.map(\.name) == ["CHE", "JPN", "USA", "valid lines"])
    #expect(report.cases.map(\.failure) == [nil, nil, nil, "rejected: 1 line rejected"])
    #expect(report.cases[2].text.contains("1 display changed in amount"), "\(outcome.report)")
    #expect(report.cases[3].text.contains("prices.golden, line 20"), "\(outcome.report)")
  }

  // MARK: Hostile input and interruptions

  /// Files that are not golden files. Each gives one message quickly.
  static let junk: [(name: String, script: String, message: String)] = [
    ("50 MB in a line", "head -c 50000000 /dev/zero | tr '\\0' x", "neither a golden file nor a pack"),
    ("50 MB of lines", "yes | head -c 50000000", "neither a golden file nor a pack"),
    ("zeros", "head -c 50000000 /dev/zero", "neither a golden file nor a pack"),
    ("random bytes", "head -c 50000000 /dev/urandom", "neither a golden file nor a pack|UTF-16"),
    (
      "50 MB of lines after a header", "head -13 prices.golden; yes | head -c 50000000",
      "the file has more than 100000 invalid lines"
    ),
    (
      "50 MB in a line after a header", "head -13 prices.golden; head -c 50000000 /dev/zero | tr '\\0' x",
      "line 14: the line is larger than 16 MB"
    ),
    (
      "zeros after a header", "head -13 prices.golden; head -c 50000000 /dev/zero",
      "line 14: the line is larger than 16 MB"
    ),
    ("a folder", "true", "the path is that of a folder"),
  ]

  @Test(arguments: junk)
  func failsForJunk(name: String, script: String, message: String) throws {
    let outcome = try shell(
      """
      { \(script); } >junk 2>/dev/null
      \(name == "a folder" ? "rm junk; mkdir junk" : ":")
      timeout 600 pricetag check junk --catalog shop.jsonl
      """
    )
    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(name): \(outcome.report.prefix(2000))")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(name): \(outcome.report.prefix(2000))")
    #expect(
      try outcome.errors.contains(Regex("^pricetag: junk[,/:].*(\(message))")),
      "\(name): \(outcome.report.prefix(2000))"
    )
  }

  @Test func printsFirstRejectedLinesOnly() throws {
    let outcome = try shell(
      "yes | head -50 >>prices.golden; yes '\t' | head -c 200000 | tr '\\n' '\t' >>prices.golden; pricetag check prices.golden"
    )
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 21 && lines.last == "pricetag: … and 31 more", "\(outcome.report)")
    #expect(
      outcome.status == 3 && outcome.output.hasPrefix("no changes: 6 displays"),
      "\(outcome.report)"
    )
  }

  /// A killed process leaves the previous golden file unchanged, and no temporary file.
  @Test func keepsPreviousGoldenFileWhenKilled() throws {
    let outcome = try shell(
      """
      cp prices.golden old
      for ((i = 0; i < 3000; i++)); do echo '{"productIdentifier":"p'$i'","localizations":{"en-US":{"name":"P"}},"prices":{"USA":"1.00","JPN":"100"}}'; done >many.jsonl
      pricetag import many.jsonl --into many.pricetag --quiet 2>/dev/null
      # On a slow machine, a run may end before it is killed.
      for try in $(seq 100); do
        cp old prices.golden
        pricetag record many.pricetag --storefronts USA,JPN -o prices.golden 2>/dev/null &
        # The new file has no name while it is written.
        until ls -l /proc/$!/fd 2>/dev/null | grep -q '(deleted)'; do kill -0 $! 2>/dev/null || break; sleep 0.01; done
        kill -KILL $! 2>/dev/null
        wait $! 2>/dev/null
        [ $? = 137 ] && { cmp old prices.golden; ls; break; }
      done
      """
    )
    #expect(
      outcome.output.split(separator: "\n").filter { !$0.hasPrefix("many.pricetag") } == [
        "bad.jsonl", "many.jsonl", "new", "old", "other.jsonl", "prices.golden", "shop.jsonl",
      ],
      "\(outcome.report)"
    )
  }

  @Test func endsSilentlyForClosedPipe() throws {
    let outcome = try shell(
      "pricetag record shop.jsonl --storefronts USA 2>/dev/null | true; echo ${PIPESTATUS[0]}"
    )
    #expect(["0\n", "141\n"].contains(outcome.output) && outcome.errors.isEmpty, "\(outcome.report)")
  }
}
