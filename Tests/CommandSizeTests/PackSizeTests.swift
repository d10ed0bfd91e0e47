import CommandLineTools
import Testing

/// The size of a pack with every price locale and every current currency.
@Suite struct PackSizeTests {
  @Test func allLocalesAndCurrenciesAreSmall() throws {
    let outcome = try CommandLineTool.shell(
      "set -o pipefail; pricetag pack --locales all --no-spoken -o - | gzip --best --no-name | wc --bytes"
    )
    #expect(outcome.status == 0 && outcome.errors.hasPrefix("pricetag: wrote "), "\(outcome.report)")
    let size = Int(outcome.output.split(separator: "\n").first ?? "") ?? 0
    #expect((50_000...163_840).contains(size), "\(outcome.report)")
  }
}
