import ArgumentParser
import PriceTag
import PriceTagBatch
import PriceTagCatalog
import PriceTagCatalogBatch
import PriceTagCommandLine
import PriceTagText

/// `pricetag batch`: price rows in, the same rows with their displays out.
struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Format rows of prices, or a catalogue across storefronts.",
    discussion: """
      A row is a JSON object on a line, or a record of CSV with a header. It names its storefront (or priceLocale and \
      currency) and one amount: amount (decimal), amountMinor (minor units) or amountMicros. Every byte of it is kept, \
      and display is appended, then what --fields names.

      Examples:
        pricetag batch prices.jsonl -o displayed.jsonl
        pricetag batch prices.csv --fields spoken,html --rejects bad.jsonl -o displayed.csv
        zcat prices.jsonl.gz | pricetag batch --minor-units stripe > displayed.jsonl

      A catalogue (a database of pricetag import's, or a file of products) becomes a row for each product, storefront \
      and language, with names, descriptions, subscriptions and offers:
        pricetag batch shop.json -o prices.jsonl
        pricetag batch shop.pricetag --storefronts USA,JPN,DEU --languages en,ja --to csv -o prices.csv
        pricetag batch shop.pricetag -o prices/                    a file for each storefront
      Files that end in .jsonl, .csv or .tsv, and standard input, are rows, unless --storefronts or --languages is given.

      What cannot be formatted is set aside with its reason, and the exit code is 3; --strict makes the first one fatal. \
      Compressed rows are read as they are; an output that ends in .gz is compressed.
      """
  )

  @Argument(
    help: ArgumentHelp("A file of rows, or a catalogue; - for standard input.", valueName: "input"),
    completion: .file()
  )
  var input = "-"

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, or a folder of one for each storefront; - for standard output.",
      valueName: "file"
    ),
    completion: .file()
  )
  var output = "-"

  @OptionGroup(title: "A catalogue") var listing: ListingOptions

  @OptionGroup(title: "Reading files") var reading: ReadingOptions

  @Option(help: "How rows are written: by the output's ending, else as they are read.")
  var to: BatchFormat?

  @Option(
    help: ArgumentHelp(
      "What stands between the fields of CSV, or the word tab (default: a comma).",
      valueName: "character"
    ),
    transform: { text in
      if text == "tab" || text == "\t" { return 0x09 }
      guard let byte = text.utf8.first, text.utf8.count == 1 else {
        throw ValidationError("\(quoted(text)) is no ASCII character: give one, or the word tab")
      }
      return byte
    }
  )
  var delimiter: UInt8?

  @Option(
    help: ArgumentHelp(
      "What is appended behind display, in this order: spoken,isolated,html,parts.",
      valueName: "fields"
    ),
    transform: { text in
      try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
        guard let field = BatchField(rawValue: String(name)) else {
          let known = BatchField.allCases.map(\.rawValue)
          throw ValidationError(
            "there is no field \(quoted(name)): give some of \(known.joined(separator: ","))\(didYouMean(String(name), among: known))"
          )
        }
        return field
      }
    }
  )
  var fields: [BatchField] = []

  @Flag(help: "Replace fields that are written and are there already.")
  var overwrite = false

  @Option(
    help: ArgumentHelp(
      "Whose minor units amountMinor counts: iso, or a provider such as stripe.",
      valueName: "provider"
    )
  )
  var minorUnits = "iso"

  @Option(
    help: ArgumentHelp("Write the rows that are set aside to a file, as JSON Lines.", valueName: "file"),
    completion: .file()
  )
  var rejects: String?

  @Flag(help: "Stop at the first row that would be set aside, and write no file.")
  var strict = false

  @OptionGroup(title: "Work") var jobs: JobsOption

  @Flag(help: "Tell nothing but errors.")
  var quiet = false

  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func validate() throws {
    if !isCatalog, output != "-", OutputFile.isFolder(output) {
      throw ValidationError(
        "a folder has a file for each storefront of a catalogue, and the input is rows: give a file, or --storefronts all where it is a catalogue"
      )
    }
    if let rejects, rejects == "-" {
      throw ValidationError("--rejects takes a file, such as /dev/stderr, not -")
    }
    if let rejects, FileEnding(rejects).isCompressed {
      throw ValidationError("what is set aside is not compressed: give --rejects a name without .gz")
    }
    if isCatalog, FileEnding(input).isCompressed {
      throw ValidationError("a compressed catalogue is not read: unpack \(quoted(input)) first")
    }
    if listing.development, !isCatalog { throw ValidationError("--development is for a catalogue") }
    if isCatalog, overwrite { throw ValidationError("--overwrite is for rows: a catalogue has none") }
  }

  /// Whether the input is a catalogue, not rows.
  private var isCatalog: Bool {
    if listing.storefronts != nil || listing.languages != nil { return true }
    if let from = reading.from { return BatchFormat(rawValue: from.rawValue) == nil }
    guard input != "-", FileEnding(input).format == nil else { return false }
    return Catalog.isDatabase(path: input) || FileEnding(input).isOfCatalog
  }

  func run() throws {
    let isWhole: Bool
    do {
      isWhole = try isCatalog ? runCatalog() : runRows()
    } catch let error as BatchError where error.code == .invalidOption {
      throw ValidationError(error.description)
    }
    if !isWhole { throw ExitCode(3) }
  }

  private func options() throws -> BatchOptions {
    var options = BatchOptions()
    let inputEnding = FileEnding(input)
    let outputEnding = FileEnding(output)
    options.input = reading.from.flatMap { BatchFormat(rawValue: $0.rawValue) } ?? inputEnding.format
    options.output = to ?? outputEnding.format
    options.delimiter = delimiter ?? (inputEnding.isTabSeparated ? 0x09 : UInt8(ascii: ","))
    // Each file as its own name says.
    if delimiter == nil, outputEnding.format == .csv {
      options.outputDelimiter = outputEnding.isTabSeparated ? 0x09 : UInt8(ascii: ",")
    } else if delimiter != nil {
      options.outputDelimiter = delimiter
    }
    options.fields = fields
    options.overwrites = overwrite
    options.minorUnits = minorUnits
    options.style = style.style
    options.date = data.at
    options.localeData = try data.load()
    options.jobs = jobs.count
    options.isStrict = strict
    options.compresses = outputEnding.isCompressed
    return options
  }

  /// - Returns: Whether nothing was set aside.
  private func runRows() throws -> Bool {
    let batch = try Batch(options())
    try checkPaths([output])
    let report = try BatchReport(rejects: rejects, isQuiet: quiet)
    let sink = try BatchSink(output, report)
    let source: BatchInput =
      input == "-" ? .descriptor(STDIN_FILENO, name: "standard input") : .file(path: input)
    return try report.following([sink]) { () throws(BatchError) in try batch.run(from: source, to: sink) }
  }

  /// - Returns: Whether nothing was set aside, of the catalogue's file neither.
  private func runCatalog() throws -> Bool {
    let options = try options()
    let request = try listing.request(data, options.localeData, style.style)
    let isSplit = OutputFile.isFolder(output)
    let paths = isSplit ? Self.paths(in: output, request.storefronts, options) : [output]
    try checkPaths(paths)
    let report = try BatchReport(rejects: rejects, isQuiet: quiet)
    let (catalog, setAside) = try reading.open(input, data) { (error) throws(CatalogError) in
      if strict { throw error }
      report.setAside(error.description) { $0 += error.json.utf8 }
    }
    let batch = try CatalogBatch(catalog, request, options)
    if isSplit { try OutputFile.makeFolder(output) }
    let areMany = OutputFile.isTooMany(paths.count)
    if areMany { PartFile.claim(paths) }
    let sinks = try paths.map { try BatchSink($0, report, isOneOfMany: areMany) }
    let isWhole = try report.following(sinks) { () throws(BatchError) in try batch.run(to: sinks) }
    if setAside > 0, !quiet { StandardError.write("set aside while the catalogue was read: \(setAside)\n") }
    return isWhole && setAside == 0
  }

  /// A file for each storefront, in a folder.
  private static func paths(in folder: String, _ storefronts: [Storefront], _ options: BatchOptions)
    -> [String]
  {
    let name = folder.hasSuffix("/") ? folder : folder + "/"
    return storefronts.map { "\(name)\($0.id).\((options.output ?? .jsonl).rawValue)" }
  }

  /// Refuses to write over what is read, and two things into one file.
  private func checkPaths(_ outputs: [String]) throws {
    func refuse(_ problem: String) -> BatchError {
      BatchError(.unwritableOutput, problem, fix: "give another file")
    }
    if let output = outputs.first(where: { OutputFile.isOutput($0, inputPath(input)) }) {
      throw refuse("the output is the input, \(quoted(output == "-" ? input : output))")
    }
    guard let rejects else { return }
    if OutputFile.isSame(rejects, inputPath(input)) {
      throw refuse("--rejects names the input, \(quoted(input))")
    }
    if let output = outputs.first(where: { OutputFile.isOutput($0, rejects) }) {
      throw refuse("--rejects names the output, \(quoted(output == "-" ? rejects : output))")
    }
  }
}

extension BatchFormat: ExpressibleByArgument {}

/// What a file's name tells of it.
private struct FileEnding {
  let format: BatchFormat?
  let isTabSeparated: Bool
  let isCompressed: Bool
  /// Whether only catalogues are called so.
  let isOfCatalog: Bool

  init(_ path: String) {
    var name = path.lowercased()[...]
    isCompressed = name.hasSuffix(".gz")
    if isCompressed { name = name.dropLast(3) }
    isTabSeparated = name.hasSuffix(".tsv")
    let catalogs = [".json", ".storekit", ".itmsp", ".itmsp/", ".xml", ".pricetag", ".sqlite", ".db"]
    isOfCatalog = catalogs.contains { name.hasSuffix($0) }
    format =
      if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") {
        .jsonl
      } else if name.hasSuffix(".csv")
        || isTabSeparated
      { .csv } else { nil }
  }
}
