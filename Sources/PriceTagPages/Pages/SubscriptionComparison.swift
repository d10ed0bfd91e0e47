import PriceTag
import PriceTagCatalog

/// The subscriptions of a group side by side: what each costs by the month, and what it saves.
///
/// A saving is held against the cheapest plan of the shortest period, and floored; a price by the month is rounded up.
/// So neither is better on the page than in the bill.
struct SubscriptionComparison {
  struct Plan {
    let product: Product
    let period: SubscriptionPeriod
    /// The price by the month; `nil` where that cannot be displayed.
    let monthly: FormattedPrice?
    /// In percent; `nil` where it saves less than one.
    let saving: Int?
    /// Whether no other saves as much.
    let isBest: Bool
  }

  /// From the shortest period to the longest.
  let plans: [Plan]

  init(_ products: [Product]) {
    let sorted = products.compactMap { product in
      product.subscription.map { (product: product, period: $0.period) }
    }.sorted { $0.period < $1.period }
    let shortest = sorted.prefix { $0.period.isAsLong(as: sorted[0].period) }
    let base = shortest.min { $0.product.price.amount < $1.product.price.amount }
    let savings = sorted.map { plan -> Int? in
      guard let base, plan.product.identifier != base.product.identifier else { return nil }
      // What is displayed may be rounded: no saving is more than either shows.
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
    let most = savings.compactMap(\.self).max()
    let isSingle = savings.count { $0 != nil && $0 == most } == 1
    plans = zip(sorted, savings).map { plan, saving in
      Plan(
        product: plan.product,
        period: plan.period,
        monthly: plan.period == .month
          ? plan.product.price : try? plan.product.price.per(.month, of: plan.period, rounding: .up),
        saving: saving,
        isBest: isSingle && saving != nil && saving == most
      )
    }
  }
}

extension FormattedPrice {
  /// The price as it is displayed.
  fileprivate var displayedPrice: Price { Price(amount: displayedAmount, currency: currency, locale: locale) }
}
