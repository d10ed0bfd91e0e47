import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A guarded channel with TLS. Unlike Hummingbird's `TLSChannel`, whose certificate is fixed, it uses the current
/// certificate for each new connection.
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
