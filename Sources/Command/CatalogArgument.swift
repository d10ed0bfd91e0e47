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
    help: ArgumentHelp(
      "The catalog: a database of pricetag import, or any file that pricetag import reads.",
      valueName: "catalog"
    ),
    completion: .file()
  )
  var catalog: String

  @OptionGroup(title: "Reading files") var reading: ReadingOptions

  /// Opens the catalog. See `ReadingOptions.open`.
  func open(_ data: LocaleDataOptions) throws -> (catalog: Catalog, rejected: Int) {
    try reading.open(catalog, data)
  }
}

extension ReadingOptions {
  /// The values of the options that are set, by the names of the options.
  var values: [String: String] {
    var values: [String: String] = [:]
    values["from"] = from?.rawValue
    values["prices-of"] = pricesOf
    values["reinterpret-as"] = reinterpretAs
    values["texts-in"] = textsIn
    return values
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

  /// Opens a catalog. Any other file is imported into a catalog in memory.
  ///
  /// - Parameters:
  ///   - catalog: The path; `-` for standard input.
  ///   - data: The locale data.
  ///   - onReject: Called with each rejected part of the file. An error that it throws ends the import.
  /// - Returns: The catalog, and the number of rejected parts of the file.
  func open(
    _ catalog: String,
    _ data: LocaleDataOptions,
    onReject: (CatalogError) throws(CatalogError) -> Void = Catalog.printReject
  ) throws -> (catalog: Catalog, rejected: Int) {
    let localeData = try data.load()
    if Catalog.isDatabase(path: catalog) {
      if let reinterpretAs {
        throw CatalogError(
          .invalidRequest,
          "--reinterpret-as \(quoted(reinterpretAs)) requires a StoreKit configuration, but the file is a catalog",
          fix: "remove it, or import the StoreKit configuration with it",
          place: printable(catalog)
        )
      }
      return (try Catalog(path: catalog, localeData: localeData), 0)
    }
    // The import uses the date of today. --at is the date of the request.
    return try Catalog.imported(catalog, format: from, try options(localeData, nil), onReject: onReject)
  }

  func options(_ localeData: LocaleData, _ date: CalendarDate?) throws -> ImportOptions {
    ImportOptions(
      localeData: localeData,
      date: date ?? .today,
      storefront: try pricesOf.map { try Storefront($0, in: localeData) },
      language: textsIn,
      reinterpretAs: try reinterpretAs.map { try Storefront($0, in: localeData) }
    )
  }
}

extension Catalog {
  /// Imports a file into a catalog in memory. Returns it with the number of rejected parts of the file.
  ///
  /// - Parameter path: The path; `-` for standard input.
  static func imported(
    _ path: String,
    format: CatalogFormat? = nil,
    _ options: ImportOptions,
    onReject: (CatalogError) throws(CatalogError) -> Void = printReject
  ) throws -> (catalog: Catalog, rejected: Int) {
    let catalog = try Catalog(localeData: options.localeData)
    let file = CatalogFile(path: inputPath(path))
    let summary = try catalog.importFiles([file], format: format, options: options, onReject: onReject)
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
