import Logging
import PriceTag
import PriceTagHTTPGuard
import PriceTagText

/// The limits of a connection: sizes, times and rates.
public typealias ConnectionLimits = PriceTagHTTPGuard.ConnectionLimits

/// The configuration of a service: its addresses, limits, timeouts and access log.
///
///     var configuration = ServiceConfiguration()
///     configuration.host = "0.0.0.0"
///     configuration.limits.bodyBytes = 2 << 20
public struct ServiceConfiguration: Sendable {
  /// The address to listen on. The default is only reachable from this machine, for a service behind a proxy.
  public var host = "127.0.0.1"
  /// The port to listen on; 0 for any free port.
  public var port = ServiceSetting.port.defaultNumber
  /// The port that serves `/metrics`, `/ready` and `/health` instead of ``port``, without TLS; 0 for any free port. If
  /// `nil`, ``port`` serves them.
  public var adminPort: Int?
  /// The address that the admin port listens on.
  public var adminHost = "127.0.0.1"
  /// The PEM files of the certificate chain and its private key, which `ServerCertificate` of `PriceTagServiceTLS` reads;
  /// `nil` for HTTP without TLS.
  public var tls: (certificate: String, key: String)?
  /// The limits of a connection.
  public var limits = ConnectionLimits()
  /// The maximum number of open connections. Beyond it, the one that has been idle longest is closed for a new one.
  public var connections = ServiceSetting.maxConnections.defaultNumber
  /// The maximum number of open connections of a client, which is an IPv4 address or an IPv6 /64 network; 0 for no
  /// limit. The limit does not apply to trusted proxies.
  public var connectionsPerClient = ServiceSetting.maxConnectionsPerClient.defaultNumber
  /// The maximum number of requests of a client per second; 0 for no limit.
  public var requestsPerSecondPerClient = ServiceSetting.requestsPerSecondPerClient.defaultNumber
  /// The proxies whose `X-Forwarded-For` names the client.
  public var trustedProxies: [AddressRange] = []
  /// Whether a loopback address is a client that shares work and memory with others, as other addresses are. By default
  /// each connection from a loopback address is a client, because it may be from a proxy.
  public var limitsLoopback = false
  /// The format of the access log, which is written to standard error; `nil` for none.
  public var accessLog: AccessLogFormat?
  /// The maximum number of rows, messages or product identifiers in a request.
  public var itemsPerRequest = ServiceSetting.maxItems.defaultNumber
  /// The maximum size in bytes of a response that is not streamed.
  public var answerBytes = ServiceSetting.maxAnswerBytes.defaultNumber
  /// The maximum CPU time in seconds for a response that is not streamed.
  public var answerCPUSeconds = ServiceSetting.maxCpuSeconds.defaultNumber
  /// The maximum number of bytes of request bodies and responses in memory, for all requests together.
  public var bufferedBytes = ServiceSetting.maxBufferedBytes.defaultNumber
  /// The seconds from the signal to stop, when `/ready` starts to fail, until the service stops accepting connections.
  /// They should be long enough for a load balancer to notice.
  public var drainSeconds = ServiceSetting.drainSeconds.defaultNumber
  /// The seconds that requests may take after that.
  public var stopSeconds = ServiceSetting.stopSeconds.defaultNumber
  /// The seconds for which HTTP caches may use a response without revalidation; 0 to always revalidate.
  public var maxAgeSeconds = ServiceSetting.maxAge.defaultNumber
  /// The seconds between checks of the catalog file; 0 for no checks.
  public var checkSeconds = ServiceSetting.checkSeconds.defaultNumber
  /// The seconds for which the catalog file must stay unchanged before it is read. A file that changed more recently
  /// may be incomplete.
  public var settleSeconds = ServiceSetting.settleSeconds.defaultNumber
  /// Whether to serve a new catalog that has less than half of the products of the previous one.
  public var allowsShrinking = false
  /// The origins whose scripts may read responses (CORS), such as `https://shop.example`; `*` for all.
  public var allowedOrigins: [String] = []

  /// The maximum time for formatting rows on a connection's event loop. Rows that need many different formatters may
  /// take longer; the workers then format them.
  var immediateAnswerTime = Duration.milliseconds(2)

  /// The time for which `/v1/batch` waits for a client that does not read, if there is no space for its rows.
  var spoolPatience = Duration.seconds(10)

  /// The maximum size in bytes of a body of `/v1/batch`.
  var batchBytes: Int { limits.largerBodies[Route.batch.rawValue] ?? limits.bodyBytes }

  /// The limits of the job that computes an answer.
  var work: Workers.Limits { Workers.Limits(byteCount: answerBytes, cpuSeconds: answerCPUSeconds) }

  /// Creates the default configuration, which listens on `127.0.0.1:8080`.
  public init() {}

  /// Creates a configuration from settings.
  ///
  /// - Parameter settings: The settings. Those that are not set have their defaults.
  /// - Throws: `.invalidSetting`.
  public init(_ settings: ServiceSettings) throws(ServiceError) {
    host = try settings.text(.host).map(Self.withoutBrackets) ?? host
    port = try settings.number(.port)
    adminHost = try settings.text(.adminHost).map(Self.withoutBrackets) ?? adminHost
    adminPort = try settings.numberIfSet(.adminPort)
    connectionsPerClient = try settings.number(.maxConnectionsPerClient)
    requestsPerSecondPerClient = try settings.number(.requestsPerSecondPerClient)
    limitsLoopback = try settings.flag(.limitLoopback)
    settleSeconds = try settings.number(.settleSeconds)
    allowsShrinking = try settings.flag(.allowShrink)
    for text in try settings.list(.trustedProxies) {
      do throws(ServiceError) { trustedProxies.append(try AddressRange(text)) } catch {
        throw settings.invalid(.trustedProxies, error.problem, fix: error.fix)
      }
    }
    if let format = try settings.text(.accessLog) {
      guard let accessLogFormat = AccessLogFormat(rawValue: format) else {
        throw settings.invalid(
          .accessLog,
          "unknown access log format \(quoted(format))",
          fix: "use json or common"
        )
      }
      accessLog = accessLogFormat
    }
    switch (try settings.text(.tlsCertificate), try settings.text(.tlsKey)) {
    case (let certificate?, let key?): tls = (certificate, key)
    case (nil, nil): break
    case (_?, nil):
      throw settings.invalid(
        .tlsCertificate,
        "the certificate has no key",
        fix: "set the private key too (\(ServiceSetting.tlsKey.flag))"
      )
    case (nil, _?):
      throw settings.invalid(
        .tlsKey,
        "the key has no certificate",
        fix: "set the certificate too (\(ServiceSetting.tlsCertificate.flag))"
      )
    }
    limits.headSeconds = try settings.number(.headSeconds)
    limits.idleSeconds = try settings.number(.idleSeconds)
    limits.writeStallSeconds = try settings.number(.writeSeconds)
    limits.headBytes = try settings.number(.maxHeadBytes)
    limits.targetBytes = try settings.number(.maxUrlBytes)
    limits.bodyBytes = try settings.number(.maxBodyBytes)
    limits.largerBodies = [Route.batch.rawValue: try settings.number(.maxBatchBytes)]
    limits.minimumBodyBytesPerSecond = try settings.number(.minBodyRate)
    connections = try settings.number(.maxConnections)
    itemsPerRequest = try settings.number(.maxItems)
    answerBytes = try settings.number(.maxAnswerBytes)
    answerCPUSeconds = try settings.number(.maxCpuSeconds)
    bufferedBytes = try settings.number(.maxBufferedBytes)
    drainSeconds = try settings.number(.drainSeconds)
    stopSeconds = try settings.number(.stopSeconds)
    maxAgeSeconds = try settings.number(.maxAge)
    checkSeconds = try settings.number(.checkSeconds)
    allowedOrigins = try settings.list(.corsOrigins)
    for origin in allowedOrigins where origin != "*" && !Self.isOrigin(origin) {
      throw settings.invalid(
        .corsOrigins,
        "\(quoted(origin)) is not an origin",
        fix: "use an origin such as https://shop.example, without a path, or *"
      )
    }
  }

  /// Returns a host, which may be an IPv6 address in brackets, as in a URL.
  private static func withoutBrackets(_ host: String) -> String {
    host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  private static func isOrigin(_ text: String) -> Bool {
    let host =
      text.hasPrefix("https://") ? text.dropFirst(8) : text.hasPrefix("http://") ? text.dropFirst(7) : ""
    return !host.isEmpty
      && host.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || [0x2D, 0x2E, 0x3A, 0x5B, 0x5D].contains(byte)
      }
  }
}
