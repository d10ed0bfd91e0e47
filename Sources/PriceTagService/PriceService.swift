import Hummingbird
import HummingbirdCore
import Logging
import Metrics
import NIOCore
import PriceTag
import PriceTagHTTPGuard
import PriceTagText
import ServiceLifecycle
import UnixSignals

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
  private let certificate: ServerCertificate?

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
    let log = configuration.accessLog.flatMap { AccessLog($0, logger) }
    try self.init(source, configuration, logger: logger, metrics: metrics, accessLog: log)
  }

  /// With an access log that goes elsewhere.
  init(
    _ source: ShopSource,
    _ configuration: ServiceConfiguration,
    logger: Logger,
    metrics: PrometheusMetrics,
    accessLog: AccessLog?
  ) throws(ServiceError) {
    (self.configuration, self.logger) = (configuration, logger)
    self.metrics = ServiceMetrics(metrics)
    current = try CurrentShop(
      source,
      logger,
      CurrentShop.Rules(
        settleSeconds: configuration.settleSeconds,
        allowsShrinking: configuration.allowsShrinking
      )
    )
    self.metrics.tell(current.shop)
    responder = ServiceResponder(source, configuration, current, self.metrics) { metrics.exposition() }
    certificate = try configuration.tls.map { (files) throws(ServiceError) in try ServerCertificate(files) }
    server =
      PublicServer(configuration, responder, drain, self.metrics, certificate, accessLog, logger).builder
    for part in source.templates.refusedByPolicy {
      logger.warning(
        "browsers refuse a part of a template; move it into store.js or store.css",
        metadata: ["part": "\(part)"]
      )
    }
    metrics.describeBuild()
    DescriptorLimit.warn(logger, connections: configuration.connections)
  }

  /// A backend for metrics that knows what a service counts.
  public static func makeMetrics() -> PrometheusMetrics { PrometheusMetrics(help: ServiceMetrics.help) }

  // MARK: Running

  /// What answers, to be run by itself or in tests.
  ///
  /// - Parameter onListening: Is told the port, once requests can come.
  public func application(
    onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    var responder = responder
    if configuration.adminPort != nil { responder.surface = .shop }
    return Application(
      responder: responder,
      server: server,
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port),
        backlog: 1024,
        availableConnectionsDelegate: MaximumAvailableConnections(configuration.connections)
      ),
      onServerRunning: { [listener] channel in
        listener.set(channel)
        watchAccepts(of: channel)
        await onListening(channel.localAddress?.port ?? 0)
      },
      logger: logger
    )
  }

  /// Creates what answers on the admin port: `/health`, `/ready` and `/metrics`, for this network's own.
  ///
  /// - Parameter onListening: Is told the port, once requests can come.
  public func adminApplication(
    onListening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) -> some ApplicationProtocol {
    var responder = responder
    responder.surface = .operation
    return Application(
      responder: responder,
      server: PublicServer.adminBuilder(configuration.limits, drain),
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.adminHost, port: configuration.adminPort ?? 0),
        availableConnectionsDelegate: MaximumAvailableConnections(Self.adminConnections)
      ),
      onServerRunning: { channel in await onListening(channel.localAddress?.port ?? 0) },
      logger: logger
    )
  }

  /// Probes and scrapes are few.
  private static let adminConnections = 100

  /// Logs and counts what cannot be accepted.
  private func watchAccepts(of channel: any Channel) {
    let (metrics, logger) = (metrics, logger)
    channel.eventLoop.execute {
      try? channel.pipeline.syncOperations.addHandler(AcceptFailureHandler(metrics, logger), position: .first)
    }
  }

  /// Reads the certificate again, for connections that open from now on.
  private func reloadCertificate() {
    guard let certificate else { return }
    metrics.count(certificateReload: certificate.reload(logger))
  }

  var watch: ShopWatch {
    ShopWatch(current: current, metrics: metrics, everySeconds: configuration.checkSeconds)
  }

  /// Serves until the group that it runs in stops.
  ///
  /// - Throws: `ServiceError.cannotListen`.
  public func run() async throws { try await run { _ in } }

  private func run(onListening: @escaping @Sendable (Int) async -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await watch.run() }
      group.addTask {
        try await Self.listen(
          application(onListening: onListening),
          at: configuration.host,
          configuration.port
        )
      }
      var count = 2
      if let port = configuration.adminPort {
        count += 1
        group.addTask {
          let admin = adminApplication { port in
            logger.notice(
              "health, readiness and metrics are served on the admin port",
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
      for _ in 0..<count { try await group.next() }
    }
  }

  private static func listen(
    _ application: some ApplicationProtocol,
    at host: String,
    _ port: Int,
    options: String = "--host, --port"
  ) async throws {
    do { try await application.run() } catch let error as ServiceError {
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
        "nothing can listen at \(printable(host)):\(port): \(printable(reason))",
        fix: "give an address of this machine and a port that is free (\(options))"
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
