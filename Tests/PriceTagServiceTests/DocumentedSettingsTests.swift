import Foundation
import Testing

@testable import PriceTagService

/// Tests that the tables of the documentation state the defaults of the settings.
@Suite struct DocumentedSettingsTests {
  /// A page, whether its tables have the options in the first column and not in the last one, and the settings that they
  /// do not have.
  typealias Page = (path: String, optionsFirst: Bool, missing: Set<ServiceSetting>)

  static let pages: [Page] = [
    ("docs/command.md", true, [.pageSize]),
    ("SECURITY.md", false, [.port, .maxAge, .checkSeconds, .settleSeconds, .drainSeconds, .pageSize]),
  ]

  /// Returns the stated defaults by option. A row has one default, or one for each of its options.
  private static func statedDefaults(_ page: Page) throws -> [String: String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: page.path), encoding: .utf8)
    var stated: [String: String] = [:]
    for row in text.matches(of: #/(?m)^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/#) {
      let (options, values) = page.optionsFirst ? (row.1, row.3) : (row.3, row.2)
      let defaults = values.split(separator: #/[,;] /#)
      for (index, option) in options.matches(of: #/`(--[a-z-]+)`/#).enumerated() {
        let text = defaults[min(index, defaults.count - 1)]
        stated[String(option.1)] = String(text.replacing(#/^at least | bytes/s$| of CPU time$/#, with: ""))
      }
    }
    return stated
  }

  /// Returns a default as people read it.
  private static func text(_ setting: ServiceSetting, _ value: Int) -> String {
    let name = setting.rawValue
    if value == 0 { return "none" }
    if name.hasSuffix("Seconds") { return "\(value) s" }
    guard name.hasSuffix("Bytes") else { return value.formatted(.number.locale(Locale(identifier: "en_US"))) }
    for (unit, shift) in [("GB", 30), ("MB", 20), ("KB", 10)] where value >> shift > 0 {
      return "\(value >> shift) \(unit)"
    }
    return "\(value)"
  }

  @Test(arguments: pages) func statesDefaults(_ page: Page) throws {
    let stated = try Self.statedDefaults(page)
    for setting in ServiceSetting.allCases {
      guard case .number(_, let value?) = setting.kind else {
        #expect(page.optionsFirst || stated[setting.flag] == nil, "\(setting.flag) is not a limit")
        continue
      }
      let text = page.optionsFirst ? "\(value)" : Self.text(setting, value)
      #expect(stated[setting.flag] == (page.missing.contains(setting) ? nil : text), "\(setting.flag)")
    }
  }
}
