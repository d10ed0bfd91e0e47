import HTTPTypes
import NIOCore
import PriceTagHTTPGuard

/// What a service counts, logs and limits of the requests of each client.
struct ExchangeRules: Sendable {
  let metrics: ServiceMetrics
  /// Where each request is written; `nil` for nowhere.
  let log: AccessLog?
  /// The proxies that say which client a request is from.
  let proxies: TrustedProxies
  /// What a client may do; `nil` for everything.
  let limits: ClientLimits?
  /// The answer to a request beyond the limits.
  let refusal: ClientLimitHandler.Refusal
  /// Further fields of the guard's own answers, by the request's origin.
  let refusalFields: @Sendable (_ origin: String?) -> String

  /// The handlers of a connection that opens, in the order in which a request meets them. The guard learns what concerns
  /// it.
  func handlers(of channel: any Channel, _ requestGuard: RequestGuard) -> [any RemovableChannelHandler] {
    let peer = ClientAddress(channel.remoteAddress)
    let exchange = ExchangeHandler(self, peer: peer, requestGuard)
    requestGuard.refusalFields = refusalFields
    if log != nil {
      let eventLoop = channel.eventLoop
      // The handler holds the guard.
      requestGuard.onRefusedExchange = { [weak exchange] in exchange?.note($0, at: eventLoop.now) }
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
