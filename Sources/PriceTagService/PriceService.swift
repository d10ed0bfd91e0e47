import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import Metrics
import NIOCore
import NIOSSL
import PriceTag
import ServiceLifecycle
import UnixSignals

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Prices, products, strings and pages over HTTP, of one catalogue.
///
///     let source = ShopSource(path: "shop.pricetag", shop: try Shop(name: "Rocket Garage"))
///     let service = try PriceService(source, ServiceConfiguration(), logger: Logger(label: "pricetag"))
///     try await service.run()
///
/// The catalogue is read again when its file changes; what is asked meanwhile is answered of the old one.
public struct PriceService: Service {
  private let configuration: ServiceConfiguration
  private let logger: Logger
  private let metrics: ServiceMetrics
  private let current: CurrentShop
  let responder: ServiceResponder
  private let drain = ServiceDrain()
  private let listener = ListeningSocket()
  private let server: HTTPServerBuilder

  /// A service that has read its catalogue and listens nowhere yet.
  ///
  /// - Parameters:
  ///   - source: The catalogue, and what its pages say beside.
  ///   - configuration: How it listens, and what it allows.
  ///   - logger: Where it tells what happens.
  ///   - metrics: Where it counts, which is what `/metrics` answers.
  /// - Throws: `.catalogFailed`; `.unreadableFile` for a certificate or a key; `.outOfResources`.
  public init(
    _ source: ShopSource,
    _ configuration: ServiceConfiguration = ServiceConfiguration(),
    logger: Logger,
    metrics: PrometheusMetrics = PriceService.makeMetrics()
  ) throws(ServiceError) {
    (self.configuration, self.logger) = (configuration, logger)
    self.metrics = ServiceMetrics(metrics)
    current = try CurrentShop(source, logger)
    self.metrics.tell(current.shop)
    responder = ServiceResponder(source, configuration, current, self.metrics) { metrics.exposition() }
    server = try Self.server(configuration, responder, drain, self.metrics, logger)
  }

  /// A backend for metrics that knows what a service counts.
  public static func makeMetrics() -> PrometheusMetrics { PrometheusMetrics(help: ServiceMetrics.help) }

  /// What takes connections.
  private static func server(
    _ configuration: ServiceConfiguration,
    _ responder: ServiceResponder,
    _ drain: ServiceDrain,
    _ metrics: ServiceMetrics,
    _ logger: Logger
  ) throws(ServiceError) -> HTTPServerBuilder {
    let limits = configuration.limits
    let immediate = responder.immediateAnswers(logger)
    let guarded = HTTPServerBuilder { application in
      GuardedChannel(responder: application, limits: limits, drain: drain, immediate: immediate) {
        refusal,
        requestID in
        let problem = Problem(
          .init(code: refusal.status, reasonPhrase: refusal.reason),
          refusal.code,
          refusal.detail,
          fix: refusal.fix
        )
        return Array(problem.json(requestID: requestID).utf8)
      } onRefusal: { refusal, requestID in
        metrics.count(refused: refusal.code)
        logger.debug(
          "refused",
          metadata: ["code": "\(refusal.code)", "requestId": "\(requestID)", "status": "\(refusal.status)"]
        )
      } onConnection: { isOpened in
        metrics.count(isOpened: isOpened)
      }
    }
    guard let files = configuration.tls else { return guarded }
    do { return try HTTPServerBuilder.tls(guarded, tlsConfiguration: tls(files)) } catch {
      throw ServiceError(
        .unreadableFile,
        "the certificate \(quoted(files.certificate)) and the key \(quoted(files.key)) cannot be used",
        fix:
          "give PEM files of a chain and of its private key, without a passphrase, that this process may read"
      )
    }
  }

  private static func tls(_ files: (certificate: String, key: String)) throws -> TLSConfiguration {
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
    _ = try NIOSSLContext(configuration: configuration)
    return configuration
  }

  // MARK: Running

  /// What answers, to be run by itself or in tests.
  ///
  /// - Parameter onListening: Is told the port, once requests can come.
  public func application(
    onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    Application(
      responder: responder,
      server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port),
        backlog: 1024,
        availableConnectionsDelegate: MaximumAvailableConnections(configuration.connections)
      ),
      onServerRunning: { [listener] channel in
        listener.set(channel)
        await onListening(channel.localAddress?.port ?? 0)
      },
      logger: logger
    )
  }

  private var watch: ShopWatch {
    ShopWatch(current: current, metrics: metrics, everySeconds: configuration.checkSeconds)
  }

  /// Serves until the group that it runs in stops.
  ///
  /// - Throws: `ServiceError.cannotListen`.
  public func run() async throws { try await run { _ in } }

  private func run(onListening: @escaping @Sendable (Int) async -> Void) async throws {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await watch.run() }
        group.addTask { try await application(onListening: onListening).run() }
        try await group.next()
        try await group.next()
      }
    } catch let error as ServiceError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      let reason =
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case is SocketAddressError, is SocketAddressError.UnknownHost: "there is no such address"
        default: "\(error)"
        }
      throw ServiceError(
        .cannotListen,
        "nothing can listen at \(printable(configuration.host)):\(configuration.port): \(printable(reason))",
        fix: "give an address of this machine and a port that is free (--host, --port)"
      )
    }
  }

  /// Serves until the process is told to stop: by SIGTERM or SIGINT requests that are in flight are finished, and SIGHUP
  /// reads the catalogue again.
  ///
  /// - Parameters:
  ///   - onListening: Is told the port, once requests can come.
  ///   - stopAtOnce: Ends the process: by a second signal, or when requests take longer than they are given.
  /// - Throws: `ServiceError`.
  public func runUntilStopped(
    onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in },
    stopAtOnce: @escaping @Sendable (_ signal: UnixSignal?) -> Void
  ) async throws {
    let listening = ListeningService { try await self.run(onListening: onListening) }
    let group = ServiceGroup(configuration: .init(services: [listening], logger: logger))
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      tasks.addTask {
        var isStopping = false
        for await signal in signals {
          switch signal {
          case .sighup:
            logger.notice("the catalogue is read again, for SIGHUP")
            watch.reload()
          case _ where isStopping:
            PrivateFolder.removeAll()
            stopAtOnce(signal)
          default:
            isStopping = true
            logger.notice(
              "stopping",
              metadata: [
                "signal": "\(signal)",
                "seconds": "\(configuration.drainSeconds + configuration.stopSeconds)",
              ]
            )
            current.stop()
            let (drainSeconds, seconds) = (configuration.drainSeconds, configuration.stopSeconds)
            // Without such a time connections learn of the end once no more are taken: a client that is sent away
            // before would come back to a door that closes.
            if drainSeconds > 0 { drain.begin() }
            Task.detached {
              try await Task.sleep(for: .seconds(drainSeconds))
              await listener.stopAccepting()
              await group.triggerGracefulShutdown()
              // Requests that take longer are not waited for.
              try await Task.sleep(for: .seconds(seconds))
              PrivateFolder.removeAll()
              stopAtOnce(nil)
            }
          }
        }
      }
      // The signals have no end.
      try await tasks.next()
      tasks.cancelAll()
    }
    // The process ends before all that holds them is gone.
    PrivateFolder.removeAll()
    logger.notice("stopped")
  }
}

/// A closure as a service.
private struct ListeningService: Service {
  let body: @Sendable () async throws -> Void

  func run() async throws { try await body() }
}
