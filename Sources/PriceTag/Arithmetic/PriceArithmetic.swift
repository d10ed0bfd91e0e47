extension Price {
  /// Returns the exact sum of two prices in one currency. The result has the first price's locale.
  ///
  /// - Throws: `.currencyMismatch` if the currencies differ; `.amountOutOfRange`.
  public static func + (first: Price, second: Price) throws(PriceTagError) -> Price {
    try first.check(second)
    return first.with(try first.amount + second.amount)
  }

  /// Returns the exact difference of two prices in one currency. The result has the first price's locale.
  ///
  /// - Throws: `.currencyMismatch` if the currencies differ; `.amountOutOfRange`.
  public static func - (first: Price, second: Price) throws(PriceTagError) -> Price {
    try first.check(second)
    return first.with(try first.amount - second.amount)
  }

  /// Returns the price of a quantity.
  ///
  ///     try Price("4.99", in: Storefront("USA")).total(quantity: 12).amount   // 59.88
  ///
  /// - Parameter quantity: The quantity, 0 or more.
  /// - Throws: `.invalidOption` for a negative quantity; `.amountOutOfRange`.
  public func total(quantity: Int) throws(PriceTagError) -> Price {
    with(try amount.total(quantity: quantity))
  }

  /// Returns the price for one period, computed from the price for another.
  ///
  ///     let yearly = try Price("59.99", in: Storefront("USA"))
  ///     try yearly.per(.month, of: .year, rounding: .halfUp).amount   // 5.00
  ///
  /// A year is exactly twelve months, and a week is exactly seven days. Days and months are related by the mean year of
  /// the Gregorian calendar, 365.2425 days: a month is 30.436875 days, not four weeks.
  ///
  /// - Parameters:
  ///   - period: The period of the result, such as `.month`.
  ///   - paid: The period of this price, such as `.year`.
  ///   - rounding: The rounding mode. With `.exact`, a result that needs rounding is an error.
  ///   - digits: The number of digits after the decimal point; `nil` for the digits that CLDR displays. To use a
  ///     merchant's own digits, call ``FormattedPrice/per(_:of:rounding:)``.
  /// - Throws: `.needsRounding`, `.amountOutOfRange`, `.invalidOption`.
  public func per(
    _ period: SubscriptionPeriod,
    of paid: SubscriptionPeriod,
    rounding: RoundingMode,
    digits: Int? = nil
  ) throws(PriceTagError) -> Price {
    with(
      try amount.per(period, of: paid, digits: digits ?? currency.standardDisplay.digits, step: 1, rounding)
    )
  }

  /// Returns the percentage that this price saves compared with another, each for its own period.
  ///
  /// The percentage is rounded down, so that a saving is never overstated. It is zero or negative if this price is not
  /// lower.
  ///
  ///     let yearly = try Price("49.99", in: Storefront("USA"))
  ///     let monthly = try Price("4.99", in: Storefront("USA"))
  ///     try yearly.savings(paidEvery: .year, against: monthly, paidEvery: .month)   // 16
  ///
  /// - Parameters:
  ///   - period: The period of this price.
  ///   - other: The price to compare with.
  ///   - otherPeriod: The period of the other price.
  /// - Throws: `.currencyMismatch`; `.invalidOption` if the other price is not above zero; `.amountOutOfRange`.
  public func savings(
    paidEvery period: SubscriptionPeriod,
    against other: Price,
    paidEvery otherPeriod: SubscriptionPeriod
  ) throws(PriceTagError) -> Int {
    try check(other)
    guard other.amount > .zero else {
      throw PriceTagError(
        .invalidOption,
        "cannot compute savings compared with a price of \(other.amount)",
        fix: "compare with a price above zero"
      )
    }
    do throws(AmountProblem) {
      return Int(try amount.saving(period.length, against: other.amount, otherPeriod.length))
    } catch {
      throw .outOfRange("the saving of \(amount) compared with \(other.amount)")
    }
  }

  fileprivate func check(_ other: Price) throws(PriceTagError) {
    guard other.currency == currency else {
      throw PriceTagError(
        .currencyMismatch,
        "cannot combine prices in \(currency) and \(other.currency)",
        fix: "use prices in one currency (prices are never converted)"
      )
    }
  }
}

extension Amount {
  func total(quantity: Int) throws(PriceTagError) -> Amount {
    guard quantity >= 0 else {
      throw PriceTagError(.invalidOption, "the quantity \(quantity) is negative", fix: "use 0 or more")
    }
    return try self * quantity
  }

  func per(
    _ period: SubscriptionPeriod,
    of paid: SubscriptionPeriod,
    digits: Int,
    step: Int,
    _ rounding: RoundingMode
  ) throws(PriceTagError) -> Amount {
    do throws(PriceTagError) {
      return try scaled(by: period.length, over: paid.length, toDigits: digits, step: step, rounding)
    } catch {
      guard error.code == .needsRounding else { throw error }
      throw PriceTagError(
        .needsRounding,
        "\(self) per \(paid) is not a multiple of \(Amount(uncheckedCoefficient: Int64(step), scale: digits)) per \(period)",
        fix: "name a rounding mode such as half-up to allow rounding"
      )
    }
  }
}

extension FormattedPrice {
  /// Returns the price of a quantity, formatted like this price.
  ///
  ///     try PriceFormatter(storefront: Storefront("USA")).format("4.99").total(quantity: 12).text   // "$59.88"
  ///
  /// - Throws: The errors of ``Price/total(quantity:)``.
  public func total(quantity: Int) throws(PriceTagError) -> FormattedPrice {
    try derived { amount throws(PriceTagError) in try amount.total(quantity: quantity) }
  }

  /// Returns the price for one period, computed from this price for another and formatted like it, with the same digits
  /// and rounding step.
  ///
  ///     let yearly = try PriceFormatter(storefront: Storefront("USA")).format("59.99")
  ///     try yearly.per(.month, of: .year, rounding: .halfUp).text   // "$5.00"
  ///
  /// - Throws: `.invalidOption` for a style with a compact notation; the errors of ``Price/per(_:of:rounding:digits:)``.
  public func per(
    _ period: SubscriptionPeriod,
    of paid: SubscriptionPeriod,
    rounding: RoundingMode
  ) throws(PriceTagError) -> FormattedPrice {
    guard formatter.style.notation == .standard else {
      // The digits of a compact notation depend on the amount, so that it would be rounded a second time.
      throw PriceTagError(
        .invalidOption,
        "a price per period cannot have the notation \(formatter.style.notation.rawValue)",
        fix: "use the notation standard"
      )
    }
    let display = formatter.display
    return try derived { amount throws(PriceTagError) in
      try amount.per(period, of: paid, digits: display.digits, step: display.step, rounding)
    }
  }

  /// Returns the sum with a price in the same currency, formatted like the first price.
  ///
  /// - Throws: `.currencyMismatch` if the currencies differ; the errors of `PriceFormatter.format(_:)`.
  public static func + (first: FormattedPrice, second: Price) throws(PriceTagError) -> FormattedPrice {
    try first.price.check(second)
    return try first.derived { amount throws(PriceTagError) in try amount + second.amount }
  }

  /// Returns the difference to a price in the same currency, formatted like the first price.
  ///
  /// - Throws: `.currencyMismatch` if the currencies differ; the errors of `PriceFormatter.format(_:)`.
  public static func - (first: FormattedPrice, second: Price) throws(PriceTagError) -> FormattedPrice {
    try first.price.check(second)
    return try first.derived { amount throws(PriceTagError) in try amount - second.amount }
  }

  /// The price before rounding. Of a range, the lower bound.
  public var price: Price { Price(amount: amount, currency: currency, locale: locale) }

  private func derived(
    _ derive: (Amount) throws(PriceTagError) -> Amount
  ) throws(PriceTagError) -> FormattedPrice {
    let low = try derive(amount)
    guard let upperAmount else { return try formatter.format(low) }
    return try formatter.format(from: low, to: try derive(upperAmount))
  }
}
