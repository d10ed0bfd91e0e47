import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Refuses requests of a client that exceeds its request rate.
///
/// It comes before the handlers that answer requests. The connection stays open; the handler drops the body of a
/// refused request.
final class ClientLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
  /// Parts of a request.
  typealias InboundIn = HTTPRequestPart
  /// The same parts, of requests that are allowed.
  typealias InboundOut = HTTPRequestPart
  /// Parts of a response.
  typealias OutboundOut = HTTPResponsePart

  /// Creates the response to a refused request.
  typealias Refusal =
    @Sendable (_ head: HTTPRequest, _ retryAfter: Int) -> (
      head: HTTPResponse, body: ByteBuffer
    )

  private let limits: ClientLimits
  private let peer: ClientAddress?
  private let refusal: Refusal
  private var isRefusing = false

  init(_ limits: ClientLimits, peer: ClientAddress?, refusal: @escaping Refusal) {
    (self.limits, self.peer, self.refusal) = (limits, peer, refusal)
  }

  /// Forwards the parts of an allowed request.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      isRefusing = false
      guard let peer else { break }
      let client = limits.proxies.client(of: peer, head.headerFields)
      guard let seconds = limits.takeRequest(of: client, at: context.eventLoop.now) else { break }
      isRefusing = true
      // Close a client that sends requests without reading responses, so refusals do not accumulate.
      guard context.channel.isWritable else { return context.close(promise: nil) }
      write(refusal(head, seconds), context)
      return
    case .body: if isRefusing { return }
    case .end: if isRefusing { return }
    }
    context.fireChannelRead(data)
  }

  private func write(_ answer: (head: HTTPResponse, body: ByteBuffer), _ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
    if answer.body.readableBytes > 0 { context.write(wrapOutboundOut(.body(answer.body)), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}

@available(*, unavailable)
extension ClientLimitHandler: Sendable {}
