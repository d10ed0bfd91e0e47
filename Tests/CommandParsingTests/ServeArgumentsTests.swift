import PriceTagCommandLine
import PriceTagPages
import Testing

/// Tests that each setting of the service is an option of `serve`.
@Suite struct ServeArgumentsTests {
  /// Values for the options that do not accept every text.
  static let values: [ServiceSetting: String] = [
    .from: "stripe", .at: "2026-01-01", .unitPrices: "half-up", .taxIncluded: "unknown",
  ]

  @Test(arguments: ServiceSetting.allCases) func optionsAreSettings(_ setting: ServiceSetting) throws {
    let text = Self.values[setting] ?? "a,b"
    let (value, argument) =
      switch setting.kind {
      case .flag: ("true", setting.flag)
      case .number(let range, _): ("\(range.upperBound)", "\(setting.flag)=\(range.upperBound)")
      case .text, .list: (text, setting == .catalog ? text : "\(setting.flag)=\(text)")
      }
    #expect(try ServeArguments.parse([argument]).settings == [setting: value])
    #expect(try ServeArguments.parse([]).settings == [:])
  }

  @Test(arguments: ["2026-11-30", "2026-11-30T12:00:00Z", "today"]) func readsDays(text: String) throws {
    #expect(try ServeArguments.parse(["--at=\(text)"]).settings == [.at: text])
  }

  @Test func helpHasTextsOfSettings() throws {
    let words = ServeArguments.helpMessage(columns: 1000).split(whereSeparator: \.isWhitespace).joined(
      separator: " "
    )
    for setting in ServiceSetting.allCases {
      let name = setting == .catalog ? "<catalog>" : setting.flag
      let texts = words.split(separator: try Regex("\(name)( <[^>]+>)? "))
      #expect(texts.contains { $0.hasPrefix(setting.help) }, "\(name)")
    }
  }
}
