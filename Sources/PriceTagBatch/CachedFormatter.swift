import PriceTag

/// A compiled price formatter, with the values that rows need from it.
package final class CachedFormatter {
  package let formatter: PriceFormatter
  /// The formatter of unit prices, which a compact notation does not have.
  let unitPriceFormatter: PriceFormatter
  /// Writes most prices without counting references. Valid as long as this object exists.
  let unownedWriter: UnownedPriceWriter
  /// Writes the spoken form; `nil` if `formatter` writes it already.
  private(set) lazy var spoken: PriceFormatter? = formatter.spoken
  /// Writes most spoken forms. Valid as long as this object exists.
  private(set) lazy var spokenWriter: UnownedPriceWriter? = spoken?.unownedWriter
  /// The start tag of HTML by direction, left to right first, in a JSON string.
  private(set) lazy var htmlStarts = ["ltr", "rtl"].map {
    Array("\"<bdi lang=\\\"\(formatter.locale)\\\" dir=\\\"\($0)\\\">".utf8)
  }
  /// The number of minor unit digits of the currency, by the provider that counts them.
  private var minorUnitDigits: [String: Int] = [:]

  package init(_ formatter: PriceFormatter, unitPriceFormatter: PriceFormatter) {
    (self.formatter, self.unitPriceFormatter) = (formatter, unitPriceFormatter)
    unownedWriter = formatter.unownedWriter
  }

  /// Returns the number of digits that `amountMinor` has after the decimal point.
  func minorUnitDigits(for provider: String) throws(PriceTagError) -> Int {
    if let digits = minorUnitDigits[provider] { return digits }
    let digits = try formatter.currency.minorUnitDigits(for: provider)
    minorUnitDigits[provider] = digits
    return digits
  }
}
