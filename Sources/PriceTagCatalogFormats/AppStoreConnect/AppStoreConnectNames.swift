import PriceTag
import PriceTagCatalog
import PriceTagText

/// The names that App Store Connect's API gives to kinds, states and lengths (its OpenAPI document, version 4.4.1), and
/// storeconfig after it.
enum AppStoreConnectNames {
  /// `InAppPurchaseType`, and what the API's first version called a subscription.
  static let kinds: [String: ProductKind] = [
    "CONSUMABLE": .consumable,
    "NON_CONSUMABLE": .nonConsumable,
    "NON_RENEWING_SUBSCRIPTION": .nonRenewable,
    "AUTOMATICALLY_RENEWABLE_SUBSCRIPTION": .autoRenewable,
  ]

  /// `InAppPurchaseState`, the states of subscriptions among it, and those of the API's first version.
  static let states: [String: Bool] = [
    "APPROVED": true,
    "MISSING_METADATA": false,
    "WAITING_FOR_UPLOAD": false,
    "PROCESSING_CONTENT": false,
    "READY_TO_SUBMIT": false,
    "WAITING_FOR_REVIEW": false,
    "IN_REVIEW": false,
    "DEVELOPER_ACTION_NEEDED": false,
    "PENDING_BINARY_APPROVAL": false,
    "DEVELOPER_REMOVED_FROM_SALE": false,
    "REMOVED_FROM_SALE": false,
    "REJECTED": false,
    "CREATED": false,
    "DEVELOPER_SIGNED_OFF": false,
    "DELETION_IN_PROGRESS": false,
    "DELETED": false,
    "REPLACED": false,
    "WAITING_FOR_SCREENSHOT": false,
    "PREPARE_FOR_SUBMISSION": false,
    "PENDING_DEVELOPER_RELEASE": false,
  ]

  /// The lengths of subscriptions and, `SubscriptionOfferDuration`, of offers.
  static let periods = [
    "THREE_DAYS": "P3D",
    "ONE_WEEK": "P1W",
    "TWO_WEEKS": "P2W",
    "ONE_MONTH": "P1M",
    "TWO_MONTHS": "P2M",
    "THREE_MONTHS": "P3M",
    "SIX_MONTHS": "P6M",
    "ONE_YEAR": "P1Y",
  ]

  /// `SubscriptionOfferMode`.
  static let modes: [String: CatalogOffer.PaymentMode] = [
    "FREE_TRIAL": .freeTrial,
    "PAY_AS_YOU_GO": .payAsYouGo,
    "PAY_UP_FRONT": .payUpFront,
  ]
}

extension JSONFields {
  /// What a table has for a field's text; `nil` where the field is missing.
  ///
  /// - Throws: `.invalidField` for a text that the table does not have.
  func optionalValue<Value>(_ field: String, in table: [String: Value]) throws(CatalogError) -> Value? {
    guard let text = try optionalString(field) else { return nil }
    if let value = table[text] { return value }
    throw invalid(
      "there is no \(field) \(quoted(text))",
      field,
      fix: "give one of App Store Connect's" + didYouMean(text, among: table.keys.sorted())
    )
  }

  /// A length by App Store Connect's name for it.
  func optionalLength(_ field: String, _ session: ImportSession) throws(CatalogError) -> SubscriptionPeriod? {
    try optionalValue(field, in: AppStoreConnectNames.periods).map { (text) throws(CatalogError) in
      try session.period(text)
    }
  }
}
