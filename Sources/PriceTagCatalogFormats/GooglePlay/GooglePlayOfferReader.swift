import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// The offers of a file by their base plans. They are read together with the base plan, because a discount is from its
/// price.
struct GooglePlayOffers {
  /// The offers of one base plan.
  struct OfBasePlan {
    let subscription: String
    /// `subscription:base-plan`.
    let product: String
    let line: Int
    fileprivate(set) var offers: [JSONFields]
  }

  private var indices: [String: Int] = [:]
  private var plans: [OfBasePlan?] = []

  fileprivate mutating func add(_ offer: JSONFields, of subscription: String, _ basePlan: String) {
    let product = "\(subscription):\(basePlan)"
    if let index = indices[product] {
      plans[index]?.offers.append(offer)
    } else {
      indices[product] = plans.count
      plans.append(
        OfBasePlan(subscription: subscription, product: product, line: offer.line, offers: [offer])
      )
    }
  }

  /// Removes the offers of a base plan and returns them, or `nil` if there are none.
  mutating func removeOffers(of product: String) -> OfBasePlan? {
    guard let index = indices.removeValue(forKey: product), let plan = plans[index] else { return nil }
    plans[index] = nil
    return plan
  }

  /// The offers that have not been removed.
  var remaining: [OfBasePlan] { plans.compactMap { $0 } }
}

/// Reads the subscription offers of the Google Play API.
struct GooglePlayOfferReader {
  let session: ImportSession
  private var shared: GooglePlayPrices { GooglePlayPrices(session: session) }

  /// Groups the offers of a file by their base plans.
  func group(_ resources: [GooglePlayResources.Resource]) throws(CatalogError) -> GooglePlayOffers {
    var offers = GooglePlayOffers()
    for (_, value, line) in resources {
      _ = try session.attempt(at: value.label("offer", from: "offerId")) { () throws(CatalogError) in
        let fields = try JSONFields(value, "an offer", line: line)
        offers.add(fields, of: try fields.name("productId"), try fields.string("basePlanId"))
      }
    }
    return offers
  }

  /// Returns the offers of a base plan, or `nil` if all were rejected.
  func offers(
    _ offers: GooglePlayOffers.OfBasePlan,
    of basePlan: CatalogProduct
  ) throws(CatalogError) -> [CatalogOffer]? {
    var read: [CatalogOffer] = []
    for fields in offers.offers {
      let place = JSONValue.object(fields.object).label("offer", from: "offerId")
      let offer = try session.attempt(at: place) { () throws(CatalogError) in
        try self.offer(fields, of: basePlan, place)
      }
      if let offer { read.append(offer) }
    }
    return read.isEmpty ? nil : read
  }

  private func offer(
    _ fields: JSONFields,
    of basePlan: CatalogProduct,
    _ place: String
  ) throws(CatalogError) -> CatalogOffer {
    let identifier = try fields.string("offerId")
    if try shared.isActive(fields) == false {
      throw fields.notRepresentable("the offer is not active", "state", fix: "activate it, or remove it")
    }
    let kind = try kind(fields)
    var phases: [CatalogOffer.Phase] = []
    for phase in try fields.fields("phases") { phases.append(try self.phase(phase, of: basePlan, place)) }
    let (_, clearedForSale) = try shared.regions(fields, "regionalConfigs", place) {
      (region) throws(CatalogError) in try region.optionalBool("newSubscriberAvailability")
    }
    return try fields.reading("phases") { () throws(CatalogError) in
      try CatalogOffer(
        kind,
        identifier: identifier,
        phases: phases,
        clearedForSale: clearedForSale ?? .everywhere
      )
    }
  }

  private func phase(
    _ phase: JSONFields,
    of basePlan: CatalogProduct,
    _ place: String
  ) throws(CatalogError) -> CatalogOffer.Phase {
    let period = try phase.value("duration", session.period)
    let count = try phase.optionalInteger("recurrenceCount", in: 1...999) ?? 1
    let isFree = try isFree(phase)
    let length = try phase.reading("recurrenceCount") { () throws(CatalogError) in
      isFree ? try period.repeated(count) : period
    }
    let (prices, _) = try shared.regions(
      phase,
      "regionalConfigs",
      place,
      discountedPrice: { (region, storefront) throws(CatalogError) in
        try GooglePlayDiscount(region)?.price(in: storefront, during: period, of: basePlan, shared)
      }
    )
    return try CatalogOffer.Phase(
      isFree ? .freeTrial : count > 1 ? .payAsYouGo : .payUpFront,
      period: length,
      periodCount: isFree ? 1 : count,
      prices: prices
    )
  }

  /// Returns the kind of offer: introductory for new subscribers, promotional for those chosen by the app.
  private func kind(_ fields: JSONFields) throws(CatalogError) -> CatalogOffer.Kind {
    guard let targeting = try fields.optionalFields("targeting") else { return .promotional }
    if targeting["upgradeRule"] != nil {
      throw fields.notRepresentable(
        "an offer for customers who change the base plan is not supported",
        "targeting",
        fix: "remove it"
      )
    }
    return targeting["acquisitionRule"] == nil ? .promotional : .introductory
  }

  /// Returns whether a phase is free in all of its regions. Throws an error if it is free in some of them, or also has a
  /// price.
  private func isFree(_ phase: JSONFields) throws(CatalogError) -> Bool {
    let regions = try phase.fields("regionalConfigs")
    let free = regions.count { $0["free"] != nil }
    guard free == 0 || free == regions.count else {
      throw phase.notRepresentable(
        "an offer that is free in only some regions is not supported",
        "regionalConfigs",
        fix: "split it into two offers"
      )
    }
    for region in regions where region["free"] != nil { try GooglePlayDiscount.checkPrices(of: region) }
    return free > 0
  }
}
