import PriceTag
import Testing

@Suite struct PriceArithmeticTests {
  private func dollars(_ amount: Amount) throws -> Price { try Price(amount, in: Storefront("USA")) }

  @Test(
    arguments: [
      ("P1M", "P1Y", "59.99", .halfUp, "5.00"),
      ("P1M", "P1Y", "59.99", .down, "4.99"),
      ("P1Y", "P1M", "4.99", .exact, "59.88"),
      ("P1W", "P1D", "1.00", .exact, "7.00"),
      ("P1D", "P1W", "7.00", .exact, "1.00"),
      ("P1M", "P3M", "9.00", .exact, "3.00"),
      // 9.99 × 12 × 7 / 365.2425, not 9.99 / 4.
      ("P1W", "P1M", "9.99", .halfUp, "2.30"),
      // 9.99 / 30.436875.
      ("P1D", "P1M", "9.99", .halfUp, "0.33"),
      ("P1M", "P1W", "1.99", .halfUp, "8.65"),
      ("P1D", "P1Y", "365.2425", .exact, "1.00"),
      ("P2W", "P1Y", "26.09", .halfUp, "1.00"),
    ] as [(String, String, Amount, RoundingMode, Amount)]
  )
  func pricePerPeriod(
    period: String,
    paid: String,
    amount: Amount,
    rounding: RoundingMode,
    expected: Amount
  ) throws {
    let price = try dollars(amount).per(
      SubscriptionPeriod(period),
      of: SubscriptionPeriod(paid),
      rounding: rounding
    )
    #expect(price.amount == expected)
  }

  @Test func aPricePerPeriodIsRefusedWhereItMustBeRounded() throws {
    let error = try #require(throws: PriceTagError.self) {
      try dollars("59.99").per(.month, of: .year, rounding: .exact)
    }
    #expect(
      error.description
        == "59.99 for P1Y is no whole number of 0.01 for P1M: name a rounding mode, such as half-up"
    )
  }

  @Test(
    arguments: [
      ("59.99", "P1Y", "4.99", "P1M", -1), ("59.88", "P1Y", "4.99", "P1M", 0),
      ("49.99", "P1Y", "4.99", "P1M", 16),
      ("0", "P1Y", "4.99", "P1M", 100), ("29.94", "P1Y", "4.99", "P1M", 50),
      ("0.01", "P1Y", "4.99", "P1M", 99),
      ("4.99", "P1W", "4.99", "P1M", -335), ("5", "P1M", "5.00", "P1M", 0),
    ] as [(Amount, String, Amount, String, Int)]
  )
  func savingsAreFloored(own: Amount, period: String, other: Amount, otherPeriod: String, percent: Int) throws
  {
    let savings = try dollars(own).savings(
      paidEvery: SubscriptionPeriod(period),
      against: dollars(other),
      paidEvery: SubscriptionPeriod(otherPeriod)
    )
    #expect(savings == percent)
  }

  @Test func currenciesNeverMix() throws {
    let (dollars, euros) = (try dollars(5), try Price(5, in: Storefront("DEU")))
    let savings = { () throws(PriceTagError) in
      try dollars.savings(paidEvery: .year, against: euros, paidEvery: .month)
    }
    #expect(Expected { () throws(PriceTagError) in try dollars + euros } == .throwsError(.currencyMismatch))
    #expect(Expected { () throws(PriceTagError) in try dollars - euros } == .throwsError(.currencyMismatch))
    #expect(Expected(savings) == .throwsError(.currencyMismatch))
    #expect(try (dollars + dollars - dollars).amount == 5)
  }

  @Test func savingAgainstNothingIsRefused() throws {
    #expect(throws: PriceTagError.self) {
      try dollars(1).savings(paidEvery: .year, against: dollars(0), paidEvery: .month)
    }
  }

  @Test func totals() throws {
    #expect(try dollars("4.99").total(quantity: 12).amount == "59.88")
    #expect(
      Expected { () throws(PriceTagError) in
        try Price(amount: 1, currency: Currency("USD"), locale: PriceLocale("en-US")).total(quantity: -1)
          .amount
      } == .throwsError(.invalidOption)
    )
  }

  @Test(arguments: [
    (PriceStyle(), "$59.88", "$0.42"), (PriceStyle(width: .iso), "USD\u{A0}59.88", "USD\u{A0}0.42"),
    (PriceStyle(width: .name), "59.88 US dollars", "0.42 US dollars"),
    (PriceStyle(digits: .fixed(3)), "$59.880", "$0.416"),
  ])
  func derivedPricesKeepTheirStyle(style: PriceStyle, total: String, monthly: String) throws {
    let price = try PriceFormatter(storefront: Storefront("USA"), style: style).format("4.99")
    #expect(try price.total(quantity: 12).text == total)
    #expect(try price.per(.month, of: .year, rounding: .halfUp).text == monthly)
  }

  /// Rounded once: twelve times 0.125 is 1.50, not twelve times the 0.13 that is shown of one.
  @Test func aDerivedPriceStartsFromTheGivenAmount() throws {
    let style = PriceStyle(rounding: .halfUp)
    let price = try PriceFormatter(storefront: Storefront("USA"), style: style).format("0.125")
    #expect(price.text == "$0.13")
    #expect(price.amount == "0.125" && price.displayedAmount == "0.13")
    #expect(try price.total(quantity: 12).text == "$1.50")
    #expect(try (price + dollars("0.125")).text == "$0.25")
    #expect(try (price - dollars("0.125")).text == "$0.00")
    let euro = try Price(1, in: Storefront("DEU"))
    #expect(Expected { () throws(PriceTagError) in try price + euro } == .throwsError(.currencyMismatch))
  }

  @Test func aRangeIsDerivedAtBothEnds() throws {
    let range = try PriceFormatter(storefront: Storefront("DEU")).format(from: "0.99", to: "4.99")
    #expect(try range.total(quantity: 2).text == "1,98–9,98\u{A0}€")
  }

  @Test(
    arguments: [
      ("P7D", .gives("P7D")), ("P1M", .gives("P1M")), ("P9999Y", .gives("P9999Y")), ("P01W", .gives("P1W")),
      ("", .throwsError(.malformedPeriod)), ("P", .throwsError(.malformedPeriod)),
      ("P1", .throwsError(.malformedPeriod)),
      ("PM", .throwsError(.malformedPeriod)), ("1M", .throwsError(.malformedPeriod)),
      ("P0D", .throwsError(.malformedPeriod)),
      ("P1Y6M", .throwsError(.malformedPeriod)), ("PT1H", .throwsError(.malformedPeriod)),
      ("P-1M", .throwsError(.malformedPeriod)),
      ("P1.5M", .throwsError(.malformedPeriod)), ("P99999D", .throwsError(.malformedPeriod)),
      ("P\u{661}M", .throwsError(.malformedPeriod)), ("p1m", .throwsError(.malformedPeriod)),
    ] as [(String, Expected<String>)]
  )
  func periods(text: String, expected: Expected<String>) {
    #expect(Expected { () throws(PriceTagError) in try SubscriptionPeriod(text).description } == expected)
  }
}
