import HTTPTypes
import Hummingbird
import Logging
import PriceTag
import PriceTagCatalog
import PriceTagPages
import PriceTagStrings
import PriceTagText

/// The store pages. Their UI strings follow the shopper's language and their prices the storefront; neither affects the
/// other.
struct PageRoutes: Sendable {
  let source: CatalogSource
  let metrics: ServiceMetrics

  // MARK: Choosing a store

  /// Redirects to the page to choose a store, in the shopper's language. The storefront is not guessed, because a
  /// language does not determine where a shopper buys.
  func choose(_ acceptLanguage: String?, from path: Substring) throws(Problem) -> Answer {
    let matcher =
      source.languagesOfPages == nil ? source.strings.matcher : LanguageMatcher(try source.entryLanguages())
    let language = matcher.match(acceptLanguage: acceptLanguage ?? "").language
    return redirect(to: .entry(language), from: path, status: .found, vary: ["Accept-Language"])
  }

  /// Redirects to a storefront's page in the shopper's language, or in the storefront's usual language if it has no
  /// pages in the shopper's.
  func store(_ name: Substring, _ acceptLanguage: String?, from path: Substring) throws(Problem) -> Answer {
    let storefront = try storefront(name)
    let languages = try source.languages(of: storefront)
    let match = LanguageMatcher(languages).match(acceptLanguage: acceptLanguage ?? "")
    let language =
      match.reason == .fallback
      ? storefront.defaultLanguage(among: languages) ?? match.language : match.language
    return redirect(to: .store(storefront, language), from: path, status: .found, vary: ["Accept-Language"])
  }

  /// The page to choose a store on.
  func entryPage(
    _ name: Substring,
    _ snapshot: CatalogSnapshot,
    from path: Substring,
    on date: CalendarDate
  ) throws(Problem) -> Answer {
    let languages = try source.entryLanguages()
    let (language, isExact) = try language(name, among: languages)
    let page = PagePath.entry(language)
    guard isExact, isCanonical(path, page) else { return redirect(to: page, from: path, isExact: isExact) }
    let storefronts = try storefrontsWithLanguages()
    do throws(PagesError) {
      return answer(
        try snapshot.pages.entryPage(
          at: page,
          in: language,
          storefronts: storefronts,
          languages: languages,
          on: date
        ),
        in: language,
        snapshot
      )
    } catch { throw Problem.internal }
  }

  /// The page of a product in all stores that have it.
  func productEntry(
    _ name: Substring,
    _ snapshot: CatalogSnapshot,
    from path: Substring,
    on date: CalendarDate,
    _ logger: Logger
  ) throws(Problem) -> Answer {
    let identifier = percentDecoded(name) ?? ""
    let page = PagePath.productEntry(identifier)
    let language = try source.entryLanguages().first ?? .development
    let (found, sold) = try stores(with: identifier, language, snapshot, on: date, logger)
    guard let found else {
      throw Problem(
        .notFound,
        "unknown-product",
        "no store has a product \(quoted(identifier))",
        fix: "use the identifier of a product for sale"
      )
    }
    guard isCanonical(path, page) else { return redirect(to: page, from: path, isExact: true) }
    let choice = StoreChoice(of: try storefrontsWithLanguages(), in: language, on: date)
    do throws(PagesError) {
      let html = try snapshot.pages.productEntryPage(identifier, found.text, image: found.image, choice) {
        sold.contains($0)
      }
      return answer(html, in: language, snapshot)
    } catch { throw Problem.internal }
  }

  /// Returns the storefronts that have a product, and the product as the first of them shows it.
  private func stores(
    with identifier: String,
    _ language: UILanguage,
    _ snapshot: CatalogSnapshot,
    on date: CalendarDate,
    _ logger: Logger
  ) throws(Problem) -> (product: Product?, storefronts: Set<Storefront>) {
    let request = ListingRequest(
      storefronts: source.storefronts,
      languages: .list([language]),
      at: date,
      unitPriceRounding: source.unitPriceRounding,
      strings: source.strings
    )
    var found: (product: Product?, storefronts: Set<Storefront>) = (nil, [])
    do throws(CatalogError) {
      for listing in try snapshot.catalog.listings(of: identifier, for: request) {
        guard case .product(let product, _) = listing.answer else { continue }
        found.product = found.product ?? product
        found.storefronts.insert(listing.storefront)
      }
    } catch { throw snapshot.problem(error, logger) }
    return found
  }

  /// The storefronts with pages, and the languages of each.
  private func storefrontsWithLanguages() throws(Problem) -> [(
    storefront: Storefront, languages: [UILanguage]
  )] {
    var storefronts: [(storefront: Storefront, languages: [UILanguage])] = []
    for storefront in source.storefronts {
      storefronts.append((storefront, try source.languages(of: storefront)))
    }
    return storefronts
  }

  // MARK: Addresses that do not exist

  /// The maximum depth of an address whose answer is a page: that of a product page, and some more.
  static let maximumNotFoundDepth = 8

  /// Returns the number of folders of a path.
  static func depth(of path: some StringProtocol) -> Int {
    max(0, path.utf8.count { $0 == UInt8(ascii: "/") } - 1)
  }

  /// The page for an address that does not exist, in the language of the address, or else of the client, with a link to the
  /// store of the address.
  func notFound(
    _ path: Substring,
    _ acceptLanguage: String?,
    _ snapshot: CatalogSnapshot,
    on date: CalendarDate
  ) throws(Problem) -> Answer {
    let languages = try source.entryLanguages()
    let accepted = acceptLanguage ?? ""
    let parts = path.split(separator: "/")
    let isInStore = parts.first == "store"
    let named = isInStore && parts.count > 2 ? try? self.language(parts[2], among: languages).language : nil
    let language = named ?? LanguageMatcher(languages).match(acceptLanguage: accepted).language
    var requested: (storefront: Storefront, language: UILanguage)?
    if isInStore, parts.count > 1, let storefront = try? storefront(parts[1]) {
      let shown = try source.languages(of: storefront)
      let match = LanguageMatcher(shown).match(language.identifier)
      let isClose = match.reason != .fallback
      requested = (
        storefront, isClose ? match.language : storefront.defaultLanguage(among: shown) ?? language
      )
    }
    let depth = Self.depth(of: path)
    let root = depth == 0 ? "./" : String(repeating: "../", count: depth)
    // No path of a page starts with this key.
    let key = "404 \(root) \(language) \(requested?.storefront.id ?? "") \(date)"
    if let stored = snapshot.answers[key] { return stored }
    let choice = StoreChoice(of: try storefrontsWithLanguages(), in: language, on: date)
    do throws(PagesError) {
      let html = try snapshot.pages.notFoundPage(
        root: root,
        choice,
        languages: languages,
        requested: requested,
        isStatic: false
      )
      var answer = self.answer(html, in: language, snapshot)
      answer.status = .notFound
      answer.vary = ["Accept", "Accept-Language"]
      if case .bytes(let buffer) = answer.contents { answer.gzipped = ContentCoding.gzip(buffer) }
      if WorkBudget.current?.excess == nil { snapshot.answers.store(&answer, for: key) }
      return answer
    } catch { throw Problem.internal }
  }

  // MARK: Stores

  /// Returns the store of the first region that an `Accept-Language` header prefers and that has one; `nil` if the header
  /// also names the region of the page's own store.
  func likelyStore(_ acceptLanguage: String?, onPageOf name: Substring) -> Storefront? {
    let regions = acceptedRegions(acceptLanguage ?? "")
    guard !regions.isEmpty, let own = try? storefront(name), !regions.contains(own.alpha2) else { return nil }
    return regions.lazy.compactMap { region in source.storefronts.first { $0.alpha2 == region } }.first
  }

  /// A store page or a product page. `names` are the storefront, the language and, for a product page, the product
  /// identifier.
  func page(
    _ names: [Substring],
    _ snapshot: CatalogSnapshot,
    from path: Substring,
    on date: CalendarDate,
    offering likely: Storefront?,
    _ logger: Logger
  ) throws(Problem) -> Answer {
    let storefront = try storefront(names[0])
    let languages = try source.languages(of: storefront)
    let (language, isExact) = try language(names[1], among: languages)
    let identifier = names.count > 2 ? percentDecoded(names[2]) ?? "" : nil
    let page: PagePath =
      identifier.map { .product($0, storefront, language) } ?? .store(storefront, language)
    guard isExact, isCanonical(path, page) else { return redirect(to: page, from: path, isExact: isExact) }
    let outline = try outline(storefront, snapshot, on: date, logger)
    let isPaged = PageLayout(source.shop).isPaged(outline.products.count)
    let offer = try likely.map { (likely) throws(Problem) in
      let offered = try identifier.map { (identifier) throws(Problem) in
        try products([identifier], likely, language, snapshot, on: date, logger)
      }
      return LikelyStore(
        likely,
        languages: try source.languages(of: likely),
        pageLanguage: language,
        hasProduct: offered?.products.isEmpty == false
      )
    }
    let paged = outlined(outline, storefront, language, languages, snapshot, on: date, offering: offer)
    if isPaged, identifier == nil {
      let html = try rendering(logger) { () throws(PagesError) in try paged.storePage() }
      return offering(html, in: language, snapshot)
    }
    var response = try products(identifier.map { [$0] }, storefront, language, snapshot, on: date, logger)
    let related = try identifier.flatMap { _ in response.products.first }.map { (product) throws(Problem) in
      try self.related(to: product, outline, storefront, language, snapshot, on: date, logger)
    }
    if isPaged, let product = response.products.first {
      metrics.count(formatted: 1, rejected: [:])
      let html = try rendering(logger) { () throws(PagesError) in
        try paged.productPage(product, related: related ?? [])
      }
      return offering(html, in: language, snapshot)
    }
    if response.products.first?.subscription?.group != nil {
      // The page also shows the other subscriptions of the group.
      response = try products(nil, storefront, language, snapshot, on: date, logger)
    }
    let invalid = Dictionary(grouping: response.invalidProductIdentifiers, by: \.reason.rawValue)
    metrics.count(formatted: response.products.count, rejected: invalid.mapValues(\.count))
    var store = Store(response, languages: languages)
    store.likelyStore = offer
    let html = try rendering(logger) { () throws(PagesError) in
      if let identifier {
        try snapshot.pages.productPage(identifier, related: related ?? [], in: store)
      } else {
        try snapshot.pages.storePage(store)
      }
    }
    return offering(html, in: language, snapshot)
  }

  /// Returns the products that the page of a product shows as related.
  private func related(
    to product: Product,
    _ outline: StoreOutline,
    _ storefront: Storefront,
    _ language: UILanguage,
    _ snapshot: CatalogSnapshot,
    on date: CalendarDate,
    _ logger: Logger
  ) throws(Problem) -> [Product] {
    if let identifiers = product.related {
      return try products(identifiers, storefront, language, snapshot, on: date, logger).products
    }
    var rows = RelatedRows(outline)
    let request = request(storefront, language, on: date)
    do throws(CatalogError) {
      return try snapshot.catalog.products(rows.rows(of: product), for: request)
    } catch { throw snapshot.problem(error, logger) }
  }

  /// Answers with a page that may offer the store of the client's region.
  private func offering(_ html: String, in language: UILanguage, _ snapshot: CatalogSnapshot) -> Answer {
    var answer = answer(html, in: language, snapshot)
    answer.vary = ["Accept-Language"]
    return answer
  }

  /// A page of the list of all products, or of those of a category. `names` are the storefront, the language and, except
  /// for the first page, the number of the page.
  func list(
    _ names: [Substring],
    category folder: Substring?,
    _ snapshot: CatalogSnapshot,
    from path: Substring,
    on date: CalendarDate,
    _ logger: Logger
  ) throws(Problem) -> Answer {
    let storefront = try storefront(names[0])
    let languages = try source.languages(of: storefront)
    let (language, isExact) = try language(names[1], among: languages)
    let outline = try outline(storefront, snapshot, on: date, logger)
    let category = try folder.map { (folder) throws(Problem) in
      try categoryIdentifier(percentDecoded(folder) ?? "", outline, path)
    }
    // A first page has no number.
    guard PageLayout(source.shop).isPaged(outline.products.count),
      let number = names.count > 2 ? Int(names[2]) : 1, number > 0
    else { throw Problem.unknownPath(String(path)) }
    let page = PagePath.list(category, page: number, storefront, language)
    guard isExact, isCanonical(path, page) else { return redirect(to: page, from: path, isExact: isExact) }
    let html = try rendering(logger) { () throws(PagesError) in
      try outlined(outline, storefront, language, languages, snapshot, on: date)
        .listPage(category, page: number)
    }
    guard let html else { throw Problem.unknownPath(String(path)) }
    return answer(html, in: language, snapshot)
  }

  /// A part of the index for searching a store with many products. `names` are the storefront, the language and the number
  /// of the part.
  func searchIndex(
    _ names: [Substring],
    _ snapshot: CatalogSnapshot,
    from path: Substring,
    on date: CalendarDate,
    _ logger: Logger
  ) throws(Problem) -> Answer {
    let storefront = try storefront(names[0])
    let languages = try source.languages(of: storefront)
    let (language, isExact) = try language(names[1], among: languages)
    let outline = try outline(storefront, snapshot, on: date, logger)
    guard isExact, PageLayout(source.shop).isPaged(outline.products.count), let part = Int(names[2]),
      path == "/\(PagePath.searchIndex(part, storefront, language))"
    else { throw Problem.unknownPath(String(path)) }
    let index = try rendering(logger) { () throws(PagesError) in
      try outlined(outline, storefront, language, languages, snapshot, on: date).searchIndex(part: part)
    }
    guard let index else { throw Problem.unknownPath(String(path)) }
    return Answer(index)
  }

  /// Returns the identifier of the category with a folder.
  private func categoryIdentifier(
    _ folder: String,
    _ outline: StoreOutline,
    _ path: Substring
  ) throws(Problem) -> String {
    for case let category? in outline.sections.map(\.category)
    where PagePath.folder(ofCategory: category) == folder { return category }
    throw Problem.unknownPath(String(path))
  }

  private func outline(
    _ storefront: Storefront,
    _ snapshot: CatalogSnapshot,
    on date: CalendarDate,
    _ logger: Logger
  ) throws(Problem) -> StoreOutline {
    do throws(CatalogError) {
      return try snapshot.outlines.outline(of: storefront, on: date) { () throws(CatalogError) in
        try snapshot.catalog.outline(
          for: request(storefront, .development, on: date),
          of: snapshot.outlinedProducts
        )
      }
    } catch { throw snapshot.problem(error, logger) }
  }

  private func outlined(
    _ outline: StoreOutline,
    _ storefront: Storefront,
    _ language: UILanguage,
    _ languages: [UILanguage],
    _ snapshot: CatalogSnapshot,
    on date: CalendarDate,
    offering likelyStore: LikelyStore? = nil
  ) -> OutlinedStore {
    let request = request(storefront, language, on: date)
    return OutlinedStore(snapshot.pages, outline, request, languages: languages, likelyStore: likelyStore) {
      (ids) throws(CatalogError) in
      let products = try snapshot.catalog.products(ids, for: request)
      metrics.count(formatted: products.count, rejected: [:])
      return products
    }
  }

  private func request(
    _ storefront: Storefront,
    _ language: UILanguage,
    _ identifiers: [String]? = nil,
    on date: CalendarDate
  ) -> ProductsRequest {
    ProductsRequest(
      identifiers,
      storefront: storefront,
      language: language,
      at: date,
      unitPriceRounding: source.unitPriceRounding,
      strings: source.strings
    )
  }

  /// Renders a page, and returns the problem to answer with if this fails.
  private func rendering<Page>(
    _ logger: Logger,
    _ render: () throws(PagesError) -> Page
  ) throws(Problem) -> Page {
    do throws(PagesError) { return try render() } catch {
      if error.code == .notFound {
        throw Problem(.notFound, "unknown-product", error.problem, fix: error.fix)
      }
      if let excess = WorkBudget.current?.excess { throw Problem(excess) }
      logger.error("cannot create a page", metadata: ["error": "\(error)"])
      throw Problem.internal
    }
  }

  /// Requests products from the catalog; all of them if `identifiers` is `nil`.
  private func products(
    _ identifiers: [String]?,
    _ storefront: Storefront,
    _ language: UILanguage,
    _ snapshot: CatalogSnapshot,
    on date: CalendarDate,
    _ logger: Logger
  ) throws(Problem) -> ProductsResponse {
    let request = request(storefront, language, identifiers, on: date)
    do throws(CatalogError) { return try snapshot.catalog.products(for: request) } catch {
      throw snapshot.problem(error, logger)
    }
  }

  // MARK: Files

  /// The style sheet, the script, or one of the shop's asset files.
  func file(_ path: Substring, _ snapshot: CatalogSnapshot) throws(Problem) -> Answer {
    if let name = percentDecoded(path) {
      if let file = snapshot.files[Array(name.utf8)] { return try file.answer() }
      // A pack is written when it is first requested, by a page or directly.
      if let pack = snapshot.pages.pack(at: name, on: source.today) {
        return try ServedFile(name, .bytes(pack)).answer()
      }
    }
    throw Problem.unknownPath("/" + path)
  }

  // MARK: Names

  private func storefront(_ name: Substring) throws(Problem) -> Storefront {
    do throws(PriceTagError) {
      let storefront = try Storefront(percentDecoded(name) ?? "", in: source.localeData)
      guard source.storefronts.contains(storefront) else {
        throw PriceTagError(
          .unknownStorefront,
          "the storefront \(storefront.id) has no pages",
          fix: "choose one at /store/"
        )
      }
      return storefront
    } catch { throw Problem(inAddress: error) }
  }

  /// Returns the language that a path names, or the closest match, and whether it matches exactly.
  private func language(
    _ name: Substring,
    among languages: [UILanguage]
  ) throws(Problem) -> (language: UILanguage, isExact: Bool) {
    do throws(StringsError) {
      let language = try UILanguage(percentDecoded(name) ?? "")
      if languages.contains(language) { return (language, true) }
      let match = LanguageMatcher(languages).match(language.identifier)
      guard match.reason != .fallback else {
        throw StringsError(
          .unknownLanguage,
          "the language \(language) has no pages",
          fix: "use one of \(languages.map { $0.identifier.lowercased() }.joined(separator: ", "))"
        )
      }
      return (match.language, false)
    } catch { throw Problem(inAddress: error) }
  }

  // MARK: Paths and answers

  private func isCanonical(_ path: Substring, _ page: PagePath) -> Bool { path == "/\(page)" }

  /// Redirects permanently from another spelling of a page's path, and temporarily from a language without pages,
  /// because pages in that language may be added.
  private func redirect(to page: PagePath, from path: Substring, isExact: Bool) -> Answer {
    redirect(to: page, from: path, status: isExact ? .permanentRedirect : .found)
  }

  /// Redirects from a request's path to a page. The location is relative, so it also works behind a proxy that adds a
  /// path prefix.
  private func redirect(
    to page: PagePath,
    from path: Substring,
    status: HTTPResponse.Status,
    vary: [String] = []
  ) -> Answer {
    let depth = Self.depth(of: path)
    var answer = Answer.redirect(
      status,
      to: depth == 0 ? "./\(page)" : String(repeating: "../", count: depth) + page.description
    )
    answer.vary = vary
    return answer
  }

  private func answer(_ html: String, in language: UILanguage, _ snapshot: CatalogSnapshot) -> Answer {
    var answer = Answer(html, Answer.html)
    answer.headers[.contentLanguage] = language.identifier
    answer.headers[.contentSecurityPolicy] = snapshot.pages.contentSecurityPolicy
    return answer
  }
}
