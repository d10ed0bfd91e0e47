extension Price {
  /// The exact sum of two prices of one currency, in the first one's locale.
  ///
  /// - Throws: `.currencyMismatch`: nothing is converted; `.amountOutOfRange`.
  public static func + (first: Price, second: Price) throws(PriceTagError) -> Price {
    try first.check(second)
    return first.with(try first.amount + second.amount)
  }

  /// The exact difference of two prices of one currency, in the first one's locale.
  ///
  /// - Throws: as the sum.
  public static func - (first: Price, second: Price) throws(PriceTagError) -> Price {
    try first.check(second)
    return first.with(try first.amount - second.amount)
  }

  /// What a quantity costs: 12 × $4.99 is $59.88.
  ///
  /// - Parameter quantity: How many, 0 or more.
  /// - Throws: `.invalidOption` for a negative quantity; `.amountOutOfRange`.
  public func total(quantity: Int) throws(PriceTagError) -> Price {
    with(try amount.total(quantity: quantity))
  }

  /// What a period costs at the price of another: $59.99 a year is $5.00 a month.
  ///
  ///     try yearly.per(.month, of: .year, rounding: .halfUp)
  ///
  /// A year is twelve months and a week seven days, exactly. Between the two stands the Gregorian calendar's mean
  /// year of 365.2425 days: a month is 30.436875 days, never four weeks.
  ///
  /// - Parameters:
  ///   - period: What the answer pays for, such as `.month`.
  ///   - paid: What this price pays for, such as `.year`.
  ///   - rounding: What to do with digits below the answer's last one; `.exact` refuses.
  ///   - digits: The digits of the answer; `nil` for those that CLDR displays of the currency. A merchant's own
  ///     digits are a formatter's matter: `FormattedPrice.per(_:of:rounding:)` keeps to them.
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

  /// How many percent this price saves against another one, each for its period; floored, so that a saving is never
  /// overstated. Zero or less where it saves nothing.
  ///
  ///     try yearly.savings(paidEvery: .year, against: monthly, paidEvery: .month)   // 16
  ///
  /// - Throws: `.currencyMismatch`; `.invalidOption` where the other price is not above zero; `.amountOutOfRange`.
  public func savings(
    paidEvery period: SubscriptionPeriod,
    against other: Price,
    paidEvery otherPeriod: SubscriptionPeriod
  ) throws(PriceTagError) -> Int {
    try check(other)
    guard other.amount > .zero else {
      throw PriceTagError(
        .invalidOption,
        "nothing can be saved against a price of \(other.amount)",
        fix: "compare with a price above zero"
      )
    }
    // Both cross products, over the same denominator: own/period against other/otherPeriod.
    let (own, others) = amount.aligned(with: other.amount) { ($0, $1) }
    let (ownRate, overflow) = own.multipliedReportingOverflow(by: Int128(otherPeriod.length))
    let (otherRate, overflow2) = others.multipliedReportingOverflow(by: Int128(period.length))
    let (saved, overflow3) = otherRate.subtractingReportingOverflow(ownRate)
    let (dividend, overflow4) = saved.multipliedReportingOverflow(by: 100)
    guard !overflow, !overflow2, !overflow3, !overflow4,
      let percent = RoundingMode.floor.quotient(dividend, by: otherRate).flatMap(Int.init(exactly:))
    else { throw .outOfRange("the saving of \(amount) against \(other.amount)") }
    return percent
  }

  fileprivate func check(_ other: Price) throws(PriceTagError) {
    guard other.currency == currency else {
      throw PriceTagError(
        .currencyMismatch,
        "\(currency) and \(other.currency) do not go together",
        fix: "use prices of one currency: nothing is converted"
      )
    }
  }
}

extension Amount {
  func total(quantity: Int) throws(PriceTagError) -> Amount {
    guard quantity >= 0 else {
      throw PriceTagError(.invalidOption, "a quantity of \(quantity) is below zero", fix: "give 0 or more")
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
        "\(self) for \(paid) is no whole number of \(Amount(uncheckedCoefficient: Int64(step), scale: digits)) for \(period)",
        fix: "name a rounding mode, such as half-up"
      )
    }
  }
}

extension FormattedPrice {
  /// What a quantity costs, in the form of this price: `$4.99` for 12 is `$59.88`.
  ///
  /// - Throws: as `Price.total(quantity:)`.
  public func total(quantity: Int) throws(PriceTagError) -> FormattedPrice {
    try derived { amount throws(PriceTagError) in try amount.total(quantity: quantity) }
  }

  /// What a period costs at this price of another, in the form of this price, digits and rounding step too:
  /// `$59.99` a year is `$5.00` a month.
  ///
  /// - Throws: as `Price.per(_:of:rounding:digits:)`.
  public func per(
    _ period: SubscriptionPeriod,
    of paid: SubscriptionPeriod,
    rounding: RoundingMode
  ) throws(PriceTagError) -> FormattedPrice {
    let display = formatter.display
    return try derived { amount throws(PriceTagError) in
      try amount.per(period, of: paid, digits: display.digits, step: display.step, rounding)
    }
  }

  /// The sum with a price of the same currency, in the form of this one.
  ///
  /// - Throws: `.currencyMismatch`: nothing is converted; and as `PriceFormatter.format(_:)`.
  public static func + (first: FormattedPrice, second: Price) throws(PriceTagError) -> FormattedPrice {
    try first.price.check(second)
    return try first.derived { amount throws(PriceTagError) in try amount + second.amount }
  }

  /// The difference to a price of the same currency, in the form of this one.
  ///
  /// - Throws: as the sum.
  public static func - (first: FormattedPrice, second: Price) throws(PriceTagError) -> FormattedPrice {
    try first.price.check(second)
    return try first.derived { amount throws(PriceTagError) in try amount - second.amount }
  }

  /// The price that was given; of a range, the lower one.
  public var price: Price { Price(amount: amount, currency: currency, locale: locale) }

  private func derived(
    _ derive: (Amount) throws(PriceTagError) -> Amount
  ) throws(PriceTagError) -> FormattedPrice {
    let low = try derive(amount)
    guard let upperAmount else { return try formatter.format(low) }
    return try formatter.format(from: low, to: try derive(upperAmount))
  }
}
