import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import PriceTag
import PriceTagHTTPGuard

/// Builds the server of the public port, with the guard, client limits, access log and TLS.
struct PublicServer: Sendable {
  let responder: ServiceResponder
  let drain: ServiceDrain
  let certificate: (any ConnectionCertificate)?
  let accessLog: AccessLog?
  let logger: Logger

  /// The builder of the public server.
  var builder: HTTPServerBuilder {
    let (configuration, metrics, logger) = (responder.configuration, responder.metrics, logger)
    var rules = Self.guardRules(configuration.limits, drain)
    rules.connections = OpenConnections(maximum: configuration.connections) { isRefused in
      if !isRefused { metrics.replacedConnections.increment() }
      logger.error(
        "the maximum number of connections is open; for new ones, those that have been idle longest are closed; raise --max-connections",
        metadata: ["maxConnections": .stringConvertible(configuration.connections)]
      )
    }
    rules.refusalFields = responder.finalizer.originFields
    rules.onRefusal = { refusal, requestID in
      metrics.count(refused: refusal.code)
      logger.debug(
        "refused a request",
        metadata: [
          "code": "\(refusal.code)", "requestId": "\(requestID)",
          "status": .stringConvertible(refusal.status),
        ]
      )
    }
    // Some backends have no meter that is incremented by a negative number.
    rules.onConnection = { $0 ? metrics.connections.increment() : metrics.connections.decrement() }
    let (guardRules, immediate, exchanges) = (rules, responder.immediateAnswers(logger), exchanges)
    return HTTPServerBuilder { [certificate] application in
      let guarded = GuardedChannel(
        responder: application,
        rules: guardRules,
        immediate: immediate,
        exchanges: exchanges
      )
      guard let certificate else { return guarded }
      return SecuredChannel(base: guarded, certificate: certificate)
    }
  }

  /// Returns the builder of the admin server, which does not count, log or limit requests.
  static func adminBuilder(_ limits: ConnectionLimits, _ drain: ServiceDrain) -> HTTPServerBuilder {
    let rules = guardRules(limits, drain)
    return HTTPServerBuilder { GuardedChannel(responder: $0, rules: rules) }
  }

  /// Returns the rules of both servers.
  private static func guardRules(_ limits: ConnectionLimits, _ drain: ServiceDrain) -> GuardRules {
    var rules = GuardRules()
    (rules.limits, rules.drain) = (limits, drain)
    rules.newRequestID = { RequestIdentifier.of(nil) }
    rules.date = { HTTPDate.now.description }
    rules.refusalBody = body
    return rules
  }

  @Sendable private static func body(_ refusal: RequestRefusal, _ requestID: String) -> [UInt8] {
    let problem = Problem(
      .init(code: refusal.status, reasonPhrase: refusal.reason),
      refusal.code,
      refusal.detail,
      fix: refusal.fix
    )
    return Array(problem.json(requestID: requestID).utf8)
  }

  private var exchanges: ExchangeRules {
    let configuration = responder.configuration
    let proxies = TrustedProxies(ranges: configuration.trustedProxies)
    let hasLimits = configuration.connectionsPerClient > 0 || configuration.requestsPerSecondPerClient > 0
    let limits = ClientLimits(
      maximumConnections: configuration.connectionsPerClient,
      requestsPerSecond: configuration.requestsPerSecondPerClient,
      proxies: proxies
    )
    let (responder, logger) = (responder, logger)
    return ExchangeRules(
      metrics: responder.metrics,
      log: accessLog,
      proxies: proxies,
      limits: hasLimits ? limits : nil,
      refusal: { head, seconds in
        responder.tooManyRequests(head, limit: limits.requestsPerSecond, retryAfter: seconds, logger)
      },
      limitsLoopback: configuration.limitsLoopback,
      proxyWarning: ProxyWarning(logger)
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
  ) -> ShortResponse {
    let request = IncomingRequest(head, source, logger)
    var problem = Problem(
      .tooManyRequests,
      "too-many-requests",
      "the client sends more than \(limit) requests per second",
      fix: "wait for the seconds in Retry-After, and send fewer requests per second"
    )
    problem.headers[.retryAfter] = String(seconds)
    metrics.count(refused: problem.code)
    var final = finalizer.finalize(request.answer(problem), for: request)
    final.head.headerFields[.date] = HTTPDate.now.description
    return ShortResponse(final)
  }
}
