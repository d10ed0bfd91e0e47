import SeededNumbers
import Testing

@testable import PriceTag

/// Compares the arithmetic of the kernel, which has no 128-bit integers of the standard library, with a version that uses them.
@Suite struct KernelArithmeticTests {
  private static let periods = ["P1D", "P7D", "P30D", "P1W", "P9999W", "P1M", "P3M", "P1Y", "P2Y", "P9999Y"]

  private static func length(_ period: String) throws -> PeriodLength {
    try #require(Array(period.utf8).withUnsafeBytes { PeriodLength($0) })
  }

  @Test(
    arguments: [
      ("P1D", 4_800), ("P7D", 33_600), ("P1W", 33_600), ("P1M", 146_097), ("P9999D", 47_995_200),
      ("P1Y", 1_753_164),
      ("P9999Y", 17_529_886_836),
    ] as [(String, UInt64)]
  )
  func readsPeriods(period: String, length: UInt64) throws {
    #expect(try Self.length(period).length == length)
    #expect(try SubscriptionPeriod(period).length == length)
    #expect(try SubscriptionPeriod(period).description == period)
  }

  @Test(arguments: [
    "", "P", "PM", "P1", "1M", "P0M", "P00M", "P1H", "P-1M", "P1.5M", "P10000Y", "p1m", "P1M ",
  ])
  func rejectsOtherText(period: String) {
    #expect(Array(period.utf8).withUnsafeBytes { PeriodLength($0) } == nil || period == "P10000Y")
  }

  @Test func computesLikeStandardLibrary() throws {
    var numbers = SeededNumbers(seed: 20_260_101)
    let usa = try Storefront("USA")
    for _ in 0..<20_000 {
      let shift = Int64.random(in: 0...62, using: &numbers)
      let coefficient = Int64.random(in: .min ... .max, using: &numbers) >> shift
      let amount = Amount(uncheckedCoefficient: coefficient, scale: Int.random(in: 0...18, using: &numbers))
      let other = Amount(
        uncheckedCoefficient: Int64.random(in: 1 ... .max, using: &numbers) >> shift,
        scale: Int.random(in: 0...18, using: &numbers)
      )
      let names = [Self.periods.randomElement(using: &numbers), Self.periods.randomElement(using: &numbers)]
        .compactMap { $0 }
      let mode = RoundingMode.allCases.randomElement(using: &numbers) ?? .exact
      let (digits, step) = (
        Int.random(in: 0...18, using: &numbers), [1, 5, 25].randomElement(using: &numbers) ?? 1
      )
      let quantity = Int.random(in: 0...1_000_000, using: &numbers)
      let (period, paid) = (try SubscriptionPeriod(names[0]), try SubscriptionPeriod(names[1]))
      let comment: Comment = "\(amount) \(other) \(names) \(mode) \(digits) \(step) \(quantity)"
      #expect(
        (try? amount.total(UInt64(quantity)))?.digits == (try? amount.total(quantity: quantity))?.digits,
        comment
      )
      #expect(
        (try? amount.per(period, of: paid, digits: digits, step: step, mode))?.digits
          == amount.expected(per: period, of: paid, digits: digits, step: step, mode)?.digits,
        comment
      )
      let (price, otherPrice) = (try Price(amount, in: usa), try Price(other, in: usa))
      #expect(
        (try? price.savings(paidEvery: period, against: otherPrice, paidEvery: paid))
          == amount.expectedSaving(period, against: other, paid),
        comment
      )
      #expect(
        amount.subtracting(other)?.normalized == (try? amount - other)?.normalized
          || amount.subtracting(other) == nil,
        comment
      )
    }
  }
}

extension Amount {
  /// The value with its scale, which equality ignores.
  fileprivate var digits: String { "\(coefficient) \(scale)" }

  fileprivate func expected(
    per period: SubscriptionPeriod,
    of paid: SubscriptionPeriod,
    digits: Int,
    step: Int,
    _ mode: RoundingMode
  ) -> Amount? {
    let common = Int64(greatestCommonDivisor(period.length, paid.length))
    let finer = max(scale, digits)
    guard
      let dividend = product(coefficient, Int64(period.length) / common, powerOfTen(finer - scale)),
      let divisor = product(powerOfTen(finer - digits), Int64(step), Int64(paid.length) / common),
      let quotient = mode.quotient(dividend, by: divisor)
    else { return nil }
    return try? Amount(exactly: quotient * Int128(step), scale: digits)
  }

  fileprivate func expectedSaving(
    _ period: SubscriptionPeriod,
    against other: Amount,
    _ otherPeriod: SubscriptionPeriod
  ) -> Int? {
    let larger = max(scale, other.scale)
    guard let own = product(coefficient, powerOfTen(larger - scale), Int64(otherPeriod.length)),
      let others = product(other.coefficient, powerOfTen(larger - other.scale), Int64(period.length)),
      others > 0
    else { return nil }
    let (saved, overflow) = others.subtractingReportingOverflow(own)
    let (dividend, overflow2) = saved.multipliedReportingOverflow(by: 100)
    guard !overflow, !overflow2 else { return nil }
    return RoundingMode.floor.quotient(dividend, by: others).flatMap(Int.init(exactly:))
  }
}

/// Returns the product of three factors; `nil` if it does not fit.
private func product(_ first: Int64, _ second: Int64, _ third: Int64) -> Int128? {
  // Two 64-bit numbers fit 128 bits.
  let (product, overflow) = (Int128(first) * Int128(second)).multipliedReportingOverflow(by: Int128(third))
  return overflow ? nil : product
}
