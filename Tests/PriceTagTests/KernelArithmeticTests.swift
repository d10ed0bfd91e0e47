import SeededNumbers
import Testing

@testable import PriceTag

/// Compares the arithmetic of the kernel, which C, JavaScript and Python use, with that of ``Price``.
@Suite struct KernelArithmeticTests {
  private static let periods = ["P1D", "P7D", "P30D", "P1W", "P9999W", "P1M", "P3M", "P1Y", "P2Y", "P9999Y"]

  private static func length(_ period: String) throws -> PeriodLength {
    try #require(Array(period.utf8).withUnsafeBytes { PeriodLength($0) })
  }

  @Test(arguments: periods) func readsPeriods(period: String) throws {
    #expect(try Self.length(period).length == UInt64(SubscriptionPeriod(period).length))
  }

  @Test(arguments: [
    "", "P", "PM", "P1", "1M", "P0M", "P00M", "P1H", "P-1M", "P1.5M", "P10000Y", "p1m", "P1M ",
  ])
  func rejectsOtherText(period: String) {
    #expect(Array(period.utf8).withUnsafeBytes { PeriodLength($0) } == nil || period == "P10000Y")
  }

  @Test func computesLikePrice() throws {
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
      let (period, paid) = (try Self.length(names[0]), try Self.length(names[1]))
      let (ownPeriod, ownPaid) = (try SubscriptionPeriod(names[0]), try SubscriptionPeriod(names[1]))
      let comment: Comment = "\(amount) \(other) \(names) \(mode) \(digits) \(step) \(quantity)"
      #expect(
        (try? amount.total(UInt64(quantity)))?.digits == (try? amount.total(quantity: quantity))?.digits,
        comment
      )
      #expect(
        (try? amount.per(period, of: paid, digits: digits, step: step, mode))?.digits
          == (try? amount.per(ownPeriod, of: ownPaid, digits: digits, step: step, mode))?.digits,
        comment
      )
      let (price, otherPrice) = (try Price(amount, in: usa), try Price(other, in: usa))
      #expect(
        (try? amount.saving(period, against: other, paid)).map(Int.init)
          == (try? price.savings(paidEvery: ownPeriod, against: otherPrice, paidEvery: ownPaid)),
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
}
