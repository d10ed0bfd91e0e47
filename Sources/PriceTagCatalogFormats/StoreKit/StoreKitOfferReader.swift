import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads the offers of a subscription in a StoreKit configuration.
struct StoreKitOfferReader {
  let session: ImportSession
  /// The storefront of the prices.
  let storefront: StoreKitStorefront

  private static let lists: [(field: String, kind: CatalogOffer.Kind, label: String)] = [
    ("introductoryOffers", .introductory, "introductory offer"),
    ("adHocOffers", .promotional, "promotional offer"),
    ("codeOffers", .code, "offer code"),
    ("winbackOffers", .winBack, "win-back offer"),
  ]

  /// Returns the offers of a billing plan, or `nil` if the product has no field for offers. An empty array and null
  /// mean that there are no offers.
  func offers(
    _ fields: JSONFields,
    _ label: String,
    ofPlan plan: String = StoreKitBillingPlanReader.upFront
  ) throws(CatalogError) -> [CatalogOffer]? {
    let hasMonthlyPlan = fields["billingPlans"].map(Self.hasMonthlyPlan) ?? false
    let offerFields = Self.lists.map(\.field) + ["introductoryOffer"]
    guard fields.object.members.contains(where: { offerFields.contains($0.key) }) else { return nil }
    var offers: [CatalogOffer] = []
    for list in Self.lists {
      var values = try fields.array(list.field)
      if list.kind == .introductory, let single = fields["introductoryOffer"], !values.hasCopy(of: single) {
        values.append(single)
      }
      let line = fields.line(of: list.field)
      for value in values {
        let own = value.text(of: "billingPlanType") ?? StoreKitBillingPlanReader.upFront
        // Offers of the other plan are read with that plan. An offer of an unknown plan is rejected below.
        let isOfMonthlyPlan = hasMonthlyPlan && own == StoreKitBillingPlanReader.monthly
        if isOfMonthlyPlan != (plan == StoreKitBillingPlanReader.monthly) { continue }
        let place =
          "\(label), \(list.label)"
          + ((value.text(of: "offerID") ?? value.text(of: "referenceName")).map { " \(quoted($0))" } ?? "")
        let offer = try session.attempt(at: place) { () throws(CatalogError) -> CatalogOffer in
          try self.offer(JSONFields(value, "an offer", line: line), list.kind, ofPlan: plan)
        }
        if let offer { offers.append(offer) }
      }
    }
    return offers
  }

  private func offer(
    _ fields: JSONFields,
    _ kind: CatalogOffer.Kind,
    ofPlan plan: String
  ) throws(CatalogError) -> CatalogOffer {
    if let own = try fields.optionalString("billingPlanType"), own != plan {
      throw fields.notRepresentable(
        "unknown billing plan \(quoted(own))",
        "billingPlanType",
        fix: "add the plan in Xcode, or remove the offer"
      )
    }
    let mode = try self.mode(fields)
    let period = try fields.value("subscriptionPeriod", session.period)
    let count = try fields.optionalInteger("numberOfPeriods", in: 1...999) ?? 1
    let length = try fields.reading("numberOfPeriods") { () throws(CatalogError) in
      mode == .payAsYouGo ? period : try period.repeated(count)
    }
    let (id, name) = (try fields.optionalString("offerID"), try fields.optionalString("referenceName"))
    return try CatalogOffer(
      kind,
      identifier: kind == .introductory ? nil : id ?? name,
      paymentMode: mode,
      period: length,
      periodCount: mode == .payAsYouGo ? count : 1,
      prices: mode == .freeTrial ? PriceTable() : try prices(fields)
    )
  }

  private func mode(_ fields: JSONFields) throws(CatalogError) -> CatalogOffer.PaymentMode {
    let mode = try fields.string("paymentMode")
    switch mode {
    case "free": return .freeTrial
    case "payAsYouGo": return .payAsYouGo
    case "payUpFront": return .payUpFront
    default:
      throw fields.invalid(
        "unknown paymentMode \(quoted(mode))",
        "paymentMode",
        fix: "use one of free, payAsYouGo, payUpFront"
      )
    }
  }

  /// Returns the offer's price, or no price if the storefront is not known; the subscription's price is then rejected.
  private func prices(_ fields: JSONFields) throws(CatalogError) -> PriceTable {
    var table = PriceTable()
    let amount = try fields.required(fields.optionalDecimal("displayPrice"), "displayPrice")
    guard let storefront = storefront.known else { return table }
    try fields.reading("displayPrice") { () throws(CatalogError) in
      try table.add(session.price(amount, nil, in: storefront))
    }
    return table
  }
}

extension StoreKitOfferReader {
  /// Returns whether the billing plans contain a monthly plan that is not disabled.
  private static func hasMonthlyPlan(_ plans: JSONValue) -> Bool {
    guard case .array(let plans) = plans else { return false }
    return plans.contains { plan in
      guard case .object(let object) = plan else { return false }
      let isEnabled = if case .bool(false)? = object["isEnabled"] { false } else { true }
      return isEnabled && plan.text(of: "billingPlanType") == StoreKitBillingPlanReader.monthly
    }
  }
}

extension [JSONValue] {
  /// Returns whether the values contain a copy of an offer. Xcode duplicates the first introductory offer with the same
  /// identifier.
  fileprivate func hasCopy(of offer: JSONValue) -> Bool {
    guard let id = offer.text(of: "internalID") else { return !isEmpty }
    return contains { $0.text(of: "internalID") == id }
  }
}
