import PriceTag

/// Puts products together from the resources of App Store Connect's API.
struct AppStoreConnectReader {
  private let resources: AppStoreConnectResources
  private let session: ImportSession
  private let prices: AppStoreConnectPrices

  init(_ resources: AppStoreConnectResources, _ session: ImportSession) {
    (self.resources, self.session) = (resources, session)
    prices = AppStoreConnectPrices(resources, session)
  }

  func read() throws(CatalogError) {
    for resource in resources.resources {
      let called = resource.called
      let item = try session.attempt(at: called, line: resource.line) {
        () throws(CatalogError) -> ImportedItem? in
        switch resource.identifier.type {
        case "subscriptionGroups": .group(try group(resource))
        case "inAppPurchases": .product(try inAppPurchase(resource))
        case "subscriptions": .product(try subscription(resource))
        default: nil
        }
      }
      if let item = item ?? nil { try session.take(item, at: "line \(resource.line), \(called)") }
    }
    try setAsidePartsOfNothing()
  }

  // MARK: Products

  private func inAppPurchase(_ resource: AppStoreConnectResource) throws(CatalogError) -> CatalogProduct {
    var product = try product(resource, version: "v2")
    product.kind = try resource.attributes.optionalValue("inAppPurchaseType", in: AppStoreConnectNames.kinds)
    product.localizations = try localizations(resource, "inAppPurchaseLocalizations")
    product.prices = try prices.ofInAppPurchase(resource)
    product.clearedForSale = try clearance(resource, "inAppPurchaseAvailability")
    return product
  }

  private func subscription(_ resource: AppStoreConnectResource) throws(CatalogError) -> CatalogProduct {
    var product = try product(resource, version: "v1")
    let attributes = resource.attributes
    product.kind = .autoRenewable
    product.subscriptionPeriod = try attributes.optionalPeriod("subscriptionPeriod", session)
    product.groupLevel = try attributes.optionalInteger("groupLevel", in: 1...9999)
    if let group = resource.related("group").first {
      product.subscriptionGroup = try session.attempt(at: resource.called, line: resource.line) {
        () throws(CatalogError) in
        guard let name = try resources[group]?.attributes.optionalText("referenceName") else {
          throw CatalogError(
            .invalidField,
            "the group \(quoted(group.id)) is not in the file",
            fix: "request it with include=group"
          )
        }
        return name
      }
    }
    product.localizations = try localizations(resource, "subscriptionLocalizations")
    product.prices = try prices.ofSubscription(resource)
    product.offers = try AppStoreConnectOffers(resources, prices, session).offers(of: resource)
    product.clearedForSale = try clearance(resource, "subscriptionAvailability")
    return product
  }

  /// What in-app purchases and subscriptions have alike.
  private func product(
    _ resource: AppStoreConnectResource,
    version: String
  ) throws(CatalogError) -> CatalogProduct {
    let attributes = resource.attributes
    guard let identifier = try attributes.optionalString("productId") else {
      let path = "/\(version)/\(resource.identifier.type)/\(printable(resource.identifier.id, limit: 48))"
      throw CatalogError(
        .invalidField,
        "the file does not say its productId",
        fix: "add the response of \(path), in one array"
      )
    }
    var product = try attributes.reading("productId") { () throws(CatalogError) in
      try CatalogProduct(identifier)
    }
    // The API's first version had the other name.
    let names = (try attributes.optionalText("name"), try attributes.optionalText("referenceName"))
    product.referenceName = names.0 ?? names.1
    product.isApproved = try attributes.optionalValue("state", in: AppStoreConnectNames.states)
    return product
  }

  private func group(_ resource: AppStoreConnectResource) throws(CatalogError) -> ProductGroup {
    guard let name = try resource.attributes.optionalText("referenceName") else {
      throw CatalogError(
        .invalidField,
        "the file does not say its referenceName",
        fix: "add the response of /v1/subscriptionGroups/\(printable(resource.identifier.id, limit: 48))"
      )
    }
    let names = try localizations(resource, "subscriptionGroupLocalizations").compactMapValues(\.name)
    return ProductGroup(.subscriptionGroup, name, names: names)
  }

  // MARK: Texts and territories

  /// Texts by language. Where one language has an approved text and another that waits for review, the store shows the
  /// approved one.
  private func localizations(
    _ resource: AppStoreConnectResource,
    _ name: String
  ) throws(CatalogError) -> [String: ProductText] {
    var texts: [String: (text: ProductText, isApproved: Bool)] = [:]
    for identifier in try prices.present(resource, name) {
      guard let attributes = resources[identifier]?.attributes else { continue }
      _ = try session.attempt(at: resource.called, line: resource.line) { () throws(CatalogError) in
        let tag = try attributes.string("locale")
        let language = try attributes.reading("locale") { () throws(CatalogError) in
          try session.language(tag)
        }
        let text = ProductText(
          name: try attributes.optionalString("name"),
          description: try attributes.optionalString("description")
        )
        let isApproved = try attributes.optionalString("state") == "APPROVED"
        if let other = texts[language], other.isApproved == isApproved, other.text != text {
          throw attributes.invalid(
            "the language \(language) has two texts",
            "locale",
            fix: "leave one; the first was taken",
            code: .duplicate
          )
        }
        if texts[language]?.isApproved != true, !text.isEmpty { texts[language] = (text, isApproved) }
      }
    }
    return texts.mapValues(\.text)
  }

  /// Where a product is available; `nil` where no response tells all of it.
  private func clearance(
    _ resource: AppStoreConnectResource,
    _ name: String
  ) throws(CatalogError) -> Clearance? {
    guard let identifier = try prices.present(resource, name).first, let availability = resources[identifier],
      availability.mentions("availableTerritories")
    else { return nil }
    let territories = availability.related("availableTerritories")
    guard territories.count >= availability.total("availableTerritories") else {
      let path = "/v1/\(identifier.type)/\(printable(identifier.id, limit: 48))/availableTerritories"
      try session.setAside(
        CatalogError(
          .invalidField,
          "the file has \(territories.count) of \(availability.total("availableTerritories")) availableTerritories",
          fix: "add the response of \(path)?limit=200; until then it says nothing",
          place: "line \(resource.line), \(resource.called)"
        )
      )
      return nil
    }
    var storefronts: Set<String> = []
    for territory in territories {
      let storefront = try session.attempt(at: resource.called, line: resource.line) {
        () throws(CatalogError) in
        try session.storefront(territory.id)
      }
      if let storefront { storefronts.insert(storefront.id) }
    }
    return .only(storefronts)
  }

  // MARK: What is left

  /// The types of parts that say nothing without their whole, and how their whole is asked for.
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

  /// Sets aside, once for each type, the parts whose product no response names.
  private func setAsidePartsOfNothing() throws(CatalogError) {
    let parts = Dictionary(grouping: resources.resources.filter { !isPart($0.identifier) }) {
      $0.identifier.type
    }
    for (type, fix) in Self.partTypes {
      guard let lost = parts[type], let first = lost.first else { continue }
      try session.setAside(
        CatalogError(
          .invalidField,
          lost.count == 1
            ? "the file does not say which product it is of"
            : "the file does not say which product it and \(lost.count - 1) more are of",
          fix: fix,
          place: "line \(first.line), \(first.called)"
        )
      )
    }
  }

  private func isPart(_ identifier: ResourceIdentifier) -> Bool {
    if resources.parts.contains(identifier) { return true }
    // A schedule has the identifier of its in-app purchase.
    let whole = ResourceIdentifier(type: "inAppPurchases", id: identifier.id)
    return identifier.type == "inAppPurchasePriceSchedules" && resources[whole] != nil
  }
}
