/// A series whose value is computed when it is scraped.
final class ComputedSeries: MetricSeries {
  let identity: SeriesIdentity
  private let value: @Sendable () -> Double?

  /// Creates a series. If `value` returns `nil`, the sample is omitted.
  init(_ identity: SeriesIdentity, _ value: @escaping @Sendable () -> Double?) {
    (self.identity, self.value) = (identity, value)
  }

  func write(to text: inout ExpositionText) {
    guard let value = value() else { return }
    text.sample(identity, value: MetricNumber.text(value))
  }
}
