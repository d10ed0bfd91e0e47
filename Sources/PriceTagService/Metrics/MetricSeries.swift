/// The family name and the labels of a series.
struct SeriesIdentity: Sendable {
  let family: String
  let labels: MetricLabels
}

/// A series of a family, which the program updates and a scrape reads.
protocol MetricSeries: AnyObject, Sendable {
  var identity: SeriesIdentity { get }
  func write(to text: inout ExpositionText)
}
