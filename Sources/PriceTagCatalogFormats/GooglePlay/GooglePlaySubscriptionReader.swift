import PriceTag
import PriceTagCatalog
import PriceTagSystem
import PriceTagText

/// Reads Google Play API subscriptions.
///
/// Customers subscribe to base plans. Each base plan becomes a product `subscription:base-plan`, and the subscription
/// becomes the group of its base plans.
struct GooglePlaySubscriptionReader {
  let session: ImportSession
  private var shared: GooglePlayPrices { GooglePlayPrices(session: session) }

  /// Adds a subscription's group and base plans to the session. Removes their offers from `offers`.
  func read(_ value: JSONValue, _ line: Int, _ offers: inout GooglePlayOffers) throws(CatalogError) {
    let label = value.label("subscription", from: "productId")
    _ = try session.attempt(at: label) { () throws(CatalogError) in
      let fields = try JSONFields(value, "a subscription", line: line)
      let identifier = try fields.name("productId")
      var subscription = try fields.product("productId")
      try shared.addListings(of: fields, to: &subscription, label)
      if try fields.optionalBool("archived") == true { subscription.isApproved = false }
      let group = ProductGroup(
        .subscriptionGroup,
        identifier,
        names: subscription.localizations.compactMapValues(\.name)
      )
      try session.add(.group(group), at: "line \(fields.line), \(label)")
      let line = fields.line(of: "basePlans")
      for plan in try fields.array("basePlans") {
        let name = plan.text(of: "basePlanId")
        let place = name.map { "product \(quoted("\(identifier):\($0)"))" } ?? "\(label), base plan"
        let read = try session.attempt(at: place) { () throws(CatalogError) -> (CatalogProduct, Int) in
          let plan = try JSONFields(plan, "a base plan", line: line)
          return (try self.product(plan, of: subscription, place), plan.line)
        }
        if let (plan, line) = read {
          var product = plan
          if let own = offers.removeOffers(of: product.identifier) {
            product.offers = try GooglePlayOfferReader(session: session).offers(own, of: product)
          }
          try session.add(.product(product), at: "line \(line), \(place)")
        }
      }
    }
  }

  /// Adds the offers of a base plan that is missing from the file.
  func add(_ offers: GooglePlayOffers.OfBasePlan) throws(CatalogError) {
    let place = "line \(offers.line), product \(quoted(offers.product))"
    let found = try session.attempt(at: place) { () throws(CatalogError) in
      try CatalogProduct(offers.product)
    }
    guard var product = found else { return }
    product.offers = try GooglePlayOfferReader(session: session).offers(offers, of: product)
    guard product.offers != nil else { return }
    product.subscriptionGroup = offers.subscription
    try session.add(.product(product), at: place)
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
      try session.attempt(at: place) { () throws(CatalogError) in try shared.isActive(plan) }
      ?? Optional(false)
    product.isApproved = subscription.isApproved ?? isActive
    for (field, kind) in [
      ("autoRenewingBasePlanType", ProductKind.autoRenewable), ("prepaidBasePlanType", .nonRenewable),
      ("installmentsBasePlanType", .autoRenewable),
    ] {
      guard let type = try plan.optionalFields(field) else { continue }
      product.kind = kind
      product.subscriptionPeriod =
        try session.attempt(at: place) { () throws(CatalogError) in
          try type.value("billingPeriodDuration", session.period)
        }
      if field == "installmentsBasePlanType" {
        try session.reject(
          plan.notRepresentable(
            "a commitment to several payments is not supported",
            field,
            fix: "state it in the description; only the price of one payment is imported"
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
