import Logging
import NIOCore
import NIOSSL
import PriceTag
import PriceTagText
import Synchronization

/// The certificate of a service, which can be replaced while connections are served.
///
/// Sendable notes: the context is replaced under a lock; connections that are open keep the one they began with.
final class ServerCertificate: Sendable {
  private let files: (certificate: String, key: String)
  private let current: Mutex<NIOSSLContext>

  /// Reads a certificate chain and its private key.
  ///
  /// - Throws: `.unreadableFile`.
  init(_ files: (certificate: String, key: String)) throws(ServiceError) {
    self.files = files
    current = Mutex(try Self.context(files))
  }

  /// What a new connection uses.
  var context: NIOSSLContext { current.withLock { $0 } }

  /// Reads the files again. What was read before stays in use where they are unusable.
  ///
  /// - Returns: Whether new connections use what is in the files now.
  @discardableResult
  func reload(_ logger: Logger) -> Bool {
    do throws(ServiceError) {
      let context = try Self.context(files)
      current.withLock { $0 = context }
      logger.notice("the certificate was reloaded", metadata: ["file": "\(files.certificate)"])
      return true
    } catch {
      logger.error(
        "the new certificate cannot be used; the old one stays in use",
        metadata: ["error": "\(error)"]
      )
      return false
    }
  }

  private static func context(
    _ files: (certificate: String, key: String)
  ) throws(ServiceError) -> NIOSSLContext {
    do { return try unchecked(files) } catch {
      throw ServiceError(
        .unreadableFile,
        "the certificate \(quoted(files.certificate)) and the key \(quoted(files.key)) cannot be used",
        fix:
          "give PEM files of a chain and of its private key, without a passphrase, that this process may read"
      )
    }
  }

  private static func unchecked(_ files: (certificate: String, key: String)) throws -> NIOSSLContext {
    let chain = try NIOSSLCertificate.fromPEMFile(files.certificate).map {
      NIOSSLCertificateSource.certificate($0)
    }
    let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain,
      privateKey: .privateKey(key)
    )
    configuration.applicationProtocols = ["http/1.1"]
    configuration.minimumTLSVersion = .tlsv12
    // A client that answers no close notification is let go.
    configuration.shutdownTimeout = .seconds(1)
    // Whether the two belong together is only known now.
    return try NIOSSLContext(configuration: configuration)
  }
}
