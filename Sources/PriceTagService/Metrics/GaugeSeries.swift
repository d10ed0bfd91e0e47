import CoreMetrics
import Synchronization

/// A gauge: the last value wins.
final class GaugeSeries: MetricSeries, RecorderHandler, MeterHandler {
  let place: MetricPlace
  private let value = Atomic<Double>(0)

  init(_ place: MetricPlace) { self.place = place }

  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { self.value.store(value, ordering: .relaxed) }
  func record(_ value: Int64) { set(Double(value)) }
  func record(_ value: Double) { set(value) }

  func increment(by amount: Double) {
    // Nothing brings a gauge back from infinity or from no number.
    guard amount.isFinite else { return }
    value.add(amount)
  }

  func decrement(by amount: Double) { increment(by: -amount) }

  func write(to text: inout ExpositionText) {
    text.sample(place, value: MetricNumber.text(value.load(ordering: .relaxed)))
  }
}
