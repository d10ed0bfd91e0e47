import PriceTag
import Testing

/// Full names whose plural form depends on the last digit of the fraction, in packs, which have no ICU.
@Suite struct FractionPluralTests {
  @Test(
    arguments: [
      ("hr-HR", "EUR"), ("sr-RS", "RSD"), ("bs-BA", "BAM"), ("lt-LT", "EUR"), ("lv-LV", "EUR"),
      ("mk-MK", "MKD"),
      ("sl-SI", "EUR"), ("en-US", "USD"),
    ]
  )
  func packsHaveEachPluralForm(locale: String, code: String) throws {
    let (priceLocale, currency) = (try PriceLocale(locale), try Currency(code))
    for digits in [3, 4, 6] {
      let style = PriceStyle(width: .name, digits: .fixed(digits))
      let pack = try Pack([], [(locale, [code])], styles: [style], includesSpoken: false)
      let pinned = try PriceFormatter(
        locale: priceLocale,
        currency: Currency(code, in: .embedded.pinned(to: pack)),
        style: style
      )
      let icu = try PriceFormatter(locale: priceLocale, currency: currency, style: style)
      for coefficient in Array(Int64(0)...30) + [101, 111, 112, 1_001, 1_003, 12_021, 1_000_000, 21_000_000] {
        let amount = try Amount(minorUnits: coefficient, exponent: digits)
        #expect(try pinned.string(for: amount) == icu.string(for: amount))
      }
    }
  }

  @Test func writesCroatianForms() throws {
    let style = PriceStyle(width: .name, digits: .fixed(3))
    let formatter = try PriceFormatter("hr-HR", "BAM", style)
    #expect(try formatter.string(for: "0.001") == "0,001 konvertibilna marka")
    #expect(try formatter.string(for: "0.003") == "0,003 konvertibilne marke")
    #expect(try formatter.string(for: "0.005") == "0,005 konvertibilnih maraka")
  }
}
