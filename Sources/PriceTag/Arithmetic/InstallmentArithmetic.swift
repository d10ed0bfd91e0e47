/// An amount or a price divided into equal payments, of which the last one may differ so that the sum is exact.
///
///     let price = try PriceFormatter(storefront: Storefront("DEU")).format("100")
///     let installments = try price.installments(6, rounding: .halfUp)
///     installments.equalCount          // 5
///     installments.payment.text        // "16,67 €"
///     installments.lastPayment.text    // "16,65 €"
public struct Installments<Payment: Hashable & Sendable>: Hashable, Sendable {
  /// The number of payments, including the last one.
  public let count: Int
  /// Each payment before the last one. It equals ``lastPayment`` if all payments are equal.
  public let payment: Payment
  /// The last payment.
  public let lastPayment: Payment

  /// A Boolean value that indicates whether the last payment equals the others.
  public var areEqual: Bool { payment == lastPayment }

  /// The number of payments that equal ``payment``: all of them, or all except the last one.
  public var equalCount: Int { areEqual ? count : count - 1 }

  /// Returns the installments with each of the two payments converted.
  func map<Other>(
    _ convert: (Payment) throws(PriceTagError) -> Other
  ) throws(PriceTagError) -> Installments<Other> {
    Installments<Other>(
      count: count,
      payment: try convert(payment),
      lastPayment: try convert(lastPayment)
    )
  }
}

extension Installments: Codable where Payment: Codable {}

extension Amount {
  /// The largest number of parts and payments.
  private static var maximumPartCount: Int { 1_000_000 }

  /// Divides the amount into equal payments, with a last one that makes the sum exact.
  ///
  ///     let installments = try Amount(decimal: "100.00").installments(6, digits: 2, rounding: .halfUp)
  ///     installments.payment        // 16.67, five times
  ///     installments.lastPayment    // 16.65
  ///
  /// - Parameters:
  ///   - count: The number of payments, 1 to 1,000,000.
  ///   - digits: The number of digits of a payment after the decimal point, 0 to 18.
  ///   - rounding: How to round the equal payments. With `.down`, the last payment is the largest; with `.up`, it is the
  ///     smallest. With `.exact`, an amount that is not divisible is an error.
  /// - Throws: `.invalidOption` if the amount is not above zero, or if a payment would not be; `.needsRounding` if the
  ///   amount has more digits, or if it is not divisible and the mode is `.exact`; `.amountOutOfRange`.
  public func installments(
    _ count: Int,
    digits: Int,
    rounding: RoundingMode
  ) throws(PriceTagError) -> Installments<Amount> {
    try installments(count, digits: digits, step: 1, rounding)
  }

  func installments(
    _ count: Int,
    digits: Int,
    step: Int,
    _ rounding: RoundingMode
  ) throws(PriceTagError) -> Installments<Amount> {
    guard (1...Self.maximumPartCount).contains(count) else {
      throw PriceTagError(
        .invalidOption,
        "cannot divide an amount into \(count) payments",
        fix: "use 1 to \(Self.maximumPartCount) payments"
      )
    }
    guard self > .zero else {
      throw PriceTagError(
        .invalidOption,
        "cannot divide the amount \(self) into payments",
        fix: "use an amount above zero"
      )
    }
    let total = try checkedTotal(digits: digits, step: step)
    let payment: Amount
    do throws(PriceTagError) {
      payment = try total.scaled(by: 1, over: UInt64(count), toDigits: digits, step: step, rounding)
    } catch {
      guard error.code == .needsRounding else { throw error }
      throw PriceTagError(
        .needsRounding,
        "\(self) in \(count) payments is not a multiple of \(Amount(uncheckedCoefficient: Int64(step), scale: digits))",
        fix: "name a rounding mode such as half-up, and the last payment makes the sum exact"
      )
    }
    let last = try total - payment * (count - 1)
    guard payment > .zero, last > .zero else {
      throw PriceTagError(
        .invalidOption,
        "\(self) in \(count) payments of \(payment) leaves \(last) for the last one",
        fix: "use fewer payments or another rounding mode"
      )
    }
    return Installments(count: count, payment: payment, lastPayment: last)
  }

  /// Returns the amount. Throws if it has more digits than a payment can have, since the sum would then differ.
  private func checkedTotal(digits: Int, step: Int) throws(PriceTagError) -> Amount {
    do throws(PriceTagError) {
      return try rounded(toDigits: digits, step: step, .exact)
    } catch {
      guard error.code == .needsRounding else { throw error }
      throw PriceTagError(
        .needsRounding,
        error.problem,
        fix: "round the amount first, so that the payments can add up to it"
      )
    }
  }

  /// Divides the amount into parts that add up to it. The first parts get the remainder, one rounding step each.
  func allocated(over parts: Int, digits: Int, step: Int) throws(PriceTagError) -> [Amount] {
    if step == 1 { return try allocated(over: parts, digits: digits) }
    let steps = try rounded(toDigits: digits, step: step, .exact).minorUnits(exponent: digits) / Int64(step)
    var amounts: [Amount] = []
    for share in try Amount(uncheckedCoefficient: steps, scale: 0).allocated(over: parts, digits: 0) {
      amounts.append(try Amount(exactly: Int128(share.coefficient) * Int128(step), scale: digits))
    }
    return amounts
  }
}

extension Price {
  /// Divides the price into equal payments, with a last one that makes the sum exact.
  ///
  ///     let installments = try Price("100", in: Storefront("DEU")).installments(6, rounding: .halfUp)
  ///     installments.payment.amount        // 16.67, five times
  ///     installments.lastPayment.amount    // 16.65
  ///
  /// - Parameters:
  ///   - count: The number of payments, 1 to 1,000,000.
  ///   - rounding: How to round the equal payments.
  ///   - digits: The number of digits of a payment after the decimal point; `nil` for the digits that CLDR displays. To
  ///     use a merchant's own digits, call ``FormattedPrice/installments(_:rounding:)``.
  /// - Throws: The errors of ``Amount/installments(_:digits:rounding:)``.
  public func installments(
    _ count: Int,
    rounding: RoundingMode,
    digits: Int? = nil
  ) throws(PriceTagError) -> Installments<Price> {
    let digits = digits ?? currency.standardDisplay.digits
    return try amount.installments(count, digits: digits, rounding: rounding).map {
      (amount) throws(PriceTagError) in with(amount)
    }
  }

  /// Divides the price into parts that add up to it. The first parts get the remainder, one unit of the last digit each.
  ///
  ///     try Price("10.00", in: Storefront("USA")).allocated(over: 3).map(\.amount)   // 3.34, 3.33, 3.33
  ///
  /// - Parameters:
  ///   - parts: The number of parts, 1 to 1,000,000.
  ///   - digits: The number of digits of a part after the decimal point; `nil` for the digits that CLDR displays.
  /// - Throws: The errors of ``Amount/allocated(over:digits:)``.
  public func allocated(over parts: Int, digits: Int? = nil) throws(PriceTagError) -> [Price] {
    try amount.allocated(over: parts, digits: digits ?? currency.standardDisplay.digits).map(with)
  }
}

extension FormattedPrice {
  /// Divides the price into equal payments, with a last one that makes the sum exact. Both are formatted like this price,
  /// with the same digits and rounding step.
  ///
  ///     let price = try PriceFormatter(storefront: Storefront("DEU")).format("100")
  ///     let installments = try price.installments(6, rounding: .halfUp)
  ///     installments.payment.text        // "16,67 €", five times
  ///     installments.lastPayment.text    // "16,65 €"
  ///
  /// - Parameters:
  ///   - count: The number of payments, 1 to 1,000,000.
  ///   - rounding: How to round the equal payments.
  /// - Throws: The errors of ``Amount/installments(_:digits:rounding:)``; `.invalidOption` for a range.
  public func installments(
    _ count: Int,
    rounding: RoundingMode
  ) throws(PriceTagError) -> Installments<FormattedPrice> {
    try checkIsNotRange()
    let display = formatter.display
    return try amount.installments(count, digits: display.digits, step: display.step, rounding).map {
      (amount) throws(PriceTagError) in try exactly(amount, "payment")
    }
  }

  /// Divides the price into parts that add up to it, formatted like this price. The first parts get the remainder, one
  /// unit of the last displayed digit each.
  ///
  ///     let price = try PriceFormatter(storefront: Storefront("USA")).format("10.00")
  ///     try price.allocated(over: 3).map(\.text)   // "$3.34", "$3.33", "$3.33"
  ///
  /// - Parameter parts: The number of parts, 1 to 1,000,000.
  /// - Throws: The errors of ``Amount/allocated(over:digits:)``; `.invalidOption` for a range.
  public func allocated(over parts: Int) throws(PriceTagError) -> [FormattedPrice] {
    try checkIsNotRange()
    let display = formatter.display
    // The parts have at most two amounts, so each is formatted once.
    var formatted: [FormattedPrice] = []
    for share in try amount.allocated(over: parts, digits: display.digits, step: display.step) {
      if let previous = formatted.last, previous.amount == share {
        formatted.append(previous)
      } else {
        formatted.append(try exactly(share, "part"))
      }
    }
    return formatted
  }

  private func checkIsNotRange() throws(PriceTagError) {
    guard upperAmount == nil else {
      throw PriceTagError(.invalidOption, "cannot divide a range of prices", fix: "divide one price")
    }
  }

  /// Formats an amount like this price. Throws if the text would show another amount, since the sum would then differ.
  private func exactly(_ amount: Amount, _ noun: String) throws(PriceTagError) -> FormattedPrice {
    let price = try formatter.format(amount)
    guard price.displayedAmount == amount else {
      throw PriceTagError(
        .needsRounding,
        "the \(noun) \(amount) would be displayed as \(price), and the sum would differ",
        fix: "use the standard notation, or display more digits"
      )
    }
    return price
  }
}
