import Logging
import NIOCore
import PriceTagText

/// Logs and counts connections that cannot be accepted, for want of file descriptors mostly.
///
/// It stands first in the pipeline of the listening socket, before NIO's `AcceptBackoffHandler`, which swallows these
/// errors and tries again after a second.
final class AcceptFailureHandler: ChannelInboundHandler {
  /// Connections that were accepted.
  typealias InboundIn = any Channel

  private static let secondsBetweenLines: Int64 = 10

  private let metrics: ServiceMetrics
  private let logger: Logger
  private var nextLine = NIODeadline.uptimeNanoseconds(0)
  private var unloggedCount = 0

  init(_ metrics: ServiceMetrics, _ logger: Logger) {
    (self.metrics, self.logger) = (metrics, logger)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let error = error as? IOError { note(error, at: context.eventLoop.now) }
    context.fireErrorCaught(error)
  }

  private func note(_ error: IOError, at now: NIODeadline) {
    let isForDescriptors = error.errnoCode == EMFILE || error.errnoCode == ENFILE
    metrics.count(acceptFailure: isForDescriptors ? "descriptors" : "other")
    unloggedCount += 1
    guard now >= nextLine else { return }
    logger.error(
      isForDescriptors
        ? "no connection can be accepted: the file descriptors are used up; raise their limit (ulimit -n) or lower --max-connections"
        : "a connection cannot be accepted",
      metadata: [
        "error": "\(String(cString: strerror(error.errnoCode)))", "count": .stringConvertible(unloggedCount),
      ]
    )
    unloggedCount = 0
    nextLine = now + .seconds(Self.secondsBetweenLines)
  }
}

@available(*, unavailable)
extension AcceptFailureHandler: Sendable {}
