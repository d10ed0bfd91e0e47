import PriceTag
import SeededNumbers
import Testing

@Suite struct PriceEndingTests {
  /// A rule, an amount, whether the rule allows it, and the closest allowed amounts below and above.
  static let amounts: [(rule: String, amount: String, isAllowed: Bool, below: String?, above: String?)] = [
    (".99", "4.99", true, "3.99", "5.99"),
    (".99", "4.98", false, "3.99", "4.99"),
    (".99", "5.00", false, "4.99", "5.99"),
    (".99", "4.5", false, "3.99", "4.99"),
    (".99", "0.99", true, nil, "1.99"),
    (".99", "0.98", false, nil, "0.99"),
    (".99", "0.50", false, nil, "0.99"),
    (".99", "0.00", true, nil, "0.99"),
    (".99", "-1.00", false, nil, "0.99"),
    (".99", "1", false, "0.99", "1.99"),
    (".99", "123456789012345.99", true, "123456789012344.99", "123456789012346.99"),
    (".99", "99.990", true, "98.990", "100.990"),
    (".99", "92233720368547758.07", false, "92233720368547757.99", nil),
    (".99", "9223372036854775807", false, nil, nil),
    (".99 .95", "4.99", true, "4.95", "5.95"),
    (".99 .95", "4.95", true, "3.99", "4.99"),
    (".99 .95", "4.96", false, "4.95", "4.99"),
    (".99 .95", "4.97", false, "4.95", "4.99"),
    (".99 .95", "5.00", false, "4.99", "5.95"),
    (".99 .95", "0.95", true, nil, "0.99"),
    (".99 .95", "0.94", false, nil, "0.95"),
    (".99 .95", "0", true, nil, "0.95"),
    (".99 .95", "-0.01", false, nil, "0.95"),
    (".99 .95", "1234567.90", false, "1234566.99", "1234567.95"),
    (".99 .95", "10", false, "9.99", "10.95"),
    ("x9", "1209", true, "1199", "1219"),
    ("x9", "1203", false, "1199", "1209"),
    ("x9", "9", true, nil, "19"),
    ("x9", "8", false, nil, "9"),
    ("x9", "10", false, "9", "19"),
    ("x9", "0", true, nil, "9"),
    ("x9", "-9", false, nil, "9"),
    ("x9", "19", true, "9", "29"),
    ("x9", "99", true, "89", "109"),
    ("x9", "100", false, "99", "109"),
    ("x9", "9.00", true, nil, "19.00"),
    ("x9", "9.99", false, "9.00", "19.00"),
    ("x9", "9223372036854775799", true, "9223372036854775789", nil),
    ("x9", "9223372036854775807", false, "9223372036854775799", nil),
    ("x90", "1290", true, "1190", "1390"),
    ("x90", "1200", false, "1190", "1290"),
    ("x90", "1299", false, "1290", "1390"),
    ("x90", "90", true, nil, "190"),
    ("x90", "89", false, nil, "90"),
    ("x90", "91", false, "90", "190"),
    ("x90", "190", true, "90", "290"),
    ("x90", "0", true, nil, "90"),
    ("x90", "-90", false, nil, "90"),
    ("x90", "100", false, "90", "190"),
    ("x90", "1000000", false, "999990", "1000090"),
    ("x90", "90.50", false, "90.00", "190.00"),
    ("x0 x9", "1200", true, "1199", "1209"),
    ("x0 x9", "1209", true, "1200", "1210"),
    ("x0 x9", "1203", false, "1200", "1209"),
    ("x0 x9", "1205", false, "1200", "1209"),
    ("x0 x9", "1210", true, "1209", "1219"),
    ("x0 x9", "9", true, nil, "10"),
    ("x0 x9", "10", true, "9", "19"),
    ("x0 x9", "5", false, nil, "9"),
    ("x0 x9", "0", true, nil, "9"),
    ("x0 x9", "-3", false, nil, "9"),
    ("x0 x9", "11", false, "10", "19"),
    ("x0 x9", "1219", true, "1210", "1220"),
    ("/5", "1200", true, "1195", "1205"),
    ("/5", "1203", false, "1200", "1205"),
    ("/5", "1205", true, "1200", "1210"),
    ("/5", "5", true, nil, "10"),
    ("/5", "4", false, nil, "5"),
    ("/5", "6", false, "5", "10"),
    ("/5", "0", true, nil, "5"),
    ("/5", "-5", false, nil, "5"),
    ("/5", "2.50", false, nil, "5.00"),
    ("/5", "7.25", false, "5.00", "10.00"),
    ("/5", "9223372036854775805", true, "9223372036854775800", nil),
    ("/5", "9223372036854775807", false, "9223372036854775805", nil),
    ("/0.25", "4.25", true, "4.00", "4.50"),
    ("/0.25", "4.30", false, "4.25", "4.50"),
    ("/0.25", "4.99", false, "4.75", "5.00"),
    ("/0.25", "0.25", true, nil, "0.50"),
    ("/0.25", "0.24", false, nil, "0.25"),
    ("/0.25", "0.10", false, nil, "0.25"),
    ("/0.25", "0.00", true, nil, "0.25"),
    ("/0.25", "-0.25", false, nil, "0.25"),
    ("/0.25", "5", true, "4.75", "5.25"),
    ("/0.25", "100000.75", true, "100000.50", "100001.00"),
    ("/0.25", "2.125", false, "2.000", "2.250"),
    (".x9", "4.99", true, "4.89", "5.09"),
    (".x9", "4.49", true, "4.39", "4.59"),
    (".x9", "4.50", false, "4.49", "4.59"),
    (".x9", "4.4", false, "4.39", "4.49"),
    (".x9", "0.09", true, nil, "0.19"),
    (".x9", "0.08", false, nil, "0.09"),
    (".x9", "0.10", false, "0.09", "0.19"),
    (".x9", "0", true, nil, "0.09"),
    (".x9", "-0.09", false, nil, "0.09"),
    (".x9", "5.00", false, "4.99", "5.09"),
    (".x9", "12.345", false, "12.290", "12.390"),
    (".990 .500", "1.990", true, "1.500", "2.500"),
    (".990 .500", "1.500", true, "0.990", "1.990"),
    (".990 .500", "1.250", false, "0.990", "1.500"),
    (".990 .500", "1.991", false, "1.990", "2.500"),
    (".990 .500", "0.500", true, nil, "0.990"),
    (".990 .500", "0.499", false, nil, "0.500"),
    (".990 .500", "0.125", false, nil, "0.500"),
    (".990 .500", "0.000", true, nil, "0.500"),
    (".990 .500", "-1.500", false, nil, "0.500"),
    (".990 .500", "10", false, "9.99", "10.5"),
    (".990 .500", "2.75", false, "2.50", "2.99"),
    (".xx5", "1.995", true, "1.985", "2.005"),
    (".xx5", "1.990", false, "1.985", "1.995"),
    (".xx5", "1.000", false, "0.995", "1.005"),
    (".xx5", "0.005", true, nil, "0.015"),
    (".xx5", "0.004", false, nil, "0.005"),
    (".xx5", "0.006", false, "0.005", "0.015"),
    (".xx5", "0.000", true, nil, "0.005"),
    (".xx5", "-0.005", false, nil, "0.005"),
    (".xx5", "7", false, "6.995", "7.005"),
    (".xx5", "3.1", false, "3.095", "3.105"),
    (".xx5", "3.115", true, "3.105", "3.125"),
    ("x4.50 /100", "14.50", true, "4.50", "24.50"),
    ("x4.50 /100", "4.50", true, nil, "14.50"),
    ("x4.50 /100", "4.49", false, nil, "4.50"),
    ("x4.50 /100", "14.49", false, "4.50", "14.50"),
    ("x4.50 /100", "99.99", false, "94.50", "100.00"),
    ("x4.50 /100", "100", true, "94.5", "104.5"),
    ("x4.50 /100", "100.00", true, "94.50", "104.50"),
    ("x4.50 /100", "95", false, "94.5", "100"),
    ("x4.50 /100", "0.00", true, nil, "4.50"),
    ("x4.50 /100", "-4.50", false, nil, "4.50"),
    ("x4.50 /100", "200", true, "194.5", "204.5"),
    ("x4.50 /100", "194.50", true, "184.50", "200.00"),
  ]

  private static func rule(_ text: String) throws -> PriceEndingRule {
    try PriceEndingRule(text.split(separator: " ").map(String.init))
  }

  @Test(arguments: amounts)
  func proposesTheClosestAmounts(
    rule: String,
    amount: String,
    isAllowed: Bool,
    below: String?,
    above: String?
  ) throws {
    let (rule, amount) = (try Self.rule(rule), try Amount(decimal: amount))
    #expect(rule.allows(amount) == isAllowed)
    #expect(rule.amount(below: amount)?.description == below)
    #expect(rule.amount(above: amount)?.description == above)
  }

  static let corrections: [(rule: String, amount: String, up: String?, down: String?, nearest: String?)] = [
    (".99", "4.99", "4.99", "4.99", "4.99"),
    (".99", "4.50", "4.99", "3.99", "4.99"),
    (".99", "4.48", "4.99", "3.99", "3.99"),
    (".99", "4.49", "4.99", "3.99", "3.99"),
    (".99", "0.50", "0.99", nil, "0.99"),
    (".99", "0.00", "0.00", "0.00", "0.00"),
    (".99", "-3.00", "0.99", nil, "0.99"),
    (".99", "92233720368547758.07", nil, "92233720368547757.99", "92233720368547757.99"),
    (".99", "9223372036854775807", nil, nil, nil),
    ("x0 x9", "1203", "1209", "1200", "1200"),
    ("x0 x9", "1205", "1209", "1200", "1209"),
    ("/5", "1202", "1205", "1200", "1200"),
    ("/5", "1202.50", "1205.00", "1200.00", "1200.00"),
    ("/5", "1202.51", "1205.00", "1200.00", "1205.00"),
    (".990 .500", "1.745", "1.990", "1.500", "1.500"),
    (".990 .500", "1.746", "1.990", "1.500", "1.990"),
  ]

  @Test(arguments: corrections)
  func correctsInADirection(rule: String, amount: String, up: String?, down: String?, nearest: String?) throws
  {
    let (rule, amount) = (try Self.rule(rule), try Amount(decimal: amount))
    #expect(rule.corrected(amount, .up)?.description == up)
    #expect(rule.corrected(amount, .down)?.description == down)
    #expect(rule.corrected(amount, .nearest)?.description == nearest)
  }

  static let endings: [(text: String, offset: String, step: String, decimals: Int)] = [
    (".99", "0.99", "1", 2),
    (".90", "0.9", "1", 1),
    (".00", "0", "1", 0),
    (".x9", "0.09", "0.1", 2),
    (".xx5", "0.005", "0.01", 3),
    ("x9", "9", "10", 0),
    ("x0", "0", "10", 0),
    ("x90", "90", "100", 0),
    ("x09", "9", "100", 0),
    ("x4.50", "4.5", "10", 1),
    ("/5", "0", "5", 0),
    ("/0.25", "0", "0.25", 2),
    ("/10.00", "0", "10", 0),
    ("x999999999999999999", "999999999999999999", "1000000000000000000", 0),
    (".000000000000000001", "0.000000000000000001", "1", 18),
  ]

  @Test(arguments: endings)
  func readsEndings(text: String, offset: String, step: String, decimals: Int) throws {
    let ending = try PriceEnding(text)
    #expect(ending.description == text)
    #expect(ending.step.description == step)
    #expect(ending.decimalCount == decimals)
    #expect(ending.offset.description == offset)
    #expect(ending.allows(ending.step) == (offset == "0"))
  }

  @Test(arguments: [
    "", ".", "x", "/", "99", "9.99", "x.99", "x9.", ".x", ".9x", ".x9x", "x9.x9", "xx9", "X9", "-.99", "/-5",
    "/+5", "/0", "/0.00", "/.5", "/x5", "/5/", "// 5", ".99 ", " .99", ".9\u{669}", "x\u{FF19}", "/1e3",
    ".99\u{0}",
    "x9999999999999999999", ".0000000000000000001", "/99999999999999999999", "x9,99", "*", "any",
  ])
  func rejectsOtherTexts(text: String) throws {
    let error = #expect(throws: PriceTagError.self) { try PriceEnding(text) }
    #expect(error?.code == .invalidOption)
    #expect(error?.problem.hasSuffix(" is not a price ending") == true)
    #expect(throws: PriceTagError.self) { try PriceEndingRule([".99", text]) }
  }

  @Test func limitsTheNumberOfEndings() throws {
    #expect(throws: PriceTagError.self) { try PriceEndingRule([]) }
    #expect(throws: PriceTagError.self) { try PriceEndingRule(Array(repeating: ".99", count: 101)) }
    let rule = try PriceEndingRule([".99", ".95", ".99"])
    #expect(rule.endings.map(\.description) == [".99", ".95"])
    #expect(rule.description == ".99, .95")
  }

  /// Proposals are allowed, and no amount between them and the given amount is.
  @Test func proposalsAreAllowedAndClosest() throws {
    var numbers = SeededNumbers(seed: 20)
    let rules = try [".99", ".95 .49", "x9", "x0 x90", "/5", "/0.05", ".x9", "x4.50 /3"].map(Self.rule)
    for _ in 0..<50 {
      let amount = try Amount(minorUnits: Int64.random(in: -200...20_000, using: &numbers), exponent: 2)
      for rule in rules {
        let (below, above) = (rule.amount(below: amount), rule.amount(above: amount))
        if let below { #expect(below > .zero && below < amount && rule.allows(below)) }
        let next = try #require(above)
        #expect(next > .zero && next > amount && rule.allows(next))
        // Every rule here has an amount in each range of 100.
        var cents = try (below ?? .zero).minorUnits(exponent: 2) + 1
        let end = try next.minorUnits(exponent: 2)
        while cents < end {
          let between = try Amount(minorUnits: cents, exponent: 2)
          if between != amount, rule.allows(between) {
            Issue.record("\(between) is closer to \(amount) (\(rule))")
          }
          cents += 1
        }
      }
    }
  }
}
