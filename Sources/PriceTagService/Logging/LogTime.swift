import PriceTagText

/// The time of a log record, in milliseconds.
struct LogTime: Sendable {
  /// Milliseconds since 1970 in UTC, rounded down.
  let milliseconds: Int64

  static func now() -> LogTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return LogTime(milliseconds: Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec) / 1_000_000)
  }

  /// The time in ISO 8601 format: `2026-11-22T08:00:00.123Z`.
  var text: String {
    let (days, rest) = Self.divided(milliseconds, by: 86_400_000)
    // Count from March 1 of year 0, in eras of 400 years, which all have the same length. A leap day is then the last
    // day of a year and needs no special case.
    let (era, day) = Self.divided(days + 719_468, by: 146_097)
    let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let (hour, minute, second) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60)
    return Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(dayOfMonth, 2) + "T"
      + Self.padded(hour, 2) + ":" + Self.padded(minute, 2) + ":" + Self.padded(second, 2) + "."
      + Self.padded(rest % 1_000, 3) + "Z"
  }

  /// Divides, rounding down, so that the remainder is never negative.
  private static func divided(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }

  private static func padded(_ number: Int64, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}
