import HTTPTypes
import Logging
import Metrics
import NIOCore
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests the set of a service's metrics.
@Suite struct ServiceMetricsTests {
  /// A certificate that expires ten days after 1970-01-01.
  private struct Certificate: ConnectionCertificate {
    var expirySeconds: Int { 864_000 }
    func addHandlers(to channel: any Channel) {}
    func reload(_ logger: Logger) -> Bool { true }
  }

  /// Returns the names of samples with the names of their labels.
  private static func series(_ text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix("process_") }.map { line in
        String(line[..<(line.lastIndex(of: " ") ?? line.endIndex)]).replacing(/="[^"]*"/, with: "")
      }
    )
  }

  /// The metrics with their types and the names of their labels. They are part of the service's interface.
  static let families: [(name: String, type: String, labels: String)] = [
    ("pricetag_batch_spool_full_total", "counter", ""),
    ("pricetag_build_info", "gauge", "{cldr,icu,unicode,version}"),
    ("pricetag_catalog_age_seconds", "gauge", ""),
    ("pricetag_catalog_last_reload_failed", "gauge", ""),
    ("pricetag_catalog_last_reload_success_timestamp_seconds", "gauge", ""),
    ("pricetag_catalog_products", "gauge", ""),
    ("pricetag_catalog_reloads_total", "counter", "{result}"),
    ("pricetag_http_accept_failures_total", "counter", "{reason}"),
    ("pricetag_http_connections", "gauge", ""),
    ("pricetag_http_connections_max", "gauge", ""),
    ("pricetag_http_connections_replaced_total", "counter", ""),
    ("pricetag_http_refusals_total", "counter", "{code}"),
    ("pricetag_http_request_duration_seconds", "histogram", "{route}"),
    ("pricetag_http_requests_in_flight", "gauge", ""),
    ("pricetag_http_requests_total", "counter", "{method,route,status}"),
    ("pricetag_log_dropped_lines_total", "counter", ""),
    ("pricetag_prices_formatted_total", "counter", ""),
    ("pricetag_prices_rejected_total", "counter", "{code}"),
    ("pricetag_tls_certificate_expiry_days", "gauge", ""),
    ("pricetag_tls_reloads_total", "counter", "{result}"),
    ("pricetag_work_canceled_total", "counter", ""),
    ("pricetag_work_queue_depth", "gauge", "{kind}"),
  ]

  /// All metrics are at `/metrics` with a help text, and in the program's own backend.
  @Test func hasFixedSetOfMetrics() throws {
    let program = PrometheusText(help: ServiceMetrics.help)
    let metrics = ServiceMetrics(certificate: Certificate(), backend: program)
    metrics.count(.storefront, .get, 200, .milliseconds(2))
    metrics.count(formatted: 3, rejected: ["unknown-currency": 2])
    metrics.count(refused: "invalid-host")
    metrics.count(acceptFailure: "descriptors")
    let fixture = try ServiceFixture()
    metrics.record(try CurrentSnapshot(fixture.source(), .silent).snapshot)

    let text = metrics.text
    #expect(text.hasPrefix(program.text))
    let headers = text.split(separator: "\n").filter { $0.hasPrefix("# ") && !$0.contains(" process_") }
    let expected = Self.families.flatMap { family in
      [
        "# HELP \(family.name) \(ServiceMetrics.help[family.name] ?? "")",
        "# TYPE \(family.name) \(family.type)",
      ]
    }
    #expect(headers.map { String($0) } == expected)
    let labels = Self.families.filter { $0.type != "histogram" }.map { $0.name + $0.labels }
    let duration = "pricetag_http_request_duration_seconds"
    let histogram = ["_bucket{route,le}", "_sum{route}", "_count{route}"].map { duration + $0 }
    #expect(Self.series(text) == Set(labels + histogram))
    for line in [
      "pricetag_http_requests_total{method=\"GET\",route=\"/v1/storefronts/{id}\",status=\"200\"} 1",
      "pricetag_http_request_duration_seconds_sum{route=\"/v1/storefronts/{id}\"} 0.002",
      "pricetag_prices_formatted_total 3", "pricetag_prices_rejected_total{code=\"unknown-currency\"} 2",
      "pricetag_catalog_products 2", "pricetag_http_connections_max 10000",
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line)")
    }
  }

  /// Clients can send any method and path, and cannot add series.
  @Test func clientsCannotAddSeries() {
    let metrics = ServiceMetrics()
    for number in 1...1_000 {
      guard let method = HTTPRequest.Method("M\(number)") else { continue }
      metrics.count(nil, method, 405, .zero)
    }
    let samples = metrics.text.split(separator: "\n").filter { $0.hasPrefix("pricetag_http_requests_total") }
    #expect(samples == ["pricetag_http_requests_total{method=\"other\",route=\"none\",status=\"405\"} 1000"])
  }

  /// The numbers of the process are counted once, however often they are read.
  @Test func numbersOfTheProcessAreCountedOnce() throws {
    let fixture = try ServiceFixture()
    let snapshot = try CurrentSnapshot(fixture.source(), .silent).snapshot
    let metrics = ServiceMetrics()
    for _ in 0..<3 { metrics.record(snapshot) }
    let (canceled, dropped) = (
      try Self.value("pricetag_work_canceled_total", in: metrics.text),
      try Self.value("pricetag_log_dropped_lines_total", in: metrics.text)
    )
    // Other tests may have added to them since.
    #expect(canceled <= Double(Workers.shared.canceledCount))
    #expect(dropped <= Double(LogSink.droppedLineCount.load(ordering: .relaxed)))
  }

  /// Returns the value of a metric without labels.
  private static func value(_ name: String, in text: String) throws -> Double {
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name) ") })
    return try #require(Double(line.dropFirst(name.utf8.count + 1)))
  }

  @Test func writesProcessMetrics() throws {
    let text = ProcessMetrics.text
    #if os(Linux)
      func value(_ name: String) throws -> Double { try Self.value(name, in: text) }
      #expect(try value("process_resident_memory_bytes") > 1_000_000)
      #expect(try (3...10_000).contains(value("process_open_fds")))
      #expect(try (0...100_000).contains(value("process_cpu_seconds_total")))
      let age = Double(LogTime.now().milliseconds) / 1_000 - (try value("process_start_time_seconds"))
      #expect((-1...100_000).contains(age))
      #expect(text.contains("# TYPE process_cpu_seconds_total counter\n"))
    #else
      #expect(text.isEmpty)
    #endif
  }
}
