import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// The sitemap of a site, in the order in which the site is written: the stores, the entry pages, then the page of each
/// product in all stores. The number of products does not change its size in memory.
struct SiteSitemap {
  private var sitemap: Sitemap
  /// The storefronts with products, their numbers, and the `hreflang` of their languages.
  private var stores:
    [(storefront: Storefront, number: Int, languages: [(language: UILanguage, tag: String)])] = []

  init(_ sitemap: Sitemap) { self.sitemap = sitemap }

  /// Adds the pages of a store.
  ///
  /// - Parameter forEachProduct: Calls its argument with the position and the identifier of each product of the catalog.
  mutating func add(
    _ storefront: Storefront,
    _ number: Int,
    _ languages: [UILanguage],
    _ shown: ShownStore,
    _ forEachProduct: ((Int, String) throws(PagesError) -> Void) throws(PagesError) -> Void
  ) throws(PagesError) {
    let tags = storefront.searchLanguages(languages)
    stores.append((storefront, number, tags))
    func add(_ defaultPage: PagePath, _ path: (UILanguage) -> PagePath) throws(PagesError) {
      try sitemap.add(languages, searchLanguages: tags, defaultPage: defaultPage, path: path)
    }
    try add(.root) { .store(storefront, $0) }
    for list in shown.lists {
      for page in 1...max(1, list.pageCount) {
        try add(.root) { .list(list.category, page: page, storefront, $0) }
      }
    }
    try forEachProduct { (position, identifier) throws(PagesError) in
      guard shown.positions.contains(position) else { return }
      try add(.productEntry(identifier)) { .product(identifier, storefront, $0) }
    }
  }

  /// Adds the entry pages.
  mutating func addEntries(_ languages: [UILanguage], default defaultLanguage: UILanguage)
    throws(PagesError)
  {
    // Each page of a store names the page to choose a store as its default, and that one names them all. If they named each
    // other, the sitemap would grow with the square of their number.
    var entries = languages.map { language in
      (path: PagePath.entry(language, isDefault: language == defaultLanguage), tag: language.identifier)
    }
    entries.append((.root, "x-default"))
    let storePages = stores.flatMap { store in
      store.languages.map { (path: PagePath.store(store.storefront, $0.language), tag: $0.tag) }
    }
    try sitemap.add([.root], entries + storePages)
    try sitemap.add(languages.filter { $0 != defaultLanguage }.map { .entry($0) }, entries)
  }

  /// Adds the page of a product in all stores.
  ///
  /// - Parameter numbers: The numbers of the storefronts that have the product.
  mutating func add(_ identifier: String, soldIn numbers: [Int]) throws(PagesError) {
    let entry = PagePath.productEntry(identifier)
    var pages: [(path: PagePath, tag: String)] = []
    let sold = Set(numbers)
    for store in stores where sold.contains(store.number) {
      for (language, tag) in store.languages {
        pages.append((.product(identifier, store.storefront, language), tag))
      }
    }
    try sitemap.add([entry], pages + [(entry, "x-default")])
  }

  /// Writes the rest.
  mutating func finish() throws(PagesError) { try sitemap.finish() }
}
