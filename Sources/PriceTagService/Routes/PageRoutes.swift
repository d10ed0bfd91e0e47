import HTTPTypes
import Hummingbird
import Logging
import PriceTag
import PriceTagCatalog
import PriceTagPages
import PriceTagStrings
import PriceTagText

/// A request for a page.
struct PageRequest: Sendable {
  let path: Substring
  let snapshot: CatalogSnapshot
  /// The day of the prices.
  let day: StoreDay
  let logger: Logger
}

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
  func entryPage(_ name: Substring, _ request: PageRequest) throws(Problem) -> Answer {
    let languages = try source.entryLanguages()
    let (language, isExact) = try language(name, among: languages)
    let page = PagePath.entry(language)
    guard isExact, isCanonical(request, page) else { return redirect(to: page, from: request, isExact) }
    let storefronts = try storefrontsWithLanguages()
    do throws(PagesError) {
      let html = try request.snapshot.pages.entryPage(
        at: page,
        in: language,
        storefronts: storefronts,
        languages: languages,
        on: request.day
      )
      return answer(ByteBuffer(string: html), in: language, request)
    } catch { throw Problem.internal }
  }

  /// The page of a product in all stores that have it.
  func productEntry(_ name: Substring, _ request: PageRequest) throws(Problem) -> Answer {
    let identifier = percentDecoded(name) ?? ""
    let page = PagePath.productEntry(identifier)
    let language = try source.entryLanguages().first ?? .development
    let (found, sold) = try stores(with: identifier, language, request)
    guard let found else {
      throw Problem(
        .notFound,
        "unknown-product",
        "no store has a product \(quoted(identifier))",
        fix: "use the identifier of a product for sale"
      )
    }
    guard isCanonical(request, page) else { return redirect(to: page, from: request, true) }
    let storefronts = try storefrontsWithLanguages()
    do throws(PagesError) {
      let choice = try StoreChoice(of: storefronts, in: language, on: request.day)
      let html = try request.snapshot.pages.productEntryPage(
        identifier,
        found.text,
        image: found.image,
        choice,
        isSold: sold.contains
      )
      return answer(ByteBuffer(string: html), in: language, request)
    } catch { throw Problem.internal }
  }

  /// Returns the storefronts that have a product, and the product as the first of them shows it.
  private func stores(
    with identifier: String,
    _ language: UILanguage,
    _ request: PageRequest
  ) throws(Problem) -> (product: Product?, storefronts: Set<Storefront>) {
    let listings = ListingRequest(
      storefronts: source.storefronts,
      languages: .list([language]),
      at: request.day,
      unitPriceRounding: source.unitPriceRounding,
      taxInclusion: source.taxInclusion,
      strings: source.strings
    )
    var found: (product: Product?, storefronts: Set<Storefront>) = (nil, [])
    do throws(CatalogError) {
      for listing in try request.snapshot.catalog.listings(of: identifier, for: listings) {
        guard case .product(let product, _) = listing.answer else { continue }
        found.product = found.product ?? product
        found.storefronts.insert(listing.storefront)
      }
    } catch { throw request.snapshot.problem(error, request.logger) }
    return found
  }

  /// The storefronts with pages, and the languages of each.
  private func storefrontsWithLanguages() throws(Problem) -> [(
    storefront: Storefront, languages: [UILanguage]
  )] {
    try source.storefronts.map { (storefront) throws(Problem) in
      (storefront, try source.languages(of: storefront))
    }
  }

  // MARK: Addresses that do not exist

  /// The maximum depth of an address whose answer is a page: that of a product page, and some more.
  static let maximumNotFoundDepth = 8

  /// Returns the number of folders of a path.
  static func depth(of path: some StringProtocol) -> Int {
    max(0, path.utf8.count { $0 == UInt8(ascii: "/") } - 1)
  }

  /// Returns the path of the root relative to a path.
  private static func root(from path: Substring) -> String {
    let depth = depth(of: path)
    return depth == 0 ? "./" : String(repeating: "../", count: depth)
  }

  /// The page for an address that does not exist, in the language of the address, or else of the client, with a link to the
  /// store of the address.
  func notFound(_ request: PageRequest, _ acceptLanguage: String?) throws(Problem) -> Answer {
    let (snapshot, languages) = (request.snapshot, try source.entryLanguages())
    let parts = request.path.split(separator: "/")
    let isInStore = parts.first == "store"
    let named = isInStore && parts.count > 2 ? try? self.language(parts[2], among: languages).language : nil
    let language = named ?? LanguageMatcher(languages).match(acceptLanguage: acceptLanguage ?? "").language
    var requested: (storefront: Storefront, language: UILanguage)?
    if isInStore, parts.count > 1, let storefront = try? storefront(parts[1]) {
      let shown = try source.languages(of: storefront)
      requested = (storefront, StorePages.closestLanguage(to: language, among: shown, of: storefront))
    }
    let root = Self.root(from: request.path)
    // No path of a page starts with this key.
    let key = "404 \(root) \(language) \(requested?.storefront.id ?? "") \(request.day.startOfQuarterHour)"
    if let stored = snapshot.answers[key] { return stored }
    let storefronts = try storefrontsWithLanguages()
    do throws(PagesError) {
      let choice = try StoreChoice(of: storefronts, in: language, on: request.day)
      let html = try snapshot.pages.notFoundPage(
        root: root,
        choice,
        languages: languages,
        requested: requested,
        isStatic: false
      )
      var answer = self.answer(ByteBuffer(string: html), in: language, request)
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
    _ request: PageRequest,
    offering likely: Storefront?
  ) throws(Problem) -> Answer {
    let address = try address(names)
    let (storefront, language) = (address.storefront, address.language)
    let identifier = names.count > 2 ? percentDecoded(names[2]) ?? "" : nil
    let page: PagePath =
      identifier.map { .product($0, storefront, language) } ?? .store(storefront, language)
    guard address.isExact, isCanonical(request, page) else {
      return redirect(to: page, from: request, address.isExact)
    }
    var store = try store(address, request)
    store.likelyStore = try likely.map { (likely) throws(Problem) in
      let offered = try identifier.map { (identifier) throws(Problem) in
        try products([identifier], likely, language, request)
      }
      return LikelyStore(
        likely,
        languages: try source.languages(of: likely),
        pageLanguage: language,
        hasProduct: offered?.products.isEmpty == false
      )
    }
    let html: [UInt8]
    if let identifier {
      let product = try product(identifier, storefront, language, request)
      let related = try related(to: product, in: store, request)
      html = try render(store, request) { (store) throws(PagesError) in
        try store.productPage(product, related: related)
      }
    } else {
      html = try render(store, request) { (store) throws(PagesError) in try store.storePage() }
    }
    var answer = answer(ByteBuffer(bytes: html), in: language, request)
    answer.vary = ["Accept-Language"]
    return answer
  }

  /// Returns the product of a product page.
  private func product(
    _ identifier: String,
    _ storefront: Storefront,
    _ language: UILanguage,
    _ request: PageRequest
  ) throws(Problem) -> Product {
    let response = try products([identifier], storefront, language, request)
    let invalid = Dictionary(grouping: response.invalidProductIdentifiers, by: \.reason.rawValue)
    metrics.count(formatted: response.products.count, rejected: invalid.mapValues(\.count))
    guard let product = response.products.first else {
      let error = PagesError.unknownProduct(identifier, in: storefront)
      throw Problem(.notFound, "unknown-product", error.problem, fix: error.fix)
    }
    return product
  }

  /// Returns the products that the page of a product shows as related.
  private func related(
    to product: Product,
    in store: Store,
    _ request: PageRequest
  ) throws(Problem) -> [Product] {
    if let identifiers = product.related {
      return try products(identifiers, store.storefront, store.language, request).products
    }
    var rows = RelatedRows(store.outline)
    do throws(CatalogError) {
      return try request.snapshot.catalog.products(
        rows.rows(of: product),
        for: self.request(store.storefront, store.language, on: request.day)
      )
    } catch { throw request.snapshot.problem(error, request.logger) }
  }

  /// A page of the list of all products, or of those of a category. `names` are the storefront, the language and, except
  /// for the first page, the number of the page.
  func list(
    _ names: [Substring],
    category folder: Substring?,
    _ request: PageRequest
  ) throws(Problem) -> Answer {
    let address = try address(names)
    let store = try store(address, request)
    let category = try folder.map { (folder) throws(Problem) in
      try categoryIdentifier(percentDecoded(folder) ?? "", store.outline, request.path)
    }
    // A first page has no number.
    guard let number = names.count > 2 ? Int(names[2]) : 1, number > 0,
      PageLayout(source.shop).isPaged(store.outline.products.count)
    else { throw Problem.unknownPath(String(request.path)) }
    let page = PagePath.list(category, page: number, store.storefront, store.language)
    guard address.isExact, isCanonical(request, page) else {
      return redirect(to: page, from: request, address.isExact)
    }
    let html = try render(store, request) { (store) throws(PagesError) in
      try store.listPage(category, page: number)
    }
    guard let html else { throw Problem.unknownPath(String(request.path)) }
    return answer(ByteBuffer(bytes: html), in: store.language, request)
  }

  /// A part of the index for searching a store with many products. `names` are the storefront, the language and the number
  /// of the part.
  func searchIndex(_ names: [Substring], _ request: PageRequest) throws(Problem) -> Answer {
    let address = try address(names)
    let store = try store(address, request)
    guard address.isExact, PageLayout(source.shop).isPaged(store.outline.products.count),
      let part = Int(names[2]),
      request.path == "/\(PagePath.searchIndex(part, store.storefront, store.language))",
      let index = try render(
        store,
        request,
        { (store) throws(PagesError) in try store.searchIndex(part: part) }
      )
    else { throw Problem.unknownPath(String(request.path)) }
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

  /// Returns a store, whose products are read when a page needs them.
  private func store(_ address: StoreAddress, _ request: PageRequest) throws(Problem) -> Store {
    let (storefront, snapshot) = (address.storefront, request.snapshot)
    do throws(CatalogError) {
      let request = self.request(storefront, .development, on: request.day)
      let date = try request.date
      let outline = try snapshot.outline(for: request)
      return Store(storefront, address.language, languages: address.languages, outline, on: date)
    } catch { throw snapshot.problem(error, request.logger) }
  }

  /// Renders a page of a store, and returns the problem to answer with if this fails.
  private func render<Page>(
    _ store: Store,
    _ request: PageRequest,
    _ page: (OutlinedStore) throws(PagesError) -> Page
  ) throws(Problem) -> Page {
    do throws(PagesError) {
      let store = try OutlinedStore(request.snapshot.pages, store) { (ids) throws(PagesError) in
        try products(ids, of: store, request)
      }
      return try page(store)
    } catch {
      if let excess = WorkBudget.current?.excess { throw Problem(excess) }
      request.logger.error("cannot create a page", metadata: ["error": "\(error)"])
      throw Problem.internal
    }
  }

  /// Returns products of a store by the IDs of their rows.
  private func products(
    _ ids: [Int64],
    of store: Store,
    _ request: PageRequest
  ) throws(PagesError) -> [Product] {
    do throws(CatalogError) {
      let products = try request.snapshot.catalog.products(
        ids,
        for: self.request(store.storefront, store.language, on: request.day)
      )
      metrics.count(formatted: products.count, rejected: [:])
      return products
    } catch { throw PagesError(.catalogFailed, error) }
  }

  private func request(
    _ storefront: Storefront,
    _ language: UILanguage,
    _ identifiers: [String]? = nil,
    on day: StoreDay
  ) -> ProductsRequest {
    ProductsRequest(
      identifiers,
      storefront: storefront,
      language: language,
      at: day,
      unitPriceRounding: source.unitPriceRounding,
      taxInclusion: source.taxInclusion,
      strings: source.strings
    )
  }

  /// Requests products from the catalog.
  private func products(
    _ identifiers: [String],
    _ storefront: Storefront,
    _ language: UILanguage,
    _ request: PageRequest
  ) throws(Problem) -> ProductsResponse {
    do throws(CatalogError) {
      return try request.snapshot.catalog.products(
        for: self.request(storefront, language, identifiers, on: request.day)
      )
    } catch { throw request.snapshot.problem(error, request.logger) }
  }

  // MARK: Files

  /// The style sheet, the script, or one of the shop's asset files.
  func file(_ path: Substring, _ snapshot: CatalogSnapshot, on day: StoreDay) throws(Problem) -> Answer {
    if let name = percentDecoded(path) {
      if let file = snapshot.files[Array(name.utf8)] { return try file.answer() }
      // A pack is written when it is first requested, by a page or directly.
      if let pack = snapshot.pages.pack(at: name, on: day.dateInUTC) {
        return try ServedFile(name, .bytes(pack)).answer()
      }
    }
    throw Problem.unknownPath("/" + path)
  }

  // MARK: Names

  /// The store and the language that a path names.
  private struct StoreAddress {
    let storefront: Storefront
    /// The languages of the storefront's pages.
    let languages: [UILanguage]
    let language: UILanguage
    /// Whether the path names the language itself, not one that it matches.
    let isExact: Bool
  }

  private func address(_ names: [Substring]) throws(Problem) -> StoreAddress {
    let storefront = try storefront(names[0])
    let languages = try source.languages(of: storefront)
    let (language, isExact) = try language(
      names[1],
      among: languages,
      default: storefront.defaultLanguage(among: languages)
    )
    return StoreAddress(storefront: storefront, languages: languages, language: language, isExact: isExact)
  }

  func storefront(_ name: Substring) throws(Problem) -> Storefront {
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

  /// Returns the language that a path names, or the closest match, or the default language if no language is close; and
  /// whether it matches exactly.
  private func language(
    _ name: Substring,
    among languages: [UILanguage],
    default defaultLanguage: UILanguage? = nil
  ) throws(Problem) -> (language: UILanguage, isExact: Bool) {
    do throws(StringsError) {
      let language = try UILanguage(percentDecoded(name) ?? "")
      if languages.contains(language) { return (language, true) }
      let match = LanguageMatcher(languages).match(language.identifier)
      if match.reason != .fallback { return (match.language, false) }
      if let defaultLanguage { return (defaultLanguage, false) }
      throw StringsError(
        .unknownLanguage,
        "the language \(language) has no pages",
        fix: "use one of \(languages.map { $0.identifier.lowercased() }.joined(separator: ", "))"
      )
    } catch { throw Problem(inAddress: error) }
  }

  // MARK: Paths and answers

  private func isCanonical(_ request: PageRequest, _ page: PagePath) -> Bool { request.path == "/\(page)" }

  /// Redirects permanently from another spelling of a page's path, and temporarily from a language without pages,
  /// because pages in that language may be added.
  private func redirect(to page: PagePath, from request: PageRequest, _ isExact: Bool) -> Answer {
    redirect(to: page, from: request.path, status: isExact ? .permanentRedirect : .found)
  }

  /// Redirects from a request's path to a page. The location is relative, so it also works behind a proxy that adds a
  /// path prefix.
  private func redirect(
    to page: PagePath,
    from path: Substring,
    status: HTTPResponse.Status,
    vary: [String] = []
  ) -> Answer {
    var answer = Answer.redirect(status, to: "\(Self.root(from: path))\(page)")
    answer.vary = vary
    return answer
  }

  private func answer(_ html: ByteBuffer, in language: UILanguage, _ request: PageRequest) -> Answer {
    var answer = Answer(html, Answer.html)
    answer.headers[.contentLanguage] = language.identifier
    answer.headers[.contentSecurityPolicy] = request.snapshot.pages.contentSecurityPolicy
    return answer
  }
}
