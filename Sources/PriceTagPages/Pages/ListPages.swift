import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// The pages of a store that has more products than a page shows: the first products of each category, the pages of lists,
/// and the index for searching.
extension StorePages {
  // MARK: The store page

  /// Returns the page of a store with the first products of each category.
  ///
  /// - Parameters:
  ///   - store: The store. Its products are not used.
  ///   - sections: The first products of each category to show, without those of `groups`.
  ///   - groups: The subscription groups to compare.
  func overviewPage(
    _ store: Store,
    _ sections: [[Product]],
    groups: [[Product]]
  ) throws(PagesError) -> String {
    let path = PagePath.store(store.storefront, store.language)
    let language = try language(store.language)
    let products = try ProductValues(pages: self, store: store, language: language, page: path)
    let isOpen = store.canMakePayments
    let shown = isOpen ? Array((sections + groups).joined()) : []
    let note = try pricesNote(store, shown, language)
    let count = try language.format("product_count", ["count": .count(of: store.lists.total)])
    let values = try PageFrame(pages: self, path: path, language: language).values(
      title: "\(titlePart(shop.name(in: language))) – \(store.title)",
      description: isOpen ? "\(count.plain) · \(note.plain)" : language.word("payments_not_allowed"),
      type: "website",
      alternates: store,
      jsonLD: isOpen ? StructuredData(store: store, shop: shop).summary(shown, of: shown.count) : nil
    ) { language in .store(store.storefront, language) }
    values[.storefront] = Self.values(of: store)
    values[.chooseStoreHref] = path.href(to: .entry(store.language))
    values[.homeHref] = "./"
    values[.notice] = isOpen ? nil : Self.notice(language)
    values[.isEmpty] = false
    values[.productCount] = PriceMarkup.html(count)
    values[.pricesNote] = note.html
    setNoLists(values)
    values[.categories] = [TemplateValues]()
    values[.comparisons] = [TemplateValues]()
    guard isOpen else { return try templates.render(.store, values) }
    values[.isPaged] = true
    values[.lists] = lists(of: store, language, products, on: path, current: nil)
    try setSearch(values, store, language, on: path)
    values[.categories] = try sections.map { (shown) throws(PagesError) in
      let category = shown.first?.category
      return TemplateValues([
        .id: category.map(Self.anchor) ?? "category",
        .name: category.map { products.name(of: $0) } ?? pageText(language.word("all_products")),
        .seeAllHref: path.href(to: .list(category?.identifier, store.storefront, store.language)),
        .products: try cards(shown, products),
      ])
    }
    values[.comparisons] = try comparisons(of: groups, products)
    return try templates.render(.store, values)
  }

  // MARK: Lists

  /// Returns a page of the list of all products of a store, or of those of a category.
  ///
  ///     let html = try pages.listPage("cars", page: 2, in: store)
  ///
  /// - Parameters:
  ///   - category: The identifier of the category; `nil` for all products.
  ///   - number: The number of the page. The first one is 1.
  ///   - store: The store, with all its products.
  /// - Throws: `.notFound` if the store has no such list or page; `.stringsFailed`, `.invalidTemplate`.
  public func listPage(_ category: String?, page number: Int = 1, in store: Store) throws(PagesError)
    -> String
  {
    let products =
      if let category {
        store.products.filter { $0.category?.identifier.utf8.elementsEqual(category.utf8) ?? false }
      } else { store.products }
    guard let range = layout.range(ofPage: number, of: products.count) else {
      throw Self.noList(category, page: number, store)
    }
    return try listPage(category, page: number, Array(products[range]), in: store)
  }

  private static func noList(_ category: String?, page number: Int, _ store: Store) -> PagesError {
    PagesError(
      .notFound,
      "the store of \(store.storefront) has no page \(number) of "
        + (category.map { "the category \(quoted($0))" } ?? "its products"),
      fix: "start at the first page of a category for sale there"
    )
  }

  /// Returns a page of a list.
  ///
  /// - Parameters:
  ///   - category: The identifier of the category; `nil` for all products.
  ///   - number: The number of the page.
  ///   - shown: The products of the page.
  ///   - store: The store. Only its lists are used.
  package func listPage(
    _ category: String?,
    page number: Int,
    _ shown: [Product],
    in store: Store
  ) throws(PagesError) -> String {
    let group = category.flatMap { store.lists.category($0) }
    guard let count = store.lists.count(of: category), category == nil || group != nil,
      (1...layout.pageCount(count)).contains(number)
    else { throw Self.noList(category, page: number, store) }
    let path = PagePath.list(category, page: number, store.storefront, store.language)
    let language = try language(store.language)
    let products = try ProductValues(pages: self, store: store, language: language, page: path)
    let isOpen = store.canMakePayments
    let pageCount = layout.pageCount(count)
    let shopName = shop.name(in: language)
    let name = group.map { $0.name ?? $0.identifier } ?? language.word("all_products")
    let pageNumber: FormattedMessage? =
      pageCount > 1
      ? try language.format(
        "page_number",
        ["page": .count(of: number), "pages": .count(of: pageCount)]
      ) : nil
    let note = try pricesNote(store, isOpen ? shown : [], language)
    let counted = try language.format("product_count", ["count": .count(of: count)])
    let data = StructuredData(store: store, shop: shop)
    let titleParts = [
      titlePart(name), number > 1 ? pageNumber?.plain : nil, titlePart(shopName), store.title,
    ]
    let descriptionParts = [name, number > 1 ? pageNumber?.plain : nil, counted.plain, note.plain]
    let values = try PageFrame(pages: self, path: path, language: language).values(
      title: titleParts.compactMap(\.self).joined(separator: " – "),
      description: isOpen
        ? descriptionParts.compactMap(\.self).joined(separator: " · ")
        : language.word("payments_not_allowed"),
      type: "website",
      alternates: store,
      jsonLD: isOpen ? data.summary(shown, from: (number - 1) * layout.pageSize, of: count) : nil
    ) { language in .list(category, page: number, store.storefront, language) }
    let storeHref = path.href(to: .store(store.storefront, store.language))
    values[.breadcrumbs] =
      isOpen
      ? data.breadcrumbs(toList: name, category, page: number > 1 ? pageNumber?.plain : nil, shopName) : nil
    values[.storefront] = Self.values(of: store)
    values[.chooseStoreHref] = path.href(to: .entry(store.language))
    values[.homeHref] = storeHref
    values[.storeHref] = storeHref
    values[.notice] = isOpen ? nil : Self.notice(language)
    values[.productCount] = PriceMarkup.html(counted)
    values[.pricesNote] = note.html
    setNoLists(values)
    values[.list] = TemplateValue.none
    guard isOpen else { return try templates.render(.list, values) }
    values[.lists] = lists(of: store, language, products, on: path, current: .some(category))
    try setSearch(values, store, language, on: path)
    func address(_ number: Int) -> String {
      path.href(to: .list(category, page: number, store.storefront, store.language))
    }
    values[.previousHref] = number > 1 ? address(number - 1) : nil
    values[.nextHref] = number < pageCount ? address(number + 1) : nil
    values[.list] = TemplateValues([
      .name: group.map { products.name(of: $0) } ?? pageText(name),
      .href: address(1), .isCurrent: number == 1,
      .products: try cards(shown, products),
    ])
    values[.pageNumber] = pageNumber.map { PriceMarkup.html($0) }
    values[.hasPages] = pageCount > 1
    values[.pages] = pageCount > 1 ? try pageLinks(number, of: pageCount, language, address) : []
    return try templates.render(.list, values)
  }

  /// Sets the values of lists on a page that has none.
  func setNoLists(_ values: TemplateValues) {
    values[.isPaged] = false
    values[.lists] = [TemplateValues]()
    values[.search] = TemplateValue.none
    values[.pageNumber] = TemplateValue.none
    values[.hasPages] = false
    values[.pages] = [TemplateValues]()
  }

  /// Returns the links to the list of all products and to those of the first categories.
  ///
  /// - Parameter current: The list that the page shows; `nil` for none.
  private func lists(
    of store: Store,
    _ language: PageLanguage,
    _ products: ProductValues,
    on path: PagePath,
    current: String??
  ) -> [TemplateValues] {
    func values(_ category: Product.Group?, _ name: String) -> TemplateValues {
      TemplateValues([
        .name: name, .href: path.href(to: .list(category?.identifier, store.storefront, store.language)),
        .isCurrent: current.map { $0 == category?.identifier } ?? false,
      ])
    }
    let categories = store.lists.categories.prefix(PageLayout.maximumCategoryLinkCount).compactMap(\.category)
    return [values(nil, pageText(language.word("all_products")))]
      + categories.map { values($0, products.name(of: $0)) }
  }

  private func cards(_ shown: [Product], _ products: ProductValues) throws(PagesError) -> [TemplateValues] {
    try shown.map { (product) throws(PagesError) in
      try Self.checkBudget()
      return try products.card(product, isShortened: true)
    }
  }

  // MARK: Page numbers

  /// The number of pages before and after the current one that are linked.
  private static let linkedNeighborCount = 2

  /// Returns the links to the first and the last page and to the neighbors of a page.
  private func pageLinks(
    _ number: Int,
    of count: Int,
    _ language: PageLanguage,
    _ address: (Int) -> String
  ) throws(PagesError) -> [TemplateValues] {
    var links: [TemplateValues] = []
    var last = 0
    for page in Self.linkedPages(number, of: count) {
      links.append(
        TemplateValues([
          .number: pageText(try language.number(page)), .href: address(page), .isCurrent: page == number,
          .isGap: page > last + 1,
        ])
      )
      last = page
    }
    return links
  }

  /// Returns the numbers of the pages that a page links to, including its own.
  static func linkedPages(_ number: Int, of count: Int) -> [Int] {
    let neighbors = max(1, number - linkedNeighborCount)...min(count, number + linkedNeighborCount)
    return Set(neighbors).union([1, count]).sorted()
  }

  // MARK: Search

  private func setSearch(
    _ values: TemplateValues,
    _ store: Store,
    _ language: PageLanguage,
    on path: PagePath
  ) throws(PagesError) {
    values[.searchScript] = searchScript(on: path)
    let home = path.href(to: .store(store.storefront, store.language))
    values[.search] = TemplateValues([
      .href: home, .index: "\(home)search/", .parts: "\(PageLayout.searchPartCount(store.lists.total))",
      .counts: pageText(try language.productCounts()),
      .currency: store.storefront.currency(on: store.date).code,
    ])
  }

  /// Returns a part of the index for searching: names, categories and prices of up to 1,000 products, as JSON.
  ///
  /// - Parameters:
  ///   - products: The products of the part.
  ///   - store: The store.
  package func searchIndex(_ products: [Product], in store: Store) throws(PagesError) -> String {
    let path = PagePath.store(store.storefront, store.language)
    let language = try language(store.language)
    let values = try ProductValues(pages: self, store: store, language: language, page: path)
    let ownCurrency = store.storefront.currency(on: store.date)
    var (categories, prices) = (Table(), Table())
    var rows: [String] = []
    for product in products {
      try Self.checkBudget()
      let category = product.category.map { category in
        categories.index(json(category.identifier)) {
          json(balancedBidi(category.name ?? category.identifier))
        }
      }
      let markup = try values.price(of: product).now
      // A price in a custom currency cannot be compared with the others.
      let amount = product.price.currency == ownCurrency ? product.price.amount.description : ""
      let price = prices.index("\(amount) \(markup)") { jsonArray([json(markup), json(amount)]) }
      var row = [
        json(product.identifier), json(balancedBidi(product.displayName)), category.map(String.init) ?? "-1",
        String(price),
      ]
      if let tag = product.text?.language, tag != store.language.identifier { row.append(json(tag)) }
      rows.append(jsonArray(row))
    }
    return jsonObject([
      ("categories", jsonArray(categories.values)), ("prices", jsonArray(prices.values)),
      ("products", jsonArray(rows)),
    ])
  }

  /// Values without duplicates, in the order in which they were added.
  private struct Table {
    private(set) var values: [String] = []
    private var indices: [String: Int] = [:]

    mutating func index(_ key: String, _ value: () -> String) -> Int {
      if let index = indices[key] { return index }
      indices[key] = values.count
      values.append(value())
      return values.count - 1
    }
  }
}

extension PageLanguage {
  /// Returns a number as the language writes it.
  func number(_ number: Int) throws(PagesError) -> String {
    do throws(StringsError) {
      return try Message("{number}", language: language).format(["number": .count(of: number)]).plain
    } catch { throw PagesError(.stringsFailed, error) }
  }

  /// Numbers of every plural category.
  private static let pluralSamples = [0, 1, 2, 3, 5, 11, 20, 100]

  /// Returns the message with the number of products for a number of each plural category, as JSON by number. `#` replaces
  /// the number, so that a script can write any other number of the category.
  func productCounts() throws(PagesError) -> String {
    jsonObject(
      try Self.pluralSamples.map { (sample) throws(PagesError) in
        let text = try format("product_count", ["count": .count(of: sample)]).plain
        return (String(sample), json(text.replacing(try number(sample), with: "#")))
      }
    )
  }
}
