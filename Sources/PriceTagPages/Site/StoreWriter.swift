import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

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
  private var isPaged: Bool { pages.layout.isPaged(outline.products.count) }

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
    let links = isPaged ? try links(stores) : ""
    let groups = outline.comparedGroups(pages.layout).map(\.products)
    let shownRows = groups + (isPaged ? outline.previews(pages.layout) : [outline.products])
    try write(key("store", links, "\(outline.products.count)", "\(groups.count)", rows: shownRows), stores) {
      (store) in (store.path.file, store.storePage)
    }
    var shown = ShownStore(positions: outline.positions)
    var related = RelatedRows(outline)
    // A store whose page has all products has one list, which needs no page.
    let categories = isPaged ? outline.sections.filter { $0.category != nil } : []
    for list in [StoreOutline.Section(category: nil, products: outline.products)] + categories {
      let pageCount = pages.layout.pageCount(list.products.count)
      for number in 1...pageCount {
        guard let range = pages.layout.range(ofPage: number, of: list.products.count) else { continue }
        release(stores)
        if isPaged { try writeListPage(list, number, range, links, stores) }
        if list.category == nil { try writeProducts(outline.products[range], &related, stores) }
      }
      if isPaged { shown.lists.append((list.category, pageCount)) }
    }
    if isPaged { try writeSearchIndex(stores) }
    return shown
  }

  /// Returns a digest of everything that pages are written from, without the inputs of the site.
  ///
  /// - Parameters:
  ///   - texts: Which pages they are, and what they show of other products.
  ///   - rows: The rows of the products that they show.
  private func key(_ texts: String?..., rows: [some Sequence<Int64>]) -> ContentDigest {
    var key = ContentDigest()
    // Every page may depend on the taxes of all prices, and the words of the shop may have the number of products.
    for tax in outline.taxInclusions { key.add(tax?.rawValue) }
    if site.request.strings.own != nil { key.add(outline.products.count) }
    for text in [storefront.id, isPaged ? "pages" : "page"] + texts { key.add(text) }
    for rows in rows {
      for row in rows { key.add(site.products.byRow[row] ?? ContentDigest()) }
      key.addNull()
    }
    return key
  }

  /// Returns what the links to lists are written from.
  private func links(_ stores: [OutlinedStore]) throws(PagesError) -> String {
    let categories = try stores.map { (store) throws(PagesError) in
      try store.products(outline.linkedProducts).map(\.category)
    }
    return "\(categories) \(PageLayout.searchIndex.pageCount(outline.products.count))"
  }

  /// Releases the products of previous pages.
  private func release(_ stores: [OutlinedStore]) {
    guard products.count > pages.layout.pageSize else { return }
    products.release(except: outline.linkedProducts)
    for store in stores { store.relatedCards.removeAll() }
  }

  /// Writes a file in all languages, unless the previous site has the same.
  private func write(
    _ key: ContentDigest,
    _ stores: [OutlinedStore],
    _ file: (OutlinedStore) -> (path: String, bytes: () throws(PagesError) -> [UInt8]?)
  ) throws(PagesError) {
    let isUnchanged = build.isUnchanged(key)
    for store in stores {
      let (path, bytes) = file(store)
      if isUnchanged { try build.keep(path) } else if let bytes = try bytes() { try build.add(path, bytes) }
    }
  }

  private func writeListPage(
    _ list: StoreOutline.Section,
    _ number: Int,
    _ range: Range<Int>,
    _ links: String,
    _ stores: [OutlinedStore]
  ) throws(PagesError) {
    let (category, products) = (list.category, list.products)
    let key = key("list", category, "\(number)", "\(products.count)", links, rows: [products[range]])
    try write(key, stores) { store in
      let path = PagePath.list(category, page: number, storefront, store.store.language)
      return (path.file, { () throws(PagesError) in try store.listPage(category, page: number) })
    }
  }

  /// Writes the pages of products.
  private func writeProducts(
    _ rows: ArraySlice<Int64>,
    _ related: inout RelatedRows,
    _ stores: [OutlinedStore]
  ) throws(PagesError) {
    // The related products of the pages that are written.
    var others: [Int64: [Int64]] = [:]
    let links = try products.links(of: rows)
    for product in links {
      let (row, group) = (product.row, product.comparedGroup)
      let related =
        if let related = product.related { try products.rows(of: related) } else {
          related.rows(of: row, product.category, group)
        }
      let shown = [[row], outline.compared(with: row, in: group), related]
      if !build.isUnchanged(key("product", product.identifier, rows: shown)) { others[row] = related }
    }
    try products.read(Set(others.keys).union(others.values.joined()))
    for (index, store) in stores.enumerated() {
      for product in links {
        let path = PagePath.product(product.identifier, storefront, store.store.language).file
        guard let related = others[product.row] else {
          try build.keep(path)
          continue
        }
        for shown in try products.products([product.row], inLanguage: index) {
          let related = try products.products(related, inLanguage: index)
          try build.add(path, try store.productPage(shown, related: related))
        }
      }
    }
  }

  private func writeSearchIndex(_ stores: [OutlinedStore]) throws(PagesError) {
    let (layout, rows) = (PageLayout.searchIndex, outline.products)
    for part in 1...layout.pageCount(rows.count) {
      guard let range = layout.range(ofPage: part, of: rows.count) else { continue }
      let isUnchanged = build.isUnchanged(key("search", "\(part)", rows: [rows[range]]))
      var indexes = try stores.map { (store) throws(PagesError) in try SearchIndex(store) }
      for start in stride(
        from: range.lowerBound,
        to: isUnchanged ? 0 : range.upperBound,
        by: pages.layout.pageSize
      ) {
        release(stores)
        let rows = rows[start..<min(start + pages.layout.pageSize, range.upperBound)]
        for (index, store) in stores.enumerated() { try indexes[index].add(try store.products(rows)) }
      }
      for (index, store) in zip(indexes, stores) {
        let path = PagePath.searchIndex(part, storefront, store.store.language)
        if isUnchanged { try build.keep(path) } else { try build.add(path, index.text) }
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

  /// Returns what links the pages of products to other products.
  func links(of rows: some Sequence<Int64>) throws(PagesError) -> [ProductLinks] {
    try readingCatalog { () throws(CatalogError) in try reader.links(of: rows) }
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
