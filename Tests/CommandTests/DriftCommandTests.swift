import CommandLineTools
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `pricetag record` and `pricetag check` as a person runs them.
@Suite struct DriftCommandTests {
  private static let car =
    #"{"productIdentifier":"car","localizations":{"en-US":{"name":"Car <b>&\"'","description":"100 %, and: more\nlines."}},"prices":{"CHE":"1234.50","JPN":"1200","USA":"4.99"}}"#
  private static let track =
    #"{"productIdentifier":"track","localizations":{"en-US":{"name":"Track"}},"prices":{"CHE":"5.00","JPN":"500","USA":"5.00"}}"#

  /// A line of shell in a folder of its own, which has `shop.jsonl`, `prices.golden` of it, `other.jsonl` with one
  /// amount and one product changed, and `new/`, locale data with another apostrophe in Switzerland.
  private func shell(_ line: String) throws -> CommandLineTool.Outcome {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "new"),
      withIntermediateDirectories: true
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = [
      "shop.jsonl": "\(Self.car)\n\(Self.track)\n",
      "other.jsonl": "\(Self.car.replacing("4.99", with: "5.99"))\n",
      "bad.jsonl": "\(Self.car)\n\(Self.track.replacing("5.00", with: "5.001"))\n",
      "new/currency-overrides.json":
        #"{"schema":1,"overrides":[{"storefront":"CHE","group":"'","reason":"r"}]}"#,
    ]
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    return try CommandLineTool.shell(
      """
      cd '\(folder.path)'
      pricetag record shop.jsonl --storefronts CHE,JPN,USA --languages en-US --at 2026-11-21 -o prices.golden 2>/dev/null
      \(line)
      """
    )
  }

  /// Versions and registry are another test's.
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
    car\tCHE\ten-US\t1234.50\tCHF\tde-CH\tCHF\\u{A0}1’234.50\t1’234.50 Schweizer Franken\tCar <b>&"'\t100 %, and: more\\nlines.\t\t
    car\tJPN\ten-US\t1200\tJPY\tja-JP\t￥1,200\t1,200円\tCar <b>&"'\t100 %, and: more\\nlines.\t\t
    car\tUSA\ten-US\t4.99\tUSD\ten-US\t$4.99\t4.99 US dollars\tCar <b>&"'\t100 %, and: more\\nlines.\t\t
    track\tCHE\ten-US\t5.00\tCHF\tde-CH\tCHF\\u{A0}5.00\t5.00 Schweizer Franken\tTrack\t\t\t
    track\tJPN\ten-US\t500\tJPY\tja-JP\t￥500\t500円\tTrack\t\t\t
    track\tUSA\ten-US\t5.00\tUSD\ten-US\t$5.00\t5.00 US dollars\tTrack\t\t\t

    """

  private static let same = """
    nothing changed: 6 displays in 3 storefronts
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
        the catalogue has no such product

    """
  private static let accept = "pricetag: if all of this is right, --accept records it\n"

  static let runs: [(name: String, line: String, status: Int32, output: String, errors: String)] = [
    ("a golden", "cat prices.golden", 0, golden, ""),
    (
      "a golden to standard output",
      "pricetag record shop.jsonl --storefronts USA,CHE,JP --languages en-US --at 2026-11-21", 0, golden,
      "pricetag: recorded 6 displays of 2 products in 3 storefronts\n"
    ),
    (
      "what cannot be displayed",
      "pricetag record shop.jsonl --storefronts USA,FRA --languages en-US --at 2026-11-21 | tail -2", 0,
      golden.split(separator: "\n").filter { $0.hasPrefix("car\tUSA") || $0.hasPrefix("track\tUSA") }.map {
        $0 + "\n"
      }.joined(),
      """
      pricetag: not displayed: "car": the product has no price in FRA on 2026-11-21, for it has none there: import one
      pricetag: not displayed: "track": the product has no price in FRA on 2026-11-21, for it has none there: import one
      pricetag: recorded 2 displays of 2 products in 2 storefronts

      """
    ),
    (
      "what cannot be displayed is found", "pricetag record shop.jsonl --storefronts FRA -o g 2>/dev/null", 3,
      "", ""
    ),
    ("nothing changed", "pricetag check prices.golden", 0, same, ""),
    (
      "nothing changed, a golden with CRLF", "sed -i 's/$/\\r/' prices.golden; pricetag check prices.golden",
      0, same, ""
    ),
    ("another folder", "mkdir d; cd d; pricetag check ../prices.golden", 0, same, ""),
    ("a link to the golden's folder", "ln -s . l; pricetag check l/prices.golden", 0, same, ""),
    (
      "a golden in another folder",
      "mkdir d; pricetag record shop.jsonl --storefronts USA --languages en-US --at 2026-11-21 -o d/g 2>/dev/null; grep catalog d/g; cd /; pricetag check \"$OLDPWD/d/g\" | head -1",
      0, "# catalog: ../shop.jsonl\nnothing changed: 2 displays in 1 storefront\n", ""
    ),
    ("standard input", "pricetag check - <prices.golden", 0, same, ""),
    ("another catalogue", "pricetag check prices.golden --catalog other.jsonl", 3, other, accept),
    (
      "another registry",
      "pricetag check prices.golden --locale-data new | grep -v ^now | grep -v '^recorded with'", 0,
      """
      1 of 6 displays changed, in 1 of 3 storefronts
      The registries differ: other locale data (--locale-data), or another version of it.

      class            displays  storefronts
      separators              1  CHE

      storefront        changed  classes
      CHE                1 of 2  separators

      separators: 1 display, CHE
        car in CHE (en-US) (prices.golden:14): display, spoken
          - expected   CHF\\u{A0}1’234.50
          + displayed  CHF\\u{A0}1'234.50
            at 6: U+0027 APOSTROPHE, expected U+2019 RIGHT SINGLE QUOTATION MARK

      """, accept
    ),
    (
      "another day", "pricetag check prices.golden --at 2027-01-01", 0,
      "nothing changed: 6 displays in 3 storefronts\nrecorded with VERSIONS, prices of 2026-11-21\nnow      with VERSIONS, prices of 2027-01-01\n",
      ""
    ),
    (
      "another golden",
      "pricetag record other.jsonl --storefronts CHE,JPN,USA --languages en-US --at 2026-11-21 -o o 2>/dev/null; pricetag check prices.golden --against o",
      3,
      other.replacing("    the catalogue has no such product\n", with: ""), ""
    ),
    (
      "what a shop shows",
      "printf 'identifier;storefront;text\\ncar;US;$4.99\\ncar;CHE;CHF 1’234.50\\ncar;FRA;4,99 €\\n' >s.csv; pricetag check prices.golden --displayed s.csv",
      3,
      """
      2 of 3 displays changed, in 2 of 3 storefronts; 4 more of the golden were not told of
      recorded with VERSIONS, prices of 2026-11-21

      class            displays  storefronts
      new                     1  FRA
      spacing                 1  CHE

      storefront        changed  classes
      FRA                1 of 1  new
      CHE                1 of 1  spacing

      new: 1 display, FRA
        car in FRA (s.csv:4)
          + 4,99 €
          the golden has no such display of the product

      spacing: 1 display, CHE
        car in CHE (s.csv:3): display
          - expected   CHF\\u{A0}1’234.50
          + displayed  CHF 1’234.50
            at 4: U+0020 SPACE, expected U+00A0 NO-BREAK SPACE

      """, ""
    ),
    (
      "a line set aside", "sed -i 's/^car.JPN.*/car/' prices.golden; pricetag check prices.golden", 3,
      """
      1 of 6 displays changed, in 1 of 3 storefronts; 1 line set aside
      recorded and now with VERSIONS, prices of 2026-11-21

      class            displays  storefronts
      new                     1  JPN

      storefront        changed  classes
      JPN                1 of 2  new

      new: 1 display, JPN
        car in JPN (en-US)
          + ￥1,200

      """,
      "pricetag: set aside: prices.golden, line 15: the line has 1 of 12 fields: record the golden again\n"
    ),
    (
      "part of the catalogue set aside", "pricetag check prices.golden --catalog bad.jsonl | head -1", 0,
      "2 of 6 displays changed, in 2 of 3 storefronts\n",
      "pricetag: set aside: bad.jsonl, product \"track\", line 2, price of CHE: 5.001 CHF has more digits than CHF, which has 2: give a price that can be paid; nothing is rounded\npricetag: set aside: bad.jsonl, product \"track\", line 2, price of USA: 5.001 USD has more digits than USD, which has 2: give a price that can be paid; nothing is rounded\n"
    ),
    // --fail-on
    ("only amounts", "pricetag check prices.golden --catalog other.jsonl --fail-on amount", 3, other, accept),
    (
      "only what did not change",
      "pricetag check prices.golden --catalog other.jsonl --fail-on currency,spacing", 0, other, ""
    ),
    ("nothing fails", "pricetag check prices.golden --catalog other.jsonl --fail-on none", 0, other, ""),
    (
      "a line set aside fails all the same",
      "echo junk >>prices.golden; pricetag check prices.golden --fail-on none", 3,
      same.replacing("storefronts\n", with: "storefronts; 1 line set aside\n"),
      "pricetag: set aside: prices.golden, line 20: the line has 1 of 12 fields: record the golden again\n"
    ),
    // Wrong command lines.
    (
      "no such class", "pricetag check prices.golden --fail-on amount,spaces", 2, "",
      "pricetag: The value 'amount,spaces' is invalid for '--fail-on <all|none|classes>': there is no class \"spaces\": give some of amount,currency,gone,symbol,order,digits,separators,grouping,text,new,spacing,direction-marks (pricetag help tells more)\n"
    ),
    (
      "two comparisons", "pricetag check prices.golden --catalog a --against b", 2, "",
      "pricetag: --catalog, --against and --displayed are three comparisons: give one (pricetag help tells more)\n"
    ),
    (
      "a comparison and a day", "pricetag check prices.golden --against prices.golden --at 2026-01-01", 2, "",
      "pricetag: --at, --from, --prices-of, --reinterpret-as and --texts-in are of a catalogue: with --against and --displayed none is read (pricetag help tells more)\n"
    ),
    (
      "standard input twice", "pricetag check - --displayed - <prices.golden", 2, "",
      "pricetag: standard input can be read once: give one - alone (pricetag help tells more)\n"
    ),
    (
      "accepting another golden", "pricetag check prices.golden --accept --against prices.golden", 2, "",
      "pricetag: --accept records a golden's catalogue again: give a golden in a file, and no other comparison (pricetag help tells more)\n"
    ),
    (
      "accepting standard input", "pricetag check - --accept <prices.golden", 2, "",
      "pricetag: --accept records a golden's catalogue again: give a golden in a file, and no other comparison (pricetag help tells more)\n"
    ),
    (
      "no such format", "pricetag check prices.golden --format xml", 2, "",
      "pricetag: The value 'xml' is invalid for '--format <format>'. Please provide one of 'text', 'json', 'github' or 'junit'. (pricetag help tells more)\n"
    ),
    (
      "no golden", "pricetag check", 2, "",
      "pricetag: Missing expected argument '<golden>' (pricetag help tells more)\n"
    ),
    // Work that cannot be done.
    (
      "a golden that is not there", "pricetag check nope.golden", 1, "",
      "pricetag: nope.golden: the file cannot be read: No such file or directory: correct the path\n"
    ),
    (
      "the catalogue has moved", "mv shop.jsonl moved.jsonl; pricetag check prices.golden", 1, "",
      "pricetag: prices.golden: the golden's catalogue, ./shop.jsonl, is not there: give --catalog\n"
    ),
    (
      "a golden of standard input",
      "pricetag record - --from jsonl --storefronts USA -o g <shop.jsonl 2>/dev/null; pricetag check g", 1,
      "",
      "pricetag: g: the golden does not say which catalogue it is of: give --catalog\n"
    ),
    (
      "a storefront that is not known",
      "sed -i 's/CHE JPN/CHE JPX/' prices.golden; pricetag check prices.golden", 1, "",
      "pricetag: prices.golden, storefronts: no storefront is called \"JPX\": give a territory such as USA (did you mean JPN?); pricetag storefronts lists them all\n"
    ),
    (
      "a merge in the header", "sed -i '3i <<<<<<< HEAD' prices.golden; pricetag check prices.golden", 1, "",
      "pricetag: prices.golden, line 3: the line is of a merge that was not resolved: record the golden again, with the version of PriceTag that checks it\n"
    ),
    (
      "no golden at all", "pricetag check shop.jsonl", 1, "",
      "pricetag: shop.jsonl, line 1: the file does not start with \"# PriceTag golden 1\": give a golden, as pricetag record writes it\n"
    ),
    (
      "a golden for a catalogue",
      "pricetag check prices.golden --catalog prices.golden 2>&1 | grep -c ^pricetag", 0, "1\n", ""
    ),
    (
      "recording over the catalogue",
      "pricetag record shop.jsonl -o ./shop.jsonl; code=$?; wc -l <shop.jsonl; exit $code", 1, "2\n",
      "pricetag: ./shop.jsonl: the golden would be written over the catalogue: give another file\n"
    ),
    (
      "recording behind the catalogue",
      "pricetag record shop.jsonl >>shop.jsonl; code=$?; wc -l <shop.jsonl; exit $code", 1, "2\n",
      "pricetag: standard output: the golden would be written over the catalogue: give another file\n"
    ),
    (
      "recording into no folder", "pricetag record shop.jsonl -o nope/g", 1, "",
      "pricetag: \"nope/g\" cannot be written: No such file or directory: create the folder first, or correct the path\n"
    ),
    (
      "recording what is not there",
      "cp prices.golden old; pricetag record nope.jsonl -o prices.golden; code=$?; cmp old prices.golden; exit $code",
      1, "",
      "pricetag: nope.jsonl: the file cannot be read: No such file or directory: correct the path\n"
    ),
  ]

  @Test(arguments: runs)
  func aRun(name: String, line: String, status: Int32, output: String, errors: String) throws {
    let outcome = try shell(line)
    #expect(Self.withoutVersions(outcome.output) == output, "\(name): \(outcome.report)")
    #expect(outcome.errors == errors && outcome.status == status, "\(name): \(outcome.report)")
  }

  // MARK: Accepting

  @Test func acceptingRecordsWithTheGoldensOwnOptions() throws {
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
        nothing changed: 4 displays in 2 storefronts
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

  /// What accepting does with another catalogue, another day, a link, a broken line.
  static let accepting: [(name: String, line: String, output: String)] = [
    (
      "another catalogue is the golden's from then on",
      "mkdir d; pricetag check prices.golden --catalog ./d/../other.jsonl --accept >/dev/null; grep catalog prices.golden; pricetag check prices.golden | head -1",
      "# catalog: other.jsonl\nnothing changed: 3 displays in 3 storefronts\n"
    ),
    (
      "standard input has no name",
      "pricetag check prices.golden --catalog - --from jsonl --accept <other.jsonl >/dev/null; grep -E 'catalog|from' prices.golden",
      "# catalog: shop.jsonl\n# from: jsonl\n"
    ),
    (
      "another day",
      "pricetag check prices.golden --at 2027-01-01 --accept >/dev/null; grep date prices.golden",
      "# date: 2027-01-01\n"
    ),
    (
      "a link stays one",
      "mkdir d; mv prices.golden d/g; ln -s d/g prices.golden; pricetag check prices.golden --catalog other.jsonl --accept >/dev/null; readlink prices.golden; wc -l <d/g",
      "d/g\n16\n"
    ),
    (
      "a line that was set aside is right again",
      "cp prices.golden old; sed -i 's/^car.JPN.*/car/' prices.golden; pricetag check prices.golden --accept >/dev/null; echo $?; cmp old prices.golden && echo same",
      "0\nsame\n"
    ),
    (
      "what cannot be displayed is found",
      "sed -i 's/CHE JPN/CHE FRA JPN/' prices.golden; pricetag check prices.golden --accept >/dev/null; echo $?; wc -l <prices.golden",
      "3\n19\n"
    ),
  ]

  @Test(arguments: accepting)
  func whatAcceptingWrites(name: String, line: String, output: String) throws {
    let outcome = try shell(line)
    #expect(outcome.output == output, "\(name): \(outcome.report)")
  }

  // MARK: Formats

  @Test func theReportIsJSON() throws {
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

  /// What GitHub Actions shows: an annotation a line, whatever stands in the texts.
  @Test func theReportIsForGitHub() throws {
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
        == "::error file=a%25%2C%3Ab.golden,line=1,title=set aside::a%25,:b.golden, line 20: the line has 1 of 12 fields: record the golden again"
    )
    #expect(
      lines[4].hasPrefix(
        "::notice::3 of 6 displays changed, in 3 of 3 storefronts; 1 line set aside. recorded"
      )
    )
  }

  /// JUnit's XML, read again.
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

  @Test func theReportIsJUnits() throws {
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
        1 display gone, such as track in CHE (en-US) "CHF\u{A0}5.00": the catalogue has no such product
        1 display changed in text, such as the name of car in CHE (en-US): "Car <b>&\"'" is now "Car <i>&\"'"
        """#
      ),
      "\(outcome.report)"
    )
  }

  @Test func junitTellsWhatPassesAndWhatWasSetAside() throws {
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
    #expect(report.cases.map(\.name) == ["CHE", "JPN", "USA", "lines that can be read"])
    #expect(report.cases.map(\.failure) == [nil, nil, nil, "set-aside: 1 line set aside"])
    #expect(report.cases[2].text.contains("1 display changed in amount"), "\(outcome.report)")
    #expect(report.cases[3].text.contains("prices.golden, line 20"), "\(outcome.report)")
  }

  // MARK: What is hostile or breaks off

  /// Files that are no goldens: one message each, soon.
  static let junk: [(name: String, make: String, message: String)] = [
    ("50 MB in a line", "head -c 50000000 /dev/zero | tr '\\0' x", "does not start with|more than 16 MB"),
    ("50 MB of lines", "yes | head -c 50000000", "line 1: the file does not start with"),
    ("zeros", "head -c 50000000 /dev/zero", "the file is UTF-16|more than 16 MB"),
    ("random bytes", "head -c 50000000 /dev/urandom", "does not start with|UTF-16"),
    (
      "50 MB of lines behind a header", "head -13 prices.golden; yes | head -c 50000000",
      "more than 100000 lines are none"
    ),
    (
      "50 MB in a line behind a header", "head -13 prices.golden; head -c 50000000 /dev/zero | tr '\\0' x",
      "line 14: the line has more than 16 MB"
    ),
    (
      "zeros behind a header", "head -13 prices.golden; head -c 50000000 /dev/zero",
      "line 14: the line has more than 16 MB"
    ),
    ("a folder", "true", "the file cannot be read"),
  ]

  @Test(arguments: junk)
  func junkIsOneMessage(name: String, make: String, message: String) throws {
    let outcome = try shell(
      """
      { \(make); } >junk 2>/dev/null
      \(name == "a folder" ? "rm junk; mkdir junk" : ":")
      timeout 120 pricetag check junk --catalog shop.jsonl
      """
    )
    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(name): \(outcome.report.prefix(2000))")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(name): \(outcome.report.prefix(2000))")
    #expect(
      try outcome.errors.contains(Regex("^pricetag: junk[,/:].*(\(message))")),
      "\(name): \(outcome.report.prefix(2000))"
    )
  }

  @Test func wrongLinesAreToldInFew() throws {
    let outcome = try shell(
      "yes | head -50 >>prices.golden; yes '\t' | head -c 200000 | tr '\\n' '\t' >>prices.golden; pricetag check prices.golden"
    )
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 21 && lines.last == "pricetag: … and 31 more", "\(outcome.report)")
    #expect(
      outcome.status == 3 && outcome.output.hasPrefix("nothing changed: 6 displays"),
      "\(outcome.report)"
    )
  }

  /// The process is killed while it records: the old golden is as it was, and nothing lies beside it.
  @Test func aKilledRecordLeavesTheOldGolden() throws {
    let outcome = try shell(
      """
      cp prices.golden old
      for ((i = 0; i < 3000; i++)); do echo '{"productIdentifier":"p'$i'","localizations":{"en-US":{"name":"P"}},"prices":{"USA":"1.00","JPN":"100"}}'; done >many.jsonl
      pricetag import many.jsonl --into many.pricetag --quiet 2>/dev/null
      pricetag record many.pricetag --storefronts USA,JPN -o prices.golden 2>/dev/null &
      sleep 0.5; kill -KILL $!; wait $! 2>/dev/null; code=$?
      [ $code = 137 ] && { cmp old prices.golden; ls; }
      exit 0
      """
    )
    #expect(
      outcome.output.isEmpty
        || outcome.output.split(separator: "\n").filter { !$0.hasPrefix("many.pricetag") } == [
          "bad.jsonl", "many.jsonl", "new", "old", "other.jsonl", "prices.golden", "shop.jsonl",
        ],
      "\(outcome.report)"
    )
  }

  @Test func aClosedPipeEndsSilently() throws {
    let outcome = try shell(
      "pricetag record shop.jsonl --storefronts USA 2>/dev/null | true; echo ${PIPESTATUS[0]}"
    )
    #expect(["0\n", "141\n"].contains(outcome.output) && outcome.errors.isEmpty, "\(outcome.report)")
  }
}
