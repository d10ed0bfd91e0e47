import PriceTag
import PriceTagCatalog
import PriceTagText

/// Reads the subscriptions of Google Play's API.
///
/// What somebody subscribes to is a base plan. Each becomes a product `subscription:base-plan`, and the subscription
/// becomes the group of its base plans.
struct GooglePlaySubscriptionReader {
  private let session: ImportSession
  private let shared: GooglePlayPrices

  init(_ session: ImportSession) {
    self.session = session
    shared = GooglePlayPrices(session)
  }

  /// Hands over a subscription's group and base plans, and takes the offers that belong to them.
  func take(_ value: JSONValue, _ line: Int, _ offers: inout GooglePlayOffers) throws(CatalogError) {
    let called = value.called("subscription", by: "productId")
    _ = try session.attempt(at: called) { () throws(CatalogError) in
      let fields = try JSONFields(value, "a subscription", line: line)
      let identifier = try fields.name("productId")
      var subscription = try fields.reading("productId") { () throws(CatalogError) in
        try CatalogProduct(identifier)
      }
      try shared.addListings(of: fields, to: &subscription, called)
      if try fields.optionalBool("archived") == true { subscription.isApproved = false }
      let group = ProductGroup(
        .subscriptionGroup,
        identifier,
        names: subscription.localizations.compactMapValues(\.name)
      )
      try session.take(.group(group), at: "line \(fields.line), \(called)")
      let line = fields.line(of: "basePlans")
      for plan in try fields.array("basePlans") {
        let name = plan.text(of: "basePlanId")
        let place = name.map { "product \(quoted("\(identifier):\($0)"))" } ?? "\(called), base plan"
        let read = try session.attempt(at: place) { () throws(CatalogError) -> (CatalogProduct, Int) in
          let plan = try JSONFields(plan, "a base plan", line: line)
          return (try self.product(plan, of: subscription, place), plan.line)
        }
        if let (plan, line) = read {
          var product = plan
          product.offers = offers.removeOffers(of: product.identifier)
          try session.take(.product(product), at: "line \(line), \(place)")
        }
      }
    }
  }

  /// Hands over the offers of a base plan that the file does not have.
  func take(_ offers: GooglePlayOffers.OfBasePlan) throws(CatalogError) {
    let place = "line \(offers.line), product \(quoted(offers.product))"
    let product = try session.attempt(at: place) { () throws(CatalogError) in
      var product = try CatalogProduct(offers.product)
      product.subscriptionGroup = offers.subscription
      product.offers = offers.offers
      return product
    }
    if let product { try session.take(.product(product), at: place) }
  }

  private func product(
    _ plan: JSONFields,
    of subscription: CatalogProduct,
    _ place: String
  ) throws(CatalogError) -> CatalogProduct {
    let id = try plan.string("basePlanId")
    var product = try plan.reading("basePlanId") { () throws(CatalogError) in
      try CatalogProduct("\(subscription.identifier):\(id)")
    }
    product.localizations = subscription.localizations
    product.subscriptionGroup = subscription.identifier
    let isActive =
      try session.attempt(at: place) { () throws(CatalogError) in
        try shared.isOnSale(
          plan,
          "state",
          ["ACTIVE": true, "INACTIVE": false, "DRAFT": false, "STATE_UNSPECIFIED": nil]
        )
      } ?? Optional(false)
    product.isApproved = subscription.isApproved ?? isActive
    for (field, kind) in [
      ("autoRenewingBasePlanType", ProductKind.autoRenewable), ("prepaidBasePlanType", .nonRenewable),
      ("installmentsBasePlanType", .autoRenewable),
    ] {
      guard let type = try plan.optionalFields(field) else { continue }
      product.kind = kind
      product.subscriptionPeriod =
        try session.attempt(at: place) { () throws(CatalogError) in
          try type.period("billingPeriodDuration", session)
        }
      if field == "installmentsBasePlanType" {
        try session.setAside(
          plan.invalid(
            "the payments that somebody commits to cannot be kept",
            field,
            fix: "say them in the description; the price of one payment is read",
            code: .notRepresentable
          ).at(place)
        )
      }
    }
    (product.prices, product.clearedForSale) = try shared.regions(plan, "regionalConfigs", place) {
      (region) throws(CatalogError) in try region.optionalBool("newSubscriberAvailability")
    }
    return product
  }
}
