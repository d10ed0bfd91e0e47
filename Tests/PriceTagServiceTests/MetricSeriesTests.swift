import CoreMetrics
import Testing

@testable import PriceTagService

/// Tests the values of metric series.
@Suite struct MetricSeriesTests {
  private static func samples(_ metrics: PrometheusMetrics) -> [Substring] {
    metrics.exposition().split(separator: "\n").filter { !$0.hasPrefix("#") }
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
    let metrics = PrometheusMetrics(processMetrics: false)
    Timer(label: "t", factory: metrics).recordNanoseconds(nanoseconds)
    let filled = Self.samples(metrics).first { $0.contains("_bucket") && $0.hasSuffix(" 1") }
    #expect(filled == "t_seconds_bucket{le=\"\(first)\"} 1")
  }

  @Test func sumsSaturate() {
    let metrics = PrometheusMetrics(processMetrics: false)
    let timer = metrics.makeTimer(label: "t", dimensions: [])
    let counter = Counter(label: "c", factory: metrics)
    for _ in 0..<3 {
      timer.recordNanoseconds(.max)
      counter.increment(by: Int64.max)
    }
    let samples = Self.samples(metrics)
    #expect(samples.contains("t_seconds_sum 18446744073.709551615"))
    #expect(samples.contains("c_total 18446744073709551615"))
  }

  @Test func counterNeverDecreases() {
    let metrics = PrometheusMetrics(processMetrics: false)
    let counter = Counter(label: "c", factory: metrics)
    let fractions = FloatingPointCounter(label: "c", factory: metrics)
    counter.increment(by: 3)
    counter.increment(by: -1)
    for amount in [-1, .nan, .infinity, -.infinity] as [Double] { fractions.increment(by: amount) }
    #expect(Self.samples(metrics) == ["c_total 3"])
    counter.reset()
    #expect(Self.samples(metrics) == ["c_total 0"])
  }

  @Test func gaugeIgnoresNonFiniteIncrements() {
    let metrics = PrometheusMetrics(processMetrics: false)
    let meter = Meter(label: "m", factory: metrics)
    meter.set(2)
    for amount in [Double.nan, .infinity] { meter.increment(by: amount) }
    meter.decrement(by: Double.infinity)
    #expect(Self.samples(metrics) == ["m 2"])
    meter.set(-Double.infinity)
    #expect(Self.samples(metrics) == ["m -Inf"])
  }

  @Test func seriesBeyondLimitShareOne() {
    let metrics = PrometheusMetrics(seriesLimit: 3, processMetrics: false)
    for path in 1...1_000 {
      Counter(label: "c", dimensions: [("path", "\(path)")], factory: metrics).increment()
      Timer(label: "t", dimensions: [("path", "\(path)")], factory: metrics).recordSeconds(1)
    }
    let samples = Self.samples(metrics)
    #expect(
      samples.filter { $0.hasPrefix("c") } == [
        "c_total{overflow=\"true\"} 997", "c_total{path=\"1\"} 1", "c_total{path=\"2\"} 1",
        "c_total{path=\"3\"} 1",
      ]
    )
    #expect(samples.filter { $0.hasPrefix("t_seconds_count") }.count == 4)
    #expect(samples.contains("t_seconds_count{overflow=\"true\"} 997"))
  }

  @Test func defaultLimitIs1000() {
    let metrics = PrometheusMetrics(processMetrics: false)
    for path in 1...2_000 {
      Gauge(label: "g", dimensions: [("path", "\(path)")], factory: metrics).record(1)
    }
    #expect(Self.samples(metrics).count == 1_001)
  }

  @Test func destroyedSeriesAreRemoved() {
    let metrics = PrometheusMetrics(seriesLimit: 1, processMetrics: false)
    let first = Counter(label: "c", dimensions: [("a", "1")], factory: metrics)
    let shared = Counter(label: "c", dimensions: [("a", "2")], factory: metrics)
    shared.increment()
    first.destroy()
    // The overflow series stays, because others may use it.
    shared.destroy()
    first.increment()
    #expect(Self.samples(metrics) == ["c_total{overflow=\"true\"} 1"])
    let again = Timer(label: "t", factory: metrics)
    again.destroy()
    again.recordNanoseconds(1)
    #expect(!metrics.exposition().contains("t_seconds"))
    // Destroying a series again, or one of another backend, has no effect.
    again.destroy()
    metrics.destroyCounter(NOOPMetricsHandler.instance)
    metrics.destroyMeter(PrometheusMetrics().makeMeter(label: "c", dimensions: []))
  }

  @Test func computedGaugeCanBeReplaced() {
    let metrics = PrometheusMetrics(processMetrics: false)
    metrics.gauge("g", help: "first") { 1 }
    metrics.gauge("g", help: "second") {
      // Would deadlock if the registry were locked.
      Double(metrics.makeMeter(label: "inner", dimensions: []) is GaugeSeries ? 2 : 0)
    }
    #expect(metrics.exposition() == "# HELP g first\n# TYPE g gauge\ng 2\n")
  }

  @Test(arguments: [([Double](), 0), ([3, 1, 2, 2, .nan, -.infinity], 3), ((1...100).map(Double.init), 31)])
  func makesBoundariesValid(given: [Double], count: Int) {
    let boundaries = HistogramBuckets.boundaries(given)
    #expect(boundaries == (0..<count).map { Double($0 + 1) })
    let metrics = PrometheusMetrics(recorderBuckets: given, processMetrics: false)
    Recorder(label: "r", factory: metrics).record(1_000)
    #expect(Self.samples(metrics).count == count + 3)
    #expect(Self.samples(metrics).contains("r_bucket{le=\"+Inf\"} 1"))
  }

  @Test func concurrentCountsAddUp() async {
    let metrics = PrometheusMetrics(seriesLimit: 10, processMetrics: false)
    let (tasks, each) = (16, 5_000)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          for number in 0..<each {
            Counter(label: "c", dimensions: [("a", "\(number % 20)")], factory: metrics).increment()
            FloatingPointCounter(label: "f", factory: metrics).increment(by: 0.5)
            Recorder(label: "r", factory: metrics).record(task)
            metrics.makeTimer(label: "t", dimensions: []).recordNanoseconds(1_000)
            let meter = Meter(label: "m", factory: metrics)
            meter.increment(by: 2)
            meter.decrement(by: 1)
            if number % 1_000 == 0 { _ = metrics.exposition() }
          }
        }
      }
    }
    let samples = Self.samples(metrics)
    let counted = samples.filter { $0.hasPrefix("c_total") }
      .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(counted.count == 11)
    #expect(counted.reduce(0, +) == tasks * each)
    for sample in ["f_total 40000", "r_count 80000", "r_sum 600000", "t_seconds_count 80000", "m 80000"] {
      #expect(samples.contains(Substring(sample)))
    }
    #expect(samples.contains("t_seconds_sum 0.08"))
  }
}
