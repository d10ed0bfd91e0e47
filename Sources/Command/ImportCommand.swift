import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagCommandLine
import PriceTagText

/// `pricetag import`: files into a catalogue.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import files of products into a catalogue: all of them, or nothing.",
    discussion: """
      Reads PriceTag's own JSON, JSON Lines and CSV, Xcode's .storekit files, Google Play's CSV and API, App Store \
      Connect's API, iTunes Store packages, Stripe's prices, and matrices of price tiers.

      Examples:
        pricetag import rocket-garage.json --into shop.pricetag
        pricetag import Products.storekit --prices-of USA --into shop.pricetag
        pricetag import Japan.storekit --reinterpret-as USA --into test.pricetag
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
    let sources = files.map(inputPath)
    for other in sources + [into] {
      if let rejects, OutputFile.isSame(rejects, other) {
        throw CatalogError(
          .unwritableFile,
          "--rejects names \(quoted(other)), which the import reads or writes",
          fix: "give another file"
        )
      }
    }
    let output = try rejects.map { try OutputFile($0) }
    // A new catalogue is made beside its place: it is whole, or not there.
    let isNew = !OutputFile.exists(into)
    PartFile.claim([into])
    let path = isNew ? PartFile.path(of: into) : into
    let summary: ImportSummary
    do {
      let catalog = try Catalog(path: path, access: .readAndImport, localeData: localeData)
      summary = try run(catalog, sources, localeData, output)
      try catalog.close()
      if isNew { try OutputFile.place(path, at: into) }
    } catch {
      if isNew { OutputFile.remove([path, "\(path)-wal", "\(path)-shm"]) }
      throw (error as? CatalogError)?.naming(into, for: path) ?? error
    }
    if !quiet { tell(summary) }
    try output?.finish()
    let isWhole = summary.missingTiers.isEmpty && summary.subscriptionsWithoutPeriod.isEmpty
    if summary.setAside > 0 || !isWhole { throw ExitCode(3) }
  }

  private func run(
    _ catalog: Catalog,
    _ sources: [String],
    _ localeData: LocaleData,
    _ output: OutputFile?
  ) throws -> ImportSummary {
    let progress = quiet ? nil : ProgressLine()
    defer { progress?.clear() }
    var told = 0
    let files = sources.map { CatalogFile(path: $0) }
    let sizes = Dictionary(files.map { (printable($0.name), $0.byteCount ?? 0) }) { first, _ in first }
    return try catalog.importFiles(
      files,
      format: reading.from,
      options: try reading.options(localeData, data.at),
      mode: replace ? .replace : .update,
      setAside: { (error) throws(CatalogError) in
        if strict {
          progress?.clear()
          StandardError.write(
            "pricetag: nothing is imported, for --strict was given and this would be set aside:\n"
          )
          throw error
        }
        told += 1
        if let output {
          output.write(error.json + "\n")
        } else if !quiet, told <= Self.mostTold {
          progress?.clear()
          StandardError.write("pricetag: set aside: \(error)\n")
        }
      },
      progress: { name, bytes in
        let size = sizes[name] ?? 0
        let share =
          size >= bytes && size > 0 ? "\(bytes / (size / 100 + 1)) % of \(megabytes(size))" : megabytes(bytes)
        progress?.show { "reading \(name): \(share)" }
      }
    )
  }

  private func tell(_ summary: ImportSummary) {
    if rejects == nil, summary.setAside > Self.mostTold {
      StandardError.write(
        "pricetag: … and \(summary.setAside - Self.mostTold) more (--rejects FILE takes them all)\n"
      )
    }
    func listed(_ names: [String]) -> String {
      names.prefix(10).map { quoted($0) }.joined(separator: ", ") + (names.count > 10 ? ", …" : "")
    }
    if !summary.subscriptionsWithoutPeriod.isEmpty {
      let names = listed(summary.subscriptionsWithoutPeriod)
      StandardError.write(
        "pricetag: note: no source says what a payment of these subscriptions pays for (\(names)): give their periods; until then they are not shown\n"
      )
    }
    if !summary.missingTiers.isEmpty {
      let names = listed(summary.missingTiers)
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
    StandardError.write(summary.reinterpretations)
    StandardError.write("set aside: \(summary.setAside)\n")
  }
}

private func megabytes(_ bytes: Int) -> String { "\(bytes >> 20).\((bytes >> 10) % 1024 * 10 / 1024) MB" }

extension CatalogError {
  /// The failure with the file's own name, where it names the one that stands in for it.
  fileprivate func naming(_ name: String, for temporary: String) -> CatalogError {
    guard place == printable(temporary) else { return self }
    return CatalogError(code, problem, fix: fix, place: printable(name))
  }

  /// What was set aside, as JSON.
  var json: String {
    jsonObject([
      ("place", PriceTagText.json(place)), ("code", PriceTagText.json(code.rawValue)),
      ("message", PriceTagText.json(problem)), ("fix", PriceTagText.json(fix)),
    ])
  }
}
