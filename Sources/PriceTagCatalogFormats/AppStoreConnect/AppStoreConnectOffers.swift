import PriceTag
import PriceTagCatalog

/// Reads a subscription's offers from App Store Connect's API.
struct AppStoreConnectOffers {
  private let resources: AppStoreConnectResources
  private let prices: AppStoreConnectPrices
  private let session: ImportSession

  init(_ resources: AppStoreConnectResources, _ prices: AppStoreConnectPrices, _ session: ImportSession) {
    (self.resources, self.prices, self.session) = (resources, prices, session)
  }

  /// The relationships of a subscription to offers of one price a territory, with the offers' kind and the attribute
  /// that an app calls them by: StoreKit's `Transaction.offerID` is a code's reference name.
  private static let kinds: [(name: String, kind: CatalogOffer.Kind, identifier: String)] = [
    ("promotionalOffers", .promotional, "offerCode"),
    ("offerCodes", .code, "name"),
    ("winBackOffers", .winBack, "offerId"),
  ]

  /// The offers; `nil` where no response speaks of any.
  func offers(of subscription: AppStoreConnectResource) throws(CatalogError) -> [CatalogOffer]? {
    var offers = try introductoryOffers(of: subscription)
    for (name, kind, identifier) in Self.kinds {
      for offer in try prices.present(subscription, name).compactMap({ resources[$0] }) {
        let called = "\(subscription.called), \(offer.called)"
        let read = try session.attempt(at: called, line: offer.line) { () throws(CatalogError) in
          try self.offer(offer, kind, identifier, called)
        }
        if let read { offers.append(read) }
      }
    }
    if !offers.isEmpty { return offers }
    // That none could be read does not say that there are none.
    let names = (["introductoryOffers"] + Self.kinds.map(\.name)).filter(subscription.mentions)
    return !names.isEmpty && names.allSatisfy { subscription.related($0).isEmpty } ? [] : nil
  }

  /// How an offer is paid: what introductory offers of several territories have in common where they are one.
  private struct Terms: Hashable {
    let mode: CatalogOffer.PaymentMode
    let period: SubscriptionPeriod
    let count: Int
    let days: Days
  }

  private func terms(_ offer: AppStoreConnectResource) throws(CatalogError) -> Terms {
    let attributes = offer.attributes
    try prices.checkPlan(attributes, "targetSubscriptionPlanType")
    guard let mode = try attributes.optionalValue("offerMode", in: AppStoreConnectNames.modes),
      let period = try attributes.optionalLength("duration", session)
    else {
      throw CatalogError(
        .invalidField,
        "the offer has no offerMode or no duration",
        fix: "request the offers with all of their fields"
      )
    }
    // A win-back offer has the other name.
    let counts = (
      try attributes.optionalInteger("numberOfPeriods", in: 1...999),
      try attributes.optionalInteger("periodCount", in: 1...999)
    )
    return Terms(mode: mode, period: period, count: counts.0 ?? counts.1 ?? 1, days: try prices.days(offer))
  }

  /// Introductory offers are one a territory: those of the same terms are put together.
  private func introductoryOffers(
    of subscription: AppStoreConnectResource
  ) throws(CatalogError) -> [CatalogOffer] {
    var order: [Terms] = []
    var parts: [Terms: (storefronts: Set<String>, prices: PriceTable)] = [:]
    var problems = RepeatedProblems()
    for offer in try prices.present(subscription, "introductoryOffers").compactMap({ resources[$0] }) {
      try problems.attempt(at: "\(subscription.called), \(offer.called)", line: offer.line) {
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
    try problems.setAside(session)
    var offers: [CatalogOffer] = []
    for terms in order {
      guard let part = parts[terms] else { continue }
      let offer = try session.attempt(at: subscription.called, line: subscription.line) {
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

  /// An offer whose territories and prices are resources of their own.
  private func offer(
    _ offer: AppStoreConnectResource,
    _ kind: CatalogOffer.Kind,
    _ identifierField: String,
    _ called: String
  ) throws(CatalogError) -> CatalogOffer {
    guard try offer.attributes.optionalBool("active") != false else {
      throw CatalogError(.notRepresentable, "the offer is not active", fix: "leave it out")
    }
    let terms = try terms(offer)
    guard offer.mentions("prices") else {
      throw CatalogError(
        .missingStorefront,
        "the file does not say where the offer is made",
        fix: "add the response of its prices with include=subscriptionPricePoint,territory"
      )
    }
    var storefronts: Set<String> = []
    var table = PriceTable()
    var problems = RepeatedProblems()
    for price in try prices.present(offer, "prices").compactMap({ resources[$0] }) {
      try problems.attempt(at: called, line: price.line) { () throws(CatalogError) in
        let territory = try prices.territory(price, "subscriptionPricePoint")
        if terms.mode != .freeTrial {
          try table.add(prices.cost(price, "subscriptionPricePoint", .always))
        }
        storefronts.insert(try session.storefront(territory).id)
      }
    }
    try problems.setAside(session)
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
