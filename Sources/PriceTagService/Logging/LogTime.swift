import PriceTagSystem

/// The time of a log record, in milliseconds.
struct LogTime: Sendable {
  /// Milliseconds since 1970 in UTC, rounded down.
  let milliseconds: Int64

  static func now() -> LogTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return LogTime(milliseconds: Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000)
  }

  /// The milliseconds after the second.
  private var fraction: Int64 { (milliseconds % 1_000 + 1_000) % 1_000 }

  private var date: HTTPDate { HTTPDate(seconds: Int((milliseconds - fraction) / 1_000)) }

  /// The time in ISO 8601 format: `2026-11-22T08:00:00.123Z`.
  var text: String { date.iso8601(fraction: ".\(String(fraction + 1_000).dropFirst())") }

  /// The time in the Common Log Format: `22/Nov/2026:08:00:00 +0000`.
  var commonLogText: String {
    let parts = date.parts
    let (day, month) = (HTTPDate.twoDigits(parts.tm_mday), HTTPDate.months[Int(parts.tm_mon) % 12])
    return "\(day)/\(month)/\(Int(parts.tm_year) + 1900):\(HTTPDate.clock(parts)) +0000"
  }
}
