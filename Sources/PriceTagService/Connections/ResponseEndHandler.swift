import NIOCore
import NIOHTTPTypes
import PriceTagHTTPGuard

/// Tells the guard of its connection where a response begins and ends, which the guard cannot see in bytes, and tells
/// the client which response is the last.
///
/// It stands behind the codec, next to the application.
final class ResponseEndHandler: ChannelOutboundHandler, RemovableChannelHandler {
  /// Parts of a response.
  typealias OutboundIn = HTTPResponsePart
  /// The same parts; the last head of a connection says that it is the last.
  typealias OutboundOut = HTTPResponsePart

  private let requestGuard: RequestGuard

  /// The companion of one guard, on the same connection.
  init(_ requestGuard: RequestGuard) { self.requestGuard = requestGuard }

  /// Passes the part on. The guard learns of a begin before its bytes come, and of an end after them.
  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head):
      // After an informational head the answer itself is still to come.
      if head.status.code >= 200, requestGuard.responseBegins() { head.headerFields[.connection] = "close" }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body:
      context.write(data, promise: promise)
    case .end:
      context.write(data, promise: promise)
      requestGuard.responseHasEnded()
    }
  }
}

@available(*, unavailable)
extension ResponseEndHandler: Sendable {}
