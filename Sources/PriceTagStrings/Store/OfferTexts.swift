import PriceTag

/// What an introductory or promotional offer asks, before the subscription's own price does: StoreKit's payment
/// modes.
public enum OfferTerms: Hashable, Sendable {
  /// Nothing, for a length of time.
  case free(SubscriptionPeriod)
  /// A price each period, so many times.
  case payAsYouGo(FormattedPrice, every: SubscriptionPeriod, count: Int)
  /// One price for a length of time.
  case payUpFront(FormattedPrice, SubscriptionPeriod)
}

/// The texts of offers: every price keeps its store's form, and every word is the reader's.
extension StoreStrings {
  /// What a subscription costs: `$9.99 per month`, `$24.99 every 3 months`.
  ///
  /// - Throws: as `format(_:in:_:)`.
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

  /// A length of time: `7 days`. As a store says it; CLDR's units speak of `7 dygn` in Swedish and `7 dób` in Polish.
  ///
  /// - Throws: as `format(_:in:_:)`.
  public func duration(
    _ period: SubscriptionPeriod,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    try format("\(period.unit.rawValue)s", in: language, ["count": .count(of: period.count)])
  }

  /// The label of a free trial: `Free trial for 7 days`.
  ///
  /// - Throws: as `format(_:in:_:)`.
  public func freeTrial(
    _ period: SubscriptionPeriod,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    try format("trial_\(period.unit.rawValue)s", in: language, ["count": .count(of: period.count)])
  }

  /// An offer and what follows it: `7 days free, then $9.99 per month`; `$2.99 per month for 3 months, then $9.99`;
  /// `$5.99 for 6 months, then $9.99 per month`.
  ///
  /// - Parameters:
  ///   - terms: What the offer asks.
  ///   - price: What the subscription costs after it.
  ///   - period: What that price pays for.
  ///   - language: The language of the words.
  /// - Throws: as `format(_:in:_:)`; `.invalidArgument` where the offer's periods are more than a period holds.
  public func offer(
    _ terms: OfferTerms,
    then price: FormattedPrice,
    every period: SubscriptionPeriod,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    let after = MessageArgument.message(try self.price(price, every: period, in: language))
    switch terms {
    case .free(let trial):
      return try format(
        "offer_free",
        in: language,
        ["trial": .message(try duration(trial, in: language)), "then": after]
      )
    case .payAsYouGo(let offered, let every, let count):
      return try format(
        "offer_pay_as_you_go",
        in: language,
        [
          "offer": .message(try self.price(offered, every: every, in: language)),
          "duration": .message(try duration(Self.length(of: every, count), in: language)),
          // The period was said already.
          "then": every == period ? .price(price) : after,
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
    let (total, overflow) = period.count.multipliedReportingOverflow(by: count)
    do throws(PriceTagError) { return try SubscriptionPeriod(overflow ? -1 : total, period.unit) } catch {
      throw StringsError(
        .invalidArgument,
        "\(count) times \(period) is no period",
        fix: "give 1 to 9999 of a unit in all"
      )
    }
  }

  /// What a plan saves against another: `Save 16%`; `nil` where that is less than one percent. Floored, so that no
  /// saving is overstated.
  ///
  /// - Throws: as `format(_:in:_:)`; `.invalidArgument` for prices of two currencies: nothing is converted.
  public func saving(
    of price: FormattedPrice,
    every period: SubscriptionPeriod,
    against other: FormattedPrice,
    every otherPeriod: SubscriptionPeriod,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage? {
    let percent: Int
    do throws(PriceTagError) {
      percent = try price.price.savings(
        paidEvery: period,
        against: other.price,
        paidEvery: otherPeriod
      )
    } catch { throw StringsError(.invalidArgument, error) }
    guard percent > 0 else { return nil }
    return try format(
      "save_percent",
      in: language,
      ["percent": .percent(Amount(integerLiteral: Int64(percent)))]
    )
  }

  /// How a total comes about: `12 × $4.99 = $59.88`.
  ///
  /// - Throws: as `format(_:in:_:)`; `.invalidArgument` for a quantity below zero or a total out of range.
  public func totalCalculation(
    of price: FormattedPrice,
    quantity: Int,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    let total: FormattedPrice
    do throws(PriceTagError) { total = try price.total(quantity: quantity) } catch {
      throw StringsError(.invalidArgument, error)
    }
    return try format(
      "total_calculation",
      in: language,
      ["count": .count(of: quantity), "price": .price(price), "total": .price(total)]
    )
  }

  /// What a longer subscription costs by the month: `Equal to $5.00 per month`.
  ///
  /// - Parameters:
  ///   - price: What the longer period costs.
  ///   - period: What that price pays for.
  ///   - rounding: What to do with digits that are not displayed; `.exact` refuses, `.up` never understates.
  ///   - language: The language of the words.
  /// - Throws: as `format(_:in:_:)`; `.invalidArgument` where the price cannot be divided so.
  public func equalPerMonth(
    _ price: FormattedPrice,
    every period: SubscriptionPeriod,
    rounding: RoundingMode,
    in language: UILanguage
  ) throws(StringsError) -> FormattedMessage {
    let monthly: FormattedPrice
    do throws(PriceTagError) { monthly = try price.per(.month, of: period, rounding: rounding) } catch {
      throw StringsError(.invalidArgument, error)
    }
    return try format("equal_per_month", in: language, ["price": .price(monthly)])
  }
}
