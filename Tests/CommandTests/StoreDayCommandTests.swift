import CommandLineTools
import Foundation
import PriceTag
import Testing

/// Runs verbs whose output depends on the date of a storefront.
@Suite struct StoreDayCommandTests {
  private static let price =
    #"[{"amount":"4.99","until":"2026-11-30"},{"amount":"5.99","from":"2026-12-01"}]"#
  private static let shop =
    #"{"productIdentifier":"car","prices":{"NZL":\#(price),"USA":\#(price)}}"#

  static let rows: [(command: String, epoch: String?, status: Int32, output: String, errors: String)] = [
    (
      "products g.jsonl --storefront NZL --language en --at 2026-11-30T12:00Z", nil, 0,
      "car  -  \u{2068}$5.99\u{2069}\n", ""
    ),
    (
      "products g.jsonl --storefront NZL --language en --at 2026-11-30T10:59Z", nil, 0,
      "car  -  \u{2068}$4.99\u{2069}  [\u{2068}$5.99\u{2069} from 2026-12-01]\n", ""
    ),
    (
      "products g.jsonl --storefront USA --language en --at 2026-11-30T12:00Z", nil, 0,
      "car  -  \u{2068}$4.99\u{2069}  [\u{2068}$5.99\u{2069} from 2026-12-01]\n", ""
    ),
    // A date is the date of every storefront, and wins over SOURCE_DATE_EPOCH.
    (
      "products g.jsonl --storefront NZL --language en --at 2026-11-30", "1796040000", 0,
      "car  -  \u{2068}$4.99\u{2069}  [\u{2068}$5.99\u{2069} from 2026-12-01]\n", ""
    ),
    // 2026-11-30T12:00Z.
    (
      "products g.jsonl --storefront NZL --language en", "1796040000", 0,
      "car  -  \u{2068}$5.99\u{2069}\n", ""
    ),
    ("format --storefront BGR 5", "1767218399", 0, "BGN\u{A0}5.00\n", ""),
    ("format --storefront BGR 5", "1767218400", 0, "€5.00\n", ""),
    ("format --storefront BGR --at 2025-12-31T21:59Z 5", nil, 0, "BGN\u{A0}5.00\n", ""),
    ("format --storefront BGR --at 2025-12-31T22:00Z 5", nil, 0, "€5.00\n", ""),
    (
      "products g.jsonl --storefront NZL", "soon", 1, "",
      "pricetag: the environment variable SOURCE_DATE_EPOCH is \"soon\", not a number of seconds since 1970; correct it, or remove it from the environment\n"
    ),
    (
      "products g.jsonl --storefront NZL --at 2026-11-30T12:00", nil, 2, "",
      "\"2026-11-30T12:00\" is not an instant; write a date, a time and an offset, such as 2026-11-30T12:00Z"
    ),
  ]

  @Test(arguments: rows)
  func followsDateOfStorefront(
    command: String,
    epoch: String?,
    status: Int32,
    output: String,
    errors: String
  ) throws {
    try CommandLineTool.inFolder { folder in
      try Self.shop.write(to: folder.appending(path: "g.jsonl"), atomically: true, encoding: .utf8)
      var arguments = command.split(separator: " ").map(String.init)
      if arguments[1] == "g.jsonl" { arguments[1] = folder.appending(path: "g.jsonl").path }
      let outcome = try CommandLineTool.run(
        arguments,
        environment: epoch.map { ["SOURCE_DATE_EPOCH": $0] } ?? [:]
      )
      #expect(outcome.status == status && outcome.output == output, "\(outcome.report)")
      #expect(
        errors.isEmpty || errors.hasSuffix("\n") ? outcome.errors == errors : outcome.errors.contains(errors),
        "\(outcome.report)"
      )
    }
  }

  @Test func printsVersionOfZones() throws {
    let zones = Versions.current.zones
    #expect(!zones.isEmpty)
    #expect(try CommandLineTool.run(["version"]).output.hasSuffix("\nTime zones \(zones)\n"))
    #expect(
      try CommandLineTool.run(["version", "--json"]).output.hasSuffix(#","zones":"\#(zones)"}"# + "\n")
    )
  }
}
