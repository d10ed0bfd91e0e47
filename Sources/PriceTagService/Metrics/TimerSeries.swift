import CoreMetrics
import Synchronization

/// How long something took: a histogram in seconds.
final class TimerSeries: MetricSeries, TimerHandler {
  private static let borders: [Double] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]
  private static let borderTexts = borders.map(MetricNumber.text)
  /// Every border is a whole number of nanoseconds, so that comparing with it is exact.
  private static let nanoseconds = borders.map { ($0 * 1_000_000_000).rounded() }

  let place: MetricPlace
  private let buckets = HistogramBuckets(nanoseconds)
  /// 584 years of it, and then no more.
  private let sum = Atomic<UInt64>(0)

  init(_ place: MetricPlace) { self.place = place }

  func recordNanoseconds(_ duration: Int64) {
    // A clock that was set back is no reason for a sum that falls.
    let duration = UInt64(max(0, duration))
    buckets.count(Double(duration))
    sum.add(duration)
  }

  func write(to text: inout ExpositionText) {
    let sum = sum.load(ordering: .relaxed)
    let count = buckets.write(place, Self.borderTexts, to: &text)
    text.sample(place, "_sum", value: MetricNumber.seconds(sum))
    text.sample(place, "_count", value: count)
  }
}
