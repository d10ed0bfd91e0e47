import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// The pages of a store's lists, and the index for searching it.
extension OutlinedStore {
  /// Returns a page of the list of all products of the store, or of those of a category; `nil` if there is no such page.
  ///
  /// - Parameters:
  ///   - category: The identifier of the category; `nil` for all products.
  ///   - number: The number of the page.
  package func listPage(_ category: String?, page number: Int) throws(PagesError) -> [UInt8]? {
    let list =
      if let category { outline.sections.first { $0.isOf(category) }?.products } else { outline.products }
    guard let list, let range = pages.layout.range(ofPage: number, of: list.count) else { return nil }
    let shown = try products(list[range])
    let group = category.flatMap { _ in shown.first?.category }
    let own = PagePath.list(category, page: number, store.storefront, store.language)
    let values = try ProductValues(pages: pages, store: store, language: language, page: own)
    let isOpen = store.canMakePayments
    let pageCount = pages.layout.pageCount(list.count)
    let shopName = pages.shop.name(in: language)
    let name = group.map { $0.name ?? $0.identifier } ?? language.word("all_products")
    let pageNumber: FormattedMessage? =
      pageCount > 1
      ? try language.format(
        "page_number",
        ["page": .count(of: number), "pages": .count(of: pageCount)]
      ) : nil
    let numberPart = number > 1 ? pageNumber?.plain : nil
    let note = try pages.pricesNote(store, isOpen ? shown : [], language)
    let counted = try productCount(list.count)
    let titleParts = [titlePart(name), numberPart, titlePart(shopName), store.title]
    let descriptionParts = [name, numberPart, counted.plain, note.plain]
    let page = try PageFrame(pages: pages, path: own, language: language).values(
      title: titleParts.compactMap(\.self).joined(separator: " – "),
      description: isOpen
        ? descriptionParts.compactMap(\.self).joined(separator: " · ")
        : language.word("payments_not_allowed"),
      alternates: store,
      jsonLD: isOpen ? data.summary(shown, from: range.lowerBound, of: list.count) : nil
    ) { language in .list(category, page: number, store.storefront, language) }
    page[.productCount] = PriceMarkup.html(counted)
    page[.pricesNote] = note.html
    try setLists(page, on: own, values, current: .some(category))
    guard isOpen else { return try pages.templates.bytes(of: .list, page) }
    page[.breadcrumbs] = data.breadcrumbs(toList: name, category, page: numberPart, shopName)
    func address(_ number: Int) -> String {
      own.href(to: .list(category, page: number, store.storefront, store.language))
    }
    page[.previousHref] = number > 1 ? address(number - 1) : nil
    page[.nextHref] = number < pageCount ? address(number + 1) : nil
    page[.list] = TemplateValues([
      .name: group.map { values.name(of: $0) } ?? pageText(name),
      .href: address(1), .isCurrent: number == 1,
      .products: try cards(shown, values),
    ])
    page[.pageNumber] = pageNumber.map { PriceMarkup.html($0) }
    page[.hasPages] = pageCount > 1
    page[.pages] = pageCount > 1 ? try pageLinks(number, of: pageCount, address) : []
    return try pages.templates.bytes(of: .list, page)
  }

  /// Sets the links to the list of all products and to those of the first categories, and the search. A store that shows all
  /// products on its page has none.
  ///
  /// - Parameter current: The list that the page shows; `nil` for none.
  func setLists(
    _ values: TemplateValues,
    on page: PagePath,
    _ products: ProductValues,
    current: String??
  ) throws(PagesError) {
    let hasLists = store.canMakePayments && (isPaged || current != nil)
    (values[.isPaged], values[.hasPages]) = (hasLists && current == nil, false)
    (values[.lists], values[.pages]) = ([TemplateValues](), [TemplateValues]())
    guard hasLists else { return }
    func link(_ category: Product.Group?, _ name: String) -> TemplateValues {
      TemplateValues([
        .name: name, .href: page.href(to: .list(category?.identifier, store.storefront, store.language)),
        .isCurrent: current.map { $0 == category?.identifier } ?? false,
      ])
    }
    let categories = try self.products(outline.linkedProducts).compactMap(\.category)
    values[.lists] =
      [link(nil, pageText(language.word("all_products")))]
      + categories.map { link($0, products.name(of: $0)) }
    values[.searchScript] = pages.address(of: .searchScript, on: page)
    let home = page.href(to: path)
    let partCount = PageLayout.searchIndex.pageCount(outline.products.count)
    values[.search] = TemplateValues([
      .href: home, .index: "\(home)search/", .parts: "\(partCount)",
      .counts: pageText(try language.productCounts()),
      .currency: store.storefront.currency(on: store.date).code,
    ])
  }

  // MARK: Page numbers

  /// The number of pages before and after the current one that are linked.
  private static let linkedNeighborCount = 2

  /// Returns the links to the first and the last page and to the neighbors of a page.
  private func pageLinks(
    _ number: Int,
    of count: Int,
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

  /// Returns a part of the index for searching: names, categories and prices of up to 1,000 products, as JSON; `nil` if there is
  /// no such part.
  package func searchIndex(part: Int) throws(PagesError) -> String? {
    let ids = outline.products
    guard let range = PageLayout.searchIndex.range(ofPage: part, of: ids.count) else { return nil }
    var index = try SearchIndex(self)
    try index.add(try products(ids[range]))
    return index.text
  }
}

/// A part of the index for searching the products of a store.
struct SearchIndex {
  private let store: Store
  private let values: ProductValues
  private var (categories, prices) = (Table(), Table())
  private var rows: [String] = []

  init(_ store: OutlinedStore) throws(PagesError) {
    self.store = store.store
    values = try ProductValues(
      pages: store.pages,
      store: self.store,
      language: store.language,
      page: store.path
    )
  }

  mutating func add(_ products: [Product]) throws(PagesError) {
    let ownCurrency = store.storefront.currency(on: store.date)
    for product in products {
      try StorePages.checkBudget()
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
  }

  /// The part as JSON.
  var text: String {
    jsonObject([
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
    try readingStrings { () throws(StringsError) in
      try Message("{number}", language: language).format(["number": .count(of: number)]).plain
    }
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
