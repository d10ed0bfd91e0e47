import HTTPTypes
import HummingbirdCore
import Logging

/// The head of a request with its route, identifier and start time.
struct IncomingRequest: Sendable {
  let start = ContinuousClock.now
  let head: HTTPRequest
  let requestID: String
  let uri: URI
  let path: String
  let match: (route: Route, names: [Substring])?
  private let connectionLogger: Logger

  init(_ head: HTTPRequest, _ logger: Logger) {
    (self.head, connectionLogger) = (head, logger)
    requestID = RequestIdentifier.of(head.headerFields[.requestID])
    uri = URI(head.path ?? "")
    path = uri.path
    match = Route.match(path)
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
