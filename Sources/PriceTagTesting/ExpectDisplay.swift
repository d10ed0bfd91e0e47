import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagDrift
import PriceTagStrings
import PriceTagText

/// Expects that every storefront displays a catalogue as a golden says, in Swift Testing and in XCTest.
///
///     let golden = URL(filePath: "prices.golden", relativeTo: URL(filePath: #filePath))
///     expectDisplay(of: catalog, matches: golden, storefronts: ["USA", "JPN"], languages: ["en", "ja"])
///
/// A golden is a file of `pricetag record`'s, or of this function's: with `PRICETAG_RECORD=1` in the environment it is
/// written anew, and the test that wrote it fails, so that nobody takes it for a test that passed. What is displayed is
/// that of the golden's day, unless another one is given; another day, and a part of the storefronts, have a golden of
/// their own. (`pricetag check` takes one that a test has written too, with `--catalog`.)
///
/// - Parameters:
///   - catalog: The catalogue.
///   - golden: The golden's file.
///   - storefronts: The storefronts, alpha-3 or alpha-2; the golden's own if not given, and all where there is none yet.
///   - languages: The readers' languages, BCP 47; the golden's own if not given, each store's own where there is none.
///   - date: The day, `YYYY-MM-DD`; the golden's own if not given, today where there is none.
///   - tolerance: Differences that may be.
///   - style: How prices are written; the golden's own if not given.
///   - localeData: Where storefronts are looked up.
///   - strings: The words around prices.
///   - fileID: The caller's module and file; failures point there.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
public func expectDisplay(
  of catalog: Catalog,
  matches golden: URL,
  storefronts: [String]? = nil,
  languages: [String]? = nil,
  at date: String? = nil,
  tolerating tolerance: DisplayTolerance = .strict,
  style: PriceStyle? = nil,
  localeData: LocaleData = .embedded,
  strings: StoreStrings = .embedded,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
  _ = caller.attempt {
    // Where a link leads, so that it stays one.
    let golden = golden.resolvingSymlinksInPath()
    let path = golden.path(percentEncoded: false)
    // Not cut: it is the name of the file that matters.
    let name = "\"\(printable(path, limit: .max, isQuoted: true))\""
    let isThere = FileManager.default.fileExists(atPath: path)
    let variable = ProcessInfo.processInfo.environment["PRICETAG_RECORD"] ?? ""
    let isRecording = ["1", "true", "yes"].contains(variable.lowercased())
    if !isThere, !isRecording {
      caller.fail(
        "there is no golden \(name): run the test once with PRICETAG_RECORD=1, and commit it"
      )
      return
    }
    // One that cannot be read can still be written anew.
    let known = isThere ? Result { try Golden(path: path) } : nil
    if !isRecording { _ = try known?.get() }
    let recorded = try? known?.get()
    let base: ListingRequest?
    do throws(DriftError) { base = try recorded?.header.request(in: localeData, strings: strings) } catch {
      if !isRecording { throw error.at(printable(path)) }
      base = nil
    }
    let asked = try Asked(storefronts: storefronts, languages: languages, at: date, in: localeData)
    let request = ListingRequest(
      storefronts: asked.storefronts ?? base?.storefronts ?? localeData.storefronts,
      languages: asked.languages ?? base?.languages ?? .store,
      at: asked.date ?? base?.date ?? .today,
      mode: base?.mode ?? .production,
      style: style ?? base?.style ?? PriceStyle(),
      strings: strings
    )
    if isRecording {
      var text = ""
      var header = try GoldenHeader(request, in: localeData)
      header.catalog = recorded?.header.catalog
      header.reading = recorded?.header.reading ?? [:]
      let summary = try DisplayRecording(of: catalog, request).writeGolden(header) { text += $0 }
      do { try Data(text.utf8).write(to: golden, options: .atomic) } catch {
        caller.fail("the golden \(name) cannot be written: \(error.localizedDescription)")
        return
      }
      let mistakes = summary.mistakes.prefix(10).map { "\n  not displayed: \($0)" }.joined()
      caller.fail(
        "recorded \(counted(summary.displays, "display")) into \(name): look at what changed, and run again without PRICETAG_RECORD\(mistakes)"
      )
      return
    }
    guard let recorded else { return }
    let report = try DriftCheck(recorded, in: localeData).check(catalog, request).beyond(tolerance)
    for problem in report.problems { caller.fail("\(problem)") }
    if report.changes.isEmpty { return }
    caller.fail(
      DriftReportText(report, file: path).plain
        + "\nWhere this is right, record it: run the test once with PRICETAG_RECORD=1"
    )
  }
}
