import HTTPTypes
import NIOCore
import NIOHTTPTypes
import PriceTagHTTPGuard

/// Observes the requests of a connection and their responses: counts the requests in flight, writes the access log, and
/// refuses requests of a client that exceeds its request rate.
///
/// After a refusal the connection stays open; the handler drops the body of the refused request.
///
/// It is in the pipeline between the ``ResponseEndHandler`` and the handlers that answer, so it sees all responses.
final class ExchangeHandler: ChannelDuplexHandler, RemovableChannelHandler {
  /// Parts of a request.
  typealias InboundIn = HTTPRequestPart
  /// Parts of a response.
  typealias OutboundIn = HTTPResponsePart
  /// The same parts.
  typealias OutboundOut = HTTPResponsePart

  private let rules: ExchangeRules
  private let peer: ClientAddress?
  private let client: ConnectionClient
  private let requestGuard: RequestGuard
  private var isInFlight = false
  private var isRefusing = false
  private var requestFields = HTTPFields()
  private var exchange: AccessLog.Exchange?

  init(_ rules: ExchangeRules, peer: ClientAddress?, _ client: ConnectionClient, _ requestGuard: RequestGuard)
  {
    (self.rules, self.peer, self.client, self.requestGuard) = (rules, peer, client, requestGuard)
  }

  /// Records the start of a request, and forwards the parts of an allowed one.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      isInFlight = true
      rules.metrics.inFlight.increment()
      let address = peer.map { rules.proxies.client(of: $0, head.headerFields) }
      let hasShare = address.map { rules.limitsLoopback || !$0.isLoopback } ?? false
      client.beginRequest(from: hasShare ? address?.network : nil)
      requestFields = head.headerFields
      if rules.log != nil {
        exchange = AccessLog.Exchange(head, client: address, at: context.eventLoop.now)
        exchange?.isHTTP10 = requestGuard.requestIsHTTP10
      }
      let seconds = address.flatMap { rules.limits?.takeRequest(of: $0, at: context.eventLoop.now) }
      isRefusing = seconds != nil
      guard let seconds else { break }
      // Close a client that sends requests without reading responses, so refusals do not accumulate.
      guard context.channel.isWritable else { return context.close(promise: nil) }
      rules.refusal(head, seconds).write { part in
        write(context: context, data: wrapOutboundOut(part), promise: nil)
      }
      return context.flush()
    case .body, .end: if isRefusing { return }
    }
    context.fireChannelRead(data)
  }

  /// Records the response and its end.
  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      if head.status.code >= 200 { exchange?.record(head) }
      if head.headerFields.contains(.retryAfter) { warnOfProxy() }
    case .body(let bytes): exchange?.byteCount += bytes.readableBytes
    case .end:
      context.write(data, promise: promise)
      return end(at: context.eventLoop.now)
    }
    context.write(data, promise: promise)
  }

  /// Records the end of a request whose connection closes before its response is complete.
  func channelInactive(context: ChannelHandlerContext) {
    end(at: context.eventLoop.now)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { end(at: context.eventLoop.now) }

  /// Records a request that the guard refuses.
  func record(_ refused: RefusedExchange, at now: NIODeadline) {
    if isInFlight {
      exchange?.record(refused)
      end(at: now)
    } else {
      rules.log?.write(AccessLog.Exchange(refused, client: peer), at: now)
      // A request whose head was accepted has been counted. The clients of a proxy are not known here.
      if let peer, !rules.proxies.contains(peer) { _ = rules.limits?.takeRequest(of: peer, at: now) }
    }
  }

  /// Logs a warning if the client of the refused request may be a proxy that is not trusted.
  private func warnOfProxy() {
    guard let peer, !rules.proxies.contains(peer), requestFields.contains(.xForwardedFor) else { return }
    rules.proxyWarning.log(peer)
  }

  private func end(at now: NIODeadline) {
    guard isInFlight else { return }
    isInFlight = false
    rules.metrics.inFlight.decrement()
    guard let exchange else { return }
    self.exchange = nil
    rules.log?.write(exchange, at: now)
  }
}
