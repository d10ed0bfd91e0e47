import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests that a site is written again after any of its inputs has changed.
@Suite struct SiteInputsTests {
  /// A catalog of as few products as the changes need.
  static let json = #"""
    {"format":"pricetag-catalog","version":1,
     "categories":[{"identifier":"cars","names":{"en-US":"Cars","de":"Autos"}}],
     "subscriptionGroups":[{"identifier":"club","names":{"en-US":"Club","de":"Klub"}}],
     "products":[
      {"productIdentifier":"car","kind":"non-consumable","category":"cars","sortOrder":1,"image":"images/car.svg",
       "localizations":{"en-US":{"name":"Car","description":"Fast."},"de":{"name":"Auto","description":"Schnell."}},
       "prices":{"USA":"1234.50","DEU":"1234.50"}},
      {"productIdentifier":"coins","kind":"consumable","sortOrder":2,"image":"https://cdn.example/a.png",
       "localizations":{"en-US":{"name":"Coins"}},"prices":{"USA":"0.99"}},
      {"productIdentifier":"kit","kind":"non-consumable","category":"cars","sortOrder":3,"image":"https://cdn.example/a.png",
       "localizations":{"en-US":{"name":"Kit"}},
       "prices":{"USA":[{"amount":"9.99","until":"2026-11-09"},{"amount":"4.99","from":"2026-11-10"}]}},
      {"productIdentifier":"monthly","kind":"auto-renewable-subscription","subscriptionGroup":"club","subscriptionPeriod":"P1M","sortOrder":4,
       "image":"https://cdn.example/a.png","localizations":{"en-US":{"name":"Monthly"}},"prices":{"USA":"9.99"},
       "offers":[{"kind":"introductory","paymentMode":"free-trial","period":"P7D"},
                 {"kind":"promotional","identifier":"back","paymentMode":"pay-up-front","period":"P3M","prices":{"USA":"5.99"}}]},
      {"productIdentifier":"yearly","kind":"auto-renewable-subscription","subscriptionGroup":"club","subscriptionPeriod":"P1Y","sortOrder":5,
       "image":"https://cdn.example/a.png","localizations":{"en-US":{"name":"Yearly"}},"prices":{"USA":"99.99"}}
     ]}
    """#

  /// All inputs of a site.
  struct Inputs: Sendable {
    var json = SiteInputsTests.json
    var localeData = LocaleData.embedded
    var storefronts = ["USA"]
    var languages: [String]? = ["en-US", "de"]
    var date = PageShop.date
    var mode = ProductsRequest.Mode.production
    var style = PriceStyle()
    var unitPriceRounding: RoundingMode?
    var taxInclusion: TaxInclusion?
    var ownTexts = ["en-US.json": #"{"thanks": "Thanks"}"#]
    /// The strings of the store; `nil` for the embedded ones.
    var strings: StoreStrings?
    var name: String? = "Shop"
    var logo: String?
    var url: String? = "https://shop.example/"
    var checkout: String?
    var colors: [String: String] = [:]
    var showsTaxLabels = false
    var showsPriceDate = false
    var productsPerPage = Shop.defaultProductsPerPage
    var shownOffers: Set<CatalogOffer.Kind> = [.introductory]
    var announcesIncreases = false
    var hero: String?
    var legalLinks: [Shop.LegalLink: String] = [:]
    var templates = ["footer.mustache": "<footer>{{own.thanks}} {{{priceDate}}}</footer>"]
    var kernelScript = "export {}"
    var kernelModule: [UInt8] = [0, 0x61, 0x73, 0x6D, 1, 0, 0, 0]
    var kernelData: LocaleData?
    var kernelStyle = PriceStyle()
    /// The shop's own files.
    var assets = ["images/car.svg": "<svg/>", "a.txt": "one"]
    var defaultLanguage = "en-US"
    var canMakePayments = true
    var includesEverywherePages = false

    /// The templates of most rows, whose check takes as long as a small site.
    private static let unchangedTemplates = Result {
      try PageTemplates(
        Inputs().templates,
        strings: StoreStrings.embedded.adding(ShopStrings(Inputs().ownTexts))
      )
    }

    private func compiledTemplates(_ all: StoreStrings) throws -> PageTemplates {
      templates == Inputs().templates && ownTexts == Inputs().ownTexts && strings == nil
        ? try Self.unchangedTemplates.get() : try PageTemplates(templates, strings: all)
    }

    /// - Parameter folder: A folder for the files of the inputs.
    func site(_ folder: TemporaryFolder) throws -> Site {
      let catalog = try Catalog(localeData: localeData)
      try catalog.importFiles([CatalogFile(name: "shop.json", bytes: Array(json.utf8))]) {
        (error) throws(CatalogError) in throw error
      }
      for part in ["assets", "kernel"] {
        try? FileManager.default.removeItem(atPath: "\(folder.path)/\(part)")
      }
      for (name, text) in assets { try folder.write(text, to: "assets/\(name)") }
      try folder.write(kernelScript, to: "kernel/pricetag.js")
      try folder.write("export {}", to: "kernel/phrases.js")
      try Data(kernelModule).write(to: URL(filePath: "\(folder.path)/kernel/pricetag-full.wasm"))
      let all = (strings ?? .embedded).adding(try ShopStrings(ownTexts))
      return try Site(
        catalog,
        ListingRequest(
          storefronts: try storefronts.map { try Storefront($0, in: localeData) },
          languages: try languages.map { .list(try $0.map { try UILanguage($0) }) } ?? .store,
          at: try .date(CalendarDate(date)),
          mode: mode,
          style: style,
          unitPriceRounding: unitPriceRounding,
          taxInclusion: taxInclusion,
          strings: all
        ),
        shop: Shop(
          name: name,
          logo: logo,
          url: url,
          checkout: checkout,
          theme: Theme(colors),
          showsTaxLabels: showsTaxLabels,
          productsPerPage: productsPerPage,
          shownOffers: shownOffers,
          announcesIncreases: announcesIncreases,
          showsPriceDate: showsPriceDate,
          hero: hero,
          legalLinks: legalLinks
        ),
        templates: compiledTemplates(all),
        assets: SiteAssets(folder: "\(folder.path)/assets"),
        kernel: PageKernel(
          folder: "\(folder.path)/kernel",
          localeData: kernelData ?? localeData,
          style: kernelStyle
        ),
        defaultLanguage: UILanguage(defaultLanguage),
        canMakePayments: canMakePayments,
        includesEverywherePages: includesEverywherePages
      )
    }
  }

  // MARK: Properties

  /// The properties that have no place in the fingerprint, with the reason.
  private static let others: [String: String] = [
    "Site.request": "its properties are inputs",
    "Site.catalog": "it is read through the snapshot only",
    "Site.products": "derived from the snapshot",
    "Site.pages": "its properties are inputs",
    "Site.assets": "its properties are inputs",
    "Site.jobs": "the number of threads does not change pages",
    "ListingRequest.isLanguageStrict": "a request fails, or its pages are the same",
    "Site.languages": "derived from the storefronts and languages of the request",
    "Site.linkedLanguages": "derived from the languages and the default language",
    "Site.entryLanguages": "derived from the languages and the default language",
    "StorePages.shop": "its properties are inputs",
    "StorePages.templates": "its properties are inputs",
    "StorePages.strings": "the strings of the request",
    "StorePages.hasFile": "derived from the assets",
    "StorePages.languages": "a cache",
    "StorePages.languageNames": "a cache",
    "StorePages.ownNames": "a cache",
    "StorePages.themeColors": "derived from the theme",
    "StorePages.textLanguages": "a cache",
    "StorePages.addresses": "derived from the templates and the theme",
    "StorePages.kernel": "its properties are inputs",
    "StorePages.kernelFiles": "derived from the kernel and the templates",
    "StorePages.layout": "derived from the shop",
    "PageTemplates.program": "derived from the texts",
    "PageTemplates.problem": "of the embedded templates, which belong to the program",
    "PageTemplates.policy": "derived from the texts",
    "PageKernel.packs": "a cache",
    "PageKernel.phrases": "a cache",
    "PageKernel.prices": "a cache",
    "SiteAssets.folder": "the files' contents matter, not where they are",
    "SiteAssets.root": "the files' contents matter, not where they are",
  ]

  /// Returns the stored properties of a value: `Shop.name`.
  private static func properties(of value: Any) -> [String] {
    Mirror(reflecting: value).children.map {
      let label = $0.label ?? ""
      return
        "\(type(of: value)).\(label.hasPrefix("$__lazy_storage_$_") ? String(label.dropFirst(18)) : label)"
    }
  }

  /// Every stored property of what a site is written from is in the fingerprint, or in the list above.
  @Test func namesEveryProperty() throws {
    let folder = try TemporaryFolder()
    let site = try Inputs().site(folder)
    let kernel = try #require(site.pages.kernel)
    let parts: [Any] = [
      site, site.request, site.pages, site.pages.shop, site.pages.templates, kernel, site.assets,
    ]
    let properties = Set(parts.flatMap { Self.properties(of: $0) })
    #expect(properties.contains("Shop.name") && properties.contains("SiteAssets.files"))
    let names = site.inputs().names
    let missing = properties.subtracting(names).subtracting(Self.others.keys)
    #expect(missing.isEmpty, "add them to SiteInputs.swift, or to the list with the reason")
    #expect(Set(Self.others.keys).subtracting(properties).isEmpty, "these properties do not exist")
    #expect(names.intersection(Self.others.keys).isEmpty)
    #expect(names.subtracting(properties) == ["process.files", "process.versions"])
    // The fingerprint has the text of the style with all properties.
    for property in Mirror(reflecting: site.request.style).children {
      #expect(String(reflecting: site.request.style).contains("\(property.label ?? ""):"))
    }
  }

  // MARK: Changes

  /// A change of one input.
  struct Change: Sendable, CustomTestStringConvertible {
    /// The name of the input.
    let input: String
    /// A file of the site that shows the change; empty if no page of this catalog does.
    let file: String
    /// A text that the file has after the change only; empty if it has another text.
    let text: String
    let make: @Sendable (inout Inputs, TemporaryFolder) throws -> Void

    init(
      _ input: String,
      _ file: String,
      _ text: String = "",
      _ make: @escaping @Sendable (inout Inputs, TemporaryFolder) throws -> Void
    ) {
      (self.input, self.file, self.text, self.make) = (input, file, text, make)
    }

    /// Creates a change of a property.
    init<Value: Sendable>(
      _ input: String,
      _ file: String,
      _ text: String,
      _ property: any WritableKeyPath<Inputs, Value> & Sendable,
      _ value: Value
    ) {
      self.init(input, file, text) { inputs, _ in inputs[keyPath: property] = value }
    }

    var testDescription: String { "\(input) \(text)" }
  }

  /// Returns locale data with a file in a folder, which its revision reads later.
  private static func overrides(_ folder: TemporaryFolder, _ symbol: String) throws -> LocaleData {
    try folder.write(
      #"{"schema":1,"overrides":[{"storefront":"USA","currency":"USD","symbol":"\#(symbol)","reason":"a test"}]}"#,
      to: "data/currency-overrides.json"
    )
    return try LocaleData(folder: "\(folder.path)/data")
  }

  /// Returns a pack of the storefronts.
  private static func pack() throws -> Pack {
    var writer = PackWriter(styles: [PriceStyle()], on: try CalendarDate(PageShop.date))
    for id in ["USA", "JPN"] { writer.add(try Storefront(id)) }
    return try Pack(writer.bytes(revision: try LocaleData.embedded.revision()))
  }

  private static func replacing(_ text: String, _ other: String)
    -> @Sendable (inout Inputs, TemporaryFolder) -> Void
  {
    { inputs, _ in inputs.json = inputs.json.replacing(text, with: other) }
  }

  private static let usa = "store/usa/en-us/index.html"
  private static let car = "store/usa/en-us/products/car/index.html"
  private static let monthly = "store/usa/en-us/products/monthly/index.html"

  static let changes: [Change] = [
    // The catalog.
    Change("Site.snapshot", usa, "$0.89", replacing("0.99", "0.89")),
    Change("Site.snapshot", usa, "Cart", replacing(#""name":"Car""#, #""name":"Cart""#)),
    Change("Site.snapshot", car, "Slow.", replacing("Fast.", "Slow.")),
    Change("Site.snapshot", usa, "Vehicles", replacing(#""en-US":"Cars""#, #""en-US":"Vehicles""#)),
    Change("Site.snapshot", monthly, "", replacing("P7D", "P14D")),
    Change("Site.snapshot", monthly, "", replacing("P1M\",\"sortOrder\"", "P1W\",\"sortOrder\"")),
    Change("Site.snapshot", usa, "$10.99", replacing(#""amount":"9.99""#, #""amount":"10.99""#)),
    Change("Site.snapshot", usa, "", replacing(#""sortOrder":2"#, #""sortOrder":9"#)),
    Change("Site.snapshot", car, "a.txt", replacing("images/car.svg", "a.txt")),
    Change(
      "Site.snapshot",
      car,
      "",
      replacing(#""sortOrder":1,"#, #""sortOrder":1,"priceLocales":{"USA":"de-DE"},"#)
    ),
    Change("Site.snapshot", usa, "", replacing(#""sortOrder":3,"#, #""sortOrder":3,"approved":false,"#)),
    Change("Site.defaultLanguage", "index.html", #"<html lang="de""#, \.defaultLanguage, "de"),
    Change("Site.canMakePayments", usa, "", \.canMakePayments, false),
    Change("Site.includesEverywherePages", "everywhere/index.html", "Car", \.includesEverywherePages, true),
    // The request.
    Change("ListingRequest.storefronts", "index.html", "store/deu/") { inputs, _ in
      inputs.storefronts.append("DEU")
    },
    Change("ListingRequest.storefronts", usa, "US$0.99") { $0.localeData = try overrides($1, "US$") },
    Change("ListingRequest.languages", "store/usa/he/index.html", "$0.99") { inputs, _ in
      inputs.languages = ["en-US", "de", "he"]
    },
    Change("ListingRequest.languages", "store/usa/es-mx/index.html", "$0.99", \.languages, nil),
    Change("ListingRequest.day", "store/usa/en-us/products/kit/index.html", "", \.date, "2026-11-01"),
    Change("ListingRequest.mode", "", "", \.mode, .development),
    Change("ListingRequest.style", usa, "USD\u{A0}0.99", \.style.width, .iso),
    Change("ListingRequest.style", "", "", \.style.numberingSystem, "latn"),
    Change("ListingRequest.unitPriceRounding", "", "", \.unitPriceRounding, .halfEven),
    Change(
      "ListingRequest.taxInclusion",
      monthly,
      #""valueAddedTaxIncluded":true"#,
      \.taxInclusion,
      .included
    ),
    Change("ListingRequest.strings", usa, "Many thanks") { inputs, _ in
      inputs.ownTexts = ["en-US.json": #"{"thanks": "Many thanks"}"#]
    },
    Change("ListingRequest.strings", "store/usa/de/index.html", "Danke") { inputs, _ in
      inputs.ownTexts["de.json"] = #"{"thanks": "Danke"}"#
    },
    Change("ListingRequest.strings", "store/usa/de/index.html", "Zum Laden") { inputs, folder in
      let embedded = StoreStrings.embedded
      let german = try UILanguage("de")
      let messages = try embedded.keys.map { key in
        let text = key == "store" ? "Zum Laden" : try embedded.message(key, in: german).text
        return #""\#(key)":\#(String(decoding: try JSONEncoder().encode(text), as: UTF8.self))"#
      }
      try folder.write("{\(messages.joined(separator: ","))}", to: "data/strings/de.json")
      inputs.strings = try StoreStrings(folder: "\(folder.path)/data")
      inputs.name = nil
    },
    // The shop.
    Change("Shop.name", usa, "Other shop", \.name, "Other shop"),
    Change("Shop.logo", usa, "a.txt", \.logo, "a.txt"),
    Change("Shop.url", usa, "https://other.example/", \.url, "https://other.example/"),
    Change("Shop.checkout", usa, "https://pay.example/", \.checkout, "https://pay.example/{product}"),
    Change("Shop.theme", "assets/store.css", "#123456", \.colors, ["accent": "#123456"]),
    Change("Shop.showsTaxLabels", usa, "plus tax", \.showsTaxLabels, true),
    Change("Shop.showsPriceDate", usa, "Prices as of", \.showsPriceDate, true),
    Change("Shop.productsPerPage", "store/usa/en-us/all/index.html", "$0.99", \.productsPerPage, 4),
    Change("Shop.shownOffers", monthly, "$5.99", \.shownOffers, [.introductory, .promotional]),
    Change("Shop.announcesIncreases", "", "", \.announcesIncreases, true),
    Change("Shop.hero", usa, #"class="card hero" data-product="coins""#, \.hero, "coins"),
    Change("Shop.legalLinks", "", "", \.legalLinks, [.imprint: "https://shop.example/imprint"]),
    // Files.
    Change("PageTemplates.texts", usa, "<footer>New</footer>") { inputs, _ in
      inputs.templates["footer.mustache"] = "<footer>New</footer>"
    },
    Change("PageTemplates.texts", "assets/store.css", "/* mine */", \.templates["store.css"], "/* mine */"),
    Change("PageKernel.sources", "", "", \.kernelScript, "export { }"),
    Change("PageKernel.sources", "", "") { inputs, _ in inputs.kernelModule.append(0) },
    Change("PageKernel.style", "", "", \.kernelStyle.width, .iso),
    Change("PageKernel.localeData", "", "") { inputs, _ in
      inputs.kernelData = LocaleData.embedded.pinned(to: try pack())
    },
    Change("PageKernel.revision", "", "") { $0.kernelData = try overrides($1, "US$") },
    Change("ListingRequest.storefronts", "", "") { inputs, _ in
      inputs.localeData = LocaleData.embedded.pinned(to: try pack())
    },
    Change("SiteAssets.files", "a.txt", "two", \.assets["a.txt"], "two"),
    Change("SiteAssets.files", "b.txt", "new", \.assets["b.txt"], "new"),
    Change("SiteAssets.files", car, "", \.assets["images/car.svg"], nil),
  ]

  /// Each input has a change.
  @Test func changesEveryInput() throws {
    let folder = try TemporaryFolder()
    let names = try Inputs().site(folder).inputs().names.filter { !$0.hasPrefix("process.") }
    #expect(Set(Self.changes.map(\.input)) == names)
  }

  /// The files of the site without a change, and the number of its pages.
  private static let unchanged: Result<(files: [String: Data], pageCount: Int), any Error> = Result {
    let folder = try TemporaryFolder()
    let summary = try Inputs().site(folder).write(to: "\(folder.path)/site")
    var files: [String: Data] = [:]
    for file in folder.files(in: "site") {
      files[file] = try Data(contentsOf: URL(filePath: "\(folder.path)/site/\(file)"))
    }
    return (files, summary.pages)
  }

  /// Writes the files of the site without a change, and states in their list that the site is complete, as a run does. The
  /// next run with the same inputs keeps the site only if the list is right.
  private static func writeUnchanged(to folder: TemporaryFolder) throws {
    let (files, pageCount) = try unchanged.get()
    for (file, bytes) in files {
      let url = URL(filePath: "\(folder.path)/site/\(file)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try bytes.write(to: url)
    }
    var census = SiteCensus()
    FolderListing.forEachFile(of: "\(folder.path)/site") { file, status in
      if file != SiteFolder.list { census.add(file, status) }
    }
    let record = SiteFileList.Record(
      inputs: try #require(try Inputs().site(folder).inputs().text),
      files: census.text,
      pageCount: pageCount,
      list: try #require(SiteFileList("\(folder.path)/site").record).list
    )
    // The last line is that of the site whose files these are.
    let lines = try folder.read("site/\(SiteFolder.list)").split(separator: "\n").dropLast()
    try folder.write(
      lines.map { "\($0)\n" }.joined() + record.line,
      to: "site/\(SiteFolder.list)"
    )
  }

  /// A site is written again after a change, and shows it. Without a change it keeps its files.
  @Test(arguments: changes) func writesChange(_ change: Change) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/site"
    func text() -> String { (try? folder.read("site/\(change.file)")) ?? "" }
    try Self.writeUnchanged(to: folder)
    let before = text()
    let number = try folder.number(of: "site")
    #expect(try Inputs().site(folder).write(to: path).written == 0)
    #expect(try folder.number(of: "site") == number, "kept")
    var inputs = Inputs()
    try change.make(&inputs, folder)
    let second = try inputs.site(folder).write(to: path)
    #expect(try folder.number(of: "site") != number, "written again")
    if !change.file.isEmpty {
      #expect(text() != before)
      #expect(change.text.isEmpty || text().contains(change.text) && !before.contains(change.text))
    }
    // The other site is the same as one in a new folder.
    let other = try inputs.site(folder).write(to: "\(folder.path)/new")
    #expect(second.files == other.files && second.pages == other.pages && second.rejected == other.rejected)
    for file in folder.files(in: "new") where file != ".pricetag-site" {
      #expect(
        FileManager.default.contentsEqual(atPath: "\(path)/\(file)", andPath: "\(folder.path)/new/\(file)"),
        "\(file)"
      )
    }
  }

  /// No two sets of inputs have the same fingerprint.
  @Test func distinguishesChanges() throws {
    let folder = try TemporaryFolder()
    var fingerprints: Set<String> = [try #require(try Inputs().site(folder).inputs().text)]
    #expect(try Inputs().site(folder).inputs().text.map { fingerprints.contains($0) } == true)
    for change in Self.changes {
      var inputs = Inputs()
      try change.make(&inputs, folder)
      let text = try #require(try inputs.site(folder).inputs().text)
      #expect(fingerprints.insert(text).inserted, "\(change.input)")
    }
  }

  /// An input that cannot be read has no fingerprint, so the site is written, or the run reports it.
  @Test func unreadableAssetHasNoFingerprint() throws {
    let folder = try TemporaryFolder()
    let site = try Inputs().site(folder)
    #expect(site.inputs().text != nil)
    try FileManager.default.removeItem(atPath: "\(folder.path)/assets/a.txt")
    #expect(site.inputs().text == nil)
  }
}
