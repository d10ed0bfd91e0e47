import HTTPTypes
import Metrics
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

  init(_ factory: any MetricsFactory) {
    self.factory = factory
    formatted = Counter(label: "pricetag_prices_formatted", factory: factory)
    connections = Meter(label: "pricetag_http_connections", factory: factory)
    age = Meter(label: "pricetag_catalog_age_seconds", factory: factory)
    products = Meter(label: "pricetag_catalog_products", factory: factory)
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
  }

  func count(reload succeeded: Bool) {
    Counter(
      label: "pricetag_catalog_reloads",
      dimensions: [("result", succeeded ? "served" : "refused")],
      factory: factory
    ).increment()
  }
}
