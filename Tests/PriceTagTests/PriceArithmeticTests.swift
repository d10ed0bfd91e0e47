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
  func computesPricePerPeriod(
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

  @Test func rejectsPricePerPeriodThatNeedsRounding() throws {
    let error = try #require(throws: PriceTagError.self) {
      try dollars("59.99").per(.month, of: .year, rounding: .exact)
    }
    #expect(
      error.description
        == "59.99 per P1Y is not a multiple of 0.01 per P1M; name a rounding mode such as half-up to allow rounding"
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
  func roundsSavingsDown(own: Amount, period: String, other: Amount, otherPeriod: String, percent: Int) throws
  {
    let savings = try dollars(own).savings(
      paidEvery: SubscriptionPeriod(period),
      against: dollars(other),
      paidEvery: SubscriptionPeriod(otherPeriod)
    )
    #expect(savings == percent)
  }

  @Test func rejectsDifferentCurrencies() throws {
    let (dollars, euros) = (try dollars(5), try Price(5, in: Storefront("DEU")))
    let savings = { () throws(PriceTagError) in
      try dollars.savings(paidEvery: .year, against: euros, paidEvery: .month)
    }
    #expect(Expected { () throws(PriceTagError) in try dollars + euros } == .error(.currencyMismatch))
    #expect(Expected { () throws(PriceTagError) in try dollars - euros } == .error(.currencyMismatch))
    #expect(Expected(savings) == .error(.currencyMismatch))
    #expect(try (dollars + dollars - dollars).amount == 5)
  }

  @Test func rejectsSavingsComparedWithZero() throws {
    #expect(throws: PriceTagError.self) {
      try dollars(1).savings(paidEvery: .year, against: dollars(0), paidEvery: .month)
    }
  }

  @Test func computesTotals() throws {
    #expect(try dollars("4.99").total(quantity: 12).amount == "59.88")
    #expect(
      Expected { () throws(PriceTagError) in
        try Price(amount: 1, currency: Currency("USD"), locale: PriceLocale("en-US")).total(quantity: -1)
          .amount
      } == .error(.invalidOption)
    )
  }

  @Test(arguments: [
    (PriceStyle(), "$59.88", "$0.42"), (PriceStyle(width: .iso), "USD\u{A0}59.88", "USD\u{A0}0.42"),
    (PriceStyle(width: .name), "59.88 US dollars", "0.42 US dollars"),
    (PriceStyle(digits: .fixed(3)), "$59.880", "$0.416"),
  ])
  func formatsDerivedPricesInSameStyle(style: PriceStyle, total: String, monthly: String) throws {
    let price = try PriceFormatter("USA", style).format("4.99")
    #expect(try price.total(quantity: 12).text == total)
    #expect(try price.per(.month, of: .year, rounding: .halfUp).text == monthly)
  }

  /// Twelve times 0.125 is 1.50, and not twelve times the displayed 0.13.
  @Test func derivesPricesFromUnroundedAmount() throws {
    let style = PriceStyle(rounding: .halfUp)
    let price = try PriceFormatter("USA", style).format("0.125")
    #expect(price.text == "$0.13")
    #expect(price.amount == "0.125" && price.displayedAmount == "0.13")
    #expect(try price.total(quantity: 12).text == "$1.50")
    #expect(try (price + dollars("0.125")).text == "$0.25")
    #expect(try (price - dollars("0.125")).text == "$0.00")
    let euro = try Price(1, in: Storefront("DEU"))
    #expect(Expected { () throws(PriceTagError) in try price + euro } == .error(.currencyMismatch))
  }

  @Test func derivesBothBoundsOfRange() throws {
    let range = try PriceFormatter("DEU").format(from: "0.99", to: "4.99")
    #expect(try range.total(quantity: 2).text == "1,98–9,98\u{A0}€")
  }

  @Test(
    arguments: [
      ("P7D", .value("P7D")), ("P1M", .value("P1M")), ("P9999Y", .value("P9999Y")), ("P01W", .value("P1W")),
      ("", .error(.malformedPeriod)), ("P", .error(.malformedPeriod)),
      ("P1", .error(.malformedPeriod)),
      ("PM", .error(.malformedPeriod)), ("1M", .error(.malformedPeriod)),
      ("P0D", .error(.malformedPeriod)),
      ("P1Y6M", .error(.malformedPeriod)), ("PT1H", .error(.malformedPeriod)),
      ("P-1M", .error(.malformedPeriod)),
      ("P1.5M", .error(.malformedPeriod)), ("P99999D", .error(.malformedPeriod)),
      ("P\u{661}M", .error(.malformedPeriod)), ("p1m", .error(.malformedPeriod)),
    ] as [(String, Expected<String>)]
  )
  func readsPeriods(text: String, expected: Expected<String>) {
    #expect(Expected { () throws(PriceTagError) in try SubscriptionPeriod(text).description } == expected)
  }
}
