import PriceTag
import PriceTagReading
import Testing

/// Tests of reading displayed prices.
@Suite struct PriceReaderTests {
  /// The price that a strict and a lenient reader of a storefront read; `nil` for an error.
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
    Row("USA", "1 US dollar", nil, "1 USD"),
    Row("USA", "1.00 US dollars", nil, "1.00 USD"),
    Row("USA", "2.50 Poland zlotys", nil, nil),
    Row("USA", "2.50 Polish zlotys", nil, "2.50 PLN"),
    Row("USA", "1.234 US dollars", nil, "1.234 USD"),
    Row("USA", "FCFA 5", nil, nil),
    Row("USA", "$4.99 (was $5.99)", nil, nil),
    Row("USA", "$4.99 (2018)", nil, nil),
    Row("USA", "€4.99", nil, "4.99 EUR"),
    Row("USA", "4.99", nil, nil),
    Row("USA", "zzz 4.99", nil, nil),
    Row("USA", "$", nil, nil),
    Row("USA", "$0.99 – $4.99", nil, nil),
    Row("USA", "$1,23,45", nil, nil),
    Row("USA", "$1٢", nil, nil),
    Row("USA", "$\u{202E}12.34", nil, nil),
    Row("USA", "$1\u{200F}2.34", nil, nil),
    Row("USA", "$5$10", nil, nil),
    Row("USA", "$1_50", nil, nil),
    Row("USA", "$5–", nil, nil),
    Row("USA", "US$4.99", nil, "4.99 USD"),
    Row("USA", "S$4.99", nil, nil),
    Row("USA", "$4.99K", nil, nil),
    Row("DEU", "0.990 €", nil, nil),
    Row("DEU", "0.99 €", nil, "0.99 EUR"),
    Row("KWT", "\u{200F}0.250 د.ك.\u{200F}", nil, "0.250 KWD"),
    Row("NLD", "€ 5-", nil, nil),
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
    Row("TUR", "149,99 TL", nil, "149.99 TRY"),
    Row("DEU", "4,99&nbsp;€", nil, nil),
  ]

  @Test(arguments: rows)
  func readsPrices(row: Row) throws {
    let reader = try SharedReaders.reader(row.storefront)
    for (strictness, expected) in [(PriceReader.Strictness.strict, row.strict), (.lenient, row.lenient)] {
      let read = try? reader.read(row.text, strictness)
      #expect(read.map { "\($0.amount) \($0.currency)" } == expected, "\(strictness)")
    }
  }

  /// Currency names with apostrophes and digits. Digits in the name of the formatter's own currency are not a number.
  static let names: [(locale: String, currency: String, text: String, read: String?)] = [
    ("fr-CI", "CLF", "5,0000 unités d\u{2019}investissement chiliennes", "5.0000 CLF"),
    ("fr-CI", "CLF", "5 unités d'investissement chiliennes", "5 CLF"),
    ("fr-FR", "XBC", "5,00 unités de compte 9 européennes (UEC–9)", "5.00 XBC"),
    ("fr-FR", "EUR", "5,00 unités de compte 9 européennes (UEC–9)", nil),
    ("fr-FR", "XBC", "5,00 unités de compte 8 européennes (UEC–9)", nil),
    ("pt-CV", "CVE", "1$50\u{A0}\u{200B}", "1.50 CVE"),
    ("pt-CV", "EUR", "1$50\u{A0}\u{200B}", nil),
  ]

  @Test(arguments: names)
  func readsNames(locale: String, currency: String, text: String, read: String?) throws {
    let width: PriceStyle.Width = currency == "CVE" ? .standard : .name
    let reader = try SharedReaders.reader(
      PriceFormatter(
        locale: PriceLocale(locale),
        currency: Currency(currency),
        style: PriceStyle(width: width)
      )
    )
    let price = try? reader.read(text, .lenient)
    #expect(price.map { "\($0.amount) \($0.currency)" } == read)
  }

  /// Texts without a currency. Only a reader of the width `hidden` accepts them, in its formatter's currency.
  static let hidden: [Row] = [
    Row("USA", "1,234.50", "1234.50 USD", "1234.50 USD"), Row("USA", "-5.00", "-5.00 USD", "-5.00 USD"),
    Row("USA", "1234.5", nil, "1234.5 USD"), Row("USA", "$5.00", nil, "5.00 USD"),
    Row("USA", "€5.00", nil, "5.00 EUR"), Row("USA", "zzz 5.00", nil, nil),
    // ICU keeps the space before the missing currency.
    Row("DEU", "1.234,50\u{A0}", "1234.50 EUR", "1234.50 EUR"), Row("DEU", "1.234,50", nil, "1234.50 EUR"),
    Row("JPN", "1,200", "1200 JPY", "1200 JPY"),
    Row("IND", "12,34,567.50", "1234567.50 INR", "1234567.50 INR"),
  ]

  @Test(arguments: hidden)
  func readsPricesWithoutCurrency(row: Row) throws {
    let reader = try SharedReaders.reader(row.storefront, style: PriceStyle(width: .hidden))
    for (strictness, expected) in [(PriceReader.Strictness.strict, row.strict), (.lenient, row.lenient)] {
      let read = try? reader.read(row.text, strictness)
      #expect(read.map { "\($0.amount) \($0.currency)" } == expected, "\(strictness)")
    }
    if row.strict != nil {
      let standard = try SharedReaders.reader(row.storefront)
      #expect((try? standard.read(row.text, .lenient)) == nil)
    }
  }
}
