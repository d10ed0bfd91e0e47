import ArgumentParser
import PriceTag
import PriceTagCatalog

/// `pricetag import`: files into a catalogue.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import files of products into a catalogue: all of them, or nothing.",
    discussion: """
      Reads PriceTag's own JSON, JSON Lines and CSV, Xcode's .storekit files, Google Play's CSV and API, App Store \
      Connect's API, iTunes Store packages, Stripe's prices, and matrices of price tiers.

      Examples:
        pricetag import Examples/rocket-garage.json --into shop.pricetag
        pricetag import Products.storekit --prices-of USA --into shop.pricetag
        pricetag import tiers.csv metadata.xml --into shop.pricetag
        pricetag import products.jsonl --replace --into shop.pricetag

      What a file says replaces what it speaks of, and everything else stays; --replace keeps nothing else. What cannot \
      be understood is set aside with its place and reason, never guessed, and the exit code is 3.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "Files, in the order that they are imported; - for standard input.",
      valueName: "file"
    ),
    completion: .file()
  )
  var files: [String]

  @Option(help: ArgumentHelp("The catalogue's file; made where it is not there.", valueName: "catalog"))
  var into: String

  @OptionGroup(title: "Reading files") var reading: ReadingOptions

  @Flag(help: "Keep nothing in the catalogue but what the files say.")
  var replace = false

  @Flag(help: "Import nothing where anything would be set aside.")
  var strict = false

  @Option(
    help: ArgumentHelp("Write what is set aside to a file, as JSON Lines.", valueName: "file"),
    completion: .file()
  )
  var rejects: String?

  @Flag(help: "Tell nothing but errors.")
  var quiet = false

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  /// How many are told one by one.
  private static let mostTold = 20

  func run() throws {
    let localeData = try data.load()
    let options = try reading.options(localeData, data.at)
    let isNew = !OutputFile.exists(into)
    let summary: ImportSummary
    let output = try rejects.map { try OutputFile($0) }
    do {
      let catalog = try Catalog(path: into, access: .readAndImport, localeData: localeData)
      let sources = files.map { CatalogFile(path: $0 == "-" ? "/dev/stdin" : $0) }
      let progress = quiet ? nil : ProgressLine()
      defer { progress?.clear() }
      var told = 0
      summary = try catalog.importFiles(
        sources,
        format: reading.from,
        options: options,
        mode: replace ? .replace : .update,
        setAside: { (error) throws(CatalogError) in
          if strict { throw error }
          told += 1
          if let output {
            output.write(error.json + "\n")
          } else if !quiet, told <= Self.mostTold {
            progress?.clear()
            StandardError.write("pricetag: set aside: \(error)\n")
          }
        },
        progress: { name, bytes in progress?.show("reading \(name): \(megabytes(bytes))") }
      )
      try catalog.close()
      try output?.finish()
    } catch {
      // A file that this import made has nothing in it.
      if isNew { OutputFile.remove([into, "\(into)-wal", "\(into)-shm"]) }
      throw error
    }
    if !quiet { tell(summary) }
    if summary.setAside > 0 || !summary.missingTiers.isEmpty { throw ExitCode(3) }
  }

  private func tell(_ summary: ImportSummary) {
    if rejects == nil, summary.setAside > Self.mostTold {
      StandardError.write(
        "pricetag: … and \(summary.setAside - Self.mostTold) more (--rejects FILE takes them all)\n"
      )
    }
    if !summary.missingTiers.isEmpty {
      let names = summary.missingTiers.prefix(10).map { quoted($0) }.joined(separator: ", ")
      StandardError.write(
        "pricetag: note: products refer to tiers that the catalogue does not have (\(names)): import a tier matrix\n"
      )
    }
    let kinds = [("products", summary.products), ("tiers", summary.tiers), ("groups", summary.groups)]
    for (name, counts) in kinds where name == "products" || counts != ImportSummary.Counts() {
      let removed = counts.removed > 0 ? ", \(counts.removed) removed" : ""
      StandardError.write(
        "\(name): \(counts.added) added, \(counts.changed) changed, \(counts.unchanged) unchanged\(removed)\n"
      )
    }
    StandardError.write("set aside: \(summary.setAside)\n")
  }
}

private func megabytes(_ bytes: Int) -> String { "\(bytes >> 20).\((bytes >> 10) % 1024 * 10 / 1024) MB" }

extension CatalogError {
  /// What was set aside, as JSON.
  fileprivate var json: String {
    jsonObject([
      ("place", PriceTag.json(place)), ("code", PriceTag.json(code.rawValue)),
      ("message", PriceTag.json(problem)), ("fix", PriceTag.json(fix)),
    ])
  }
}
