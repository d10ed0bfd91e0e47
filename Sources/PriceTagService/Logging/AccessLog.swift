import HTTPTypes
import Logging
import NIOCore
import PriceTagHTTPGuard
import PriceTagSystem
import PriceTagText

/// The format of the access log.
public enum AccessLogFormat: String, CaseIterable, Sendable {
  /// A JSON object per request, in the format of `--log-format json`.
  case json
  /// The Combined Log Format of web servers, followed by the milliseconds, the request identifier and the trace
  /// identifier.
  case common
}

/// Writes a line for each request, at the level info.
///
///     {"time":"2026-11-22T08:00:00.123Z","level":"info","label":"pricetag.access","message":"request","bytes":15,
///      "client":"192.0.2.1","method":"GET","milliseconds":0.214,"path":"/health",…,"status":200}
///     192.0.2.1 - - [22/Nov/2026:08:00:00 +0000] "GET /health HTTP/1.1" 200 15 "-" "curl/8.7" 0.214 4f1d… -
///
/// Control characters from clients are escaped, so no request can forge a line. Requests that the guard refuses are
/// logged too. Requests on an admin port, which are probes and scrapes, are not.
struct AccessLog: Sendable {
  /// A request and its response.
  struct Exchange: Sendable {
    var client: ClientAddress?
    var method: String?
    /// The request target, with its query.
    var target: String?
    var userAgent: String?
    var referer: String?
    var trace: TraceParent?
    var requestID: String?
    var isHTTP10 = false
    /// The status; 499, as in nginx, if the client closes the connection before the response begins.
    var status = 499
    /// The size of the response's body.
    var byteCount = 0
    var start: NIODeadline

    init(client: ClientAddress?, at start: NIODeadline) {
      (self.client, self.start) = (client, start)
    }

    init(_ head: HTTPRequest, client: ClientAddress?, at start: NIODeadline) {
      self.init(client: client, at: start)
      (method, target) = (head.method.rawValue, head.path)
      (userAgent, referer) = (head.headerFields[.userAgent], head.headerFields[.referer])
      trace = head.headerFields[.traceParent].flatMap(TraceParent.init)
    }

    /// Creates the exchange of a request that the guard refused.
    init(_ refused: RefusedExchange, client: ClientAddress?) {
      self.init(client: client, at: refused.start)
      (method, target) = (refused.method, refused.path)
      record(refused)
    }

    /// Records the guard's response.
    mutating func record(_ refused: RefusedExchange) {
      (status, byteCount) = (refused.refusal.status, refused.byteCount)
      requestID = refused.requestID
    }

    /// Records the head of the response.
    mutating func record(_ head: HTTPResponse) {
      status = head.status.code
      requestID = head.headerFields[.requestID]
    }
  }

  private static let label = "pricetag.access"
  private static let level = Logger.Level.info

  let format: AccessLogFormat
  /// Returns the present time.
  var clock: @Sendable () -> LogTime = LogTime.now
  /// Writes a line.
  let sink: @Sendable ([UInt8]) -> Void

  /// Writes the line of a completed request.
  func write(_ exchange: Exchange, at now: NIODeadline) {
    let microseconds = max(0, (now - exchange.start).nanoseconds / 1_000)
    switch format {
    case .json: sink(record(exchange, milliseconds: Double(microseconds) / 1_000).line(.json))
    case .common: sink(line(exchange, microseconds: microseconds))
    }
  }

  private func record(_ exchange: Exchange, milliseconds: Double) -> LogRecord {
    var metadata: Logger.Metadata = [
      "status": .stringConvertible(exchange.status), "bytes": .stringConvertible(exchange.byteCount),
      "milliseconds": .stringConvertible(milliseconds),
    ]
    metadata["client"] = exchange.client.map { "\($0)" }
    metadata["method"] = exchange.method.map { "\($0)" }
    metadata["path"] = exchange.target.map { "\($0)" }
    metadata["userAgent"] = exchange.userAgent.map { "\($0)" }
    metadata["requestId"] = exchange.requestID.map { "\($0)" }
    metadata["traceId"] = exchange.trace.map { "\($0.traceID)" }
    metadata["spanId"] = exchange.trace.map { "\($0.parentID)" }
    return LogRecord(
      time: clock(),
      level: Self.level,
      label: Self.label,
      message: "request",
      metadata: metadata
    )
  }

  private func line(_ exchange: Exchange, microseconds: Int64) -> [UInt8] {
    var line = LogLine()
    line.append("\(exchange.client?.description ?? "-") - - [\(clock().commonLogText)] ")
    let version = exchange.isHTTP10 ? "HTTP/1.0" : "HTTP/1.1"
    line.append(exchange.method.map { "\($0) \(exchange.target ?? "-") \(version)" } ?? "-", as: .quotedText)
    line.append(" \(exchange.status) \(exchange.byteCount) ")
    line.append(exchange.referer ?? "-", as: .quotedText)
    line.append(" ")
    line.append(exchange.userAgent ?? "-", as: .quotedText)
    let thousandths = microseconds % 1_000
    let padding = String(repeating: "0", count: thousandths < 10 ? 2 : thousandths < 100 ? 1 : 0)
    line.append(" \(microseconds / 1_000).\(padding)\(thousandths)")
    // An identifier from a client needs no escaping: it has only letters, digits and `-._`.
    line.append(" \(exchange.requestID ?? "-") \(exchange.trace?.traceID ?? "-")\n")
    return line.bytes
  }
}

extension AccessLog {
  /// Creates the access log of a service; `nil` if the logger's level is higher than info.
  init?(_ format: AccessLogFormat, _ logger: Logger) {
    guard logger.logLevel <= Self.level else { return nil }
    self.init(format: format, sink: LogSink.of(STDERR_FILENO, format == .json ? .json : .text).write)
  }
}
