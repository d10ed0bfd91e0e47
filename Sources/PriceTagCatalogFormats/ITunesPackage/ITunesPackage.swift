import PriceTag
import PriceTagCatalog
import PriceTagText

/// The names that Apple's iTunes Store package gives to things ("App Metadata Specification").
enum ITunesPackage {
  static let namespace = "http://apple.com/itunes/importer"
  /// What the versions of packages of apps start with: `software5.11`.
  static let versionPrefix = "software"
  /// The most in-app purchases of a package that Apple takes.
  static let mostPurchases = 1000

  /// The types of in-app purchases. A `subscription` is one that does not renew; `free-subscription`, of Newsstand, is
  /// none of StoreKit's.
  static let kinds: [(type: String, kind: ProductKind)] = [
    ("consumable", .consumable), ("non-consumable", .nonConsumable), ("auto-renewable", .autoRenewable),
    ("subscription", .nonRenewable),
  ]

  /// The durations of auto-renewable subscriptions that a package can say.
  private static let durations = ["P7D", "P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

  static let statusKey = "iap-status"
  static let approvedStatus = "Approved"
  /// Stands for all of Apple's other statuses: which of them it was is not kept.
  static let otherStatus = "Not Approved"

  /// A period from `7 Days`, `1 Month` or `1 year`.
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
        "\(quoted(duration)) is no duration",
        fix: "write one such as 7 Days, 1 Month or 1 Year"
      )
    }
    do throws(PriceTagError) { return try SubscriptionPeriod(count, unit) } catch {
      throw CatalogError(error)
    }
  }

  /// A period as a package says it, such as `6 Months`; a week has seven days. `nil` where it cannot.
  static func duration(_ period: SubscriptionPeriod) -> String? {
    guard durations.contains(period.description) else { return nil }
    return period == .week ? "7 Days" : freeTrialDuration(period)
  }

  /// The period of a free trial, such as `1 Month`.
  static func freeTrialDuration(_ period: SubscriptionPeriod) -> String {
    "\(period.count) \(period.unit.rawValue.capitalized)\(period.count == 1 ? "" : "s")"
  }
}

extension String {
  /// In ASCII, with a capital first.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
