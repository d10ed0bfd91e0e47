import PriceTag
import PriceTagCatalog
import PriceTagText

/// What JSON:API calls a resource by.
struct ResourceIdentifier: Hashable {
  let type: String
  let id: String
}

/// A resource of App Store Connect's API, put together from all responses that have a part of it.
struct AppStoreConnectResource {
  let identifier: ResourceIdentifier
  /// Where it stands first.
  let line: Int
  private var members: [JSONObject.Member] = []
  private var relationships: [String: [ResourceIdentifier]] = [:]
  /// How many there are by what the API says, where it cuts its answer short.
  private var totals: [String: Int] = [:]
  /// The attributes that responses contradict each other in: none of them is taken.
  private var disputed: Set<String> = []

  init(_ identifier: ResourceIdentifier, line: Int) {
    (self.identifier, self.line) = (identifier, line)
  }

  /// What it is called in errors.
  var called: String { "\(printable(identifier.type, limit: 48)) \(quoted(identifier.id))" }

  /// The attributes that are read: others are not kept.
  private static let attributeNames: Set<String> = [
    "name", "referenceName", "productId", "inAppPurchaseType", "state", "groupLevel", "subscriptionPeriod",
    "locale", "description", "customerPrice", "startDate", "endDate", "preserved", "planType", "currency",
    "duration", "offerMode", "numberOfPeriods", "periodCount", "offerCode", "offerId", "active",
    "targetSubscriptionPlanType",
  ]

  var attributes: JSONFields { JSONFields(JSONObject(line: line, members: members)) }

  /// Adds what another response says of it, and answers the first attribute that both contradict each other in.
  mutating func add(_ attributes: JSONFields) -> String? {
    var contradicted: String?
    for member in attributes.object.members
    where Self.attributeNames.contains(member.key) && !disputed.contains(member.key) {
      if case .null = member.value { continue }
      guard let index = members.firstIndex(where: { $0.key == member.key }) else {
        members.append(member)
        continue
      }
      if isSame(members[index].value, member.value) { continue }
      members.remove(at: index)
      disputed.insert(member.key)
      contradicted = contradicted ?? member.key
    }
    return contradicted
  }

  private func isSame(_ first: JSONValue, _ second: JSONValue) -> Bool {
    switch (first, second) {
    case (.string(let first), .string(let second)), (.number(let first), .number(let second)): first == second
    case (.bool(let first), .bool(let second)): first == second
    default: false
    }
  }

  /// Adds resources that it is related to.
  mutating func relate(_ others: [ResourceIdentifier], as name: String, total: Int? = nil) {
    relationships[name, default: []] += others
    if let total { totals[name] = max(totals[name] ?? 0, total) }
  }

  /// Whether any response says what it is related to by a name, be it to nothing.
  func mentions(_ name: String) -> Bool { relationships[name] != nil }

  /// What it is related to by a name, each once.
  func related(_ name: String) -> [ResourceIdentifier] {
    var found: Set<ResourceIdentifier> = []
    return (relationships[name] ?? []).filter { found.insert($0).inserted }
  }

  /// How many it is related to by what the API says.
  func total(_ name: String) -> Int { totals[name] ?? 0 }

  /// The relationships that are read, without those that are turned around.
  static let relationshipNames: Set<String> = [
    "inAppPurchaseLocalizations", "iapPriceSchedule", "inAppPurchaseAvailability", "manualPrices",
    "automaticPrices", "inAppPurchasePricePoint", "subscriptionPricePoint", "territory", "prices", "group",
    "subscriptionLocalizations", "introductoryOffers", "promotionalOffers", "offerCodes", "winBackOffers",
    "subscriptionAvailability", "availableTerritories", "subscriptionGroupLocalizations",
  ]

  /// Where a part names its whole: the name by which the whole is then related to the part.
  static let wholes: [String: [String: String]] = [
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
