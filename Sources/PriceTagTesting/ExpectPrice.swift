import PriceTag
import PriceTagReading

/// Expects the formatted price of an amount in a storefront, in Swift Testing and in XCTest.
///
///     expectPrice("4.99", in: "USA", displays: "$4.99")
///     expectPrice("1234.50", in: "CHE", displays: "CHF\u{A0}1’234.50")
///     expectPrice("4.99", in: "BGR", displays: "€4.99", at: "2026-01-01")
///
/// A failure points at the caller's line. It shows both texts, the code points that differ, the classes of the differences
/// (`DriftClass`), and how to accept them.
///
/// - Parameters:
///   - amount: The amount, decimal.
///   - storefront: The storefront, alpha-3 or alpha-2.
///   - expected: The exact text.
///   - tolerance: The differences to allow.
///   - priceLocale: A product's own price locale, which overrides the storefront's.
///   - date: The date, `YYYY-MM-DD`, which decides the store's currency. Default: the store's current date.
///   - style: The style of the price.
///   - localeData: The registry of storefronts.
///   - fileID: The caller's module and file, for failures.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
public func expectPrice(
  _ amount: String,
  in storefront: String,
  displays expected: String,
  tolerating tolerance: DisplayTolerance = .strict,
  priceLocale: String? = nil,
  at date: String? = nil,
  style: PriceStyle = PriceStyle(),
  localeData: LocaleData = .embedded,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let origin = PriceOrigin(storefront: storefront, priceLocale: priceLocale, at: date)
  let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
  expect(amount, origin, "\(storefront) displays", expected, tolerance, style, localeData, caller)
}

/// Expects the formatted price of an amount in a price locale and a currency, in Swift Testing and in XCTest.
///
///     expectPrice("1234.50", locale: "pl-PL", currency: "PLN", displays: "1234,50\u{A0}zł")
///
/// - Parameters:
///   - amount: The amount, decimal.
///   - locale: The price locale, BCP 47.
///   - currency: The ISO 4217 code.
///   - expected: The exact text.
///   - tolerance: The differences to allow.
///   - style: The style of the price.
///   - localeData: The registry of currencies.
///   - fileID: The caller's module and file, for failures.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
public func expectPrice(
  _ amount: String,
  locale: String,
  currency: String,
  displays expected: String,
  tolerating tolerance: DisplayTolerance = .strict,
  style: PriceStyle = PriceStyle(),
  localeData: LocaleData = .embedded,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let origin = PriceOrigin(priceLocale: locale, currency: currency)
  let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
  expect(amount, origin, "\(locale) writes", expected, tolerance, style, localeData, caller)
}

private func expect(
  _ amount: String,
  _ origin: PriceOrigin,
  _ subject: String,
  _ expected: String,
  _ tolerance: DisplayTolerance,
  _ style: PriceStyle,
  _ localeData: LocaleData,
  _ caller: Caller
) {
  let price = caller.attempt {
    try origin.formatter(in: localeData, style: style).format(Amount(decimal: amount))
  }
  guard let price, !price.text.utf8.elementsEqual(expected.utf8) else { return }
  let reader = PriceReader(price.formatter, in: localeData)
  let comparison = DisplayComparison(
    expected: expected,
    actual: price.text,
    reader,
    actualAmount: price.displayedAmount
  )
  caller.expect(comparison, tolerance, failure: "\(subject) \(amount) \(price.currency) differently")
}
