import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// Writes the pages of one storefront in all of its languages.
///
/// The products of a few pages are in memory at a time.
struct StoreWriter {
  let site: Site
  let storefront: Storefront
  let languages: [UILanguage]
  /// The date in the storefront.
  let date: CalendarDate
  let products: StoreProducts
  let outline: StoreOutline
  let build: SiteBuild

  private var pages: StorePages { site.pages }

  /// Writes the pages.
  ///
  /// - Returns: The pages that the sitemap lists.
  func write() throws(PagesError) -> ShownStore {
    let stores = try languages.enumerated().map { (index, language) throws(PagesError) in
      let store = Store(
        storefront,
        language,
        languages: languages,
        outline,
        on: date,
        canMakePayments: site.canMakePayments
      )
      return try OutlinedStore(pages, store) { (ids) throws(PagesError) in
        try products.products(ids, inLanguage: index)
      }
    }
    for store in stores { try build.add(store.path.file, try store.storePage()) }
    var shown = ShownStore(positions: outline.positions)
    var related = RelatedRows(outline)
    let isPaged = pages.layout.isPaged(outline.products.count)
    // A store whose page has all products has one list, which needs no page.
    let categories = isPaged ? outline.sections.filter { $0.category != nil } : []
    var lists: [(category: String?, products: [Int64])] = [(nil, outline.products)]
    lists += categories.map { ($0.category, $0.products) }
    for (category, list) in lists {
      let pageCount = pages.layout.pageCount(list.count)
      for number in 1...pageCount {
        guard let range = pages.layout.range(ofPage: number, of: list.count) else { continue }
        release(stores)
        if isPaged { try writeListPage(category, number, stores) }
        if category == nil { try writeProducts(list[range], &related, stores) }
      }
      if isPaged { shown.lists.append((category, pageCount)) }
    }
    if isPaged { try writeSearchIndex(stores) }
    return shown
  }

  /// Releases the products of previous pages.
  private func release(_ stores: [OutlinedStore]) {
    guard products.count > pages.layout.pageSize else { return }
    products.release(except: outline.linkedProducts)
    for store in stores { store.relatedCards.removeAll() }
  }

  private func writeListPage(
    _ category: String?,
    _ number: Int,
    _ stores: [OutlinedStore]
  ) throws(PagesError) {
    for store in stores {
      guard let page = try store.listPage(category, page: number) else { continue }
      try build.add(PagePath.list(category, page: number, storefront, store.store.language).file, page)
    }
  }

  /// Writes the pages of products.
  private func writeProducts(
    _ rows: ArraySlice<Int64>,
    _ related: inout RelatedRows,
    _ stores: [OutlinedStore]
  ) throws(PagesError) {
    var others: [Int64: [Int64]] = [:]
    for product in try products.products(rows, inLanguage: 0) {
      others[product.row] =
        if let related = product.related { try products.rows(of: related) } else { related.rows(of: product) }
    }
    try products.read(others.values.joined())
    for (index, store) in stores.enumerated() {
      for product in try products.products(rows, inLanguage: index) {
        let related = try products.products(others[product.row] ?? [], inLanguage: index)
        try build.add(
          PagePath.product(product.identifier, storefront, store.store.language).file,
          try store.productPage(product, related: related)
        )
      }
    }
  }

  private func writeSearchIndex(_ stores: [OutlinedStore]) throws(PagesError) {
    for part in 1...PageLayout.searchIndex.pageCount(outline.products.count) {
      release(stores)
      for store in stores {
        guard let index = try store.searchIndex(part: part) else { continue }
        try build.add(PagePath.searchIndex(part, storefront, store.store.language), index)
      }
    }
  }
}

/// The products of one storefront in all of its languages. Those of a few pages are in memory.
final class StoreProducts {
  private let reader: StoreReader
  private let builder: ListingBuilder
  /// The rows that were read.
  private var rows: Set<Int64> = []
  /// The products in each language, by row.
  private var products: [[Int64: Product]]

  init(_ reader: StoreReader, _ builder: ListingBuilder) {
    (self.reader, self.builder) = (reader, builder)
    products = Array(repeating: [:], count: builder.listingsPerProduct)
  }

  /// The number of products in memory.
  var count: Int { rows.count }

  /// Reads the products that are not in memory.
  func read(_ ids: some Sequence<Int64>) throws(PagesError) {
    let missing = ids.filter { rows.insert($0).inserted }
    if missing.isEmpty { return }
    do {
      for record in try reader.records(missing.sorted()) {
        try builder.forEach(record, inStorefront: 0) { listing in
          if case .product(let product, _) = listing.answer { products[listing.index][product.row] = product }
        }
      }
    } catch { throw PagesError(readingCatalog: error) }
  }

  /// Returns products in a language by the IDs of their rows.
  func products(_ ids: some Sequence<Int64>, inLanguage index: Int) throws(PagesError) -> [Product] {
    try read(ids)
    return ids.compactMap { products[index][$0] }
  }

  /// Returns the IDs of the rows of products.
  func rows(of identifiers: [String]) throws(PagesError) -> [Int64] {
    try readingCatalog { () throws(CatalogError) in try reader.rows(identifiers) }
  }

  /// Removes all products except for some of them from memory.
  func release(except kept: [Int64]) {
    rows.formIntersection(kept)
    products = products.map { $0.filter { rows.contains($0.key) } }
  }
}
