import PriceTagText

/// A date of the Gregorian calendar, without a time or a time zone.
///
/// A storefront's currency may depend on the date:
///
///     let bulgaria = try Storefront("BGR")
///     try bulgaria.currency(on: CalendarDate("2025-12-31"))   // BGN
///     try bulgaria.currency(on: CalendarDate("2026-01-01"))   // EUR
public struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The year, 1 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// Creates a date from ISO 8601 text.
  ///
  ///     try CalendarDate("2026-01-01")
  ///     try CalendarDate("2026-02-30")   // throws: the date "2026-02-30" does not exist
  ///
  /// - Parameter text: The date as `YYYY-MM-DD`.
  /// - Throws: `.malformedDate` if the text has another form or the date does not exist.
  public init(_ text: String) throws(PriceTagError) {
    let fix = "write YYYY-MM-DD, such as 2026-01-01"
    var numbers = (year: 0, month: 0, day: 0)
    var index = 0
    for byte in text.utf8 {
      let digit = Int(byte) - 0x30
      let isDash = index == 4 || index == 7
      guard index < 10, isDash ? byte == UInt8(ascii: "-") : (0...9).contains(digit) else {
        index = -1
        break
      }
      switch index {
      case 4, 7: break
      case 0..<4: numbers.year = numbers.year * 10 + digit
      case 5..<7: numbers.month = numbers.month * 10 + digit
      default: numbers.day = numbers.day * 10 + digit
      }
      index += 1
    }
    guard index == 10 else { throw PriceTagError(.malformedDate, "\(quoted(text)) is not a date", fix: fix) }
    (year, month, day) = numbers
    guard year > 0, (1...12).contains(month), day >= 1, day <= Self.days(in: month, of: year) else {
      throw PriceTagError(.malformedDate, "the date \(quoted(text)) does not exist", fix: "correct the date")
    }
  }

  /// Creates a date that exists.
  package init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The current date in UTC. That of a storefront is ``Storefront/today``.
  public static var todayInUTC: CalendarDate { Instant.now.dateInUTC }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) || year.isMultiple(of: 400) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The day before; `nil` for the first day of year 1.
  package var previous: CalendarDate? { CalendarDate(daysSince1970: daysSince1970 - 1) }

  /// The day after. For 9999-12-31 it is in the year 10000.
  package var next: CalendarDate { CalendarDate(validDaysSince1970: daysSince1970 + 1) }

  /// Returns whether the first date is before the second.
  public static func < (first: CalendarDate, second: CalendarDate) -> Bool {
    (first.year, first.month, first.day) < (second.year, second.month, second.day)
  }

  /// The ISO 8601 form: `2026-01-01`.
  public var description: String {
    "\(zeroPadded("\(year)", 4))-\(zeroPadded("\(month)", 2))-\(zeroPadded("\(day)", 2))"
  }
}

extension CalendarDate: Codable {
  /// Decodes ISO 8601 text.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText(#"write a date, such as "2026-01-01""#, CalendarDate.init(_:))
  }

  /// Encodes the date as ISO 8601 text.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(description)
  }
}
