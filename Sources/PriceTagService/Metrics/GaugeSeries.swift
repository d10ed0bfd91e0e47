import CoreMetrics
import Synchronization

/// A gauge, which holds the last value.
final class GaugeSeries: MetricSeries, RecorderHandler, MeterHandler {
  let identity: SeriesIdentity
  private let value = Atomic<Double>(0)

  init(_ identity: SeriesIdentity) { self.identity = identity }

  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { self.value.store(value, ordering: .relaxed) }
  func record(_ value: Int64) { set(Double(value)) }
  func record(_ value: Double) { set(value) }

  func increment(by amount: Double) {
    // A gauge could not be decremented from infinity or NaN.
    guard amount.isFinite else { return }
    value.add(amount)
  }

  func decrement(by amount: Double) { increment(by: -amount) }

  func write(to text: inout ExpositionText) {
    text.sample(identity, value: MetricNumber.text(value.load(ordering: .relaxed)))
  }
}
