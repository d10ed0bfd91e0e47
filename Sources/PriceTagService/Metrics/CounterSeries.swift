import CoreMetrics
import Synchronization

/// A counter. Integers and fractions are counted apart, so that integers stay exact and a counter of a name may be fed
/// both ways.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
  let place: MetricPlace
  private let whole = Atomic<UInt64>(0)
  private let fractional = Atomic<Double>(0)

  init(_ place: MetricPlace) { self.place = place }

  func increment(by amount: Int64) {
    // A counter never falls.
    guard amount > 0 else { return }
    whole.add(UInt64(amount))
  }

  func increment(by amount: Double) {
    guard amount > 0, amount.isFinite else { return }
    fractional.add(amount)
  }

  func reset() {
    whole.store(0, ordering: .relaxed)
    fractional.store(0, ordering: .relaxed)
  }

  func write(to text: inout ExpositionText) {
    let (whole, fractional) = (whole.load(ordering: .relaxed), fractional.load(ordering: .relaxed))
    text.sample(place, value: fractional == 0 ? String(whole) : MetricNumber.text(Double(whole) + fractional))
  }
}

extension Atomic<UInt64> {
  /// Adds, and stays at the greatest number where the sum is greater.
  func add(_ amount: UInt64) {
    var current = load(ordering: .relaxed)
    while true {
      let (sum, isTooGreat) = current.addingReportingOverflow(amount)
      let result = weakCompareExchange(
        expected: current,
        desired: isTooGreat ? .max : sum,
        ordering: .relaxed
      )
      if result.exchanged { return }
      current = result.original
    }
  }
}

extension Atomic<Double> {
  /// Adds a number, which may be negative.
  func add(_ amount: Double) {
    var current = load(ordering: .relaxed)
    while true {
      let result = weakCompareExchange(expected: current, desired: current + amount, ordering: .relaxed)
      if result.exchanged { return }
      current = result.original
    }
  }
}
