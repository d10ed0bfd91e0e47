import NIOCore
import NIOHTTPTypes
import PriceTagHTTPGuard

/// Notifies the connection's guard when a response begins and ends, which the guard cannot detect from bytes, and adds
/// `Connection: close` to the last response.
///
/// It is in the pipeline after the HTTP codec, on the side of the application.
final class ResponseEndHandler: ChannelOutboundHandler, RemovableChannelHandler {
  /// Parts of a response.
  typealias OutboundIn = HTTPResponsePart
  /// The same parts, with `Connection: close` in the last head of a connection.
  typealias OutboundOut = HTTPResponsePart

  private let requestGuard: RequestGuard

  /// Creates a handler for the guard of the same connection.
  init(_ requestGuard: RequestGuard) { self.requestGuard = requestGuard }

  /// Forwards the part. Notifies the guard of a begin before the bytes are written, and of an end afterwards.
  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head):
      // A final head follows an informational one.
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
