import HTTPTypes
import HummingbirdCore
import Logging

/// What is asked, and since when.
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

  /// Whether each request is told of.
  var logsLines: Bool { connectionLogger.logLevel <= .debug }

  var logger: Logger {
    var logger = connectionLogger
    // One name is enough.
    logger[metadataKey: "hb.request.id"] = nil
    logger[metadataKey: "requestId"] = "\(requestID)"
    if let trace = head.headerFields[.traceParent].flatMap(TraceParent.init) {
      logger[metadataKey: "traceId"] = "\(trace.traceID)"
    }
    return logger
  }

  func answer(_ problem: Problem) -> Answer {
    let isForPeople =
      (match?.route.isPage ?? false) && head.headerFields[.accept].map { $0.contains("text/html") } ?? false
    var answer =
      isForPeople
      ? Answer(ProblemPage(problem).html, Answer.html)
      : Answer(problem.json(requestID: requestID), "application/problem+json")
    answer.status = problem.status
    answer.headers = problem.headers
    // The page has neither scripts nor styles.
    if isForPeople { answer.headers[.contentSecurityPolicy] = "default-src 'none'; base-uri 'none'" }
    return answer
  }
}
