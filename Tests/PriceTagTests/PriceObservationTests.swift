import PriceTag
import Testing

@Suite struct PriceObservationTests {
  private static func read(_ entries: String) throws(PriceTagError) -> PriceObservations {
    try PriceObservations(
      json: Array(
        "{\"schema\":1,\"sources\":{\"s\":\"a source\",\"t\":\"another\"},\"observations\":[\n\(entries)\n]}"
          .utf8
      )
    )
  }

  static func entry(
    _ changes: [String: String] = [:],
    prices: String = #"{"4.99":"$4.99"}"#
  ) -> String {
    var fields = [
      "storefront": #""USA""#, "currency": #""USD""#, "interface": #""web-page""#, "language": #""en""#,
      "from": #""2026-01-01""#, "until": #""2026-01-02""#, "source": #""s""#, "verified": "false",
      "prices": prices,
    ]
    for (name, value) in changes { fields[name] = value.isEmpty ? nil : value }
    return "{" + fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
      + "}"
  }

  @Test func readsEmbeddedFile() throws {
    let observations = try PriceObservations.embedded.get()
    #expect(observations.sources.count >= 8)
    #expect(observations.of("USA").contains { $0.interface == .webPage && $0.isVerified })
    #expect(observations.of("DEU").allSatisfy { $0.storefront == "DEU" })
    #expect(observations.of("DEU").count > 2)
  }

  @Test(
    arguments: [
      (entry(["storefront": #""US""#]), "unknown storefront \"US\""),
      (entry(["storefront": #""XYZ""#]), "unknown storefront \"XYZ\""),
      (entry(["currency": #""usd""#]), "unknown currency \"usd\""),
      (entry(["interface": #""fax""#]), "unknown interface \"fax\""),
      (entry(["language": #""e""#]), "\"e\" is not a BCP 47 tag"),
      (entry(["source": #""u""#]), "unknown source \"u\""),
      (
        entry(["until": #""2025-12-31""#]), "the period has no first or no last day, or ends before it starts"
      ),
      (entry(["from": ""]), "the period has no first or no last day, or ends before it starts"),
      (entry(["verified": #""yes""#]), "the field \"verified\" must be true or false, not a string"),
      (entry(prices: "{}"), "there are no prices"),
      (entry(prices: #"{"x":"$1"}"#), "\"x\" is not an amount"),
      (entry(prices: #"{"-1":"-$1"}"#), "\"-1\" is not an amount"),
      (entry(prices: #"{"1":"$1.00","1.0":"$1.00"}"#), "the amount 1.0 appears twice"),
      (entry(prices: #"{"1":""}"#), "the text of 1 is empty, or longer than 64 bytes"),
      (
        entry(prices: "{\"1\":\"\(String(repeating: "$", count: 65))\"}"),
        "the text of 1 is empty, or longer than 64 bytes"
      ),
      (entry(prices: #"{"1":"$\u0007"}"#), "the text \"$\\u{7}\" has a control character"),
      (entry(["colour": "1"]), "unknown field \"colour\""),
      (
        entry() + ",\n" + entry(["until": #""2026-03-01""#]),
        "the dates overlap those of another observation with the same interface, language and source (2026-01-01 to 2026-01-02)"
      ),
    ]
  )
  func rejects(entries: String, problem: String) {
    let error = #expect(throws: PriceTagError.self) { try Self.read(entries) }
    #expect(error?.code == .invalidLocaleData)
    #expect(error?.problem.hasPrefix(problem) == true, "\(error?.description ?? "")")
    #expect(error?.place.hasPrefix("observations.json, line ") == true)
  }

  /// Texts that contradict each other in the same interface, language and period; other languages, periods and interfaces
  /// do not.
  @Test func findsContradictions() throws {
    let euro = Self.entry(["source": #""t""#], prices: #"{"4.99":"4,99 $"}"#)
    let contradiction = try Self.read(Self.entry() + ",\n" + euro)
    let error = #expect(throws: PriceTagError.self) {
      try StorefrontEvidence(of: Storefront("USA"), on: .todayInUTC, from: contradiction.of("USA"))
    }
    #expect(
      error?.description
        == "observations.json: observations of USA contradict each other in position: \"before\" in USA, USD, web-page, en, of the source \"s\", \"after\" in USA, USD, web-page, en, of the source \"t\"; correct one, or give them different interfaces, languages or periods"
    )
    for change in [
      ["language": #""fr""#], ["interface": #""lookup""#],
      ["from": #""2027-01-01""#, "until": #""2027-01-01""#],
    ] {
      let other = Self.entry(change.merging(["source": #""t""#]) { $1 }, prices: #"{"4.99":"4,99 $"}"#)
      _ = try StorefrontEvidence(
        of: Storefront("USA"),
        on: .todayInUTC,
        from: Self.read(Self.entry() + ",\n" + other).of("USA")
      )
    }
  }

  @Test func collectsEvidence() throws {
    let date = try CalendarDate("2026-10-10")
    let hungary = try StorefrontEvidence(of: Storefront("HUN"), on: date)
    #expect(hungary.agreement == .different)
    #expect(hungary.priceLocaleBasis == "rule")
    let properties = try #require(hungary.forms.first).properties
    #expect(
      properties.map { "\($0.name) \($0.value) \($0.basis.rawValue)" } == [
        "position before observed", "symbol HUF observed", "space  observed", "decimal . observed",
        "decimals 2 observed", "group , observed", "wholeAmounts with decimals observed",
        "minimumGrouping 1 observed",
        "secondaryGroupSize 3 observed",
      ]
    )
    let macao = try StorefrontEvidence(of: Storefront("MAC"), on: date)
    #expect(
      macao.forms.first?.properties.filter { $0.basis == .inferred }.map(\.name)
        == ["group", "minimumGrouping", "secondaryGroupSize"]
    )
    #expect(
      try StorefrontEvidence(of: Storefront("TWN"), on: date).forms.map(\.language) == ["en", "zh-Hant"]
    )
    #expect(try StorefrontEvidence(of: Storefront("IDN"), on: date).problem != nil)
    #expect(try StorefrontEvidence(of: Storefront("USA"), on: date).agreement == .same)
  }
}
