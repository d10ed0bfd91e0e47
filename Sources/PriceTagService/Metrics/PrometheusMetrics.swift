import CoreMetrics
import Synchronization

/// Keeps the metrics of a process, and writes them as the text that Prometheus scrapes, version 0.0.4.
///
/// Counting and recording take no lock and no memory. The number of series of a name is bounded: what is beyond it is
/// counted in one series with the label `overflow="true"`, so that labels that a client chooses cannot fill the memory.
public final class PrometheusMetrics: MetricsFactory, Sendable {
  /// The media type of the text.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"
  /// The borders of a recorder's buckets: powers of ten up to a thousand million.
  public static let recorderBuckets: [Double] = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
  ]

  private let registry: Mutex<MetricRegistry>
  private let recorderBorders: [Double]

  /// Creates a backend without metrics, except for those of the process.
  ///
  /// - Parameters:
  ///   - help: What the metrics mean, by their names: as they are written, or as the program has them.
  ///   - recorderBuckets: The borders of the buckets of recorders that aggregate; of more than 31 the lowest.
  ///   - seriesLimit: How many series a name may have.
  ///   - processMetrics: Whether the memory, descriptors, processor time and start of the process are written too,
  ///     where the system tells them.
  public init(
    help: [String: String] = [:],
    recorderBuckets: [Double] = PrometheusMetrics.recorderBuckets,
    seriesLimit: Int = 1_000,
    processMetrics: Bool = true
  ) {
    recorderBorders = HistogramBuckets.borders(recorderBuckets)
    registry = Mutex(MetricRegistry(help: help, limit: seriesLimit))
    if processMetrics {
      for metric in ProcessMetrics.all {
        computed(metric.name, metric.kind, help: metric.help, labels: [], metric.value)
      }
    }
  }

  /// All metrics: families in the order of their names, series in the order of their labels.
  public func exposition() -> String {
    // Written without the lock: a computed gauge may take its time, or make metrics of its own.
    let families = registry.withLock { $0.sorted }
    var text = ExpositionText()
    for family in families { family.write(to: &text) }
    return text.text
  }

  /// Registers a gauge whose value is computed at each scrape, in place of one of the same name and labels.
  public func gauge(
    _ name: String,
    help: String,
    labels: [(String, String)] = [],
    _ value: @escaping @Sendable () -> Double
  ) {
    computed(name, .computedGauge, help: help, labels: labels, value)
  }

  private func computed(
    _ name: String,
    _ kind: MetricKind,
    help: String,
    labels: [(String, String)],
    _ value: @escaping @Sendable () -> Double?
  ) {
    let labels = MetricLabels(labels, of: kind)
    registry.withLock { $0.put(name, kind, labels, help: help) { ComputedSeries($0, value) } }
  }

  private func series<Series: MetricSeries>(
    _ label: String,
    _ kind: MetricKind,
    _ dimensions: [(String, String)],
    _ make: (MetricPlace) -> Series
  ) -> Series {
    let labels = MetricLabels(dimensions, of: kind)
    return registry.withLock { $0.series(label, kind, labels, make) }
  }

  private func remove(_ handler: AnyObject) {
    guard let series = handler as? any MetricSeries else { return }
    registry.withLock { $0.remove(series) }
  }

  // MARK: What swift-metrics asks for

  /// The counter of a name and labels; its name ends in `_total`.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, .counter, dimensions, CounterSeries.init)
  }

  /// The counter of a name and labels, which may be the one of integers too; its name ends in `_total`.
  public func makeFloatingPointCounter(
    label: String,
    dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    series(label, .counter, dimensions, CounterSeries.init)
  }

  /// The gauge of a name and labels.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, .gauge, dimensions, GaugeSeries.init)
  }

  /// The histogram of a name and labels, or the gauge where nothing is aggregated.
  public func makeRecorder(
    label: String,
    dimensions: [(String, String)],
    aggregate: Bool
  ) -> any RecorderHandler {
    guard aggregate else { return series(label, .gauge, dimensions, GaugeSeries.init) }
    return series(label, .recorder, dimensions) { RecorderSeries($0, borders: recorderBorders) }
  }

  /// The histogram in seconds of a name and labels; its name ends in `_seconds`.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, .timer, dimensions, TimerSeries.init)
  }

  /// Forgets a counter.
  public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }

  /// Forgets a counter of fractions.
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }

  /// Forgets a gauge.
  public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }

  /// Forgets a recorder.
  public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }

  /// Forgets a timer.
  public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
