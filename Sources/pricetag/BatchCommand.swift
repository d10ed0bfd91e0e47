import ArgumentParser
import PriceTag
import PriceTagBatch
import PriceTagCatalog

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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

      A row that cannot be formatted is set aside with its reason, and the exit code is 3; --strict makes the first such \
      row fatal. Compressed input is read as it is; an output that ends in .gz is compressed.
      """
  )

  @Argument(
    help: ArgumentHelp("A file of rows; - for standard input.", valueName: "input"),
    completion: .file()
  )
  var input = "-"

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
    completion: .file()
  )
  var output = "-"

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

  @Flag(help: "Stop at the first row that would be set aside, and write nothing.")
  var strict = false

  @Option(help: ArgumentHelp("How many threads work (default: one for each processor).", valueName: "count"))
  var jobs: Int?

  @Flag(help: "Tell nothing but errors.")
  var quiet = false

  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs \(jobs) is outside 1...256")
    }
    if let from = reading.from, BatchFormat(rawValue: from.rawValue) == nil {
      throw ValidationError("rows are jsonl or csv, not \(from.rawValue)")
    }
  }

  func run() throws {
    try checkPaths()
    var options = BatchOptions()
    let inputEnding = FileEnding(input)
    let outputEnding = FileEnding(output)
    options.input = reading.from.flatMap { BatchFormat(rawValue: $0.rawValue) } ?? inputEnding.format
    options.output = to ?? outputEnding.format
    options.delimiter =
      delimiter ?? (inputEnding.isTabSeparated || outputEnding.isTabSeparated ? 0x09 : UInt8(ascii: ","))
    options.fields = fields
    options.overwrites = overwrite
    options.minorUnits = minorUnits
    options.style = style.style
    options.date = data.at
    options.localeData = try data.load()
    options.jobs = jobs ?? Self.processorCount
    options.isStrict = strict
    options.compresses = outputEnding.isCompressed
    let batch = try Batch(options)

    let sink = try BatchSink(output: output, rejects: rejects, isQuiet: quiet)
    Interruption.tell { sink.howFar }
    let summary: BatchSummary
    do throws(BatchError) {
      let source: BatchInput =
        input == "-" ? .descriptor(STDIN_FILENO, name: "standard input") : .file(path: input)
      summary = try batch.run(from: source, to: sink)
    } catch {
      sink.clear()
      throw error
    }
    try sink.finish()
    if !quiet { sink.tell(summary) }
    if summary.setAside > 0 { throw ExitCode(3) }
  }

  /// Refuses to write over what is read.
  private func checkPaths() throws {
    func same(_ first: String, _ second: String) -> Bool {
      first == second || OutputFile.isSame(first, second)
    }
    let isOutputRead =
      output == "-" ? OutputFile.isStandardOutput(inputPath(input)) : same(output, inputPath(input))
    let problem: String? =
      if isOutputRead {
        "the output is the input, \(quoted(input))"
      } else if let rejects,
        same(rejects, inputPath(input))
      { "--rejects names the input, \(quoted(input))" } else if let rejects, same(rejects, output) {
        "--rejects names the output, \(quoted(output))"
      } else { nil }
    if let problem { throw BatchError(.unwritableOutput, problem, fix: "give another file") }
  }

  private static var processorCount: Int { min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), 16) }
}

extension BatchFormat: ExpressibleByArgument {}

/// What a file's name tells of it.
private struct FileEnding {
  let format: BatchFormat?
  let isTabSeparated: Bool
  let isCompressed: Bool

  init(_ path: String) {
    var name = path.lowercased()[...]
    isCompressed = name.hasSuffix(".gz")
    if isCompressed { name = name.dropLast(3) }
    isTabSeparated = name.hasSuffix(".tsv")
    format =
      if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") {
        .jsonl
      } else if name.hasSuffix(".csv")
        || isTabSeparated
      { .csv } else { nil }
  }
}
