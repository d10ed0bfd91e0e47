import Foundation
import Testing

@testable import PriceTagService

/// Tests that SECURITY.md states the limits of the code.
@Suite struct SecurityPolicyTests {
  /// The rows of the service's table: the stated limit by its option.
  private static func statedLimits() throws -> [String: String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "SECURITY.md"), encoding: .utf8)
    let rows = text.matches(of: #/(?m)^\| [^|]+ \| ([^|]+) \| `([a-z-]+)` \|$/#)
    return Dictionary(rows.map { (String($0.2), String($0.1)) }) { first, _ in first }
  }

  /// Returns a default in the notation of the table.
  private static func text(_ setting: ServiceSetting, _ value: Int) -> String {
    let name = setting.rawValue
    if value == 0 { return "none" }
    if name.hasSuffix("Seconds") { return "\(value) s" }
    if name.hasSuffix("Rate") { return "at least \(value)" }
    guard name.hasSuffix("Bytes") else { return value.formatted(.number.locale(Locale(identifier: "en_US"))) }
    for (unit, shift) in [("GB", 30), ("MB", 20), ("KB", 10)] where value >> shift > 0 {
      return "\(value >> shift) \(unit)"
    }
    return "\(value)"
  }

  @Test func statesAllLimits() throws {
    let stated = try Self.statedLimits()
    #expect(stated.count >= 16)
    let others: Set<ServiceSetting> = [
      .port, .adminPort, .maxAge, .checkSeconds, .settleSeconds, .drainSeconds, .pageSize,
    ]
    for setting in ServiceSetting.allCases where !others.contains(setting) {
      guard case .number(_, let value) = setting.kind else {
        #expect(stated[setting.flag] == nil, "\(setting.flag) is not a limit")
        continue
      }
      #expect(stated[setting.flag] == Self.text(setting, value), "\(setting.flag)")
    }
  }
}
