import CoreMetrics
import Synchronization

/// A metrics backend that writes Prometheus's text format, version 0.0.4.
///
/// Counting and recording use no locks and allocate no memory. The number of series per name is limited: further labels
/// share a series with the label `overflow="true"`, so label values from clients cannot exhaust the memory.
public final class PrometheusMetrics: MetricsFactory, Sendable {
  /// The content type of the text.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"
  /// The default boundaries of the buckets of recorders: powers of ten up to 1,000,000,000.
  public static let recorderBuckets: [Double] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  private let registry: Mutex<MetricRegistry>
  private let recorderBoundaries: [Double]

  /// Creates a backend with no metrics except those of the process.
  ///
  /// - Parameters:
  ///   - help: The help texts, by the metric's name in the output or by its label in the program.
  ///   - recorderBuckets: The boundaries of the buckets of recorders that aggregate. Only the lowest 31 are used.
  ///   - seriesLimit: The maximum number of series per name.
  ///   - processMetrics: Whether to write the memory, file descriptors, CPU time and start time of the process, where
  ///     the system provides them.
  public init(
    help: [String: String] = [:],
    recorderBuckets: [Double] = PrometheusMetrics.recorderBuckets,
    seriesLimit: Int = 1_000,
    processMetrics: Bool = true
  ) {
    recorderBoundaries = HistogramBuckets.boundaries(recorderBuckets)
    registry = Mutex(MetricRegistry(help: help, limit: seriesLimit))
    if processMetrics {
      for metric in ProcessMetrics.all {
        computed(metric.name, metric.kind, help: metric.help, labels: [], metric.value)
      }
    }
  }

  /// Returns all metrics as text: families ordered by name, series ordered by labels.
  public func exposition() -> String {
    // Write outside the lock, because a computed gauge may be slow or create metrics.
    let families = registry.withLock { $0.sorted }
    var text = ExpositionText()
    for family in families { family.write(to: &text) }
    return text.text
  }

  /// Registers a gauge whose value is computed at each scrape, replacing one with the same name and labels.
  ///
  /// - Parameters:
  ///   - name: The name of the gauge.
  ///   - help: The help text.
  ///   - labels: The labels of the series.
  ///   - value: Returns the value; called at each scrape.
  public func gauge(
    _ name: String,
    help: String,
    labels: [(String, String)] = [],
    _ value: @escaping @Sendable () -> Double
  ) {
    computed(name, .computedGauge, help: help, labels: labels, value)
  }

  /// Registers a metric whose value is computed at each scrape, and omitted if it is `nil`.
  func computed(
    _ name: String,
    _ kind: MetricKind,
    help: String,
    labels: [(String, String)],
    _ value: @escaping @Sendable () -> Double?
  ) {
    let labels = MetricLabels(labels, of: kind)
    registry.withLock { $0.set(name, kind, labels, help: help) { ComputedSeries($0, value) } }
  }

  private func series<Series: MetricSeries>(
    _ label: String,
    _ kind: MetricKind,
    _ dimensions: [(String, String)],
    _ make: (SeriesIdentity) -> Series
  ) -> Series {
    let labels = MetricLabels(dimensions, of: kind)
    return registry.withLock { $0.series(label, kind, labels, make) }
  }

  private func remove(_ handler: AnyObject) {
    guard let series = handler as? any MetricSeries else { return }
    registry.withLock { $0.remove(series) }
  }

  // MARK: MetricsFactory

  /// Returns the counter with a name and labels. Its name in the output ends in `_total`.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, .counter, dimensions, CounterSeries.init)
  }

  /// Returns the counter with a name and labels, which it may share with an integer counter. Its name in the output
  /// ends in `_total`.
  public func makeFloatingPointCounter(
    label: String,
    dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    series(label, .counter, dimensions, CounterSeries.init)
  }

  /// Returns the gauge with a name and labels.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, .gauge, dimensions, GaugeSeries.init)
  }

  /// Returns the histogram with a name and labels, or the gauge if the recorder does not aggregate.
  public func makeRecorder(
    label: String,
    dimensions: [(String, String)],
    aggregate: Bool
  ) -> any RecorderHandler {
    guard aggregate else { return series(label, .gauge, dimensions, GaugeSeries.init) }
    return series(label, .recorder, dimensions) { RecorderSeries($0, boundaries: recorderBoundaries) }
  }

  /// Returns the histogram of durations with a name and labels. Its name in the output ends in `_seconds`.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, .timer, dimensions, TimerSeries.init)
  }

  /// Removes a counter.
  public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }

  /// Removes a floating-point counter.
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }

  /// Removes a gauge.
  public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }

  /// Removes a recorder.
  public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }

  /// Removes a timer.
  public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
