import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagDrift
import PriceTagText

/// `pricetag record`: what every storefront displays, as a golden.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract:
      "Record what every storefront displays, as a golden that pricetag check holds against what it displays then.",
    discussion: """
      A golden is text for reviews: a line for each product, storefront and language, sorted, with everything escaped \
      that is not seen. Its first lines say what it was made of, and with which versions of PriceTag, ICU, CLDR and the \
      registry.

      Examples:
        pricetag record shop.json -o prices.golden
        pricetag record shop.pricetag --storefronts USA,JPN,DEU --languages en,ja -o prices.golden
        pricetag record shop.json --at 2027-01-01 -o new-year.golden
      """
  )

  @OptionGroup var source: CatalogArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The golden to write; - for standard output.", valueName: "file"),
    completion: .file()
  )
  var output = "-"

  @OptionGroup(title: "A catalogue") var listing: ListingOptions
  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func run() throws {
    if OutputFile.isOutput(output, inputPath(source.catalog)) {
      throw DriftError(
        .unwritableFile,
        "the golden would be written over the catalogue",
        fix: "give another file",
        place: output == "-" ? "standard output" : printable(output)
      )
    }
    let localeData = try data.load()
    let request = try listing.request(data, localeData, style.style)
    let (catalog, setAside) = try source.open(data)
    let header = try GoldenHeader(
      request,
      in: localeData,
      catalog: source.catalog == "-" ? nil : OutputFile.path(of: source.catalog, from: output),
      reading: source.reading.values
    )
    let isWhole = try record(catalog, request, header, to: output)
    if setAside > 0 || !isWhole { throw ExitCode(3) }
  }
}

/// Writes a golden to a file, or to standard output under the name `-`, and tells of what.
///
/// - Returns: Whether everything is displayed that should be.
func record(
  _ catalog: Catalog,
  _ request: ListingRequest,
  _ header: GoldenHeader,
  to output: String
) throws -> Bool {
  let recording = try DisplayRecording(of: catalog, request)
  let file = output == "-" ? nil : try OutputFile(output)
  let summary = try recording.writeGolden(header) { text in
    if let file { file.write(text) } else { StandardOutput.write(text) }
  }
  try file?.finish()
  StandardError.tell("not displayed", summary.mistakes)
  let others = summary.productsWithoutDisplay
  StandardError.write(
    "pricetag: recorded \(counted(summary.displays, "display")) of \(counted(summary.products, "product")) in \(counted(request.storefronts.count, "storefront"))"
      + (others > 0 ? "; \(others) more displayed nowhere\n" : "\n")
  )
  return summary.mistakes.isEmpty
}
