import PriceTagText

/// The billing period of a subscription: a number of days, weeks, months or years.
///
///     try SubscriptionPeriod("P3M")       // three months
///     try SubscriptionPeriod(3, .month)   // the same
///     SubscriptionPeriod.year             // P1Y
public struct SubscriptionPeriod: Hashable, Sendable, CustomStringConvertible {
  /// A unit of the calendar.
  public enum Unit: String, Hashable, Sendable, CaseIterable, Codable {
    case day, week, month, year
  }

  /// The unit.
  public let unit: Unit
  /// The number of units, 1 to 9999.
  public let count: Int

  /// One day.
  public static let day = SubscriptionPeriod(unit: .day, uncheckedCount: 1)
  /// One week.
  public static let week = SubscriptionPeriod(unit: .week, uncheckedCount: 1)
  /// One month.
  public static let month = SubscriptionPeriod(unit: .month, uncheckedCount: 1)
  /// One year.
  public static let year = SubscriptionPeriod(unit: .year, uncheckedCount: 1)

  private init(unit: Unit, uncheckedCount: Int) {
    self.unit = unit
    self.count = uncheckedCount
  }

  /// Creates a period of a number of units.
  ///
  /// - Throws: `.malformedPeriod` if the count is outside 1...9999.
  public init(_ count: Int, _ unit: Unit) throws(PriceTagError) {
    guard (1...9999).contains(count) else {
      throw PriceTagError(
        .malformedPeriod,
        "a period of \(count) \(unit.rawValue)s is outside 1...9999",
        fix: "use a period such as P1M"
      )
    }
    self.init(unit: unit, uncheckedCount: count)
  }

  /// Returns a multiple of the period: `P1M` times three is `P3M`.
  ///
  /// - Throws: `.malformedPeriod` if the product is outside 1...9999.
  package func multiplied(by count: Int) throws(PriceTagError) -> SubscriptionPeriod {
    let (product, overflow) = self.count.multipliedReportingOverflow(by: count)
    return try SubscriptionPeriod(overflow ? .max : product, unit)
  }

  /// Creates a period from an ISO 8601 duration with one unit: `P7D`, `P2W`, `P1M`, `P1Y`.
  ///
  /// - Throws: `.malformedPeriod` if the text has another form.
  public init(_ text: String) throws(PriceTagError) {
    let units: [Character: Unit] = ["D": .day, "W": .week, "M": .month, "Y": .year]
    guard (3...6).contains(text.utf8.count), text.first == "P", let unit = text.last.flatMap({ units[$0] }),
      text.dropFirst().dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(text.dropFirst().dropLast()), count > 0
    else {
      throw PriceTagError(
        .malformedPeriod,
        "\(quoted(text)) is not an ISO 8601 duration in days, weeks, months or years",
        fix: "write one such as P7D, P2W, P1M or P1Y"
      )
    }
    self.init(unit: unit, uncheckedCount: count)
  }

  /// The ISO 8601 duration, such as `P1M`.
  public var description: String { "P\(count)\(unit.rawValue.uppercased().prefix(1))" }

  /// The length in units of 1/4,800 day.
  ///
  /// A week is exactly seven days, and a year is exactly twelve months. Days and months are related by the mean year of
  /// the Gregorian calendar, 146,097/400 = 365.2425 days: a month is 146,097/4,800 = 30.436875 days.
  var length: Int64 {
    let unitLength: Int64 =
      switch unit {
      case .day: 4_800
      case .week: 7 * 4_800
      case .month: 146_097
      case .year: 12 * 146_097
      }
    return Int64(count) * unitLength
  }

  /// Returns whether the first period is shorter. A month has its mean length.
  package static func < (first: SubscriptionPeriod, second: SubscriptionPeriod) -> Bool {
    first.length < second.length
  }

  /// Returns whether two periods have the same length, such as twelve months and a year.
  package func isAsLong(as other: SubscriptionPeriod) -> Bool { length == other.length }
}

extension SubscriptionPeriod: Codable {
  /// Decodes an ISO 8601 duration.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText(
      #"write an ISO 8601 duration, such as "P1M""#,
      SubscriptionPeriod.init(_:)
    )
  }

  /// Encodes the period as an ISO 8601 duration.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(description)
  }
}
