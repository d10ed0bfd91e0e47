import PriceTag
import PriceTagCatalog
import PriceTagStrings

/// A store in one language whose products are read when a page needs them.
///
/// All stores have the same pages. That of a store with few products shows all of them, and links to no lists.
package struct OutlinedStore {
  let pages: StorePages
  let store: Store
  let language: PageLanguage
  /// What product pages share.
  let relatedCards = RelatedCards()
  private let read: ([Int64]) throws(PagesError) -> [Product]

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - pages: The pages of the shop.
  ///   - store: The store.
  ///   - read: Returns products by the IDs of their rows, in this order; `nil` for a store whose products are in memory.
  /// - Throws: `.stringsFailed`.
  package init(
    _ pages: StorePages,
    _ store: Store,
    read: (([Int64]) throws(PagesError) -> [Product])? = nil
  ) throws(PagesError) {
    (self.pages, self.store) = (pages, store)
    language = try pages.language(store.language)
    self.read = read ?? { store.products($0) }
  }

  var outline: StoreOutline { store.outline }
  /// Whether the store has pages for its lists.
  var isPaged: Bool { pages.layout.isPaged(outline.products.count) }
  var data: StructuredData { StructuredData(store: store, shop: pages.shop) }
  var path: PagePath { .store(store.storefront, store.language) }

  func products(_ ids: some Sequence<Int64>) throws(PagesError) -> [Product] { try read(Array(ids)) }

  // MARK: The store page

  /// Returns the page of a store: its products by category, and comparisons of its subscriptions.
  ///
  /// If the store has more products than a page shows, it has the first products of each category.
  package func storePage() throws(PagesError) -> [UInt8] {
    let isOpen = store.canMakePayments
    let groups = isOpen ? outline.comparedGroups(pages.layout).map(\.products) : []
    let previews = isOpen && isPaged ? outline.previews(pages.layout) : []
    let shown =
      isOpen ? try products(isPaged ? Array((previews + groups).joined()) : outline.products) : []
    let byRow = Dictionary(shown.map { ($0.row, $0) }) { first, _ in first }
    let comparisons = groups.map { $0.compactMap { byRow[$0] } }
    let cards = try ProductValues(pages: pages, store: store, language: language, page: path)
    let note = try pages.pricesNote(store, shown, language)
    let count = try productCount(outline.products.count)
    let values = try PageFrame(pages: pages, path: path, language: language).values(
      title: "\(titlePart(pages.shop.name(in: language))) – \(store.title)",
      description: isOpen ? "\(count.plain) · \(note.plain)" : language.word("payments_not_allowed"),
      alternates: store,
      jsonLD: shown.isEmpty ? nil : isPaged ? data.summary(shown, of: shown.count) : list(shown)
    ) { language in .store(store.storefront, language) }
    values[.isEmpty] = isOpen && shown.isEmpty
    values[.productCount] = PriceMarkup.html(count)
    values[.pricesNote] = note.html
    try setLists(values, on: path, cards, current: nil)
    var (sections, hero): ([[Int64]], Product?) = (previews, nil)
    if !isPaged {
      let compared = Set(comparisons.flatMap { ProductValues.compared($0) }.map(\.row))
      let listed = shown.filter { $0.identifier == pages.shop.hero || !compared.contains($0.row) }
      hero = pages.shop.hero(among: listed, of: shown)
      let others = listed.filter { $0.row != hero?.row }
      sections = StoreOutline((hero.map { [$0] } ?? []) + others).sections.map(\.products)
    }
    values[.categories] = try sections.map { (rows) throws(PagesError) in
      try section(rows.compactMap { byRow[$0] }, hero: hero, cards)
    }
    values[.comparisons] = try comparisons.map { (group) throws(PagesError) in
      try cards.comparison(of: group)
    }.compactMap(\.self)
    return try pages.templates.bytes(of: .store, values)
  }

  private func list(_ products: [Product]) -> String {
    data.list(products) { [pages.absoluteAddress(of: $0.image)].compactMap(\.self) }
  }

  func productCount(_ count: Int) throws(PagesError) -> FormattedMessage {
    try language.format("product_count", ["count": .count(of: count)])
  }

  /// Returns the products of a category, or those without one.
  private func section(
    _ products: [Product],
    hero: Product?,
    _ values: ProductValues
  ) throws(PagesError) -> TemplateValues {
    let category = products.first?.category
    // Every section needs a heading; without a category it is the number of products.
    let name =
      if let category { values.name(of: category) } else if isPaged {
        pageText(language.word("all_products"))
      } else { PriceMarkup.html(try productCount(products.count)) }
    let list = PagePath.list(category?.identifier, store.storefront, store.language)
    return TemplateValues([
      .id: category.map(StorePages.anchor) ?? "category",
      .name: name, .seeAllHref: isPaged ? path.href(to: list) : nil,
      .products: try cards(products, hero: hero, isShortened: isPaged, values),
    ])
  }

  func cards(
    _ products: [Product],
    hero: Product? = nil,
    isShortened: Bool = true,
    _ values: ProductValues
  ) throws(PagesError) -> [TemplateValues] {
    try products.map { (product) throws(PagesError) in
      try StorePages.checkBudget()
      let card = try values.card(product, isShortened: isShortened)
      if product.row == hero?.row { card[.isHero] = true }
      return card
    }
  }

  // MARK: Product pages

  /// Returns the page of a product.
  ///
  /// - Parameter related: The related products.
  package func productPage(_ product: Product, related: [Product]) throws(PagesError) -> [UInt8] {
    let shop = pages.shop
    let own = PagePath.product(product.identifier, store.storefront, store.language)
    let products = try ProductValues(pages: pages, store: store, language: language, page: own)
    let isOpen = store.canMakePayments
    let frame = PageFrame(pages: pages, path: own, language: language, other: relatedCards.frame)
    let values = try frame.values(
      title: "\(titlePart(product.displayName)) – \(titlePart(shop.name(in: language))) – \(store.title)",
      description: product.text?.description ?? product.displayName,
      type: "product",
      image: pages.linkPicture(product.image, named: product.displayName),
      price: isOpen ? product.price : nil,
      alternates: store,
      jsonLD: isOpen
        ? data.product(product, images: product.images.compactMap { pages.absoluteAddress(of: $0.address) })
        : nil
    ) { language in .product(product.identifier, store.storefront, language) }
    if relatedCards.frame == nil { relatedCards.frame = TemplateValues(copying: values) }
    // The page to choose a store reads the product, so that the shopper stays on it.
    values[.chooseStoreHref] = own.href(to: .entry(store.language)) + "#product=\(product.identifier)"
    guard isOpen else {
      values[.pricesNote] = try pages.pricesNote(store, [], language).html
      return try pages.templates.bytes(of: .product, values)
    }
    let group = try self.products(outline.compared(with: product.row, in: product.comparedGroup))
    let anchor = isPaged ? nil : ProductValues.anchor(of: product, in: group)
    values[.breadcrumbs] = data.breadcrumbs(product, shop.name(in: language), anchor: anchor)
    let card = try products.ownCard(product, relatedCards)
    if let field = quantityField(of: product, on: own) {
      card[.quantity] = field
      values[.quantityScript] = pages.quantityScript(on: own)
    }
    products.setPictures(of: product, on: card)
    values[.product] = card
    let compared = Set(ProductValues.compared(group, current: product.identifier).map(\.row))
    values[.related] = try products.related(related.filter { !compared.contains($0.row) }, relatedCards)
    values[.pricesNote] = try pages.pricesNote(store, [product] + group, language).html
    // A store page without products has no categories to link to.
    values[.category] = product.category.map { category in
      TemplateValues([
        .name: products.name(of: category),
        .href: anchor.map { "\(own.href(to: path))#\($0)" }
          ?? own.href(to: .list(category.identifier, store.storefront, store.language)),
      ])
    }
    values[.comparison] = try products.comparison(of: group, current: product.identifier)
    return try pages.templates.bytes(of: .product, values)
  }
}
