import PriceTag

/// The terms of an introductory or promotional offer, as in StoreKit's payment modes.
public enum OfferTerms: Hashable, Sendable {
  /// A free trial for a period.
  case free(SubscriptionPeriod)
  /// A price paid every period, a number of times.
  case payAsYouGo(FormattedPrice, every: SubscriptionPeriod, count: Int)
  /// A price paid once for a period.
  case payUpFront(FormattedPrice, SubscriptionPeriod)
}

// Offer texts: the prices are formatted for the storefront, the text around them is in the user's language.
extension StoreStrings {
  /// Returns the text of a subscription's price: `$9.99 per month`, `$24.99 every 3 months`.
  ///
  /// - Throws: The same errors as ``format(_:in:_:)``.
  public func price(
    _ price: FormattedPrice,
    every period: SubscriptionPeriod,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    if period.count == 1 {
      return try format("price_per_\(period.unit.rawValue)", in: language, ["price": .price(price)])
    }
    return try format(
      "price_per_\(period.unit.rawValue)s",
      in: language,
      ["price": .price(price), "count": .count(of: period.count)]
    )
  }

  /// Returns the text of a duration: `7 days`.
  ///
  /// The text uses the words customary in stores. CLDR's units differ in some languages, such as `7 dygn` in Swedish
  /// and `7 dób` in Polish.
  ///
  /// - Throws: The same errors as ``format(_:in:_:)``.
  public func duration(
    _ period: SubscriptionPeriod,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    try format("\(period.unit.rawValue)s", in: language, ["count": .count(of: period.count)])
  }

  /// Returns the label of a free trial: `Free trial for 7 days`.
  ///
  /// - Throws: The same errors as ``format(_:in:_:)``.
  public func freeTrial(
    _ period: SubscriptionPeriod,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    try format("trial_\(period.unit.rawValue)s", in: language, ["count": .count(of: period.count)])
  }

  /// Returns the label of a button that starts a subscription with a free trial: `Try 7 days free`.
  ///
  ///     try strings.freeTrialButton(SubscriptionPeriod("P7D"), in: UILanguage("de")).plain   // "7 Tage gratis testen"
  ///
  /// - Throws: The same errors as ``format(_:in:_:)``.
  public func freeTrialButton(
    _ period: SubscriptionPeriod,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    try format(
      "try_free_for_duration",
      in: language,
      ["duration": .message(try duration(period, in: language))]
    )
  }

  /// Returns the text of an offer and the price after it.
  ///
  /// | Terms | Text |
  /// | --- | --- |
  /// | `free` | `7 days free, then $9.99 per month` |
  /// | `payAsYouGo` | `$2.99 per month for 3 months, then $9.99 per month` |
  /// | `payUpFront` | `$5.99 for 6 months, then $9.99 per month` |
  ///
  /// An offer with a price of zero has the text of a free trial: `3 months free, then $9.99 per month`.
  ///
  /// - Parameters:
  ///   - terms: The terms of the offer.
  ///   - price: The subscription's price after the offer.
  ///   - period: The period that the price pays for.
  ///   - language: The language of the text.
  /// - Throws: The same errors as ``format(_:in:_:)``, and `.invalidArgument` if the total duration of the offer is
  ///   longer than a period can be.
  public func offer(
    _ terms: OfferTerms,
    then price: FormattedPrice,
    every period: SubscriptionPeriod,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    try offer([terms], then: price, every: period, in: language)
  }

  /// Returns the text of an offer of several phases and the price after them:
  /// `7 days free, then $2.99 per month for 3 months, then $9.99 per month`.
  ///
  /// - Parameters:
  ///   - phases: The terms of the phases, in order.
  ///   - price: The subscription's price after the offer.
  ///   - period: The period that the price pays for.
  ///   - language: The language of the text.
  /// - Throws: The errors of ``offer(_:then:every:in:)`` for one phase.
  public func offer(
    _ phases: [OfferTerms],
    then price: FormattedPrice,
    every period: SubscriptionPeriod,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    var text = try self.price(price, every: period, in: language)
    for (index, terms) in phases.enumerated().reversed() {
      text = try offer(terms, isFirst: index == 0, then: .message(text), in: language)
    }
    return text
  }

  private func offer(
    _ terms: OfferTerms,
    isFirst: Bool,
    then after: MessageArgument,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    switch terms {
    case .free(let trial):
      let message = try message("offer_free", in: language)
      return try (isFirst ? message : message.insideSentence()).format([
        "trial": .message(try duration(trial, in: language)), "then": after,
      ])
    case .payAsYouGo(let offered, let every, let count) where offered.amount.isZero:
      return try offer(.free(Self.length(of: every, count)), isFirst: isFirst, then: after, in: language)
    case .payUpFront(let offered, let length) where offered.amount.isZero:
      return try offer(.free(length), isFirst: isFirst, then: after, in: language)
    case .payAsYouGo(let offered, let every, let count):
      return try format(
        "offer_pay_as_you_go",
        in: language,
        [
          "offer": .message(try self.price(offered, every: every, in: language)),
          "duration": .message(try duration(Self.length(of: every, count), in: language)),
          "then": after,
        ]
      )
    case .payUpFront(let offered, let length):
      return try format(
        "offer_pay_up_front",
        in: language,
        ["price": .price(offered), "duration": .message(try duration(length, in: language)), "then": after]
      )
    }
  }

  private static func length(
    of period: SubscriptionPeriod,
    _ count: Int
  ) throws(StringsError) -> SubscriptionPeriod {
    do throws(PriceTagError) { return try period.multiplied(by: count) } catch {
      throw StringsError(
        .invalidArgument,
        "\(count) times \(period) is not a valid period",
        fix: "use 1 to 9999 units in total"
      )
    }
  }

  /// Returns the text of what a plan saves compared with another one: `Save 16%`.
  ///
  /// The percentage is rounded down, so that the text does not overstate the saving.
  ///
  /// - Returns: The text, or `nil` if the saving is less than one percent.
  /// - Throws: The same errors as ``format(_:in:_:)``, and `.invalidArgument` if the prices have different currencies,
  ///   which PriceTag does not convert, or if one of them is a range.
  public func saving(
    of price: FormattedPrice,
    every period: SubscriptionPeriod,
    against other: FormattedPrice,
    every otherPeriod: SubscriptionPeriod,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage? {
    guard price.upperAmount == nil, other.upperAmount == nil else {
      throw StringsError(
        .invalidArgument,
        "cannot compute the saving of a range of prices",
        fix: "compare two single prices"
      )
    }
    let percent = try checkingArguments { () throws(PriceTagError) in
      try price.price.savings(paidEvery: period, against: other.price, paidEvery: otherPeriod)
    }
    guard percent > 0 else { return nil }
    return try format(
      "save_percent",
      in: language,
      ["percent": .percent(Amount(integerLiteral: Int64(percent)))]
    )
  }

  /// Returns the text of the calculation of a total: `12 × $4.99 = $59.88`.
  ///
  /// - Throws: The same errors as ``format(_:in:_:)``, and `.invalidArgument` if the quantity is negative or the total
  ///   is out of range.
  public func totalCalculation(
    of price: FormattedPrice,
    quantity: Int,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    let total = try checkingArguments { () throws(PriceTagError) in try price.total(quantity: quantity) }
    return try format(
      "total_calculation",
      in: language,
      ["count": .count(of: quantity), "price": .price(price), "total": .price(total)]
    )
  }

  /// Returns the text of a subscription's equivalent price per month: `Equivalent to $5.00 per month`.
  ///
  /// - Parameters:
  ///   - price: The price of the subscription.
  ///   - period: The period that the price pays for.
  ///   - rounding: How to round to the displayed digits. With `.exact`, a result with more digits is an error; with
  ///     `.up`, the text does not understate the price.
  ///   - language: The language of the text.
  /// - Throws: The same errors as ``format(_:in:_:)``, and `.invalidArgument` if the price cannot be divided.
  public func equalPerMonth(
    _ price: FormattedPrice,
    every period: SubscriptionPeriod,
    rounding: RoundingMode,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    let monthly = try checkingArguments { () throws(PriceTagError) in
      try price.per(.month, of: period, rounding: rounding)
    }
    return try format("equal_per_month", in: language, ["price": .price(monthly)])
  }
}

extension Message {
  /// Returns the message with its first letter in lower case.
  fileprivate func insideSentence() throws(StringsError) -> Message {
    guard let first = text.first, first.isUppercase else { return self }
    return try Message(first.lowercased() + text.dropFirst(), language: language)
  }
}
