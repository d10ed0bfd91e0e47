import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import PriceTag
import PriceTagCatalog
import PriceTagReading
import PriceTagText

/// The request context: the connection's logger.
struct ServiceContext: InitializableFromSource {
  let logger: Logger

  init(source: ApplicationRequestContextSource) {
    logger = source.logger
  }
}

/// Answers the requests of all routes.
struct ServiceResponder: HTTPResponder {
  let source: CatalogSource
  let current: CurrentSnapshot
  let configuration: ServiceConfiguration
  let metrics: ServiceMetrics
  let formats: FormatRoutes
  let readings: ReadRoutes
  let products: ProductRoutes
  let strings: StringRoutes
  let receipts: ReceiptRoutes
  let pages: PageRoutes
  let finalizer: AnswerFinalizer
  let buffers: ByteBudget
  /// The routes that the port serves.
  var servedRoutes = Set(Route.allCases)

  init(
    _ source: CatalogSource,
    _ configuration: ServiceConfiguration,
    _ current: CurrentSnapshot,
    _ metrics: ServiceMetrics
  ) {
    (self.source, self.current, self.configuration) = (source, current, configuration)
    self.metrics = metrics
    buffers = ByteBudget(limit: configuration.bufferedBytes)
    formats = FormatRoutes(source, configuration, metrics, buffers)
    readings = ReadRoutes(
      configuration: configuration,
      source: source,
      metrics: metrics,
      all: PriceReaders(in: source.localeData)
    )
    products = ProductRoutes(configuration: configuration, source: source, metrics: metrics)
    strings = StringRoutes(configuration: configuration, source: source)
    receipts = ReceiptRoutes(configuration: configuration, source: source, metrics: metrics)
    pages = PageRoutes(source: source, metrics: metrics)
    finalizer = AnswerFinalizer(configuration)
  }

  func respond(to httpRequest: Request, context: ServiceContext) async throws -> Response {
    let request = IncomingRequest(httpRequest.head, source, context.logger)
    let reservation = BufferReservation(buffers)
    var answer: Answer
    do {
      answer = try await self.answer(httpRequest, request, reservation)
      guard reservation.resize(to: answer.isStored ? 0 : answer.contents.countedByteCount) else {
        throw Problem.outOfBuffers
      }
    } catch let problem as Problem {
      answer = await notFoundPage(problem, request) ?? request.answer(problem)
    } catch {
      // Hummingbird handles failures of the connection.
      if error is HTTPParserError || error is ChannelError || error is CancellationError { throw error }
      request.logger.error("request failed", metadata: ["error": "\(error)"])
      answer = request.answer(.internal)
    }
    if case .bytes(let buffer) = answer.contents, buffer.readableBytes >= ContentCoding.longByteCount,
      answer.gzipped == nil, ContentCoding.acceptsGzip(httpRequest.headers[.acceptEncoding])
    {
      answer.gzipped = try? await Workers.shared.run(.costly, configuration.work) {
        ContentCoding.gzip(buffer)
      }
    }
    let final = finish(answer, request)
    _ = reservation.resize(to: answer.isStored ? 0 : final.contents.countedByteCount)
    return final.response(holding: reservation)
  }

  /// The answers that a connection's own event loop gives: short ones that wait for nothing.
  func immediateAnswers(_ logger: Logger) -> ImmediateAnswers {
    ImmediateAnswers(buffers: buffers) { head in
      switch head.method {
      case .post: head.path == Route.format.rawValue
      // Leave the rare requests with a body to the application.
      case .get, .head:
        head.headerFields[.contentLength] == nil && head.headerFields[.transferEncoding] == nil
      default: false
      }
    } answer: { head, body in
      let request = IncomingRequest(head, source, logger)
      let answer: Answer
      do throws(Problem) {
        switch try plan(request) {
        case .answer(let available): answer = available
        case .body(.format):
          guard let short = try formats.formatImmediately(head.headerFields, body, on: request.day) else {
            return nil
          }
          answer = short
        case .body, .work, .cached: return nil
        }
      } catch {
        // The application renders the page for an address that does not exist.
        if hasNotFoundPage(error, request) { return nil }
        answer = request.answer(error)
      }
      return ShortResponse(finish(answer, request))
    }
  }

  /// Finalizes an answer for its request, counts it and logs it.
  private func finish(_ answer: Answer, _ request: IncomingRequest) -> FinalAnswer {
    let answer = answer.keepingQuery(request.uri.query)
    let final = finalizer.finalize(answer, for: request)
    let time = ContinuousClock.now - request.start
    metrics.count(request.match?.route, request.head.method, final.head.status.code, time)
    if request.logsDebug {
      request.logger.debug(
        "answered a request",
        metadata: [
          "method": "\(request.head.method.rawValue)", "path": "\(request.path)",
          "status": .stringConvertible(final.head.status.code),
          "milliseconds": .stringConvertible(
            time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
          ),
        ]
      )
    }
    return final
  }

  // MARK: Routing

  /// How the answer to a request is computed.
  private enum RoutePlan {
    /// The answer is available.
    case answer(Answer)
    /// A short computation.
    case work(@Sendable () throws(Problem) -> Answer)
    /// A long computation whose answer is then cached for all clients, by its key.
    case cached(AnswerCache, String, @Sendable () throws(Problem) -> Answer)
    /// A computation that needs the body of the request.
    case body(Route)
  }

  private func answer(
    _ httpRequest: Request,
    _ request: IncomingRequest,
    _ reservation: BufferReservation
  ) async throws -> Answer {
    switch try plan(request) {
    case .answer(let answer): return answer
    case .work(let compute): return try compute()
    case .cached(let cache, let key, let compute):
      do {
        let kind = request.match?.route.cost(productCount: current.snapshot.productCount) ?? .cheap
        return try await cache.shared(key) {
          try await Workers.shared.run(kind, configuration.work, memory: reservation, compute)
        }
      } catch var problem as Problem where problem.status == .unprocessableContent {
        // The catalog is too large for the service's limits, which is not the client's fault.
        problem.status = .internalServerError
        request.logger.error("a response exceeds a limit", metadata: ["problem": "\(problem.detail)"])
        throw problem
      }
    case .body(.batch): return try formats.batch(httpRequest, on: request.day, request.logger)
    case .body(let route):
      let snapshot = current.snapshot
      let body = try await httpRequest.json(maximumByteCount: configuration.limits.bodyBytes, reservation)
      let (kind, compute) = try work(route, body, snapshot, request)
      return try await Workers.shared.run(kind, configuration.work, memory: reservation, compute)
    }
  }

  /// Returns the computation of a route's answer to a body, and its cost.
  private func work(
    _ route: Route,
    _ body: ByteBuffer,
    _ snapshot: CatalogSnapshot,
    _ request: IncomingRequest
  ) throws(Problem) -> (Workers.Kind, @Sendable () throws(Problem) -> Answer) {
    let (byteCount, day) = (body.readableBytes, request.day)
    switch route {
    case .format:
      return (.init(byteCount: byteCount), { () throws(Problem) in try formats.format(body, on: day) })
    case .read:
      // Finding out which other currency a text names takes longer than formatting a price.
      return (.init(byteCount: byteCount * 8), { () throws(Problem) in try readings.read(body, on: day) })
    case .messages:
      return (.init(byteCount: byteCount), { () throws(Problem) in try strings.messages(body, on: day) })
    case .receipts:
      // A receipt takes as long as eight rows of the same size.
      let compute = { @Sendable () throws(Problem) in try receipts.receipts(body, snapshot, request.logger) }
      return (.init(byteCount: byteCount * 8), compute)
    default: return try products.products(body, snapshot, on: day, request.logger)
    }
  }

  /// Finds the route of a request and plans its answer.
  private func plan(_ request: IncomingRequest) throws(Problem) -> RoutePlan {
    let (path, method) = (request.path, request.head.method)
    if method == .options, path == "*" { return .answer(options("GET, HEAD, POST, OPTIONS")) }
    // People add a slash.
    if path == "/docs/" { return .answer(.redirect(.permanentRedirect, to: "../docs")) }
    guard let (route, names) = request.match, servedRoutes.contains(route) else {
      throw Problem.unknownPath(path)
    }
    if method == .options { return .answer(options(route.allowed)) }
    guard method == route.method || (method == .head && route.method == .get) else {
      throw Problem.methodNotAllowed(method, route)
    }
    return try plan(route, names, request, current.snapshot)
  }

  /// Plans the answer of a route. `names` are the variable parts of the path.
  private func plan(
    _ route: Route,
    _ names: [Substring],
    _ request: IncomingRequest,
    _ snapshot: CatalogSnapshot
  ) throws(Problem) -> RoutePlan {
    let path = request.path
    switch route {
    case .format, .batch, .read, .products, .messages, .receipts: return .body(route)
    case .productIdentifiers:
      return cachedAnswer(snapshot, path, "identifiers") { () throws(Problem) in
        try products.identifiers(snapshot, request.logger)
      }
    case .storefronts, .storefront: return try storefrontPlan(names.first, request, snapshot)
    case .languages: return cachedAnswer(snapshot, path, "languages") { strings.languages() }
    case .strings:
      let tag = percentDecoded(names[0]) ?? ""
      return cachedAnswer(snapshot, path, "strings") { () throws(Problem) in try strings.strings(in: tag) }
    case .root, .stores, .store: return redirectPlan(names.first, request)
    case .entryPage, .productEntry, .storePage, .productPage, .allProducts, .allProductsPage, .category,
      .categoryPage, .searchIndex:
      return try pagePlan(route, names, request, snapshot)
    case .file:
      return cachedAnswer(snapshot, path, "file") { () throws(Problem) in
        try pages.file(names[0], snapshot, on: request.day)
      }
    case .openAPI:
      return cachedAnswer(snapshot, path, "openapi") { Answer(ByteBuffer(bytes: ServiceDocument.openAPI)) }
    case .documentation: return cachedAnswer(snapshot, path, "docs") { ServiceDocument.page }
    case .health: return .answer(Answer(#"{"status":"ok"}"#))
    case .ready: return .answer(ready(snapshot))
    case .metrics:
      return .work {
        metrics.record(snapshot)
        return Answer(metrics.text, PrometheusText.contentType)
      }
    }
  }

  /// All storefronts, or the one that the path names, on the requested date.
  private func storefrontPlan(
    _ name: Substring?,
    _ request: IncomingRequest,
    _ snapshot: CatalogSnapshot
  ) throws(Problem) -> RoutePlan {
    let fields = try RequestFields(query: request.uri.parameters(), known: ["at", "evidence"])
    let (requested, evidence) = (try fields.day("at"), try fields.flag("evidence", default: false))
    let day = requested ?? request.day
    // An answer to a request with a day is right at any time.
    let suffix = (evidence ? ".evidence" : "") + (requested == nil ? "" : ".at")
    guard let name else {
      let keyDay = requested ?? day.startOfQuarterHour
      return cachedAnswer(
        snapshot,
        "\(request.path)?\(keyDay)\(suffix)",
        "storefronts.\(keyDay)",
        until: requested == nil ? request.validUntil(in: source.localeData.storefronts) : nil
      ) { () throws(Problem) in try strings.storefronts(on: day, evidence: evidence) }
    }
    let storefront: Storefront
    do throws(PriceTagError) {
      storefront = try Storefront(percentDecoded(name) ?? "", in: source.localeData)
    } catch { throw Problem(inAddress: error) }
    let date: CalendarDate
    do throws(PriceTagError) { date = try storefront.currencyDate(on: day) } catch {
      throw Problem(error, .internalServerError)
    }
    return cachedAnswer(
      snapshot,
      "\(request.path)?\(date)\(suffix)",
      "storefront.\(date)",
      until: requested == nil ? request.validUntil(in: [storefront]) : nil
    ) { () throws(Problem) in try strings.storefront(storefront, on: .date(date), evidence: evidence) }
  }

  /// Returns the date in a storefront, for the key of an answer.
  private func date(in storefront: Storefront, on day: StoreDay) throws(Problem) -> CalendarDate {
    do throws(PriceTagError) { return try day.date(in: storefront) } catch {
      throw Problem(error, .internalServerError)
    }
  }

  /// A redirect in the client's language: to the page to choose a store, or to the store that the path names.
  private func redirectPlan(_ name: Substring?, _ request: IncomingRequest) -> RoutePlan {
    let (path, languages) = (Substring(request.path), request.head.headerFields[.acceptLanguage])
    return .work { () throws(Problem) in
      guard let name else { return try pages.choose(languages, from: path) }
      return try pages.store(name, languages, from: path)
    }
  }

  /// A page, which is cached for the dates of its storefronts.
  private func pagePlan(
    _ route: Route,
    _ names: [Substring],
    _ request: IncomingRequest,
    _ snapshot: CatalogSnapshot
  ) throws(Problem) -> RoutePlan {
    let page = pageRequest(request, snapshot)
    if route == .entryPage || route == .productEntry {
      return cachedAnswer(
        snapshot,
        "\(page.path)?\(page.day.startOfQuarterHour)",
        "choose",
        until: request.validUntil(in: source.storefronts)
      ) { () throws(Problem) in
        route == .entryPage ? try pages.entryPage(names[0], page) : try pages.productEntry(names[0], page)
      }
    }
    var likely: Storefront?
    if route == .storePage || route == .productPage {
      likely = pages.likelyStore(request.head.headerFields[.acceptLanguage], onPageOf: names[0])
      // A store without a date is not offered.
      if let store = likely, (try? page.day.date(in: store)) == nil { likely = nil }
    }
    let storefronts = [try pages.storefront(names[0])] + [likely].compactMap(\.self)
    var key = String(page.path)
    for storefront in storefronts { key += "?\(storefront.id) \(try date(in: storefront, on: page.day))" }
    let offered = likely
    return cachedAnswer(
      snapshot,
      key,
      Self.validatorPrefix(names),
      until: request.validUntil(in: storefronts)
    ) { () throws(Problem) in
      switch route {
      case .storePage, .productPage: return try pages.page(names, page, offering: offered)
      case .searchIndex: return try pages.searchIndex(names, page)
      default:
        // A list: the storefront, the language, the category of `.category`, and the number of a page after the first.
        let category = route == .category || route == .categoryPage ? names[2] : nil
        let others = category == nil ? names : Array(names[..<2] + names[3...])
        return try pages.list(others, category: category, page)
      }
    }
  }

  private func pageRequest(_ request: IncomingRequest, _ snapshot: CatalogSnapshot) -> PageRequest {
    PageRequest(
      path: Substring(request.path),
      snapshot: snapshot,
      day: request.day,
      logger: request.logger
    )
  }

  /// Returns whether the answer to a problem is the page for an address that does not exist: a browser requested a page or a
  /// file that is not there.
  private func hasNotFoundPage(_ problem: Problem, _ request: IncomingRequest) -> Bool {
    problem.status == .notFound && request.wantsPage && servedRoutes.contains(.root)
      && PageRoutes.depth(of: request.path) <= PageRoutes.maximumNotFoundDepth
  }

  /// Returns the page for an address that does not exist; `nil` for other problems, and for clients other than browsers.
  private func notFoundPage(_ problem: Problem, _ request: IncomingRequest) async -> Answer? {
    guard hasNotFoundPage(problem, request) else { return nil }
    let page = pageRequest(request, current.snapshot)
    let languages = request.head.headerFields[.acceptLanguage]
    return try? await Workers.shared.run(.cheap, configuration.work) { () throws(Problem) in
      try pages.notFound(page, languages)
    }
  }

  private func options(_ allowed: String) -> Answer {
    var answer = Answer("", "")
    answer.status = .noContent
    answer.headers[.allow] = allowed
    return answer
  }

  // MARK: Caching

  /// The storefront and language of a page, for its validator: pages of different stores never share one.
  private static func validatorPrefix(_ names: [Substring]) -> String {
    let name = names.prefix(2).joined(separator: ".").lowercased()
    return String(
      name.unicodeScalars.filter {
        $0.isASCII && ($0.properties.isAlphabetic || ".-0123456789".unicodeScalars.contains($0))
      }
    )
  }

  /// Plans an answer that depends only on the catalog and the key. It is computed once and gets a strong validator, a
  /// hash of its bytes.
  ///
  /// - Parameter validUntil: The instant until which an answer that depends on the date is right.
  private func cachedAnswer(
    _ snapshot: CatalogSnapshot,
    _ key: String,
    _ validatorPrefix: String,
    until validUntil: @autoclosure @escaping @Sendable () -> Instant? = nil,
    _ compute: @escaping @Sendable () throws(Problem) -> Answer
  ) -> RoutePlan {
    let cache = key.hasPrefix("/v1/") ? snapshot.answersOfAPI : snapshot.answers
    if let stored = cache[key] { return .answer(stored) }
    return .cached(cache, key) { () throws(Problem) in
      // Another request may have stored the answer while this one waited.
      if let stored = cache[key] { return stored }
      var answer = try compute()
      // Computing a redirect is faster than looking it up.
      guard answer.status == .ok, case .bytes(let buffer) = answer.contents else { return answer }
      var fingerprint = Fingerprint()
      fingerprint.add(buffer.readableBytesView)
      answer.validator = "\(validatorPrefix).\(fingerprint.text)"
      (answer.isCacheable, answer.validUntil) = (true, validUntil())
      if buffer.readableBytes >= ContentCoding.minimumByteCount, AnswerFinalizer.isText(answer.contentType) {
        answer.gzipped = ContentCoding.gzip(buffer)
      }
      // Do not store an answer whose work was cut short: its compressed form may be missing.
      if WorkBudget.current?.excess == nil { cache.store(&answer, for: key) }
      return answer
    }
  }

  // MARK: Readiness

  private func ready(_ snapshot: CatalogSnapshot) -> Answer {
    let now = HTTPDate.now.seconds
    let failure = current.failure
    let isStopping = current.isStopping
    let catalog = jsonObject([
      ("products", String(snapshot.productCount)), ("rejected", String(snapshot.rejectCount)),
      ("revision", String(snapshot.revision)),
      ("modifiedAt", json(HTTPDate(seconds: snapshot.modified).iso8601)),
      ("loadedAt", json(HTTPDate(seconds: snapshot.loaded).iso8601)),
      ("ageSeconds", String(max(0, now - snapshot.loaded))),
    ])
    let reload = failure.map { failure in
      jsonObject([
        ("failedAt", json(HTTPDate(seconds: failure.time).iso8601)),
        ("error", json(failure.error.description)),
      ])
    }
    let status = json(isStopping ? "stopping" : "ready")
    var answer = Answer(
      jsonObject([("status", status), ("catalog", catalog), ("reload", reload ?? "null")])
    )
    if isStopping { answer.status = .serviceUnavailable }
    return answer
  }
}

extension Problem {
  static func unknownPath(_ path: some StringProtocol) -> Problem {
    Problem(.notFound, "not-found", "unknown path \(quoted(path))", fix: "see /docs for the routes")
  }

  fileprivate static func methodNotAllowed(_ method: HTTPRequest.Method, _ route: Route) -> Problem {
    var problem = Problem(
      .methodNotAllowed,
      "method-not-allowed",
      "\(route.rawValue) does not support the method \(quoted(method.rawValue))",
      fix: "use \(route.allowed)"
    )
    problem.headers[.allow] = route.allowed
    return problem
  }
}
