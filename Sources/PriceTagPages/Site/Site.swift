import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagSystem
import PriceTagText
import Synchronization

/// A complete site: the pages of every storefront and language, written from a catalog.
///
///     let request = ListingRequest(storefronts: LocaleData.embedded.storefronts)
///     let site = try Site(catalog, request, shop: Shop(name: "Rocket Garage"))
///     let summary = try site.write(to: "public")      // a folder that any web server serves
///
/// The folder is replaced atomically, and unchanged pages keep their files.
public final class Site: Sendable {
  let request: ListingRequest
  let catalog: Catalog
  /// The state of the catalog that the site shows.
  let snapshot: ListingReader
  /// The digests of its products.
  let products: ProductDigests
  let pages: StorePages
  let assets: SiteAssets
  let defaultLanguage: UILanguage
  let canMakePayments: Bool
  let includesEverywherePages: Bool
  private let jobs: Int
  /// The languages of each storefront, in the order of the request.
  private let languages: [[UILanguage]]
  /// The language in which the "everywhere" pages link to each storefront.
  private let linkedLanguages: [UILanguage]
  /// The languages of the entry pages, the default language first.
  private let entryLanguages: [UILanguage]

  /// Creates a site from the current contents of a catalog.
  ///
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - request: The storefronts, the languages, and the date.
  ///   - shop: The name, address, and theme of the shop.
  ///   - templates: The page templates.
  ///   - assets: The shop's own files, which are copied into the site.
  ///   - kernel: The kernel for browsers, with which product pages have a field for the quantity; `nil` for pages without.
  ///   - defaultLanguage: The language of the root page and of the "everywhere" pages.
  ///   - canMakePayments: Whether shoppers may pay; if not, every store shows a notice instead of products.
  ///   - includesEverywherePages: Whether to write pages with a product's prices in every storefront, for the people who
  ///     review prices.
  ///   - jobs: The number of threads.
  /// - Throws: `.catalogFailed`, `.stringsFailed`.
  public init(
    _ catalog: Catalog,
    _ request: ListingRequest,
    shop: Shop,
    templates: PageTemplates = .embedded,
    assets: SiteAssets = .none,
    kernel: PageKernel? = nil,
    defaultLanguage: UILanguage = .development,
    canMakePayments: Bool = true,
    includesEverywherePages: Bool = false,
    jobs: Int = 1
  ) throws(PagesError) {
    (self.request, self.assets, self.defaultLanguage) = (request, assets, defaultLanguage)
    (self.canMakePayments, self.jobs) = (canMakePayments, max(1, jobs))
    self.includesEverywherePages = includesEverywherePages
    pages = StorePages(
      shop: shop,
      templates: templates,
      strings: request.strings,
      kernel: kernel,
      hasFile: { assets.has($0) }
    )
    do throws(CatalogError) {
      self.catalog = catalog
      snapshot = try catalog.listings(for: request)
      products = try snapshot.productDigests()
      languages = try request.storefronts.map { (storefront) throws(CatalogError) in
        try request.languages(of: storefront)
      }
    } catch { throw PagesError(.catalogFailed, error) }
    linkedLanguages = zip(request.storefronts, languages).map {
      StorePages.closestLanguage(to: defaultLanguage, among: $1, of: $0)
    }
    entryLanguages = EntryLanguages.of(languages, default: defaultLanguage)
  }

  /// Writes the site.
  ///
  /// - Parameters:
  ///   - folder: A new or empty folder, or the folder of an existing site.
  ///   - onlyChanged: Whether to trust the list of an existing site, and to write only the pages that depend on products which
  ///     have changed since. They are replaced one by one. If another input has changed, the complete site is written.
  ///   - onReject: Called for each product that a storefront cannot show, except those that are not for sale there. Calls
  ///     do not overlap.
  ///   - progress: Called after each storefront and each product. Calls do not overlap.
  /// - Returns: A summary.
  /// - Throws: `PagesError`; the old site is unchanged then, unless the changed pages could not be replaced.
  public func write(
    to folder: String,
    onlyChanged: Bool = false,
    onReject: @escaping @Sendable (_ storefront: Storefront, InvalidProductIdentifier) -> Void = { _, _ in },
    progress: @escaping @Sendable (SiteProgress) -> Void = { _ in }
  ) throws(PagesError) -> SiteSummary {
    try checkHero()
    let inputs = inputs()
    var completeReason: String?
    let folder = try SiteFolder(folder) { record in
      completeReason = onlyChanged ? inputs.reasonToWriteAll(after: record) : nil
      return onlyChanged && completeReason == nil
    }
    SiteBuild.current.withLock { $0[ObjectIdentifier(folder)] = folder }
    defer { SiteBuild.current.withLock { $0[ObjectIdentifier(folder)] = nil } }
    if let text = inputs.text, let site = folder.unchangedSite(text) {
      return try keep(site, onReject: onReject, progress: progress)
    }
    let build = SiteBuild(
      folder,
      total: request.storefronts.count + snapshot.count,
      onReject,
      progress
    )
    // Assets come first, so that a conflicting or unreadable file is reported before any page is rendered.
    for (path, text) in pages.assets { try build.add(path, text) }
    for (path, source) in assets.all { try build.add(path, copyOf: source) }
    try build.run(jobs: jobs, count: request.storefronts.count) { (storefronts) throws(PagesError) in
      try self.writeStores(storefronts, build)
    }
    guard build.shown.values.contains(where: { !$0.positions.isEmpty }) else {
      throw PagesError(
        .nothingToShow,
        snapshot.count == 0
          ? "the catalog has no products"
          : "no product can be shown in the requested storefronts",
        fix:
          "correct the catalog, or request other storefronts or another date (the previous site is unchanged)"
      )
    }
    let choice = try StoreChoice(of: shownStorefronts(build), in: defaultLanguage, on: request.day)
    let products = try writeProducts(choice, build)
    try writeSitemap(build)
    try writeEntries(build, products)
    try writeNotFound(choice, build)
    if build.shown.values.contains(where: { !$0.lists.isEmpty }) {
      for (path, text) in pages.searchAssets { try build.add(path, text) }
    }
    // The product pages have decided which packs there are.
    for (path, bytes) in pages.kernelAssets { try build.add(path, bytes) }
    build.update { addMissingLogo(&$0) }
    var summary = try build.finish(inputs: inputs.text)
    summary.completeReason = completeReason
    return summary
  }

  /// Checks that the catalog has the product that the shop wants to be large.
  private func checkHero() throws(PagesError) {
    guard let hero = pages.shop.hero else { return }
    let identifiers = try readingCatalog { () throws(CatalogError) in try catalog.productIdentifiers() }
    guard !identifiers.contains(hero) else { return }
    throw .invalidShop(
      "the catalog has no product \(quoted(hero)) for the hero of store pages",
      fix: didYouMean(
        closestMatch(to: hero, among: identifiers),
        otherwise: "use the identifier of one of its products"
      )
    )
  }

  /// Reports on a site that need not be written again.
  private func keep(
    _ site: (fileCount: Int, pageCount: Int),
    onReject: (Storefront, InvalidProductIdentifier) -> Void,
    progress: (SiteProgress) -> Void
  ) throws(PagesError) -> SiteSummary {
    var summary = SiteSummary()
    (summary.files, summary.pages) = (site.fileCount, site.pageCount)
    var missing = MissingPictures()
    addMissingLogo(&missing)
    for (index, storefront) in request.storefronts.enumerated() {
      let reader = catalog.storeReader(for: request.restricted(to: storefront), from: snapshot)
      _ = try readingCatalog { () throws(CatalogError) in
        try reader.outline { position, identifier, images in
          addMissingPictures(images, of: identifier, at: position, &missing)
        } onInvalid: { invalid in
          guard !invalid.reason.isIntended else { return }
          summary.rejected += 1
          onReject(storefront, invalid)
        }
      }
      progress(SiteProgress(pages: site.pageCount, done: index + 1, total: request.storefronts.count))
    }
    summary.missingPictures = missing.list
    return summary
  }

  private func addMissingLogo(_ missing: inout MissingPictures) {
    if let logo = pages.shop.logo, SiteFile.isPath(logo), !assets.has(logo) {
      missing.add(logo, of: "the logo", at: -1)
    }
  }

  private func addMissingPictures(
    _ images: [ProductImage],
    of product: String,
    at position: Int,
    _ missing: inout MissingPictures
  ) {
    for image in images {
      for address in image.addresses where SiteFile.isPath(address) && !assets.has(address) {
        missing.add(address, of: product, at: position)
      }
    }
  }

  // MARK: Stores

  /// Writes the pages of the storefronts in a queue.
  private func writeStores(_ queue: SiteBuild.IndexQueue, _ build: SiteBuild) throws(PagesError) {
    while let number = queue.next() {
      let storefront = request.storefronts[number]
      let request = request.restricted(to: storefront)
      let reader = catalog.storeReader(for: request, from: snapshot)
      let date = try readingCatalog { () throws(CatalogError) in try request.date(in: storefront) }
      let outline = try readingCatalog { () throws(CatalogError) in
        try reader.outline { position, identifier, images in
          guard !images.isEmpty else { return }
          build.update { addMissingPictures(images, of: identifier, at: position, &$0) }
        } onInvalid: {
          build.reject(storefront, $0)
        }
      }
      let writer = StoreWriter(
        site: self,
        storefront: storefront,
        languages: languages[number],
        date: date,
        products: StoreProducts(reader, try Self.listingBuilder(request)),
        outline: outline,
        build: build
      )
      build.setShown(try writer.write(), inStorefront: number)
      build.advance()
    }
  }

  private static func listingBuilder(_ request: ListingRequest) throws(PagesError) -> ListingBuilder {
    try readingCatalog { () throws(CatalogError) in try ListingBuilder(request) }
  }

  // MARK: Everywhere

  /// Writes the pages of products that concern all stores: the one to choose a store and, if the site has them, the
  /// "everywhere" page.
  ///
  /// - Returns: The products of the "everywhere" pages, in catalog order.
  private func writeProducts(_ choice: StoreChoice, _ build: SiteBuild) throws(PagesError) -> [TemplateValues]
  {
    var listed: [TemplateValues] = []
    let reading = try readingCatalog { () throws(CatalogError) in
      try catalog.listings(for: request, from: snapshot)
    }
    var key = ContentDigest()
    for store in shownStorefronts(build) { key.add(store.storefront.id) }
    while true {
      let products = try readingCatalog { () throws(CatalogError) in try reading.next(500) }
      if products.isEmpty { return listed }
      let names = Mutex([Int: String?]())
      try build.run(jobs: jobs, count: products.count) { [key] (queue) throws(PagesError) in
        try self.writeProducts(queue, of: products, choice, key, build) { number, name in
          if self.includesEverywherePages { names.withLock { $0[number] = .some(name) } }
        }
      }
      for (number, name) in names.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
        listed.append(StorePages.everywhereProduct(products[number].identifier, name: name))
      }
    }
  }

  /// Writes the pages of the products in a queue.
  ///
  /// - Parameters:
  ///   - key: The digest of what all of these pages are written from, without the inputs of the site.
  ///   - onWritten: Called with the number and the name of each product that has pages.
  private func writeProducts(
    _ queue: SiteBuild.IndexQueue,
    of products: [ProductRecord],
    _ choice: StoreChoice,
    _ key: ContentDigest,
    _ build: SiteBuild,
    onWritten: (Int, String?) -> Void
  ) throws(PagesError) {
    let builder = try Self.listingBuilder(
      ListingRequest(
        storefronts: request.storefronts,
        languages: .list([defaultLanguage]),
        at: request.day,
        mode: request.mode,
        style: request.style,
        unitPriceRounding: request.unitPriceRounding,
        strings: request.strings
      )
    )
    while let number = queue.next() {
      let record = products[number]
      var listings: [Listing] = []
      do { try builder.forEach(record) { listings.append($0) } } catch {
        throw PagesError(readingCatalog: error)
      }
      defer { build.advance() }
      // Products that are intentionally not for sale anywhere have no page.
      guard listings.contains(where: \.isShownOrMissed) else { continue }
      var sold: [Storefront: Product] = [:]
      for listing in listings {
        if case .product(let product, _) = listing.answer { sold[listing.storefront] = product }
      }
      if sold.values.contains(where: \.isReductionUnknown) { build.addUnknownReduction() }
      let text = listings.lazy.compactMap { sold[$0.storefront]?.text }.first
      onWritten(number, text?.name)
      // A page of a store that is kept needs the same packs of the kernel.
      for (storefront, product) in sold where canMakePayments {
        try pages.preparePacks(for: product, storefront, request)
      }
      let entry = PagePath.productEntry(record.identifier).file
      var key = key
      key.add(record.identifier)
      key.add(self.products.byRow[record.row] ?? ContentDigest())
      if build.isUnchanged(key) {
        if !sold.isEmpty { try build.keep(entry) }
        guard includesEverywherePages else { continue }
        let everywhere = PagePath.everywhere(record.identifier)
        for file in [everywhere.file, everywhere.prices] { try build.keep(file) }
        continue
      }
      if !sold.isEmpty {
        let page = try pages.productEntryPage(record.identifier, text, image: record.image, choice) {
          sold[$0] != nil
        }
        try build.add(entry, page)
      }
      if includesEverywherePages { try writeEverywhere(record.identifier, text?.name, listings, build) }
    }
  }

  /// Writes a product's prices in every storefront: as a page, sorted by the names of the storefronts, and as CSV.
  private func writeEverywhere(_ id: String, _ name: String?, _ listings: [Listing], _ build: SiteBuild)
    throws(PagesError)
  {
    let path = PagePath.everywhere(id)
    var csv = "productIdentifier,storefront,currency,amount,displayedPrice,reason\n"
    let rows = listings.map { listing in
      let storefront = listing.storefront
      let name = defaultLanguage.name(of: storefront)
      let row = TemplateValues([.id: storefront.id, .name: pageText(name), .isAvailable: false])
      csv += "\(id),\(storefront.id),"
      switch listing.answer {
      case .product(let shown, _):
        let price = shown.price
        (row[.isAvailable], row[.display]) = (true, PriceMarkup.html(price))
        (row[.amount], row[.currency]) = (price.amount.description, price.currency.code)
        row[.ownPriceLocale] = price.locale == storefront.priceLocale ? nil : price.locale.identifier
        row[.href] = path.href(to: .product(id, storefront, linkedLanguages[listing.index]))
        csv += "\(price.currency.code),\(price.amount),\(quotedForCSV(price.text)),\n"
      case .invalid(let invalid):
        row[.reason] = pageText(invalid.message)
        csv += ",,,\(quotedForCSV(invalid.message))\n"
      }
      return (name: name, values: row)
    }
    let page = try pages.everywherePage(at: path, id, in: defaultLanguage)
    page[.product] = StorePages.everywhereProduct(id, name: name)
    page[.rows] = defaultLanguage.sorted(rows, by: \.name).map(\.values)
    try build.add(path.file, try pages.templates.bytes(of: .everywhere, page))
    try build.add(path.prices, csv)
  }

  // MARK: Entries

  /// The storefronts with products, and the languages of each. The entry pages do not link to empty stores.
  private func shownStorefronts(_ build: SiteBuild) -> [(storefront: Storefront, languages: [UILanguage])] {
    let shown = build.shown
    return zip(request.storefronts, languages).enumerated().compactMap { number, store in
      shown[number]?.positions.isEmpty == false ? (storefront: store.0, languages: store.1) : nil
    }
  }

  /// Writes the page for an address that does not exist, unless the shop has its own.
  private func writeNotFound(_ choice: StoreChoice, _ build: SiteBuild) throws(PagesError) {
    let path = PagePath.notFound(root: pages.shop.rootPath)
    guard !assets.has(path.file) else { return }
    try build.add(
      path.file,
      try pages.notFoundPage(root: pages.shop.rootPath, choice, languages: entryLanguages, isStatic: true)
    )
  }

  private func writeEntries(_ build: SiteBuild, _ products: [TemplateValues]) throws(PagesError) {
    let storefronts = shownStorefronts(build)
    for (path, language) in [(PagePath.root, defaultLanguage)] + entryLanguages.map({ (.entry($0), $0) }) {
      let page = try pages.entryPage(
        at: path,
        in: language,
        storefronts: storefronts,
        languages: entryLanguages,
        on: request.day
      )
      try build.add(path.file, page)
    }
    guard includesEverywherePages else { return }
    let page = try pages.everywherePage(at: .everywhereList, nil, in: defaultLanguage)
    page[.products] = products
    try build.add(PagePath.everywhereList.file, try pages.templates.bytes(of: .everywhereList, page))
  }

  // MARK: Sitemap

  /// Calls the body with the position and the identifier of each product of the catalog.
  private func forEachProduct(_ body: (Int, String) throws(PagesError) -> Void) throws(PagesError) {
    var failure: PagesError?
    do throws(CatalogError) {
      try catalog.storeReader(for: request, from: snapshot).forEachIdentifier { position, identifier in
        do throws(PagesError) { try body(position, identifier) } catch {
          failure = error
          throw error
        }
      }
    } catch { throw failure ?? PagesError(.catalogFailed, error) }
  }

  /// Writes the sitemap, if the address of the site is known: the pages of all stores, the entry pages, then the page of each
  /// product in all stores.
  private func writeSitemap(_ build: SiteBuild) throws(PagesError) {
    guard let url = pages.shop.url else { return }
    // The shop's own file has precedence.
    if !assets.has("robots.txt") {
      try build.add("robots.txt", "User-agent: *\nAllow: /\n\nSitemap: \(url)sitemap.xml\n")
    }
    let stores = build.shown.filter { !$0.value.positions.isEmpty }.sorted { $0.key < $1.key }
    func sold(_ position: Int) -> [Int] { stores.filter { $0.value.positions.contains(position) }.map(\.key) }
    var key = ContentDigest()
    for (number, store) in stores { key.add("\(number) \(store.lists)") }
    try forEachProduct { (position, identifier) in
      key.add(identifier)
      for number in sold(position) { key.add(number) }
    }
    if build.isUnchanged(key) {
      var part = 0
      while !assets.has(Sitemap.path(ofPart: part)), try build.keep(Sitemap.path(ofPart: part)) { part += 1 }
      return
    }
    var sitemap = SiteSitemap(Sitemap(url: url, write: build.write))
    for (number, store) in stores {
      try sitemap.add(request.storefronts[number], number, languages[number], store, forEachProduct)
    }
    try sitemap.addEntries(entryLanguages, default: defaultLanguage)
    try forEachProduct { (position, identifier) throws(PagesError) in
      let numbers = sold(position)
      if !numbers.isEmpty { try sitemap.add(identifier, soldIn: numbers) }
    }
    try sitemap.finish()
  }
}

extension Listing {
  /// Whether the storefront shows the product, or should show it.
  fileprivate var isShownOrMissed: Bool {
    if case .invalid(let invalid) = answer { !invalid.reason.isIntended } else { true }
  }
}
