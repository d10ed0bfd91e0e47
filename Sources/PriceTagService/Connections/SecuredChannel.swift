import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A guarded channel under TLS. Hummingbird's own `TLSChannel` has one certificate for good; here each connection
/// begins with the one that is current.
struct SecuredChannel: ServerChildChannel {
  typealias Value = GuardedChannel.Value

  let base: GuardedChannel
  let certificate: ServerCertificate

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context))
    }.flatMap {
      base.setup(channel: channel, logger: logger)
    }
  }

  func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
