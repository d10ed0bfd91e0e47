import PriceTag
import PriceTagReading
import Testing

/// Tests of reading displayed prices.
@Suite struct PriceReaderTests {
  /// The price that a strict and a lenient reader of a storefront read, or the code of the error.
  struct Row: Sendable, CustomTestStringConvertible {
    let storefront: String
    let text: String
    let strict: String
    let lenient: String

    init(_ storefront: String, _ text: String, _ strict: String, _ lenient: String) {
      (self.storefront, self.text, self.strict, self.lenient) = (storefront, text, strict, lenient)
    }

    var testDescription: String { "\(storefront) \(text.debugDescription)" }
  }

  private static func outcome(
    _ reader: PriceReader,
    _ text: String,
    _ strictness: PriceReader.Strictness
  ) -> String {
    switch reader.reading(of: text, strictness).result {
    case .success(let price): "\(price.amount) \(price.currency)"
    case .failure(let error): error.code.rawValue
    }
  }

  static let rows: [Row] = [
    Row("USA", "$4.99", "4.99 USD", "4.99 USD"),
    Row("USA", "-$1,234.50", "-1234.50 USD", "-1234.50 USD"),
    Row("USA", "$ 1234.5", "not-as-written", "not-as-written"),
    Row("USA", "4.99 USD", "not-as-written", "not-as-written"),
    Row("USA", "$4.99 USD", "not-as-written", "not-as-written"),
    Row("USA", "4.99 US dollars", "not-as-written", "not-as-written"),
    Row("USA", "1 US dollar", "not-as-written", "not-as-written"),
    Row("USA", "1.00 US dollars", "not-as-written", "not-as-written"),
    Row("USA", "2.50 Poland zlotys", "not-as-written", "not-as-written"),
    Row("USA", "2.50 Polish zlotys", "not-as-written", "2.50 PLN"),
    Row("USA", "1.234 US dollars", "not-as-written", "not-as-written"),
    Row("USA", "FCFA 5", "not-as-written", "ambiguous-currency"),
    Row("USA", "$4.99 (was $5.99)", "not-as-written", "not-as-written"),
    Row("USA", "$4.99 (2018)", "not-as-written", "not-as-written"),
    Row("USA", "€4.99", "not-as-written", "4.99 EUR"),
    Row("USA", "4.99", "not-as-written", "not-as-written"),
    Row("USA", "zzz 4.99", "not-as-written", "not-as-written"),
    Row("USA", "$", "not-a-price", "not-a-price"),
    Row("USA", "$0.99 – $4.99", "not-as-written", "not-as-written"),
    Row("USA", "$1,23,45", "not-as-written", "not-as-written"),
    Row("USA", "$1٢", "not-as-written", "not-as-written"),
    Row("USA", "$\u{202E}12.34", "not-as-written", "not-as-written"),
    Row("USA", "$1\u{200F}2.34", "not-as-written", "not-as-written"),
    Row("USA", "$5$10", "not-as-written", "not-as-written"),
    Row("USA", "$1_50", "not-as-written", "not-as-written"),
    Row("USA", "$5–", "not-as-written", "not-as-written"),
    Row("USA", "USD 4.99", "not-as-written", "4.99 USD"),
    Row("USA", "\u{FF04}4.99", "not-as-written", "4.99 USD"),
    Row("USA", "US$4.99", "not-as-written", "not-as-written"),
    Row("USA", "S$4.99", "not-as-written", "not-as-written"),
    Row("USA", "$4.99K", "not-as-written", "not-as-written"),
    Row("DEU", "0.990 €", "not-as-written", "not-as-written"),
    Row("DEU", "0.99 €", "not-as-written", "not-as-written"),
    Row("KWT", "\u{200F}0.250 د.ك.\u{200F}", "not-as-written", "0.250 KWD"),
    Row("NLD", "€ 5-", "not-as-written", "not-as-written"),
    Row("CHE", "CHF\u{A0}234.50", "234.50 CHF", "234.50 CHF"),
    Row("CHE", "USD 4.99", "not-as-written", "4.99 USD"),
    Row("CHE", "kr 4.99", "not-as-written", "ambiguous-currency"),
    Row("CHE", "USD 1,234", "not-as-written", "ambiguous-number"),
    Row("CHE", "CHF 1'234.50", "not-as-written", "1234.50 CHF"),
    Row("DEU", "4.99 €", "not-as-written", "not-as-written"),
    Row("DEU", "1.234 €", "not-as-written", "not-as-written"),
    Row("FRA", "1\u{202F}234,00\u{A0}€", "1234.00 EUR", "1234.00 EUR"),
    Row("JPN", "￥1,200", "1200 JPY", "1200 JPY"),
    Row("JPN", "¥1,200", "not-as-written", "1200 JPY"),
    Row("EGY", "\u{200F}١٬٤٩٩٫٩٩\u{A0}ج.م.\u{200F}", "1499.99 EGP", "1499.99 EGP"),
    Row("EGY", "1499.99 EGP", "not-as-written", "not-as-written"),
    Row("EGY", "1٬499٫99 EGP", "not-as-written", "1499.99 EGP"),
    Row("IND", "₹12,34,567.50", "1234567.50 INR", "1234567.50 INR"),
    Row("TUR", "149,99 TL", "not-as-written", "not-as-written"),
    Row("DEU", "4,99&nbsp;€", "not-as-written", "not-as-written"),
  ]

  @Test(arguments: rows)
  func readsPrices(row: Row) throws {
    let reader = try SharedReaders.reader(row.storefront)
    for (strictness, expected) in [(PriceReader.Strictness.strict, row.strict), (.lenient, row.lenient)] {
      #expect(Self.outcome(reader, row.text, strictness) == expected, "\(strictness)")
    }
  }

  /// Currency names with apostrophes and digits. Digits in the name of the formatter's own currency are not a number.
  static let names: [(locale: String, currency: String, text: String, read: String?)] = [
    ("fr-CI", "CLF", "5,0000 unités d\u{2019}investissement chiliennes", "5.0000 CLF"),
    ("fr-CI", "CLF", "5 unités d'investissement chiliennes", nil),
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
    Row("USA", "1234.5", "not-as-written", "not-as-written"),
    Row("USA", "$5.00", "not-as-written", "not-as-written"),
    Row("USA", "€5.00", "not-as-written", "5.00 EUR"),
    Row("USA", "zzz 5.00", "not-as-written", "not-as-written"),
    // ICU keeps the space before the missing currency.
    Row("DEU", "1.234,50\u{A0}", "1234.50 EUR", "1234.50 EUR"),
    Row("DEU", "1.234,50", "not-as-written", "1234.50 EUR"),
    Row("JPN", "1,200", "1200 JPY", "1200 JPY"),
    Row("IND", "12,34,567.50", "1234567.50 INR", "1234567.50 INR"),
  ]

  @Test(arguments: hidden)
  func readsPricesWithoutCurrency(row: Row) throws {
    let reader = try SharedReaders.reader(row.storefront, style: PriceStyle(width: .hidden))
    for (strictness, expected) in [(PriceReader.Strictness.strict, row.strict), (.lenient, row.lenient)] {
      #expect(Self.outcome(reader, row.text, strictness) == expected, "\(strictness)")
    }
    if row.strict != "not-as-written" {
      let standard = try SharedReaders.reader(row.storefront)
      #expect((try? standard.read(row.text, .lenient)) == nil)
    }
  }

  /// Errors name the place of the first difference, and what the formatter writes.
  static let messages: [(storefront: String, text: String, place: Int?, message: String)] = [
    (
      "DEU", "4.99 €", 1,
      #""4.99 €" is not how de-DE writes 4.99 EUR: it differs at character 2 (U+002E FULL STOP); write "4,99\u{A0}€""#
    ),
    (
      "USA", "$4.9", 4,
      #""$4.9" is not how en-US writes 4.9 USD: it differs at character 5 (its end); write "$4.90""#
    ),
    (
      "USA", "$4.99K", 5,
      #""$4.99K" is not how en-US writes USD: it differs at character 6 (U+004B LATIN CAPITAL LETTER K); write the price as en-US does, such as "$1.00""#
    ),
    (
      "FRA", "1\u{202F}234,50 €", 8,
      #""1\u{202F}234,50 €" is not how fr-FR writes 1234.50 EUR: it differs at character 9 (U+0020 SPACE); write "1\u{202F}234,50\u{A0}€""#
    ),
    (
      "USA", "Free", 0,
      #""Free" has no digits: it differs at character 1 (U+0046 LATIN CAPITAL LETTER F); write the price as en-US does, such as "$1.00""#
    ),
    ("USA", "$4.99", nil, ""),
  ]

  @Test(arguments: messages)
  func namesPlace(storefront: String, text: String, place: Int?, message: String) throws {
    let reading = try SharedReaders.reader(storefront).reading(of: text)
    #expect(reading.difference == place)
    if case .failure(let error) = reading.result { #expect(error.description == message) }
  }
}
