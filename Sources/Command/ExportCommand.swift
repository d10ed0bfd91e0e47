import ArgumentParser
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagCommandLine
import PriceTagText

/// `pricetag export` writes a catalog in another format.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a catalog as JSON, JSON Lines, CSV, or an iTunes Store package.",
    discussion: """
      JSON and JSON Lines have all data of a catalog. Data that another format cannot represent is omitted, and reported \
      on standard error.

      Examples:
        pricetag export shop.pricetag --to jsonl > shop.jsonl
        pricetag export shop.pricetag --to csv -o prices.csv
        pricetag export Products.storekit --prices-of USA --to json

      Exit codes: 0 all data was exported; 1 the export failed; 2 the command line is wrong; 3 some data was omitted, or \
      a part of the catalog file was rejected.
      """
  )

  @OptionGroup var source: CatalogArgument

  @Option(
    help: ArgumentHelp(
      "The format of the export (default: by the ending of the output file).",
      valueName: "format"
    )
  )
  var to: ExportFormat?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
    completion: .file()
  )
  var output = "-"

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func validate() throws {
    if format == nil {
      throw ValidationError(
        "the option --to is missing; add it with one of \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
  }

  private var format: ExportFormat? {
    let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return to ?? ExportFormat(rawValue: ending == "xml" ? "itmsp" : ending)
  }

  func run() throws {
    guard let format else { return }
    try OutputFile.requireDistinct(output, from: [("the catalog", source.catalog)])
    let (catalog, rejected) = try source.open(in: data.load())
    let file = try OutputFile(output)
    var omittedCount = 0
    try catalog.export(as: format) {
      file.write($0)
    } onOmission: { error in
      omittedCount += 1
      StandardError.write("pricetag: omitted: \(error)\n")
    }
    try file.finish()
    if rejected > 0 || omittedCount > 0 { throw ExitCode(3) }
  }
}

extension ExportFormat: ExpressibleByArgument {}
