/// Formats numbers for the exposition format.
enum MetricNumber {
  static func text(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if let integer = Int64(exactly: value) { return String(integer) }
    return value.description
  }

  /// Returns nanoseconds in seconds, with all digits.
  static func seconds(_ nanoseconds: UInt64) -> String {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard rest > 0 else { return String(seconds) }
    var digits = String(rest)
    digits = String(repeating: "0", count: max(0, 9 - digits.count)) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(seconds).\(digits)"
  }
}
