import CoreMetrics
import Synchronization

/// A histogram of unitless numbers.
final class RecorderSeries: MetricSeries, RecorderHandler {
  let identity: SeriesIdentity
  private let buckets: HistogramBuckets
  private let boundaries: [Double]
  private let sum = Atomic<Double>(0)

  /// Creates a histogram with boundaries that ``HistogramBuckets/boundaries(_:)`` returned.
  init(_ identity: SeriesIdentity, boundaries: [Double]) {
    (self.identity, self.boundaries) = (identity, boundaries)
    buckets = HistogramBuckets(boundaries)
  }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    // The sum could not recover from infinity or NaN.
    guard value.isFinite else { return }
    // Prometheus takes a decreasing sum for a restart.
    let value = max(0, value)
    buckets.count(value)
    sum.add(value)
  }

  func write(to text: inout ExpositionText) {
    let sum = sum.load(ordering: .relaxed)
    let count = buckets.write(identity, boundaries.map(MetricNumber.text), to: &text)
    text.sample(identity, "_sum", value: MetricNumber.text(sum))
    text.sample(identity, "_count", value: count)
  }
}
