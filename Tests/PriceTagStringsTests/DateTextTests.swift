import PriceTag
import PriceTagStrings
import Testing

/// Dates as languages write them.
@Suite struct DateTextTests {
  @Test(arguments: [
    ("en-US", "November 23, 2026"), ("en-GB", "23 November 2026"), ("de", "23. November 2026"),
    ("ja", "2026年11月23日"), ("fr-CA", "23 novembre 2026"), ("bn", "২৩ নভেম্বর, ২০২৬"),
    // The calendar is the one that CLDR has for the language: here, that of the Buddhist era.
    ("th", "23 พฤศจิกายน 2569"),
  ])
  func datesAreThoseOfTheLanguage(language: String, text: String) throws {
    #expect(try UILanguage(language).format(CalendarDate("2026-11-23")) == text)
  }

  @Test(arguments: [
    ("1970-01-01", "January 1, 1970"), ("2024-02-29", "February 29, 2024"),
    ("9999-12-31", "December 31, 9999"),
    ("1500-03-01", "March 1, 1500"), ("0001-01-01", "January 1, 1"),
  ])
  func datesAreNeverInTheJulianCalendar(date: String, text: String) throws {
    #expect(try UILanguage.development.format(CalendarDate(date)) == text)
  }

  /// Days are counted as by walking from day to day.
  @Test func daysAreCounted() throws {
    var date = try CalendarDate("1899-12-31")
    var days = date.daysSince1970
    #expect(days == -25_568)
    while date.year < 2101 {
      #expect(CalendarDate(daysSince1970: days) == date && date.daysSince1970 == days, "\(date)")
      date = date.next
      days += 1
    }
    #expect(try CalendarDate("0001-01-01").daysSince1970 == -719_162)
    #expect(try CalendarDate("9999-12-31").daysSince1970 == 2_932_896)
    #expect(CalendarDate(daysSince1970: -719_163) == nil)
    #expect(CalendarDate(daysSince1970: 2_932_897) == nil)
    #expect(CalendarDate(daysSince1970: .max) == nil)
  }
}
