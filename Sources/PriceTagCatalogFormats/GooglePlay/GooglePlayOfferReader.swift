import PriceTag
import PriceTagCatalog
import PriceTagText

/// The offers of a file by their base plans.
struct GooglePlayOffers {
  /// The offers of one base plan.
  struct OfBasePlan {
    let subscription: String
    /// `subscription:base-plan`.
    let product: String
    let line: Int
    fileprivate(set) var offers: [CatalogOffer]
  }

  private var indices: [String: Int] = [:]
  private var plans: [OfBasePlan?] = []

  fileprivate mutating func add(
    _ offer: CatalogOffer,
    of subscription: String,
    _ basePlan: String,
    line: Int
  ) {
    let product = "\(subscription):\(basePlan)"
    if let index = indices[product] {
      plans[index]?.offers.append(offer)
    } else {
      indices[product] = plans.count
      plans.append(OfBasePlan(subscription: subscription, product: product, line: line, offers: [offer]))
    }
  }

  /// Removes the offers of a base plan and returns them, or `nil` if there are none.
  mutating func removeOffers(of product: String) -> [CatalogOffer]? {
    guard let index = indices.removeValue(forKey: product), let plan = plans[index] else { return nil }
    plans[index] = nil
    return plan.offers
  }

  /// The offers that have not been removed.
  var remaining: [OfBasePlan] { plans.compactMap { $0 } }
}

/// Reads the subscription offers of the Google Play API.
struct GooglePlayOfferReader {
  private let session: ImportSession
  private let shared: GooglePlayPrices

  init(_ session: ImportSession) {
    self.session = session
    shared = GooglePlayPrices(session)
  }

  func offers(_ values: [(value: JSONValue, line: Int)]) throws(CatalogError) -> GooglePlayOffers {
    var offers = GooglePlayOffers()
    for (value, line) in values {
      let place = value.label("offer", from: "offerId")
      _ = try session.attempt(at: place) { () throws(CatalogError) in
        let fields = try JSONFields(value, "an offer", line: line)
        let (subscription, plan) = (try fields.name("productId"), try fields.string("basePlanId"))
        offers.add(try offer(fields, place), of: subscription, plan, line: line)
      }
    }
    return offers
  }

  private func offer(_ fields: JSONFields, _ place: String) throws(CatalogError) -> CatalogOffer {
    let identifier = try fields.string("offerId")
    let isActive = try shared.isOnSale(
      fields,
      "state",
      ["ACTIVE": true, "INACTIVE": false, "DRAFT": false, "STATE_UNSPECIFIED": nil]
    )
    if isActive == false {
      throw notRepresentable(fields, "state", "the offer is not active", fix: "activate it, or remove it")
    }
    let kind = try kind(fields)
    let phases = try fields.fields("phases")
    guard let phase = phases.first, phases.count == 1 else {
      throw notRepresentable(
        fields,
        "phases",
        "an offer with \(phases.count) phases is not supported",
        fix: "write an offer with one phase"
      )
    }
    let period = try phase.period("duration", session)
    let count = try phase.optionalInteger("recurrenceCount", in: 1...999) ?? 1
    let isFree = try isFree(phase)
    let length = try phase.reading("recurrenceCount") { () throws(CatalogError) in
      isFree ? try period.repeated(count) : period
    }
    let (prices, _) = try shared.regions(phase, "regionalConfigs", place) {
      (region) throws(CatalogError) -> Bool? in
      for field in ["relativeDiscount", "absoluteDiscount"] where region[field] != nil {
        throw notRepresentable(
          region,
          field,
          "a discount from another price is not supported",
          fix: "write the discounted price"
        )
      }
      return nil
    }
    let (_, clearedForSale) = try shared.regions(fields, "regionalConfigs", place) {
      (region) throws(CatalogError) in try region.optionalBool("newSubscriberAvailability")
    }
    return try CatalogOffer(
      kind,
      identifier: identifier,
      paymentMode: isFree ? .freeTrial : count > 1 ? .payAsYouGo : .payUpFront,
      period: length,
      periodCount: isFree ? 1 : count,
      clearedForSale: clearedForSale ?? .everywhere,
      prices: prices
    )
  }

  /// Returns the kind of offer: introductory for new subscribers, promotional for those chosen by the app.
  private func kind(_ fields: JSONFields) throws(CatalogError) -> CatalogOffer.Kind {
    guard let targeting = try fields.optionalFields("targeting") else { return .promotional }
    if targeting["upgradeRule"] != nil {
      throw notRepresentable(
        fields,
        "targeting",
        "an offer for customers who change the base plan is not supported",
        fix: "remove it"
      )
    }
    return targeting["acquisitionRule"] == nil ? .promotional : .introductory
  }

  /// Returns whether a phase is free in all of its regions. Throws an error if it is free in some of them.
  private func isFree(_ phase: JSONFields) throws(CatalogError) -> Bool {
    let regions = try phase.fields("regionalConfigs")
    let free = regions.count { $0["free"] != nil }
    guard free == 0 || free == regions.count else {
      throw notRepresentable(
        phase,
        "regionalConfigs",
        "an offer that is free in only some regions is not supported",
        fix: "split it into two offers"
      )
    }
    return free > 0
  }

  private func notRepresentable(
    _ fields: JSONFields,
    _ field: String,
    _ problem: String,
    fix: String
  ) -> CatalogError {
    fields.invalid(problem, field, fix: fix, code: .notRepresentable)
  }
}
