import Logging
import NIOCore
import NIOSSL
import PriceTag
import PriceTagService
import PriceTagSystem
import PriceTagText
import Synchronization

/// The TLS certificate of a service, which can be reloaded while connections are open. Clients need TLS 1.3, or TLS 1.2 with
/// an ephemeral key exchange (ECDHE) and authenticated encryption (AES-GCM, ChaCha20-Poly1305).
///
///     let certificate = try configuration.tls.map(ServerCertificate.init)
///     let service = try PriceService(source, configuration, certificate: certificate, logger: logger)
///
/// Sendable notes: a lock protects the context. Open connections keep the context that they started with.
public final class ServerCertificate: ConnectionCertificate {
  private let files: (certificate: String, key: String)
  private let current: Mutex<(context: NIOSSLContext, expirySeconds: Int)>

  /// Reads a certificate chain and its private key.
  ///
  /// - Parameter files: The paths of the PEM files, as in `ServiceConfiguration.tls`.
  /// - Throws: `.unreadableFile`.
  public init(_ files: (certificate: String, key: String)) throws(ServiceError) {
    self.files = files
    current = Mutex(try Self.context(files))
  }

  /// The time at which the first certificate of the chain expires, in seconds since 1970.
  public var expirySeconds: Int { current.withLock { $0.expirySeconds } }

  /// Adds the TLS handler of a new connection.
  public func addHandlers(to channel: any Channel) throws {
    let context = current.withLock { $0.context }
    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
  }

  /// Reloads the files. If they cannot be used, the previous certificate stays in use.
  ///
  /// - Returns: Whether the files were loaded.
  public func reload(_ logger: Logger) -> Bool {
    do throws(ServiceError) {
      let context = try Self.context(files)
      current.withLock { $0 = context }
      logger.notice("reloaded the certificate", metadata: ["file": "\(files.certificate)"])
      return true
    } catch {
      logger.error(
        "cannot use the new certificate; the previous one stays in use",
        metadata: ["error": "\(error)"]
      )
      return false
    }
  }

  private static func context(
    _ files: (certificate: String, key: String)
  ) throws(ServiceError) -> (context: NIOSSLContext, expirySeconds: Int) {
    do { return try unchecked(files) } catch {
      throw ServiceError(
        .unreadableFile,
        "cannot use the certificate \(quoted(files.certificate)) with the key \(quoted(files.key))",
        fix: "use readable PEM files of a certificate chain and its private key without a passphrase"
      )
    }
  }

  private static func unchecked(
    _ files: (certificate: String, key: String)
  ) throws -> (context: NIOSSLContext, expirySeconds: Int) {
    // BoringSSL would wait for the writer of a pipe.
    func bytes(_ path: String) throws -> [UInt8] { try RegularFile.bytes(of: path, limit: 1 << 20) }
    let chain = try NIOSSLCertificate.fromPEMBytes(bytes(files.certificate))
    let key = try NIOSSLPrivateKey(bytes: bytes(files.key), format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) },
      privateKey: .privateKey(key)
    )
    configuration.applicationProtocols = ["http/1.1"]
    configuration.minimumTLSVersion = .tlsv12
    // For TLS 1.2; BoringSSL chooses those of TLS 1.3.
    configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
    // The time to wait for a client's close notification.
    configuration.shutdownTimeout = .seconds(1)
    // Throws if the key does not match the certificate.
    return (
      try NIOSSLContext(configuration: configuration), chain.map { Int($0.notValidAfter) }.min() ?? 0
    )
  }
}
