import PriceTagText

/// The identifier of a JSON:API resource.
struct ResourceIdentifier: Hashable {
  let type: String
  let id: String
}

/// A resource of the App Store Connect API, merged from all responses that contain a part of it.
struct AppStoreConnectResource {
  let identifier: ResourceIdentifier
  /// The line of its first occurrence.
  let line: Int
  private var members: [JSONObject.Member] = []
  private var relationships: [String: [ResourceIdentifier]] = [:]
  /// The number of related resources by relationship as stated by the API, which can return fewer.
  private var totals: [String: Int] = [:]
  /// The attributes with different values in different responses, which are not used.
  private var conflicting: Set<String> = []

  init(_ identifier: ResourceIdentifier, line: Int) {
    (self.identifier, self.line) = (identifier, line)
  }

  /// The type and identifier, for errors.
  var label: String { "\(printable(identifier.type, limit: 48)) \(quoted(identifier.id))" }

  /// The attributes that are read. Others are not stored.
  private static let attributeNames: Set<String> = [
    "name", "referenceName", "productId", "inAppPurchaseType", "state", "groupLevel", "subscriptionPeriod",
    "locale", "description", "customerPrice", "startDate", "endDate", "preserved", "planType", "currency",
    "duration", "offerMode", "numberOfPeriods", "periodCount", "offerCode", "offerId", "active",
    "targetSubscriptionPlanType", "autoRenewEnabled",
  ]

  var attributes: JSONFields { JSONFields(JSONObject(line: line, members: members)) }

  /// Adds attributes of another response and returns the first one with a different value.
  mutating func add(_ attributes: JSONFields) -> String? {
    var firstConflict: String?
    for member in attributes.object.members
    where Self.attributeNames.contains(member.key) && !conflicting.contains(member.key) {
      if case .null = member.value { continue }
      guard let index = members.firstIndex(where: { $0.key == member.key }) else {
        members.append(member)
        continue
      }
      if isSame(members[index].value, member.value) { continue }
      members.remove(at: index)
      conflicting.insert(member.key)
      firstConflict = firstConflict ?? member.key
    }
    return firstConflict
  }

  private func isSame(_ first: JSONValue, _ second: JSONValue) -> Bool {
    switch (first, second) {
    case (.string(let first), .string(let second)), (.number(let first), .number(let second)): first == second
    case (.bool(let first), .bool(let second)): first == second
    default: false
    }
  }

  /// Adds related resources.
  mutating func relate(_ others: [ResourceIdentifier], as name: String, total: Int? = nil) {
    relationships[name, default: []] += others
    if let total { totals[name] = max(totals[name] ?? 0, total) }
  }

  /// Returns whether any response has a relationship, even an empty one.
  func mentions(_ name: String) -> Bool { relationships[name] != nil }

  /// Returns the resources of a relationship without duplicates.
  func related(_ name: String) -> [ResourceIdentifier] {
    var found: Set<ResourceIdentifier> = []
    return (relationships[name] ?? []).filter { found.insert($0).inserted }
  }

  /// Returns the number of resources in a relationship as stated by the API.
  func total(_ name: String) -> Int { totals[name] ?? 0 }

  /// The relationships that are stored in their original direction.
  static let relationshipNames: Set<String> = [
    "inAppPurchaseLocalizations", "iapPriceSchedule", "inAppPurchaseAvailability", "manualPrices",
    "automaticPrices", "inAppPurchasePricePoint", "subscriptionPricePoint", "territory", "prices", "group",
    "subscriptionLocalizations", "introductoryOffers", "promotionalOffers", "offerCodes", "winBackOffers",
    "subscriptionAvailability", "availableTerritories", "subscriptionGroupLocalizations",
  ]

  /// The inverse names of relationships from a part to its owner, by type of the part. They are stored in the owner.
  static let inverseNames: [String: [String: String]] = [
    "inAppPurchaseLocalizations": ["inAppPurchaseV2": "inAppPurchaseLocalizations"],
    "inAppPurchasePriceSchedules": ["inAppPurchase": "iapPriceSchedule"],
    "inAppPurchaseAvailabilities": ["inAppPurchase": "inAppPurchaseAvailability"],
    "inAppPurchasePrices": ["inAppPurchaseV2": "prices"],
    "subscriptionLocalizations": ["subscription": "subscriptionLocalizations"],
    "subscriptionPrices": ["subscription": "prices"],
    "subscriptionIntroductoryOffers": ["subscription": "introductoryOffers"],
    "subscriptionPromotionalOffers": ["subscription": "promotionalOffers"],
    "subscriptionOfferCodes": ["subscription": "offerCodes"],
    "subscriptionAvailabilities": ["subscription": "subscriptionAvailability"],
    "subscriptionGroupLocalizations": ["subscriptionGroup": "subscriptionGroupLocalizations"],
    "subscriptionGroups": ["subscriptions": "group"],
  ]
}
