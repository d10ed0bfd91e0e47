import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagDrift
import PriceTagReading
import PriceTagSystem
import PriceTagText

/// `pricetag check` compares the current formatted prices with a golden file, or with a pack.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Compare displayed prices with a golden file, expectations, a pack, or each store's form.",
    discussion: """
      pricetag record writes the golden file, with the catalog, the way to read it, the date and the style. Without \
      other options, check uses these.

      Each change has one or more classes, from the most severe: \
      \(DriftClass.allCases.map(\.rawValue).joined(separator: ", ")).

      Examples:
        pricetag check prices.golden
        pricetag check prices.golden --catalog shop.json --fail-on amount,currency,not-a-price,gone
        pricetag check prices.golden --format junit > prices.xml || status=$?

      Record the golden file again, after you have reviewed the changes:
        pricetag check prices.golden --accept

      Compare two golden files, or a golden file with the texts that a shop displays (a file with the columns \
      productIdentifier, storefront and text):
        pricetag check old-machine.golden --against new-machine.golden
        pricetag check prices.golden --displayed shop.csv

      Check displayed prices without a golden file: rows of storefront, amount and text, and marked prices of pages:
        pricetag check --displayed shop.csv
        pricetag check --displayed site/ --storefront-for 'de/*=DEU'

      Check a pack, which pricetag pack writes: what would change if it were written again with today's ICU and locale \
      data, or if another pack replaced it. --accept writes it again, with the same storefronts, price locales, currencies, \
      styles and phrases:
        pricetag check store.pack
        pricetag check store.pack --accept
        pricetag check store.pack --against new.pack
        pricetag check cldr-42 --against cldr-48

      Exit codes: 0 no change of a class of --fail-on; 1 the comparison failed; 2 the command line is wrong; 3 a change \
      of a class of --fail-on, or a rejected line.
      """
  )

  /// The format of a report.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    /// Numbers and examples, for people.
    case text
    /// The complete report, as a JSON object.
    case json
    /// Commands of GitHub Actions, shown next to the lines of a pull request.
    case github
    /// JUnit XML: a test case for each storefront.
    case junit
  }

  @Argument(
    help: "The golden file, expectations or pack; - for standard input. Not needed with --displayed.",
    completion: .file()
  )
  var golden = ""

  @Option(
    help: ArgumentHelp(
      "The catalog to format (default: the catalog that the golden file names).",
      valueName: "file"
    ),
    completion: .file()
  )
  var catalog: String?

  @Option(
    help: ArgumentHelp(
      "Another golden file to compare with, instead of a catalog; for a pack, another pack.",
      valueName: "golden"
    ),
    completion: .file()
  )
  var against: String?

  @Option(
    name: .customLong("displayed"),
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      The prices that a shop displays. With a golden file, one file: JSON Lines or CSV with productIdentifier, storefront, \
      text and optionally language. Without one: rows of storefront, amount, text and optionally currency and at; pages with \
      marked prices; and folders of pages.
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var displayedFiles: [String] = []

  /// The displayed prices to compare with a golden file; the first ones without a golden file.
  var displayed: String? { displayedFiles.first }

  @Option(help: "The format of the report.")
  var format: Format = .text

  @Option(
    help: ArgumentHelp(
      "The classes of changes that give exit code 3; may be repeated (default: all).",
      valueName: "all|none|classes"
    ),
    transform: { text in
      if text == "none" { return [] }
      if text == "all" { return DriftClass.allCases }
      return try listed(listItems(text).map { String($0.drop { $0 == " " }) }, "class")
    }
  )
  var failOn: [[DriftClass]] = []

  /// The classes of changes that fail, from all occurrences of the option.
  var failing: Set<DriftClass> { Set(failOn.isEmpty ? DriftClass.allCases : failOn.flatMap(\.self)) }

  @Flag(
    help:
      "Accept the current state: record the golden file again, with its own options, or write the pack again."
  )
  var accept = false

  @OptionGroup(title: "Reading files") var reading: ReadingOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions
  @OptionGroup(title: "Displayed prices without a golden file") var options: DisplayedOptions

  func validate() throws {
    try validateDisplayed()
    if [golden, catalog, against, displayed].count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input (-) appears twice; use it for one file only")
    }
    let others = [("--catalog", catalog), ("--against", against), ("--displayed", displayed)].filter {
      $0.1 != nil
    }
    if others.count > 1 {
      throw ValidationError("\(others.map(\.0).joined(separator: " and ")) cannot be combined; keep one")
    }
    if let (option, _) = others.first, option != "--catalog", !golden.isEmpty,
      data.at != nil || !reading.values.isEmpty
    {
      throw ValidationError(
        "\(option) and options that read a catalog (--at, --from, --prices-of, --reinterpret-as, --texts-in) cannot be combined; remove one"
      )
    }
    if accept, let (option, _) = others.first, option != "--catalog" {
      throw ValidationError("--accept and \(option) cannot be combined; remove one")
    }
    if accept, golden == "-" || Pack.isName(golden) {
      let other = golden == "-" ? "standard input" : "the pack of PriceTag"
      throw ValidationError("--accept requires a file that it can replace, not \(other); pass its path")
    }
  }

  func check(_ golden: GoldenFile) throws {
    let localeData = try data.load()
    let check = DriftCheck(golden, in: localeData)
    if let against {
      return try finish(check.check(against: try GoldenFile(path: inputPath(against))))
    }
    if let displayed { return try finish(check.check(try ShopDisplays(path: inputPath(displayed)))) }
    let request: ListingRequest
    let strings = try data.loadStrings()
    do throws(DriftError) {
      request = try golden.header.request(at: data.at, in: localeData, strings: strings)
    } catch { throw error.at(printable(self.golden)) }
    let reading = reading.adding(golden.header.reading)
    let (catalog, rejected) = try Catalog.opened(catalogPath(of: golden.header), in: localeData, reading)
    let report = try check.check(catalog, request)
    guard accept else { return try finish(report, rejected: rejected) }
    write(report)
    // Rejected and missing products would silently be removed from the golden file.
    guard rejected == 0, report.changes.count(where: { $0.classes == [.gone] }) < report.checked else {
      let problem =
        rejected > 0 ? counted(rejected, "rejected part") : "no product of the golden file"
      throw failure(
        .catalogFailed,
        "the catalog has \(problem), so the golden file was not changed",
        fix: "correct the catalog, or record a new golden file"
      )
    }
    var header = try GoldenFileHeader(request, in: localeData)
    header.catalog = acceptedCatalog(else: golden.header.catalog)
    header.reading = reading.values
    if try !record(catalog, request, header, to: self.golden) { throw ExitCode(3) }
  }

  func write(_ report: DriftReport) {
    let text = DriftReportText(report, file: displayed ?? self.golden)
    write(DriftReportFiles(text: text, failOn: failing))
    StandardError.writeList("rejected", report.problems)
  }

  func write(_ report: some CheckReport) {
    switch format {
    case .text: StandardOutput.write(report.plain)
    case .json: StandardOutput.write(report.json)
    case .github: StandardOutput.write(report.gitHub)
    case .junit: StandardOutput.write(report.junit)
    }
    StandardOutput.flush()
  }

  /// Writes the report, and throws the exit code if there are findings.
  func finish(_ report: DriftReport, rejected: Int = 0) throws {
    write(report)
    let hasFailed = report.hasDrift(of: failing)
    // Rejected lines must be corrected first.
    if hasFailed, rejected == 0, report.problems.isEmpty, against == nil, displayed == nil {
      StandardError.write("pricetag: note: to accept all changes, run again with --accept\n")
    }
    if hasFailed || rejected > 0 || !report.problems.isEmpty { throw ExitCode(3) }
    if report.checked == 0, golden.isEmpty { throw nothingChecked }
    if report.checked == 0 {
      throw failure(
        .malformedGoldenFile,
        "the golden file has no prices",
        fix: "record it again, from a catalog with products"
      )
    }
  }

  /// Returns an error about the golden file or the pack.
  func failure(_ code: DriftErrorCode, _ problem: String, fix: String) -> DriftError {
    DriftError(code, problem, fix: fix, place: printable(golden))
  }

  /// Returns the path of `--catalog` for the header of an accepted file; the recorded one without the option, and for standard input.
  func acceptedCatalog(else recorded: String?) -> String? {
    guard let catalog, catalog != "-" else { return recorded }
    return OutputFile.relativePath(of: catalog, from: golden)
  }

  /// Returns the path of `--catalog`, or of the catalog that the golden file names.
  func catalogPath(of header: GoldenFileHeader) throws(DriftError) -> String {
    if let catalog { return catalog }
    guard let recorded = header.catalog else {
      throw failure(.malformedGoldenFile, "the golden file names no catalog", fix: "add --catalog")
    }
    // A relative path starts at the folder of the golden file, with symbolic links resolved.
    let golden = OutputFile.isLink(self.golden) ? OutputFile.destination(self.golden) : self.golden
    let path = recorded.hasPrefix("/") ? recorded : OutputFile.folder(of: golden) + "/" + recorded
    guard OutputFile.exists(path) else {
      let problem = "the catalog of the golden file, \(printable(path)), does not exist"
      throw failure(.unreadableFile, problem, fix: "add --catalog")
    }
    return path
  }
}
