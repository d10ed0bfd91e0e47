import HTTPTypes
import Logging
import NIOCore
import PriceTagHTTPGuard
import Synchronization

/// How a port counts, logs and limits the requests of each client.
struct ExchangeRules: Sendable {
  let metrics: ServiceMetrics
  /// The access log; `nil` for none.
  var log: AccessLog?
  /// The proxies whose `X-Forwarded-For` names the client.
  let proxies: TrustedProxies
  /// The limits of a client; `nil` for none.
  var limits: ClientLimits?
  /// Creates the response to a request that exceeds the limits.
  let refusal: @Sendable (_ head: HTTPRequest, _ retryAfter: Int) -> ShortResponse
  /// Whether a loopback address is a client, as other addresses are.
  var limitsLoopback = false
  /// Logs that a client may be a proxy.
  let proxyWarning: ProxyWarning

  /// Creates the handler of a new connection, and configures its guard.
  func handler(
    of channel: any Channel,
    _ client: ConnectionClient,
    _ requestGuard: RequestGuard
  ) -> ExchangeHandler {
    let peer = ClientAddress(channel.remoteAddress)
    let exchange = ExchangeHandler(self, peer: peer, client, requestGuard)
    if log != nil || limits != nil {
      let eventLoop = channel.eventLoop
      // Weak, because the handler references the guard.
      requestGuard.onRefusedExchange = { [weak exchange] in exchange?.record($0, at: eventLoop.now) }
    }
    if let limits, let peer {
      if limits.openConnection(of: peer) {
        channel.closeFuture.whenComplete { _ in limits.closeConnection(of: peer) }
      } else {
        requestGuard.connectionRefusal = .tooManyConnections(limit: limits.maximumConnections)
      }
    }
    return exchange
  }
}

/// Logs, once, that a client which is refused may be a proxy that is not trusted.
final class ProxyWarning: Sendable {
  private let logger: Logger
  private let isLogged = Atomic(false)

  init(_ logger: Logger) { self.logger = logger }

  func log(_ peer: ClientAddress) {
    guard !isLogged.exchange(true, ordering: .relaxed) else { return }
    logger.warning(
      "refused a request of a client that sends X-Forwarded-For; if it is your proxy, pass --trusted-proxies with its address",
      metadata: ["client": "\(peer)"]
    )
  }
}
