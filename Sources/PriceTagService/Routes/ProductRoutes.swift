import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import PriceTagText

/// `POST /v1/products`, which works like StoreKit's products request, and `GET /v1/product-identifiers`.
struct ProductRoutes: Sendable {
  let configuration: ServiceConfiguration
  let source: CatalogSource
  let metrics: ServiceMetrics

  /// Returns the computation of the products that a body requests, and its cost.
  func products(
    _ body: ByteBuffer,
    _ snapshot: CatalogSnapshot,
    on day: StoreDay,
    _ logger: Logger
  ) throws(Problem) -> (Workers.Kind, @Sendable () throws(Problem) -> Answer) {
    // A long body is parsed when it is its turn.
    let parsed =
      Workers.Kind(byteCount: body.readableBytes) == .cheap ? try productsRequest(body, on: day) : nil
    let count = parsed.map { $0.productIdentifiers?.count ?? snapshot.productCount } ?? .max
    let compute = { @Sendable () throws(Problem) in
      let request = if let parsed { parsed } else { try productsRequest(body, on: day) }
      return try answer(request, snapshot, logger)
    }
    return (Workers.Kind(productCount: count), compute)
  }

  private func productsRequest(_ body: ByteBuffer, on day: StoreDay) throws(Problem) -> ProductsRequest {
    let fields = try body.fields(
      known: [
        "storefront", "language", "strictLanguage", "productIdentifiers", "at", "mode", "canMakePayments",
        "style", "unitPrices",
      ]
    )
    let storefront: Storefront
    let id = try fields.required("storefront")
    do throws(PriceTagError) { storefront = try Storefront(id, in: source.localeData) } catch {
      throw Problem(error, pointer: "/storefront")
    }
    let language: UILanguage
    let tag = try fields.text("language") ?? storefront.defaultLanguage
    let isStrict = try fields.flag("strictLanguage", default: false)
    do throws(StringsError) {
      language = try source.strings.language(for: UILanguage(tag), in: storefront, isStrict: isStrict)
        .productLanguage
    } catch { throw Problem(error, pointer: "/language") }
    return ProductsRequest(
      try fields.strings("productIdentifiers", maximumCount: configuration.itemsPerRequest),
      storefront: storefront,
      language: language,
      isLanguageStrict: isStrict,
      at: try fields.day("at") ?? day,
      mode: try fields.choice("mode", default: .production),
      canMakePayments: try fields.flag("canMakePayments", default: true),
      style: try fields.style(at: "style"),
      unitPriceRounding: try fields.optionalChoice("unitPrices"),
      taxInclusion: source.taxInclusion,
      strings: source.strings
    )
  }

  private func answer(
    _ request: ProductsRequest,
    _ snapshot: CatalogSnapshot,
    _ logger: Logger
  ) throws(Problem) -> Answer {
    let response: ProductsResponse
    var products = ByteBuffer()
    var productCount = 0
    do throws(CatalogError) {
      response = try snapshot.catalog.products(
        for: request,
        onInvalid: { _ in },
        onProduct: { product in
          let text = (productCount > 0 ? "," : "") + product.json
          try WorkBudget.current?.add(byteCount: text.utf8.count)
          products.writeString(text)
          productCount += 1
        }
      )
    } catch {
      guard error.code == .invalidProductIdentifiers else { throw snapshot.problem(error, logger) }
      throw Problem(error, pointer: "/productIdentifiers")
    }
    let invalid = Dictionary(grouping: response.invalidProductIdentifiers, by: \.reason.rawValue)
    metrics.count(formatted: productCount, rejected: invalid.mapValues(\.count))
    var body = ByteBuffer(string: response.jsonStart)
    body.writeBuffer(&products)
    try response.writeJSONEnd { (chunk) throws(Problem) in
      try WorkBudget.spend(byteCount: chunk.utf8.count)
      body.writeString(chunk)
    }
    var answer = Answer(body)
    answer.headers[.contentLanguage] = response.language.identifier
    return answer
  }

  func identifiers(_ snapshot: CatalogSnapshot, _ logger: Logger) throws(Problem) -> Answer {
    let identifiers: [String]
    do throws(CatalogError) { identifiers = try snapshot.catalog.productIdentifiers() } catch {
      throw snapshot.problem(error, logger)
    }
    var body = ByteBuffer(string: "[")
    for (index, identifier) in identifiers.enumerated() {
      let text = (index > 0 ? "," : "") + PriceTagText.json(identifier)
      try WorkBudget.spend(byteCount: text.utf8.count)
      body.writeString(text)
    }
    body.writeString("]")
    var answer = Answer(body)
    answer.lastModified = snapshot.lastModified
    return answer
  }
}
