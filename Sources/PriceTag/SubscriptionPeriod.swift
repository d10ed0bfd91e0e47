import PriceTagText

/// How long a subscription's price pays for: a number of days, weeks, months or years.
///
///     try SubscriptionPeriod("P3M")   // three months
///     SubscriptionPeriod.year         // P1Y
public struct SubscriptionPeriod: Hashable, Sendable, CustomStringConvertible {
  /// A unit of the calendar.
  public enum Unit: String, Hashable, Sendable, CaseIterable, Codable {
    case day, week, month, year
  }

  /// The unit.
  public let unit: Unit
  /// How many of it, 1 to 9999.
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

  /// So many of a unit.
  ///
  /// - Throws: `.malformedPeriod` where the count is outside 1...9999.
  public init(_ count: Int, _ unit: Unit) throws(PriceTagError) {
    guard (1...9999).contains(count) else {
      throw PriceTagError(
        .malformedPeriod,
        "a period of \(count) \(unit.rawValue)s is outside 1...9999",
        fix: "give a period such as P1M"
      )
    }
    self.init(unit: unit, uncheckedCount: count)
  }

  /// A period from an ISO 8601 duration of one unit: `P7D`, `P2W`, `P1M`, `P1Y`.
  ///
  /// - Throws: `.malformedPeriod`.
  public init(_ text: String) throws(PriceTagError) {
    let units: [Character: Unit] = ["D": .day, "W": .week, "M": .month, "Y": .year]
    guard (3...6).contains(text.utf8.count), text.first == "P", let unit = text.last.flatMap({ units[$0] }),
      text.dropFirst().dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(text.dropFirst().dropLast()), count > 0
    else {
      throw PriceTagError(
        .malformedPeriod,
        "\(quoted(text)) is not an ISO 8601 duration of whole days, weeks, months or years",
        fix: "write one such as P7D, P2W, P1M or P1Y"
      )
    }
    self.init(unit: unit, uncheckedCount: count)
  }

  /// The ISO 8601 duration, such as `P1M`.
  public var description: String { "P\(count)\(unit.rawValue.uppercased().prefix(1))" }

  /// The length in parts of a day, 4,800 of them.
  ///
  /// A week is seven days and a year twelve months, exactly. Between days and months stands the Gregorian calendar's
  /// mean year of 146,097/400 = 365.2425 days: a month is 146,097/4,800 = 30.436875 days, never four weeks.
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

  /// Whether the first is shorter: a month of the calendar's mean length.
  package static func < (first: SubscriptionPeriod, second: SubscriptionPeriod) -> Bool {
    first.length < second.length
  }

  /// Whether two take the same time: twelve months are a year.
  package func isAsLong(as other: SubscriptionPeriod) -> Bool { length == other.length }
}

extension SubscriptionPeriod: Codable {
  /// Reads an ISO 8601 duration.
  public init(from decoder: any Decoder) throws {
    self = try decoder.valueFromText { text throws(PriceTagError) in try SubscriptionPeriod(text) }
  }

  /// Writes an ISO 8601 duration.
  public func encode(to encoder: any Encoder) throws {
    try encoder.encodeText(description)
  }
}
