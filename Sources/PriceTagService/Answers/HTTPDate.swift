import PriceTag
import PriceTagText

/// A moment as HTTP writes it: `Sun, 22 Nov 2026 08:00:00 GMT` (RFC 9110, 5.6.7).
struct HTTPDate: CustomStringConvertible {
  /// Seconds since 1970.
  let seconds: Int

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

  init(seconds: Int) {
    self.seconds = seconds
  }

  /// Reads the one form that is sent today; `nil` for any other text, which is ignored.
  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard text.utf8.count == 29, parts.count == 6, parts[5] == "GMT", parts[0].last == ",",
      let day = Int(parts[1]), let month = Self.months.firstIndex(of: String(parts[2])),
      let year = Int(parts[3]), (1970...9999).contains(year)
    else { return nil }
    let clock = parts[4].split(separator: ":")
    guard clock.count == 3, let hour = Int(clock[0]), let minute = Int(clock[1]), let second = Int(clock[2]),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second), (1...31).contains(day)
    else { return nil }
    var moment = tm()
    (moment.tm_year, moment.tm_mon, moment.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
    (moment.tm_hour, moment.tm_min, moment.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
    seconds = Int(timegm(&moment))
  }

  /// This moment.
  static var now: HTTPDate { HTTPDate(seconds: Int(time(nil))) }

  private var moment: tm {
    var seconds = time_t(seconds)
    var moment = tm()
    gmtime_r(&seconds, &moment)
    return moment
  }

  var description: String {
    let moment = moment
    let day = Self.days[Int(moment.tm_wday) % 7], month = Self.months[Int(moment.tm_mon) % 12]
    return "\(day), \(Self.two(moment.tm_mday)) \(month) \(Int(moment.tm_year) + 1900) \(clock(moment)) GMT"
  }

  /// The same as ISO 8601 has it: `2026-11-22T08:00:00Z`.
  var iso8601: String {
    let moment = moment
    return
      "\(Int(moment.tm_year) + 1900)-\(Self.two(moment.tm_mon + 1))-\(Self.two(moment.tm_mday))T\(clock(moment))Z"
  }

  private func clock(_ moment: tm) -> String {
    "\(Self.two(moment.tm_hour)):\(Self.two(moment.tm_min)):\(Self.two(moment.tm_sec))"
  }

  private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
