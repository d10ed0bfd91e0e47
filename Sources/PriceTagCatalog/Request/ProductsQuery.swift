import GRDB
import PriceTag
import PriceTagStrings
import PriceTagText

extension Catalog {
  /// Returns the products of a request and its invalid product identifiers.
  ///
  ///     let response = try catalog.products(for: request) { invalid in log(invalid) }
  ///     response.products.map(\.displayPrice)    // ["￥160"]
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - onInvalid: A closure called with the invalid product identifiers, if there are any, in both modes. A backend
  ///     can log or report them. It is not called for a request for all products.
  /// - Returns: The response.
  /// - Throws: `.invalidProductIdentifiers` in development mode, listing all of them; `.databaseFailed`;
  ///   `.stringsFailed` if the language has no UI strings, and the request is strict.
  public func products(
    for request: ProductsRequest,
    onInvalid: ([InvalidProductIdentifier]) -> Void = { _ in }
  ) throws(CatalogError) -> ProductsResponse {
    var products: [Product] = []
    var response = try self.products(
      for: request,
      onInvalid: onInvalid,
      onProduct: { products.append($0) }
    )
    response.products = products
    return response
  }

  /// Returns the response to a request without its products.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - onInvalid: A closure called with the invalid product identifiers.
  ///   - onProduct: A closure called with each product, so that a long response takes little memory.
  package func products(
    for request: ProductsRequest,
    onInvalid: ([InvalidProductIdentifier]) -> Void,
    onProduct: (Product) throws -> Void
  ) throws(CatalogError) -> ProductsResponse {
    let response = try read { try ProductsQuery($0, request, self).response(onProduct) }
    let invalid = response.invalidProductIdentifiers
    // A request for all products does not name the products that are omitted.
    guard !invalid.isEmpty, request.productIdentifiers != nil else { return response }
    onInvalid(invalid)
    guard request.mode == .development else { return response }
    throw CatalogError(
      .invalidProductIdentifiers,
      "cannot show \(invalid.map(\.description).joined(separator: "; "))",
      fix: "correct the identifiers or the catalog, or use production mode, which omits them"
    )
  }
}

extension Catalog {
  /// Returns the listings of a product for a request; an empty array if the catalog has no such product.
  package func listings(
    of identifier: String,
    for request: ListingRequest
  ) throws(CatalogError) -> [Listing] {
    guard ProductIdentifier.isWellFormed(identifier) else { return [] }
    return try read { database in
      let reader = try ProductRecordReader(database, request.storefronts, localeData)
      guard let record = try reader.product(identifier) else { return [] }
      var listings: [Listing] = []
      try ListingBuilder(request, formatters).forEach(record) { listings.append($0) }
      return listings
    }
  }
}

/// Performs one request on one state of the catalog.
private struct ProductsQuery {
  private let database: Database
  private let request: ProductsRequest
  private let builder: ListingBuilder
  private let reader: ProductRecordReader
  private let catalog: Catalog
  /// The language of the UI strings.
  private let language: UILanguage

  init(_ database: Database, _ request: ProductsRequest, _ catalog: Catalog) throws {
    (self.database, self.request, self.catalog) = (database, request, catalog)
    let listing = ListingRequest(request)
    let builder = try ListingBuilder(listing, catalog.formatters)
    self.builder = builder
    language = try listing.languages(of: request.storefront).first ?? request.language
    // Only the text that is shown is read.
    reader = try ProductRecordReader(database, [request.storefront], catalog.localeData) {
      builder.shownLanguageIndex(among: $0)
    }
  }

  func response(_ onProduct: (Product) throws -> Void) throws -> ProductsResponse {
    var invalid: [InvalidProductIdentifier] = []
    let identifiers =
      try request.productIdentifiers
      ?? CatalogKeys(database).productIdentifiers()
    let budget = WorkBudget.current
    for identifier in identifiers {
      try budget?.checkpoint()
      switch try product(identifier) {
      case .success(let product): try onProduct(product)
      case .failure(let unavailability): invalid.append(unavailability.invalidIdentifier(identifier))
      }
    }
    return ProductsResponse(
      products: [],
      invalidProductIdentifiers: invalid,
      canMakePayments: request.canMakePayments,
      paymentsNotice: request.canMakePayments
        ? nil
        : .init(
          title: try request.strings.format("payments_not_allowed", in: language),
          reason: try request.strings.format("payments_not_allowed_reason", in: language)
        ),
      storefront: request.storefront,
      language: language,
      requestedLanguage: request.language,
      date: try request.date,
      revision: Int(clamping: try CatalogTotals(database).revision)
    )
  }

  private func product(_ identifier: String) throws -> Result<Product, StorefrontPricing.Unavailability> {
    guard ProductIdentifier.isWellFormed(identifier) else { return .failure(ListingBuilder.malformed) }
    guard let record = try reader.product(identifier) else {
      return .failure(
        StorefrontPricing.Unavailability(
          reason: .unknown,
          message: "the catalog has no such product; import it, or correct the identifier"
        )
      )
    }
    return try builder.product(record)
  }
}
