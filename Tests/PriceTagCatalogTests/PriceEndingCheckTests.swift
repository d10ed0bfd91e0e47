import CatalogSamples
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import Testing

@Suite struct PriceEndingCheckTests {
  private static func rules(_ json: String) throws -> PriceEndingRules {
    try PriceEndingRules(CatalogFile(name: "rules.json", bytes: Array(json.utf8)))
  }

  // MARK: Rules

  static let entries: [(currency: String, rule: String?)] = [
    ("USD", ".99, .95"), ("JPY", "x0, x9"), ("KWD", ".990, .500"), ("CHF", nil), ("EUR", "/5"), ("KRW", "/5"),
  ]

  @Test(arguments: entries)
  func findsTheRuleOfACurrency(currency: String, rule: String?) throws {
    let rules = try Self.rules(
      """
      {"schema": 1, "rules": {"USD": [".99", ".95"], "jpy": ["x0", "x9"], "KWD": [".990", ".500"], "CHF": null,
        "*": ["/5"]}}
      """
    )
    #expect(try rules.rule(for: Currency(currency))?.description == rule)
  }

  @Test func checksNoOtherCurrencyWithoutADefault() throws {
    let rules = try Self.rules(#"{"schema": 1, "rules": {"USD": [".99"]}}"#)
    #expect(try rules.rule(for: Currency("EUR")) == nil)
  }

  static let malformed: [(json: String, code: CatalogErrorCode, message: String)] = [
    (
      #"{"schema": 1, "rules": {"USD": ["99"]}}"#, .invalidField,
      #"rules.json, line 1, rule "USD": "99" is not a price ending; write an ending such as .99, .x9, x9, x90 or x4.50, or a step such as /5"#
    ),
    (
      "{\"schema\": 1, \"rules\": {\n\"USD\": [\".99\"],\n\"JPY\": [\"x9\", \".99\"]}}", .tooManyDigits,
      #"rules.json, line 3, rule "JPY": the ending ".99" has more decimals than the minor unit of JPY (0); remove the ending"#
    ),
    (
      #"{"schema": 1, "rules": {"USX": [".99"]}}"#, .unknownCurrency,
      #"rules.json, line 1, rule "USX": unknown currency "USX"; use an ISO 4217 code such as "USD""#
    ),
    (
      #"{"schema": 1, "rules": {"USD": [".99"], "usd": [".95"]}}"#, .duplicate,
      #"rules.json, line 1, rule "usd": the currency has two rules; remove one"#
    ),
    (
      #"{"schema": 1, "rules": {"USD": []}}"#, .invalidField,
      #"rules.json, line 1, rule "USD": a rule for price endings cannot have 0 endings; use 1 to 100 endings"#
    ),
    (
      #"{"schema": 1, "rules": {"USD": ".99"}}"#, .invalidField,
      #"rules.json, line 1, rule "USD": the rule is a string, not an array; write an array of endings such as [".99"], or null to allow all prices"#
    ),
    (
      #"{"schema": 1, "rules": {"USD": [0.99]}}"#, .invalidField,
      #"rules.json, line 1, rule "USD": an ending is a number, not a string; write endings such as ".99""#
    ),
    (
      #"{"schema": 1, "rules": {}}"#, .invalidField,
      #"rules.json, field "rules": the field "rules" is not an object with rules; write rules by currency, such as {"USD": [".99"]}"#
    ),
    (
      #"{"rules": {"USD": [".99"]}}"#, .unknownVersion,
      #"rules.json, field "schema": the file does not have the schema 1; write "schema": 1, or use a later version of PriceTag"#
    ),
    (
      "{\"schema\": 1,\n\"rule\": {\"USD\": [\".99\"]}}", .invalidField,
      #"rules.json, line 2: unknown field "rule"; did you mean "rules"?"#
    ),
    (
      "[]", .malformedFile,
      #"rules.json: the file contains an array, not an object; write {"schema": 1, "rules": {…}}"#
    ),
    (
      #"{"schema": 1, "rules": {"USD": [".99"}}"#, .malformedFile,
      #"rules.json, line 1, column 38: expected "," or "]", not "}"; correct the JSON"#
    ),
  ]

  @Test(arguments: malformed)
  func rejectsMalformedRules(json: String, code: CatalogErrorCode, message: String) throws {
    let error = #expect(throws: CatalogError.self) { try Self.rules(json) }
    #expect(error?.code == code)
    #expect(error?.description == message)
  }

  @Test func rejectsTooLargeFiles() throws {
    let text = #"{"schema": 1, "rules": {"USD": [".99"]}}"# + String(repeating: " ", count: 1 << 20)
    let error = #expect(throws: CatalogError.self) { try Self.rules(text) }
    #expect(error?.code == .tooLarge)
  }

  @Test func reportsADefaultThatDoesNotFitACurrency() throws {
    let rules = try Self.rules(#"{"schema": 1, "rules": {"*": [".99"]}}"#)
    #expect(try rules.rule(for: Currency("EUR"))?.description == ".99")
    let error = #expect(throws: CatalogError.self) { try rules.rule(for: Currency("JPY")) }
    #expect(
      error?.description
        == #"rules.json, rule "*": the ending ".99" has more decimals than the minor unit of JPY (0); add a rule for JPY, or null to allow all of its prices"#
    )
  }

  // MARK: Checks

  private static let standardRules =
    #"{"schema": 1, "rules": {"USD": [".99"], "JPY": ["x0", "x9"], "EGP": [".99"], "EUR": [".99"], "BGN": [".x9"], "CHF": null}}"#

  /// The findings of a catalog, with `~` for direction isolates.
  private static func findings(
    _ products: [String],
    at date: String = "2026-10-01",
    storefronts: [String]? = nil,
    correcting direction: PriceEndingRule.Direction? = nil
  ) throws -> (lines: [String], check: PriceEndingCheck, exported: String) {
    let catalog = try Catalog()
    try catalog.importFiles([
      CatalogFile(name: "shop.jsonl", bytes: Array(products.joined(separator: "\n").utf8))
    ])
    let check = PriceEndingCheck(
      try rules(standardRules),
      storefronts: try storefronts?.map { try Storefront($0) } ?? LocaleData.embedded.storefronts,
      at: try .date(CalendarDate(date))
    )
    var (lines, exported) = ([String](), "")
    try catalog.export(
      as: .jsonl,
      to: { exported += $0 },
      changing: { (item) throws(CatalogError) in
        try check.check(item, correcting: direction) { finding in
          lines.append(
            finding.description.replacing("\u{2068}", with: "").replacing("\u{2069}", with: "")
          )
        }
      }
    )
    return (lines, check, exported)
  }

  static let checks: [(products: [String], date: String, findings: [String])] = [
    ([#"{"productIdentifier":"a","prices":{"USA":"4.99","EGY":"1.99","JPN":"1209"}}"#], "2026-10-01", []),
    (
      [#"{"productIdentifier":"a","prices":{"USA":"4.50","EGY":"1.75","JPN":"1203"}}"#], "2026-10-01",
      [
        "a in EGY: \u{200F}١٫٧٥\u{A0}ج.م.\u{200F} does not end as the rule for EGP requires (.99); use \u{200F}٠٫٩٩\u{A0}ج.م.\u{200F} or \u{200F}١٫٩٩\u{A0}ج.م.\u{200F}",
        "a in JPN: ￥1,203 does not end as the rule for JPY requires (x0, x9); use ￥1,200 or ￥1,209",
        "a in USA: $4.50 does not end as the rule for USD requires (.99); use $3.99 or $4.99",
      ]
    ),
    // A free product has no ending. There is no positive amount below 0.50.
    (
      [#"{"productIdentifier":"a","prices":{"USA":"0.00","CAN":"1.00","DEU":"0.50"}}"#], "2026-10-01",
      ["a in DEU: 0,50\u{A0}€ does not end as the rule for EUR requires (.99); use 0,99\u{A0}€"]
    ),
    // A currency without rule, and one with null.
    ([#"{"productIdentifier":"a","prices":{"GBR":"1.23","CHE":"4.56"}}"#], "2026-10-01", []),
    // Scheduled prices. The price that has ended is not checked.
    (
      [
        #"{"productIdentifier":"a","prices":{"USA":[{"amount":"1.11","until":"2026-01-31"},{"amount":"2.22","from":"2026-02-01","until":"2026-12-31"},{"amount":"3.33","from":"2027-01-01"}]}}"#
      ],
      "2026-10-01",
      [
        "a in USA from 2026-02-01 until 2026-12-31: $2.22 does not end as the rule for USD requires (.99); use $1.99 or $2.99",
        "a in USA from 2027-01-01: $3.33 does not end as the rule for USD requires (.99); use $2.99 or $3.99",
      ]
    ),
    // Bulgaria's currency changes on 2026-01-01.
    (
      [
        #"{"productIdentifier":"a","prices":{"BGR":[{"amount":"1.95","currency":"BGN","until":"2025-12-31"},{"amount":"1.00","currency":"EUR","from":"2026-01-01"}]}}"#
      ],
      "2025-12-31",
      [
        "a in BGR until 2025-12-31: BGN\u{A0}1.95 does not end as the rule for BGN requires (.x9); use BGN\u{A0}1.89 or BGN\u{A0}1.99",
        "a in BGR from 2026-01-01: €1.00 does not end as the rule for EUR requires (.99); use €0.99 or €1.99",
      ]
    ),
    (
      [
        #"{"productIdentifier":"a","prices":{"BGR":[{"amount":"1.95","currency":"BGN","until":"2025-12-31"},{"amount":"1.00","currency":"EUR","from":"2026-01-01"}]}}"#
      ],
      "2026-01-01",
      [
        "a in BGR from 2026-01-01: €1.00 does not end as the rule for EUR requires (.99); use €0.99 or €1.99"
      ]
    ),
    // Tiers and offers, and the price locale of a product.
    (
      [
        #"{"type":"tier","tier":"3","prices":{"USA":"3.00","JPN":"300"}}"#,
        #"{"productIdentifier":"b","kind":"auto-renewable-subscription","subscriptionPeriod":"P1M","tier":"3","priceLocales":{"USA":"es-US"},"offers":[{"kind":"introductory","paymentMode":"pay-as-you-go","period":"P1M","prices":{"USA":"1.50"}},{"kind":"promotional","identifier":"spring","paymentMode":"pay-up-front","period":"P1Y","prices":{"JPN":"2001"}}]}"#,
      ],
      "2026-10-01",
      [
        "tier \"3\" in USA: $3.00 does not end as the rule for USD requires (.99); use $2.99 or $3.99",
        "b, introductory offer in USA: $1.50 does not end as the rule for USD requires (.99); use $0.99 or $1.99",
        "b, promotional offer \"spring\" in JPN: ￥2,001 does not end as the rule for JPY requires (x0, x9); use ￥2,000 or ￥2,009",
      ]
    ),
  ]

  @Test(arguments: checks)
  func reportsPrices(products: [String], date: String, findings: [String]) throws {
    let (lines, check, _) = try Self.findings(products, at: date)
    #expect(lines == findings)
    #expect(check.findingCount == findings.count)
    #expect(check.correctedCount == 0)
  }

  @Test func countsPrices() throws {
    let product = #"{"productIdentifier":"a","prices":{"USA":"0.00","CHE":"1.00","JPN":"1203","GBR":"1.00"}}"#
    let all = try Self.findings([product]).check
    #expect(all.checkedCount == 2)
    #expect(all.uncheckedCount == 2)
    #expect(all.findingCount == 1)
    let some = try Self.findings([product], storefronts: ["USA", "CHE"]).check
    #expect(some.checkedCount == 1)
    #expect(some.uncheckedCount == 1)
    #expect(some.findingCount == 0)
  }

  static let corrections: [(direction: PriceEndingRule.Direction, prices: String, corrected: Int)] = [
    (.up, #"{"CHE":"1.23","EGY":"1.99","JPN":"1209","USA":"0.99"}"#, 3),
    (.down, #"{"CHE":"1.23","EGY":"0.99","JPN":"1200","USA":"0.50"}"#, 2),
    (.nearest, #"{"CHE":"1.23","EGY":"1.99","JPN":"1200","USA":"0.99"}"#, 3),
  ]

  @Test(arguments: corrections)
  func correctsPrices(direction: PriceEndingRule.Direction, prices: String, corrected: Int) throws {
    let product =
      #"{"type":"product","productIdentifier":"a","prices":{"CHE":"1.23","EGY":"1.75","JPN":"1203","USA":"0.50"}}"#
    let (lines, check, exported) = try Self.findings([product], correcting: direction)
    #expect(exported == #"{"type":"product","productIdentifier":"a","prices":\#(prices)}"# + "\n")
    #expect(lines.count == 3)
    #expect(lines.count { $0.contains("; corrected to ") } == corrected)
    #expect(check.correctedCount == corrected)
    // A corrected catalog has only the findings that could not be corrected.
    #expect(try Self.findings([exported]).check.findingCount == 3 - corrected)
  }

  @Test func correctsTiersAndOffersAndKeepsOtherData() throws {
    let lines = [
      #"{"type":"tier","tier":"3","prices":{"JPN":"300","USA":"3.00"}}"#,
      #"{"type":"category","identifier":"fuel","names":{"en-US":"Fuel"}}"#,
      #"{"type":"product","productIdentifier":"b","kind":"auto-renewable-subscription","subscriptionPeriod":"P1M","localizations":{"en-US":{"name":"Fuel"}},"tier":"3","offers":[{"kind":"introductory","paymentMode":"pay-as-you-go","period":"P1M","prices":{"USA":"1.50"}}],"approved":false}"#,
    ]
    let unchanged = try Self.findings(lines).exported
    #expect(unchanged == lines.map { $0 + "\n" }.joined())
    let corrected = try Self.findings(lines, correcting: .up).exported
    #expect(
      corrected
        == unchanged.replacing("\"3.00\"", with: "\"3.99\"").replacing("\"1.50\"", with: "\"1.99\"")
    )
  }

  @Test func writesFindingsAsJSON() throws {
    let catalog = try Catalog()
    try catalog.importFiles([
      lines(
        #"{"type":"tier","tier":"3","prices":{"USA":"0.50"}}"#,
        #"{"productIdentifier":"b","prices":{"JPN":{"amount":"1203","until":"2026-12-31"}}}"#
      )
    ])
    let check = PriceEndingCheck(
      try Self.rules(Self.standardRules),
      storefronts: LocaleData.embedded.storefronts,
      at: try .date(CalendarDate("2026-10-01"))
    )
    var found: [String] = []
    try catalog.forEachItem { (item) throws(CatalogError) in
      try check.check(item, correcting: .down) { found.append($0.json) }
    }
    #expect(
      found == [
        #"{"tier":"3","storefront":"USA","currency":"USD","amount":"0.50","display":"$0.50","rule":"USD","endings":[".99"],"below":null,"above":{"amount":"0.99","display":"$0.99"}}"#,
        #"{"productIdentifier":"b","storefront":"JPN","currency":"JPY","until":"2026-12-31","amount":"1203","display":"￥1,203","rule":"JPY","endings":["x0","x9"],"below":{"amount":"1200","display":"￥1,200"},"above":{"amount":"1209","display":"￥1,209"},"correction":{"amount":"1200","display":"￥1,200"}}"#,
      ]
    )
  }

  @Test func writesAmountsThatAStoreDoesNotDisplayAsText() throws {
    let overrides =
      #"{"schema": 1, "overrides": [{"storefront": "USA", "digits": 0, "reason": "prices without cents"}]}"#
    let folder = try ScratchFolder(["currency-overrides.json": overrides])
    let localeData = try LocaleData(folder: folder.path)
    let catalog = try Catalog(localeData: localeData)
    try catalog.importFiles([lines(#"{"productIdentifier":"a","prices":{"USA":"4.50"}}"#)])
    let check = PriceEndingCheck(
      try Self.rules(#"{"schema": 1, "rules": {"USD": [".00", ".90"]}}"#),
      storefronts: [try Storefront("USA", in: localeData)]
    )
    var found: [PriceEndingFinding] = []
    try catalog.forEachItem { (item) throws(CatalogError) in try check.check(item) { found.append($0) } }
    #expect(found.map(\.display) == ["4.50 USD"])
    #expect(found.map { $0.below?.display } == ["$4"])
    #expect(found.map { $0.above?.display } == ["4.90 USD"])
  }
}
