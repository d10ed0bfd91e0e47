import CLDRPacks
import Testing

@testable import PriceTag

/// Prices of the pack of CLDR 42 that later versions write differently.
@Suite struct CLDR42Tests {
  @Test(arguments: [
    ("CHE", "1234.5", "CHF\u{A0}1’234.50", "1’234.50 Schweizer Franken"),
    ("CHE", "-1234.5", "CHF-1’234.50", "-1’234.50 Schweizer Franken"),
    ("HUN", "8990", "8\u{A0}990,00\u{A0}Ft", "8\u{A0}990,00 magyar forint"),
    ("NOR", "-1234", "kr\u{A0}\u{2212}1\u{A0}234,00", "\u{2212}1\u{A0}234,00 norske kroner"),
    ("VNM", "25000", "25.000\u{A0}₫", "25.000 Đồng Việt Nam"),
  ])
  func formatsForStorefront(storefront: String, amount: String, display: String, spoken: String) throws {
    let price = try PriceFormatter(storefront, in: CLDRPacks.data(42)).format(Amount(decimal: amount))
    #expect(price.text == display && price.spoken == spoken)
  }

  @Test(arguments: [
    PatternReaderTests.Row("CHE", "CHF\u{A0}1’234.50", "1234.50", "1234.50", nil),
    PatternReaderTests.Row("CHE", "CHF 1'234.50", "not-as-written", "1234.50", 3),
    PatternReaderTests.Row("CHE", "CHF1'234.50", "not-as-written", "1234.50", 3),
  ])
  func reads(_ row: PatternReaderTests.Row) throws {
    try PatternReaderTests.expect(row, in: CLDRPacks.data(42))
  }

  @Test(
    arguments: [
      ("CHE", "CHF\u{A0}1’234.50", .strict), ("CHE", "CHF1'234.50", .lenient),
      ("NOR", "kr\u{A0}1\u{A0}234,00", .strict), ("NOR", "kr\u{A0}\u{2212}5,00", .strict),
      ("NOR", "kr -5,00", .lenient), ("NOR", "NOK 1\u{202F}234,00", .lenient),
      ("NOR", "1\u{A0}234,00\u{A0}kr", .neither),
    ] as [(String, String, PriceExpressionsTests.Verdict)]
  )
  func matchesExpressions(storefront: String, text: String, verdict: PriceExpressionsTests.Verdict) throws {
    try PriceExpressionsTests.expect(text, verdict, PriceFormatter(storefront, in: CLDRPacks.data(42)))
  }

  @Test(arguments: [
    ("cldr-42", "1\u{A0}234,50\u{A0}Ft", "1\u{A0}234,50\u{A0}Ft"), ("cldr-48", nil, "1234,50\u{A0}Ft"),
  ])
  func keepsDecimalsOfTheForint(name: String, standard: String?, minorUnits: String) throws {
    let hungary = try Storefront("HUN", in: .embedded.pinned(to: Pack(named: name)))
    #expect(hungary.currency(on: CalendarDate.todayInUTC).code == "HUF")
    #expect((try? PriceFormatter(storefront: hungary).string(for: "1234.50")) == standard)
    let formatter = try PriceFormatter(storefront: hungary, style: PriceStyle(digits: .minorUnits))
    #expect(try formatter.string(for: "1234.5") == minorUnits)
  }
}

/// Prices of the installed ICU, if its CLDR is 42: of locales, currencies and styles that the pack does not have.
@Suite(.enabled(if: Versions.current.cldr.hasPrefix("42."), "the installed ICU has another CLDR"))
struct InstalledCLDR42Tests {
  @Test(
    arguments: [
      (PriceStyle(), "de-LI", "CHF", "1234.5", "CHF\u{A0}1’234.50"),
      (PriceStyle(), "en-US", "XCG", "5", "XCG\u{A0}5.00"),
      (PriceStyle(), "sr-RS", "RSD", "1234", "1.234\u{A0}RSD"),
      (PriceStyle(sign: .accounting), "de-CH", "CHF", "5", "5.00\u{A0}CHF"),
      (PriceStyle(sign: .accountingAlways), "de-CH", "CHF", "5", "+5.00\u{A0}CHF"),
      (PriceStyle(sign: .accountingAlways), "de-CH", "CHF", "0", "+0.00\u{A0}CHF"),
      (PriceStyle(sign: .accountingAlways), "de-CH", "CHF", "-5", "-5.00\u{A0}CHF"),
      (PriceStyle(sign: .accountingExceptZero), "de-CH", "CHF", "5", "+5.00\u{A0}CHF"),
      (PriceStyle(sign: .accountingExceptZero), "de-CH", "CHF", "0", "0.00\u{A0}CHF"),
      (PriceStyle(sign: .accountingExceptZero), "de-CH", "CHF", "-5", "-5.00\u{A0}CHF"),
      (PriceStyle(sign: .accountingNegative), "de-CH", "CHF", "5", "5.00\u{A0}CHF"),
      (PriceStyle(sign: .accountingNegative), "de-CH", "CHF", "0", "0.00\u{A0}CHF"),
      (PriceStyle(sign: .accountingNegative), "de-CH", "CHF", "-5", "-5.00\u{A0}CHF"),
      (PriceStyle(width: .name), "en-AT", "AWG", "1234.5", "1,234.50 Aruban florin"),
      (PriceStyle(width: .name), "it-IT", "EUR", "1234.5", "1.234,50 euro"),
      (PriceStyle(width: .hidden), "de-CH", "CHF", "1234.5", "\u{A0}1’234.50"),
      (PriceStyle(width: .formal), "de-CH", "CHF", "1234.5", "CHF\u{A0}1’234.50"),
      (PriceStyle(width: .unambiguous), "de-CH", "CHF", "1234.5", "CHF\u{A0}1’234.50"),
      (PriceStyle(grouping: .min2), "de-CH", "CHF", "1234", "CHF\u{A0}1234.00"),
      (PriceStyle(grouping: .min2), "de-CH", "CHF", "12345", "CHF\u{A0}12’345.00"),
    ] as [(PriceStyle, String, String, String, String)]
  )
  func formatsInLocale(style: PriceStyle, locale: String, currency: String, amount: String, display: String)
    throws
  {
    let formatter = try PriceFormatter(locale, currency, style)
    #expect(try formatter.string(for: Amount(decimal: amount)) == display)
  }

  @Test(
    arguments: [
      ("es-ES", "EUR", "1000000", "1\u{A0}M€", "1 millón euros"),
      ("es-ES", "EUR", "1200000", "1,2\u{A0}M€", "1,2 millones euros"),
      ("es-ES", "EUR", "1000000000", "1000\u{A0}M€", "1 mil millones euros"),
      ("it-IT", "EUR", "1000000", "1\u{A0}Mio\u{A0}€", "1 milione euro"),
      ("it-IT", "EUR", "1200000", "1,2\u{A0}Mio\u{A0}€", "1,2 milioni euro"),
      ("it-IT", "EUR", "3000000", "3\u{A0}Mio\u{A0}€", "3 milioni euro"),
      ("en-IN", "INR", "1200", "₹1.2T", "1.2 thousand Indian rupees"),
      ("en-IN", "INR", "1200000", "₹12L", "1.2 million Indian rupees"),
      ("en-IN", "INR", "10000000", "₹1Cr", "10 million Indian rupees"),
      ("ar-EG", "EGP", "1200", "١٫٢\u{A0}ألف\u{A0}ج.م.\u{200F}", "١٫٢ ألف جنيه مصري"),
      ("ar-EG", "EGP", "3000", "٣\u{A0}ألف\u{A0}ج.م.\u{200F}", "٣ آلاف جنيه مصري"),
      ("ar-EG", "EGP", "1000000", "١\u{A0}مليون\u{A0}ج.م.\u{200F}", "١ مليون جنيه مصري"),
      ("he-IL", "ILS", "1200", "₪1.2K\u{200F}", "\u{200F}1.2 אלף שקלים חדשים"),
      ("he-IL", "ILS", "2000000", "₪2M\u{200F}", "\u{200F}2 מיליון שקלים חדשים"),
      ("de-CH", "CHF", "1200000", "1.2\u{A0}Mio.\u{A0}CHF", "1.2 Millionen Schweizer Franken"),
    ] as [(String, String, Amount, String, String)]
  )
  func writesCompactNotation(locale: String, currency: String, amount: Amount, short: String, long: String)
    throws
  {
    try CompactNotationTests.expect(locale, currency, amount, short: short, long: long)
  }

  @Test(arguments: [("RSD", 0, 0), ("HUF", 2, 0), ("IDR", 2, 0)])
  func hasDigits(code: String, display: Int, cash: Int) throws {
    try CurrencyTests.expect(code, minor: 2, display: display, cash: cash, step: 1)
  }
}
