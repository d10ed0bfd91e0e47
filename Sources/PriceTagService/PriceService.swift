import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PriceTag
import PriceTagHTTPGuard
import PriceTagSystem
import PriceTagText
import ServiceLifecycle
import UnixSignals

/// An HTTP service for the prices, products, UI strings and store pages of one catalog.
///
///     let source = CatalogSource(path: "shop.pricetag", shop: try Shop(name: "Rocket Garage"))
///     let service = try PriceService(source, ServiceConfiguration(), logger: Logger(label: "pricetag"))
///     try await service.run()
///
/// The service reloads the catalog when its file changes. Until the new catalog is loaded, it serves the previous one.
///
/// The metrics of the service are at `/metrics` and in the backend of swift-metrics, which a program bootstraps before it creates
/// the service.
public struct PriceService: Service {
  private let configuration: ServiceConfiguration
  private let logger: Logger
  package let metrics: ServiceMetrics
  private let current: CurrentSnapshot
  let responder: ServiceResponder
  private let publicResponder: ServiceResponder
  private let drain = ServiceDrain()
  private let listener = ListeningSocket()
  private let server: HTTPServerBuilder
  private let certificate: (any ConnectionCertificate)?
  /// Called with the port when the service accepts connections.
  private var onListening: @Sendable (_ port: Int) async -> Void = { _ in }

  /// Creates a service and loads its catalog. The service does not listen until it runs.
  ///
  /// - Parameters:
  ///   - source: The catalog file and the content of the pages.
  ///   - configuration: The addresses, limits and timeouts.
  ///   - certificate: The certificate of the files in ``ServiceConfiguration/tls``; `nil` for HTTP without TLS.
  ///   - logger: The logger for the service's events.
  /// - Throws: `.catalogFailed`; `.outOfResources`; `.invalidSetting` if the configuration names a certificate and
  ///   `certificate` is `nil`.
  public init(
    _ source: CatalogSource,
    _ configuration: ServiceConfiguration = ServiceConfiguration(),
    certificate: (any ConnectionCertificate)? = nil,
    logger: Logger
  ) throws(ServiceError) {
    let log = configuration.accessLog.flatMap { AccessLog($0, logger) }
    try self.init(source, configuration, certificate: certificate, logger: logger, accessLog: log)
  }

  /// Creates a service with a custom access log.
  init(
    _ source: CatalogSource,
    _ configuration: ServiceConfiguration,
    certificate: (any ConnectionCertificate)? = nil,
    logger: Logger,
    accessLog: AccessLog?
  ) throws(ServiceError) {
    // A service that should have TLS never answers without it.
    guard configuration.tls == nil || certificate != nil else {
      throw ServiceError(
        .invalidSetting,
        "the configuration names a certificate, and the service has none",
        fix: "pass the ServerCertificate of PriceTagServiceTLS for its files"
      )
    }
    var logger = logger
    logger.handler = ErrorRateLogHandler(logger.handler)
    (self.configuration, self.certificate, self.logger) = (configuration, certificate, logger)
    metrics = ServiceMetrics(configuration, pack: source.localeData.pack, certificate: certificate)
    current = try CurrentSnapshot(
      source,
      logger,
      CurrentSnapshot.Rules(
        settleSeconds: configuration.settleSeconds,
        allowsShrinking: configuration.allowsShrinking
      )
    )
    metrics.record(current.snapshot)
    responder = ServiceResponder(source, configuration, current, metrics)
    var publicResponder = responder
    if configuration.adminPort != nil { publicResponder.servedRoutes.subtract(Route.forOperators) }
    self.publicResponder = publicResponder
    let server = PublicServer(
      responder: publicResponder,
      drain: drain,
      certificate: certificate,
      accessLog: accessLog,
      logger: logger
    )
    self.server = server.builder
    for part in source.templates.blockedByPolicy {
      logger.warning(
        "the content security policy blocks a part of a template; move it into store.js or store.css",
        metadata: ["part": "\(part)"]
      )
    }
    let missing = source.localeData.storefrontsMissingFromPack(on: source.currentDay)
    if !missing.isEmpty {
      logger.warning(
        "the pack does not have all storefronts",
        metadata: [
          "missing": "\(missing.count) of \(source.localeData.storefronts.count)",
          "storefronts": "\(missing.map(\.id).joined(separator: " "))",
        ]
      )
    }
    DescriptorLimit.warn(logger, connections: configuration.connections)
  }

  // MARK: Running

  /// Creates the application of the public port, to be run separately or in tests.
  ///
  /// - Parameter onListening: Called with the port when the application accepts connections.
  public func application(
    onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    Application(
      responder: publicResponder,
      server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port),
        backlog: 1024,
        availableConnectionsDelegate: MaximumAvailableConnections(
          configuration.connections + OpenConnections.additionalCount
        )
      ),
      onServerRunning: { [listener] channel in
        listener.set(channel)
        watchAcceptFailures(of: channel)
        await onListening(channel.localAddress?.port ?? 0)
      },
      logger: logger
    )
  }

  /// Creates the application of the admin port, which serves `/health`, `/ready` and `/metrics`.
  ///
  /// - Parameter onListening: Called with the port when the application accepts connections.
  public func adminApplication(
    onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    var responder = responder
    responder.servedRoutes = Route.forOperators
    return Application(
      responder: responder,
      server: PublicServer.adminBuilder(configuration.limits, drain),
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.adminHost, port: configuration.adminPort ?? 0),
        availableConnectionsDelegate: MaximumAvailableConnections(Self.maximumAdminConnectionCount)
      ),
      onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
      logger: logger
    )
  }

  /// The maximum number of connections of the admin port, which only probes and scrapers use.
  private static let maximumAdminConnectionCount = 100

  /// Logs and counts connections that cannot be accepted.
  private func watchAcceptFailures(of channel: any Channel) {
    let (metrics, logger) = (metrics, logger)
    channel.eventLoop.execute {
      try? channel.pipeline.syncOperations.addHandler(AcceptFailureHandler(metrics, logger), position: .first)
    }
  }

  /// Reloads the certificate for new connections.
  private func reloadCertificate() {
    guard let certificate else { return }
    metrics.count(certificateReload: certificate.reload(logger))
  }

  var watcher: CatalogWatcher {
    CatalogWatcher(current: current, metrics: metrics, everySeconds: configuration.checkSeconds)
  }

  /// Serves requests until the service group stops.
  ///
  /// - Throws: `ServiceError.cannotListen`.
  public func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await watcher.run() }
      group.addTask {
        try await Self.listen(
          application(onListening: onListening),
          at: configuration.host,
          configuration.port
        )
      }
      if let port = configuration.adminPort {
        group.addTask {
          let admin = adminApplication { port in
            logger.notice(
              "serving health, readiness and metrics on the admin port",
              metadata: ["admin": "http://\(configuration.adminHost):\(port)"]
            )
          }
          try await Self.listen(
            admin,
            at: configuration.adminHost,
            port,
            options: "--admin-host, --admin-port"
          )
        }
      }
      for try await _ in group {}
    }
  }

  private static func listen(
    _ application: some ApplicationProtocol,
    at host: String,
    _ port: Int,
    options: String = "--host, --port"
  ) async throws {
    do { try await application.run() } catch {
      if error is ServiceError || error is CancellationError { throw error }
      let reason =
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case is SocketAddressError, is SocketAddressError.UnknownHost: "unknown address"
        default: "\(error)"
        }
      throw ServiceError(
        .cannotListen,
        "cannot listen on \(printable(host)):\(port): \(printable(reason))",
        fix: "use an address of this machine and a free port (\(options))"
      )
    }
  }

  /// Serves requests until the process receives a signal to stop.
  ///
  /// On SIGTERM or SIGINT the service finishes the requests in flight and returns. On SIGHUP it reloads the catalog and
  /// the certificate.
  ///
  /// - Parameters:
  ///   - onListening: Called with the port when the service accepts connections.
  ///   - stopAtOnce: Called to end the process immediately: after a second signal, or if requests take longer than
  ///     ``ServiceConfiguration/stopSeconds``.
  /// - Throws: `ServiceError`.
  public func runUntilStopped(
    onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in },
    stopAtOnce: @escaping @Sendable (_ signal: UnixSignal?) -> Void
  ) async throws {
    var listening = self
    listening.onListening = onListening
    // Without a name, the group would describe the complete service as text.
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: listening, serviceName: "PriceService")],
        logger: logger
      )
    )
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      tasks.addTask {
        var isStopping = false
        for await signal in signals {
          switch signal {
          case .sighup:
            logger.notice("received SIGHUP; reloading the catalog")
            watcher.reload()
            reloadCertificate()
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
            // Draining tells clients to reconnect. Without a drain time, connections are drained only after the socket
            // stops accepting; otherwise clients would reconnect to this process.
            if drainSeconds > 0 { drain.begin() }
            Task.detached {
              try await Task.sleep(for: .seconds(drainSeconds))
              await listener.stopAccepting()
              await group.triggerGracefulShutdown()
              // Do not wait for requests that take longer.
              try await Task.sleep(for: .seconds(seconds))
              PrivateFolder.removeAll()
              stopAtOnce(nil)
            }
          }
        }
      }
      // The group's task ends first: the sequence of signals never ends.
      try await tasks.next()
      tasks.cancelAll()
    }
    // The process may end before the snapshots that own the folders are released.
    PrivateFolder.removeAll()
    logger.notice("stopped")
  }
}
