import GRDB
import PriceTag
import PriceTagStrings
import PriceTagText

extension Catalog {
  /// Answers a request: the products that can be shown, and the identifiers that nothing can be shown for.
  ///
  ///     let response = try catalog.products(for: request) { invalid in report(invalid) }
  ///     response.products.map(\.displayPrice)    // ["￥160"]
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - onInvalid: Is handed the identifiers that nothing can be shown for, in both modes and where there are any, so
  ///     that a backend can log them or report them home.
  /// - Throws: `.invalidProductIdentifiers` in development mode, listing them all; `.databaseFailed`; `.stringsFailed`
  ///   where there are no words in the language.
  public func products(
    for request: ProductsRequest,
    onInvalid: ([InvalidProductIdentifier]) -> Void = { _ in }
  ) throws(CatalogError) -> ProductsResponse {
    let response = try read { try ProductsReading($0, request, self).response() }
    let invalid = response.invalidProductIdentifiers
    // Nobody asked for what is left out of all.
    guard !invalid.isEmpty, request.productIdentifiers != nil else { return response }
    onInvalid(invalid)
    guard request.mode == .development else { return response }
    throw CatalogError(
      .invalidProductIdentifiers,
      "nothing can be shown for \(invalid.map(\.description).joined(separator: "; "))",
      fix: "correct the identifiers or the catalogue, or ask in production mode, which leaves them out"
    )
  }
}

/// Answers one request in one state of the catalogue.
private struct ProductsReading {
  private let database: Database
  private let request: ProductsRequest
  private let maker: ListingMaker
  private let reading: ProductFactsReading
  private let catalog: Catalog

  init(_ database: Database, _ request: ProductsRequest, _ catalog: Catalog) throws {
    (self.database, self.request, self.catalog) = (database, request, catalog)
    let maker = try ListingMaker(
      ListingRequest(
        storefronts: [request.storefront],
        languages: .list([request.language]),
        at: request.date,
        mode: request.mode,
        style: request.style,
        strings: request.strings
      )
    )
    self.maker = maker
    // One text is shown: no other is read.
    reading = try ProductFactsReading(
      database,
      [request.storefront],
      catalog.localeData,
      hasChecksums: catalog.hasChecksums
    ) { maker.shownText(among: $0) }
  }

  func response() throws -> ProductsResponse {
    var products: [Product] = []
    var invalid: [InvalidProductIdentifier] = []
    let identifiers =
      try request.productIdentifiers
      ?? CatalogKeys(database, hasChecksums: catalog.hasChecksums).productIdentifiers()
    let budget = WorkBudget.current
    for identifier in identifiers {
      try budget?.goOn()
      switch try answer(identifier) {
      case .success(let product): products.append(product)
      case .failure(let refusal): invalid.append(refusal.about(identifier))
      }
    }
    return ProductsResponse(
      products: products,
      invalidProductIdentifiers: invalid,
      canMakePayments: request.canMakePayments,
      paymentsNotice: request.canMakePayments
        ? nil
        : .init(
          title: try request.strings.format("payments_not_allowed", in: request.language),
          reason: try request.strings.format("payments_not_allowed_reason", in: request.language)
        ),
      storefront: request.storefront,
      language: request.language,
      date: request.date,
      revision: Int(clamping: try CatalogTotals(database, hasChecksums: catalog.hasChecksums).revision)
    )
  }

  private func answer(_ identifier: String) throws -> Result<Product, StorefrontPricing.Refusal> {
    guard ProductIdentifier.isWellFormed(identifier) else { return .failure(ListingMaker.malformed) }
    guard let facts = try reading.product(identifier) else {
      return .failure(
        StorefrontPricing.Refusal(
          reason: .unknown,
          message: "the catalogue has no such product: import it, or correct the identifier"
        )
      )
    }
    return try maker.answer(facts)
  }
}
