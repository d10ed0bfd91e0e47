import Logging
import PriceTag
import PriceTagHTTPGuard
import PriceTagText

/// What one connection may cost the service: its sizes, times and rates.
public typealias ConnectionLimits = PriceTagHTTPGuard.ConnectionLimits

/// How a service listens, what it allows, and what it tells.
///
///     var configuration = ServiceConfiguration()
///     configuration.host = "0.0.0.0"
///     configuration.limits.bodyBytes = 2 << 20
public struct ServiceConfiguration: Sendable {
  /// The address to listen at: only this machine's own, for a proxy stands before it.
  public var host = "127.0.0.1"
  /// The port to listen at; 0 for any that is free.
  public var port = 8080
  /// The port that `/metrics`, `/ready` and `/health` move to, without TLS; 0 for any that is free. `nil` leaves them on
  /// ``port``.
  public var adminPort: Int?
  /// The address that the admin port listens at.
  public var adminHost = "127.0.0.1"
  /// The certificate chain and the private key, both PEM files; `nil` for HTTP without TLS.
  public var tls: (certificate: String, key: String)?
  /// What a connection may do.
  public var limits = ConnectionLimits()
  /// The most connections at a time; further ones wait to be accepted.
  public var connections = 10_000
  /// The most connections of a client at a time, which is an IPv4 address or an IPv6 network of 64 bits; 0 for no limit.
  /// A trusted proxy has none.
  public var connectionsPerClient = 0
  /// The most requests of a client in a second; 0 for no limit.
  public var requestsPerSecondPerClient = 0
  /// The proxies whose `X-Forwarded-For` names the client.
  public var trustedProxies: [AddressRange] = []
  /// How one line for each request is written to standard error; `nil` for none.
  public var accessLog: AccessLogFormat?
  /// The most rows, messages or identifiers of one request.
  public var itemsPerRequest = 10_000
  /// The most bytes of an answer that is not streamed.
  public var answerBytes = 16 << 20
  /// The most seconds of CPU time that such an answer takes.
  public var answerCPUSeconds = 10
  /// The most bytes of request bodies, and of answers to them, that all requests hold at a time.
  public var bufferedBytes = 256 << 20
  /// The seconds that `/ready` says that the service stops before it takes no more connections: long enough for a
  /// balancer to look.
  public var drainSeconds = 0
  /// The seconds that requests have to finish then.
  public var stopSeconds = 9
  /// The seconds that caches may answer in place of the service; with 0 they ask each time.
  public var maxAgeSeconds = 0
  /// The seconds between looks at the catalogue's file; 0 for none.
  public var checkSeconds = 1
  /// The seconds for which the catalog's file must stay unchanged before it is read: one that changed more recently may be
  /// only half written.
  public var settleSeconds = 2
  /// Whether a catalog takes its predecessor's place although it has less than half of its products.
  public var allowsShrinking = false
  /// The origins whose scripts may read answers, such as `https://shop.example`; `*` for all.
  public var allowedOrigins: [String] = []

  /// The time that a connection's own thread gives to the rows of a request: those that each need a formatter of their own
  /// take longer, and are formatted with other long work.
  var immediateAnswerTime = Duration.milliseconds(2)

  /// The most bytes of a body of `/v1/batch`.
  var batchBytes: Int { limits.largerBodies[Route.batch.rawValue] ?? limits.bodyBytes }

  /// What one answer may use.
  var work: Workers.Limits { Workers.Limits(byteCount: answerBytes, cpuSeconds: answerCPUSeconds) }

  /// A service on this machine's port 8080.
  public init() {}

  /// The configuration that some settings say.
  ///
  /// - Throws: `.invalidSetting`.
  public init(_ settings: ServiceSettings) throws(ServiceError) {
    host = try settings.text(.host) ?? host
    // As an address of IPv6 stands in a URL.
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    port = try settings.number(.port)
    adminHost = try settings.text(.adminHost) ?? adminHost
    if adminHost.hasPrefix("["), adminHost.hasSuffix("]") {
      adminHost = String(adminHost.dropFirst().dropLast())
    }
    adminPort = try settings.numberIfSet(.adminPort)
    connectionsPerClient = try settings.number(.maxConnectionsPerClient)
    requestsPerSecondPerClient = try settings.number(.requestsPerSecondPerClient)
    settleSeconds = try settings.number(.settleSeconds)
    allowsShrinking = try settings.flag(.allowShrink)
    for text in try settings.list(.trustedProxies) {
      do throws(ServiceError) { trustedProxies.append(try AddressRange(text)) } catch {
        throw settings.invalid(.trustedProxies, error.problem, fix: error.fix)
      }
    }
    if let format = try settings.text(.accessLog) {
      guard let known = AccessLogFormat(rawValue: format) else {
        throw settings.invalid(
          .accessLog,
          "\(quoted(format)) is no format of an access log",
          fix: "use json or common"
        )
      }
      accessLog = known
    }
    switch (try settings.text(.tlsCertificate), try settings.text(.tlsKey)) {
    case (let certificate?, let key?): tls = (certificate, key)
    case (nil, nil): break
    case (_?, nil):
      throw settings.invalid(
        .tlsCertificate,
        "the certificate has no key",
        fix: "give its private key too (\(ServiceSetting.tlsKey.flag))"
      )
    case (nil, _?):
      throw settings.invalid(
        .tlsKey,
        "the key has no certificate",
        fix: "give its certificate too (\(ServiceSetting.tlsCertificate.flag))"
      )
    }
    limits.headSeconds = try settings.number(.headSeconds)
    limits.idleSeconds = try settings.number(.idleSeconds)
    limits.writeStallSeconds = try settings.number(.writeSeconds)
    limits.headBytes = try settings.number(.maxHeadBytes)
    limits.targetBytes = try settings.number(.maxUrlBytes)
    limits.bodyBytes = try settings.number(.maxBodyBytes)
    limits.largerBodies = [Route.batch.rawValue: try settings.number(.maxBatchBytes)]
    limits.leastBodyBytesPerSecond = try settings.number(.minBodyRate)
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
        "\(quoted(origin)) is no origin",
        fix: "give one such as https://shop.example, without a path, or *"
      )
    }
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
