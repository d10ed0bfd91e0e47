#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Amount {
  /// An amount from a Foundation decimal, exactly.
  ///
  /// - Throws: `.malformedAmount` for NaN; `.amountOutOfRange` where it has more digits than an amount holds.
  public init(_ decimal: Decimal) throws(PriceTagError) {
    guard decimal.isFinite else {
      throw PriceTagError(.malformedAmount, "the decimal is not a number", fix: "give a finite decimal")
    }
    // A description is plain digits, however large the exponent.
    try self.init(decimal: decimal.description)
  }
}
