import CoreMetrics
import Synchronization

/// A histogram of durations in seconds.
final class TimerSeries: MetricSeries, TimerHandler {
  private static let boundaries: [Double] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]
  private static let boundaryTexts = boundaries.map(MetricNumber.text)
  /// The boundaries in nanoseconds. They are integers, so comparisons are exact.
  private static let nanoseconds = boundaries.map { ($0 * 1_000_000_000).rounded() }

  let identity: SeriesIdentity
  private let buckets = HistogramBuckets(nanoseconds)
  /// The sum in nanoseconds, which saturates after 584 years.
  private let sum = Atomic<UInt64>(0)

  init(_ identity: SeriesIdentity) { self.identity = identity }

  func recordNanoseconds(_ duration: Int64) {
    // The sum must not decrease if a clock was set back.
    let duration = UInt64(max(0, duration))
    buckets.count(Double(duration))
    sum.add(duration)
  }

  func write(to text: inout ExpositionText) {
    let sum = sum.load(ordering: .relaxed)
    let count = buckets.write(identity, Self.boundaryTexts, to: &text)
    text.sample(identity, "_sum", value: MetricNumber.seconds(sum))
    text.sample(identity, "_count", value: count)
  }
}
