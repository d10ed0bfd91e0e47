/// A value that is asked for when it is scraped.
final class ComputedSeries: MetricSeries {
  let place: MetricPlace
  private let value: @Sendable () -> Double?

  /// `nil` leaves the sample out.
  init(_ place: MetricPlace, _ value: @escaping @Sendable () -> Double?) {
    (self.place, self.value) = (place, value)
  }

  func write(to text: inout ExpositionText) {
    guard let value = value() else { return }
    text.sample(place, value: MetricNumber.text(value))
  }
}
