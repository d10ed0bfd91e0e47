import HTTPTypes
import Logging
import NIOCore
import PriceTagHTTPGuard
import Synchronization

/// How a port counts, logs and limits the requests of each client.
struct ExchangeRules: Sendable {
  let metrics: ServiceMetrics
  /// The access log; `nil` for none.
  let log: AccessLog?
  /// The proxies whose `X-Forwarded-For` names the client.
  let proxies: TrustedProxies
  /// The limits of a client; `nil` for none.
  let limits: ClientLimits?
  /// Creates the response to a request that exceeds the limits.
  let refusal: ClientLimitHandler.Refusal
  /// Whether a loopback address is a client, as other addresses are.
  let limitsLoopback: Bool
  /// Logs that a client may be a proxy.
  let proxyWarning: ProxyWarning
  /// Returns further fields of the guard's responses, for the request's origin.
  let refusalFields: @Sendable (_ origin: String?) -> String

  /// Creates the handlers of a new connection, in the order in which a request passes them, and configures its guard.
  func handlers(
    of channel: any Channel,
    _ client: ConnectionClient,
    _ requestGuard: RequestGuard
  ) -> [any RemovableChannelHandler] {
    let peer = ClientAddress(channel.remoteAddress)
    let exchange = ExchangeHandler(self, peer: peer, client, requestGuard)
    requestGuard.refusalFields = refusalFields
    if log != nil || limits != nil {
      let eventLoop = channel.eventLoop
      // Weak, because the handler references the guard.
      requestGuard.onRefusedExchange = { [weak exchange] in exchange?.record($0, at: eventLoop.now) }
    }
    guard let limits else { return [exchange] }
    if let peer {
      if limits.openConnection(of: peer) {
        channel.closeFuture.whenComplete { _ in limits.closeConnection(of: peer) }
      } else {
        requestGuard.connectionRefusal = .tooManyConnections(limit: limits.maximumConnections)
      }
    }
    return limits.requestsPerSecond > 0
      ? [exchange, ClientLimitHandler(limits, peer: peer, refusal: refusal)] : [exchange]
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
