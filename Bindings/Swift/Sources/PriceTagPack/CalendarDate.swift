/// A date of the Gregorian calendar, without a time or a time zone.
///
///     try PriceFormatter(storefront: "BGR", on: CalendarDate("2026-01-01")).currency   // "EUR"
public struct CalendarDate: Hashable, Sendable, CustomStringConvertible {
  /// The year, 1 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// Creates a date from ISO 8601 text. The clock is never read.
  ///
  /// - Parameter text: The date as `YYYY-MM-DD`.
  /// - Throws: `.malformedDate` if the text has another form or the date does not exist.
  public init(_ text: String) throws(PriceTagError) {
    let bytes = Array(text.utf8.prefix(11))
    var numbers = [0]
    for (index, byte) in bytes.enumerated() {
      switch (index, byte) {
      case (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")): numbers.append(0)
      case (_, UInt8(ascii: "0")...UInt8(ascii: "9")) where index != 4 && index != 7:
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
      default: numbers = []
      }
      if numbers.isEmpty { break }
    }
    guard bytes.count == 10, numbers.count == 3 else {
      throw PriceTagError(
        .malformedDate,
        "\(PriceTagError.quoted(text)) is not a date",
        fix: "write YYYY-MM-DD, such as 2026-01-01"
      )
    }
    (year, month, day) = (numbers[0], numbers[1], numbers[2])
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard year > 0, days.indices.contains(month - 1), (1...days[month - 1]).contains(day) else {
      throw PriceTagError(
        .malformedDate,
        "the date \(PriceTagError.quoted(text)) does not exist",
        fix: "correct the date"
      )
    }
  }

  /// The ISO 8601 form: `2026-01-01`.
  public var description: String {
    func padded(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  var packNumber: UInt32 { UInt32(year * 10_000 + month * 100 + day) }
}
