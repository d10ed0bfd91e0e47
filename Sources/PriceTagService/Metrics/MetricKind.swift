/// The kind of a metric, more specific than the format's types. Metrics of different kinds never share a family.
enum MetricKind: Sendable {
  case counter
  case gauge
  case timer
  case recorder
  case computedCounter
  case computedGauge

  /// The type in the exposition format.
  var type: String {
    switch self {
    case .counter, .computedCounter: "counter"
    case .gauge, .computedGauge: "gauge"
    case .timer, .recorder: "histogram"
    }
  }

  /// The suffix of the names of this kind.
  var suffix: String {
    switch self {
    case .counter, .computedCounter: "_total"
    case .timer: "_seconds"
    case .gauge, .computedGauge, .recorder: ""
    }
  }

  /// The word that is added to a name that a metric of another kind already has.
  var disambiguator: String {
    switch self {
    case .counter: "counter"
    case .gauge: "gauge"
    case .timer: "timer"
    case .recorder: "histogram"
    case .computedCounter, .computedGauge: "computed"
    }
  }

  /// Returns all sample names of a family. They must be unique: a gauge `x_count` next to a histogram `x` would be read
  /// as part of the histogram.
  func names(_ family: String) -> [String] {
    type == "histogram"
      ? [family, "\(family)_bucket", "\(family)_sum", "\(family)_count"] : [family]
  }
}
