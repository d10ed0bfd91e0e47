import CoreMetrics
import Synchronization

/// A histogram of numbers without a unit.
final class RecorderSeries: MetricSeries, RecorderHandler {
  let place: MetricPlace
  private let buckets: HistogramBuckets
  private let borders: [Double]
  private let sum = Atomic<Double>(0)

  /// Borders as ``HistogramBuckets/borders(_:)`` returns them.
  init(_ place: MetricPlace, borders: [Double]) {
    (self.place, self.borders) = (place, borders)
    buckets = HistogramBuckets(borders)
  }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    // One of these would be the sum for ever.
    guard value.isFinite else { return }
    // A sum that falls looks like a restart.
    let value = max(0, value)
    buckets.count(value)
    sum.add(value)
  }

  func write(to text: inout ExpositionText) {
    let sum = sum.load(ordering: .relaxed)
    let count = buckets.write(place, borders.map(MetricNumber.text), to: &text)
    text.sample(place, "_sum", value: MetricNumber.text(sum))
    text.sample(place, "_count", value: count)
  }
}
