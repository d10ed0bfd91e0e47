import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagSystem
import PriceTagTemplates
import PriceTagText

/// Writes the pages of a shop: store pages, product pages, and the entry page for choosing a store and a language.
///
///     let pages = StorePages(shop: try Shop(name: "Rocket Garage"))
///     let response = try catalog.products(for: request)
///     let html = try pages.storePage(Store(response, languages: [request.language]))
///
/// All links are relative, so the pages work at any address. The language changes every UI string but no price.
public final class StorePages: Sendable {
  /// The shop.
  public let shop: Shop
  let templates: PageTemplates
  let strings: StoreStrings
  private let hasFile: @Sendable (String) -> Bool
  private let languages = Cache<UILanguage, PageLanguage>()
  // Each storefront has one list, and each of its languages is the language of pages.
  private let languageNames = Cache<[UILanguage], [(language: UILanguage, name: String)]>(limit: 10_000)
  private let ownNames = Cache<UILanguage, String>()
  /// The languages of texts and names, by tag. A catalog has any number of tags.
  private let textLanguages = Cache<String, UILanguage?>(limit: 1000)
  /// The addresses of the style sheet and the scripts. They contain a fingerprint, so that browsers do not cache an
  /// outdated file.
  private let addresses: [PageTemplates.File: String]
  /// The colors of the browser's bars, by the color scheme.
  let themeColors: [(scheme: String, color: String?)]
  let kernel: PageKernel?
  private let kernelFiles: [PageKernel.File]
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
    self.kernel = kernel
    kernelFiles = kernel?.files(quantityScript: templates.text(of: .quantityScript)) ?? []
    let files = PageTemplates.File.allCases.map { file in
      (file, "\(file.path)?\(fingerprint(of: templates.text(of: file, shop.theme)))")
    }
    addresses = Dictionary(uniqueKeysWithValues: files)
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
    [PageTemplates.File.styleSheet, .script, .chooseScript].map(asset)
      + [("assets/licenses.txt", Self.licenses), (Self.iconPath, icon)]
  }

  /// The files that pages of stores with many products need in addition.
  package var searchAssets: [(path: String, text: String)] { [asset(.searchScript)] }

  private func asset(_ file: PageTemplates.File) -> (path: String, text: String) {
    (file.path, templates.text(of: file, shop.theme))
  }

  /// The files of the kernel, and the packs that pages have used so far.
  package var kernelAssets: [(path: String, bytes: [UInt8])] {
    (kernelFiles + (kernel?.usedPacks(strings) ?? [])).map { ($0.path, $0.bytes) }
  }

  /// Returns a pack of the kernel at a path in the site, or `nil`.
  package func pack(at path: String, on date: CalendarDate) -> [UInt8]? {
    kernel?.pack(at: path, on: date, strings)
  }

  /// The part of NOTICE about data. Pages do not include the software of the second part.
  private static let licenses: String = {
    let notice = String(cString: pricetag_notice())
    return String(notice[..<(notice.firstRange(of: "\n\nPart 2.")?.lowerBound ?? notice.endIndex)])
  }()

  /// Returns a page language, which is cached.
  func language(_ language: UILanguage) throws(PagesError) -> PageLanguage {
    try languages.value(of: language) { () throws(PagesError) in try PageLanguage(language, strings) }
  }

  /// Returns languages with their own names as HTML, in the collation order of a page's language. The result is cached,
  /// because every page of a store has the same list. So are the names, which come from ICU, because the list of every
  /// language contains them.
  func namedLanguages(
    _ languages: [UILanguage],
    in page: PageLanguage
  ) -> [(language: UILanguage, name: String)] {
    languageNames.value(of: [page.language] + languages) {
      let named = languages.map { language in
        (language: language, name: ownNames.value(of: language) { language.ownName })
      }
      return page.language.sorted(named, by: \.name).map { (language: $0.language, name: pageText($0.name)) }
    }
  }

  /// Returns the language of a text; `nil` for an invalid tag.
  func textLanguage(_ tag: String) -> UILanguage? { textLanguages.value(of: tag) { try? UILanguage(tag) } }

  // MARK: Stores

  /// Returns the page of a store: its products by category, and comparisons of its subscriptions.
  ///
  /// If the store has more products than a page shows, it has the first products of each category.
  ///
  /// - Throws: `.stringsFailed`, `.invalidTemplate`.
  public func storePage(_ store: Store) throws(PagesError) -> String {
    String(decoding: try OutlinedStore(self, store).storePage(), as: UTF8.self)
  }

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
    guard let page = try OutlinedStore(self, store).listPage(category, page: number) else {
      throw PagesError(
        .notFound,
        "the store of \(store.storefront) has no page \(number) of "
          + (category.map { "the category \(quoted($0))" } ?? "its products"),
        fix: "start at the first page of a category for sale there"
      )
    }
    return String(decoding: page, as: UTF8.self)
  }

  /// Returns the page of a product in a store.
  ///
  /// - Throws: `.notFound` if the store does not have the product; `.stringsFailed`, `.invalidTemplate`.
  public func productPage(_ identifier: String, in store: Store) throws(PagesError) -> String {
    func product(_ identifier: String) -> Product? {
      store.products.first { $0.identifier == identifier }
    }
    guard let shown = product(identifier) else { throw .unknownProduct(identifier, in: store.storefront) }
    var rows = RelatedRows(store.outline)
    let related = shown.related.map { $0.compactMap(product) } ?? store.products(rows.rows(of: shown))
    let page = try OutlinedStore(self, store).productPage(shown, related: related)
    return String(decoding: page, as: UTF8.self)
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

  // MARK: Everywhere

  /// Returns the values of the page with a product's prices in every storefront, for the people who review them, or of the list
  /// of these pages: those without the prices and the products.
  ///
  /// - Parameters:
  ///   - path: The path of the page.
  ///   - id: The product identifier; `nil` for the list.
  ///   - language: The language of the page.
  /// - Throws: `.stringsFailed`.
  func everywherePage(at path: PagePath, _ id: String?, in language: UILanguage) throws(PagesError)
    -> TemplateValues
  {
    let words = try self.language(language)
    let values = try PageFrame(pages: self, path: path, language: words).values(
      title: "\(id ?? titlePart(shop.name(in: words))) – \(words.word("prices_everywhere"))",
      description: words.word("prices_everywhere")
    )
    values[.isHidden] = true
    values[.chooseScript] = address(of: .chooseScript, on: path)
    values[.homeHref] = path.href(to: id == nil ? .root : .everywhereList)
    return values
  }

  /// Returns the values of a product on its "everywhere" page, and in the list.
  static func everywhereProduct(_ id: String, name: String?) -> TemplateValues {
    TemplateValues([
      .id: pageText(id), .name: "<bdi>\(pageText(balancedBidi(name ?? id)))</bdi>",
      .href: PagePath.everywhereList.href(to: .everywhere(id)),
    ])
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

  func address(of file: PageTemplates.File, on path: PagePath) -> String? {
    addresses[file].map { path.root + $0 }
  }
  func quantityScript(on path: PagePath) -> String? { kernelFiles.first.map { path.root + $0.path } }
}
