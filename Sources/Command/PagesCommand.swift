import ArgumentParser
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagPages
import PriceTagStrings
import PriceTagSystem
import PriceTagText
import Synchronization

/// `pricetag pages` generates store pages for every storefront and language.
struct PagesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pages",
    abstract: "Generate store pages of a catalog for every storefront and language.",
    discussion: """
      The output is a folder of static files for any web server. It has a page for each storefront and language \
      (store/usa/en-us/), a page for each product, pages to choose the storefront and language (the first page and \
      choose/), and pages for reviewers with the price of each product in every storefront (everywhere/).

      The new site replaces the previous one only when it is complete. A page that has not changed stays the same file. A \
      product that should be shown in a storefront but cannot be is reported with its reason on standard error.

      Examples:
        pricetag pages shop.json -o public/
        pricetag pages shop.json -o public/ --shop "Rocket Garage" --assets files/
        pricetag pages shop.pricetag -o public/ --url https://shop.example/
        pricetag pages shop.json -o public/ --storefronts USA,JPN --languages en,ja
        pricetag pages shop.pricetag -o public/ --changed

      Change the templates and colors:
        pricetag pages --write-templates templates/
        pricetag pages shop.json -o public/ --templates templates/
        pricetag pages shop.json -o public/ --theme accent=#8a2be2,dark-accent=#c9a0ff

      Exit codes: 0 the site is complete; 1 the site could not be generated, and the previous one is unchanged; 2 the \
      command line is wrong; 3 the site was generated, but some products cannot be shown or a part of the catalog file was \
      rejected.
      """
  )

  @Argument(
    help: "The catalog: a database of pricetag import, or any file that pricetag import reads.",
    completion: .file()
  )
  var catalog: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder of the site: a new or empty folder, or the folder of a previous site.",
      valueName: "dir"
    ),
    completion: .directory
  )
  var output: String?

  @OptionGroup(title: "Catalog") var listing: ListingOptions

  @Flag(help: "Show a notice instead of products, for shoppers who may not make payments.")
  var noPayments = false

  @OptionGroup(title: "Reading files") var reading: ReadingOptions

  @OptionGroup(title: "Shop") var shopOptions: ShopOptions

  @Option(
    help: ArgumentHelp("Write the embedded templates to a new folder, and exit.", valueName: "dir"),
    completion: .directory
  )
  var writeTemplates: String?

  @Option(
    help: ArgumentHelp(
      "The language of the first page and of everywhere/ (default: en-US).",
      valueName: "tag"
    )
  )
  var firstLanguage: String?

  @Flag(help: "Also write everywhere/, pages with a product's prices in every storefront, for reviewers.")
  var everywhere = false

  @Flag(
    help: """
      Trust the list of the site in the folder, and write only the pages of changed products and those that show them; write \
      the complete site if another input has changed.
      """
  )
  var changed = false

  @Flag(help: "Print errors only.")
  var quiet = false

  @OptionGroup(title: "Work") var jobs: JobsOption
  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func validate() throws {
    if writeTemplates != nil { return }
    if catalog == nil { throw ValidationError("Missing expected argument '<catalog>'") }
    if output == nil { throw ValidationError("Missing expected argument '--output <dir>'") }
    if shopOptions.strings != nil, shopOptions.templates == nil {
      throw ValidationError(
        "--strings has no effect without --templates; pass templates that use the messages"
      )
    }
    if output == "-" { throw ValidationError("--output must be a folder, not -; name a folder") }
  }

  func run() throws {
    if let writeTemplates { return try write(PageTemplates.embeddedTexts, to: writeTemplates) }
    guard let catalog, let output else { return }
    if OutputFile.isInside(inputPath(catalog), folder: output) {
      throw PagesError(
        .foreignFolder,
        "the catalog \(quoted(catalog)) is in the folder of the site, which would be replaced",
        fix: "use another folder for the site"
      )
    }
    if let assets = shopOptions.assets {
      if OutputFile.isInside(inputPath(catalog), folder: assets) {
        throw PagesError(
          .invalidShop,
          "the catalog is in the folder of --assets, and would be published",
          fix: "use a folder that has only public files",
          place: printable(assets)
        )
      }
      if OutputFile.isInside(output, folder: assets) || OutputFile.isInside(assets, folder: output) {
        throw PagesError(
          .invalidShop,
          "one of the folders of --output and --assets is inside the other",
          fix: "use two separate folders",
          place: printable(output)
        )
      }
    }
    // Errors of the command line come before errors of the catalog.
    let shop: Shop
    do { shop = try shopOptions.makeShop() } catch { throw CommandLineProgram.settingError(error) }
    let files = try shopOptions.assets.map { try SiteAssets(folder: $0) } ?? .none
    let localeData = try data.load()
    let request = try listing.request(
      data,
      localeData,
      style.style,
      unitPriceRounding: shopOptions.unitPrices,
      taxInclusion: shopOptions.taxIncluded,
      ownStrings: try shopOptions.strings.map { try ShopStrings(folder: $0) }
    )
    let templates =
      try shopOptions.templates.map { try PageTemplates(folder: $0, strings: request.strings) } ?? .embedded
    let kernel = try shopOptions.kernel.map {
      try PageKernel(folder: $0, localeData: localeData, style: style.style)
    }
    let language = try firstLanguage.map { try request.strings.resolvedLanguage($0) } ?? .development
    let (opened, rejected) = try Catalog.opened(catalog, in: localeData, reading)
    let site = try Site(
      opened,
      request,
      shop: shop,
      templates: templates,
      assets: files,
      kernel: kernel,
      defaultLanguage: language,
      canMakePayments: !noPayments,
      includesEverywherePages: everywhere,
      jobs: jobs.count
    )
    let isComplete = try write(site, to: output)
    if rejected > 0 || !isComplete { throw ExitCode(3) }
  }

  /// - Returns: Whether every product is shown wherever the shop sells it.
  private func write(_ site: Site, to output: String) throws -> Bool {
    let progress = quiet ? nil : ProgressLine()
    let pageCount = Mutex(0)
    Interruption.report {
      let isComplete = Site.abandon()
      return isComplete
        ? "the new site is complete"
        : "\(counted(pageCount.withLock { $0 }, "page")) of the new site were generated; the previous site is unchanged"
    }
    let rejects = Mutex<[String]>([])
    let result = Result {
      try site.write(
        to: output,
        onlyChanged: changed,
        onReject: { storefront, invalid in rejects.withLock { $0.append("\(storefront.id): \(invalid)") } },
        progress: { current in
          pageCount.withLock { $0 = current.pages }
          progress?.show {
            "\(current.done * 100 / max(current.total, 1)) %  \(counted(current.pages, "page"))"
          }
        }
      )
    }
    OutputFile.waitIfAbandoned()
    progress?.clear()
    // If no product can be shown, these are the reasons of the error.
    if !quiet { StandardError.writeList("not shown", rejects.withLock { $0.sorted() }) }
    let summary = try result.get()
    if quiet { return summary.rejected == 0 }
    StandardError.writeList(
      shopOptions.assets == nil
        ? "picture not shown, because --assets is missing" : "picture not in --assets",
      summary.missingPictures.map { printable($0) }
    )
    if summary.unknownReductions > 0 {
      StandardError.write(
        "pricetag: lowest price not stated, because the history has less than 30 days: \(counted(summary.unknownReductions, "product"))\n"
      )
    }
    StandardError.write(
      "pricetag: \(counted(summary.pages, "page")) in \(quoted(output)): \(counted(summary.written, "file")) written, \(summary.unchanged) unchanged, \(summary.removed) removed\(summary.completeReason.map { " (complete run: \($0))" } ?? "")\n"
    )
    // A template may link a script that handles the buttons.
    if shopOptions.checkout == nil, shopOptions.templates == nil, !noPayments {
      StandardError.write(
        "pricetag: buttons do nothing without --checkout or a script of yours that handles them\n"
      )
    }
    return summary.rejected == 0
  }

  /// Writes files to a folder that does not have them.
  private func write(_ files: [String: String], to folder: String) throws {
    try OutputFile.makeFolder(folder)
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      let path = "\(folder)/\(name)"
      guard !OutputFile.exists(path) else {
        throw PagesError(
          .foreignFolder,
          "the file already exists",
          fix: "use a new folder",
          place: printable(path)
        )
      }
      let file = try OutputFile(path)
      file.write(text)
      try file.finish()
    }
  }
}
