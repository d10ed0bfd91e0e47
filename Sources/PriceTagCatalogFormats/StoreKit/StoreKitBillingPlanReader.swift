import PriceTag
import PriceTagCatalog

/// Reads the billing plans of a subscription in a StoreKit configuration.
///
/// An annual subscription can be paid up front, or monthly with a commitment to 12 payments. StoreKit lists both as
/// pricing terms of one product. Here the monthly plan becomes a separate product, like the base plans of Google Play:
/// `com.example.club:monthly`, with the price and period of a payment, and the plan's own offers.
struct StoreKitBillingPlanReader {
  /// The type of a plan that is paid up front for the complete period.
  static let upFront = "BILLED_UPFRONT"
  /// The type of a plan that is paid monthly with a commitment to one year.
  static let monthly = "MONTHLY"
  private static let identifierSuffix = ":monthly"

  let session: ImportSession
  let storefront: StoreKitStorefront

  /// Returns the monthly plan as a product, or `nil` if the subscription has no such plan or the plan is disabled.
  func monthlyPlan(
    of subscription: CatalogProduct,
    _ fields: JSONFields,
    _ label: String
  ) throws(CatalogError) -> CatalogProduct? {
    let line = fields.line(of: "billingPlans")
    guard case .array(let values)? = fields["billingPlans"] else { return nil }
    let plan = try session.attempt(at: label) { () throws(CatalogError) -> CatalogProduct? in
      var plans: [JSONFields] = []
      for value in values where value.text(of: "billingPlanType") == Self.monthly {
        let plan = try JSONFields(value, "a billing plan", line: line)
        if try plan.optionalBool("isEnabled") ?? true { plans.append(plan) }
      }
      guard let plan = plans.first else { return nil }
      guard let length = subscription.subscriptionPeriod, length == (try session.period("P1Y")) else {
        throw plan.invalid(
          "a monthly billing plan requires a subscription period of one year",
          "billingPlanType",
          fix: "set the subscription's period to P1Y, or remove the plan"
        )
      }
      var product = try CatalogProduct(subscription.identifier + Self.identifierSuffix)
      (product.kind, product.referenceName) = (subscription.kind, subscription.referenceName)
      (product.subscriptionGroup, product.groupLevel) = (
        subscription.subscriptionGroup, subscription.groupLevel
      )
      product.localizations = subscription.localizations
      product.subscriptionPeriod = try session.period("P1M")
      product.prices = try prices(plans)
      product.offers = try StoreKitOfferReader(session: session, storefront: storefront).offers(
        fields,
        label,
        ofPlan: Self.monthly
      )
      try reportCommitment(plan, label)
      return product
    }
    return plan ?? nil
  }

  /// Returns the price of a payment. If a file has the plan several times, their prices must be the same, and the total
  /// must be that of 12 payments.
  private func prices(_ plans: [JSONFields]) throws(CatalogError) -> PriceTable {
    var table = PriceTable()
    for plan in plans {
      let amount = try plan.required(plan.optionalDecimal("displayPrice"), "displayPrice")
      if let total = try plan.optionalDecimal("commitmentDisplayPrice"), total != (try? amount * 12) {
        throw plan.invalid(
          "the total \(total) is not that of 12 payments of \(amount)",
          "commitmentDisplayPrice",
          fix: "correct one; until then the plan is rejected",
          code: .conflictingPrices
        )
      }
      guard let storefront = storefront.known else { continue }
      try plan.reading("displayPrice") { () throws(CatalogError) in
        try table.add(session.price(amount, nil, in: storefront))
      }
    }
    return table
  }

  /// Rejects the commitment, which a catalog cannot store. StoreKit shows its total next to the price of a payment.
  private func reportCommitment(_ plan: JSONFields, _ label: String) throws(CatalogError) {
    let total = try plan.optionalDecimal("commitmentDisplayPrice").map { " (\($0) in total)" } ?? ""
    try session.reject(
      plan.notRepresentable(
        "a commitment to 12 payments\(total) is not supported",
        "commitmentDisplayPrice",
        fix: "state it in the description; only the price of one payment is imported"
      ).at(label)
    )
  }
}
