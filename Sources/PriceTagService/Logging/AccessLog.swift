import HTTPTypes
import Logging
import NIOCore
import PriceTagHTTPGuard
import PriceTagText

/// How the lines of the access log are written.
public enum AccessLogFormat: String, CaseIterable, Sendable {
  /// An object for each request, as `--log-format json` writes records.
  case json
  /// The Combined Log Format of web servers, with the milliseconds, the request's identifier and its trace behind it.
  case common
}

/// One line for each request, at the level info.
///
///     {"time":"2026-11-22T08:00:00.123Z","level":"info","label":"pricetag.access","message":"request","bytes":15,
///      "client":"192.0.2.1","method":"GET","milliseconds":0.214,"path":"/health",…,"status":200}
///     192.0.2.1 - - [22/Nov/2026:08:00:00 +0000] "GET /health HTTP/1.1" 200 15 "-" "curl/8.7" 0.214 4f1d… -
///
/// Control characters of a client are written as escapes, so no request can forge a line. Requests that the guard refuses
/// have a line too; those on an admin port, which are probes and scrapes, have none.
struct AccessLog: Sendable {
  /// A request and what was answered.
  struct Exchange: Sendable {
    var client: ClientAddress?
    var method: String?
    /// The address as it was requested, with its query.
    var target: String?
    var userAgent: String?
    var referer: String?
    var trace: TraceParent?
    var requestID: String?
    var isHTTP10 = false
    /// 499, as nginx has it, where the client closes before an answer begins.
    var status = 499
    /// The bytes of the answer's body.
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

    /// A request that was refused before it was whole.
    init(_ refused: RefusedExchange, client: ClientAddress?) {
      self.init(client: client, at: refused.start)
      (method, target) = (refused.method, refused.path)
      note(refused)
    }

    /// Notes that the request was refused.
    mutating func note(_ refused: RefusedExchange) {
      (status, byteCount) = (refused.refusal.status, refused.byteCount)
      requestID = refused.requestID
    }

    /// Notes the head of the answer.
    mutating func note(_ head: HTTPResponse) {
      status = head.status.code
      requestID = head.headerFields[.requestID]
    }
  }

  private static let label = "pricetag.access"
  private static let level = Logger.Level.info

  private let format: AccessLogFormat
  private let clock: @Sendable () -> LogTime
  private let sink: @Sendable ([UInt8]) -> Void

  /// The log of a service; `nil` where a logger writes no records of the level info.
  init?(_ format: AccessLogFormat, _ logger: Logger) {
    guard logger.logLevel <= Self.level else { return nil }
    self.init(format, clock: LogTime.now, sink: LogSink(descriptor: STDERR_FILENO).write)
  }

  init(
    _ format: AccessLogFormat,
    clock: @escaping @Sendable () -> LogTime,
    sink: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.format, self.clock, self.sink) = (format, clock, sink)
  }

  /// Writes the line of a request that has ended.
  func write(_ exchange: Exchange, at now: NIODeadline) {
    let microseconds = max(0, (now - exchange.start).nanoseconds / 1_000)
    switch format {
    case .json: sink(record(exchange, milliseconds: Double(microseconds) / 1_000).json)
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
    append(exchange.method.map { "\($0) \(exchange.target ?? "-") \(version)" } ?? "-", to: &line)
    line.append(" \(exchange.status) \(exchange.byteCount) ")
    append(exchange.referer ?? "-", to: &line)
    line.append(" ")
    append(exchange.userAgent ?? "-", to: &line)
    let thousandths = microseconds % 1_000
    let padding = String(repeating: "0", count: thousandths < 10 ? 2 : thousandths < 100 ? 1 : 0)
    line.append(" \(microseconds / 1_000).\(padding)\(thousandths)")
    // A client may name its request, within a plain alphabet.
    line.append(" \(exchange.requestID ?? "-") \(exchange.trace?.traceID ?? "-")\n")
    return line.bytes
  }

  private func append(_ text: String, to line: inout LogLine) {
    var left = LogLine.longestValue
    line.append(text, as: .quotedText, left: &left)
  }
}

extension LogTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// As the Common Log Format has it: `22/Nov/2026:08:00:00 +0000`.
  var commonLogText: String {
    // Made of 2026-11-22T08:00:00.123Z.
    let parts = text.prefix { $0 != "." }.split(whereSeparator: { $0 == "-" || $0 == "T" })
    guard parts.count == 4, let month = Int(parts[1]), Self.months.indices.contains(month - 1) else {
      return text
    }
    return "\(parts[2])/\(Self.months[month - 1])/\(parts[0]):\(parts[3]) +0000"
  }
}
