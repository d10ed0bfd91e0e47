import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagCommandLine
import PriceTagSystem
import PriceTagText

/// The catalog of a verb: a database of `pricetag import`, or any file that it reads.
struct CatalogArgument: ParsableArguments {
  @Argument(
    help: "The catalog: a database of pricetag import, or any file that pricetag import reads.",
    completion: .file()
  )
  var catalog: String

  @OptionGroup(title: "Reading files") var reading: ReadingOptions

  /// Opens the catalog, and returns it with the number of rejected parts of a file.
  func open(in localeData: LocaleData) throws -> (catalog: Catalog, rejected: Int) {
    try Catalog.opened(catalog, in: localeData, reading)
  }
}

extension ReadingOptions {
  /// The values of the options that are set, by the names of the options.
  var values: [String: String] {
    let values = [
      "from": from?.rawValue, "prices-of": pricesOf, "reinterpret-as": reinterpretAs, "texts-in": textsIn,
    ]
    return values.compactMapValues(\.self)
  }

  /// Returns the options, with recorded values for those that are not set.
  func adding(_ recorded: [String: String]) -> ReadingOptions {
    var options = self
    options.from = from ?? recorded["from"].flatMap { CatalogFormat(rawValue: $0) }
    // The two options cannot be combined.
    options.pricesOf = pricesOf ?? (reinterpretAs == nil ? recorded["prices-of"] : nil)
    options.reinterpretAs = reinterpretAs ?? (pricesOf == nil ? recorded["reinterpret-as"] : nil)
    options.textsIn = textsIn ?? recorded["texts-in"]
    return options
  }

  func options(_ localeData: LocaleData, _ day: StoreDay?) throws -> ImportOptions {
    ImportOptions(
      localeData: localeData,
      day: try day ?? LocaleDataOptions.start,
      storefront: try pricesOf.map { try Storefront($0, in: localeData) },
      language: textsIn,
      reinterpretAs: try reinterpretAs.map { try Storefront($0, in: localeData) }
    )
  }
}

extension Catalog {
  /// Opens a catalog. Any other file is imported into a catalog in memory.
  ///
  /// - Parameters:
  ///   - path: The path; `-` for standard input.
  ///   - localeData: The locale data.
  ///   - reading: The facts that the file does not state.
  ///   - onReject: Called with each rejected part of the file. An error that it throws ends the import.
  /// - Returns: The catalog, and the number of rejected parts of the file.
  static func opened(
    _ path: String,
    in localeData: LocaleData,
    _ reading: ReadingOptions? = nil,
    onReject: (CatalogError) throws(CatalogError) -> Void = printReject
  ) throws -> (catalog: Catalog, rejected: Int) {
    if isDatabase(path: path) {
      if let id = reading?.reinterpretAs {
        throw CatalogError(
          .invalidRequest,
          "--reinterpret-as \(quoted(id)) requires a StoreKit configuration, but the file is a catalog",
          fix: "remove it, or import the StoreKit configuration with it",
          place: printable(path)
        )
      }
      return (try Catalog(path: path, localeData: localeData), 0)
    }
    // The import uses the start of the run. --at is the date of the request.
    let options =
      try reading?.options(localeData, nil)
      ?? ImportOptions(localeData: localeData, day: LocaleDataOptions.start)
    let catalog = try Catalog(localeData: localeData)
    let file = CatalogFile(path: inputPath(path))
    let summary = try catalog.importFiles([file], format: reading?.from, options: options, onReject: onReject)
    StandardError.write(summary.reinterpretations)
    return (catalog, summary.rejected)
  }

  static func printReject(_ error: CatalogError) throws(CatalogError) {
    StandardError.write("pricetag: rejected: \(error)\n")
  }
}

extension StandardError {
  /// Writes which files were read with the prices of another storefront.
  static func write(_ reinterpretations: [ImportSummary.Reinterpretation]) {
    for file in reinterpretations {
      write(
        "reinterpreted: \(file.file) names the storefront \(file.storefront); its prices were read as those of \(file.reinterpretedAs)\n"
      )
    }
  }
}
