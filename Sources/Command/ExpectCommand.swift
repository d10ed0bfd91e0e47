import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagDrift
import PriceTagStrings
import PriceTagText

/// `pricetag expect` writes expected prices and regular expressions for tests in any language.
struct ExpectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "expect",
    abstract: "Write the expected prices and regular expressions of storefronts, for tests in any language.",
    discussion: """
      The file is JSON: the exact text of each price, the text after folding and its code points, and for each storefront two \
      regular expressions: strict matches exactly what the storefront writes, lenient the same after folding. Tests need the file \
      alone. pricetag check compares it with what is displayed now.

      The input is a catalog, or rows: CSV or JSON Lines with storefront and amount, and optionally currency and at (a date).

      Examples:
        pricetag expect shop.json -o prices.json
        pricetag expect rows.csv --at 2027-01-01 -o new-year.json
        pricetag expect shop.json --storefronts DEU,JPN -o prices.json && pricetag check prices.json

      Exit codes: 0 everything was written; 1 no file was written; 2 the command line is wrong; 3 the file was written, but some \
      products cannot be shown, or some rows or parts of the catalog file were rejected.
      """
  )

  @Argument(help: "A catalog, or a file of rows; - for rows on standard input.", completion: .file())
  var input: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
    completion: .file()
  )
  var output = "-"

  @Option(
    help: ArgumentHelp(
      "The storefronts of a catalog: all, or a list such as USA,JPN (default: all).",
      valueName: "all|ids"
    )
  )
  var storefronts: String?

  @Flag(help: "Include products of a catalog that are not approved.")
  var development = false

  @OptionGroup(title: "Reading files") var reading: ReadingOptions
  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func run() throws {
    try OutputFile.requireDistinct(output, from: [("the input", input)])
    let file = CatalogFile(path: inputPath(input))
    let areRows = input == "-" ? reading.from == nil : PriceRows.isStart(of: file)
    if areRows, storefronts != nil || development || !reading.values.isEmpty {
      throw ValidationError(
        "the input is rows, and options of catalogs have no effect; remove them, or use a catalog"
      )
    }
    let localeData = try data.load()
    let request = ListingRequest(
      storefronts: try ListingOptions.storefronts(storefronts, localeData),
      languages: .list([try UILanguage(Expectations.language)]),
      // With a date, the file is the same whenever it is written on that day.
      at: try data.at ?? .date(LocaleDataOptions.start.dateInUTC),
      mode: development ? .development : .production,
      style: style.style,
      strings: try data.loadStrings()
    )
    let path = input == "-" ? nil : OutputFile.relativePath(of: input, from: output)
    let header = try GoldenFileHeader(request, in: localeData, catalog: path, reading: reading.values)
    try expect(
      try ExpectationSource(file, areRows: areRows, reading, request, localeData),
      request,
      header,
      localeData,
      to: output
    )
  }
}

/// The prices of a catalog, or of rows.
struct ExpectationSource {
  let prices: Expectations.Source
  /// The number of rejected rows or parts of the catalog file.
  let rejected: Int

  init(
    _ file: CatalogFile,
    areRows: Bool,
    _ reading: ReadingOptions,
    _ request: ListingRequest,
    _ localeData: LocaleData
  ) throws {
    if areRows {
      let rows = try PriceRows(file, request, in: localeData)
      (prices, rejected) = (.rows(rows), rows.problems.count)
    } else {
      let (catalog, rejected) = try Catalog.opened(file.name, in: localeData, reading)
      (prices, self.rejected) = (.catalog(catalog), rejected)
    }
  }
}

/// Writes expectations (`-` for standard output), and prints their number to standard error. Throws the exit code 3 if something is
/// missing.
func expect(
  _ source: ExpectationSource,
  _ request: ListingRequest,
  _ header: GoldenFileHeader,
  _ localeData: LocaleData,
  to output: String
) throws {
  var expectations = Expectations(request, in: localeData)
  let bytes = try expectations.file(source.prices, header)
  let file = try OutputFile(output)
  file.write(bytes)
  try file.finish()
  if case .rows(let rows) = source.prices { StandardError.writeList("rejected", rows.problems) }
  StandardError.writeList("not displayed", expectations.missingDisplays)
  let storefronts = counted(expectations.expressionCount, "storefront")
  StandardError.write(
    "pricetag: wrote \(counted(expectations.count, "price")) and the expressions of \(storefronts)\n"
  )
  if source.rejected > 0 || !expectations.missingDisplays.isEmpty { throw ExitCode(3) }
}
