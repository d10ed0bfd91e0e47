import ArgumentParser
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagDrift
import PriceTagText

/// `pricetag record` records what every storefront displays, as a golden file.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record what every storefront displays, as a golden file.",
    discussion: """
      pricetag check compares later prices with the golden file. The file is text for code reviews: one line for each \
      product, storefront and language, sorted, with invisible characters escaped. Its first lines have the catalog, the \
      options, and the versions of PriceTag, ICU, CLDR and the locale data.

      Examples:
        pricetag record shop.json -o prices.golden
        pricetag record shop.pricetag --storefronts USA,JPN -o prices.golden
        pricetag record shop.json --at 2027-01-01 -o new-year.golden

      Exit codes: 0 everything was recorded; 1 no golden file was written; 2 the command line is wrong; 3 the file was \
      written, but some products cannot be shown or a part of the catalog file was rejected.
      """
  )

  @OptionGroup var source: CatalogArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The golden file to write; - for standard output.", valueName: "file"),
    completion: .file()
  )
  var output = "-"

  @OptionGroup(title: "Catalog") var listing: ListingOptions
  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func run() throws {
    try OutputFile.requireDistinct(output, from: [("the catalog", source.catalog)])
    let localeData = try data.load()
    let request = try listing.request(data, localeData, style.style)
    let (catalog, rejected) = try source.open(in: localeData)
    let header = try GoldenFileHeader(
      request,
      in: localeData,
      catalog: source.catalog == "-" ? nil : OutputFile.relativePath(of: source.catalog, from: output),
      reading: source.reading.values
    )
    let isComplete = try record(catalog, request, header, to: output)
    if rejected > 0 || !isComplete { throw ExitCode(3) }
  }
}

/// Writes a golden file (`-` for standard output), and prints its size to standard error.
///
/// - Returns: Whether every product is displayed wherever the shop sells it.
func record(
  _ catalog: Catalog,
  _ request: ListingRequest,
  _ header: GoldenFileHeader,
  to output: String
) throws -> Bool {
  let recording = try DisplayRecording(of: catalog, request)
  let file = try OutputFile(output)
  let summary = try recording.writeGoldenFile(header) { file.write($0) }
  try file.finish()
  StandardError.writeList("not displayed", summary.missingDisplays)
  let others = summary.productsWithoutDisplay
  StandardError.write(
    "pricetag: recorded \(counted(summary.displays, "display")) of \(counted(summary.products, "product")) in \(counted(request.storefronts.count, "storefront"))"
      + (others > 0 ? "; \(counted(others, "product")) displayed in no storefront\n" : "\n")
  )
  return summary.missingDisplays.isEmpty
}
