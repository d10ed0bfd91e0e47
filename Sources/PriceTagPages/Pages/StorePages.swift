import PriceTag
import PriceTagCatalog
import PriceTagNotice
import PriceTagStrings
import PriceTagText
import Synchronization

/// Writes the pages of a shop: store pages, product pages, and the entry page for choosing a store and a language.
///
///     let pages = StorePages(shop: try Shop(name: "Rocket Garage"))
///     let response = try catalog.products(for: request)
///     let html = try pages.storePage(Store(response, languages: [request.language]))
///
/// All links are relative, so the pages work at any address. The language changes every UI string but no price.
///
/// It is `Sendable` because locks protect its caches of languages.
public final class StorePages: Sendable {
  /// The shop.
  public let shop: Shop
  let templates: PageTemplates
  private let strings: StoreStrings
  private let hasFile: @Sendable (String) -> Bool
  private let languages = Mutex<[UILanguage: PageLanguage]>([:])
  private let languageNames = Mutex<[LanguageList: [(language: UILanguage, name: String)]]>([:])
  private let ownNames = Mutex<[UILanguage: String]>([:])
  /// The languages of texts and names, by tag.
  private let textLanguages = Mutex<[String: UILanguage?]>([:])
  /// The addresses of the style sheet and the script. They contain a fingerprint, so that browsers do not cache an
  /// outdated file.
  private let styleSheet: String
  private let script: String
  /// The colors of the browser's bars, by the color scheme.
  let themeColors: [(scheme: String, color: String?)]
  private let chooseScript: String
  let kernel: PageKernel?
  private let kernelFiles: [PageKernel.File]
  private let searchScript: String
  /// How lists are divided into pages.
  let layout: PageLayout

  /// Creates the pages of a shop.
  ///
  /// - Parameters:
  ///   - shop: The name, address, and theme of the shop.
  ///   - templates: The page templates.
  ///   - strings: The UI strings.
  ///   - kernel: The kernel for browsers, with which product pages have a field for the quantity; `nil` for pages without.
  ///   - hasFile: Returns whether the site has a file at a path such as `images/level1.svg`. Images without a file are not
  ///     shown.
  public init(
    shop: Shop,
    templates: PageTemplates = .embedded,
    strings: StoreStrings = .embedded,
    kernel: PageKernel? = nil,
    hasFile: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    (self.shop, self.templates, self.strings, self.hasFile) = (shop, templates, strings, hasFile)
    (self.kernel, kernelFiles) = (kernel, kernel?.files(quantityScript: templates.quantityScript) ?? [])
    styleSheet = "assets/store.css?\(fingerprint(of: templates.styleSheet(shop.theme)))"
    script = "assets/store.js?\(fingerprint(of: templates.script))"
    chooseScript = "assets/choose.js?\(fingerprint(of: templates.chooseScript))"
    searchScript = "assets/search.js?\(fingerprint(of: templates.searchScript))"
    layout = PageLayout(shop)
    themeColors = [
      ("light", shop.theme.light[.background]?.description),
      ("dark", shop.theme.dark[.background]?.description),
    ]
  }

  /// The value of the `Content-Security-Policy` field with which a server should send these pages.
  ///
  ///     StorePages(shop: shop).contentSecurityPolicy
  ///     // "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; …"
  public var contentSecurityPolicy: String { templates.policy.value(checkout: shop.checkout) }

  /// The files that pages need, by path in the site, including the license of the CLDR data on the pages.
  public var assets: [(path: String, text: String)] {
    [
      ("assets/store.css", templates.styleSheet(shop.theme)), ("assets/store.js", templates.script),
      ("assets/choose.js", templates.chooseScript),
      ("assets/licenses.txt", Self.licenses), (Self.iconPath, icon),
    ]
  }

  /// The files that pages of stores with many products need in addition.
  package var searchAssets: [(path: String, text: String)] { [("assets/search.js", templates.searchScript)] }

  /// The files of the kernel, and the packs that pages have used so far.
  package var kernelAssets: [(path: String, bytes: [UInt8])] {
    (kernelFiles + (kernel?.usedPacks ?? [])).map { ($0.path, $0.bytes) }
  }

  /// Returns a pack of the kernel at a path in the site, or `nil`.
  package func pack(at path: String, on date: CalendarDate) -> [UInt8]? {
    kernel?.pack(at: path, on: date)?.bytes
  }

  private static let licenses: String = {
    var count = 0
    let bytes = pricetag_data_notice(&count)
    return String(
      decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(bytes), count: count),
      as: UTF8.self
    )
  }()

  /// Returns a page language, which is cached.
  func language(_ language: UILanguage) throws(PagesError) -> PageLanguage {
    if let cached = languages.withLock({ $0[language] }) { return cached }
    let new = try PageLanguage(language, strings)
    languages.withLock { $0[language] = new }
    return new
  }

  /// Returns languages with their own names as HTML, in the collation order of a page's language. The result is cached,
  /// because every page of a store has the same list.
  func namedLanguages(
    _ languages: [UILanguage],
    in page: PageLanguage
  ) -> [(language: UILanguage, name: String)] {
    let key = LanguageList(page: page.language, languages: languages)
    if let cached = languageNames.withLock({ $0[key] }) { return cached }
    let named = languages.map { (language: $0, name: ownName(of: $0)) }
    let sorted = page.language.sorted(named, by: \.name).map { ($0.language, pageText($0.name)) }
    languageNames.withLock { names in
      // Each storefront has one list, and each of its languages is the language of pages.
      if names.count < Self.maximumLanguageListCount { names[key] = sorted }
    }
    return sorted
  }

  /// Returns the name of a language in the language itself, which comes from ICU. It is cached, because the list of every
  /// language contains it.
  private func ownName(of language: UILanguage) -> String {
    if let cached = ownNames.withLock({ $0[language] }) { return cached }
    let name = language.ownName
    ownNames.withLock { $0[language] = name }
    return name
  }

  private struct LanguageList: Hashable {
    let page: UILanguage
    let languages: [UILanguage]
  }

  private static let maximumLanguageListCount = 10_000

  /// Returns the language of a text; `nil` for an invalid tag.
  func textLanguage(_ tag: String) -> UILanguage? {
    if let cached = textLanguages.withLock({ $0[tag] }) { return cached }
    let language = try? UILanguage(tag)
    // A catalog has any number of tags.
    textLanguages.withLock { cache in
      if cache.count >= 1000 { cache = [:] }
      cache[tag] = .some(language)
    }
    return language
  }

  // MARK: Stores

  /// Returns the page of a store: its products by category, and comparisons of its subscriptions.
  ///
  /// If the store has more products than a page shows, it has the first products of each category.
  ///
  /// - Throws: `.stringsFailed`, `.invalidTemplate`.
  public func storePage(_ store: Store) throws(PagesError) -> String {
    guard !layout.isPaged(store.lists.total) else {
      let groups = PageLayout.comparedGroups(store.subscriptionGroups, count: \.count)
      let compared = Set(groups.joined().map(\.identifier))
      let sections = StoreLists.byCategory(store.products).map(\.products)
      return try overviewPage(
        store,
        layout.previews(of: sections) { compared.contains($0.identifier) },
        groups: groups
      )
    }
    let path = PagePath.store(store.storefront, store.language)
    let language = try language(store.language)
    let products = try ProductValues(pages: self, store: store, language: language, page: path)
    let frame = PageFrame(pages: self, path: path, language: language)
    let shopName = shop.name(in: language)
    let isOpen = store.canMakePayments
    let shown = isOpen ? store.products : []
    let note = try pricesNote(store, shown, language)
    let count = try language.format("product_count", ["count": .count(of: shown.count)])
    let values = try frame.values(
      title: "\(titlePart(shopName)) – \(store.title)",
      description: isOpen ? "\(count.plain) · \(note.plain)" : language.word("payments_not_allowed"),
      type: "website",
      alternates: store,
      jsonLD: isOpen && !shown.isEmpty
        ? StructuredData(store: store, shop: shop).list(shown) {
          [absoluteAddress(of: $0.image)].compactMap(\.self)
        }
        : nil
    ) { language in .store(store.storefront, language) }
    values[.storefront] = Self.values(of: store)
    values[.chooseStoreHref] = path.href(to: .entry(store.language))
    values[.homeHref] = "./"
    values[.notice] = isOpen ? nil : Self.notice(language)
    values[.isEmpty] = isOpen && shown.isEmpty
    setNoLists(values)
    values[.productCount] = PriceMarkup.html(count)
    values[.pricesNote] = note.html
    let groups = isOpen ? store.subscriptionGroups : []
    let compared = Set(groups.flatMap { ProductValues.compared($0) }.map(\.identifier))
    let listed = shown.filter { $0.identifier == shop.hero || !compared.contains($0.identifier) }
    values[.categories] = try categories(
      listed,
      hero: shop.hero(among: listed, of: shown),
      products,
      language
    )
    values[.comparisons] = try comparisons(of: groups, products)
    return try templates.render(.store, values)
  }

  /// Returns the page of a product in a store.
  ///
  /// - Throws: `.notFound` if the store does not have the product; `.stringsFailed`, `.invalidTemplate`.
  public func productPage(_ identifier: String, in store: Store) throws(PagesError) -> String {
    try productPage(identifier, related: nil, in: store)
  }

  /// - Parameter related: The related products; `nil` for those of the store's products.
  package func productPage(
    _ identifier: String,
    related: [Product]?,
    in store: Store
  ) throws(PagesError) -> String {
    guard let product = store.products.first(where: { $0.identifier == identifier }) else {
      throw PagesError(
        .notFound,
        "the store of \(store.storefront) has no product \(quoted(identifier))",
        fix: "use the identifier of a product for sale there"
      )
    }
    return try productPage(product, related: related, in: store)
  }

  func productPage(
    _ product: Product,
    group: [Product]? = nil,
    related: [Product]? = nil,
    _ cards: RelatedCards? = nil,
    in store: Store
  ) throws(PagesError) -> String {
    String(
      decoding: try productPageBytes(product, group: group, related: related, cards, in: store),
      as: UTF8.self
    )
  }

  /// Returns the page of a product in UTF-8.
  ///
  /// - Parameters:
  ///   - group: The subscriptions of the product's group; `nil` for those of the store's products.
  ///   - related: The related products; `nil` for those of the store's products.
  ///   - cards: The cards of related products of other pages of the store, in the same language.
  func productPageBytes(
    _ product: Product,
    group: [Product]?,
    related: [Product]?,
    _ cards: RelatedCards?,
    in store: Store
  ) throws(PagesError) -> [UInt8] {
    let path = PagePath.product(product.identifier, store.storefront, store.language)
    let storePath = PagePath.store(store.storefront, store.language)
    let language = try language(store.language)
    let products = try ProductValues(pages: self, store: store, language: language, page: path)
    let frame = PageFrame(pages: self, path: path, language: language)
    let isOpen = store.canMakePayments
    let values = try frame.values(
      title: "\(titlePart(product.displayName)) – \(titlePart(shop.name(in: language))) – \(store.title)",
      description: product.text?.description ?? product.displayName,
      type: "product",
      image: linkPicture(product.image, named: product.displayName),
      price: isOpen ? product.price : nil,
      alternates: store,
      jsonLD: isOpen
        ? StructuredData(store: store, shop: shop).product(
          product,
          images: product.images.compactMap { absoluteAddress(of: $0.address) }
        ) : nil
    ) { language in .product(product.identifier, store.storefront, language) }
    values[.storefront] = Self.values(of: store)
    // The page to choose a store reads the product, so that the shopper stays on it.
    values[.chooseStoreHref] = path.href(to: .entry(store.language)) + "#product=\(product.identifier)"
    values[.homeHref] = path.href(to: storePath)
    values[.storeHref] = path.href(to: storePath)
    values[.notice] = isOpen ? nil : Self.notice(language)
    let group = isOpen ? group ?? store.group(of: product) : []
    let isPaged = layout.isPaged(store.lists.total)
    let anchor = isPaged ? nil : ProductValues.anchor(of: product, in: group)
    if isOpen {
      values[.breadcrumbs] = StructuredData(store: store, shop: shop).breadcrumbs(
        product,
        shop.name(in: language),
        anchor: anchor
      )
    }
    let card = isOpen ? try products.card(product, isOwnPage: true) : nil
    if let card, let field = QuantityField(product, in: store, shop, kernel) {
      card[.quantity] = field.values(on: path)
      values[.quantityScript] = kernelFiles.first.map { path.root + $0.address }
    }
    if let card { products.setPictures(of: product, on: card) }
    values[.product] = card
    let compared = Set(ProductValues.compared(group, current: product.identifier).map(\.identifier))
    let shown = isOpen ? related ?? self.related(to: product, in: store) : []
    values[.related] = try products.related(shown.filter { !compared.contains($0.identifier) }, cards)
    values[.pricesNote] = try pricesNote(store, isOpen ? [product] + group : [], language).html
    // A store page without products has no categories to link to.
    values[.category] = (isOpen ? product.category : nil).map { category in
      TemplateValues([
        .name: products.name(of: category),
        .href: anchor.map { "\(path.href(to: storePath))#\($0)" }
          ?? path.href(to: .list(category.identifier, store.storefront, store.language)),
      ])
    }
    values[.comparison] = try products.comparison(of: group, current: product.identifier)
    return try templates.bytes(of: .product, values)
  }

  static func values(of store: Store) -> TemplateValues {
    TemplateValues(
      [.id: store.storefront.id, .name: pageText(store.storefrontName)],
      condition: store.storefront.id
    )
  }

  static func notice(_ language: PageLanguage) -> TemplateValues {
    TemplateValues([
      .title: pageText(language.word("payments_not_allowed")),
      .reason: pageText(language.word("payments_not_allowed_reason")),
    ])
  }

  /// Returns the note that names the currency of the prices: the store's own, and custom currencies of the products on
  /// the page.
  func pricesNote(
    _ store: Store,
    _ products: [Product],
    _ language: PageLanguage
  ) throws(PagesError) -> (html: String, plain: String) {
    var currencies: [Currency] = []
    for product in products where !currencies.contains(product.price.currency) {
      currencies.append(product.price.currency)
    }
    if currencies.isEmpty { currencies = [store.storefront.currency(on: store.date)] }
    return try language.note(ofPricesIn: store.storefront, currencies)
  }

  /// Yields to other work if the host's budget demands it.
  static func checkBudget() throws(PagesError) {
    guard let budget = WorkBudget.current else { return }
    do throws(WorkBudget.Excess) { try budget.checkpoint() } catch { throw .interrupted }
  }

  // MARK: Groups

  static func anchor(_ category: Product.Group) -> String {
    "category-\(fragment(of: category.identifier))"
  }

  /// Returns the comparisons of subscription groups; none of a group that has only one subscription.
  func comparisons(of groups: [[Product]], _ values: ProductValues) throws(PagesError) -> [TemplateValues] {
    var comparisons: [TemplateValues] = []
    for group in groups {
      if let comparison = try values.comparison(of: group) { comparisons.append(comparison) }
    }
    return comparisons
  }

  /// Returns the products by category, the hero first. Categories are in the order of their first products; products
  /// without a category form one more.
  private func categories(
    _ products: [Product],
    hero: Product?,
    _ values: ProductValues,
    _ language: PageLanguage
  ) throws(PagesError) -> [TemplateValues] {
    let products = (hero.map { [$0] } ?? []) + products.filter { $0.identifier != hero?.identifier }
    return try StoreLists.byCategory(products).map { (category, products) throws(PagesError) in
      // Every section needs a heading; without a category it is the number of products.
      let name =
        if let category { values.name(of: category) } else {
          PriceMarkup.html(try language.format("product_count", ["count": .count(of: products.count)]))
        }
      return TemplateValues([
        .id: category.map(Self.anchor) ?? "category",
        .name: name, .seeAllHref: nil,
        .products: try products.map { (product) throws(PagesError) in
          try Self.checkBudget()
          let card = try values.card(product)
          if product.identifier == hero?.identifier { card[.isHero] = true }
          return card
        },
      ])
    }
  }

  // MARK: Everywhere

  /// Returns the page with a product's prices in every storefront, for the people who review them.
  ///
  /// - Throws: `.stringsFailed`, `.invalidTemplate`.
  func everywherePage(
    _ identifier: String,
    named name: String?,
    _ listings: [Listing],
    in language: UILanguage,
    href: (Listing) -> PagePath
  ) throws(PagesError) -> String {
    let path = PagePath.everywhere(identifier)
    let words = try self.language(language)
    let frame = PageFrame(pages: self, path: path, language: words)
    let named = listings.map { ($0, language.name(of: $0.storefront)) }
    let rows = language.sorted(named, by: \.1).map { listing, storefrontName in
      let row = TemplateValues([
        .id: listing.storefront.id, .name: pageText(storefrontName), .isAvailable: false, .reason: nil,
        .amount: nil, .currency: nil, .display: nil, .href: nil,
      ])
      switch listing.answer {
      case .product(let product, _):
        row[.isAvailable] = true
        row[.amount] = product.price.amount.description
        row[.currency] = product.price.currency.code
        row[.display] = PriceMarkup.html(product.price)
        row[.href] = path.href(to: href(listing))
      case .invalid(let invalid): row[.reason] = pageText(invalid.message)
      }
      return row
    }
    let values = try frame.values(
      title: "\(identifier) – \(words.word("prices_everywhere"))",
      description: words.word("prices_everywhere"),
      type: "website"
    )
    values[.isHidden] = true
    values[.homeHref] = path.href(to: .everywhereList)
    values[.product] = TemplateValues([
      .id: pageText(identifier), .name: "<bdi>\(pageText(balancedBidi(name ?? identifier)))</bdi>",
    ])
    values[.rows] = rows
    values[.chooseScript] = chooseScript(on: path)
    return try templates.render(.everywhere, values)
  }

  /// Returns the list of those pages.
  func everywhereListPage(_ products: [(id: String, name: String?)], in language: UILanguage)
    throws(PagesError) -> String
  {
    let path = PagePath.everywhereList
    let words = try self.language(language)
    let values = try PageFrame(pages: self, path: path, language: words).values(
      title: "\(titlePart(shop.name(in: words))) – \(words.word("prices_everywhere"))",
      description: words.word("prices_everywhere"),
      type: "website"
    )
    values[.isHidden] = true
    values[.homeHref] = path.href(to: .root)
    values[.chooseScript] = chooseScript(on: path)
    values[.products] = products.map { product in
      TemplateValues([
        .id: pageText(product.id), .href: path.href(to: .everywhere(product.id)),
        .name: "<bdi>\(pageText(balancedBidi(product.name ?? product.id)))</bdi>",
      ])
    }
    return try templates.render(.everywhereList, values)
  }

  // MARK: Addresses

  /// Returns the absolute address of an image for search engines and link previews; `nil` if it has none.
  func absoluteAddress(of image: String?) -> String? {
    guard let image, ImageAddress.isSafe(image) else { return nil }
    if !SiteFile.isPath(image) { return image }
    guard let url = shop.url, hasFile(image) else { return nil }
    return url + SiteFile.path(image)
  }

  /// Returns the picture of a product for link previews, which do not accept SVG; `nil` if it has none.
  func linkPicture(_ image: String?, named name: String) -> (address: String, text: String)? {
    guard let address = absoluteAddress(of: image) else { return nil }
    let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return path.hasSuffix(".svg") || path.hasSuffix(".svgz") ? nil : (address, name)
  }

  /// Returns the address of an image on a page; `nil` without an image, or if the site lacks its file.
  func address(of image: String?, on path: PagePath) -> String? {
    guard let image, ImageAddress.isSafe(image) else { return nil }
    if !SiteFile.isPath(image) { return pageText(image) }
    return hasFile(image) ? PagePath.fileHref(path, image) : nil
  }

  func styleSheet(on path: PagePath) -> String { path.root + styleSheet }
  func script(on path: PagePath) -> String { path.root + script }
  func chooseScript(on path: PagePath) -> String { path.root + chooseScript }
  func searchScript(on path: PagePath) -> String { path.root + searchScript }
}
