import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagText

/// `pricetag verify`: whether a catalog says what was imported.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify a catalog: every checksum, every count and every index.",
    discussion: """
      Examples:
        pricetag verify shop.pricetag
        pricetag verify shop.pricetag --quiet || pricetag import products.jsonl --into new.pricetag

      Every verb that reads a catalog verifies what it reads. This verb reads all of it, and reports each damage with \
      the product that it was noticed at. A damaged catalog is replaced by importing its sources into a new one.

      Exit code 1 where anything is damaged; 3 where the catalog was written by an older PriceTag, without checksums. \
      The next import adds them.
      """
  )

  @Argument(
    help: ArgumentHelp("A catalog that pricetag import has written.", valueName: "catalog"),
    completion: .file()
  )
  var catalog: String

  @Flag(help: "Print damages only.")
  var quiet = false

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  /// How many damages are printed one by one.
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
      StandardError.write("damages: \(verification.damages)\n")
    }
    if verification.damages > 0 { throw ExitCode(1) }
    guard verification.hasChecksums else {
      StandardError.noteMissingChecksums(self.catalog)
      throw ExitCode(3)
    }
  }
}

extension StandardError {
  /// Writes that a catalog of an older PriceTag has no checksums.
  static func noteMissingChecksums(_ catalog: String) {
    write(
      "pricetag: note: \(printable(catalog)) was written by an older PriceTag, without checksums: import anything into it to add them\n"
    )
  }
}
