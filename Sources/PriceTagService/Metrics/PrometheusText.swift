import Metrics
import Synchronization

/// A metrics backend that writes Prometheus's text format, version 0.0.4.
///
/// It is for ``ServiceMetrics``, whose names are valid. A name never has metrics of two kinds.
final class PrometheusText: MetricsFactory {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// The help texts by name.
  private let help: [String: String]
  /// The series by name and by labels.
  private let families = Mutex<[String: [String: any MetricSeries]]>([:])

  init(help: [String: String] = [:]) { self.help = help }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series("\(label)_total", dimensions) as NumberSeries
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions) as NumberSeries
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series("\(label)_seconds", dimensions) as DurationSeries
  }

  /// Returns a recorder without effect: the service has none.
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    NOOPMetricsHandler.instance
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}

  /// Returns the series of a name and labels, which is created if needed.
  private func series<Series: MetricSeries>(_ name: String, _ dimensions: [(String, String)]) -> Series {
    let labels = dimensions.sorted { $0.0 < $1.0 }.map { "\($0)=\"\(Self.escaped($1))\"" }
      .joined(separator: ",")
    return families.withLock { families in
      if let existing = families[name]?[labels] as? Series { return existing }
      let new = Series()
      families[name, default: [:]][labels] = new
      return new
    }
  }

  /// Escapes the value of a label. The versions of a pack can have any character.
  private static func escaped(_ value: String) -> String {
    value.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      // The format has no escapes for these, and some parsers end a line or the text at them.
      case _ where scalar.properties.generalCategory == .control, "\u{2028}", "\u{2029}": "\u{FFFD}"
      default: String(scalar)
      }
    }.joined()
  }

  // MARK: Text

  /// All metrics: families ordered by name, series ordered by labels.
  var text: String {
    var text = ""
    for (name, family) in families.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      let isHistogram = family.values.contains { $0 is DurationSeries }
      let type = isHistogram ? "histogram" : name.hasSuffix("_total") ? "counter" : "gauge"
      text += Self.header(name, type: type, help: help[name])
      for (labels, series) in family.sorted(by: { $0.key < $1.key }) {
        for sample in series.samples {
          let labels = [labels, sample.boundary.map { "le=\"\($0)\"" } ?? ""].filter { !$0.isEmpty }
            .joined(separator: ",")
          text += "\(name)\(sample.suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(sample.value)\n"
        }
      }
    }
    return text
  }

  /// Returns the lines that precede the samples of a name.
  static func header(_ name: String, type: String, help: String?) -> String {
    (help.map { "# HELP \(name) \($0)\n" } ?? "") + "# TYPE \(name) \(type)\n"
  }

  /// Returns a finite number as text.
  static func text(of value: Double) -> String {
    Int64(exactly: value).map { String($0) } ?? value.description
  }

  /// Returns nanoseconds in seconds, with all digits.
  static func seconds(_ nanoseconds: UInt64) -> String {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard rest > 0 else { return String(seconds) }
    // The leading 1 keeps the zeros before the digits.
    var digits = String(1_000_000_000 + rest).dropFirst()
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(seconds).\(digits)"
  }
}

/// A series of a name, which the service updates and a scrape reads.
private protocol MetricSeries: AnyObject, Sendable {
  /// A line of the text. The boundary is that of a bucket.
  typealias Sample = (suffix: String, boundary: String?, value: String)

  var samples: [Sample] { get }
  init()
}

/// A counter or a gauge.
private final class NumberSeries: MetricSeries, CounterHandler, MeterHandler {
  private let value = Mutex(0.0)

  var samples: [Sample] { [("", nil, PrometheusText.text(of: value.withLock { $0 }))] }

  func increment(by amount: Int64) { increment(by: Double(amount)) }
  func increment(by amount: Double) { value.withLock { $0 += amount } }
  func decrement(by amount: Double) { increment(by: -amount) }
  func set(_ value: Int64) { set(Double(value)) }
  func set(_ newValue: Double) { value.withLock { $0 = newValue } }
  func reset() { set(0.0) }
}

/// A histogram of durations.
private final class DurationSeries: MetricSeries, TimerHandler {
  private struct State {
    /// The number of durations in each bucket. The last bucket has those above the last boundary.
    var counts = [UInt64](repeating: 0, count: DurationSeries.boundaries.count + 1)
    /// The sum in nanoseconds.
    var sum: UInt64 = 0
  }

  /// The highest duration of each bucket in nanoseconds.
  private static let boundaries: [UInt64] = [
    500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
    500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
  ]
  private static let boundaryTexts = boundaries.map(PrometheusText.seconds) + ["+Inf"]

  private let state = Mutex(State())

  var samples: [Sample] {
    let state = state.withLock { $0 }
    var total: UInt64 = 0
    var samples: [Sample] = []
    for (boundary, count) in zip(Self.boundaryTexts, state.counts) {
      total += count
      samples.append(("_bucket", boundary, String(total)))
    }
    return samples + [("_sum", nil, PrometheusText.seconds(state.sum)), ("_count", nil, String(total))]
  }

  func recordNanoseconds(_ duration: Int64) {
    let duration = UInt64(max(0, duration))
    let bucket = Self.boundaries.firstIndex { duration <= $0 } ?? Self.boundaries.count
    state.withLock { state in
      state.counts[bucket] += 1
      // Prometheus takes a sum that has decreased for a restart.
      state.sum &+= duration
    }
  }
}
