import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagPages
import PriceTagStrings
import PriceTagText
import Synchronization

/// `pricetag pages`: localized store pages for every storefront and language.
struct PagesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pages",
    abstract: "Make localized store pages of a catalogue, for every storefront and language.",
    discussion: """
      The folder is a site that any web server serves: a page for each storefront and language \
      (store/usa/en-us/), one for each product in it, one to pick store and language (choose/ar/ and the site's \
      first), and for whoever checks prices, each product's price in every storefront (everywhere/). It is replaced as \
      a whole, a page that has not changed stays the same file, and a run that is stopped leaves the old site.

      Examples:
        pricetag pages shop.json -o public/
        pricetag pages shop.pricetag -o public/ --url https://shop.example/ --shop "Rocket Garage" --assets files/
        pricetag pages shop.json -o public/ --storefronts USA,JPN,DEU --languages en,ja --at 2027-01-01
        pricetag pages --write-templates templates/      the embedded templates, to start from
        pricetag pages shop.json -o public/ --templates templates/ --theme accent=#8a2be2,dark-accent=#c9a0ff

      What should be shown somewhere and cannot be is told with its reason, and the exit code is 3.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "A catalogue: a database of pricetag import's, or any file it reads.",
      valueName: "catalog"
    ),
    completion: .file()
  )
  var catalog: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder of the site: a new or an empty one, or one of a site.", valueName: "dir"),
    completion: .directory
  )
  var output: String?

  @OptionGroup(title: "A catalogue") var listing: ListingOptions

  @Flag(help: "Show, in place of every store, the notice for readers who may not pay.")
  var noPayments = false

  @OptionGroup(title: "Reading files") var reading: ReadingOptions

  @OptionGroup(title: "The shop") var look: ShopOptions

  @Option(
    help: ArgumentHelp("Write the embedded templates into a folder, and do nothing else.", valueName: "dir"),
    completion: .directory
  )
  var writeTemplates: String?

  @Option(
    help: ArgumentHelp(
      "The language of the site's first page, and of everywhere/ (default: en-US).",
      valueName: "tag"
    )
  )
  var firstLanguage: String?

  @Flag(help: "Leave out everywhere/, the pages for whoever checks prices.")
  var noEverywhere = false

  @Flag(help: "Tell nothing but errors.")
  var quiet = false

  @OptionGroup(title: "Work") var jobs: JobsOption
  @OptionGroup(title: "Style") var style: StyleOptions
  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  func validate() throws {
    if writeTemplates != nil { return }
    if catalog == nil { throw ValidationError("Missing expected argument '<catalog>'") }
    if output == nil { throw ValidationError("Missing expected argument '--output <dir>'") }
    if output == "-" { throw ValidationError("a site is a folder, and - is none: give one") }
  }

  func run() throws {
    if let writeTemplates { return try write(PageTemplates.embeddedTexts, to: writeTemplates) }
    guard let catalog, let output else { return }
    if OutputFile.isInside(inputPath(catalog), folder: output) {
      throw PagesError(
        .foreignFolder,
        "the site would replace the folder of the catalogue, \(quoted(catalog))",
        fix: "give a folder of the site's own"
      )
    }
    if let assets = look.assets {
      if OutputFile.isInside(inputPath(catalog), folder: assets) {
        throw PagesError(
          .invalidShop,
          "the catalogue is among the shop's own files, and would be published with them",
          fix: "give a folder with nothing but pictures and other public files",
          place: printable(assets)
        )
      }
      if OutputFile.isInside(output, folder: assets) || OutputFile.isInside(assets, folder: output) {
        throw PagesError(
          .invalidShop,
          "the site and the shop's own files are in each other",
          fix: "give two folders that are beside each other",
          place: printable(output)
        )
      }
    }
    // What is wrong in the command line is told before what is wrong in the catalogue.
    let shop = try look.made()
    let files = try look.assets.map { try SiteAssets(folder: $0) } ?? .none
    let request = try listing.request(data, data.load(), style.style)
    let templates =
      try look.templates.map { try PageTemplates(folder: $0, strings: request.strings) } ?? .embedded
    let language = try firstLanguage.map { try request.strings.answering($0) } ?? .development
    let (opened, setAside) = try reading.open(catalog, data)
    let site = try Site(
      opened,
      request,
      shop: shop,
      templates: templates,
      assets: files,
      defaultLanguage: language,
      canMakePayments: !noPayments,
      makesEverywhere: !noEverywhere,
      jobs: jobs.count
    )
    let isWhole = try write(site, to: output)
    if setAside > 0 || !isWhole { throw ExitCode(3) }
  }

  /// - Returns: Whether everything is shown that should be.
  private func write(_ site: Site, to output: String) throws -> Bool {
    let progress = quiet ? nil : ProgressLine()
    let reached = Mutex(0)
    Interruption.tell {
      let isWhole = Site.abandon()
      return isWhole
        ? "the new site is whole"
        : "\(counted(reached.withLock { $0 }, "page")) had been made; the site is as it was before"
    }
    let mistakes = Mutex<[String]>([])
    defer { progress?.clear() }
    let summary = try site.write(
      to: output,
      setAside: { storefront, invalid in mistakes.withLock { $0.append("\(storefront.id): \(invalid)") } },
      progress: { now in
        reached.withLock { $0 = now.pages }
        progress?.show { "\(now.done * 100 / max(now.total, 1)) %  \(counted(now.pages, "page"))" }
      }
    )
    progress?.clear()
    if quiet { return summary.setAside == 0 }
    StandardError.tell("not shown", mistakes.withLock { $0.sorted() })
    StandardError.tell(
      look.assets == nil
        ? "not shown, for there are no files of the shop's (--assets)" : "not among --assets, so not shown",
      summary.missingPictures.map { printable($0) }
    )
    StandardError.write(
      "pricetag: \(counted(summary.pages, "page")) in \(quoted(output)): \(counted(summary.written, "file")) written, \(summary.unchanged) unchanged, \(summary.removed) removed\n"
    )
    return summary.setAside == 0
  }

  /// Writes files into a folder that has none of them.
  private func write(_ files: [String: String], to folder: String) throws {
    try OutputFile.makeFolder(folder)
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      let path = "\(folder)/\(name)"
      guard !OutputFile.exists(path) else {
        throw PagesError(.foreignFolder, "\(quoted(path)) is there already", fix: "give a new folder")
      }
      let file = try OutputFile(path)
      file.write(text)
      try file.finish()
    }
  }
}
