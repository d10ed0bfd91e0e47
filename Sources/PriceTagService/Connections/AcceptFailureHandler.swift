import Logging
import NIOCore
import PriceTagSystem

/// Logs and counts connections that cannot be accepted, mostly because the process is out of file descriptors.
///
/// It is first in the pipeline of the listening socket, before NIO's `AcceptBackoffHandler`, which swallows these
/// errors and retries after a second.
final class AcceptFailureHandler: ChannelInboundHandler {
  /// Connections that were accepted.
  typealias InboundIn = any Channel

  private let metrics: ServiceMetrics
  private let logger: Logger

  init(_ metrics: ServiceMetrics, _ logger: Logger) {
    (self.metrics, self.logger) = (metrics, logger)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError {
      let isOutOfDescriptors = error.errnoCode == EMFILE || error.errnoCode == ENFILE
      metrics.count(acceptFailure: isOutOfDescriptors ? "descriptors" : "other")
      logger.error(
        isOutOfDescriptors
          ? "cannot accept connections: out of file descriptors; raise their limit (ulimit -n) or lower --max-connections"
          : "cannot accept a connection",
        metadata: ["error": "\(String(cString: strerror(error.errnoCode)))"]
      )
    }
    context.fireErrorCaught(error)
  }
}
