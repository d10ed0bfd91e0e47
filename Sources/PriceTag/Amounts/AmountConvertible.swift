import FoundationEssentials

/// A value that a program holds as an amount: decimal text, an integer or a Foundation decimal.
///
///     let (text, number, decimal) = ("4.99", 5, Decimal(5))
///     try formatter.format(text).text      // "$4.99"
///     try formatter.format(number).text    // "$5.00"
///     try formatter.format(decimal).text   // "$5.00"
///
/// A `Double` is not accepted, because most amounts are not equal to any `Double`. A float literal such as `4.99` is a
/// `Double` too. An integer counts complete units: for minor units such as cents, use
/// ``Amount/init(minorUnits:exponent:)``.
///
/// A decimal type of another library can conform:
///
///     extension Money: AmountConvertible {
///       public func exactAmount() throws(PriceTagError) -> Amount { try Amount(decimal: digits) }
///     }
public protocol AmountConvertible {
  /// Returns the amount that equals this value.
  ///
  /// - Throws: `.malformedAmount` or `.amountOutOfRange` if no amount equals it.
  func exactAmount() throws(PriceTagError) -> Amount
}

extension Amount {
  /// Creates the amount that equals a value: decimal text, an integer or a Foundation decimal.
  ///
  /// - Throws: `.malformedAmount` for text that is not a decimal amount and for NaN; `.amountOutOfRange` if the value has
  ///   more digits than an amount holds.
  public init(_ value: some AmountConvertible) throws(PriceTagError) {
    self = try value.exactAmount()
  }
}

// An amount wins over these, so that a literal is an amount.
extension PriceFormatter {
  /// Returns decimal text, an integer or a Foundation decimal as a formatted price.
  ///
  ///     let text = "4.99"
  ///     try PriceFormatter(storefront: Storefront("USA")).format(text).text   // "$4.99"
  ///
  /// - Throws: The errors of ``Amount/init(_:)``, and of `format(_:)` for an amount.
  @_disfavoredOverload
  public func format(_ amount: some AmountConvertible) throws(PriceTagError) -> FormattedPrice {
    try format(Amount(amount))
  }

  /// Returns decimal text, an integer or a Foundation decimal as the text of a price.
  ///
  /// - Throws: The errors of ``Amount/init(_:)``, and of `string(for:)` for an amount.
  @_disfavoredOverload
  public func string(for amount: some AmountConvertible) throws(PriceTagError) -> String {
    try string(for: Amount(amount))
  }

  /// Returns a range between two values, each of them decimal text, an integer or a Foundation decimal.
  ///
  /// - Throws: The errors of ``Amount/init(_:)``, and of `format(from:to:)` for amounts.
  @_disfavoredOverload
  public func format(
    from low: some AmountConvertible,
    to high: some AmountConvertible
  ) throws(PriceTagError) -> FormattedPrice {
    try format(from: Amount(low), to: Amount(high))
  }

  /// Returns the text of a range between two values, each of them decimal text, an integer or a Foundation decimal.
  ///
  /// - Throws: The errors of ``Amount/init(_:)``, and of `string(from:to:)` for amounts.
  @_disfavoredOverload
  public func string(
    from low: some AmountConvertible,
    to high: some AmountConvertible
  ) throws(PriceTagError) -> String {
    try string(from: Amount(low), to: Amount(high))
  }
}

// MARK: Conformances

extension AmountConvertible where Self: StringProtocol {
  /// Returns the amount of decimal text; see ``Amount/init(decimal:)``.
  public func exactAmount() throws(PriceTagError) -> Amount { try Amount(decimal: String(self)) }
}

extension AmountConvertible where Self: BinaryInteger {
  /// Returns the amount without decimals.
  public func exactAmount() throws(PriceTagError) -> Amount {
    guard let value = Int64(exactly: self) else { throw .outOfRange("\(self)") }
    return Amount(uncheckedCoefficient: value, scale: 0)
  }
}

extension String: AmountConvertible {}
extension Substring: AmountConvertible {}
extension Int: AmountConvertible {}
extension Int8: AmountConvertible {}
extension Int16: AmountConvertible {}
extension Int32: AmountConvertible {}
extension Int64: AmountConvertible {}
extension UInt: AmountConvertible {}
extension UInt8: AmountConvertible {}
extension UInt16: AmountConvertible {}
extension UInt32: AmountConvertible {}
extension UInt64: AmountConvertible {}

extension Decimal: AmountConvertible {
  /// Returns the amount that equals the decimal.
  public func exactAmount() throws(PriceTagError) -> Amount {
    guard isFinite else {
      throw PriceTagError(.malformedAmount, "the decimal is not a number", fix: "use a finite decimal")
    }
    // A description has plain digits and no exponent.
    return try Amount(decimal: description)
  }
}

// The compiler prints the message where a Double is passed.
@available(*, unavailable, message: "a Double may not be exact; pass decimal text, an integer or a Decimal")
extension Double: AmountConvertible {
  /// Throws `.malformedAmount`.
  public func exactAmount() throws(PriceTagError) -> Amount {
    throw PriceTagError(
      .malformedAmount,
      "\(self) is a Double, which may not be exact",
      fix: "pass decimal text, an integer or a Decimal"
    )
  }
}
