import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagDrift
import PriceTagText

/// `pricetag check`: what changed since a golden was recorded.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tell what is displayed otherwise than a golden of pricetag record's says.",
    discussion: """
      Each change has its kinds: \(DriftClass.allCases.map(\.rawValue).joined(separator: ", ")); the worst come first. The \
      catalogue, how it is read, the day and the style are the golden's own.

      Examples:
        pricetag check prices.golden
        pricetag check prices.golden --catalog shop.json --fail-on amount,currency,gone,symbol
        pricetag check prices.golden --format junit > prices.xml || status=$?
        pricetag check prices.golden --accept                  write it again, once you have seen what changed
        pricetag check old-machine.golden --against new-machine.golden
        pricetag check prices.golden --displayed shown.csv     what your shop shows: productIdentifier,storefront,text

      Exit code 3 where something changed that --fail-on names (default: anything), or where a line was set aside.
      """
  )

  /// How a report is written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    /// Sums and examples, for people.
    case text
    /// All of it, as a JSON object.
    case json
    /// Commands of GitHub Actions, shown beside the lines of a pull request.
    case github
    /// JUnit's XML: a test case for each storefront.
    case junit
  }

  @Argument(help: ArgumentHelp("A golden.", valueName: "golden"), completion: .file())
  var golden: String

  @Option(
    help: ArgumentHelp("The catalogue (default: the golden's own).", valueName: "file"),
    completion: .file()
  )
  var catalog: String?

  @Option(
    help: ArgumentHelp("Compare with another golden, and format nothing.", valueName: "golden"),
    completion: .file()
  )
  var against: String?

  @Option(
    help: ArgumentHelp(
      "Compare with what a shop shows: JSON Lines or CSV of productIdentifier, storefront, text and language.",
      valueName: "file"
    ),
    completion: .file()
  )
  var displayed: String?

  @Option(help: "How the report is written.")
  var format: Format = .text

  @Option(
    help: ArgumentHelp("The kinds of changes that fail (default: all).", valueName: "all|none|classes"),
    transform: { text in
      if text == "none" { return [] }
      if text == "all" { return DriftClass.allCases }
      return try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
        let name = name.drop { $0 == " " }
        guard let drift = DriftClass(rawValue: String(name)) else {
          let known = DriftClass.allCases.map(\.rawValue)
          throw ValidationError(
            "there is no class \(quoted(name)): give some of \(known.joined(separator: ","))\(didYouMean(String(name), among: known))"
          )
        }
        return drift
      }
    }
  )
  var failOn: [[DriftClass]] = []

  /// The kinds of changes that fail: of each time that the option was given.
  private var failing: Set<DriftClass> { Set(failOn.isEmpty ? DriftClass.allCases : failOn.flatMap(\.self)) }

  @Flag(help: "Take what is displayed now for right: record the golden again, with its own options.")
  var accept = false

  @OptionGroup(title: "Reading files") var reading: ReadingOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func validate() throws {
    if [golden, catalog, against, displayed].count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input can be read once: give one - alone")
    }
    if [catalog, against, displayed].compactMap(\.self).count > 1 {
      throw ValidationError("--catalog, --against and --displayed are three comparisons: give one")
    }
    if against ?? displayed != nil, data.at != nil || !reading.values.isEmpty {
      throw ValidationError(
        "--at, --from, --prices-of, --reinterpret-as and --texts-in are of a catalogue: with --against and --displayed none is read"
      )
    }
    if accept, golden == "-" || against != nil || displayed != nil {
      throw ValidationError(
        "--accept records a golden's catalogue again: give a golden in a file, and no other comparison"
      )
    }
  }

  func run() throws {
    let golden = try Golden(path: inputPath(golden))
    let localeData = try data.load()
    let check = DriftCheck(golden, in: localeData)
    if let against {
      return try finish(check.check(against: try Golden(path: inputPath(against))))
    }
    if let displayed { return try finish(check.check(try ShopDisplays(path: inputPath(displayed)))) }
    let request: ListingRequest
    let strings = try data.loadStrings()
    do throws(DriftError) {
      request = try golden.header.request(at: data.at, in: localeData, strings: strings)
    } catch { throw error.at(printable(self.golden)) }
    let reading = reading.adding(golden.header.reading)
    let (catalog, setAside) = try reading.open(catalogPath(of: golden), data)
    let report = try check.check(catalog, request)
    guard accept else { return try finish(report, setAside: setAside) }
    write(report)
    // What cannot be read would be taken out of the golden, and never be missed again.
    guard setAside == 0, report.changes.count(where: { $0.classes == [.gone] }) < report.checked else {
      throw DriftError(
        .catalogFailed,
        setAside > 0
          ? "\(counted(setAside, "part")) of the catalogue set aside"
          : "the catalogue displays nothing of it",
        fix: "mend the catalogue, or record the golden anew; it stays as it is",
        place: printable(self.golden)
      )
    }
    var header = try GoldenHeader(request, in: localeData)
    let given = self.catalog == "-" ? nil : self.catalog
    header.catalog = given.map { OutputFile.path(of: $0, from: self.golden) } ?? golden.header.catalog
    header.reading = reading.values
    if try !record(catalog, request, header, to: self.golden) { throw ExitCode(3) }
  }

  private func write(_ report: DriftReport) {
    let text = DriftReportText(report, file: displayed ?? self.golden)
    let files = DriftReportFiles(text, failOn: failing)
    switch format {
    case .text: StandardOutput.write(text.plain)
    case .json: StandardOutput.write(report.json + "\n")
    case .github: StandardOutput.write(files.gitHub)
    case .junit: StandardOutput.write(files.junit)
    }
    StandardOutput.flush()
    StandardError.tell("set aside", report.problems)
  }

  /// Writes the report, and ends with what it found.
  private func finish(_ report: DriftReport, setAside: Int = 0) throws {
    write(report)
    let hasFailed = report.hasDrift(of: failing)
    // What was set aside is to be mended first.
    if hasFailed, setAside == 0, report.problems.isEmpty, against == nil, displayed == nil {
      StandardError.write("pricetag: if all of this is right, --accept records it\n")
    }
    if hasFailed || setAside > 0 || !report.problems.isEmpty { throw ExitCode(3) }
    if report.checked == 0 {
      throw DriftError(
        .malformedGolden,
        "the golden has no displays, so nothing was checked",
        fix: "record one of a catalogue that displays something",
        place: printable(self.golden)
      )
    }
  }

  /// The catalogue that was given, or the golden's.
  private func catalogPath(of golden: Golden) throws(DriftError) -> String {
    if let catalog { return catalog }
    guard let recorded = golden.header.catalog else {
      throw DriftError(
        .malformedGolden,
        "the golden does not say which catalogue it is of",
        fix: "give --catalog",
        place: printable(self.golden)
      )
    }
    // Paths are those of the golden's folder, also where a link elsewhere leads to it.
    let golden = OutputFile.isLink(self.golden) ? OutputFile.destination(self.golden) : self.golden
    let path = recorded.hasPrefix("/") ? recorded : OutputFile.folder(of: golden) + "/" + recorded
    guard OutputFile.exists(path) else {
      throw DriftError(
        .unreadableFile,
        "the golden's catalogue, \(printable(path)), is not there",
        fix: "give --catalog",
        place: printable(self.golden)
      )
    }
    return path
  }
}
