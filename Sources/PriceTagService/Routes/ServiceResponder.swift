import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import PriceTag
import PriceTagCatalog

/// What a request brings along.
struct ServiceContext: InitializableFromSource {
  let logger: Logger

  init(source: ApplicationRequestContextSource) {
    logger = source.logger
  }
}

/// Answers every request.
struct ServiceResponder: HTTPResponder {
  let source: ShopSource
  let current: CurrentShop
  let configuration: ServiceConfiguration
  let metrics: ServiceMetrics
  let exposition: @Sendable () -> String
  let formats: FormatRoutes
  let products: ProductRoutes
  let strings: StringRoutes
  let pages: PageRoutes
  let fitting: AnswerFitting

  init(
    _ source: ShopSource,
    _ configuration: ServiceConfiguration,
    _ current: CurrentShop,
    _ metrics: ServiceMetrics,
    exposition: @escaping @Sendable () -> String
  ) {
    (self.source, self.current, self.configuration) = (source, current, configuration)
    (self.metrics, self.exposition) = (metrics, exposition)
    formats = FormatRoutes(source, configuration, metrics)
    products = ProductRoutes(configuration: configuration, source: source, metrics: metrics)
    strings = StringRoutes(configuration: configuration, source: source)
    pages = PageRoutes(source: source)
    fitting = AnswerFitting(configuration)
  }

  func respond(to request: Request, context: ServiceContext) async throws -> Response {
    let start = ContinuousClock.now
    let requestID = RequestIdentifier.of(request.headers[.requestID])
    let path = request.uri.path
    let match = Route.match(path)
    var answer: Answer
    do {
      answer = try await self.answer(request, match, path, context.logger, requestID)
    } catch let problem as Problem {
      answer = Self.answer(problem, match?.route, request, requestID)
    } catch {
      // The connection's own failures are for who reads from it.
      if error is HTTPParserError || error is ChannelError || error is CancellationError { throw error }
      Self.logger(context.logger, requestID).error("a request failed", metadata: ["error": "\(error)"])
      answer = Self.answer(.internal, match?.route, request, requestID)
    }
    if case .bytes(let buffer) = answer.contents, buffer.readableBytes >= ContentCoding.longBytes,
      answer.gzipped == nil, ContentCoding.takesGzip(request.headers[.acceptEncoding])
    {
      answer.gzipped = try await Workers.short.run { ContentCoding.gzip(buffer) }
    }
    let response = fitting.response(answer, to: request, requestID: requestID)
    let time = ContinuousClock.now - start
    metrics.count(match?.route, request.method, response.status.code, time)
    if context.logger.logLevel <= .debug {
      Self.logger(context.logger, requestID).debug(
        "answered",
        metadata: [
          "method": "\(request.method.rawValue)", "path": "\(path)",
          "status": .stringConvertible(response.status.code),
          "milliseconds": .stringConvertible(
            time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
          ),
        ]
      )
    }
    return response
  }

  private static func logger(_ logger: Logger, _ requestID: String) -> Logger {
    var logger = logger
    // One name is enough.
    logger[metadataKey: "hb.request.id"] = nil
    logger[metadataKey: "requestId"] = "\(requestID)"
    return logger
  }

  // MARK: Routes

  private func answer(
    _ request: Request,
    _ match: (route: Route, names: [Substring])?,
    _ path: String,
    _ logger: Logger,
    _ requestID: String
  ) async throws -> Answer {
    if request.method == .options, path == "*" { return options("GET, HEAD, POST, OPTIONS") }
    // People add a slash.
    if path == "/docs/" { return Answer.redirect(.permanentRedirect, to: "../docs") }
    guard let (route, names) = match else {
      throw Problem(
        .notFound,
        "not-found",
        "there is nothing at \(quoted(path))",
        fix: "see /docs for what there is"
      )
    }
    switch request.method {
    case route.method: break
    case .head where route.method == .get: break
    case .options: return options(route.allowed)
    default:
      var problem = Problem(
        .methodNotAllowed,
        "method-not-allowed",
        "\(quoted(request.method.rawValue)) is no method of \(route.rawValue)",
        fix: "use \(route.allowed)"
      )
      problem.headers[.allow] = route.allowed
      throw problem
    }
    let shop = current.shop
    let way = Substring(path)
    switch route {
    case .format: return try await formats.format(request)
    case .batch: return try formats.batch(request)
    case .products:
      return try await products.products(request, shop, Self.logger(logger, requestID))
    case .messages: return try await strings.messages(request)
    case .productIdentifiers:
      return try await kept(shop, path, "identifiers") { () throws(Problem) in
        try products.identifiers(shop, logger)
      }
    case .storefronts:
      let date = try date(request)
      return try await kept(shop, "\(path)?\(date)", "storefronts.\(date)") { () throws(Problem) in
        try strings.storefronts(on: date)
      }
    case .storefront:
      let date = try date(request)
      let id = percentDecoded(names[0]) ?? ""
      return try await kept(shop, "\(path)?\(date)", "storefront.\(date)") { () throws(Problem) in
        try strings.storefront(id, on: date)
      }
    case .languages: return try await kept(shop, path, "languages") { strings.languages() }
    case .strings:
      let tag = percentDecoded(names[0]) ?? ""
      return try await kept(shop, path, "strings") { () throws(Problem) in try strings.strings(in: tag) }
    case .root, .stores: return pages.choose(request.headers[.acceptLanguage], from: way)
    case .store: return try pages.store(names[0], request.headers[.acceptLanguage], from: way)
    case .entryPage:
      let date = source.today
      return try await kept(shop, "\(path)?\(date)", "choose") { () throws(Problem) in
        try pages.entryPage(names[0], shop, from: way, on: date)
      }
    case .storePage, .productPage:
      let date = source.today
      return try await kept(shop, "\(path)?\(date)", Self.validator(names), by: .long) { () throws(Problem) in
        try pages.page(names, shop, from: way, on: date, logger)
      }
    case .file:
      return try await kept(shop, path, "file") { () throws(Problem) in try pages.file(names[0], shop) }
    case .openAPI:
      return try await kept(shop, path, "openapi") { Answer(ByteBuffer(bytes: ServiceDocument.openAPI)) }
    case .documentation:
      return try await kept(shop, path, "docs") { () throws(Problem) in try ServiceDocument.page() }
    case .health: return Answer(#"{"status":"ok"}"#)
    case .ready: return ready(shop)
    case .metrics:
      metrics.tell(shop)
      return Answer(exposition(), PrometheusMetrics.contentType)
    }
  }

  private func options(_ allowed: String) -> Answer {
    var answer = Answer("", "")
    answer.status = .noContent
    answer.headers[.allow] = allowed
    return answer
  }

  private func date(_ request: Request) throws(Problem) -> CalendarDate {
    try RequestFields(query: request.query(), known: ["at"]).date("at") ?? source.today
  }

  /// What starts a validator of a page: its storefront and its language, so that no two stores share one.
  private static func validator(_ names: [Substring]) -> String {
    let name = names.prefix(2).joined(separator: ".").lowercased()
    return String(
      name.unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || ".-0123456789".unicodeScalars.contains($0))
      }
    )
  }

  /// An answer that is the same as long as the catalogue is: made once, with a strong validator of all its bytes.
  private func kept(
    _ shop: ServedShop,
    _ key: String,
    _ validator: String,
    by workers: Workers = .short,
    _ make: @escaping @Sendable () throws(Problem) -> Answer
  ) async throws -> Answer {
    if let known = shop.answers[key] { return known }
    return try await workers.run { () throws(Problem) in
      // Somebody who waited before may have asked for the same.
      if let known = shop.answers[key] { return known }
      var answer = try make()
      // A redirect is made faster than it is found.
      guard answer.status == .ok, case .bytes(let buffer) = answer.contents else { return answer }
      var fingerprint = Fingerprint()
      fingerprint.add(buffer.readableBytesView)
      answer.validator = "\(validator).\(fingerprint.text)"
      answer.caching = .revalidated
      if buffer.readableBytes >= ContentCoding.leastBytes { answer.gzipped = ContentCoding.gzip(buffer) }
      shop.answers.keep(answer, for: key)
      return answer
    }
  }

  // MARK: State

  private func ready(_ shop: ServedShop) -> Answer {
    let now = HTTPDate.now.seconds
    let failure = current.failure
    let isStopping = current.isStopping
    var answer = Answer(
      jsonObject([
        ("status", json(isStopping ? "stopping" : "ready")),
        (
          "catalog",
          jsonObject([
            ("products", String(shop.productCount)), ("setAside", String(shop.setAsideCount)),
            ("revision", String(shop.revision)),
            ("modifiedAt", json(HTTPDate(seconds: shop.modified).iso8601)),
            ("loadedAt", json(HTTPDate(seconds: shop.loaded).iso8601)),
            ("ageSeconds", String(max(0, now - shop.loaded))),
          ])
        ),
        (
          "reload",
          failure.map { failure in
            jsonObject([
              ("failedAt", json(HTTPDate(seconds: failure.failed).iso8601)),
              ("error", json(failure.error.description)),
            ])
          } ?? "null"
        ),
      ])
    )
    if isStopping { answer.status = .serviceUnavailable }
    return answer
  }

  // MARK: Problems

  private static func answer(
    _ problem: Problem,
    _ route: Route?,
    _ request: Request,
    _ requestID: String
  ) -> Answer {
    let isForPeople =
      (route?.isPage ?? false) && request.headers[.accept].map { $0.contains("text/html") } ?? false
    var answer =
      isForPeople
      ? Answer(ProblemPage(problem).html, Answer.html)
      : Answer(problem.json(requestID: requestID), "application/problem+json")
    answer.status = problem.status
    answer.headers = problem.headers
    return answer
  }
}
