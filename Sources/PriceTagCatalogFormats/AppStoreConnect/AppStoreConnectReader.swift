import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Builds products from the resources of the App Store Connect API.
struct AppStoreConnectReader {
  private let resources: AppStoreConnectResources
  private let session: ImportSession
  private let prices: AppStoreConnectPrices

  init(_ resources: AppStoreConnectResources, _ session: ImportSession) {
    (self.resources, self.session) = (resources, session)
    prices = AppStoreConnectPrices(resources: resources, session: session)
  }

  func read() throws(CatalogError) {
    for resource in resources.resources {
      let label = resource.label
      let item = try session.attempt(at: label, line: resource.line) {
        () throws(CatalogError) -> ImportedItem? in
        switch resource.identifier.type {
        case "subscriptionGroups": .group(try group(resource))
        case "inAppPurchases": .product(try inAppPurchase(resource))
        case "subscriptions": .product(try subscription(resource))
        default: nil
        }
      }
      if let item = item ?? nil { try session.add(item, at: "line \(resource.line), \(label)") }
    }
    try rejectPartsWithoutProduct()
  }

  // MARK: Products

  private func inAppPurchase(_ resource: AppStoreConnectResource) throws(CatalogError) -> CatalogProduct {
    var product = try product(resource, version: "v2")
    product.kind = try value(of: resource) { (attributes) throws(CatalogError) in
      try attributes.optionalValue("inAppPurchaseType", in: AppStoreConnectNames.kinds)
    }
    product.localizations = try localizations(resource, "inAppPurchaseLocalizations")
    product.prices = try prices.ofInAppPurchase(resource)
    product.clearedForSale = try clearance(resource, "inAppPurchaseAvailability")
    return product
  }

  private func subscription(_ resource: AppStoreConnectResource) throws(CatalogError) -> CatalogProduct {
    var product = try product(resource, version: "v1")
    product.kind = .autoRenewable
    product.subscriptionPeriod = try value(of: resource) { (attributes) throws(CatalogError) in
      try attributes.optionalNamedPeriod("subscriptionPeriod", session)
    }
    product.groupLevel = try value(of: resource) { (attributes) throws(CatalogError) in
      try attributes.optionalInteger("groupLevel", in: 1...9999)
    }
    product.subscriptionGroup = try resource.related("group").first.map(name(of:))
    product.localizations = try localizations(resource, "subscriptionLocalizations")
    product.prices = try prices.ofSubscription(resource)
    product.offers = try AppStoreConnectOffers(prices: prices, session: session).offers(of: resource)
    product.clearedForSale = try clearance(resource, "subscriptionAvailability")
    return product
  }

  /// Reads the data that in-app purchases and subscriptions have in common.
  private func product(
    _ resource: AppStoreConnectResource,
    version: String
  ) throws(CatalogError) -> CatalogProduct {
    let attributes = resource.attributes
    guard try attributes.optionalString("productId") != nil else {
      let path = "/\(version)/\(resource.identifier.type)/\(printable(resource.identifier.id, limit: 48))"
      throw CatalogError(
        .invalidField,
        "the field \"productId\" is missing",
        fix: "add the response of \(path), in one array"
      )
    }
    var product = try attributes.product("productId")
    // Version 1 of the API uses the name "referenceName".
    let names = (try attributes.optionalText("name"), try attributes.optionalText("referenceName"))
    product.referenceName = names.0 ?? names.1
    product.isApproved = try attributes.optionalValue("state", in: AppStoreConnectNames.states)
    return product
  }

  /// Returns an attribute's value. An invalid value is rejected separately.
  private func value<Value>(
    of resource: AppStoreConnectResource,
    _ read: (JSONFields) throws(CatalogError) -> Value?
  ) throws(CatalogError) -> Value? {
    try session.attempt(at: resource.label, line: resource.line) { () throws(CatalogError) in
      try read(resource.attributes)
    } ?? nil
  }

  private func group(_ resource: AppStoreConnectResource) throws(CatalogError) -> ProductGroup {
    let names = try localizations(resource, "subscriptionGroupLocalizations").compactMapValues(\.name)
    return ProductGroup(.subscriptionGroup, try name(of: resource.identifier), names: names)
  }

  /// Returns the name of a group: its identifier, as in StoreKit and StoreKit configurations.
  private func name(of group: ResourceIdentifier) throws(CatalogError) -> String {
    guard ProductIdentifier.isWellFormed(group.id) else {
      throw CatalogError(
        .malformedIdentifier,
        "\(quoted(group.id)) is not a subscription group identifier",
        fix: "use the response as returned by the API"
      )
    }
    return group.id
  }

  // MARK: Texts and territories

  /// Returns the texts by language. If a language has both an approved text and one that waits for review, the approved
  /// one is returned, which the store shows.
  private func localizations(
    _ resource: AppStoreConnectResource,
    _ name: String
  ) throws(CatalogError) -> [String: ProductText] {
    let attributes = try prices.present(resource, name).map(\.attributes)
    func isApproved(_ attributes: JSONFields) -> Bool {
      if case .string("APPROVED")? = attributes["state"] { true } else { false }
    }
    var approved: [String: ProductText] = [:]
    for attributes in attributes.filter(isApproved) { try add(attributes, of: resource, to: &approved) }
    var others: [String: ProductText] = [:]
    for attributes in attributes.filter({ !isApproved($0) }) {
      try add(attributes, of: resource, to: &others)
    }
    return approved.merging(others) { approved, _ in approved }
  }

  private func add(
    _ attributes: JSONFields,
    of resource: AppStoreConnectResource,
    to texts: inout [String: ProductText]
  ) throws(CatalogError) {
    _ = try session.attempt(at: resource.label, line: resource.line) { () throws(CatalogError) in
      let text = try attributes.productText()
      try attributes.value("locale") { (tag) throws(CatalogError) in
        try texts.add(text, in: session.language(tag))
      }
    }
  }

  /// Returns the storefronts where a product is available, or `nil` if the responses do not contain all of them.
  private func clearance(
    _ resource: AppStoreConnectResource,
    _ name: String
  ) throws(CatalogError) -> Clearance? {
    guard let availability = try prices.present(resource, name).first,
      availability.mentions("availableTerritories")
    else { return nil }
    let territories = availability.related("availableTerritories")
    guard territories.count >= availability.total("availableTerritories") else {
      let identifier = availability.identifier
      let path = "/v1/\(identifier.type)/\(printable(identifier.id, limit: 48))/availableTerritories"
      try session.reject(
        .invalidField,
        "the file has \(territories.count) of \(availability.total("availableTerritories")) availableTerritories",
        fix: "add the response of \(path)?limit=200",
        place: "line \(resource.line), \(resource.label)"
      )
      return nil
    }
    var storefronts: Set<String> = []
    for territory in territories {
      let storefront = try session.attempt(at: resource.label, line: resource.line) {
        () throws(CatalogError) in
        try session.storefront(territory.id)
      }
      if let storefront { storefronts.insert(storefront.id) }
    }
    return .only(storefronts)
  }

  // MARK: Parts without a product

  /// The types of resources that are parts of a product, and how to request them with their product.
  private static let partTypes: KeyValuePairs = [
    "inAppPurchasePriceSchedules": "request the in-app purchases with include=iapPriceSchedule",
    "inAppPurchasePrices":
      "keep the \"links\" of the response, or request the schedule with include=manualPrices",
    "subscriptionPrices":
      "keep the \"links\" of the response, or request the subscriptions with include=prices",
    "inAppPurchaseLocalizations": "request the in-app purchases with include=inAppPurchaseLocalizations",
    "subscriptionLocalizations": "request the subscriptions with include=subscriptionLocalizations",
    "subscriptionIntroductoryOffers": "request the subscriptions with include=introductoryOffers",
    "subscriptionPromotionalOffers": "request the subscriptions with include=promotionalOffers",
    "subscriptionOfferCodes": "request the subscriptions with include=offerCodes",
    "winBackOffers": "request the subscriptions with include=winBackOffers",
  ]

  /// Rejects the parts whose product no response names, once for each type.
  private func rejectPartsWithoutProduct() throws(CatalogError) {
    let parts = Dictionary(grouping: resources.resources.filter { !isPart($0.identifier) }) {
      $0.identifier.type
    }
    for (type, fix) in Self.partTypes {
      guard let orphans = parts[type], let first = orphans.first else { continue }
      try session.reject(
        .invalidField,
        "the file does not name its product"
          + (orphans.count == 1 ? "" : " (also for \(orphans.count - 1) more)"),
        fix: fix,
        place: "line \(first.line), \(first.label)"
      )
    }
  }

  private func isPart(_ identifier: ResourceIdentifier) -> Bool {
    if resources.parts.contains(identifier) { return true }
    // A schedule has the identifier of its in-app purchase.
    let product = ResourceIdentifier(type: "inAppPurchases", id: identifier.id)
    return identifier.type == "inAppPurchasePriceSchedules" && resources[product] != nil
  }
}
