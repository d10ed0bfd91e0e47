import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// Writes the pages of one storefront in all of its languages.
///
/// The products of a few pages are in memory at a time.
struct StoreWriter {
  let pages: StorePages
  let storefront: Storefront
  let languages: [UILanguage]
  let date: CalendarDate
  let canMakePayments: Bool
  let reader: StoreReader
  let builder: ListingBuilder
  let outline: StoreOutline
  let build: SiteBuild

  /// Writes the pages.
  ///
  /// - Returns: The pages that the sitemap lists.
  func write() throws(PagesError) -> ShownStore {
    pages.layout.isPaged(outline.products.count) ? try writePaged() : try writeSmall()
  }

  /// Writes the pages of a store whose page has all products.
  private func writeSmall() throws(PagesError) -> ShownStore {
    let all = try products(outline.products)
    for (language, products) in zip(languages, all) {
      let store = store(language, products, nil)
      try build.add(PagePath.store(storefront, language).file, try pages.storePage(store))
      let cards = RelatedCards()
      for product in products { try write(product, nil, cards, store) }
    }
    return ShownStore(positions: outline.positions)
  }

  private func store(_ language: UILanguage, _ products: [Product], _ lists: StoreLists?) -> Store {
    Store(
      storefront,
      language,
      languages: languages,
      products: products,
      lists: lists,
      on: date,
      canMakePayments: canMakePayments
    )
  }

  private func write(
    _ product: Product,
    _ group: [Product]?,
    related: [Product]? = nil,
    _ cards: RelatedCards,
    _ store: Store
  ) throws(PagesError) {
    try build.add(
      PagePath.product(product.identifier, storefront, store.language).file,
      try pages.productPageBytes(product, group: group, related: related, cards, in: store)
    )
  }

  /// Returns products by the IDs of their rows, in each language.
  func products(_ ids: some Sequence<Int64>) throws(PagesError) -> [[Product]] {
    var products: [[Product]] = languages.map { _ in [] }
    do {
      for record in try reader.records(ids) {
        try builder.forEach(record, inStorefront: 0) { listing in
          if case .product(let product, _) = listing.answer { products[listing.index].append(product) }
        }
      }
    } catch let error as CatalogError {
      throw PagesError(.catalogFailed, error)
    } catch { throw PagesError(.catalogFailed, "\(error)", fix: "import the catalog again") }
    return products
  }

  // MARK: A store with many products

  private func writePaged() throws(PagesError) -> ShownStore {
    let stores = try lists().enumerated().map { store(languages[$0], [], $1) }
    try writeOverviews(stores)
    var shown = ShownStore(positions: outline.positions)
    var related = RelatedRows(outline)
    try forEachPage(of: outline.products) { (number, products) throws(PagesError) in
      for (store, products) in zip(stores, products) {
        try write(try pages.listPage(nil, page: number, products, in: store), nil, number, store)
      }
      try writeProducts(products, try self.related(to: products, &related), stores)
    }
    shown.lists.append((nil, pages.layout.pageCount(outline.products.count)))
    for section in outline.sections {
      guard let category = section.category else { continue }
      try forEachPage(of: section.products) { (number, products) throws(PagesError) in
        for (store, products) in zip(stores, products) {
          try write(try pages.listPage(category, page: number, products, in: store), category, number, store)
        }
      }
      shown.lists.append((category, pages.layout.pageCount(section.products.count)))
    }
    try writeSearchIndex(stores)
    return shown
  }

  private func write(_ page: String, _ category: String?, _ number: Int, _ store: Store) throws(PagesError) {
    try build.add(PagePath.list(category, page: number, storefront, store.language).file, page)
  }

  /// Calls the body with the products of each page of a list, in each language.
  private func forEachPage(
    of list: [Int64],
    _ body: (Int, [[Product]]) throws(PagesError) -> Void
  ) throws(PagesError) {
    for number in 1...pages.layout.pageCount(list.count) {
      guard let range = pages.layout.range(ofPage: number, of: list.count) else { continue }
      try body(number, try products(list[range]))
    }
  }

  /// Returns the lists of the store in each language. The first product of a category has the category's name.
  private func lists() throws(PagesError) -> [StoreLists] {
    var sections: [[StoreLists.Section]] = languages.map { _ in [] }
    for section in outline.sections {
      for (index, products) in try products(section.products.prefix(1)).enumerated() {
        sections[index].append(
          StoreLists.Section(category: products.first?.category, count: section.products.count)
        )
      }
    }
    return sections.map { StoreLists(total: outline.products.count, sections: $0) }
  }

  private func writeOverviews(_ stores: [Store]) throws(PagesError) {
    var previews: [[[Product]]] = languages.map { _ in [] }
    for section in outline.previews(pages.layout) {
      for (index, products) in try products(section).enumerated() { previews[index].append(products) }
    }
    var groups: [[[Product]]] = languages.map { _ in [] }
    for group in outline.comparedGroups {
      for (index, products) in try products(group.products).enumerated() { groups[index].append(products) }
    }
    for (index, store) in stores.enumerated() {
      try build.add(
        PagePath.store(storefront, store.language).file,
        try pages.overviewPage(store, previews[index], groups: groups[index])
      )
    }
  }

  /// Writes the pages of products.
  private func writeProducts(
    _ products: [[Product]],
    _ related: [[[Product]]],
    _ stores: [Store]
  ) throws(PagesError) {
    // The products of a group often follow one another.
    var groups: [String: [[Product]]] = [:]
    let cards = stores.map { _ in RelatedCards() }
    for index in (products.first ?? []).indices {
      let identifier = products.first?[index].comparedGroup
      if let identifier, groups[identifier] == nil {
        let group = outline.subscriptionGroups.first { $0.category == identifier }
        groups[identifier] = try self.products(
          (group?.products ?? []).prefix(PageLayout.maximumComparisonCount)
        )
      }
      for (number, store) in stores.enumerated() {
        let group = identifier.flatMap { groups[$0]?[number] } ?? []
        try write(products[number][index], group, related: related[number][index], cards[number], store)
      }
    }
  }

  private func writeSearchIndex(_ stores: [Store]) throws(PagesError) {
    for part in 1...max(1, PageLayout.searchPartCount(outline.products.count)) {
      let start = (part - 1) * PageLayout.searchPartSize
      let ids = outline.products[start..<min(outline.products.count, start + PageLayout.searchPartSize)]
      for (store, products) in zip(stores, try products(ids)) {
        try build.add(
          PagePath.searchIndex(part, storefront, store.language),
          try pages.searchIndex(products, in: store)
        )
      }
    }
  }
}

extension StoreOutline {
  /// The subscription groups that the page of a store with many products compares.
  package var comparedGroups: [Section] {
    PageLayout.comparedGroups(subscriptionGroups) { $0.products.count }
  }

  /// Returns the first products of each category that the page of a store with many products shows.
  func previews(_ layout: PageLayout) -> [[Int64]] {
    let compared = Set(comparedGroups.flatMap(\.products))
    return layout.previews(of: sections.map(\.products)) { compared.contains($0) }
  }
}

extension Product {
  /// The identifier of the subscription group whose comparison the product's page shows.
  package var comparedGroup: String? { kind == .autoRenewable ? subscription?.group?.identifier : nil }
}
