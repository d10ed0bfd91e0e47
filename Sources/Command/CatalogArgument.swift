import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagCommandLine
import PriceTagText

/// The catalogue that a verb works on: a database that `pricetag import` made, or any file that it reads.
struct CatalogArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A catalogue: a database of pricetag import's, or any file it reads.",
      valueName: "catalog"
    ),
    completion: .file()
  )
  var catalog: String

  @OptionGroup(title: "Reading files") var reading: ReadingOptions

  /// Opens the catalogue, as `ReadingOptions.open` does.
  func open(_ data: LocaleDataOptions) throws -> (catalog: Catalog, setAside: Int) {
    try reading.open(catalog, data)
  }
}

extension ReadingOptions {
  /// What was given, by the names of the options.
  var values: [String: String] {
    var values: [String: String] = [:]
    values["from"] = from?.rawValue
    values["prices-of"] = pricesOf
    values["reinterpret-as"] = reinterpretAs
    values["texts-in"] = textsIn
    return values
  }

  /// The options, and for those that were not given what was recorded of them.
  func adding(_ recorded: [String: String]) -> ReadingOptions {
    var options = self
    options.from = from ?? recorded["from"].flatMap { CatalogFormat(rawValue: $0) }
    // Each of the two excludes the other.
    options.pricesOf = pricesOf ?? (reinterpretAs == nil ? recorded["prices-of"] : nil)
    options.reinterpretAs = reinterpretAs ?? (pricesOf == nil ? recorded["reinterpret-as"] : nil)
    options.textsIn = textsIn ?? recorded["texts-in"]
    return options
  }

  /// Opens the catalogue; a file that is none is imported into memory, and what is set aside is told.
  ///
  /// - Returns: The catalogue, and how many parts of the file were set aside.
  ///
  /// - Parameter setAside: Is told what is set aside; what it throws ends the reading.
  func open(
    _ catalog: String,
    _ data: LocaleDataOptions,
    setAside: (CatalogError) throws(CatalogError) -> Void = { (error) throws(CatalogError) in
      StandardError.write("pricetag: set aside: \(error)\n")
    }
  ) throws -> (catalog: Catalog, setAside: Int) {
    let localeData = try data.load()
    if Catalog.isDatabase(path: catalog) {
      if let reinterpretAs {
        throw CatalogError(
          .invalidRequest,
          "the prices of a catalog cannot be reinterpreted as those of \(quoted(reinterpretAs))",
          fix: "leave out --reinterpret-as, or import the catalog's StoreKit configuration with it",
          place: printable(catalog)
        )
      }
      let opened = try Catalog(path: catalog, localeData: localeData)
      if !opened.hasChecksums { StandardError.noteMissingChecksums(catalog) }
      return (opened, 0)
    }
    let opened = try Catalog(localeData: localeData)
    let summary = try opened.importFiles(
      [CatalogFile(path: inputPath(catalog))],
      format: from,
      // As an import of today reads it: --at is the day that is asked about.
      options: try options(localeData, nil),
      setAside: setAside
    )
    StandardError.write(summary.reinterpretations)
    return (opened, summary.setAside)
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

extension StandardError {
  /// Writes which files were read as another storefront's.
  static func write(_ reinterpretations: [ImportSummary.Reinterpretation]) {
    for file in reinterpretations {
      write(
        "reinterpreted: \(file.file) names \(file.storefront), and its prices were read as those of \(file.reinterpretedAs)\n"
      )
    }
  }
}
