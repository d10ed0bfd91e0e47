import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagCommandLine
import PriceTagSystem
import PriceTagText

/// `pricetag import` imports files of products into a catalog.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import files of products into a catalog.",
    discussion: """
      Reads PriceTag's own JSON, JSON Lines and CSV, Xcode's .storekit files, Google Play's CSV and API responses, App \
      Store Connect's API responses, iTunes Store packages, Stripe's prices, Unity's IAP catalogs, and price tier \
      matrices. An import is all or nothing: if it fails, the catalog is unchanged.

      Examples:
        pricetag import rocket-garage.json --into shop.pricetag
        pricetag import Products.storekit --prices-of USA --into shop.pricetag
        pricetag import Japan.storekit --reinterpret-as USA --into test.pricetag
        pricetag import tiers.csv metadata.xml --into shop.pricetag
        pricetag import products.jsonl --replace --into shop.pricetag
        pricetag import sale.json --effective 2026-11-20 --into shop.pricetag

      An import adds and updates the products that the files contain. Other products stay in the catalog, unless \
      --replace removes them. Invalid parts of a file are rejected. They are printed to standard error with place and \
      reason, or written to the file of --rejects.

      Exit codes: 0 everything was imported; 1 the import failed, and the catalog is unchanged; 2 the command line is \
      wrong; 3 a part of a file was rejected, or data is incomplete (a tier or a subscription period is missing).
      """
  )

  @Argument(
    help: ArgumentHelp(
      "The files, in the order of the import; - for standard input.",
      valueName: "file"
    ),
    completion: .file()
  )
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "The file of the catalog, which is created if it does not exist.",
      valueName: "catalog"
    )
  )
  var into: String

  @OptionGroup(title: "Reading files") var reading: ReadingOptions

  @Flag(help: "Remove everything from the catalog that the files do not contain.")
  var replace = false

  @Option(
    help: ArgumentHelp(
      "The date from which the prices count, for the price history (default: the date of the import).",
      valueName: "YYYY-MM-DD"
    ),
    transform: { try CalendarDate($0) }
  )
  var effective: CalendarDate?

  @Flag(help: "Correct wrong prices: the price history does not keep the replaced ones.")
  var correct = false

  @Option(
    help: ArgumentHelp(
      "The days for which the price history keeps a replaced price (default: 400).",
      valueName: "days"
    )
  )
  var keepHistory: Int?

  @Flag(help: "Fail at the first rejected part, and import nothing.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "A file for the rejected parts, as JSON Lines (default: the first 20 are printed to standard error).",
      valueName: "file"
    ),
    completion: .file()
  )
  var rejects: String?

  @Flag(help: "Print errors only.")
  var quiet = false

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func validate() throws {
    if effective != nil, correct {
      throw ValidationError("--effective and --correct cannot be combined; remove one")
    }
    let days = ImportOptions.historyDayRange
    if let keepHistory, !days.contains(keepHistory) {
      throw ValidationError(
        "--keep-history must be \(days.lowerBound) to \(days.upperBound) days, not \(keepHistory)"
      )
    }
  }

  func run() throws {
    let localeData = try data.load()
    let sources = files.map(inputPath)
    for other in sources + [into] {
      if let rejects, OutputFile.isSame(rejects, other) {
        throw CatalogError(
          .unwritableFile,
          "--rejects and \(other == into ? "--into" : "an input") are the same file, \(quoted(other))",
          fix: "use another file"
        )
      }
    }
    let report = try RejectReport(file: rejects, isQuiet: quiet)
    // A new catalog is written beside its destination, so that it is complete or does not exist.
    let isNew = !OutputFile.exists(into)
    PartFile.claim([into])
    let path = isNew ? PartFile.path(of: into) : into
    let summary: ImportSummary
    do {
      let catalog =
        try isNew
        ? Catalog(newFile: path, localeData: localeData)
        : Catalog(path: path, access: .readAndImport, localeData: localeData)
      summary = try run(catalog, sources, localeData, report)
      try catalog.close()
      if isNew { try OutputFile.move(path, to: into) }
    } catch {
      if isNew { for ending in ["", "-journal"] { unlink(path + ending) } }
      throw (error as? CatalogError)?.naming(into, for: path) ?? error
    }
    if !quiet {
      report.writeUnprintedCount(of: summary.rejected)
      write(summary)
    }
    try report.file?.finish()
    let isComplete = summary.missingTiers.isEmpty && summary.subscriptionsWithoutPeriod.isEmpty
    if summary.rejected > 0 || !isComplete { throw ExitCode(3) }
  }

  private func run(
    _ catalog: Catalog,
    _ sources: [String],
    _ localeData: LocaleData,
    _ report: RejectReport
  ) throws -> ImportSummary {
    let progress = report.progress
    defer { progress?.clear() }
    let files = sources.map { CatalogFile(path: $0) }
    let sizes = Dictionary(files.map { (printable($0.name), $0.byteCount ?? 0) }) { first, _ in first }
    var options = try reading.options(localeData, data.at)
    (options.effective, options.corrects) = (effective, correct)
    if let keepHistory { options.historyDays = keepHistory }
    return try catalog.importFiles(
      files,
      format: reading.from,
      options: options,
      mode: replace ? .replace : .update,
      onReject: { (error) throws(CatalogError) in
        if strict {
          progress?.clear()
          StandardError.write("pricetag: the import was canceled at the first reject because of --strict:\n")
          throw error
        }
        report.reject(error.description) { $0 += error.json.utf8 }
      },
      progress: { name, bytes in
        let size = sizes[name] ?? 0
        let share =
          size >= bytes && size > 0 ? "\(bytes / (size / 100 + 1)) % of \(megabytes(size))" : megabytes(bytes)
        progress?.show { "reading \(name): \(share)" }
      }
    )
  }

  private func write(_ summary: ImportSummary) {
    func listed(_ names: [String]) -> String {
      names.prefix(10).map { quoted($0) }.joined(separator: ", ") + (names.count > 10 ? ", …" : "")
    }
    if !summary.subscriptionsWithoutPeriod.isEmpty {
      let names = listed(summary.subscriptionsWithoutPeriod)
      StandardError.write(
        "pricetag: note: subscriptions without a period are not shown (\(names)); import a file that has the periods\n"
      )
    }
    if !summary.missingTiers.isEmpty {
      let names = listed(summary.missingTiers)
      StandardError.write(
        "pricetag: note: products refer to tiers that the catalog does not have (\(names)); import a tier matrix\n"
      )
    }
    let kinds = [("products", summary.products), ("tiers", summary.tiers), ("groups", summary.groups)]
    for (name, counts) in kinds where name == "products" || counts != ImportSummary.Counts() {
      let removed = counts.removed > 0 ? ", \(counts.removed) removed" : ""
      StandardError.write(
        "\(name): \(counts.added) added, \(counts.changed) changed, \(counts.unchanged) unchanged\(removed)\n"
      )
    }
    if summary.replacedPrices > 0 {
      StandardError.write("history: \(counted(summary.replacedPrices, "replaced price")) kept\n")
    }
    if summary.unknownTaxPrices > 0 {
      StandardError.write("tax unknown: \(counted(summary.unknownTaxPrices, "price"))\n")
    }
    StandardError.write(summary.reinterpretations)
    StandardError.write("rejected: \(summary.rejected)\n")
  }
}

private func megabytes(_ bytes: Int) -> String { "\(bytes >> 20).\((bytes >> 10) % 1024 * 10 / 1024) MB" }

extension CatalogError {
  /// Returns the error with the name of the catalog instead of the temporary file.
  fileprivate func naming(_ name: String, for temporary: String) -> CatalogError {
    guard place == printable(temporary) else { return self }
    return CatalogError(code, problem, fix: fix, place: printable(name))
  }

  /// The reject as a JSON object on one line.
  var json: String {
    jsonObject([
      ("place", PriceTagText.json(place)), ("code", PriceTagText.json(code.rawValue)),
      ("message", PriceTagText.json(problem)), ("fix", PriceTagText.json(fix)),
    ])
  }
}
