/// The series of one name.
struct MetricFamily: Sendable {
  let name: String
  let kind: MetricKind
  var help: String?
  private var series: [MetricLabels: any MetricSeries] = [:]

  init(name: String, kind: MetricKind, help: String?) {
    (self.name, self.kind, self.help) = (name, kind, help)
  }

  /// The series of these labels; a new one where there is none, and the one for all the rest where there are too many.
  mutating func series<Series: MetricSeries>(
    _ labels: MetricLabels,
    limit: Int,
    _ make: (MetricPlace) -> Series
  ) -> Series {
    if let known = series[labels] as? Series { return known }
    let place = MetricPlace(family: name, labels: series.count < limit ? labels : .overflow)
    if let shared = series[place.labels] as? Series { return shared }
    let new = make(place)
    series[place.labels] = new
    return new
  }

  mutating func put(_ new: any MetricSeries) { series[new.place.labels] = new }

  /// Forgets a series, but not the one that others share.
  mutating func remove(_ old: any MetricSeries) {
    let labels = old.place.labels
    guard labels != .overflow, series[labels] === old else { return }
    series[labels] = nil
  }

  /// Writes the samples in the order of their labels, under what the family is.
  func write(to text: inout ExpositionText) {
    let sorted = series.sorted { $0.key < $1.key }
    guard !sorted.isEmpty else { return }
    text.header(name, type: kind.type, help: help)
    for (_, series) in sorted { series.write(to: &text) }
  }
}
