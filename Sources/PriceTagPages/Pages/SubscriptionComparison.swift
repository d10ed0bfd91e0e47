import PriceTag
import PriceTagCatalog

/// A comparison of the subscriptions in a group: the monthly price and the saving of each.
///
/// A saving is relative to the cheapest plan of the shortest period and is rounded down. A monthly price is rounded up.
/// So the page never promises more than the bill keeps. Prices in different currencies are not compared.
struct SubscriptionComparison {
  struct Plan {
    let product: Product
    let period: SubscriptionPeriod
    /// The monthly price; `nil` if it cannot be displayed.
    let monthly: FormattedPrice?
    /// The saving in percent; `nil` below 1.
    let saving: Int?
    /// Whether it saves more than every other plan. If the plans have several currencies, none is the best.
    let isBest: Bool
  }

  /// The plans, sorted from the shortest period to the longest.
  let plans: [Plan]

  init(_ products: [Product]) {
    let sorted = products.compactMap { product in
      product.subscription.map { (product: product, period: $0.period) }
    }.sorted { $0.period < $1.period }
    let plansByCurrency = Dictionary(grouping: sorted) { $0.product.price.currency }
    let bases = plansByCurrency.compactMapValues { plans in
      plans.prefix { $0.period.isAsLong(as: plans[0].period) }
        .min { $0.product.price.amount < $1.product.price.amount }
    }
    let savings = sorted.map { plan -> Int? in
      guard let base = bases[plan.product.price.currency],
        plan.product.identifier != base.product.identifier
      else { return nil }
      // Displayed prices may be rounded, so the saving is the smaller of the exact and the displayed one.
      let percents = [\FormattedPrice.price, \FormattedPrice.displayedPrice].map { price in
        try? plan.product.price[keyPath: price].savings(
          paidEvery: plan.period,
          against: base.product.price[keyPath: price],
          paidEvery: base.period
        )
      }
      guard let exact = percents[0], let displayed = percents[1], min(exact, displayed) > 0 else {
        return nil
      }
      return min(exact, displayed)
    }
    let maximum = savings.compactMap(\.self).max()
    let hasBest = bases.count == 1 && savings.count { $0 != nil && $0 == maximum } == 1
    plans = zip(sorted, savings).map { plan, saving in
      Plan(
        product: plan.product,
        period: plan.period,
        monthly: plan.period == .month
          ? plan.product.price : try? plan.product.price.per(.month, of: plan.period, rounding: .up),
        saving: saving,
        isBest: hasBest && saving != nil && saving == maximum
      )
    }
  }
}
