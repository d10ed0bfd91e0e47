import PriceTag
import PriceTagCatalog

/// The choice between the monthly and the yearly plans of a comparison, which the style sheet makes without scripts.
extension ProductValues {
  /// Returns the periods to choose from; empty if the comparison does not have plans of both, or if it has only one of each,
  /// which are easier to compare side by side. Twelve months are a year.
  ///
  /// - Parameter current: The product whose page shows the comparison. Its period is selected first.
  func periods(of plans: [SubscriptionComparison.Plan], current: String?) -> [TemplateValues] {
    let choices: [SubscriptionPeriod] = [.month, .year]
    let counts = choices.map { period in plans.count { $0.period.isAsLong(as: period) } }
    guard let fewest = counts.min(), let most = counts.max(), fewest > 0, most > 1 else { return [] }
    let own = plans.first { $0.product.identifier == current }?.period ?? .month
    // Neither choice would suit the page of a product with another period.
    guard choices.contains(where: own.isAsLong) else { return [] }
    return choices.map { period in
      let plan = plans.first { $0.period.isAsLong(as: period) }
      return TemplateValues([
        .period: period.description, .isSelected: own.isAsLong(as: period),
        .isBest: plans.contains { $0.isBest && $0.period.isAsLong(as: period) },
        .name: plan?.product.subscription.map { PriceMarkup.html($0.durationText) },
      ])
    }
  }
}
