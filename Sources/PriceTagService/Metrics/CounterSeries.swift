import CoreMetrics
import Synchronization

/// A counter. Integers and fractions are counted separately, so that integers stay exact and a counter can receive
/// both.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
  let identity: SeriesIdentity
  private let integer = Atomic<UInt64>(0)
  private let fractional = Atomic<Double>(0)

  init(_ identity: SeriesIdentity) { self.identity = identity }

  func increment(by amount: Int64) {
    // A counter never decreases.
    guard amount > 0 else { return }
    integer.add(UInt64(amount))
  }

  func increment(by amount: Double) {
    guard amount > 0, amount.isFinite else { return }
    fractional.add(amount)
  }

  func reset() {
    integer.store(0, ordering: .relaxed)
    fractional.store(0, ordering: .relaxed)
  }

  func write(to text: inout ExpositionText) {
    let (integer, fractional) = (integer.load(ordering: .relaxed), fractional.load(ordering: .relaxed))
    text.sample(
      identity,
      value: fractional == 0 ? String(integer) : MetricNumber.text(Double(integer) + fractional)
    )
  }
}

extension Atomic<UInt64> {
  /// Adds, saturating at the maximum value.
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
