import HummingbirdCore
import Logging
import NIOCore

/// The certificate of a service, which secures its connections. `ServerCertificate` of `PriceTagServiceTLS` is one, so that
/// only services with TLS link a TLS library.
public protocol ConnectionCertificate: Sendable {
  /// The time at which the certificate in use expires, in seconds since 1970.
  var expirySeconds: Int { get }
  /// Adds the handlers that secure a new connection to its pipeline, on its event loop.
  func addHandlers(to channel: any Channel) throws
  /// Reloads the certificate for new connections, and logs the result. If it cannot be used, the previous one stays in use.
  ///
  /// - Returns: Whether the certificate was loaded.
  func reload(_ logger: Logger) -> Bool
}

/// A guarded channel with a certificate. Unlike Hummingbird's `TLSChannel`, whose certificate is fixed, it uses the current
/// certificate for each new connection.
struct SecuredChannel: ServerChildChannel {
  typealias Value = GuardedChannel.Value

  let base: GuardedChannel
  let certificate: any ConnectionCertificate

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      try certificate.addHandlers(to: channel)
    }.flatMap {
      base.setup(channel: channel, logger: logger)
    }
  }

  func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
