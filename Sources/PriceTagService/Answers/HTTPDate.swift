import PriceTag
import PriceTagSystem

/// A date in HTTP's format: `Sun, 22 Nov 2026 08:00:00 GMT` (RFC 9110, 5.6.7).
struct HTTPDate: CustomStringConvertible {
  /// Seconds since 1970.
  let seconds: Int

  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  /// The present time.
  static var now: HTTPDate { HTTPDate(seconds: Int(time(nil))) }

  /// The parts of the date in UTC.
  var parts: tm {
    var seconds = time_t(seconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return parts
  }

  var description: String {
    let parts = parts
    let day = Self.days[Int(parts.tm_wday) % 7], month = Self.months[Int(parts.tm_mon) % 12]
    return
      "\(day), \(Self.twoDigits(parts.tm_mday)) \(month) \(Int(parts.tm_year) + 1900) \(Self.clock(parts)) GMT"
  }

  /// The date in ISO 8601 format: `2026-11-22T08:00:00Z`.
  var iso8601: String { iso8601(fraction: "") }

  /// Returns the date in ISO 8601 format with a fraction of a second, such as `.123`.
  func iso8601(fraction: String) -> String {
    let parts = parts
    let (month, day) = (Self.twoDigits(parts.tm_mon + 1), Self.twoDigits(parts.tm_mday))
    return "\(Int(parts.tm_year) + 1900)-\(month)-\(day)T\(Self.clock(parts))\(fraction)Z"
  }

  static func clock(_ parts: tm) -> String {
    "\(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min)):\(twoDigits(parts.tm_sec))"
  }

  static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension HTTPDate {
  /// Parses the preferred format; `nil` for any other text, including the two obsolete formats.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard text.utf8.count == 29, words.count == 6, words[5] == "GMT", words[0].last == ",",
      let day = Int(words[1]), let month = Self.months.firstIndex(of: String(words[2])),
      let year = Int(words[3]), (1970...9999).contains(year)
    else { return nil }
    let clock = words[4].split(separator: ":")
    guard clock.count == 3, let hour = Int(clock[0]), let minute = Int(clock[1]), let second = Int(clock[2]),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second), (1...31).contains(day)
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    self.init(seconds: Int(timegm(&parts)))
  }
}
