/// What a family of metrics holds, finer than the format's types: two of different kinds never share a family.
enum MetricKind: Sendable {
  case counter
  case gauge
  case timer
  case recorder
  case computedCounter
  case computedGauge

  /// The type as the format calls it.
  var type: String {
    switch self {
    case .counter, .computedCounter: "counter"
    case .gauge, .computedGauge: "gauge"
    case .timer, .recorder: "histogram"
    }
  }

  /// What a name of this kind ends in.
  var ending: String {
    switch self {
    case .counter, .computedCounter: "_total"
    case .timer: "_seconds"
    case .gauge, .computedGauge, .recorder: ""
    }
  }

  /// What tells the second of two metrics of one name from the first.
  var word: String {
    switch self {
    case .counter: "counter"
    case .gauge: "gauge"
    case .timer: "timer"
    case .recorder: "histogram"
    case .computedCounter, .computedGauge: "computed"
    }
  }

  /// Every name that a family of this kind and name takes: a gauge `x_count` beside a histogram `x` would be read as a
  /// part of the histogram.
  func names(_ family: String) -> [String] {
    type == "histogram"
      ? [family, "\(family)_bucket", "\(family)_sum", "\(family)_count"] : [family]
  }
}
