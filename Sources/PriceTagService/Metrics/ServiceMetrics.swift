import HTTPTypes
import Metrics
import PriceTag
import Synchronization

/// The metrics of a service, with their names in Prometheus. A program with a metrics backend has them there too, except those
/// of the process.
///
/// All values of labels are the service's own, so that clients cannot exhaust the memory with new ones.
package final class ServiceMetrics: Sendable {
  /// The help texts of the metrics.
  static let help = [
    "pricetag_http_requests_total": "Requests answered, by route, method and status.",
    "pricetag_http_request_duration_seconds":
      "Time from the head of a request to the head of its response, by route.",
    "pricetag_http_refusals_total": "Requests refused before they reached a route, by code.",
    "pricetag_http_connections": "Open connections.",
    "pricetag_http_connections_replaced_total":
      "Idle connections closed for new ones, because the maximum number was open.",
    "pricetag_http_requests_in_flight": "Requests that have started and whose response is not complete.",
    "pricetag_http_accept_failures_total": "Connections that could not be accepted, by reason.",
    "pricetag_tls_reloads_total": "Attempts to reload the certificate, by result.",
    "pricetag_catalog_last_reload_success_timestamp_seconds":
      "Time at which the served catalog was loaded, in seconds since 1970.",
    "pricetag_catalog_last_reload_failed": "1 if the last reload of the catalog failed, otherwise 0.",
    "pricetag_batch_spool_full_total":
      "Responses of /v1/batch for whose unread rows there was no space.",
    "pricetag_prices_formatted_total": "Prices formatted.",
    "pricetag_prices_rejected_total": "Rows and products rejected, by code.",
    "pricetag_catalog_age_seconds": "Seconds since the served catalog was loaded.",
    "pricetag_catalog_products": "Products in the served catalog.",
    "pricetag_catalog_reloads_total": "Attempts to reload the catalog, by result.",
    "pricetag_build_info": "1, with the installed versions as labels.",
    "pricetag_pack_info": "1, with the versions that wrote the pack of the prices as labels.",
    "pricetag_work_queue_depth": "Jobs that wait, by kind.",
    "pricetag_work_canceled_total": "Jobs canceled because their client was gone.",
    "pricetag_http_connections_max": "Maximum number of open connections.",
    "pricetag_log_dropped_lines_total":
      "Log lines dropped, because the log is read too slowly or cannot be written.",
    "pricetag_tls_certificate_expiry_days": "Days until the certificate expires.",
  ]

  private struct RequestKey: Hashable {
    let route: Route?
    let method: String
    let status: Int
  }

  private let exposition: PrometheusText
  private let factory: any MetricsFactory
  private let certificate: (any ConnectionCertificate)?
  private let requests = Mutex<[RequestKey: (count: Counter, duration: Metrics.Timer)]>([:])
  private let formatted: Counter
  private let lastReloadFailed: Meter
  /// The numbers of the process that the counters have so far.
  private let counted = Mutex((canceledJobs: 0, droppedLogLines: 0))
  /// The open connections.
  let connections: Meter
  /// The requests that have started and whose response is not complete.
  let inFlight: Meter
  /// The idle connections that were closed for new ones.
  let replacedConnections: Counter
  /// The responses for whose unread rows there was no space.
  let fullSpools: Counter

  /// - Parameters:
  ///   - configuration: The configuration, whose limits have metrics.
  ///   - pack: The pack that formats the prices, whose versions have a metric; `nil` for ICU.
  ///   - certificate: The certificate, whose expiry has a metric; `nil` without TLS.
  ///   - backend: The backend of the program.
  init(
    _ configuration: ServiceConfiguration = ServiceConfiguration(),
    pack: Pack? = nil,
    certificate: (any ConnectionCertificate)? = nil,
    backend: any MetricsFactory = MetricsSystem.factory
  ) {
    self.certificate = certificate
    exposition = PrometheusText(help: Self.help)
    let factory = MultiplexMetricsHandler(factories: [exposition, backend])
    self.factory = factory
    formatted = factory.counter("pricetag_prices_formatted")
    connections = factory.meter("pricetag_http_connections")
    inFlight = factory.meter("pricetag_http_requests_in_flight")
    lastReloadFailed = factory.meter("pricetag_catalog_last_reload_failed")
    replacedConnections = factory.counter("pricetag_http_connections_replaced")
    fullSpools = factory.counter("pricetag_batch_spool_full")
    // Create these now: Prometheus cannot compute the rate of a series that starts with its first increment.
    for result in ["served", "refused"] {
      _ = factory.counter("pricetag_catalog_reloads", ("result", result))
      _ = factory.counter("pricetag_tls_reloads", ("result", result))
    }
    factory.meter("pricetag_http_connections_max").set(configuration.connections)
    let installed: (String, Versions?) = ("pricetag_build_info", .current)
    for (name, versions) in [installed, ("pricetag_pack_info", pack?.writerVersions)] {
      guard let versions else { continue }
      factory.meter(
        name,
        ("version", versions.priceTag),
        ("icu", versions.icu),
        ("cldr", versions.cldr),
        ("unicode", versions.unicode)
      ).set(1)
    }
  }

  /// The metrics in Prometheus's text format.
  package var text: String { exposition.text + ProcessMetrics.text }

  /// Counts a request that was answered.
  func count(_ route: Route?, _ method: HTTPRequest.Method, _ status: Int, _ time: Duration) {
    // Clients can send any method, so unknown ones share a label.
    let name = Self.methods.contains(method) ? method.rawValue : "other"
    let key = RequestKey(route: route, method: name, status: status)
    let (count, duration) = requests.withLock { requests in
      if let existing = requests[key] { return existing }
      let route = ("route", route?.rawValue ?? "none")
      let new = (
        count: factory.counter("pricetag_http_requests", route, ("method", name), ("status", String(status))),
        duration: Metrics.Timer(
          label: "pricetag_http_request_duration",
          dimensions: [route],
          factory: factory
        )
      )
      requests[key] = new
      return new
    }
    count.increment()
    duration.record(duration: time)
  }

  private static let methods: Set<HTTPRequest.Method> = [
    .get, .head, .post, .put, .delete, .patch, .options, .trace,
  ]

  /// Counts formatted prices, and rejects by code.
  func count(formatted count: Int, rejected: [String: Int]) {
    formatted.increment(by: count)
    for (code, count) in rejected {
      factory.counter("pricetag_prices_rejected", ("code", code)).increment(by: count)
    }
  }

  /// Counts a request that was refused before it reached a route.
  func count(refused code: String) { factory.counter("pricetag_http_refusals", ("code", code)).increment() }

  /// Records the age and size of the served snapshot, and what no event reports.
  func record(_ snapshot: CatalogSnapshot) {
    let now = HTTPDate.now.seconds
    factory.meter("pricetag_catalog_age_seconds").set(now - snapshot.loaded)
    factory.meter("pricetag_catalog_products").set(snapshot.productCount)
    factory.meter("pricetag_catalog_last_reload_success_timestamp_seconds").set(snapshot.loaded)
    for kind in Workers.Kind.allCases {
      factory.meter("pricetag_work_queue_depth", ("kind", kind.rawValue))
        .set(Workers.shared.waitingCount(kind))
    }
    counted.withLock { counted in
      let current = (Workers.shared.canceledCount, LogSink.droppedLineCount.load(ordering: .relaxed))
      factory.counter("pricetag_work_canceled").increment(by: current.0 - counted.canceledJobs)
      factory.counter("pricetag_log_dropped_lines").increment(by: current.1 - counted.droppedLogLines)
      counted = current
    }
    if let certificate {
      factory.meter("pricetag_tls_certificate_expiry_days")
        .set(Double(certificate.expirySeconds - now) / 86_400)
    }
  }

  /// Counts an attempt to reload the catalog.
  func count(reload succeeded: Bool) {
    factory.counter("pricetag_catalog_reloads", ("result", succeeded ? "served" : "refused")).increment()
    lastReloadFailed.set(succeeded ? 0 : 1)
  }

  /// Counts an attempt to reload the certificate.
  func count(certificateReload succeeded: Bool) {
    factory.counter("pricetag_tls_reloads", ("result", succeeded ? "served" : "refused")).increment()
  }

  /// Counts a connection that could not be accepted.
  func count(acceptFailure reason: String) {
    factory.counter("pricetag_http_accept_failures", ("reason", reason)).increment()
  }
}

extension MetricsFactory {
  fileprivate func counter(_ label: String, _ dimensions: (String, String)...) -> Counter {
    Counter(label: label, dimensions: dimensions, factory: self)
  }

  fileprivate func meter(_ label: String, _ dimensions: (String, String)...) -> Meter {
    Meter(label: label, dimensions: dimensions, factory: self)
  }
}
