import HTTPTypes
import Metrics
import PriceTag
import Synchronization

/// What a service counts, by the names that Prometheus knows it by.
///
/// Sendable notes: a series is made once, and found under a lock.
final class ServiceMetrics: Sendable {
  /// What each series says, for the exposition.
  static let help = [
    "pricetag_http_requests_total": "Requests answered, by route, method and status.",
    "pricetag_http_request_duration_seconds": "Time from a request's head to its answer's, by route.",
    "pricetag_http_refusals_total": "Requests refused before they were whole, by code.",
    "pricetag_http_connections": "Open connections.",
    "pricetag_http_requests_in_flight": "Requests that have begun and are not answered to their end.",
    "pricetag_http_accept_failures_total": "Connections that could not be accepted, by reason.",
    "pricetag_tls_reloads_total": "Attempts to read the certificate again, by result.",
    "pricetag_catalog_last_reload_success_timestamp_seconds":
      "When the catalog that is served was read, in seconds since 1970.",
    "pricetag_catalog_last_reload_failed": "1 where the newest catalog was refused, else 0.",
    "pricetag_prices_formatted_total": "Prices written.",
    "pricetag_prices_rejected_total": "Rows and products that no price was written for, by code.",
    "pricetag_catalog_age_seconds": "Seconds since the catalogue was read.",
    "pricetag_catalog_products": "Products of the catalogue.",
    "pricetag_catalog_reloads_total": "Attempts to read a new catalogue, by result.",
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

  init(_ factory: any MetricsFactory) {
    self.factory = factory
    formatted = Counter(label: "pricetag_prices_formatted", factory: factory)
    connections = Meter(label: "pricetag_http_connections", factory: factory)
    age = Meter(label: "pricetag_catalog_age_seconds", factory: factory)
    products = Meter(label: "pricetag_catalog_products", factory: factory)
    inFlight = Meter(label: "pricetag_http_requests_in_flight", factory: factory)
    lastReload = Meter(label: "pricetag_catalog_last_reload_success_timestamp_seconds", factory: factory)
    lastReloadFailed = Meter(label: "pricetag_catalog_last_reload_failed", factory: factory)
    // They exist from the start, so that a rate over the first of them is no gap.
    let reloads = ["served", "refused"].map {
      Counter(label: "pricetag_catalog_reloads", dimensions: [("result", $0)], factory: factory)
    }
    self.reloads = (reloads[0], reloads[1])
  }

  /// Counts a request that was answered.
  func count(_ route: Route?, _ method: HTTPRequest.Method, _ status: Int, _ time: Duration) {
    // A method is a client's text: those that nobody knows are one.
    let name = Self.methods.contains(method) ? method.rawValue : "other"
    let key = RequestKey(route: route, method: name, status: status)
    let (counter, timer) = series.withLock { series in
      (
        series.requests[key] ?? made(key, &series),
        series.durations[route] ?? madeTimer(route, &series)
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

  private func made(_ key: RequestKey, _ series: inout Series) -> Counter {
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

  private func madeTimer(_ route: Route?, _ series: inout Series) -> Metrics.Timer {
    let timer = Metrics.Timer(
      label: "pricetag_http_request_duration",
      dimensions: [("route", Self.name(route))],
      factory: factory
    )
    series.durations[route] = timer
    return timer
  }

  private static func name(_ route: Route?) -> String { route?.rawValue ?? "none" }

  /// Counts prices, and by its code what none was written for.
  func count(formatted count: Int, setAside: [String: Int]) {
    formatted.increment(by: count)
    for (code, count) in setAside {
      let counter = series.withLock { series in
        if let known = series.rejected[code] { return known }
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

  /// Counts a request that was refused before it was whole.
  func count(refused code: String) {
    let counter = series.withLock { series in
      if let known = series.refused[code] { return known }
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

  /// Tells which catalogue is served.
  func tell(_ shop: ServedShop) {
    age.set(HTTPDate.now.seconds - shop.loaded)
    products.set(shop.productCount)
    lastReload.set(shop.loaded)
  }

  func count(reload succeeded: Bool) {
    (succeeded ? reloads.served : reloads.refused).increment()
    lastReloadFailed.set(succeeded ? 0 : 1)
  }

  /// Counts an attempt to read the certificate again.
  func count(certificateReload succeeded: Bool) {
    Counter(
      label: "pricetag_tls_reloads",
      dimensions: [("result", succeeded ? "served" : "refused")],
      factory: factory
    ).increment()
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
  /// Registers what was built: `pricetag_build_info{version="1.0.0",icu="72.1",cldr="42"} 1`, and how many requests wait
  /// for a thread.
  func describeBuild() {
    let versions = Versions.current
    gauge(
      "pricetag_build_info",
      help: "1, with the versions that the service was built of.",
      labels: [
        ("version", versions.priceTag), ("icu", versions.icu), ("cldr", versions.cldr),
        ("unicode", versions.unicode),
      ]
    ) { 1 }
    gauge("pricetag_work_queue_depth", help: "Pieces of long work that wait for their next turn.", labels: [])
    {
      Double(Workers.shared.waitingCount)
    }
  }
}
