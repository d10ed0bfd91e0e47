import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagCommandLine
import PriceTagText

/// `pricetag export`: a catalogue out again.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a catalogue out again: as JSON, JSON Lines, CSV, or an iTunes Store package.",
    discussion: """
      Examples:
        pricetag export shop.pricetag --to jsonl > shop.jsonl
        pricetag export shop.pricetag --to csv -o prices.csv
        pricetag export Products.storekit --prices-of USA --to json

      JSON and JSON Lines have everything. What another format has no way to say is told on standard error, and the exit \
      code is 3.
      """
  )

  @OptionGroup var source: CatalogArgument

  @Option(
    help: ArgumentHelp(
      "The format: \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")) (default: by the output's ending).",
      valueName: "format"
    )
  )
  var to: ExportFormat?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file; - for standard output.", valueName: "file"),
    completion: .file()
  )
  var output = "-"

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func validate() throws {
    if format == nil {
      throw ValidationError("give --to \(ExportFormat.allCases.map(\.rawValue).joined(separator: "|"))")
    }
  }

  private var format: ExportFormat? {
    let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return to ?? ExportFormat(rawValue: ending == "xml" ? "itmsp" : ending)
  }

  func run() throws {
    guard let format else { return }
    if OutputFile.isSame(output, source.catalog) {
      throw CatalogError(
        .unwritableFile,
        "the output is the catalogue itself",
        fix: "give another file",
        place: printable(output)
      )
    }
    let (catalog, setAside) = try source.open(data)
    let file = output == "-" ? nil : try OutputFile(output)
    var leftOut = 0
    try catalog.export(as: format) { text in
      if let file { file.write(text) } else { StandardOutput.write(text) }
    } leftOut: { error in
      leftOut += 1
      StandardError.write("pricetag: left out: \(error)\n")
    }
    try file?.finish()
    if setAside > 0 || leftOut > 0 { throw ExitCode(3) }
  }
}

extension ExportFormat: ExpressibleByArgument {}
