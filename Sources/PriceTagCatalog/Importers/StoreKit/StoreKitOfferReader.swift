import PriceTag

/// Reads the offers of a subscription of a StoreKit configuration.
struct StoreKitOfferReader {
  private let session: ImportSession
  /// The storefront that the prices belong to.
  private let storefront: StoreKitStorefront

  private static let lists: [(field: String, kind: CatalogOffer.Kind, called: String)] = [
    ("introductoryOffers", .introductory, "introductory offer"),
    ("adHocOffers", .promotional, "promotional offer"),
    ("codeOffers", .code, "offer code"),
    ("winbackOffers", .winBack, "win-back offer"),
  ]

  init(_ session: ImportSession, storefront: StoreKitStorefront) {
    (self.session, self.storefront) = (session, storefront)
  }

  /// The offers; `nil` where the product does not speak of any. An empty array and null say that there are none.
  func offers(_ fields: JSONFields, _ called: String) throws(CatalogError) -> [CatalogOffer]? {
    let spoken = Self.lists.map(\.field) + ["introductoryOffer"]
    guard fields.object.members.contains(where: { spoken.contains($0.key) }) else { return nil }
    var offers: [CatalogOffer] = []
    for list in Self.lists {
      var values = try fields.array(list.field)
      if list.kind == .introductory, let single = fields["introductoryOffer"], !values.hasCopy(of: single) {
        values.append(single)
      }
      let line = fields.line(of: list.field)
      for value in values {
        let place =
          "\(called), \(list.called)"
          + ((value.text(of: "offerID") ?? value.text(of: "referenceName")).map { " \(quoted($0))" } ?? "")
        let offer = try session.attempt(at: place) { () throws(CatalogError) -> CatalogOffer in
          try self.offer(JSONFields(value, "an offer", line: line), list.kind)
        }
        if let offer { offers.append(offer) }
      }
    }
    return offers
  }

  private func offer(
    _ fields: JSONFields,
    _ kind: CatalogOffer.Kind
  ) throws(CatalogError) -> CatalogOffer {
    if let plan = try fields.optionalString("billingPlanType"), plan != "BILLED_UPFRONT" {
      throw fields.invalid(
        "an offer of the billing plan \(quoted(plan)) cannot be kept",
        "billingPlanType",
        fix: "keep it in Xcode; the catalogue has the offers of what is paid up front",
        code: .notRepresentable
      )
    }
    let mode = try self.mode(fields)
    let period = try fields.period("subscriptionPeriod", session)
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
        "there is no payment mode \(quoted(mode))",
        "paymentMode",
        fix: "give one of free, payAsYouGo, payUpFront"
      )
    }
  }

  /// The price; none where its storefront is not known, which the subscription's own price was rejected for.
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

extension [JSONValue] {
  /// Whether Xcode's own copy of the first introductory offer stands among them, by the identifier it gives each.
  fileprivate func hasCopy(of offer: JSONValue) -> Bool {
    guard let id = offer.text(of: "internalID") else { return !isEmpty }
    return contains { $0.text(of: "internalID") == id }
  }
}
