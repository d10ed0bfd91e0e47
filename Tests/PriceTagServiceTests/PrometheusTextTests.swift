import Metrics
import Testing

@testable import PriceTagService

/// Tests the bytes of Prometheus's text format.
@Suite struct PrometheusTextTests {
  private static func samples(_ metrics: PrometheusText) -> [Substring] {
    metrics.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  @Test func writesMetricsInOrder() {
    let metrics = PrometheusText(help: ["requests_total": "Requests answered.", "age": "Age in days."])
    let requests = { Counter(label: "requests", dimensions: $0, factory: metrics) }
    requests([("status", "404"), ("method", "GET")]).increment()
    requests([("status", "200"), ("method", "GET")]).increment(by: 41)
    requests([("method", "GET"), ("status", "200")]).increment()
    Meter(label: "age", factory: metrics).set(0.25)
    let meter = Meter(label: "connections", factory: metrics)
    meter.set(5)
    meter.increment()
    meter.decrement(by: 2)
    let dimensions = [("route", "/v1/storefronts/{id}")]
    Timer(label: "work", dimensions: dimensions, factory: metrics).recordNanoseconds(1_500_000_001)

    #expect(
      metrics.text == """
        # HELP age Age in days.
        # TYPE age gauge
        age 0.25
        # TYPE connections gauge
        connections 4
        # HELP requests_total Requests answered.
        # TYPE requests_total counter
        requests_total{method="GET",status="200"} 42
        requests_total{method="GET",status="404"} 1
        # TYPE work_seconds histogram
        work_seconds_bucket{route="/v1/storefronts/{id}",le="0.0005"} 0
        work_seconds_bucket{route="/v1/storefronts/{id}",le="0.001"} 0
        work_seconds_bucket{route="/v1/storefronts/{id}",le="0.0025"} 0
        work_seconds_bucket{route="/v1/storefronts/{id}",le="0.005"} 0
        work_seconds_bucket{route="/v1/storefronts/{id}",le="0.01"} 0
        work_seconds_bucket{route="/v1/storefronts/{id}",le="0.025"} 0
        work_seconds_bucket{route="/v1/storefronts/{id}",le="0.05"} 0
        work_seconds_bucket{route="/v1/storefronts/{id}",le="0.1"} 0
        work_seconds_bucket{route="/v1/storefronts/{id}",le="0.25"} 0
        work_seconds_bucket{route="/v1/storefronts/{id}",le="0.5"} 0
        work_seconds_bucket{route="/v1/storefronts/{id}",le="1"} 0
        work_seconds_bucket{route="/v1/storefronts/{id}",le="2.5"} 1
        work_seconds_bucket{route="/v1/storefronts/{id}",le="5"} 1
        work_seconds_bucket{route="/v1/storefronts/{id}",le="10"} 1
        work_seconds_bucket{route="/v1/storefronts/{id}",le="+Inf"} 1
        work_seconds_sum{route="/v1/storefronts/{id}"} 1.500000001
        work_seconds_count{route="/v1/storefronts/{id}"} 1

        """
    )
  }

  /// The versions of a pack come from its file.
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
  ])
  func escapesLabelValue(value: String, written: String) {
    let metrics = PrometheusText()
    Meter(label: "g", dimensions: [("a", value)], factory: metrics).set(1)
    #expect(Array(metrics.text.utf8) == Array("# TYPE g gauge\ng{a=\"\(written)\"} 1\n".utf8))
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-17, "-17"), (0.1, "0.1"), (1e15, "1000000000000000"),
      (9_007_199_254_740_992, "9007199254740992"), (1e18, "1000000000000000000"), (1e19, "1e+19"),
      (1e-7, "1e-07"),
    ] as [(Double, String)]
  )
  func formatsNumber(value: Double, text: String) {
    #expect(PrometheusText.text(of: value) == text)
  }

  @Test(
    arguments: [
      (0, "0"), (1, "0.000000001"), (500_000, "0.0005"), (1_000_000_000, "1"), (61_020_000_000, "61.02"),
      (.max, "18446744073.709551615"),
    ] as [(UInt64, String)]
  )
  func formatsSeconds(nanoseconds: UInt64, text: String) {
    #expect(PrometheusText.seconds(nanoseconds) == text)
  }

  /// Durations in nanoseconds, and the first bucket that contains them.
  @Test(
    arguments: [
      (Int64.min, "0.0005"), (-1, "0.0005"), (0, "0.0005"), (500_000, "0.0005"), (500_001, "0.001"),
      (1_000_000, "0.001"), (1_000_001, "0.0025"), (2_500_000, "0.0025"), (5_000_000, "0.005"),
      (10_000_000, "0.01"), (25_000_000, "0.025"), (50_000_000, "0.05"), (100_000_000, "0.1"),
      (100_000_001, "0.25"), (250_000_000, "0.25"), (500_000_000, "0.5"), (1_000_000_000, "1"),
      (2_500_000_000, "2.5"), (5_000_000_000, "5"), (10_000_000_000, "10"), (10_000_000_001, "+Inf"),
      (.max, "+Inf"),
    ] as [(Int64, String)]
  )
  func bucketIncludesItsBoundary(nanoseconds: Int64, first: String) {
    let metrics = PrometheusText()
    Timer(label: "t", factory: metrics).recordNanoseconds(nanoseconds)
    let filled = Self.samples(metrics).first { $0.contains("_bucket") && $0.hasSuffix(" 1") }
    #expect(filled == "t_seconds_bucket{le=\"\(first)\"} 1")
  }

  @Test func concurrentCountsAddUp() async {
    let metrics = PrometheusText()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          for number in 0..<5_000 {
            Counter(label: "c", dimensions: [("a", "\(number % 10)")], factory: metrics).increment()
            Timer(label: "t", factory: metrics).recordNanoseconds(1_000)
            let meter = Meter(label: "m", factory: metrics)
            meter.increment(by: 2)
            meter.decrement(by: 1)
            if number % 1_000 == 0 { _ = metrics.text }
          }
        }
      }
    }
    let samples = Self.samples(metrics)
    #expect(samples.filter { $0.hasPrefix("c_total{") && $0.hasSuffix(" 8000") }.count == 10)
    for sample in ["t_seconds_count 80000", "t_seconds_sum 0.08", "m 80000"] as [Substring] {
      #expect(samples.contains(sample), "\(sample)")
    }
  }
}
