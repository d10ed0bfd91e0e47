import Foundation
@_spi(Tests) import PriceTag
import SeededNumbers
import Testing

@Suite struct PriceFormatterTests {
  /// Prices of storefronts that are the same in CLDR 42 and 48. Spaces and marks are escaped.
  static let displays: [(storefront: String, amount: String, display: String, spoken: String)] = [
    ("USA", "4.99", "$4.99", "4.99 US dollars"),
    ("USA", "1", "$1.00", "1.00 US dollars"),
    ("USA", "-1234.5", "-$1,234.50", "-1,234.50 US dollars"),
    ("GBR", "0.99", "£0.99", "0.99 British pounds"),
    ("DEU", "1234.5", "1.234,50\u{A0}€", "1.234,50 Euro"),
    ("FRA", "1234.5", "1\u{202F}234,50\u{A0}€", "1\u{202F}234,50 euros"),
    ("CHE", "234.5", "CHF\u{A0}234.50", "234.50 Schweizer Franken"),
    ("AUT", "1234.5", "€\u{A0}1.234,50", "1.234,50 Euro"),
    ("POL", "1234.5", "1234,50\u{A0}zł", "1234,50 złotego polskiego"),
    ("POL", "12345.5", "12\u{A0}345,50\u{A0}zł", "12\u{A0}345,50 złotego polskiego"),
    ("ESP", "1234.5", "1234,50\u{A0}€", "1234,50 euros"),
    ("ESP", "12345", "12.345,00\u{A0}€", "12.345,00 euros"),
    ("PRT", "1234.5", "1234,50\u{A0}€", "1234,50 euros"),
    ("JPN", "1200", "￥1,200", "1,200円"),
    ("JPN", "1200.00", "￥1,200", "1,200円"),
    ("CHN", "6", "¥6.00", "6.00人民币"),
    ("KOR", "1200", "₩1,200", "1,200 대한민국 원"),
    ("TWN", "30", "$30.00", "30.00 新台幣"),
    ("IND", "12345678.5", "₹1,23,45,678.50", "1,23,45,678.50 भारतीय रुपए"),
    ("EGY", "1234.5", "\u{200F}١٬٢٣٤٫٥٠\u{A0}ج.م.\u{200F}", "١٬٢٣٤٫٥٠ جنيه مصري"),
    ("SAU", "-5", "\u{61C}-\u{200F}٥٫٠٠\u{A0}ر.س.\u{200F}", "\u{61C}-٥٫٠٠ ريال سعودي"),
    ("ISR", "1234.5", "\u{200F}1,234.50\u{A0}\u{200F}₪", "1,234.50 שקלים חדשים"),
    ("THA", "35", "฿35.00", "35.00 บาทไทย"),
    ("KWT", "4.99", "\u{200F}٤٫٩٩\u{A0}US$", "٤٫٩٩ دولار أمريكي"),
    ("AFG", "4.99", "$4.99", "4.99 US dollars"),
    ("BGR", "5", "€5.00", "5.00 euros"),
  ]

  @Test(arguments: displays)
  func formatsForStorefront(storefront: String, amount: String, display: String, spoken: String) throws {
    let store = try Storefront(storefront)
    let formatter = try PriceFormatter(storefront: store, on: CalendarDate("2026-11-21"))
    let price = try formatter.format(Amount(decimal: amount))
    #expect(price.text == display)
    #expect(try formatter.string(for: price.amount) == display)
    #expect(price.spoken == spoken)
    #expect(price.isolated == "\u{2068}\(display)\u{2069}")
    #expect(formatter.isCompiled)
    #expect(price.locale == store.priceLocale)
  }

  /// Locales and currencies with unusual patterns.
  @Test(arguments: [
    ("ee-GH", "GHS", "12345.5", "GH₵12345.50"),
    ("ee-GH", "GHS", "123456.5", "GH₵123,456.50"),
    ("pt-CV", "CVE", "1234.5", "1234$50\u{A0}\u{200B}"),
    ("de-AT", "USD", "1234.5", "$\u{A0}1.234,50"),
    ("de-CH", "CHF", "-234.5", "CHF-234.50"),
    ("fr-CA", "CAD", "1234.5", "1\u{A0}234,50\u{A0}$"),
    ("en-US", "CAD", "5", "CA$5.00"),
    ("en-US", "ZWG", "5", "ZWG\u{A0}5.00"),
    ("bn-BD", "BDT", "1234567.5", "১২,৩৪,৫৬৭.৫০৳"),
    ("dz-BT", "BTN", "1234567.5", "Nu.\u{A0}༡༢,༣༤,༥༦༧.༥༠"),
    ("ff-Adlm-GN", "GNF", "1234", "FG\u{A0}𞥑⹁𞥒𞥓𞥔"),
    ("ccp-BD", "BDT", "1234.5", "𑄷,𑄸𑄹𑄺.𑄻𑄶৳"),
    ("fa-IR", "IRR", "1234", "\u{200E}ریال\u{A0}۱٬۲۳۴"),
    ("en-US-POSIX", "USD", "1234567.5", "$\u{A0}1234567.50"),
    ("zh-TW", "TWD", "1234", "$1,234.00"),
    ("en-KW", "KWD", "1.234", "KWD\u{A0}1.234"),
    ("de-DE", "DEM", "5", "5,00\u{A0}DM"),
    ("en-US", "USD", "123456789012345678", "$123,456,789,012,345,678.00"),
    ("en-US", "USD", "-9223372036854775807", "-$9,223,372,036,854,775,807.00"),
    ("en-US", "USD", "0.01", "$0.01"),
    ("en-US", "USD", "99999999", "$99,999,999.00"),
    ("en-US", "USD", "1000000.00", "$1,000,000.00"),
  ])
  func formatsInLocale(locale: String, currency: String, amount: String, display: String) throws {
    let formatter = try PriceFormatter(locale, currency)
    #expect(try formatter.format(Amount(decimal: amount)).text == display)
    #expect(formatter.isCompiled)
  }

  @Test(
    arguments: [
      (PriceStyle(width: .narrow), "en-US", "CAD", "5", .value("$5.00")),
      (PriceStyle(width: .iso), "en-US", "USD", "5", .value("USD\u{A0}5.00")),
      (PriceStyle(width: .iso), "de-DE", "EUR", "5", .value("5,00\u{A0}EUR")),
      (PriceStyle(width: .name), "en-US", "USD", "1", .value("1.00 US dollars")),
      (PriceStyle(width: .name, zeros: .trim), "en-US", "USD", "1", .value("1 US dollar")),
      (PriceStyle(width: .name, zeros: .trim), "pl-PL", "PLN", "2", .value("2 złote polskie")),
      (PriceStyle(width: .name, zeros: .trim), "pl-PL", "PLN", "5", .value("5 złotych polskich")),
      (PriceStyle(width: .name, zeros: .trim), "pl-PL", "PLN", "1.5", .value("1,50 złotego polskiego")),
      (PriceStyle(width: .name, zeros: .trim), "ar-EG", "EGP", "3", .value("٣ جنيهات مصرية")),
      (PriceStyle(zeros: .trim), "en-US", "USD", "5.00", .value("$5")),
      (PriceStyle(zeros: .trim), "en-US", "USD", "5.50", .value("$5.50")),
      (PriceStyle(zeros: .trim), "de-DE", "EUR", "-5", .value("-5\u{A0}€")),
      (PriceStyle(zeros: .trim), "ja-JP", "JPY", "5.00", .value("￥5")),
      (PriceStyle(sign: .accounting), "en-US", "USD", "-5", .value("($5.00)")),
      (PriceStyle(sign: .always), "en-US", "USD", "5", .value("+$5.00")),
      (PriceStyle(sign: .always), "en-US", "USD", "0", .value("+$0.00")),
      (PriceStyle(sign: .never), "en-US", "USD", "-5", .value("$5.00")),
      (PriceStyle(digits: .cash), "de-CH", "CHF", "4.95", .value("CHF\u{A0}4.95")),
      (PriceStyle(digits: .cash), "de-CH", "CHF", "4.96", .error(.needsRounding)),
      (PriceStyle(digits: .cash, rounding: .halfEven), "de-CH", "CHF", "4.98", .value("CHF\u{A0}5.00")),
      (PriceStyle(digits: .fixed(3)), "en-US", "USD", "4.99", .value("$4.990")),
      (PriceStyle(digits: .fixed(0)), "en-US", "USD", "4.99", .error(.needsRounding)),
      (PriceStyle(digits: .fixed(18)), "en-US", "USD", "4.99", .value("$4.990000000000000000")),
      (PriceStyle(digits: .fixed(19)), "en-US", "USD", "4.99", .error(.invalidOption)),
      (PriceStyle(), "ja-JP", "JPY", "1200.50", .error(.needsRounding)),
      (PriceStyle(rounding: .halfEven), "ja-JP", "JPY", "1200.50", .value("￥1,200")),
      (PriceStyle(rounding: .up), "ja-JP", "JPY", "1200.50", .value("￥1,201")),
      (PriceStyle(rounding: .halfEven), "en-US", "USD", "-0.001", .value("$0.00")),
      (PriceStyle(sign: .always, rounding: .halfEven), "en-US", "USD", "-0.001", .value("+$0.00")),
      (PriceStyle(zeros: .trim, rounding: .halfEven), "en-US", "USD", "4.999", .value("$5")),
      (
        PriceStyle(rounding: .up), "en-US", "USD", "9223372036854775.807", .value("$9,223,372,036,854,775.81")
      ),
    ] as [(PriceStyle, String, String, String, Expected<String>)]
  )
  func formatsInStyle(
    style: PriceStyle,
    locale: String,
    currency: String,
    amount: String,
    expected: Expected<String>
  )
    throws
  {
    let (locale, currency) = (try PriceLocale(locale), try Currency(currency))
    let amount = try Amount(decimal: amount)
    let text = Expected { () throws(PriceTagError) in
      try PriceFormatter(locale: locale, currency: currency, style: style).format(amount).text
    }
    #expect(text == expected)
  }

  @Test func reportsInvalidStyle() throws {
    let reason =
      #"the value is not text; write "standard", "cash", "minor-units", a number from 0 to 18 or a range such as "0-2""#
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PriceStyle.self, from: Data(#"{"digits":19}"#.utf8))
    }
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription == reason && context.codingPath.map(\.stringValue) == ["digits"])
  }

  /// Variables of the types that databases and requests have.
  @Test func formatsVariables() throws {
    let formatter = try PriceFormatter("USA")
    let (text, part, number, decimal) = ("4.99", "x4.99".dropFirst(), 5, Decimal(5))
    #expect(try formatter.format(text).text == "$4.99")
    #expect(try formatter.format(part).text == "$4.99")
    #expect(try formatter.format("\(number).50").text == "$5.50")
    #expect(try formatter.format(number).text == "$5.00")
    #expect(try formatter.format(decimal).text == "$5.00")
    #expect(try formatter.string(for: text) == "$4.99" && formatter.string(for: decimal) == "$5.00")
    #expect(try formatter.format(from: text, to: number).text == "$4.99 – $5.00")
    for (invalid, code) in [("4,99", PriceTagErrorCode.malformedAmount), ("4.999", .needsRounding)] {
      let error = #expect(throws: PriceTagError.self) { try formatter.format(invalid) }
      #expect(error?.code == code)
    }
  }

  /// ICU evaluates plurals as doubles, so it formats amounts that a double cannot represent.
  @Test(arguments: [
    (
      "lt-LT", "USD", PriceStyle(width: .name), "999999999999999.01",
      "999\u{A0}999\u{A0}999\u{A0}999\u{A0}999,01 JAV doleriai"
    ),
    (
      "es-ES", "USD", PriceStyle(width: .name, digits: .fixed(16)), "1.0000000000000001",
      "1,0000000000000001 dólar estadounidense"
    ),
  ])
  func formatsLongAmountsWithICUPlurals(
    locale: String,
    currency: String,
    style: PriceStyle,
    amount: String,
    display: String
  ) throws {
    let formatter = try PriceFormatter(locale, currency, style)
    let price = try formatter.format(Amount(decimal: amount))
    #expect(price.text == display)
    #expect(price.parts.map(\.value).joined() == display)
  }

  @Test func errorExplainsHowToAllowRounding() throws {
    let formatter = try PriceFormatter("JPN")
    let error = try #require(throws: PriceTagError.self) { try formatter.format("1200.50") }
    #expect(
      error.description == """
        1200.50 JPY has more decimals than JPY displays (0); \
        name a rounding mode such as half-even to allow rounding, or display more digits
        """
    )
  }

  @Test(
    arguments: [
      ("USA", "0.99", "4.99", .value("$0.99\u{2009}–\u{2009}$4.99")),
      ("USA", "4.99", "4.99", .value("$4.99")),
      ("DEU", "0.99", "4.99", .value("0,99–4,99\u{A0}€")),
      ("JPN", "120", "1200", .value("￥120\u{2009}～\u{2009}￥1,200")),
      ("USA", "5", "4.99", .error(.invalidOption)),
      ("USA", "0.999", "5", .error(.needsRounding)),
    ] as [(String, String, String, Expected<String>)]
  )
  func formatsRanges(storefront: String, low: String, high: String, expected: Expected<String>) throws {
    let formatter = try PriceFormatter(storefront)
    let (low, high) = (try Amount(decimal: low), try Amount(decimal: high))
    let range = Expected { () throws(PriceTagError) in try formatter.format(from: low, to: high).text }
    if case .value(let text) = expected, let priceRange = try? formatter.format(from: low, to: high) {
      #expect(spaced(priceRange.text) == spaced(text))
      #expect(priceRange.parts.map(\.value).joined() == priceRange.text)
    } else {
      #expect(range == expected)
    }
  }

  /// Replaces the spaces that differ between versions of CLDR around the dash of a range.
  private func spaced(_ text: String) -> String {
    String(text.map { $0 == "\u{2009}" || $0 == "\u{A0}" ? " " : $0 })
  }

  @Test func speaksRange() throws {
    let range = try PriceFormatter("USA").format(from: "0.99", to: "4.99")
    #expect(
      spaced(range.spoken) == "0.99 – 4.99 US dollars" || spaced(range.spoken) == "0.99–4.99 US dollars"
    )
    #expect(range.upperAmount == "4.99")
  }

  @Test(arguments: [
    ("USA", "-1234.5", "sign:- symbol:$ integer:1 group:, integer:234 decimal:. fraction:50"),
    (
      "DEU", "1234567",
      "integer:1 group:. integer:234 group:. integer:567 decimal:, fraction:00 literal:\u{A0} symbol:€"
    ),
    ("JPN", "5", "symbol:￥ integer:5"),
    ("IND", "1234567", "symbol:₹ integer:12 group:, integer:34 group:, integer:567 decimal:. fraction:00"),
    (
      "EGY", "5",
      "literal:\u{200F} integer:٥ decimal:٫ fraction:٠٠ literal:\u{A0} symbol:ج.م. literal:\u{200F}"
    ),
  ])
  func returnsParts(storefront: String, amount: String, expected: String) throws {
    let price = try PriceFormatter(storefront).format(Amount(decimal: amount))
    #expect(price.parts.map { "\($0.type.rawValue):\($0.value)" }.joined(separator: " ") == expected)
  }

  @Test func returnsAccountingBracketsAsLiterals() throws {
    let price = try PriceFormatter("USA", PriceStyle(sign: .accounting)).format("-5")
    #expect(
      price.parts.map { "\($0.type.rawValue):\($0.value)" } == [
        "literal:(", "symbol:$", "integer:5", "decimal:.", "fraction:00", "literal:)",
      ]
    )
    #expect(price.spoken == "-5.00 US dollars")
  }

  @Test(arguments: [
    ("USA", "$5.00", FormattedPrice.Direction.leftToRight), ("EGY", "", .rightToLeft),
    ("ISR", "", .rightToLeft),
    ("KWT", "", .rightToLeft), ("JPN", "", .leftToRight), ("ARE", "", .rightToLeft),
  ])
  func returnsDirection(storefront: String, text: String, expected: FormattedPrice.Direction) throws {
    let price = try PriceFormatter(storefront).format(5)
    #expect(price.direction == expected)
    if !text.isEmpty { #expect(price.text == text) }
    #expect(price.html == "<bdi lang=\"\(price.locale)\" dir=\"\(expected.rawValue)\">\(price.text)</bdi>")
  }

  @Test func writesSameTextIntoBuffer() throws {
    var random = SeededNumbers(seed: 3)
    for (storefront, width) in [
      ("USA", PriceStyle.Width.standard), ("EGY", .standard), ("POL", .name), ("IND", .iso),
    ] {
      let formatter = try PriceFormatter(storefront, PriceStyle(width: width))
      let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: formatter.maximumUTF8Count)
      defer { buffer.deallocate() }
      for _ in 0..<2_000 {
        let units = Int64.random(in: -999_999_999_999_999_999...999_999_999_999_999_999, using: &random)
        let amount = try Amount(minorUnits: units >> Int64.random(in: 0...58, using: &random), exponent: 2)
        let count = try formatter.write(amount, into: buffer)
        #expect(String(decoding: buffer.prefix(count), as: UTF8.self) == (try formatter.format(amount).text))
      }
    }
  }

  @Test func writesIntoSmallBufferOrThrows() throws {
    let formatter = try PriceFormatter("USA")
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 5)
    defer { buffer.deallocate() }
    #expect(try formatter.write("4.99", into: buffer) == 5)
    #expect(String(decoding: buffer, as: UTF8.self) == "$4.99")
    let error = try #require(throws: PriceTagError.self) { try formatter.write("14.99", into: buffer) }
    #expect(error.code == .bufferTooSmall)
  }

  @Test func rejectsPriceOfAnotherCurrencyOrLocale() throws {
    let formatter = try PriceFormatter("USA")
    let euros = try Price(5, in: Storefront("DEU"))
    #expect(
      Expected { () throws(PriceTagError) in try formatter.format(euros).text }
        == .error(.currencyMismatch)
    )
    let elsewhere = Price(amount: 5, currency: formatter.currency, locale: try PriceLocale("en-CA"))
    #expect(
      Expected { () throws(PriceTagError) in try formatter.format(elsewhere).text }
        == .error(.localeMismatch)
    )
    #expect(try PriceFormatter("DEU").format(euros).text == "5,00\u{A0}€")
  }

  @Test func usesProductLocaleInsteadOfStorefronts() throws {
    let formatter = try PriceFormatter(storefront: Storefront("USA"), locale: PriceLocale("es-US"))
    #expect(try formatter.format("1234.5").text == "$1,234.50")
    #expect(formatter.locale.identifier == "es-US")
  }

  @Test func createsOneSpokenFormatterInManyTasks() async throws {
    let price = try PriceFormatter("USA").format("4.99")
    let spoken = await withTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { price.spoken } }
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(spoken == ["4.99 US dollars"])
  }
}

/// Properties of every storefront.
@Suite struct EveryStorefrontTests {
  @Test func compilesPatternAndReturnsCompleteParts() throws {
    for storefront in LocaleData.embedded.storefronts {
      for style in [PriceStyle(), PriceStyle(width: .name), PriceStyle(zeros: .trim, sign: .accounting)] {
        let formatter = try PriceFormatter(storefront: storefront, style: style)
        #expect(formatter.isCompiled, "\(storefront)")
        for amount in ["0", "1", "2", "1234567", "-1234.00", "1000000"] as [Amount] {
          let price = try formatter.format(amount)
          #expect(price.parts.map(\.value).joined() == price.text, "\(storefront)")
          #expect(price.parts.contains { $0.type == .integer })
          #expect(!price.text.contains("¤"))
        }
      }
    }
  }

  /// The parts of a compiled pattern are the fields that ICU reports.
  @Test func returnsSamePartsAsICU() throws {
    for storefront in LocaleData.embedded.storefronts {
      let currency = storefront.currency(on: .todayInUTC)
      let compiled = try PriceFormatter(locale: storefront.priceLocale, currency: currency)
      let icu = try PriceFormatter(
        locale: storefront.priceLocale,
        currency: currency,
        style: PriceStyle(),
        compilesPattern: false
      )
      #expect(!icu.isCompiled)
      for amount in [0, 7, 1234, -1_234_567] as [Amount] {
        #expect(try compiled.format(amount).parts == icu.format(amount).parts, "\(storefront) \(amount)")
      }
    }
  }
}
