import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// A store in one language whose products are read when a page needs them: what a service needs to render one page of a
/// store with many products.
package struct OutlinedStore {
  private let pages: StorePages
  private let outline: StoreOutline
  private let request: ProductsRequest
  private let languages: [UILanguage]
  private let likelyStore: LikelyStore?
  private let read: ([Int64]) throws(CatalogError) -> [Product]

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - pages: The pages of the shop.
  ///   - outline: The outline of the storefront.
  ///   - request: The storefront, the language and the date.
  ///   - languages: The languages of the storefront's pages.
  ///   - likelyStore: The store that the page offers; `nil` for none.
  ///   - read: Returns products by the IDs of their rows, in this order.
  package init(
    _ pages: StorePages,
    _ outline: StoreOutline,
    _ request: ProductsRequest,
    languages: [UILanguage],
    likelyStore: LikelyStore? = nil,
    read: @escaping ([Int64]) throws(CatalogError) -> [Product]
  ) {
    (self.pages, self.outline, self.request, self.languages, self.likelyStore, self.read) =
      (pages, outline, request, languages, likelyStore, read)
  }

  private func products(_ ids: some Sequence<Int64>) throws(PagesError) -> [Product] {
    do throws(CatalogError) { return try read(Array(ids)) } catch { throw PagesError(.catalogFailed, error) }
  }

  /// Returns the store with the lists that a page links to, and the list of a category.
  private func store(with category: String? = nil) throws(PagesError) -> Store {
    var sections: [StoreLists.Section] = []
    var linkCount = 0
    for section in outline.sections {
      let isCurrent = category.map { section.isOf($0) } ?? false
      if section.category != nil { linkCount += 1 }
      guard linkCount <= PageLayout.maximumCategoryLinkCount || isCurrent else { continue }
      let first = section.category == nil ? [] : try products(section.products.prefix(1))
      sections.append(StoreLists.Section(category: first.first?.category, count: section.products.count))
    }
    var store = Store(
      request.storefront,
      request.language,
      languages: languages,
      products: [],
      lists: StoreLists(total: outline.products.count, sections: sections),
      on: request.date,
      canMakePayments: request.canMakePayments
    )
    store.likelyStore = likelyStore
    return store
  }

  /// Returns the store page.
  package func storePage() throws(PagesError) -> String {
    var previews: [[Product]] = []
    for section in outline.previews(pages.layout) { previews.append(try products(section)) }
    var groups: [[Product]] = []
    for group in outline.comparedGroups { groups.append(try products(group.products)) }
    return try pages.overviewPage(try store(), previews, groups: groups)
  }

  /// Returns a page of a list, or `nil`.
  ///
  /// - Parameters:
  ///   - category: The identifier of the category; `nil` for all products.
  ///   - number: The number of the page.
  package func listPage(_ category: String?, page number: Int) throws(PagesError) -> String? {
    let list =
      category.map { category in outline.sections.first { $0.isOf(category) }?.products } ?? outline.products
    guard let list, let range = pages.layout.range(ofPage: number, of: list.count) else { return nil }
    return try pages.listPage(
      category,
      page: number,
      try products(list[range]),
      in: try store(with: category)
    )
  }

  /// Returns the page of a product.
  ///
  /// - Parameter related: The related products.
  package func productPage(_ product: Product, related: [Product]) throws(PagesError) -> String {
    let group = product.comparedGroup.flatMap { identifier in
      outline.subscriptionGroups.first { $0.isOf(identifier) }
    }
    return try pages.productPage(
      product,
      group: try products((group?.products ?? []).prefix(PageLayout.maximumComparisonCount)),
      related: related,
      in: try store()
    )
  }

  /// Returns a part of the index for searching, or `nil`.
  package func searchIndex(part: Int) throws(PagesError) -> String? {
    guard (1...max(1, PageLayout.searchPartCount(outline.products.count))).contains(part) else { return nil }
    let start = (part - 1) * PageLayout.searchPartSize
    let end = min(outline.products.count, start + PageLayout.searchPartSize)
    return try pages.searchIndex(try products(outline.products[start..<end]), in: try store())
  }
}

extension StoreOutline.Section {
  /// Returns whether the products are of a category or group. Bytes are compared, because Swift treats canonically
  /// equivalent strings as equal.
  package func isOf(_ identifier: String) -> Bool { category?.utf8.elementsEqual(identifier.utf8) ?? false }
}
