import HTTPTypes

/// The routes of the service.
enum Route: String, CaseIterable, Sendable {
  case storefronts = "/v1/storefronts"
  case storefront = "/v1/storefronts/{id}"
  case productIdentifiers = "/v1/product-identifiers"
  case products = "/v1/products"
  case format = "/v1/format"
  case batch = "/v1/batch"
  case languages = "/v1/languages"
  case strings = "/v1/strings/{language}"
  case messages = "/v1/messages"
  case root = "/"
  case stores = "/store/"
  case entryPage = "/choose/{language}/"
  case store = "/store/{storefront}/"
  case storePage = "/store/{storefront}/{language}/"
  case productPage = "/store/{storefront}/{language}/products/{productIdentifier}/"
  /// The style sheet, the script, and the shop's asset files.
  case file = "/{path}"
  case openAPI = "/openapi.json"
  case documentation = "/docs"
  case health = "/health"
  case ready = "/ready"
  case metrics = "/metrics"

  /// The route's method. Routes also answer `OPTIONS`, and `HEAD` if the method is `GET`.
  var method: HTTPRequest.Method {
    switch self {
    case .products, .format, .batch, .messages: .post
    default: .get
    }
  }

  /// The value of the `Allow` header.
  var allowed: String { method == .post ? "POST, OPTIONS" : "GET, HEAD, OPTIONS" }

  /// Whether the route is an HTML page for shoppers.
  var isPage: Bool {
    switch self {
    case .root, .stores, .entryPage, .store, .storePage, .productPage: true
    default: false
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
    case ("choose", 2): return (.entryPage, [names[1]])
    case ("store", 2): return (.store, [names[1]])
    case ("store", 3): return (.storePage, [names[1], names[2]])
    case ("store", 5) where names[3] == "products": return (.productPage, [names[1], names[2], names[4]])
    case ("store", 1), ("choose", 1): return (.stores, [])
    default: return (.file, [Substring(path.dropFirst())])
    }
  }

  private static let fixed: [String: Route] = Dictionary(
    uniqueKeysWithValues: allCases.filter { !$0.rawValue.contains("{") }.map { ($0.rawValue, $0) }
  )
}
