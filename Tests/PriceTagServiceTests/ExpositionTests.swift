import CoreMetrics
import Testing

@testable import PriceTagService

/// Tests the bytes of the exposition format.
@Suite struct ExpositionTests {
  @Test func writesMetricsInOrder() {
    let metrics = PrometheusMetrics(
      help: ["requests_total": "Requests answered.", "price.age": "Age of the prices,\nin C:\\days."],
      recorderBuckets: [10, 1, 10, .infinity],
      processMetrics: false
    )
    let requests = { Counter(label: "requests", dimensions: $0, factory: metrics) }
    requests([("status", "404"), ("method", "GET")]).increment()
    requests([("status", "200"), ("method", "GET")]).increment(by: 41)
    requests([("method", "GET"), ("status", "200")]).increment()
    FloatingPointCounter(label: "bytes_total", factory: metrics).increment(by: 0.25)
    FloatingPointCounter(label: "bytes_total", factory: metrics).increment(by: 2)
    Gauge(label: "price.age", factory: metrics).record(3)
    let meter = Meter(label: "connections", factory: metrics)
    meter.set(5)
    meter.increment(by: 1.5)
    meter.decrement()
    let rows = Recorder(label: "rows", dimensions: [("le", "x")], factory: metrics)
    for value in [0, 1, 2, 10, 11] { rows.record(value) }
    rows.record(-0.5)
    rows.record(Double.nan)
    Timer(label: "work", factory: metrics).recordNanoseconds(1_500_000_001)
    metrics.gauge("age", help: "Computed.", labels: [("of", "catalog")]) { 1e300 }

    #expect(
      metrics.exposition() == """
        # HELP age Computed.
        # TYPE age gauge
        age{of="catalog"} 1e+300
        # TYPE bytes_total counter
        bytes_total 2.25
        # TYPE connections gauge
        connections 5.5
        # HELP price_age Age of the prices,\\nin C:\\\\days.
        # TYPE price_age gauge
        price_age 3
        # HELP requests_total Requests answered.
        # TYPE requests_total counter
        requests_total{method="GET",status="200"} 42
        requests_total{method="GET",status="404"} 1
        # TYPE rows histogram
        rows_bucket{le_="x",le="1"} 3
        rows_bucket{le_="x",le="10"} 5
        rows_bucket{le_="x",le="+Inf"} 6
        rows_sum{le_="x"} 24
        rows_count{le_="x"} 6
        # TYPE work_seconds histogram
        work_seconds_bucket{le="0.0005"} 0
        work_seconds_bucket{le="0.001"} 0
        work_seconds_bucket{le="0.0025"} 0
        work_seconds_bucket{le="0.005"} 0
        work_seconds_bucket{le="0.01"} 0
        work_seconds_bucket{le="0.025"} 0
        work_seconds_bucket{le="0.05"} 0
        work_seconds_bucket{le="0.1"} 0
        work_seconds_bucket{le="0.25"} 0
        work_seconds_bucket{le="0.5"} 0
        work_seconds_bucket{le="1"} 0
        work_seconds_bucket{le="2.5"} 1
        work_seconds_bucket{le="5"} 1
        work_seconds_bucket{le="10"} 1
        work_seconds_bucket{le="+Inf"} 1
        work_seconds_sum 1.500000001
        work_seconds_count 1

        """
    )
  }

  @Test(arguments: [
    ("plain", "plain"),
    ("a\\b", "a\\\\b"),
    ("say \"hi\"", "say \\\"hi\\\""),
    ("two\nlines", "two\\nlines"),
    ("\\n", "\\\\n"),
    ("tab\tnul\0cr\rdel\u{7F}nel\u{85}", "tab\u{FFFD}nul\u{FFFD}cr\u{FFFD}del\u{FFFD}nel\u{FFFD}"),
    ("ls\u{2028}ps\u{2029}", "ls\u{FFFD}ps\u{FFFD}"),
    ("\r\n", "\u{FFFD}\\n"),
    ("価格 €", "価格 €"),
    ("\"} 1\nfake{a=\"", "\\\"} 1\\nfake{a=\\\""),
    ("", ""),
    (String(repeating: "x", count: 256), String(repeating: "x", count: 256)),
    (String(repeating: "x", count: 257), String(repeating: "x", count: 256) + "…"),
  ])
  func escapesLabelValue(value: String, written: String) {
    let metrics = PrometheusMetrics(processMetrics: false)
    Gauge(label: "g", dimensions: [("a", value)], factory: metrics).record(1)
    #expect(Array(metrics.exposition().utf8) == Array("# TYPE g gauge\ng{a=\"\(written)\"} 1\n".utf8))
  }

  @Test(arguments: [
    ("http.server.requests", "http_server_requests", "http_server_requests"),
    ("a:b", "a:b", "a_b"),
    ("9lives", "_9lives", "_9lives"),
    ("", "_", "_"),
    ("é\n{}", "____", "_"),
    ("__name__", "__name__", "_name__"),
    ("__", "__", "_"),
    ("_a", "_a", "_a"),
  ])
  func makesNamesValid(name: String, metric: String, label: String) {
    #expect(MetricName.metric(name) == metric)
    #expect(MetricName.label(name) == label)
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-17, "-17"), (0.1, "0.1"), (1e15, "1000000000000000"),
      (9_007_199_254_740_992, "9007199254740992"), (1e18, "1000000000000000000"), (1e19, "1e+19"),
      (1e-7, "1e-07"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
    ] as [(Double, String)]
  )
  func formatsNumber(value: Double, text: String) {
    #expect(MetricNumber.text(value) == text)
  }

  @Test(
    arguments: [
      (0, "0"), (1, "0.000000001"), (500_000, "0.0005"), (1_000_000_000, "1"), (61_020_000_000, "61.02"),
      (.max, "18446744073.709551615"),
    ] as [(UInt64, String)]
  )
  func formatsSeconds(nanoseconds: UInt64, text: String) {
    #expect(MetricNumber.seconds(nanoseconds) == text)
  }

  @Test func makesLabelNamesUnique() {
    let metrics = PrometheusMetrics(processMetrics: false)
    Gauge(label: "g", dimensions: [("a.b", "1"), ("a_b", "2"), ("a-b", "3")], factory: metrics).record(1)
    #expect(metrics.exposition() == "# TYPE g gauge\ng{a_b=\"1\",a_b_2=\"2\",a_b_3=\"3\"} 1\n")
  }

  @Test func unicodeEncodingsOfALetterAreDifferentSeries() {
    let metrics = PrometheusMetrics(processMetrics: false)
    for value in ["\u{E9}", "e\u{301}"] {
      Gauge(label: "g", dimensions: [("a", value)], factory: metrics).record(1)
    }
    #expect(metrics.exposition().utf8.count { $0 == 0x0A } == 3)
  }

  @Test func kindsWithSameNameAreDifferentFamilies() {
    let metrics = PrometheusMetrics(processMetrics: false)
    Gauge(label: "x_total", factory: metrics).record(1)
    Counter(label: "x", factory: metrics).increment(by: 2)
    Counter(label: "x", factory: metrics).increment(by: 2)
    Gauge(label: "x_counter_total", factory: metrics).record(9)
    Recorder(label: "y", factory: metrics).record(3)
    Meter(label: "y", factory: metrics).set(4)
    Gauge(label: "y_count", factory: metrics).record(5)
    metrics.gauge("y_gauge", help: "h") { 6 }
    let lines = metrics.exposition().split(separator: "\n").filter { !$0.contains("y_bucket") }
    #expect(
      lines == [
        "# TYPE x_counter_total counter", "x_counter_total 4",
        "# TYPE x_counter_total_gauge gauge", "x_counter_total_gauge 9",
        "# TYPE x_total gauge", "x_total 1",
        "# TYPE y histogram", "y_sum 3", "y_count 1",
        "# TYPE y_count_gauge gauge", "y_count_gauge 5",
        "# TYPE y_gauge gauge", "y_gauge 4",
        "# HELP y_gauge_computed h", "# TYPE y_gauge_computed gauge", "y_gauge_computed 6",
      ]
    )
  }

  @Test func writesProcessMetrics() throws {
    let text = PrometheusMetrics().exposition()
    #if os(Linux)
      func value(_ name: String) throws -> Double {
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name) ") })
        return try #require(Double(line.dropFirst(name.utf8.count + 1)))
      }
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
