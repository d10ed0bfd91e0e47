import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagDrift
import PriceTagReading
import PriceTagStrings
import PriceTagText

/// Expects that the displays of a catalog match a golden file, in Swift Testing and in XCTest.
///
///     let goldenFile = URL(filePath: "prices.golden", relativeTo: URL(filePath: #filePath))
///     expectDisplay(of: catalog, matches: goldenFile, storefronts: ["USA", "JPN"], languages: ["en", "ja"])
///
/// `pricetag record` writes golden files, and so does this function if the environment contains `PRICETAG_RECORD=1`. A test
/// that records fails, so that it is not mistaken for a check that passed. Use separate golden files for different dates
/// and different sets of storefronts. To check a golden file that a test has recorded with `pricetag check`, pass
/// `--catalog`.
///
/// - Parameters:
///   - catalog: The catalog.
///   - goldenFile: The golden file.
///   - storefronts: The storefronts, alpha-3 or alpha-2. Default: those of the golden file, or all when recording a new one.
///   - languages: The UI languages, BCP 47. Default: those of the golden file, or each store's when recording a new one.
///   - isLanguageStrict: Whether a language without UI strings is a failure. Otherwise, each store uses its default language.
///   - date: The date, `YYYY-MM-DD`. Default: that of the golden file, or today when recording a new one.
///   - tolerance: The differences to allow.
///   - style: The style of the prices. Default: that of the golden file.
///   - localeData: The registry of storefronts.
///   - strings: The UI strings.
///   - fileID: The caller's module and file, for failures.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
public func expectDisplay(
  of catalog: Catalog,
  matches goldenFile: URL,
  storefronts: [String]? = nil,
  languages: [String]? = nil,
  isLanguageStrict: Bool = false,
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
    // Writing to a resolved path keeps a symbolic link intact.
    let goldenFile = goldenFile.resolvingSymlinksInPath()
    let path = goldenFile.path(percentEncoded: false)
    // A shortened path would lose the file name.
    let name = "\"\(printable(path, limit: .max, isQuoted: true))\""
    let exists = FileManager.default.fileExists(atPath: path)
    let variable = ProcessInfo.processInfo.environment["PRICETAG_RECORD"] ?? ""
    let isRecording = ["1", "true", "yes"].contains(variable.lowercased())
    if !exists, !isRecording {
      caller.fail(
        "the golden file \(name) does not exist; run the test once with PRICETAG_RECORD=1 and commit it"
      )
      return
    }
    // An unreadable golden file can still be recorded again.
    let existing = exists ? Result { try GoldenFile(path: path) } : nil
    if !isRecording { _ = try existing?.get() }
    let recorded = try? existing?.get()
    let base: ListingRequest?
    do throws(DriftError) { base = try recorded?.header.request(in: localeData, strings: strings) } catch {
      if !isRecording { throw error.at(printable(path)) }
      base = nil
    }
    let selection = try ListingSelection(
      storefronts: storefronts,
      languages: languages,
      at: date,
      in: localeData
    )
    let request = ListingRequest(
      storefronts: selection.storefronts ?? base?.storefronts ?? localeData.storefronts,
      languages: selection.languages ?? base?.languages ?? .store,
      isLanguageStrict: isLanguageStrict,
      at: selection.day ?? base?.day ?? .now,
      mode: base?.mode ?? .production,
      style: style ?? base?.style ?? PriceStyle(),
      strings: strings
    )
    if isRecording {
      var text = ""
      var header = try GoldenFileHeader(request, in: localeData)
      header.catalog = recorded?.header.catalog
      header.reading = recorded?.header.reading ?? [:]
      let summary = try DisplayRecording(of: catalog, request).writeGoldenFile(header) { text += $0 }
      do { try Data(text.utf8).write(to: goldenFile, options: .atomic) } catch {
        caller.fail("cannot write the golden file \(name): \(error.localizedDescription)")
        return
      }
      let missing = summary.missingDisplays.prefix(10).map { "\n  not displayed: \($0)" }.joined()
      caller.fail(
        "recorded \(counted(summary.displays, "display")) into \(name); review its changes and run again without PRICETAG_RECORD\(missing)"
      )
      return
    }
    guard let recorded else { return }
    let report = try DriftCheck(recorded, in: localeData).check(catalog, request).beyond(tolerance)
    for problem in report.problems { caller.fail("\(problem)") }
    if report.changes.isEmpty { return }
    caller.fail(
      DriftReportText(report, file: path).plain
        + "\nIf this is correct, record it: run the test once with PRICETAG_RECORD=1"
    )
  }
}
