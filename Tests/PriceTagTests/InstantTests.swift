import PriceTag
import Testing

@Suite struct InstantTests {
  static let texts: [(text: String, seconds: Int, description: String)] = [
    ("1970-01-01T00:00Z", 0, "1970-01-01T00:00:00Z"),
    ("1969-12-31T23:59:59Z", -1, "1969-12-31T23:59:59Z"),
    ("2026-11-30T12:00Z", 1_796_040_000, "2026-11-30T12:00:00Z"),
    ("2026-11-30T12:00:07Z", 1_796_040_007, "2026-11-30T12:00:07Z"),
    ("2026-12-01T01:00+13:00", 1_796_040_000, "2026-11-30T12:00:00Z"),
    ("2026-11-30T01:00:00-11:00", 1_796_040_000, "2026-11-30T12:00:00Z"),
    ("2026-11-30T12:00-00:00", 1_796_040_000, "2026-11-30T12:00:00Z"),
    ("2026-11-30T17:45+05:45", 1_796_040_000, "2026-11-30T12:00:00Z"),
    ("2028-02-29T23:59:59Z", 1_835_481_599, "2028-02-29T23:59:59Z"),
    ("0001-01-02T12:00Z", -62_135_467_200, "0001-01-02T12:00:00Z"),
    ("9999-12-30T23:59:59Z", 253_402_214_399, "9999-12-30T23:59:59Z"),
  ]

  @Test(arguments: texts) func readsText(text: String, seconds: Int, description: String) throws {
    let instant = try Instant(text)
    #expect(instant.secondsSince1970 == seconds)
    #expect(instant.description == description)
    #expect(try Instant(secondsSince1970: seconds) == instant && Instant(description) == instant)
    #expect(try StoreDay(text) == .instant(instant))
  }

  /// What is not an instant is an error, which names the text.
  @Test(arguments: [
    "", "T", "2026-11-30", "12:00Z", "2026-11-30T12:00", "2026-11-30 12:00Z", "2026-11-30t12:00Z",
    "2026-11-30T12:00z", "2026-11-30T12Z", "2026-11-30T1200Z", "2026-11-30T12:00:Z", "2026-11-30T12:00:0Z",
    "2026-11-30T12:00:00.5Z", "2026-11-30T24:00Z", "2026-11-30T12:60Z", "2026-11-30T12:00:60Z",
    "2026-02-29T12:00Z", "2026-13-01T12:00Z", "2026-11-30T12:00+13", "2026-11-30T12:00+1300",
    "2026-11-30T12:00+24:00", "2026-11-30T12:00+01:60", "2026-11-30T12:00Z ", "2026-11-30T12:00ZZ",
    "2026-11-30T-1:00Z", "2026-11-30T12:00+13:00Z", "0000-01-01T00:00Z", "0001-01-01T00:00Z",
    "9999-12-31T00:00Z", "9999-12-30T23:59-12:00", "٢٠٢٦-11-30T12:00Z", "2026-11-30T12:00\u{301}Z",
  ])
  func rejectsOtherText(text: String) throws {
    let error = try #require(throws: PriceTagError.self) { try Instant(text) }
    #expect(error.code == .malformedInstant)
    #expect(error.description.contains("is not an instant; write a date, a time and an offset"))
  }

  @Test(arguments: [Int.min, -62_135_510_401, 253_402_214_400, 1_796_040_000_000, Int.max])
  func rejectsOtherSeconds(seconds: Int) throws {
    let error = try #require(throws: PriceTagError.self) { try Instant(secondsSince1970: seconds) }
    #expect(
      error.description
        == "\(seconds) seconds since 1970 are not in the years 1 to 9999; use seconds, not milliseconds"
    )
  }

  static let days: [(text: String, code: PriceTagError.Code?)] = [
    ("2026-11-30", nil), ("2026-11-30T12:00Z", nil), ("today", .malformedDate), ("", .malformedDate),
    ("2026-02-30", .malformedDate), ("2026-11-30T12:00", .malformedInstant), ("Tuesday", .malformedInstant),
  ]

  @Test(arguments: days) func readsDays(text: String, code: PriceTagError.Code?) throws {
    do throws(PriceTagError) {
      let day = try StoreDay(text)
      #expect(code == nil && day.description.hasPrefix("2026-11-30"))
    } catch { #expect(error.code == code) }
  }
}
