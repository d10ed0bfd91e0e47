import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText
import Synchronization

/// A whole site: the pages of every storefront in every language, made from a catalogue.
///
///     let request = ListingRequest(storefronts: LocaleData.embedded.storefronts)
///     let site = try Site(catalog, request, shop: Shop(name: "Rocket Garage"))
///     let summary = try site.write(to: "public")      // a folder that any web server serves
///
/// The folder is replaced as a whole, and a page that has not changed stays the same file.
public final class Site: Sendable {
  private let request: ListingRequest
  private let products: [ProductFacts]
  private let pages: StorePages
  private let assets: SiteAssets
  private let defaultLanguage: UILanguage
  private let canMakePayments: Bool
  private let makesEverywhere: Bool
  private let jobs: Int
  /// The languages of each storefront, in the order of the request.
  private let languages: [[UILanguage]]
  /// The language of each storefront that is nearest to the default one, for who checks prices.
  private let checkersLanguages: [UILanguage]
  /// The languages that there is an entry page in, the default one first.
  private let entryLanguages: [UILanguage]

  /// A site of a catalogue, as it is now.
  ///
  /// - Parameters:
  ///   - catalog: The catalogue.
  ///   - request: Which storefronts, which languages, on which day.
  ///   - shop: What pages say of the shop.
  ///   - templates: How pages look.
  ///   - assets: The shop's own files, which become part of the site.
  ///   - defaultLanguage: The language of the site's first page, and of the pages for who checks prices.
  ///   - canMakePayments: Whether readers may pay; where not, a notice stands in place of every store.
  ///   - makesEverywhere: Whether there are pages for who checks prices, with a product's price in every storefront.
  ///   - jobs: How many threads work.
  /// - Throws: `.catalogFailed`, `.stringsFailed`.
  public init(
    _ catalog: Catalog,
    _ request: ListingRequest,
    shop: Shop,
    templates: PageTemplates = .embedded,
    assets: SiteAssets = .none,
    defaultLanguage: UILanguage = .development,
    canMakePayments: Bool = true,
    makesEverywhere: Bool = true,
    jobs: Int = 1
  ) throws(PagesError) {
    (self.request, self.assets, self.defaultLanguage) = (request, assets, defaultLanguage)
    (self.canMakePayments, self.makesEverywhere, self.jobs) = (canMakePayments, makesEverywhere, max(1, jobs))
    pages = StorePages(
      shop: shop,
      templates: templates,
      strings: request.strings,
      hasFile: { assets.has($0) }
    )
    do throws(CatalogError) {
      let reading = try catalog.listings(for: request)
      var products: [ProductFacts] = []
      while case let next = try reading.next(500), !next.isEmpty { products += next }
      self.products = products
      languages = try request.storefronts.map { (storefront) throws(CatalogError) in
        try request.languages(of: storefront)
      }
    } catch { throw PagesError(.catalogFailed, error) }
    checkersLanguages = zip(request.storefronts, languages).map {
      StorePages.nearest(to: defaultLanguage, among: $1, of: $0)
    }
    entryLanguages = EntryLanguages.of(languages, default: defaultLanguage)
  }

  /// Makes the site.
  ///
  /// - Parameters:
  ///   - folder: Where it is put: a new or an empty folder, or one of a site.
  ///   - setAside: Is told which products could not be shown where, and why; those that are not for sale somewhere are
  ///     not told. One thread at a time.
  ///   - progress: Is told how far the work is. One thread at a time.
  /// - Returns: What was written.
  /// - Throws: `PagesError`; the old site is whole then.
  public func write(
    to folder: String,
    setAside: @escaping @Sendable (_ storefront: Storefront, InvalidProductIdentifier) -> Void = { _, _ in },
    progress: @escaping @Sendable (SiteProgress) -> Void = { _ in }
  ) throws(PagesError) -> SiteSummary {
    let folder = try SiteFolder(folder)
    SiteBuild.current.withLock { $0[ObjectIdentifier(folder)] = folder }
    defer { SiteBuild.current.withLock { $0[ObjectIdentifier(folder)] = nil } }
    let build = SiteBuild(
      folder,
      total: request.storefronts.count + (makesEverywhere ? products.count : 0),
      setAside,
      progress
    )
    // What cannot be is found out before all pages are made.
    for (path, text) in pages.assets { try build.add(path, text) }
    for (path, source) in assets.all { try build.add(path, copyOf: source) }
    try build.run(jobs: jobs, count: request.storefronts.count) { (storefronts) throws(PagesError) in
      try self.writeStores(storefronts, build)
    }
    guard build.shown.values.contains(where: { !$0.isEmpty }) else {
      throw PagesError(
        .nothingToShow,
        products.isEmpty
          ? "the catalogue has no products"
          : "none of \(counted(products.count, "product")) can be shown in any of these storefronts",
        fix:
          "correct the catalogue, or the storefronts and the day that were asked for; the old site is as it was"
      )
    }
    if makesEverywhere {
      try build.run(jobs: jobs, count: products.count) { (products) throws(PagesError) in
        try self.writeEverywhere(products, build)
      }
    }
    try writeEntries(build)
    try writeSitemap(build)
    return try build.finish(missingPictures: missingPictures)
  }

  /// The pictures that products and the shop name and the site does not have, each once, with who names it.
  private var missingPictures: [String] {
    var found: [String: String] = [:]
    if let logo = pages.shop.logo { found[logo] = "the logo" }
    for facts in products {
      if let image = facts.image, found[image] == nil { found[image] = facts.identifier }
    }
    return found.filter { SiteFile.isPath($0.key) && !assets.has($0.key) }.map { "\($0.key), of \($0.value)" }
      .sorted()
  }

  // MARK: Stores

  /// Writes the pages of storefronts, one after another.
  private func writeStores(_ numbers: SiteBuild.Numbers, _ build: SiteBuild) throws(PagesError) {
    let maker = try maker(request)
    while let number = numbers.next() {
      let (storefront, languages) = (request.storefronts[number], languages[number])
      var shown: [[Product]] = languages.map { _ in [] }
      var first: Int?
      for facts in products {
        do {
          try maker.forEach(facts, inStorefront: number) { listing in
            let start = first ?? listing.index
            first = start
            switch listing.answer {
            case .product(let product, _): shown[listing.index - start].append(product)
            case .invalid(let invalid) where listing.index == start: build.setAside(storefront, invalid)
            case .invalid: break
            }
          }
        } catch { throw Self.failure(error) }
      }
      for (language, products) in zip(languages, shown) {
        let store = Store(
          storefront,
          language,
          languages: languages,
          products: products,
          on: request.date,
          canMakePayments: canMakePayments
        )
        try build.add(PagePath.store(storefront, language).file, try pages.storePage(store))
        for product in products {
          try build.add(
            PagePath.product(product.identifier, storefront, language).file,
            try pages.productPage(product, in: store)
          )
        }
      }
      build.shows((shown.first ?? []).map(\.identifier), inStorefront: number)
      build.step()
    }
  }

  private func maker(_ request: ListingRequest) throws(PagesError) -> ListingMaker {
    do throws(CatalogError) { return try ListingMaker(request) } catch {
      throw PagesError(.catalogFailed, error)
    }
  }

  private static func failure(_ error: any Error) -> PagesError {
    (error as? PagesError) ?? (error as? CatalogError).map { PagesError(.catalogFailed, $0) }
      ?? PagesError(.catalogFailed, "\(error)", fix: "import the catalogue again")
  }

  // MARK: Everywhere

  /// Writes the pages of products' prices everywhere, one after another.
  private func writeEverywhere(_ numbers: SiteBuild.Numbers, _ build: SiteBuild) throws(PagesError) {
    let maker = try maker(
      ListingRequest(
        storefronts: request.storefronts,
        languages: .list([defaultLanguage]),
        at: request.date,
        mode: request.mode,
        style: request.style,
        strings: request.strings
      )
    )
    while let number = numbers.next() {
      let facts = products[number]
      var listings: [Listing] = []
      do { try maker.forEach(facts) { listings.append($0) } } catch { throw Self.failure(error) }
      defer { build.step() }
      // What the shop shows nowhere, on purpose, is nobody's business.
      guard listings.contains(where: \.isShownOrMissed) else { continue }
      let name = listings.lazy.compactMap { listing -> String? in
        if case .product(let product, _) = listing.answer { product.text?.name } else { nil }
      }.first
      let page = try pages.everywherePage(facts.identifier, named: name, listings, in: defaultLanguage) {
        .product(facts.identifier, $0.storefront, checkersLanguages[$0.index])
      }
      try build.add(PagePath.everywhere(facts.identifier).file, page)
      build.named(facts.identifier, name)
    }
  }

  // MARK: Entries

  private func writeEntries(_ build: SiteBuild) throws(PagesError) {
    // Nobody is led to a store that has nothing.
    let shown = build.shown
    let storefronts = zip(request.storefronts, languages).enumerated().compactMap { number, store in
      shown[number]?.isEmpty == false ? (storefront: store.0, languages: store.1) : nil
    }
    for (path, language) in [(PagePath.root, defaultLanguage)] + entryLanguages.map({ (.entry($0), $0) }) {
      let page = try pages.entryPage(
        at: path,
        in: language,
        storefronts: storefronts,
        languages: entryLanguages,
        on: request.date
      )
      try build.add(path.file, page)
    }
    guard makesEverywhere else { return }
    let names = build.names
    let listed = products.compactMap { facts in names[facts.identifier].map { (facts.identifier, $0) } }
    try build.add(PagePath.everywhereList.file, try pages.everywhereListPage(listed, in: defaultLanguage))
  }

  private func writeSitemap(_ build: SiteBuild) throws(PagesError) {
    guard let url = pages.shop.url else { return }
    var sitemap = Sitemap(url: url)
    let write = { (path: String, text: String) throws(PagesError) in try build.add(path, text) }
    try sitemap.add(entryLanguages, defaultLanguage: defaultLanguage, path: { .entry($0) }, write)
    let shown = build.shown
    for (number, storefront) in request.storefronts.enumerated() {
      let languages = languages[number]
      guard let usual = storefront.usualLanguage(among: languages), let shown = shown[number], !shown.isEmpty
      else { continue }
      try sitemap.add(languages, defaultLanguage: usual, path: { .store(storefront, $0) }, write)
      for identifier in shown {
        try sitemap.add(
          languages,
          defaultLanguage: usual,
          path: { .product(identifier, storefront, $0) },
          write
        )
      }
    }
    try sitemap.finish(write)
  }
}

extension Listing {
  /// Whether the product is shown here, or should be.
  fileprivate var isShownOrMissed: Bool {
    if case .invalid(let invalid) = answer { !invalid.reason.isIntended } else { true }
  }
}
