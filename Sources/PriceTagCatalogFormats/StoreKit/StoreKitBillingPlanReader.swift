import PriceTag
import PriceTagCatalog

/// Reads the billing plans of a subscription of a StoreKit configuration.
///
/// A subscription of a year may be paid up front, or by the month with a commitment to 12 payments. StoreKit lists both
/// as the pricing terms of one product. Here the second is a product of its own, as Google Play's base plans are:
/// `com.example.club:monthly`, with the price of a payment, its period and the plan's own offers.
struct StoreKitBillingPlanReader {
  /// What is paid for the whole period at once.
  static let upFront = "BILLED_UPFRONT"
  /// What is paid by the month, with a commitment to a year.
  static let monthly = "MONTHLY"
  private static let identifierSuffix = ":monthly"

  private let session: ImportSession
  private let storefront: StoreKitStorefront

  init(_ session: ImportSession, storefront: StoreKitStorefront) {
    (self.session, self.storefront) = (session, storefront)
  }

  /// The plan that is paid by the month, as a product; `nil` where the subscription has none that is enabled.
  func monthlyPlan(
    of subscription: CatalogProduct,
    _ fields: JSONFields,
    _ called: String
  ) throws(CatalogError) -> CatalogProduct? {
    let line = fields.line(of: "billingPlans")
    guard case .array(let values)? = fields["billingPlans"],
      let value = values.first(where: { $0.text(of: "billingPlanType") == Self.monthly })
    else { return nil }
    let plan = try session.attempt(at: called) { () throws(CatalogError) -> CatalogProduct? in
      let plan = try JSONFields(value, "a billing plan", line: line)
      guard try plan.optionalBool("isEnabled") ?? true else { return nil }
      guard let length = subscription.subscriptionPeriod, length == (try session.period("P1Y")) else {
        throw plan.invalid(
          "a subscription that is not of a year has a plan paid by the month",
          "billingPlanType",
          fix: "give the subscription the period P1Y, or remove the plan"
        )
      }
      var product = try CatalogProduct(subscription.identifier + Self.identifierSuffix)
      (product.kind, product.referenceName) = (subscription.kind, subscription.referenceName)
      (product.subscriptionGroup, product.groupLevel) = (
        subscription.subscriptionGroup, subscription.groupLevel
      )
      product.localizations = subscription.localizations
      product.subscriptionPeriod = try session.period("P1M")
      product.prices = try prices(plan)
      product.offers = try StoreKitOfferReader(session, storefront: storefront).offers(
        fields,
        called,
        ofPlan: Self.monthly
      )
      try reportCommitment(plan, called)
      return product
    }
    return plan ?? nil
  }

  private func prices(_ plan: JSONFields) throws(CatalogError) -> PriceTable {
    var table = PriceTable()
    let amount = try plan.required(plan.optionalDecimal("displayPrice"), "displayPrice")
    guard let storefront = storefront.known else { return table }
    try plan.reading("displayPrice") { () throws(CatalogError) in
      try table.add(session.price(amount, nil, in: storefront))
    }
    return table
  }

  /// What a catalog has no field for: StoreKit shows the total beside the price of a payment.
  private func reportCommitment(_ plan: JSONFields, _ called: String) throws(CatalogError) {
    let total = try plan.optionalDecimal("commitmentDisplayPrice").map { ", \($0) in total," } ?? ""
    try session.setAside(
      plan.invalid(
        "the commitment to 12 payments\(total) cannot be kept",
        "commitmentDisplayPrice",
        fix: "say it in the description; the price of a payment is read",
        code: .notRepresentable
      ).at(called)
    )
  }
}
