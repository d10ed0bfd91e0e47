import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagDrift
import PriceTagText

/// `pricetag check` of a file of `pricetag expect`.
extension CheckCommand {
  /// Compares the prices and expressions of a file with what is displayed now.
  func check(_ file: ExpectationsFile) throws {
    for (option, value) in [("--against", against), ("--displayed", displayed)] where value != nil {
      throw failure(
        .malformedGoldenFile,
        "\(option) requires a golden file, not a file of pricetag expect",
        fix: "use a golden file"
      )
    }
    let (localeData, strings) = (try data.load(), try data.loadStrings())
    let request: ListingRequest
    do throws(DriftError) {
      request = try file.header.request(at: data.at, in: localeData, strings: strings)
    } catch { throw error.at(printable(golden)) }
    let path = CatalogFile(path: inputPath(try catalogPath(of: file.header)))
    let reading = reading.adding(file.header.reading)
    let source = try ExpectationSource(path, areRows: file.areRows, reading, request, localeData)
    let report = try file.check(source.prices, request, in: localeData)
    guard accept else { return try finish(report, rejected: source.rejected) }
    write(report)
    // Rejected and missing prices would silently be removed from the file.
    guard source.rejected == 0, report.changes.count(where: { $0.classes == [.gone] }) < report.checked else {
      throw failure(
        .catalogFailed,
        "prices are missing, so the file was not changed",
        fix: "correct the source, or write a new file"
      )
    }
    var header = try GoldenFileHeader(request, in: localeData)
    header.catalog = acceptedCatalog(else: file.header.catalog)
    header.reading = reading.values
    try expect(source, request, header, localeData, to: golden)
  }
}
