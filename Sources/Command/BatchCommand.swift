import ArgumentParser
import PriceTag
import PriceTagBatch
import PriceTagCatalog
import PriceTagCatalogBatch
import PriceTagCatalogFormats
import PriceTagCommandLine
import PriceTagSystem
import PriceTagText

/// `pricetag batch` formats rows of prices, or a catalog.
struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Format rows of prices, or a catalog across storefronts.",
    discussion: """
      A row is a line of JSON Lines, an element of a JSON array, or a record of CSV with a header. It has a storefront, or a priceLocale and a \
      currency; and an amount (decimal), an amountMinor (minor units) or an amountMicros (millionths). A row with amount and \
      amountTo is a range. For the field unitPrice, a row has a content such as 0.75 L; for the fields installment and \
      lastInstallment, a number of installments. Each row is copied unchanged, and display is appended, then the fields of --fields.

      Examples:
        pricetag batch prices.jsonl -o formatted.jsonl
        pricetag batch prices.csv --fields spoken,html -o formatted.csv
        pricetag batch prices.csv --rejects rejects.jsonl -o formatted.csv
        zcat prices.jsonl.gz | pricetag batch --minor-units stripe > formatted.jsonl

      A spreadsheet may have columns with other names, a column of prices for each storefront, and decimal commas. With \
      columns of storefronts, a record gives a row for each of them that is not empty:
        pricetag batch preise.csv --map Land=storefront --map Preis=amount --decimal-comma
        pricetag batch preise.csv --map "Preis DE=amount@DEU" --map "Preis CH=amount@CHE"

      A catalog is a database of pricetag import, or any file of products that pricetag import reads. It gives one row \
      for each product, storefront and language, with names, descriptions, subscriptions and offers. With a folder as \
      output, it gives one file for each storefront:
        pricetag batch shop.json -o prices.jsonl
        pricetag batch shop.pricetag --storefronts USA,JPN --languages en -o prices.csv
        pricetag batch shop.pricetag -o prices/

      Standard input, files that end in .jsonl, .ndjson, .csv or .tsv, and JSON arrays with amounts in no format of \
      catalogs are rows, unless --storefronts or --languages is given. Rows compressed with gzip are decompressed. Output that ends in .gz is compressed.

      A row that cannot be formatted is rejected, and its reason is printed to standard error or written to the file of \
      --rejects. The batch continues, except with --strict.

      Exit codes: 0 all rows were formatted; 1 the batch failed and wrote no file; 2 the command line is wrong; \
      3 some rows were rejected.
      """
  )

  @Argument(help: "A file of rows, or a catalog; - for standard input.", completion: .file())
  var input = "-"

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, or a folder for one file per storefront; - for standard output.",
      valueName: "file"
    ),
    completion: .file()
  )
  var output = "-"

  @OptionGroup(title: "Catalog") var listing: ListingOptions

  @OptionGroup(title: "Reading files") var reading: ReadingOptions

  @Option(
    help: ArgumentHelp(
      "The format of the output (default: by the name of the output, else the format of the input).",
      valueName: "format"
    )
  )
  var to: BatchFormat?

  @Option(
    help: ArgumentHelp(
      """
      The delimiter of CSV fields: an ASCII character, or tab (default: the comma, semicolon or tab in the header; for \
      .tsv, a tab).
      """,
      valueName: "character"
    ),
    transform: { text in
      if text == "tab" || text == "\t" { return 0x09 }
      guard let byte = text.utf8.first, text.utf8.count == 1 else {
        throw ValidationError("\(quoted(text)) is not an ASCII character; use one character, or the word tab")
      }
      return byte
    }
  )
  var delimiter: UInt8?

  @Option(
    help: ArgumentHelp(
      """
      The field that a column has, such as Preis=amount; amount@DEU for the amounts of one storefront (default: the \
      field of the column's name). May be repeated.
      """,
      valueName: "column=field"
    ),
    transform: { try BatchColumn($0) }
  )
  var map: [BatchColumn] = []

  @Flag(help: "Read amounts with a decimal comma, such as 49,99. Amounts with a point are rejected.")
  var decimalComma = false

  @Option(
    help: """
      The fields to append after display, in this order: spoken,isolated,html,parts,unitPrice,installment,lastInstallment,\
      taxIncluded (default: none).
      """,
    transform: { try listed(listItems($0), "field") }
  )
  var fields: [BatchField] = []

  @Flag(help: "Replace output fields that a row already has. Otherwise such a row is rejected.")
  var overwrite = false

  @Flag(help: "Convert between metric and US customary units for the field unitPrice.")
  var convertUnits = false

  @Option(
    help: ArgumentHelp(
      "For the field taxIncluded of a catalog: whether prices of products that do not state it include tax (default: what is usual in the storefront).",
      valueName: "true|false|unknown"
    )
  )
  var taxIncluded: TaxInclusion?

  @Option(
    help: ArgumentHelp(
      "The minor units of amountMinor: iso for ISO 4217, or a payment provider such as stripe.",
      valueName: "provider"
    )
  )
  var minorUnits = "iso"

  @Option(
    help: ArgumentHelp(
      "A file for the rejected rows, as JSON Lines (default: the first 20 are printed to standard error).",
      valueName: "file"
    ),
    completion: .file()
  )
  var rejects: String?

  @Flag(help: "Fail at the first rejected row, and write no file.")
  var strict = false

  @OptionGroup(title: "Work") var jobs: JobsOption

  @Flag(help: "Print errors only.")
  var quiet = false

  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func validate() throws {
    let isCatalog = isCatalog
    if !isCatalog, output != "-", OutputFile.isFolder(output) {
      throw ValidationError(
        "the output of rows must be a file, not the folder \(quoted(output)); name a file, or add --storefronts all if the input is a catalog"
      )
    }
    if let rejects, rejects == "-" {
      throw ValidationError("--rejects must be a file, not -; use a file such as /dev/stderr")
    }
    if let rejects, FileEnding(rejects).isCompressed {
      throw ValidationError("--rejects cannot be compressed; use a name without .gz")
    }
    if isCatalog, FileEnding(input).isCompressed {
      throw ValidationError("the catalog \(quoted(input)) is compressed; decompress it first")
    }
    let ofCatalogs = [
      ("development", listing.development), ("strict-language", listing.strictLanguage),
    ]
    for (option, isPresent) in ofCatalogs where isPresent && !isCatalog {
      throw ValidationError("--\(option) requires a catalog, but the input is rows; remove it")
    }
    let ofRows = [
      ("overwrite", overwrite), ("decimal-comma", decimalComma), ("map", !map.isEmpty),
      ("convert-units", convertUnits),
    ]
    for (option, isPresent) in ofRows where isPresent && isCatalog {
      throw ValidationError("--\(option) requires rows, but the input is a catalog; remove it")
    }
    if taxIncluded != nil, !isCatalog || !fields.contains(.taxIncluded) {
      throw ValidationError(
        "--tax-included requires a catalog and the field taxIncluded; add --fields taxIncluded, or remove it"
      )
    }
    if convertUnits, !fields.contains(.unitPrice) {
      throw ValidationError(
        "--convert-units requires the field unitPrice; add --fields unitPrice, or remove it"
      )
    }
  }

  /// Whether the input is a catalog, not rows.
  private var isCatalog: Bool {
    if listing.storefronts != nil || listing.languages != nil { return true }
    if let from = reading.from { return BatchFormat(rawValue: from.rawValue) == nil }
    guard input != "-", FileEnding(input).format == nil else { return false }
    return Catalog.isDatabase(path: input) || (FileEnding(input).isOfCatalog && !isArrayOfRows)
  }

  /// Whether the input is a JSON array that has amounts, but no format of catalogs.
  private var isArrayOfRows: Bool {
    let file = CatalogFile(path: input)
    // A pipe can be read only once.
    guard file.byteCount != nil, let start = try? file.prefix(1 << 14) else { return false }
    let text = String(decoding: start, as: UTF8.self)
    return text.unicodeScalars.first { !$0.properties.isWhitespace } == "["
      && (!map.isEmpty || text.contains("\"amount"))
      && (try? CatalogFormat(of: CatalogFile(name: input, bytes: start))) == nil
  }

  func run() throws {
    let isComplete: Bool
    do {
      isComplete = try isCatalog ? runCatalog() : runRows()
    } catch let error as BatchError where error.code == .invalidOption {
      throw ValidationError(error.description)
    }
    if !isComplete { throw ExitCode(3) }
  }

  private func options() throws -> BatchOptions {
    var options = BatchOptions()
    let inputEnding = FileEnding(input)
    let outputEnding = FileEnding(output)
    options.input = reading.from.flatMap { BatchFormat(rawValue: $0.rawValue) } ?? inputEnding.format
    options.output = to ?? outputEnding.format
    options.delimiter = delimiter ?? (inputEnding.isTabSeparated ? 0x09 : nil)
    options.outputDelimiter = delimiter
    // Without --delimiter, .tsv is an ending of its own; any other CSV has the delimiter of the input.
    if delimiter == nil, outputEnding.format == .csv,
      outputEnding.isTabSeparated || inputEnding.isTabSeparated
    {
      options.outputDelimiter = outputEnding.isTabSeparated ? 0x09 : UInt8(ascii: ",")
    }
    options.columns = map
    options.usesDecimalComma = decimalComma
    options.fields = fields
    options.overwrites = overwrite
    options.convertsUnits = convertUnits
    options.minorUnits = minorUnits
    options.style = style.style
    options.day = try data.day
    options.localeData = try data.load()
    options.jobs = jobs.count
    options.isStrict = strict
    options.compresses = outputEnding.isCompressed
    return options
  }

  /// - Returns: Whether no row was rejected.
  private func runRows() throws -> Bool {
    let batch = try Batch(options())
    try checkPaths([output])
    let report = try BatchReport(file: rejects, isQuiet: quiet)
    let sink = try BatchSink(output, report)
    let source: BatchInput =
      input == "-" ? .descriptor(STDIN_FILENO, name: "standard input") : .file(path: input)
    return try report.run([sink.file]) { () throws(BatchError) in try batch.run(from: source, to: sink) }
  }

  /// - Returns: Whether no product and no part of the catalog file was rejected.
  private func runCatalog() throws -> Bool {
    let options = try options()
    let request = try listing.request(
      data,
      options.localeData,
      style.style,
      unitPriceRounding: fields.contains(.unitPrice) ? style.style.rounding : nil,
      taxInclusion: taxIncluded
    )
    let isSplit = OutputFile.isFolder(output)
    let folder = output.hasSuffix("/") ? output : output + "/"
    let format = (options.output ?? .jsonl).rawValue
    let paths = isSplit ? request.storefronts.map { "\(folder)\($0.id).\(format)" } : [output]
    try checkPaths(paths)
    let report = try BatchReport(file: rejects, isQuiet: quiet)
    let (catalog, rejected) = try Catalog.opened(input, in: options.localeData, reading) {
      (error) throws(CatalogError) in
      if strict { throw error }
      report.reject(error.description) { $0 += error.json.utf8 }
    }
    let batch = try CatalogBatch(catalog, request, options)
    if isSplit { try OutputFile.makeFolder(output) }
    let areMany = OutputFile.isTooMany(paths.count)
    if areMany { PartFile.claim(paths) }
    let sinks = try paths.map { try BatchSink($0, report, isOneOfMany: areMany) }
    let isComplete = try report.run(sinks.map(\.file)) { () throws(BatchError) in try batch.run(to: sinks) }
    if rejected > 0, !quiet { StandardError.write("rejected while reading the catalog: \(rejected)\n") }
    return isComplete && rejected == 0
  }

  /// Checks that the input, the outputs and the file of rejects are different files.
  private func checkPaths(_ outputs: [String]) throws {
    func sameFile(_ first: String, _ second: String, _ path: String) -> BatchError {
      BatchError(
        .unwritableOutput,
        "\(first) and \(second) are the same file, \(quoted(path))",
        fix: "use another file"
      )
    }
    if let output = outputs.first(where: { OutputFile.isOutput($0, inputPath(input)) }) {
      throw sameFile("the input", "the output", output == "-" ? input : output)
    }
    guard let rejects else { return }
    if OutputFile.isSame(rejects, inputPath(input)) {
      throw sameFile("the input", "--rejects", input)
    }
    if let output = outputs.first(where: { OutputFile.isOutput($0, rejects) }) {
      throw sameFile("the output", "--rejects", output == "-" ? rejects : output)
    }
  }
}

extension BatchFormat: ExpressibleByArgument {}

/// The facts that the ending of a file name determines.
private struct FileEnding {
  let format: BatchFormat?
  let isTabSeparated: Bool
  let isCompressed: Bool
  /// Whether only catalogs have this ending.
  let isOfCatalog: Bool

  init(_ path: String) {
    var name = path.lowercased()[...]
    isCompressed = name.hasSuffix(".gz")
    if isCompressed { name = name.dropLast(3) }
    isTabSeparated = name.hasSuffix(".tsv")
    let catalogs = [".json", ".storekit", ".itmsp", ".itmsp/", ".xml", ".pricetag", ".sqlite", ".db"]
    isOfCatalog = catalogs.contains { name.hasSuffix($0) }
    let isJSONLines = name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson")
    format = isJSONLines ? .jsonl : isTabSeparated || name.hasSuffix(".csv") ? .csv : nil
  }
}

/// Returns the items of a list in an option, such as `USA,JPN`.
func listItems(_ list: String) -> [String] {
  list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
}

/// Returns the values of a list in an option.
///
/// - Parameter noun: What a value is, for the error.
func listed<Value: RawRepresentable<String> & CaseIterable>(_ names: [String], _ noun: String) throws
  -> [Value]
{
  try names.map { name in
    if let value = Value(rawValue: name) { return value }
    let known = Value.allCases.map(\.rawValue)
    let fix = didYouMean(
      closestMatch(to: name, among: known),
      otherwise: "use a list of \(known.joined(separator: ","))"
    )
    throw ValidationError("unknown \(noun) \(quoted(name)); \(fix)")
  }
}
