import SeededNumbers
import Testing

@testable import PriceTag

/// The form of stores' web pages, against all texts that were seen.
@Suite struct WebFormTests {
  private static let date = try? CalendarDate("2026-10-10")
  private static let style = PriceStyle(writtenAs: .storeWeb())

  private static func text(
    _ storefront: String,
    _ amount: Amount,
    _ style: PriceStyle = style,
    currency: String? = nil
  ) throws -> String {
    try PriceFormatter(
      storefront: Storefront(storefront),
      currency: currency.map { code throws(PriceTagError) in try Currency(code) },
      on: date,
      style: style
    ).string(for: amount)
  }

  @Test(
    arguments: [
      // The page, also for amounts that were never seen.
      ("HUN", "", "8990", "HUF8,990.00"), ("HUN", "", "1234567.8", "HUF1,234,567.80"),
      ("MAC", "", "6.99", "USD\u{A0}6.99"), ("ISR", "", "1549.9", "₪1,549.90"),
      ("IRQ", "", "19.99", "$19.99"),
      ("BGR", "", "22.99", "22,99\u{A0}€"), ("JPN", "", "3000", "¥3,000"),
      ("TZA", "", "49900", "49,900.00\u{A0}TZS"),
      ("IND", "", "52900", "₹\u{A0}52,900"), ("IND", "", "399.5", "₹\u{A0}399.50"),
      ("IND", "", "1234567", "₹\u{A0}1,234,567"), ("POL", "", "2199", "2\u{A0}199,00\u{A0}zł"),
      ("VNM", "", "14199000", "14.199.000đ"), ("UKR", "", "22.99", "22,99\u{A0}USD"),
      ("SAU", "", "2149.99", "SAR\u{A0}2,149.99"), ("AFG", "", "1234.5", "USD\u{A0}1,234.50"),
      ("CHE", "", "20", "CHF\u{A0}20.00"), ("NLD", "", "22.99", "€\u{A0}22,99"),
      ("HUN", "", "-8990", "-HUF8,990.00"), ("UKR", "", "-1", "-1,00\u{A0}USD"),
      // Pages whose form depends on their language.
      ("TWN", "en", "690", "NT$690.00"), ("TWN", "en-GB", "690", "NT$690.00"),
      ("TWN", "zh", "690", "$690.00"),
      ("TWN", "zh-Hant", "690", "$690.00"), ("CIV", "fr", "117.99", "117,99\u{A0}$US"),
      ("CIV", "en", "117.99", "$117.99"), ("RUS", "en", "1790", "1,790.00\u{A0}RUB"),
      ("RUS", "ru", "2490", "2\u{A0}490,00\u{A0}₽"), ("USA", "fr", "6.99", "$6.99"),
    ] as [(String, String, Amount, String)]
  )
  func writesForm(storefront: String, language: String, amount: Amount, text: String) throws {
    let style = PriceStyle(writtenAs: .storeWeb(language: language.isEmpty ? nil : language))
    #expect(try Self.text(storefront, amount, style) == text)
  }

  @Test(
    arguments: [
      (
        "IDN", PriceStyle(writtenAs: .storeWeb()),
        "the web pages of IDN were only seen with abbreviations, such as \"Rp 75ribu\"; use the form icu"
      ),
      (
        "TWN", PriceStyle(writtenAs: .storeWeb()),
        "the web form of TWN depends on the language of the page; use store-web:en or store-web:zh-Hant"
      ),
      (
        "TWN", PriceStyle(writtenAs: .storeWeb(language: "fr")),
        "the web form of TWN depends on the language of the page, and fr was not seen; use store-web:en or store-web:zh-Hant"
      ),
      (
        "USA", PriceStyle(width: .iso, writtenAs: .storeWeb()),
        "the web form of a store has no other width, sign, digits or notation; remove the other style options, or use the form icu"
      ),
      (
        "USA", PriceStyle(digits: .fixed(0), writtenAs: .storeWeb()),
        "the web form of a store has no other width, sign, digits or notation; remove the other style options, or use the form icu"
      ),
    ] as [(String, PriceStyle, String)]
  )
  func rejects(storefront: String, style: PriceStyle, message: String) {
    let error = #expect(throws: PriceTagError.self) { try Self.text(storefront, 1, style) }
    #expect(error?.code == .invalidOption)
    #expect(error?.description == message)
  }

  @Test func belongsToStorefrontAndItsLocale() throws {
    #expect(throws: PriceTagError.self) {
      try PriceFormatter("en-US", "USD", Self.style)
    }
    #expect(throws: PriceTagError.self) {
      try PriceFormatter(storefront: Storefront("USA"), locale: PriceLocale("de-DE"), style: Self.style)
    }
    let bulgaria = try Storefront("BGR")
    let error = #expect(throws: PriceTagError.self) {
      try PriceFormatter(storefront: bulgaria, on: CalendarDate("2025-12-31"), style: Self.style)
    }
    #expect(error?.problem == "the web pages of BGR were never seen with prices in BGN")
  }

  /// Names and spoken forms keep ICU's form. Ranges and unit prices were not seen.
  @Test func hasNoNamesRangesAndUnitPrices() throws {
    let formatter = try PriceFormatter(storefront: Storefront("HUN"), on: Self.date, style: Self.style)
    let icu = try PriceFormatter(storefront: Storefront("HUN"), on: Self.date)
    #expect(try formatter.format(1234).spoken == icu.format(1234).spoken)
    let name = PriceStyle(width: .name, writtenAs: .storeWeb())
    #expect(
      try Self.text("HUN", 1234, name) == Self.text("HUN", 1234, PriceStyle(width: .name))
    )
    #expect(throws: PriceTagError.self) { try formatter.string(from: 1, to: 2) }
    #expect(throws: PriceTagError.self) {
      try formatter.unitPrice(of: 1, content: ProductContent("500 g"))
    }
  }

  // MARK: All observations

  /// A text that a web page was seen to write, and what PriceTag writes.
  struct Comparison {
    let storefront: String
    let isVerified: Bool
    let observed: String
    let written: String?

    /// Whether the texts are the same, but for the kind of spaces unless the bytes are known.
    var isSame: Bool {
      guard let written else { return false }
      return isVerified ? written == observed : WebFormTests.plain(written) == WebFormTests.plain(observed)
    }
  }

  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .spaceSeparator ? " " : $0 }
      )
    )
  }

  private static func isAbbreviation(_ text: String) -> Bool {
    text.contains("ribu") || text.contains("juta")
  }

  private static func comparisons() throws -> [Comparison] {
    var all: [Comparison] = []
    for storefront in LocaleData.embedded.storefronts {
      for page in try PriceObservations.embedded.get().of(storefront.id) where page.interface == .webPage {
        let style = PriceStyle(writtenAs: .storeWeb(language: page.language ?? storefront.defaultLanguage))
        for price in page.prices where !isAbbreviation(price.text) {
          let written = try? text(storefront.id, price.amount, style)
          all.append(
            Comparison(
              storefront: storefront.id,
              isVerified: page.isVerified,
              observed: price.text,
              written: written
            )
          )
        }
      }
    }
    return all
  }

  /// Every text is written again: the same bytes where they are known, and otherwise the same but for the kind of spaces.
  @Test func writesEveryObservedText() throws {
    let all = try Self.comparisons()
    let different = all.filter { !$0.isSame }
    #expect(different.map { "\($0.storefront) \($0.observed) \($0.written ?? "-")" } == [])
    #expect(all.count { $0.isVerified } > 350)
    #expect(all.count { !$0.isVerified } > 900)
  }

  @Test func almostEveryStorefrontHasForm() throws {
    let missing = try LocaleData.embedded.storefronts.filter { storefront in
      let evidence = try StorefrontEvidence(of: storefront, on: .todayInUTC)
      #expect(evidence.forms.isEmpty == (evidence.problem != nil))
      return evidence.forms.isEmpty
    }
    #expect(missing.map(\.id) == ["IDN"])
  }

  /// A form that is derived without one of the texts predicts the text.
  @Test func predictsEachTextFromTheOthers() throws {
    var (hits, misses) = (0, [String]())
    for storefront in LocaleData.embedded.storefronts {
      let observations = try PriceObservations.embedded.get().of(storefront.id)
      // Of the many texts of some storefronts, a few are tried, unless the complete comparison is requested.
      for page in observations where page.interface == .webPage {
        for price in page.prices.suffix(ComparisonShare.isFull ? .max : 2)
        where !Self.isAbbreviation(price.text) {
          let written = try? Self.formatter(
            of: storefront,
            language: page.language ?? storefront.defaultLanguage,
            from: observations.map { Self.observation($0, without: price.text) }
          ).string(for: price.amount)
          if let written, Self.plain(written) == Self.plain(price.text) {
            hits += 1
          } else {
            misses.append("\(storefront) \(price.text) \(written ?? "-")")
          }
        }
      }
    }
    #expect(misses == [])
    #expect(hits >= 600)
  }

  private static func observation(
    _ observation: PriceObservation,
    without text: String
  ) -> PriceObservation {
    var others = observation
    others.prices.removeAll { $0.text == text }
    return others
  }

  /// Returns a formatter of a storefront's web form that is derived from other observations than the embedded ones.
  private static func formatter(
    of storefront: Storefront,
    language: String,
    from observations: [PriceObservation]
  ) throws -> PriceFormatter {
    let currency = storefront.currency(on: date ?? .todayInUTC)
    var specification = FormatterSpecification(
      locale: storefront.priceLocale,
      currency: currency,
      style: PriceStyle(writtenAs: .storeWeb(language: language)),
      merchantOverride: nil
    )
    specification.webForm = try WebForm(of: storefront, currency, language: language, from: observations)
    return PriceFormatter(compiled: try PriceFormatter.Compiled(specification))
  }

  // MARK: Packs

  @Test func packHasOneForm() throws {
    var writer = PackWriter(styles: [Self.style], on: Self.date ?? .todayInUTC)
    let ids = ["HUN", "JPN", "USA", "IND", "SAU", "POL", "IDN"]
    for id in ids { writer.add(try Storefront(id)) }
    #expect(writer.omissions.map(\.locale.identifier) == ["id-ID"])
    let pack = try Pack(writer.bytes(revision: "r"))
    #expect(pack.writtenAs == .storeWeb())
    for id in ids.dropLast() {
      let pinned = try PriceFormatter(
        storefront: Storefront(id, in: .embedded.pinned(to: pack)),
        on: Self.date,
        style: Self.style
      )
      for amount in ["0", "7", "1234", "98765432.1", "-5"] as [Amount]
      where amount.scale <= pinned.display.digits {
        #expect(try pinned.string(for: amount) == Self.text(id, amount))
      }
      #expect(
        try pinned.format(1).spoken
          == PriceFormatter(storefront: Storefront(id), on: Self.date).format(1).spoken
      )
    }
    let error = #expect(throws: PriceTagError.self) {
      try PriceFormatter(storefront: Storefront("USA", in: .embedded.pinned(to: pack)), on: Self.date)
    }
    #expect(error?.problem == "the pack has prices written as store-web, not as icu")
    let icu = try Pack(["USA"], on: Self.date)
    #expect(throws: PriceTagError.self) {
      try PriceFormatter(
        storefront: Storefront("USA", in: .embedded.pinned(to: icu)),
        on: Self.date,
        style: Self.style
      )
    }
  }

  // MARK: Text of the option

  @Test(arguments: ["icu", "store-web", "store-web:en", "store-web:zh-Hant"])
  func formIsText(text: String) throws {
    #expect(try PriceStyle.WrittenAs(text).description == text)
  }

  @Test(arguments: ["", "ICU", "store", "store-web:", "store-web:xx-", "store-web:en:fr", "store-web:a b"])
  func rejectsText(text: String) {
    #expect(throws: PriceTagError.self) { try PriceStyle.WrittenAs(text) }
  }
}
