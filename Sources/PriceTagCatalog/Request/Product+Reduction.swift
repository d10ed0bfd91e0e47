import PriceTag

extension Product {
  /// How much lower a reduced price is than the lowest price of the 30 days before, in percent.
  ///
  /// The percentage is computed exactly and rounded down, so that a reduction is never overstated: 9.99 that was 14.99 is
  /// 33. If the displayed prices are rounded, it is the smaller percentage of the exact and the displayed prices.
  ///
  /// - Returns: 1 to 100; `nil` if the price was not reduced, or by less than one percent.
  public var reductionPercent: Int? {
    guard let before = priceBeforeReduction else { return nil }
    let percents = [\FormattedPrice.price, \FormattedPrice.displayedPrice].map { price in
      try? self.price[keyPath: price].savings(
        paidEvery: .month,
        against: before[keyPath: price],
        paidEvery: .month
      )
    }
    guard let exact = percents[0], let displayed = percents[1], min(exact, displayed) > 0 else { return nil }
    return min(exact, displayed)
  }

  /// The last day of a reduced price; `nil` if the price is not reduced, if the catalog has no end of it, or if the next
  /// price is not higher, because the reduction then continues.
  public var reductionLastDay: CalendarDate? {
    guard priceBeforeReduction != nil, let lastDay = priceLastDay else { return nil }
    guard let next = scheduledPrice, next.firstDay.previous == lastDay else { return lastDay }
    return next.price.currency == price.currency && next.price.amount > price.amount ? lastDay : nil
  }
}

extension Product {
  /// The next price, if it is higher than the current one and in the same currency.
  public var scheduledIncrease: ScheduledPrice? {
    guard let next = scheduledPrice, next.price.currency == price.currency, next.price.amount > price.amount
    else { return nil }
    return next
  }
}

extension FormattedPrice {
  /// The price with its displayed, possibly rounded amount.
  package var displayedPrice: Price { Price(amount: displayedAmount, currency: currency, locale: locale) }
}
