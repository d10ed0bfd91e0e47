import PriceTag
import PriceTagCatalog
import PriceTagText

/// The names in Apple's iTunes Store package format ("App Metadata Specification").
enum ITunesPackage {
  static let namespace = "http://apple.com/itunes/importer"
  /// The prefix of app package versions such as `software5.11`.
  static let versionPrefix = "software"
  /// The maximum number of in-app purchases in a package, set by Apple.
  static let maximumPurchaseCount = 1000

  /// The types of in-app purchases. A `subscription` does not renew. `free-subscription`, for Newsstand, has no
  /// equivalent in StoreKit.
  static let kinds: [(type: String, kind: ProductKind)] = [
    ("consumable", .consumable), ("non-consumable", .nonConsumable), ("auto-renewable", .autoRenewable),
    ("subscription", .nonRenewable),
  ]

  /// The periods of auto-renewable subscriptions that the format supports.
  private static let durations = ["P7D", "P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

  static let statusKey = "iap-status"
  static let approvedStatus = "Approved"
  /// The status written for products that are not approved. Apple's exact status is not stored in a catalog.
  static let otherStatus = "Not Approved"

  /// Returns the period of a duration such as `7 Days`, `1 Month` or `1 year`.
  static func period(_ duration: String) throws(CatalogError) -> SubscriptionPeriod {
    let words = duration.lowercased().split(separator: " ")
    let units: [(name: String, unit: SubscriptionPeriod.Unit)] = [
      ("day", .day), ("week", .week), ("month", .month), ("year", .year),
    ]
    guard words.count == 2, let count = TierName.number(words[0]).flatMap({ Int($0) }),
      let unit = units.first(where: { words[1] == $0.name || words[1] == $0.name + "s" })?.unit
    else {
      throw CatalogError(
        .invalidField,
        "\(quoted(duration)) is not a duration",
        fix: "write a duration such as 7 Days, 1 Month or 1 Year"
      )
    }
    return try withCatalogErrors { () throws(PriceTagError) in try SubscriptionPeriod(count, unit) }
  }

  /// Returns the duration of a period, such as `6 Months` or, for a week, `7 Days`, or `nil` if the format lacks it.
  static func duration(_ period: SubscriptionPeriod) -> String? {
    guard durations.contains(period.description) else { return nil }
    return period == .week ? "7 Days" : freeTrialDuration(period)
  }

  /// Returns the duration of a free trial, such as `1 Month`.
  static func freeTrialDuration(_ period: SubscriptionPeriod) -> String {
    "\(period.count) \(period.unit.rawValue.capitalized)\(period.count == 1 ? "" : "s")"
  }
}

extension String {
  /// The ASCII text with an uppercase first letter.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
