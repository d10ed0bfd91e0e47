import ArgumentParser
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagText

/// `pricetag verify` checks the integrity of a catalog.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify the checksums, counts and indexes of a catalog.",
    discussion: """
      Every verb that reads a catalog verifies the parts that it reads. This verb reads the complete catalog, and reports \
      each damage with the product in which it was found. To replace a damaged catalog, import its sources into a new one.

      Examples:
        pricetag verify shop.pricetag
        pricetag verify shop.pricetag --quiet

      Exit codes: 0 the catalog is intact; 1 the catalog is damaged or cannot be read; 2 the command line is wrong.
      """
  )

  @Argument(help: "The catalog, a database of pricetag import.", completion: .file())
  var catalog: String

  @Flag(help: "Print damage only.")
  var quiet = false

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  /// The maximum number of damaged items that are printed.
  private static let maximumPrintedCount = 20

  func run() throws {
    let catalog = try Catalog(path: inputPath(catalog), localeData: data.load())
    let progress = quiet ? nil : ProgressLine()
    defer { progress?.clear() }
    var printed = 0
    let verification = try catalog.verify(
      report: { (error) throws(CatalogError) in
        printed += 1
        guard printed <= Self.maximumPrintedCount else { return }
        progress?.clear()
        StandardError.write("pricetag: \(error)\n")
      },
      progress: { products, count in progress?.show { "verified \(products) of \(count) products" } }
    )
    progress?.clear()
    if printed > Self.maximumPrintedCount {
      StandardError.write("pricetag: … and \(printed - Self.maximumPrintedCount) more\n")
    }
    if !quiet {
      StandardError.write(
        "verified: \(counted(verification.products, "product")), \(counted(verification.prices, "price"))\n"
      )
      StandardError.write("damaged items: \(verification.damages)\n")
    }
    if verification.damages > 0 { throw ExitCode(1) }
  }
}
