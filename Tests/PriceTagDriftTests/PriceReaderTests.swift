import PriceTag
import PriceTagDrift
import Testing

/// Displays that are read back.
@Suite struct PriceReaderTests {
  /// What is read of a text in a storefront's price locale, strictly and leniently; `nil` where it is refused.
  struct Row: Sendable, CustomTestStringConvertible {
    let storefront: String
    let text: String
    let strict: String?
    let lenient: String?

    init(_ storefront: String, _ text: String, _ strict: String?, _ lenient: String?) {
      (self.storefront, self.text, self.strict, self.lenient) = (storefront, text, strict, lenient)
    }

    var testDescription: String { "\(storefront) \(text.debugDescription)" }
  }

  static let rows: [Row] = [
    Row("USA", "$4.99", "4.99 USD", "4.99 USD"),
    Row("USA", "-$1,234.50", "-1234.50 USD", "-1234.50 USD"),
    Row("USA", "$ 1234.5", nil, "1234.5 USD"),
    Row("USA", "4.99 USD", nil, "4.99 USD"),
    Row("USA", "$4.99 USD", nil, "4.99 USD"),
    Row("USA", "4.99 US dollars", nil, "4.99 USD"),
    Row("USA", "€4.99", nil, "4.99 EUR"),
    Row("USA", "4.99", nil, nil),
    Row("USA", "zzz 4.99", nil, nil),
    Row("USA", "$", nil, nil),
    Row("USA", "$0.99 – $4.99", nil, nil),
    Row("USA", "$1,23,45", nil, nil),
    Row("USA", "$1٢", nil, nil),
    Row("CHE", "CHF\u{A0}1’234.50", "1234.50 CHF", "1234.50 CHF"),
    Row("CHE", "CHF 1'234.50", nil, "1234.50 CHF"),
    Row("DEU", "4.99 €", nil, "4.99 EUR"),
    Row("DEU", "1.234 €", nil, "1234 EUR"),
    Row("FRA", "1\u{202F}234,00\u{A0}€", "1234.00 EUR", "1234.00 EUR"),
    Row("JPN", "￥1,200", "1200 JPY", "1200 JPY"),
    Row("JPN", "¥1,200", nil, "1200 JPY"),
    Row("EGY", "\u{200F}١٬٤٩٩٫٩٩\u{A0}ج.م.\u{200F}", "1499.99 EGP", "1499.99 EGP"),
    Row("EGY", "1499.99 EGP", nil, "1499.99 EGP"),
    Row("IND", "₹12,34,567.50", "1234567.50 INR", "1234567.50 INR"),
  ]

  @Test(arguments: rows)
  func aDisplayIsReadBack(row: Row) throws {
    let reader = try PriceReader(storefront: Storefront(row.storefront))
    for (strictness, expected) in [(PriceReader.Strictness.strict, row.strict), (.lenient, row.lenient)] {
      let read = try? reader.read(row.text, strictness)
      #expect(read.map { "\($0.amount) \($0.currency)" } == expected, "\(strictness)")
    }
  }
}
