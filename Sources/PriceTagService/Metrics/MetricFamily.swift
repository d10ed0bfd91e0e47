/// The series with the same name.
struct MetricFamily: Sendable {
  let name: String
  let kind: MetricKind
  var help: String?
  private var series: [MetricLabels: any MetricSeries] = [:]

  init(name: String, kind: MetricKind, help: String?) {
    (self.name, self.kind, self.help) = (name, kind, help)
  }

  /// Returns the series with these labels. Creates it if needed; if there are too many, returns the shared overflow
  /// series.
  mutating func series<Series: MetricSeries>(
    _ labels: MetricLabels,
    limit: Int,
    _ make: (SeriesIdentity) -> Series
  ) -> Series {
    if let existing = series[labels] as? Series { return existing }
    let identity = SeriesIdentity(family: name, labels: series.count < limit ? labels : .overflow)
    if let shared = series[identity.labels] as? Series { return shared }
    let new = make(identity)
    series[identity.labels] = new
    return new
  }

  /// Adds a series, replacing one with the same labels.
  mutating func set(_ new: any MetricSeries) { series[new.identity.labels] = new }

  /// Removes a series, unless it is the shared overflow series.
  mutating func remove(_ old: any MetricSeries) {
    let labels = old.identity.labels
    guard labels != .overflow, series[labels] === old else { return }
    series[labels] = nil
  }

  /// Writes the header of the family and its samples, ordered by their labels.
  func write(to text: inout ExpositionText) {
    let sorted = series.sorted { $0.key < $1.key }
    guard !sorted.isEmpty else { return }
    text.header(name, type: kind.type, help: help)
    for (_, series) in sorted { series.write(to: &text) }
  }
}
