import HTTPTypes
import NIOCore
import PriceTagHTTPGuard

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
  /// Returns further fields of the guard's responses, for the request's origin.
  let refusalFields: @Sendable (_ origin: String?) -> String

  /// Creates the handlers of a new connection, in the order in which a request passes them, and configures its guard.
  func handlers(of channel: any Channel, _ requestGuard: RequestGuard) -> [any RemovableChannelHandler] {
    let peer = ClientAddress(channel.remoteAddress)
    let exchange = ExchangeHandler(self, peer: peer, requestGuard)
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
