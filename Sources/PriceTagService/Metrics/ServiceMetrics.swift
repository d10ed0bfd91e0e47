import HTTPTypes
import Metrics
import PriceTag
import Synchronization

/// The metrics of a service, with their names in Prometheus.
///
/// Sendable notes: a lock protects the dictionaries of series.
final class ServiceMetrics: Sendable {
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
  ]

  private struct RequestKey: Hashable {
    let route: Route?
    let method: String
    let status: Int
  }

  private struct Series {
    var requests: [RequestKey: Counter] = [:]
    var durations: [Route?: Metrics.Timer] = [:]
    var rejected: [String: Counter] = [:]
    var refused: [String: Counter] = [:]
  }

  private let factory: any MetricsFactory
  private let series = Mutex(Series())
  private let formatted: Counter
  private let connections: Meter
  private let age: Meter
  private let products: Meter
  private let inFlight: Meter
  private let lastReload: Meter
  private let lastReloadFailed: Meter
  private let reloads: (served: Counter, refused: Counter)
  private let certificateReloads: (served: Counter, refused: Counter)
  /// The idle connections that were closed for new ones.
  let replacedConnections: Counter
  /// The responses for whose unread rows there was no space.
  let fullSpools: Counter

  init(_ factory: any MetricsFactory) {
    self.factory = factory
    formatted = Counter(label: "pricetag_prices_formatted", factory: factory)
    connections = Meter(label: "pricetag_http_connections", factory: factory)
    age = Meter(label: "pricetag_catalog_age_seconds", factory: factory)
    products = Meter(label: "pricetag_catalog_products", factory: factory)
    inFlight = Meter(label: "pricetag_http_requests_in_flight", factory: factory)
    lastReload = Meter(label: "pricetag_catalog_last_reload_success_timestamp_seconds", factory: factory)
    lastReloadFailed = Meter(label: "pricetag_catalog_last_reload_failed", factory: factory)
    // Create these now: Prometheus cannot compute the rate of a series that starts with its first increment.
    func counter(_ label: String, _ dimensions: (String, String)...) -> Counter {
      Counter(label: label, dimensions: dimensions, factory: factory)
    }
    let (served, refused) = (("result", "served"), ("result", "refused"))
    reloads = (counter("pricetag_catalog_reloads", served), counter("pricetag_catalog_reloads", refused))
    certificateReloads = (counter("pricetag_tls_reloads", served), counter("pricetag_tls_reloads", refused))
    replacedConnections = counter("pricetag_http_connections_replaced")
    fullSpools = counter("pricetag_batch_spool_full")
  }

  /// Counts a request that was answered.
  func count(_ route: Route?, _ method: HTTPRequest.Method, _ status: Int, _ time: Duration) {
    // Clients can send any method, so unknown ones share a label.
    let name = Self.methods.contains(method) ? method.rawValue : "other"
    let key = RequestKey(route: route, method: name, status: status)
    let (counter, timer) = series.withLock { series in
      (
        series.requests[key] ?? makeCounter(key, &series),
        series.durations[route] ?? makeTimer(route, &series)
      )
    }
    counter.increment()
    let (seconds, attoseconds) = time.components
    timer.recordNanoseconds(
      seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ attoseconds / 1_000_000_000
    )
  }

  private static let methods: Set<HTTPRequest.Method> = [
    .get, .head, .post, .put, .delete, .patch, .options, .trace,
  ]

  private func makeCounter(_ key: RequestKey, _ series: inout Series) -> Counter {
    let counter = Counter(
      label: "pricetag_http_requests",
      dimensions: [
        ("route", Self.name(key.route)), ("method", key.method), ("status", String(key.status)),
      ],
      factory: factory
    )
    series.requests[key] = counter
    return counter
  }

  private func makeTimer(_ route: Route?, _ series: inout Series) -> Metrics.Timer {
    let timer = Metrics.Timer(
      label: "pricetag_http_request_duration",
      dimensions: [("route", Self.name(route))],
      factory: factory
    )
    series.durations[route] = timer
    return timer
  }

  private static func name(_ route: Route?) -> String { route?.rawValue ?? "none" }

  /// Counts formatted prices, and rejects by code.
  func count(formatted count: Int, rejected: [String: Int]) {
    formatted.increment(by: count)
    for (code, count) in rejected {
      let counter = series.withLock { series in
        if let existing = series.rejected[code] { return existing }
        let counter = Counter(
          label: "pricetag_prices_rejected",
          dimensions: [("code", code)],
          factory: factory
        )
        series.rejected[code] = counter
        return counter
      }
      counter.increment(by: count)
    }
  }

  /// Counts a request that was refused before it reached a route.
  func count(refused code: String) {
    let counter = series.withLock { series in
      if let existing = series.refused[code] { return existing }
      let counter = Counter(label: "pricetag_http_refusals", dimensions: [("code", code)], factory: factory)
      series.refused[code] = counter
      return counter
    }
    counter.increment()
  }

  /// Counts a connection that opens or closes.
  func count(isOpened: Bool) {
    if isOpened { connections.increment() } else { connections.decrement() }
  }

  /// Records the age and size of the served snapshot.
  func record(_ snapshot: CatalogSnapshot) {
    age.set(HTTPDate.now.seconds - snapshot.loaded)
    products.set(snapshot.productCount)
    lastReload.set(snapshot.loaded)
  }

  /// Counts an attempt to reload the catalog.
  func count(reload succeeded: Bool) {
    (succeeded ? reloads.served : reloads.refused).increment()
    lastReloadFailed.set(succeeded ? 0 : 1)
  }

  /// Counts an attempt to reload the certificate.
  func count(certificateReload succeeded: Bool) {
    (succeeded ? certificateReloads.served : certificateReloads.refused).increment()
  }

  /// Counts a request that begins or ends.
  func countInFlight(_ change: Int) {
    if change > 0 { inFlight.increment() } else { inFlight.decrement() }
  }

  /// Counts a connection that could not be accepted.
  func count(acceptFailure reason: String) {
    Counter(label: "pricetag_http_accept_failures", dimensions: [("reason", reason)], factory: factory)
      .increment()
  }
}

extension PrometheusMetrics {
  /// Registers gauges for the versions, `pricetag_build_info{version="1.0.0",icu="72.1",cldr="42",…} 1`, and for the
  /// workers.
  ///
  /// - Parameter pack: The pack that formats the prices, whose versions have a gauge too; `nil` for ICU.
  func describeBuild(_ pack: Pack?) {
    describe(.current, "pricetag_build_info", help: "1, with the installed versions as labels.")
    if let pack {
      describe(
        pack.writerVersions,
        "pricetag_pack_info",
        help: "1, with the versions that wrote the pack of the prices as labels."
      )
    }
    for kind in Workers.Kind.allCases {
      gauge("pricetag_work_queue_depth", help: "Jobs that wait, by kind.", labels: [("kind", kind.rawValue)])
      {
        Double(Workers.shared.waitingCount(kind))
      }
    }
    computed(
      "pricetag_work_canceled_total",
      .computedCounter,
      help: "Jobs canceled because their client was gone.",
      labels: []
    ) { Double(Workers.shared.canceledCount) }
  }

  /// Registers metrics of the configuration and of what the log has lost.
  func describeLimits(_ configuration: ServiceConfiguration, _ certificate: (any ConnectionCertificate)?) {
    gauge("pricetag_http_connections_max", help: "Maximum number of open connections.") {
      Double(configuration.connections)
    }
    computed(
      "pricetag_log_dropped_lines_total",
      .computedCounter,
      help: "Log lines dropped, because the log is read too slowly or cannot be written.",
      labels: []
    ) { Double(LogSink.droppedLineCount.load(ordering: .relaxed)) }
    guard let certificate else { return }
    gauge("pricetag_tls_certificate_expiry_days", help: "Days until the certificate expires.") {
      Double(certificate.expirySeconds - HTTPDate.now.seconds) / 86_400
    }
  }

  private func describe(_ versions: Versions, _ name: String, help: String) {
    gauge(
      name,
      help: help,
      labels: [
        ("version", versions.priceTag), ("icu", versions.icu), ("cldr", versions.cldr),
        ("unicode", versions.unicode),
      ]
    ) { 1 }
  }
}
