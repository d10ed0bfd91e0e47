import PriceTag
import PriceTagCatalog
import PriceTagText

/// The names of kinds, states and periods in the App Store Connect API (OpenAPI document, version 4.4.1) and
/// storeconfig.
enum AppStoreConnectNames {
  /// `InAppPurchaseType`, and the name of a subscription in version 1 of the API.
  static let kinds: [String: ProductKind] = [
    "CONSUMABLE": .consumable,
    "NON_CONSUMABLE": .nonConsumable,
    "NON_RENEWING_SUBSCRIPTION": .nonRenewable,
    "AUTOMATICALLY_RENEWABLE_SUBSCRIPTION": .autoRenewable,
  ]

  /// `InAppPurchaseState`, which includes the states of subscriptions, and the states of version 1 of the API.
  static let states = Dictionary(
    uniqueKeysWithValues: [("APPROVED", true)] + unapprovedStates.map { ($0, false) }
  )

  private static let unapprovedStates = [
    "MISSING_METADATA", "WAITING_FOR_UPLOAD", "PROCESSING_CONTENT", "READY_TO_SUBMIT", "WAITING_FOR_REVIEW",
    "IN_REVIEW", "DEVELOPER_ACTION_NEEDED", "PENDING_BINARY_APPROVAL", "DEVELOPER_REMOVED_FROM_SALE",
    "REMOVED_FROM_SALE", "REJECTED", "CREATED", "DEVELOPER_SIGNED_OFF", "DELETION_IN_PROGRESS", "DELETED",
    "REPLACED", "WAITING_FOR_SCREENSHOT", "PREPARE_FOR_SUBMISSION", "PENDING_DEVELOPER_RELEASE",
  ]

  /// The periods of subscriptions and of offers (`SubscriptionOfferDuration`).
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
  /// Returns a table's value for a field's text, or `nil` if the field is missing.
  ///
  /// - Throws: `.invalidField` if the table lacks the text.
  func optionalValue<Value>(_ field: String, in table: [String: Value]) throws(CatalogError) -> Value? {
    guard let text = try optionalString(field) else { return nil }
    if let value = table[text] { return value }
    throw invalid(
      "unknown \(field) \(quoted(text))",
      field,
      fix: "use a value of App Store Connect" + didYouMean(text, among: table.keys.sorted())
    )
  }

  /// Returns the period of App Store Connect's name.
  func optionalNamedPeriod(_ field: String, _ session: ImportSession) throws(CatalogError)
    -> SubscriptionPeriod?
  {
    try optionalValue(field, in: AppStoreConnectNames.periods).map(session.period)
  }
}
