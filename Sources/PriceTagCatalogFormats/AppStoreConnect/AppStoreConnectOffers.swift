import PriceTag
import PriceTagCatalog

/// Reads the offers of a subscription from App Store Connect API responses.
struct AppStoreConnectOffers {
  let prices: AppStoreConnectPrices
  let session: ImportSession

  /// The relationships of a subscription to offers with one price per territory, with the kind of the offers and the
  /// attribute that identifies them in the app. For a code, StoreKit's `Transaction.offerID` is the reference name.
  private static let kinds: [(name: String, kind: CatalogOffer.Kind, identifier: String)] = [
    ("promotionalOffers", .promotional, "offerCode"),
    ("offerCodes", .code, "name"),
    ("winBackOffers", .winBack, "offerId"),
  ]

  /// Returns the offers, or `nil` if no response has a relationship to offers.
  func offers(of subscription: AppStoreConnectResource) throws(CatalogError) -> [CatalogOffer]? {
    var offers = try introductoryOffers(of: subscription)
    for (name, kind, identifier) in Self.kinds {
      for offer in try prices.present(subscription, name) {
        let label = "\(subscription.label), \(offer.label)"
        let read = try session.attempt(at: label, line: offer.line) { () throws(CatalogError) in
          try self.offer(offer, kind, identifier, label)
        }
        if let read { offers.append(read) }
      }
    }
    if !offers.isEmpty { return offers }
    // If all offers were rejected, the offers are unknown, not empty.
    let names = (["introductoryOffers"] + Self.kinds.map(\.name)).filter(subscription.mentions)
    return !names.isEmpty && names.allSatisfy { subscription.related($0).isEmpty } ? [] : nil
  }

  /// The terms of an offer. Introductory offers of several territories with the same terms are one offer.
  private struct Terms: Hashable {
    let mode: CatalogOffer.PaymentMode
    let period: SubscriptionPeriod
    let count: Int
    let days: DateRange
  }

  private func terms(_ offer: AppStoreConnectResource) throws(CatalogError) -> Terms {
    let attributes = offer.attributes
    try prices.checkPlan(attributes, "targetSubscriptionPlanType")
    guard let mode = try attributes.optionalValue("offerMode", in: AppStoreConnectNames.modes),
      let period = try attributes.optionalNamedPeriod("duration", session)
    else {
      throw CatalogError(
        .invalidField,
        "the field \"offerMode\" or \"duration\" is missing",
        fix: "request the offers with all fields"
      )
    }
    // Win-back offers use the name "periodCount".
    let counts = (
      try attributes.optionalInteger("numberOfPeriods", in: 1...999),
      try attributes.optionalInteger("periodCount", in: 1...999)
    )
    return Terms(mode: mode, period: period, count: counts.0 ?? counts.1 ?? 1, days: try prices.days(offer))
  }

  /// Returns the introductory offers. The API has one per territory; those with the same terms are merged.
  private func introductoryOffers(
    of subscription: AppStoreConnectResource
  ) throws(CatalogError) -> [CatalogOffer] {
    var order: [Terms] = []
    var parts: [Terms: (storefronts: Set<String>, prices: PriceTable)] = [:]
    var problems = RepeatedProblems()
    for offer in try prices.present(subscription, "introductoryOffers") {
      try problems.attempt(at: "\(subscription.label), \(offer.label)", line: offer.line) {
        () throws(CatalogError) in
        let terms = try terms(offer)
        let territory = try prices.territory(offer, "subscriptionPricePoint")
        let storefront = try session.storefront(territory).id
        if parts[terms] == nil { order.append(terms) }
        var part = parts[terms] ?? ([], PriceTable())
        part.storefronts.insert(storefront)
        if terms.mode != .freeTrial {
          try part.prices.add(prices.cost(offer, "subscriptionPricePoint", .always))
        }
        parts[terms] = part
      }
    }
    try problems.reject(session)
    var offers: [CatalogOffer] = []
    for terms in order {
      guard let part = parts[terms] else { continue }
      let offer = try session.attempt(at: subscription.label, line: subscription.line) {
        () throws(CatalogError) in
        try CatalogOffer(
          .introductory,
          paymentMode: terms.mode,
          period: terms.period,
          periodCount: terms.count,
          clearedForSale: .only(part.storefronts),
          days: terms.days,
          prices: part.prices
        )
      }
      if let offer { offers.append(offer) }
    }
    return offers
  }

  /// Returns an offer whose territories and prices are separate resources.
  private func offer(
    _ offer: AppStoreConnectResource,
    _ kind: CatalogOffer.Kind,
    _ identifierField: String,
    _ label: String
  ) throws(CatalogError) -> CatalogOffer {
    guard try offer.attributes.optionalBool("active") != false else {
      throw CatalogError(.notRepresentable, "the offer is not active", fix: "remove it")
    }
    guard try offer.attributes.optionalBool("autoRenewEnabled") != false else {
      throw CatalogError(
        .notRepresentable,
        "an offer after which the subscription does not renew is not supported",
        fix: "remove it"
      )
    }
    let terms = try terms(offer)
    guard offer.mentions("prices") else {
      throw CatalogError(
        .missingStorefront,
        "the prices of the offer are not in the file",
        fix: "add the response of its prices with include=subscriptionPricePoint,territory"
      )
    }
    var storefronts: Set<String> = []
    var table = PriceTable()
    var problems = RepeatedProblems()
    for price in try prices.present(offer, "prices") {
      try problems.attempt(at: label, line: price.line) { () throws(CatalogError) in
        let territory = try prices.territory(price, "subscriptionPricePoint")
        if terms.mode != .freeTrial {
          try table.add(prices.cost(price, "subscriptionPricePoint", .always))
        }
        storefronts.insert(try session.storefront(territory).id)
      }
    }
    try problems.reject(session)
    return try CatalogOffer(
      kind,
      identifier: offer.attributes.optionalString(identifierField),
      paymentMode: terms.mode,
      period: terms.period,
      periodCount: terms.count,
      clearedForSale: .only(storefronts),
      days: terms.days,
      prices: table
    )
  }
}
