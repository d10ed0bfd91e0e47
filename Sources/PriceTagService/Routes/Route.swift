import HTTPTypes

/// The routes of the service.
enum Route: String, CaseIterable, Sendable {
  case storefronts = "/v1/storefronts"
  case storefront = "/v1/storefronts/{id}"
  case productIdentifiers = "/v1/product-identifiers"
  case products = "/v1/products"
  case format = "/v1/format"
  case batch = "/v1/batch"
  case read = "/v1/read"
  case languages = "/v1/languages"
  case strings = "/v1/strings/{language}"
  case messages = "/v1/messages"
  case receipts = "/v1/receipts"
  case root = "/"
  case stores = "/store/"
  case entryPage = "/choose/{language}/"
  case productEntry = "/choose/products/{productIdentifier}/"
  case store = "/store/{storefront}/"
  case storePage = "/store/{storefront}/{language}/"
  case productPage = "/store/{storefront}/{language}/products/{productIdentifier}/"
  case allProducts = "/store/{storefront}/{language}/all/"
  case allProductsPage = "/store/{storefront}/{language}/all/{page}/"
  case category = "/store/{storefront}/{language}/categories/{category}/"
  case categoryPage = "/store/{storefront}/{language}/categories/{category}/{page}/"
  case searchIndex = "/store/{storefront}/{language}/search/{part}.json"
  /// The style sheet, the script, and the shop's asset files.
  case file = "/{path}"
  case openAPI = "/openapi.json"
  case documentation = "/docs"
  case health = "/health"
  case ready = "/ready"
  case metrics = "/metrics"

  /// The routes for operators, which the admin port serves instead of the public port.
  static let forOperators: Set<Route> = [.health, .ready, .metrics]

  /// The route's method. Routes also answer `OPTIONS`, and `HEAD` if the method is `GET`.
  var method: HTTPRequest.Method {
    switch self {
    case .products, .format, .batch, .read, .messages, .receipts: .post
    default: .get
    }
  }

  /// The value of the `Allow` header.
  var allowed: String { method == .post ? "POST, OPTIONS" : "GET, HEAD, OPTIONS" }

  /// Whether the route is an HTML page for shoppers.
  var isPage: Bool {
    switch self {
    case .root, .stores, .entryPage, .productEntry, .store, .storePage, .productPage, .allProducts,
      .allProductsPage,
      .category, .categoryPage:
      true
    default: false
    }
  }

  /// Returns the cost of an answer that is not cached, for a catalog with a number of products.
  func cost(productCount: Int) -> Workers.Kind {
    switch self {
    case .productIdentifiers, .storePage, .allProducts, .allProductsPage, .category, .categoryPage,
      .searchIndex:
      Workers.Kind(productCount: productCount)
    default: .cheap
    }
  }

  /// Returns the route of a path and the path's variable parts.
  static func match(_ path: some StringProtocol) -> (route: Route, names: [Substring])? {
    if let fixed = fixed[String(path)] { return (fixed, []) }
    guard path.first == "/" else { return nil }
    let parts = Substring(path).split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let names = Array(parts.last == "" ? parts.dropLast() : parts)
    switch (names.first, names.count) {
    case ("v1", 3) where names[1] == "storefronts" && parts.count == 3: return (.storefront, [names[2]])
    case ("v1", 3) where names[1] == "strings" && parts.count == 3: return (.strings, [names[2]])
    case ("v1", _): return nil
    case ("choose", 3) where names[1] == "products": return (.productEntry, [names[2]])
    case ("choose", 2): return (.entryPage, [names[1]])
    case ("store", 2): return (.store, [names[1]])
    case ("store", 3): return (.storePage, [names[1], names[2]])
    case ("store", 5) where names[3] == "products": return (.productPage, [names[1], names[2], names[4]])
    case ("store", 4...6):
      return list(names, isFile: parts.last != "") ?? (.file, [Substring(path.dropFirst())])
    case ("store", 1), ("choose", 1): return (.stores, [])
    default: return (.file, [Substring(path.dropFirst())])
    }
  }

  /// Returns the route of a page of a list, or of a search index.
  private static func list(_ names: [Substring], isFile: Bool) -> (route: Route, names: [Substring])? {
    let store = Array(names[1...2])
    switch (names[3], names.count) {
    case ("all", 4): return (.allProducts, store)
    case ("all", 5): return (.allProductsPage, store + [names[4]])
    case ("categories", 5): return (.category, store + [names[4]])
    case ("categories", 6): return (.categoryPage, store + [names[4], names[5]])
    case ("search", 5) where isFile && names[4].hasSuffix(".json"):
      return (.searchIndex, store + [names[4].dropLast(".json".count)])
    default: return nil
    }
  }

  private static let fixed: [String: Route] = Dictionary(
    uniqueKeysWithValues: allCases.filter { !$0.rawValue.contains("{") }.map { ($0.rawValue, $0) }
  )
}
