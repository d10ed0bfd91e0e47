import Foundation
import PriceTag
import PriceTagBatch
import Testing

/// Rows in currencies of the merchant's own.
@Suite struct CustomCurrencyRowTests {
  private static func data() throws -> LocaleData {
    let url = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    let currencies = #"""
      {"schema":1,"currencies":[
       {"code":"GEMS","digits":0,"symbol":"💎","like":"USD","storefronts":["USA","JPN"],"reason":"coins",
        "names":{"en":{"one":"gem","other":"gems"}}},
       {"code":"ROCKETCOINS","digits":2,"symbol":"R","like":"EUR","storefronts":"all","reason":"coins"},
       {"code":"ROCKETPOINTS","digits":0,"symbol":"P","like":"EUR","storefronts":"all","reason":"points"},
       {"code":"QUOTE","digits":0,"symbol":"\"Q\"","like":"EUR","storefronts":"all","reason":"a test"}]}
      """#
    try Data(currencies.utf8).write(to: url.appending(path: "custom-currencies.json"))
    return try LocaleData(folder: url.path)
  }

  private static let rows: [(row: String, display: String)] = [
    (#""storefront":"USA","currency":"GEMS","amount":"1200""#, "💎1,200"),
    (#""storefront":"us","currency":"gems","amount":1200"#, "💎1,200"),
    (#""storefront":"USA","amount":"1""#, "$1.00"),
    (#""storefront":"USA","currency":"USD","amount":"1""#, "$1.00"),
    (#""storefront":"DEU","currency":"ROCKETCOINS","amount":"1234.5""#, "1.234,50\u{A0}R"),
    (#""storefront":"DEU","currency":"ROCKETPOINTS","amount":"1234""#, "1.234\u{A0}P"),
    (#""storefront":"USA","currency":"RocketCoins","amount":"-1.5""#, "-R\u{A0}1.50"),
    (#""storefront":"USA","currency":"ROCKETCOINS","amountMinor":150"#, "R\u{A0}1.50"),
    (#""priceLocale":"de-DE","currency":"GEMS","amount":"3""#, "3\u{A0}💎"),
    (#""storefront":"JPN","currency":"GEMS","amount":"1","amountTo":"2""#, "💎1 ～ 💎2"),
    (#""storefront":"USA","priceLocale":"de-DE","currency":"ROCKETPOINTS","amount":"7""#, "7\u{A0}P"),
    (#""storefront":"USA","currency":"QUOTE","amount":"7""#, "\\\"Q\\\"\u{A0}7"),
  ]

  /// Each row twice or more, so that it takes the fast path too.
  @Test(arguments: [1, 2, 50])
  func formatsRows(count: Int) throws {
    let data = try Self.data()
    let input = Self.rows.map { "{\($0.row)}\n" }.joined()
    let output = try Outcome(
      String(repeating: input, count: count),
      .test { $0.localeData = data }
    )
    #expect(output.rejectCodes == [])
    let expected = Self.rows.map { "{\($0.row),\"display\":\"\($0.display)\"}" }
    let lines = output.text.split(separator: "\n").map(String.init)
    #expect(lines.count == count * expected.count)
    let wrong = lines.enumerated().filter { $0.element != expected[$0.offset % expected.count] }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(3))")
  }

  @Test func formatsCSV() throws {
    let data = try Self.data()
    let output = try Outcome(
      "storefront,currency,amount\nUSA,GEMS,5\nDEU,ROCKETCOINS,5\nJPN,,5\nDEU,ROCKETCOINS,6\n",
      .test { $0.localeData = data }
    )
    #expect(
      output.text
        == "storefront,currency,amount,display\nUSA,GEMS,5,💎5\nDEU,ROCKETCOINS,5,\"5,00\u{A0}R\"\nJPN,,5,￥5\nDEU,ROCKETCOINS,6,\"6,00\u{A0}R\"\n"
    )
  }

  @Test func writesNames() throws {
    let data = try Self.data()
    let output = try Outcome(
      #"{"storefront":"USA","currency":"GEMS","amount":"1"}"# + "\n"
        + #"{"storefront":"USA","currency":"GEMS","amount":"2"}"# + "\n"
        + #"{"storefront":"JPN","currency":"GEMS","amount":"2"}"#,
      .test {
        $0.localeData = data
        $0.style = PriceStyle(width: .name)
      }
    )
    let displays = output.text.split(separator: "\n").compactMap { $0.split(separator: "\"display\":").last }
    #expect(displays == ["\"1 gem\"}", "\"2 gems\"}", "\"GEMS\u{A0}2\"}"])
  }

  @Test(arguments: [
    (
      #"{"storefront":"DEU","currency":"GEMS","amount":"1"}"#, "currency-mismatch",
      "the DEU store charges EUR, not GEMS"
    ),
    (#"{"storefront":"USA","currency":"GEM","amount":"1"}"#, "unknown-currency", "did you mean \"GEMS\"?"),
    (#"{"storefront":"USA","currency":"ROCKETCOINSX","amount":"1"}"#, "unknown-currency", "unknown currency"),
    (
      #"{"storefront":"USA","currency":"ROCKETCOINSROCKETCOINS","amount":"1"}"#, "unknown-currency",
      "unknown currency"
    ),
    (
      #"{"storefront":"USA","currency":"GEMS","amount":"1.5"}"#, "needs-rounding",
      "1.5 GEMS has more decimals"
    ),
    (
      #"{"storefront":"ZZZ","currency":"ROCKETCOINS","amount":"1"}"#, "unknown-storefront",
      "unknown storefront"
    ),
  ])
  func rejectsRow(row: String, code: String, hint: String) throws {
    let data = try Self.data()
    let output = try Outcome("\(row)\n\(row)\n", .test { $0.localeData = data })
    #expect(output.rejects.map(\.code) == [code, code])
    #expect(output.rejects.allSatisfy { $0.description.contains(hint) }, "\(output.rejects)")
  }
}
