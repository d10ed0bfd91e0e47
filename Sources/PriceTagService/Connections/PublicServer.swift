import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import PriceTag
import PriceTagHTTPGuard

/// What takes the connections of a service: the guard, the limits of clients, the access log, and TLS.
struct PublicServer: Sendable {
  private let configuration: ServiceConfiguration
  private let responder: ServiceResponder
  private let drain: ServiceDrain
  private let metrics: ServiceMetrics
  private let certificate: ServerCertificate?
  private let accessLog: AccessLog?
  private let logger: Logger

  init(
    _ configuration: ServiceConfiguration,
    _ responder: ServiceResponder,
    _ drain: ServiceDrain,
    _ metrics: ServiceMetrics,
    _ certificate: ServerCertificate?,
    _ accessLog: AccessLog?,
    _ logger: Logger
  ) {
    var responder = responder
    if configuration.adminPort != nil { responder.surface = .shop }
    (self.configuration, self.responder, self.drain, self.metrics) = (
      configuration, responder, drain, metrics
    )
    (self.certificate, self.accessLog, self.logger) = (certificate, accessLog, logger)
  }

  /// Builds the server of an application.
  var builder: HTTPServerBuilder {
    let (limits, drain, certificate) = (configuration.limits, drain, certificate)
    let (immediate, exchanges) = (responder.immediateAnswers(logger), exchanges)
    let (metrics, logger) = (metrics, logger)
    return HTTPServerBuilder { application in
      var guarded = GuardedChannel(
        responder: application,
        limits: limits,
        drain: drain,
        immediate: immediate,
        refusalBody: Self.body
      ) { refusal, requestID in
        metrics.count(refused: refusal.code)
        logger.debug(
          "refused",
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

  /// Builds the server of an admin port, which counts, logs and limits no clients.
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
    let (responder, logger, fitting) = (responder, logger, responder.fitting)
    return ExchangeRules(
      metrics: metrics,
      log: accessLog,
      proxies: proxies,
      limits: hasLimits ? limits : nil,
      refusal: { head, seconds in
        responder.tooManyRequests(head, limit: limits.requestsPerSecond, retryAfter: seconds, logger)
      },
      refusalFields: { fitting.originFields($0) }
    )
  }
}

extension ServiceResponder {
  /// The answer to a request of a client that has made too many of them.
  fileprivate func tooManyRequests(
    _ head: HTTPRequest,
    limit: Int,
    retryAfter seconds: Int,
    _ logger: Logger
  ) -> (head: HTTPResponse, body: ByteBuffer) {
    let asked = IncomingRequest(head, logger)
    var problem = Problem(
      .tooManyRequests,
      "too-many-requests",
      "the client makes more than \(limit) requests a second",
      fix: "wait as many seconds as Retry-After says, and make fewer requests a second"
    )
    problem.headers[.retryAfter] = String(seconds)
    metrics.count(refused: problem.code)
    var fitted = fitting.fitted(asked.answer(problem), to: head, requestID: asked.requestID)
    fitted.head.headerFields[.date] = HTTPDate.now.description
    guard case .bytes(let body) = fitted.contents else { return (fitted.head, ByteBuffer()) }
    return (fitted.head, body)
  }
}
