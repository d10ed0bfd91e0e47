import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import PriceTag
import PriceTagHTTPGuard

/// Builds the server of the public port, with the guard, client limits, access log and TLS.
struct PublicServer: Sendable {
  let configuration: ServiceConfiguration
  let responder: ServiceResponder
  let drain: ServiceDrain
  let metrics: ServiceMetrics
  let certificate: (any ConnectionCertificate)?
  let accessLog: AccessLog?
  let logger: Logger

  /// The builder of the public server.
  var builder: HTTPServerBuilder {
    let (limits, drain, certificate) = (configuration.limits, drain, certificate)
    let (immediate, exchanges) = (responder.immediateAnswers(logger), exchanges)
    let (metrics, logger) = (metrics, logger)
    let connections = OpenConnections(maximum: configuration.connections) { [configuration] isRefused in
      if !isRefused { metrics.replacedConnections.increment() }
      logger.error(
        "the maximum number of connections is open; for new ones, those that have been idle longest are closed; raise --max-connections",
        metadata: ["maxConnections": .stringConvertible(configuration.connections)]
      )
    }
    return HTTPServerBuilder { application in
      var guarded = GuardedChannel(
        responder: application,
        limits: limits,
        drain: drain,
        connections: connections,
        immediate: immediate,
        refusalBody: Self.body
      ) { refusal, requestID in
        metrics.count(refused: refusal.code)
        logger.debug(
          "refused a request",
          metadata: [
            "code": "\(refusal.code)", "requestId": "\(requestID)",
            "status": .stringConvertible(refusal.status),
          ]
        )
      } onConnection: { isOpened in
        metrics.count(isOpened: isOpened)
      }
      guarded.exchanges = exchanges
      guard let certificate else { return guarded }
      return SecuredChannel(base: guarded, certificate: certificate)
    }
  }

  /// Returns the builder of the admin server, which does not count, log or limit requests.
  static func adminBuilder(_ limits: ConnectionLimits, _ drain: ServiceDrain) -> HTTPServerBuilder {
    HTTPServerBuilder { application in
      GuardedChannel(
        responder: application,
        limits: limits,
        drain: drain,
        immediate: nil,
        refusalBody: body,
        onRefusal: { _, _ in },
        onConnection: { _ in }
      )
    }
  }

  private static func body(_ refusal: RequestRefusal, _ requestID: String) -> [UInt8] {
    let problem = Problem(
      .init(code: refusal.status, reasonPhrase: refusal.reason),
      refusal.code,
      refusal.detail,
      fix: refusal.fix
    )
    return Array(problem.json(requestID: requestID).utf8)
  }

  private var exchanges: ExchangeRules {
    let proxies = TrustedProxies(configuration.trustedProxies)
    let hasLimits = configuration.connectionsPerClient > 0 || configuration.requestsPerSecondPerClient > 0
    let limits = ClientLimits(
      maximumConnections: configuration.connectionsPerClient,
      requestsPerSecond: configuration.requestsPerSecondPerClient,
      proxies: proxies
    )
    let (responder, logger, finalizer) = (responder, logger, responder.finalizer)
    return ExchangeRules(
      metrics: metrics,
      log: accessLog,
      proxies: proxies,
      limits: hasLimits ? limits : nil,
      refusal: { head, seconds in
        responder.tooManyRequests(head, limit: limits.requestsPerSecond, retryAfter: seconds, logger)
      },
      limitsLoopback: configuration.limitsLoopback,
      proxyWarning: ProxyWarning(logger),
      refusalFields: { finalizer.originFields($0) }
    )
  }
}

extension ServiceResponder {
  /// Returns the response to a request of a client that exceeds its request rate.
  fileprivate func tooManyRequests(
    _ head: HTTPRequest,
    limit: Int,
    retryAfter seconds: Int,
    _ logger: Logger
  ) -> (head: HTTPResponse, body: ByteBuffer) {
    let request = IncomingRequest(head, logger)
    var problem = Problem(
      .tooManyRequests,
      "too-many-requests",
      "the client sends more than \(limit) requests per second",
      fix: "wait for the seconds in Retry-After, and send fewer requests per second"
    )
    problem.headers[.retryAfter] = String(seconds)
    metrics.count(refused: problem.code)
    var final = finalizer.finalize(request.answer(problem), for: head, requestID: request.requestID)
    final.head.headerFields[.date] = HTTPDate.now.description
    guard case .bytes(let body) = final.contents else { return (final.head, ByteBuffer()) }
    return (final.head, body)
  }
}
