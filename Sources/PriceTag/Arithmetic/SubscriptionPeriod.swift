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

    fileprivate var length: UInt64 {
      switch self {
      case .day: PeriodLength.day
      case .week: PeriodLength.week
      case .month: PeriodLength.month
      case .year: PeriodLength.year
      }
    }
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
    let period = Array(text.utf8.prefix(7)).withUnsafeBytes(PeriodLength.init)
    guard let period, let unit = Unit.allCases.first(where: { $0.length == period.unit }) else {
      throw PriceTagError(
        .malformedPeriod,
        "\(quoted(text)) is not an ISO 8601 duration in days, weeks, months or years",
        fix: "write one such as P7D, P2W, P1M or P1Y"
      )
    }
    self.init(unit: unit, uncheckedCount: Int(period.count))
  }

  /// The ISO 8601 duration, such as `P1M`.
  public var description: String { "P\(count)\(unit.rawValue.uppercased().prefix(1))" }

  /// The length in units of 1/4,800 day, of which a month has its mean number.
  var length: UInt64 { UInt64(count) * unit.length }

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
