import CICU
import PriceTagText
import Synchronization

/// When prices are shown: on one date in every storefront, or at one instant, at which each storefront has its own date.
///
///     let day = StoreDay.instant(try Instant("2026-11-30T12:00Z"))
///     try day.date(in: Storefront("NZL"))   // 2026-12-01
///     try day.date(in: Storefront("USA"))   // 2026-11-30
///
/// A run takes one day at its start, so that it has no two dates in one storefront if it goes on over midnight.
public enum StoreDay: Hashable, Sendable, CustomStringConvertible {
  /// The same date in every storefront.
  case date(CalendarDate)
  /// The date that each storefront has at an instant.
  case instant(Instant)

  /// The current instant.
  public static var now: StoreDay { .instant(.now) }

  /// Creates a day from text: a date, or an instant.
  ///
  ///     try StoreDay("2026-11-30")          // .date
  ///     try StoreDay("2026-11-30T12:00Z")   // .instant
  ///
  /// - Throws: `.malformedDate` or `.malformedInstant`.
  public init(_ text: String) throws(PriceTagError) {
    self = try text.utf8.contains(UInt8(ascii: "T")) ? .instant(Instant(text)) : .date(CalendarDate(text))
  }

  /// Returns the date in a storefront.
  ///
  /// - Throws: `.unknownTimeZone` for an instant, if the storefront has no time zone or ICU does not know it.
  public func date(in storefront: Storefront) throws(PriceTagError) -> CalendarDate {
    switch self {
    case .date(let date): date
    case .instant(let instant): try storefront.date(at: instant)
    }
  }

  /// The date for what belongs to no storefront: an instant's date in UTC.
  package var dateInUTC: CalendarDate {
    switch self {
    case .date(let date): date
    case .instant(let instant): instant.dateInUTC
    }
  }

  /// A date, or the start of an instant's quarter of an hour, in which no time zone has a midnight: a day that is a key of a
  /// cache.
  package var startOfQuarterHour: StoreDay {
    guard case .instant(let instant) = self else { return self }
    return .instant(instant.startOfQuarterHour)
  }

  /// The date or the instant in ISO 8601.
  public var description: String {
    switch self {
    case .date(let date): date.description
    case .instant(let instant): instant.description
    }
  }
}

extension Storefront {
  /// The time zone whose date is that of a storefront.
  public struct TimeZone: Hashable, Sendable {
    /// The identifier in the IANA time zone database, such as `Asia/Tokyo`.
    public let identifier: String
    /// Whether the territory has several time zones, of which one is assumed.
    public let isAssumed: Bool
  }

  /// A date in a time zone with its first instant, and that of the next date, in seconds since 1970.
  package struct Day: Sendable {
    package let date: CalendarDate
    package let start: Int
    package let end: Int
  }

  /// The current date in the storefront's time zone.
  ///
  /// - Throws: `.unknownTimeZone`.
  public var today: CalendarDate {
    get throws(PriceTagError) { try date(at: .now) }
  }

  /// Returns the date in the storefront's time zone, by the time zones of ICU.
  ///
  ///     try Storefront("NZL").date(at: Instant("2026-11-30T12:00Z"))   // 2026-12-01
  ///
  /// - Throws: `.unknownTimeZone` if the storefront has no time zone, or ICU does not know it.
  public func date(at instant: Instant) throws(PriceTagError) -> CalendarDate { try day(at: instant).date }

  /// Returns the currency that the store charges on its date of a day. The time zone is looked up only if the store has charged
  /// several currencies.
  ///
  /// - Throws: `.unknownTimeZone`.
  public func currency(on day: StoreDay) throws(PriceTagError) -> Currency {
    currencyPeriods.count == 1 ? latestCurrency : currency(on: try day.date(in: self))
  }

  /// Returns the date of a day for what depends on the currency alone. Without several currencies, any date gives the same, and
  /// the time zone is not looked up.
  package func currencyDate(on day: StoreDay) throws(PriceTagError) -> CalendarDate {
    currencyPeriods.count == 1 ? day.dateInUTC : try day.date(in: self)
  }

  /// Returns the date of a day, `nil` for now, if prices of a style depend on it: the time zone is not looked up for others.
  func dateIfNeeded(_ day: StoreDay?, for style: PriceStyle) throws(PriceTagError) -> CalendarDate? {
    if case .date(let date)? = day { return date }
    guard currencyPeriods.count > 1 || style.width == .unambiguous else { return nil }
    return try (day ?? .now).date(in: self)
  }

  /// Returns the date in the storefront's time zone with its limits.
  package func day(at instant: Instant) throws(PriceTagError) -> Day {
    guard let timeZone else {
      throw PriceTagError(
        .unknownTimeZone,
        "the storefront \(id) has no time zone",
        fix: "add \"timeZone\" to it in storefronts.json, or give a date"
      )
    }
    if let known = Self.days.withLock({ $0[timeZone.identifier] }), known.contains(instant) { return known }
    var found = CICUZoneDay()
    guard cicu_zone_day(timeZone.identifier, Int64(instant.secondsSince1970), &found) else {
      throw PriceTagError(
        .unknownTimeZone,
        "the storefront \(id) has the time zone \(quoted(timeZone.identifier)), which ICU does not have",
        fix:
          "use a zone of the IANA time zone database (ICU has version \(Versions.current.zones)), or give a date"
      )
    }
    let date = CalendarDate(year: Int(found.year), month: Int(found.month), day: Int(found.day))
    let day = Day(date: date, start: Int(found.start), end: Int(found.end))
    Self.days.withLock { days in
      if days.count >= 512 { days = [:] }
      days[timeZone.identifier] = day
    }
    return day
  }

  /// The last day that was found in each time zone.
  private static let days = Mutex<[String: Day]>([:])
}

extension Storefront.Day {
  fileprivate func contains(_ instant: Instant) -> Bool {
    (start..<max(start, end)).contains(instant.secondsSince1970)
  }
}

extension StorefrontReader {
  /// Reads and checks the field `timeZone` of an entry.
  ///
  /// - Returns: The zone; that of the embedded storefront if the entry of a folder has none.
  func timeZone(of entry: LocaleDataEntry, _ id: String) throws(PriceTagError) -> Storefront.TimeZone? {
    guard let zone = try entry.optionalEntry("timeZone") else {
      return sources == nil ? nil : (try? LocaleData.embedded.storefront(id))?.timeZone
    }
    let identifier = try zone.string("zone")
    if let sources {
      try zone.checkFields(["zone", "source", "assumed"])
      try zone.check("source", isAmong: sources)
      // A C string would end at a NUL character.
      guard !identifier.utf8.contains(0), cicu_zone_is_known(identifier) else {
        throw zone.invalid(
          "ICU does not have the time zone \(quoted(identifier))",
          "zone",
          fix: "use a zone of the IANA time zone database, such as \"Asia/Tokyo\""
        )
      }
    }
    return Storefront.TimeZone(
      identifier: identifier,
      isAssumed: zone.fieldNames.contains("assumed") ? try zone.boolean("assumed") : false
    )
  }
}
