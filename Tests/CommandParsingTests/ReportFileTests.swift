import PriceTag
import PriceTagCommandLine
import PriceTagDrift
import Testing

@testable import PriceTagVerbs

/// Reports in the formats of other tools, and errors that decide the exit code.
@Suite struct ReportFileTests {
  static let golden = """
    # PriceTag golden 1
    # PriceTag: 0.1.0
    # ICU: 72.1
    # CLDR: 42
    # Unicode: 15
    # registry: 1
    # catalog: shop.json
    # date: 2026-11-23
    # style: width=standard zeros=keep sign=auto digits=standard rounding=exact
    # products: approved
    # storefronts: USA
    # languages: store
    product\tstorefront\tlanguage\tamount\tcurrency\tlocale\tdisplay\tspoken\tname\tdescription\tsubscription\toffers
    a\tUSA\ten-US\t4.99\tUSD\ten-US\t$4.99\t4.99 US dollars\tA\t\t\t

    """

  private func files(_ report: DriftReport) -> DriftReportFiles {
    DriftReportFiles(text: DriftReportText(report, file: "prices.golden"), failOn: [.symbol])
  }

  /// The versions of both sides are one line in an attribute and in an annotation.
  @Test func versionsAreOneLine() throws {
    let golden = try GoldenFile(name: "prices.golden", text: Self.golden)
    let other = try GoldenFile(
      name: "other.golden",
      text: Self.golden.replacing("ICU: 72.1", with: "ICU: 78.1")
    )
    for report in [DriftCheck(golden).check(against: golden), DriftCheck(golden).check(against: other)] {
      let (junit, gitHub) = (files(report).junit, files(report).gitHub)
      #expect(!junit.contains("\\u{A}") && !gitHub.contains("\\u{A}"))
      #expect(junit.contains("prices of 2026-11-23\"/></properties>"), "\(junit)")
    }
    #expect(files(DriftCheck(golden).check(against: other)).junit.contains("2026-11-23; now "))
  }

  /// A shop's texts are shown differently; nothing changed.
  @Test func textsOfAShopAreShownDifferently() throws {
    let golden = try GoldenFile(name: "prices.golden", text: Self.golden)
    let shop = try ShopDisplays(name: "s.csv", text: "productIdentifier,storefront,text\na,USA,US$4.99\n")
    let report = files(DriftCheck(golden).check(shop))
    #expect(report.junit.contains("message=\"1 of 1 display shown differently\""), "\(report.junit)")
    #expect(!report.junit.contains("changed") && !report.gitHub.contains("changed"))
  }

  /// An invalid setting is an error of the command line, with the exit code 2. A file that cannot be read is not.
  @Test func settingErrorsAreUsageErrors() throws {
    let error = try #require(throws: PriceTagError.self) { try Storefront("USB") }
    let usage = CommandLineProgram.settingError(error)
    #expect(PriceTagCommand.exitCode(for: usage) == .validationFailure)
    #expect(PriceTagCommand.message(for: usage) == error.description)
    let file = try #require(throws: DriftError.self) { try GoldenFile(path: "/nonexistent/a.golden") }
    #expect(CommandLineProgram.settingError(file) is DriftError)
  }
}
