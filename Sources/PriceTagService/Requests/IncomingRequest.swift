import HTTPTypes
import HummingbirdCore
import Logging
import PriceTag

/// The head of a request with its route, identifier, start time and day.
struct IncomingRequest: Sendable {
  let start = ContinuousClock.now
  let head: HTTPRequest
  let requestID: String
  let uri: URI
  let path: String
  let match: (route: Route, names: [Substring])?
  /// The instant of the request, for which the clock is read once.
  let instant: Instant
  /// The day of the source.
  private let fixedDay: StoreDay?
  private let connectionLogger: Logger

  init(_ head: HTTPRequest, _ source: CatalogSource, _ logger: Logger) {
    (self.head, connectionLogger) = (head, logger)
    (instant, fixedDay) = (source.clock(), source.day)
    requestID = RequestIdentifier.of(head.headerFields[.requestID])
    uri = URI(head.path ?? "")
    path = uri.path
    match = Route.match(path)
  }

  /// The day that determines prices and currencies, unless a parameter or the body has one.
  var day: StoreDay { fixedDay ?? .instant(instant) }

  /// Returns the next midnight in storefronts, until which an answer for the request's day is right; `nil` if the day is that of
  /// the source, which does not end.
  func validUntil(in storefronts: [Storefront]) -> Instant? {
    guard fixedDay == nil else { return nil }
    // An answer does not depend on the date in a storefront without a time zone, or is an error.
    return storefronts.lazy.compactMap { try? $0.day(at: instant).end }.min()
      .flatMap { try? Instant(secondsSince1970: $0) }
  }

  /// Whether each request is logged, at the level debug.
  var logsDebug: Bool { connectionLogger.logLevel <= .debug }

  /// A logger with the request's identifier and trace.
  var logger: Logger {
    var logger = connectionLogger
    // `requestId` replaces Hummingbird's identifier.
    logger[metadataKey: "hb.request.id"] = nil
    logger[metadataKey: "requestId"] = "\(requestID)"
    if let trace = head.headerFields[.traceParent].flatMap(TraceParent.init) {
      logger[metadataKey: "traceId"] = "\(trace.traceID)"
    }
    return logger
  }

  private var acceptsHTML: Bool { head.headerFields[.accept]?.contains("text/html") == true }

  /// Whether a browser requests a page, or a file as if it were one.
  var wantsPage: Bool {
    guard head.method == .get || head.method == .head, let route = match?.route else { return false }
    return (route.isPage || route == .file) && acceptsHTML
  }

  /// Returns the answer for a problem: an HTML page if a browser requested a page, otherwise problem details.
  func answer(_ problem: Problem) -> Answer {
    let isForBrowser = match?.route.isPage == true && acceptsHTML
    var answer =
      isForBrowser
      ? Answer.page(problem.html)
      : Answer(problem.json(requestID: requestID), "application/problem+json")
    answer.status = problem.status
    answer.headers.append(contentsOf: problem.headers)
    return answer
  }
}
