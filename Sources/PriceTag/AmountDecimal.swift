#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Amount {
  /// Creates an amount that is exactly equal to a Foundation decimal.
  ///
  /// - Throws: `.malformedAmount` for NaN; `.amountOutOfRange` if the decimal has more digits than an amount holds.
  public init(_ decimal: Decimal) throws(PriceTagError) {
    guard decimal.isFinite else {
      throw PriceTagError(.malformedAmount, "the decimal is not a number", fix: "use a finite decimal")
    }
    // A description has plain digits and no exponent.
    try self.init(decimal: decimal.description)
  }
}
