@_spi(Tests) import PriceTag
import Testing

/// Full names of currencies: the spoken form of a price names its currency once.
@Suite struct FullNameTests {
  /// Locales and currencies for which ICU 72 writes a symbol or code beside the name, because CLDR has a pattern for the
  /// currency.
  static let names:
    [(locale: String, currency: String, amount: String, sign: PriceStyle.Sign, name: String)] = [
      ("tr-TR", "TRY", "5", .auto, "5,00 Türk lirası"),
      ("tr-TR", "TRY", "-1234.5", .auto, "-1.234,50 Türk lirası"),
      ("tr-TR", "TRY", "-1234.5", .accounting, "-1.234,50 Türk lirası"),
      ("tr-TR", "TRY", "5", .always, "+5,00 Türk lirası"),
      ("tr-TR", "AED", "-1234.5", .auto, "-1.234,50 BAE dirhemi"),
      ("tr-TR", "JPY", "1234", .auto, "1.234 Japon yeni"),
      ("tr-CY", "TRY", "5", .auto, "5,00 Türk lirası"),
      ("en-150", "EUR", "1234.5", .auto, "1,234.50 euros"),
      ("en-DE", "EUR", "-1", .auto, "-1.00 euros"),
      ("en-DE", "USD", "5", .never, "5.00 US dollars"),
      ("ca-ES", "ESP", "1234", .auto, "1.234 pessetes espanyoles"),
      ("eu-ES", "ESP", "-1234", .auto, "\u{2212}1.234 pezeta espainiar"),
      ("it-IT", "ITL", "234", .auto, "234 lire italiane"),
      // Without such a pattern.
      ("en-US", "USD", "1.5", .auto, "1.50 US dollars"),
      ("it-IT", "EUR", "234.5", .auto, "234,50 euro"),
    ]

  @Test(arguments: names)
  func writesNameOnce(
    locale: String,
    currency: String,
    amount: String,
    sign: PriceStyle.Sign,
    name: String
  ) throws {
    let locale = try PriceLocale(locale)
    let style = PriceStyle(width: .name, sign: sign)
    let formatter = try PriceFormatter(locale: locale, currency: Currency(currency), style: style)
    #expect(formatter.isCompiled)
    let price = try formatter.format(Amount(decimal: amount))
    #expect(price.text == name)
    #expect(price.parts.count { $0.type == .symbol } == 1)
  }

  @Test func speaksTurkishPriceOnce() throws {
    let formatter = try PriceFormatter("TUR")
    #expect(try formatter.format("5").text == "₺5,00")
    #expect(try formatter.format("5").spoken == "5,00 Türk lirası")
    #expect(try formatter.format(from: "5", to: "10").spoken == "5,00–10,00 Türk lirası")
  }
}
