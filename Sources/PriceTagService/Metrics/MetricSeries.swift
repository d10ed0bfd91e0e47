/// Where a series stands.
struct MetricPlace: Sendable {
  let family: String
  let labels: MetricLabels
}

/// One series of a family: what the program counts with, and what a scrape reads.
protocol MetricSeries: AnyObject, Sendable {
  var place: MetricPlace { get }
  func write(to text: inout ExpositionText)
}
