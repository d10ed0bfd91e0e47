import ICUReference
import PriceTag
import SeededNumbers
import Testing

/// Tests the dates of storefronts, by ICU's time zones.
@Suite struct StoreDayTests {
  /// Returns a storefront of a folder with this field `timeZone`, which the embedded data do not have.
  private static func storefront(_ timeZone: String?) throws -> Storefront {
    let entry = LocaleDataTests.storefront(
      #""id":"KIR","alpha2":"KI""#,
      locale: "en-KI",
      more: timeZone.map { #","timeZone":\#($0)"# } ?? ""
    )
    return try Storefront("KIR", in: LocaleData(["storefronts.json": LocaleDataTests.storefronts(entry)]))
  }

  private static func storefront(in zone: String) throws -> Storefront {
    try storefront(#"{"zone":"\#(zone)","source":"s"}"#)
  }

  typealias Row = (zone: String, instant: String, date: String, end: String)

  static let rows: [Row] = [
    ("Asia/Tokyo", "2026-12-31T14:59:59Z", "2026-12-31", "2026-12-31T15:00:00Z"),
    ("Asia/Tokyo", "2026-12-31T15:00:00Z", "2027-01-01", "2027-01-01T15:00:00Z"),
    ("America/Los_Angeles", "2026-12-01T07:59:59Z", "2026-11-30", "2026-12-01T08:00:00Z"),
    ("America/Los_Angeles", "2026-12-01T08:00:00Z", "2026-12-01", "2026-12-02T08:00:00Z"),
    ("Pacific/Auckland", "2026-11-30T10:59:59Z", "2026-11-30", "2026-11-30T11:00:00Z"),
    ("Pacific/Auckland", "2026-11-30T11:00:00Z", "2026-12-01", "2026-12-01T11:00:00Z"),
    ("Asia/Kathmandu", "2026-11-30T18:14:59Z", "2026-11-30", "2026-11-30T18:15:00Z"),
    // The first and the last time zone: +14:00 and -11:00.
    ("Pacific/Kiritimati", "2026-11-30T09:59:59Z", "2026-11-30", "2026-11-30T10:00:00Z"),
    ("Pacific/Kiritimati", "2026-11-30T10:00:00Z", "2026-12-01", "2026-12-01T10:00:00Z"),
    ("Pacific/Pago_Pago", "2026-12-01T10:59:59Z", "2026-11-30", "2026-12-01T11:00:00Z"),
    ("Pacific/Pago_Pago", "2026-12-01T11:00:00Z", "2026-12-01", "2026-12-02T11:00:00Z"),
    // Days of 23 and 25 hours.
    ("America/Los_Angeles", "2026-03-08T08:00:00Z", "2026-03-08", "2026-03-09T07:00:00Z"),
    ("America/Los_Angeles", "2026-11-01T07:00:00Z", "2026-11-01", "2026-11-02T08:00:00Z"),
    ("Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29", "2026-03-29T22:00:00Z"),
    ("Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25", "2026-10-25T23:00:00Z"),
    // Summer time begins at midnight, so the date begins at 1:00, and ends at midnight, so 23:00 to 24:00 is repeated.
    ("Asia/Beirut", "2022-03-26T21:59:59Z", "2022-03-26", "2022-03-26T22:00:00Z"),
    ("Asia/Beirut", "2022-03-26T22:00:00Z", "2022-03-27", "2022-03-27T21:00:00Z"),
    ("Asia/Beirut", "2022-10-29T21:30:00Z", "2022-10-29", "2022-10-29T22:00:00Z"),
    // A leap day.
    ("Asia/Tokyo", "2028-02-28T15:00:00Z", "2028-02-29", "2028-02-29T15:00:00Z"),
    ("America/Los_Angeles", "2028-03-01T07:59:59Z", "2028-02-29", "2028-03-01T08:00:00Z"),
    // Rules that changed: Egypt gave up summer time in 2011, and Volgograd left the time of Moscow from 2018 to 2020.
    ("Africa/Cairo", "2010-07-01T21:30:00Z", "2010-07-02", "2010-07-02T21:00:00Z"),
    ("Africa/Cairo", "2012-07-01T21:30:00Z", "2012-07-01", "2012-07-01T22:00:00Z"),
    ("Europe/Volgograd", "2017-12-31T20:30:00Z", "2017-12-31", "2017-12-31T21:00:00Z"),
    ("Europe/Volgograd", "2019-12-31T20:30:00Z", "2020-01-01", "2020-01-01T20:00:00Z"),
    ("Europe/Volgograd", "2021-12-31T20:30:00Z", "2021-12-31", "2021-12-31T21:00:00Z"),
    // Samoa skipped 2011-12-30.
    ("Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29", "2011-12-30T10:00:00Z"),
    ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31", "2011-12-31T10:00:00Z"),
    // Before time zones, and before the Gregorian calendar.
    ("Asia/Tokyo", "1582-10-10T12:00:00Z", "1582-10-10", "1582-10-10T14:41:01Z"),
    ("Pacific/Kiritimati", "9999-12-30T23:59:59Z", "9999-12-31", "9999-12-31T10:00:00Z"),
  ]

  @Test(arguments: rows) func dateInZone(_ row: Row) throws {
    let storefront = try Self.storefront(in: row.zone)
    let instant = try Instant(row.instant)
    #expect(try StoreDay.instant(instant).date(in: storefront).description == row.date)
    let day = try storefront.day(at: instant)
    #expect(day.date.description == row.date)
    // An instant's text ends with 9999-12-30.
    if !row.end.hasPrefix("9999-12-31") {
      #expect(try Instant(secondsSince1970: day.end).description == row.end)
    }
    #expect((day.start..<day.end).contains(instant.secondsSince1970))
    // A date is the same everywhere.
    #expect(try StoreDay(row.date).date(in: storefront).description == row.date)
  }

  /// Compares all storefronts with ICU's offsets, from which the test computes the date itself.
  @Test func datesMatchReference() throws {
    func reference(_ zone: String, _ seconds: Int) throws -> CalendarDate {
      var offset: Int32 = 0
      try #require(icu_reference_zone_offset(zone, Int64(seconds), &offset), "\(zone)")
      let local = seconds + Int(offset)
      return try #require(CalendarDate(daysSince1970: Int((Double(local) / 86_400).rounded(.down))))
    }
    var numbers = SeededNumbers(seed: 46)
    var lengths: Set<Int> = []
    for storefront in LocaleData.embedded.storefronts {
      let zone = try #require(storefront.timeZone, "\(storefront.id)").identifier
      for _ in 0..<100 {
        let seconds = numbers.number(0...2_145_916_800)
        let day = try storefront.day(at: Instant(secondsSince1970: seconds))
        let place = "\(zone) \(seconds)"
        #expect(try day.date == reference(zone, seconds), "\(place)")
        #expect(day.start <= seconds && seconds < day.end, "\(place)")
        #expect(try reference(zone, day.start) == day.date, "\(place)")
        #expect(try reference(zone, day.start - 1) < day.date, "\(place)")
        #expect(try reference(zone, day.end - 1) == day.date, "\(place)")
        #expect(try reference(zone, day.end) > day.date, "\(place)")
        lengths.insert(day.end - day.start)
      }
    }
    #expect(lengths.isSuperset(of: [82_800, 86_400, 90_000]))
  }

  @Test func assumedZones() {
    let assumed = LocaleData.embedded.storefronts.filter { $0.timeZone?.isAssumed == true }
    #expect(
      assumed.map(\.id).joined(separator: " ")
        == "AUS BRA CAN CHL CHN COD ECU ESP FSM IDN KAZ MEX MNG NZL PNG PRT RUS UKR USA XKS"
    )
  }

  // MARK: Fields of a folder

  static let fields: [(timeZone: String, expected: String?)] = [
    (#"{"zone":"Asia/Tokyo","source":"s"}"#, nil),
    (#"{"zone":"Asia/Tokyo","source":"s","assumed":true}"#, nil),
    (
      #"{"zone":"Asia/Tokio","source":"s"}"#,
      "field zone: ICU does not have the time zone \"Asia/Tokio\"; use a zone of the IANA time zone database"
    ),
    // A fixed offset is not a zone of the database.
    (#"{"zone":"GMT+3","source":"s"}"#, "ICU does not have the time zone \"GMT+3\""),
    (#"{"zone":"","source":"s"}"#, "ICU does not have the time zone \"\""),
    (#"{"zone":"Asia/Tokyo\u0000x","source":"s"}"#, "ICU does not have the time zone"),
    (#"{"zone":"Asia/Tokyo"}"#, "field source: the field \"source\" is missing; add it"),
    (#"{"zone":"Asia/Tokyo","source":"t"}"#, "field source: unknown source \"t\""),
    (#"{"source":"s"}"#, "field zone: the field \"zone\" is missing; add it"),
    (#"{"zone":9,"source":"s"}"#, "field zone: the field \"zone\" must be a string, not a number"),
    (#"{"zone":"Asia/Tokyo","source":"s","assumed":"yes"}"#, "field assumed: the field \"assumed\" must be"),
    (#"{"zone":"Asia/Tokyo","source":"s","offset":9}"#, "unknown field \"offset\"; remove it"),
    (#""Asia/Tokyo""#, "field timeZone: the field \"timeZone\" must be an object, not a string"),
  ]

  @Test(arguments: fields) func readsField(timeZone: String, expected: String?) throws {
    guard let expected else {
      let zone = try #require(Self.storefront(timeZone).timeZone)
      #expect(zone.identifier == "Asia/Tokyo" && zone.isAssumed == timeZone.contains("assumed"))
      return
    }
    let error = try #require(throws: PriceTagError.self) { try Self.storefront(timeZone) }
    #expect(error.code == .invalidLocaleData)
    #expect(error.description.contains(expected), "\(error)")
  }

  /// A folder of an earlier version has no zones. Its storefronts have those of the embedded ones with the same identifier.
  @Test func folderWithoutZones() throws {
    let folder = try LocaleData([
      "storefronts.json": LocaleDataTests.storefronts(LocaleDataTests.storefront())
    ])
    let ireland = try Storefront("IRL", in: folder)
    #expect(ireland.timeZone?.identifier == "Europe/Dublin")

    let kiribati = try Self.storefront(nil)
    #expect(kiribati.timeZone == nil)
    let date = try CalendarDate("2026-11-30"), instant = try Instant("2026-11-30T12:00Z")
    #expect(try StoreDay.date(date).date(in: kiribati) == date)
    // The date does not matter, because the store has charged one currency.
    #expect(try kiribati.currency(on: .instant(instant)).code == "EUR")
    let error = try #require(throws: PriceTagError.self) { try StoreDay.instant(instant).date(in: kiribati) }
    #expect(error.code == .unknownTimeZone)
    #expect(
      error.description
        == "the storefront KIR has no time zone; add \"timeZone\" to it in storefronts.json, or give a date"
    )
  }

  @Test(arguments: [
    ("NZL", #""timeZone":{"id":"Pacific/Auckland","assumed":true}"#),
    ("JPN", #""timeZone":{"id":"Asia/Tokyo","assumed":false}"#),
  ])
  func writesZoneAsJSON(id: String, expected: String) throws {
    let json = try Storefront(id).json(on: CalendarDate("2026-11-21"))
    #expect(json.contains(expected), "\(json)")
  }

  /// Bulgaria changed its currency at its own midnight, two hours before that of UTC.
  @Test(arguments: [
    ("2025-12-31T21:59:59Z", "BGN"), ("2025-12-31T22:00:00Z", "EUR"), ("2025-12-31", "BGN"),
    ("2026-01-01", "EUR"),
  ])
  func currencyOnDay(day: String, code: String) throws {
    #expect(try Storefront("BGR").currency(on: StoreDay(day)).code == code)
  }

  @Test(arguments: [
    ("2026-11-30T12:14:59Z", "2026-11-30T12:00:00Z"), ("2026-11-30T12:15:00Z", "2026-11-30T12:15:00Z"),
    ("1969-12-31T23:59:59Z", "1969-12-31T23:45:00Z"), ("2026-11-30", "2026-11-30"),
  ])
  func quarterOfAnHour(day: String, start: String) throws {
    #expect(try StoreDay(day).startOfQuarterHour.description == start)
  }
}
