import PriceTag
import SeededNumbers
import Testing

@Suite struct InstallmentArithmeticTests {
  static let installments: [(Amount, Int, Int, RoundingMode, String)] = [
    ("100.00", 6, 2, .halfUp, "5 × 16.67 + 16.65"), ("100", 6, 2, .up, "5 × 16.67 + 16.65"),
    ("100.00", 6, 2, .down, "5 × 16.66 + 16.70"), ("100.00", 4, 2, .exact, "4 × 25.00"),
    ("100.00", 4, 2, .up, "4 × 25.00"), ("100.00", 1, 2, .exact, "1 × 100.00"),
    ("1000", 3, 0, .halfEven, "2 × 333 + 334"), ("1000", 3, 0, .up, "2 × 334 + 332"),
    ("0.03", 2, 2, .up, "1 × 0.02 + 0.01"), ("1.000", 3, 3, .down, "2 × 0.333 + 0.334"),
    ("0.01", 1, 2, .up, "1 × 0.01"),
    ("9.223372036854775807", 3, 18, .down, "2 × 3.074457345618258602 + 3.074457345618258603"),
  ]

  @Test(arguments: installments)
  func dividesAmount(amount: Amount, count: Int, digits: Int, rounding: RoundingMode, expected: String) throws
  {
    let result = try amount.installments(count, digits: digits, rounding: rounding)
    let rest = result.areEqual ? "" : " + \(result.lastPayment)"
    #expect("\(result.equalCount) × \(result.payment)\(rest)" == expected)
    #expect(result.count == count)
  }

  static let errors: [(Amount, Int, Int, RoundingMode, String)] = [
    (
      "100", 6, 2, .exact,
      "100 in 6 payments is not a multiple of 0.01; name a rounding mode such as half-up, and the last payment makes the sum exact"
    ),
    ("0", 2, 2, .up, "cannot divide the amount 0 into payments; use an amount above zero"),
    ("-5", 2, 2, .up, "cannot divide the amount -5 into payments; use an amount above zero"),
    ("5", 0, 2, .up, "cannot divide an amount into 0 payments; use 1 to 1000000 payments"),
    ("5", -1, 2, .up, "cannot divide an amount into -1 payments; use 1 to 1000000 payments"),
    ("5", 1_000_001, 2, .up, "cannot divide an amount into 1000001 payments; use 1 to 1000000 payments"),
    (
      "0.05", 10, 2, .up,
      "0.05 in 10 payments of 0.01 leaves -0.04 for the last one; use fewer payments or another rounding mode"
    ),
    (
      "0.05", 10, 2, .down,
      "0.05 in 10 payments of 0.00 leaves 0.05 for the last one; use fewer payments or another rounding mode"
    ),
    (
      "0.125", 2, 2, .up,
      "0.125 is not a multiple of 0.01; round the amount first, so that the payments can add up to it"
    ),
    ("5", 2, 19, .up, "cannot round to 19 digits in steps of 1"),
    ("5", 2, -1, .up, "cannot round to -1 digits in steps of 1"),
  ]

  @Test(arguments: errors)
  func rejectsImpossibleDivision(
    amount: Amount,
    count: Int,
    digits: Int,
    rounding: RoundingMode,
    expected: String
  ) throws {
    let error = try #require(throws: PriceTagError.self) {
      try amount.installments(count, digits: digits, rounding: rounding)
    }
    #expect(error.description.contains(expected), "\(error)")
  }

  /// Whatever the amount and the rounding mode, the payments add up to the amount, and all are above zero.
  @Test func sumIsExact() throws {
    var numbers = SeededNumbers(seed: 20)
    var divided = 0
    for _ in 0..<5_000 {
      let amount = try Amount(minorUnits: Int64(numbers.number(1...1_000_000)), exponent: 2)
      let count = numbers.number(1...60)
      let mode = numbers.pick(RoundingMode.allCases)
      guard let result = try? amount.installments(count, digits: 2, rounding: mode) else { continue }
      divided += 1
      #expect(try result.payment * (count - 1) + result.lastPayment == amount, "\(amount) / \(count)")
      #expect(result.payment > .zero && result.lastPayment > .zero, "\(amount) / \(count)")
      #expect(result.payment.scale <= 2 && result.lastPayment.scale <= 2)
    }
    #expect(divided > 3_000)
  }

  static let formatted: [(String, PriceStyle, Amount, Int, RoundingMode, String, String)] = [
    ("DEU", PriceStyle(), 100, 6, .halfUp, "16,67\u{A0}€", "16,65\u{A0}€"),
    ("JPN", PriceStyle(), 1000, 3, .down, "￥333", "￥334"),
    ("USA", PriceStyle(width: .iso), 100, 4, .exact, "USD\u{A0}25.00", "USD\u{A0}25.00"),
    // Swiss cash prices are multiples of 0.05.
    ("CHE", PriceStyle(digits: .cash), 100, 7, .halfUp, "CHF\u{A0}14.30", "CHF\u{A0}14.20"),
    ("USA", PriceStyle(digits: .fixed(3)), 1, 3, .down, "$0.333", "$0.334"),
  ]

  @Test(arguments: formatted)
  func formatsPaymentsLikePrice(
    id: String,
    style: PriceStyle,
    amount: Amount,
    count: Int,
    rounding: RoundingMode,
    payment: String,
    last: String
  ) throws {
    let price = try PriceFormatter(id, style).format(amount)
    let result = try price.installments(count, rounding: rounding)
    #expect(result.payment.text == payment)
    #expect(result.lastPayment.text == last)
    #expect(try result.payment.amount * (count - 1) + result.lastPayment.amount == amount)
  }

  @Test func dividesPrice() throws {
    let result = try Price(1000, in: Storefront("JPN")).installments(3, rounding: .up)
    #expect(result.payment.amount == 334 && result.lastPayment.amount == 332)
    #expect(result.payment.currency.code == "JPY")
    let exact = try Price("1.00", in: Storefront("USA")).installments(8, rounding: .exact, digits: 3)
    #expect(exact.areEqual && exact.payment.amount == "0.125")
    #expect(
      try Price("10.00", in: Storefront("USA")).allocated(over: 3).map(\.amount) == ["3.34", "3.33", "3.33"]
    )
  }

  @Test(
    arguments: [
      ("USA", PriceStyle(), "10.00", 3, ["$3.34", "$3.33", "$3.33"]),
      ("USA", PriceStyle(), "-10.00", 3, ["-$3.34", "-$3.33", "-$3.33"]),
      ("JPN", PriceStyle(), 5, 3, ["￥2", "￥2", "￥1"]),
      (
        "CHE", PriceStyle(digits: .cash), "10.00", 3,
        ["CHF\u{A0}3.35", "CHF\u{A0}3.35", "CHF\u{A0}3.30"]
      ),
      ("USA", PriceStyle(), 0, 2, ["$0.00", "$0.00"]),
    ] as [(String, PriceStyle, Amount, Int, [String])]
  )
  func splitsFormattedPrice(id: String, style: PriceStyle, amount: Amount, parts: Int, expected: [String])
    throws
  {
    let price = try PriceFormatter(id, style).format(amount)
    #expect(try price.allocated(over: parts).map(\.text) == expected)
  }

  @Test func rejectsRangesAndRoundedPrices() throws {
    let formatter = try PriceFormatter("USA")
    let range = try formatter.format(from: 1, to: 2)
    for operation: () throws -> Void in [
      { _ = try range.installments(2, rounding: .up) }, { _ = try range.allocated(over: 2) },
    ] {
      let error = #expect(throws: PriceTagError.self, performing: operation)
      #expect(error?.description == "cannot divide a range of prices; divide one price")
    }
    // The displayed price is 0.13: payments that add up to 0.125 would not add up to what is displayed.
    let rounded = try PriceFormatter("USA", PriceStyle(rounding: .halfUp)).format("0.125")
    let error = #expect(throws: PriceTagError.self) { try rounded.installments(2, rounding: .up) }
    #expect(error?.code == .needsRounding)
    #expect(throws: PriceTagError.self) { try rounded.allocated(over: 2) }
  }
}
