import PriceTagSystem
import PriceTagText

/// A moment in time, the same everywhere, to the second. Each storefront has its own date at it.
///
///     let instant = try Instant("2026-11-30T12:00Z")
///     try Storefront("NZL").date(at: instant)   // 2026-12-01
///     try Storefront("USA").date(at: instant)   // 2026-11-30
public struct Instant: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The seconds since 1970-01-01T00:00Z, without leap seconds. The date in UTC is in the years 1 to 9999.
  public let secondsSince1970: Int

  /// Creates an instant from ISO 8601 text with a date, a time and an offset from UTC.
  ///
  ///     try Instant("2026-11-30T12:00Z")
  ///     try Instant("2026-12-01T01:00:00+13:00")   // the same
  ///     try Instant("2026-11-30T12:00")            // throws: "2026-11-30T12:00" is not an instant; …
  ///
  /// - Parameter text: The instant as `YYYY-MM-DDThh:mm`, with or without `:ss`, and `Z` or `±hh:mm`.
  /// - Throws: `.malformedInstant` if the text has another form or the date or the time does not exist.
  public init(_ text: String) throws(PriceTagError) {
    guard let seconds = Self.seconds(Array(text.utf8)) else {
      throw PriceTagError(
        .malformedInstant,
        "\(quoted(text)) is not an instant",
        fix: "write a date, a time and an offset, such as 2026-11-30T12:00Z"
      )
    }
    self.init(validSeconds: seconds)
  }

  /// Creates the instant that is a number of seconds after 1970-01-01T00:00Z, as in Unix time.
  ///
  ///     try Instant(secondsSince1970: 1_764_504_000).description   // "2025-11-30T12:00:00Z"
  ///
  /// - Throws: `.malformedInstant` outside the years 1 to 9999.
  public init(secondsSince1970 seconds: Int) throws(PriceTagError) {
    guard Self.range.contains(seconds) else {
      throw PriceTagError(
        .malformedInstant,
        "\(seconds) seconds since 1970 are not in the years 1 to 9999",
        fix: "use seconds, not milliseconds"
      )
    }
    self.init(validSeconds: seconds)
  }

  private init(validSeconds seconds: Int) {
    secondsSince1970 = seconds
  }

  /// The current instant, by the system's clock.
  public static var now: Instant {
    Instant(validSeconds: min(max(range.lowerBound, Int(time(nil))), range.upperBound))
  }

  // Without the first and the last day, so that the date in each time zone is in the years 1 to 9999, too.
  private static let range = -62_135_510_400...253_402_214_399

  private static func seconds(_ text: [UInt8]) -> Int? {
    func number(_ start: Int, _ limit: Int) -> Int? {
      guard text.count >= start + 2 else { return nil }
      let digits = text[start..<start + 2].map { Int($0) - 0x30 }
      guard digits.allSatisfy((0...9).contains) else { return nil }
      let number = digits.reduce(0) { $0 * 10 + $1 }
      return number < limit ? number : nil
    }
    func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
      text.indices.contains(index) && text[index] == UInt8(ascii: character)
    }
    guard let date = try? CalendarDate(String(decoding: text.prefix(10), as: UTF8.self)),
      has("T", at: 10), let hour = number(11, 24), has(":", at: 13), let minute = number(14, 60)
    else { return nil }
    var (index, seconds) = (16, date.daysSince1970 * 86_400 + hour * 3600 + minute * 60)
    if has(":", at: index) {
      guard let second = number(index + 1, 60) else { return nil }
      (index, seconds) = (index + 3, seconds + second)
    }
    if has("Z", at: index) { return text.count == index + 1 && range.contains(seconds) ? seconds : nil }
    let isEast = has("+", at: index)
    guard isEast || has("-", at: index), text.count == index + 6, has(":", at: index + 3),
      let hours = number(index + 1, 24), let minutes = number(index + 4, 60)
    else { return nil }
    let offset = hours * 3600 + minutes * 60
    seconds += isEast ? -offset : offset
    return range.contains(seconds) ? seconds : nil
  }

  /// Returns whether the first instant is before the second.
  public static func < (first: Instant, second: Instant) -> Bool {
    first.secondsSince1970 < second.secondsSince1970
  }

  /// The start of the quarter of an hour.
  var startOfQuarterHour: Instant {
    Instant(validSeconds: secondsSince1970 - secondOfDay % 900)
  }

  /// The date in UTC.
  package var dateInUTC: CalendarDate {
    let seconds = secondsSince1970
    return CalendarDate(validDaysSince1970: (seconds >= 0 ? seconds : seconds - 86_399) / 86_400)
  }

  /// The seconds since the start of the date in UTC.
  private var secondOfDay: Int { secondsSince1970 - dateInUTC.daysSince1970 * 86_400 }

  /// The ISO 8601 form in UTC: `2026-11-30T12:00:00Z`.
  public var description: String {
    let second = secondOfDay
    func padded(_ number: Int) -> String { zeroPadded("\(number)", 2) }
    return "\(dateInUTC)T\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))Z"
  }
}
