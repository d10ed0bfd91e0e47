import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import PriceTag
import PriceTagCatalog
import PriceTagText

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
  let buffers: ByteBudget
  /// Which routes there are.
  var surface = RouteSurface.all

  init(
    _ source: ShopSource,
    _ configuration: ServiceConfiguration,
    _ current: CurrentShop,
    _ metrics: ServiceMetrics,
    exposition: @escaping @Sendable () -> String
  ) {
    (self.source, self.current, self.configuration) = (source, current, configuration)
    (self.metrics, self.exposition) = (metrics, exposition)
    buffers = ByteBudget(limit: configuration.bufferedBytes)
    formats = FormatRoutes(source, configuration, metrics, buffers)
    products = ProductRoutes(configuration: configuration, source: source, metrics: metrics)
    strings = StringRoutes(configuration: configuration, source: source)
    pages = PageRoutes(source: source, metrics: metrics)
    fitting = AnswerFitting(configuration)
  }

  func respond(to request: Request, context: ServiceContext) async throws -> Response {
    let asked = IncomingRequest(request.head, context.logger)
    let reservation = BufferReservation(buffers)
    var answer: Answer
    do {
      answer = try await self.answer(request, asked, reservation)
      if !answer.isStored, case .bytes(let buffer) = answer.contents,
        buffer.readableBytes > FittedAnswer.uncountedByteCount, !reservation.resize(to: buffer.readableBytes)
      {
        throw Problem.outOfBuffers
      }
    } catch let problem as Problem {
      answer = asked.answer(problem)
    } catch {
      // The connection's own failures are for who reads from it.
      if error is HTTPParserError || error is ChannelError || error is CancellationError { throw error }
      asked.logger.error("a request failed", metadata: ["error": "\(error)"])
      answer = asked.answer(.internal)
    }
    if case .bytes(let buffer) = answer.contents, buffer.readableBytes >= ContentCoding.longBytes,
      answer.gzipped == nil, ContentCoding.takesGzip(request.headers[.acceptEncoding])
    {
      answer.gzipped = try? await Workers.shared.run(configuration.work) { ContentCoding.gzip(buffer) }
    }
    return finish(answer, asked).response(holding: reservation)
  }

  /// What a connection answers by itself: what is short and waits for nothing.
  func immediateAnswers(_ logger: Logger) -> ImmediateAnswers {
    ImmediateAnswers(buffers: buffers) { head in
      switch head.method {
      case .post: head.path == Route.format.rawValue
      // With a body they are rare.
      case .get, .head:
        head.headerFields[.contentLength] == nil && head.headerFields[.transferEncoding] == nil
      default: false
      }
    } answer: { head, body in
      let asked = IncomingRequest(head, logger)
      let answer: Answer
      do throws(Problem) {
        switch try course(asked) {
        case .answer(let known): answer = known
        case .body(.format):
          guard let short = try formats.formatAtOnce(head.headerFields, body) else { return nil }
          answer = short
        case .body, .work, .kept: return nil
        }
      } catch { answer = asked.answer(error) }
      let fitted = finish(answer, asked)
      guard case .bytes(let contents) = fitted.contents else { return nil }
      return (fitted.head, contents)
    }
  }

  /// Fits an answer to its request, counts it, and tells of it.
  private func finish(_ answer: Answer, _ asked: IncomingRequest) -> FittedAnswer {
    let answer = answer.keepingQuery(asked.uri.query)
    let fitted = fitting.fitted(answer, to: asked.head, requestID: asked.requestID)
    let time = ContinuousClock.now - asked.start
    metrics.count(asked.match?.route, asked.head.method, fitted.head.status.code, time)
    if asked.logsLines {
      asked.logger.debug(
        "answered",
        metadata: [
          "method": "\(asked.head.method.rawValue)", "path": "\(asked.path)",
          "status": .stringConvertible(fitted.head.status.code),
          "milliseconds": .stringConvertible(
            time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
          ),
        ]
      )
    }
    return fitted
  }

  // MARK: Routes

  /// How a request comes to its answer.
  private enum Course {
    /// The answer is there.
    case answer(Answer)
    /// It takes a moment.
    case work(@Sendable () throws(Problem) -> Answer)
    /// It is made once for all who ask, and takes long.
    case kept(@Sendable () throws(Problem) -> Answer)
    /// It depends on the body.
    case body(Route)
  }

  private func answer(
    _ request: Request,
    _ asked: IncomingRequest,
    _ reservation: BufferReservation
  ) async throws -> Answer {
    switch try course(asked) {
    case .answer(let answer): return answer
    case .work(let make): return try make()
    case .kept(let make):
      do {
        return try await Workers.shared.run(configuration.work, make)
      } catch var problem as Problem where problem.status == .unprocessableContent {
        // The shop is too large for its limits, which is no fault of who asks.
        problem.status = .internalServerError
        asked.logger.error("an answer exceeds a limit", metadata: ["problem": "\(problem.detail)"])
        throw problem
      }
    case .body(.format): return try await formats.format(request, reservation)
    case .body(.batch): return try formats.batch(request)
    case .body(.messages): return try await strings.messages(request, reservation)
    case .body: return try await products.products(request, current.shop, reservation, asked.logger)
    }
  }

  private func course(_ asked: IncomingRequest) throws(Problem) -> Course {
    let (path, method) = (asked.path, asked.head.method)
    if method == .options, path == "*" { return .answer(options("GET, HEAD, POST, OPTIONS")) }
    // People add a slash.
    if path == "/docs/" { return .answer(.redirect(.permanentRedirect, to: "../docs")) }
    guard let (route, names) = asked.match, surface.has(route) else {
      throw Problem(
        .notFound,
        "not-found",
        "there is nothing at \(quoted(path))",
        fix: "see /docs for what there is"
      )
    }
    switch method {
    case route.method: break
    case .head where route.method == .get: break
    case .options: return .answer(options(route.allowed))
    default:
      var problem = Problem(
        .methodNotAllowed,
        "method-not-allowed",
        "\(quoted(method.rawValue)) is no method of \(route.rawValue)",
        fix: "use \(route.allowed)"
      )
      problem.headers[.allow] = route.allowed
      throw problem
    }
    let shop = current.shop
    let way = Substring(path)
    switch route {
    case .format, .batch, .products, .messages: return .body(route)
    case .productIdentifiers:
      return kept(shop, path, "identifiers") { () throws(Problem) in
        try products.identifiers(shop, asked.logger)
      }
    case .storefronts:
      let date = try date(asked)
      return kept(shop, "\(path)?\(date)", "storefronts.\(date)") { () throws(Problem) in
        try strings.storefronts(on: date)
      }
    case .storefront:
      let date = try date(asked)
      let id = percentDecoded(names[0]) ?? ""
      return kept(shop, "\(path)?\(date)", "storefront.\(date)") { () throws(Problem) in
        try strings.storefront(id, on: date)
      }
    case .languages: return kept(shop, path, "languages") { strings.languages() }
    case .strings:
      let tag = percentDecoded(names[0]) ?? ""
      return kept(shop, path, "strings") { () throws(Problem) in try strings.strings(in: tag) }
    case .root, .stores:
      return .work { () throws(Problem) in
        try pages.choose(asked.head.headerFields[.acceptLanguage], from: way)
      }
    case .store:
      return .work { () throws(Problem) in
        try pages.store(names[0], asked.head.headerFields[.acceptLanguage], from: way)
      }
    case .entryPage:
      let date = source.today
      return kept(shop, "\(path)?\(date)", "choose") { () throws(Problem) in
        try pages.entryPage(names[0], shop, from: way, on: date)
      }
    case .storePage, .productPage:
      let date = source.today
      return kept(shop, "\(path)?\(date)", Self.validator(names)) { () throws(Problem) in
        try pages.page(names, shop, from: way, on: date, asked.logger)
      }
    case .file: return kept(shop, path, "file") { () throws(Problem) in try pages.file(names[0], shop) }
    case .openAPI: return kept(shop, path, "openapi") { Answer(ByteBuffer(bytes: ServiceDocument.openAPI)) }
    case .documentation: return kept(shop, path, "docs") { ServiceDocument.page }
    case .health: return .answer(Answer(#"{"status":"ok"}"#))
    case .ready: return .answer(ready(shop))
    case .metrics:
      return .work {
        metrics.tell(shop)
        return Answer(exposition(), PrometheusMetrics.contentType)
      }
    }
  }

  private func options(_ allowed: String) -> Answer {
    var answer = Answer("", "")
    answer.status = .noContent
    answer.headers[.allow] = allowed
    return answer
  }

  private func date(_ asked: IncomingRequest) throws(Problem) -> CalendarDate {
    try RequestFields(query: asked.uri.parameters(), known: ["at"]).date("at") ?? source.today
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
    _ make: @escaping @Sendable () throws(Problem) -> Answer
  ) -> Course {
    if let known = shop.answers[key] { return .answer(known) }
    return .kept { () throws(Problem) in
      // Somebody who waited before may have asked for the same.
      if let known = shop.answers[key] { return known }
      var answer = try make()
      // A redirect is made faster than it is found.
      guard answer.status == .ok, case .bytes(let buffer) = answer.contents else { return answer }
      var fingerprint = Fingerprint()
      fingerprint.add(buffer.readableBytesView)
      answer.validator = "\(validator).\(fingerprint.text)"
      answer.caching = .revalidated
      if buffer.readableBytes >= ContentCoding.leastBytes, AnswerFitting.isText(answer.contentType) {
        answer.gzipped = ContentCoding.gzip(buffer)
      }
      // Work that was ended is not stored: it may lack its compressed form.
      if WorkBudget.current?.excess == nil { shop.answers.keep(&answer, for: key) }
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
}
