import Foundation
@_spi(Tests) import PriceTag
import Testing

/// The options of styles, with ICU 72 (CLDR 42). Spaces and marks are escaped.
@Suite struct PriceStyleTests {
  private static func text(
    _ style: PriceStyle,
    _ locale: String,
    _ currency: String,
    _ amount: String
  ) throws -> String {
    let formatter = try PriceFormatter(locale, currency, style)
    #expect(formatter.isCompiled)
    let price = try formatter.format(Amount(decimal: amount))
    #expect(price.parts.map(\.value).joined() == price.text)
    #expect(try formatter.string(for: Amount(decimal: amount)) == price.text)
    return price.text
  }

  // MARK: Signs

  @Test(
    arguments: [
      (.exceptZero, "en-US", "USD", "+$5.00", "$0.00", "-$5.00"),
      (.exceptZero, "de-DE", "EUR", "+5,00\u{A0}€", "0,00\u{A0}€", "-5,00\u{A0}€"),
      (.exceptZero, "ja-JP", "JPY", "+￥5", "￥0", "-￥5"),
      (
        .exceptZero, "ar-EG", "EGP", "\u{61C}+\u{200F}٥٫٠٠\u{A0}ج.م.\u{200F}",
        "\u{200F}٠٫٠٠\u{A0}ج.م.\u{200F}",
        "\u{61C}-\u{200F}٥٫٠٠\u{A0}ج.م.\u{200F}"
      ),
      (.exceptZero, "hi-IN", "INR", "+₹5.00", "₹0.00", "-₹5.00"),
      (.exceptZero, "de-CH", "CHF", "CHF+5.00", "CHF\u{A0}0.00", "CHF-5.00"),
      (.accountingAlways, "en-US", "USD", "+$5.00", "+$0.00", "($5.00)"),
      (.accountingAlways, "de-DE", "EUR", "+5,00\u{A0}€", "+0,00\u{A0}€", "-5,00\u{A0}€"),
      (.accountingAlways, "ja-JP", "JPY", "+￥5", "+￥0", "(￥5)"),
      (.accountingAlways, "hi-IN", "INR", "+₹5.00", "+₹0.00", "-₹5.00"),
      (.accountingExceptZero, "en-US", "USD", "+$5.00", "$0.00", "($5.00)"),
      (.accountingExceptZero, "es-ES", "EUR", "+5,00\u{A0}€", "0,00\u{A0}€", "-5,00\u{A0}€"),
      (.accountingExceptZero, "ja-JP", "JPY", "+￥5", "￥0", "(￥5)"),
      (.accountingExceptZero, "hi-IN", "INR", "+₹5.00", "₹0.00", "-₹5.00"),
      (.negative, "en-US", "USD", "$5.00", "$0.00", "-$5.00"),
      (.negative, "de-DE", "EUR", "5,00\u{A0}€", "0,00\u{A0}€", "-5,00\u{A0}€"),
      (.negative, "ja-JP", "JPY", "￥5", "￥0", "-￥5"),
      (.negative, "hi-IN", "INR", "₹5.00", "₹0.00", "-₹5.00"),
      (.negative, "de-CH", "CHF", "CHF\u{A0}5.00", "CHF\u{A0}0.00", "CHF-5.00"),
      (.accountingNegative, "en-US", "USD", "$5.00", "$0.00", "($5.00)"),
      (.accountingNegative, "es-ES", "EUR", "5,00\u{A0}€", "0,00\u{A0}€", "-5,00\u{A0}€"),
      (.accountingNegative, "ja-JP", "JPY", "￥5", "￥0", "(￥5)"),
      (.accountingNegative, "hi-IN", "INR", "₹5.00", "₹0.00", "-₹5.00"),
    ] as [(PriceStyle.Sign, String, String, String, String, String)]
  )
  func writesSigns(
    sign: PriceStyle.Sign,
    locale: String,
    currency: String,
    positive: String,
    zero: String,
    negative: String
  ) throws {
    let style = PriceStyle(sign: sign)
    #expect(try Self.text(style, locale, currency, "5") == positive)
    #expect(try Self.text(style, locale, currency, "0") == zero)
    #expect(try Self.text(style, locale, currency, "-5") == negative)
  }

  /// Amounts have no negative zero, so an amount that is rounded to zero is written as zero.
  @Test(arguments: [
    (PriceStyle.Sign.exceptZero, "0.001", "$0.00"), (.exceptZero, "-0.001", "$0.00"),
    (.exceptZero, "0.005", "$0.00"), (.exceptZero, "0.006", "+$0.01"),
    (.accountingExceptZero, "-0.001", "$0.00"), (.accountingAlways, "-0.001", "+$0.00"),
    (.negative, "-0.001", "$0.00"), (.accountingNegative, "-0.001", "$0.00"),
  ])
  func writesRoundedZero(sign: PriceStyle.Sign, amount: String, display: String) throws {
    #expect(try Self.text(PriceStyle(sign: sign, rounding: .halfEven), "en-US", "USD", amount) == display)
  }

  @Test(arguments: [
    (PriceStyle.Sign.accounting, "5.00 US dollars", "0.00 US dollars", "-5.00 US dollars"),
    (.accountingAlways, "+5.00 US dollars", "+0.00 US dollars", "-5.00 US dollars"),
    (.accountingExceptZero, "+5.00 US dollars", "0.00 US dollars", "-5.00 US dollars"),
    (.accountingNegative, "5.00 US dollars", "0.00 US dollars", "-5.00 US dollars"),
    (.exceptZero, "+5.00 US dollars", "0.00 US dollars", "-5.00 US dollars"),
    (.never, "5.00 US dollars", "0.00 US dollars", "5.00 US dollars"),
  ])
  func speaksSigns(sign: PriceStyle.Sign, positive: String, zero: String, negative: String) throws {
    for width in [PriceStyle.Width.standard, .hidden, .unambiguous] {
      let formatter = try PriceFormatter("USA", PriceStyle(width: width, sign: sign))
      #expect(try formatter.format("5").spoken == positive)
      #expect(try formatter.format("0").spoken == zero)
      #expect(try formatter.format("-5").spoken == negative)
    }
  }

  // MARK: Widths

  @Test(
    arguments: [
      (.hidden, "en-US", "USD", "1,234.50"),
      (.hidden, "de-DE", "EUR", "1.234,50\u{A0}"),
      (.hidden, "es-ES", "EUR", "1234,50\u{A0}"),
      (.hidden, "ar-EG", "EGP", "\u{200F}١٬٢٣٤٫٥٠\u{A0}"),
      (.hidden, "hi-IN", "INR", "1,234.50"),
      (.hidden, "pt-CV", "CVE", "1234$50\u{A0}"),
      (.formal, "zh-TW", "TWD", "NT$1,234.50"),
      (.formal, "en-US", "USD", "$1,234.50"),
      (.formal, "de-DE", "EUR", "1.234,50\u{A0}€"),
      (.formal, "ar-EG", "EGP", "\u{200F}١٬٢٣٤٫٥٠\u{A0}ج.م.\u{200F}"),
      (.variant, "tr-TR", "TRY", "TL\u{A0}1.234,50"),
      (.variant, "de-DE", "TRY", "1.234,50\u{A0}TL"),
      (.variant, "en-US", "TRY", "TL\u{A0}1,234.50"),
      (.variant, "uk-UA", "UAH", "1\u{A0}234,50\u{A0}грн"),
      (.variant, "hi-IN", "INR", "₹1,234.50"),
      (.unambiguous, "en-US", "USD", "USD\u{A0}1,234.50"),
      (.unambiguous, "en-US", "CAD", "CA$1,234.50"),
      (.unambiguous, "en-US", "EUR", "€1,234.50"),
      (.unambiguous, "de-DE", "EUR", "1.234,50\u{A0}€"),
      (.unambiguous, "en-CA", "CAD", "CAD\u{A0}1,234.50"),
      (.unambiguous, "hi-IN", "INR", "₹1,234.50"),
      (.unambiguous, "zh-CN", "CNY", "CNY\u{A0}1,234.50"),
      (.unambiguous, "ar-EG", "EGP", "\u{200F}١٬٢٣٤٫٥٠\u{A0}ج.م.\u{200F}"),
    ] as [(PriceStyle.Width, String, String, String)]
  )
  func writesWidths(width: PriceStyle.Width, locale: String, currency: String, display: String) throws {
    #expect(try Self.text(PriceStyle(width: width), locale, currency, "1234.5") == display)
  }

  /// The unambiguous width is the standard symbol, or the code if it is another current currency's narrow symbol.
  @Test(arguments: ["en-US", "de-DE", "ja-JP", "ar-EG", "es-ES", "zh-TW", "pt-CV"])
  func writesUnambiguousSymbols(locale: String) throws {
    let current = LocaleData.embedded.currencies.filter { $0.isCurrent(on: .todayInUTC) }
    func symbol(_ currency: Currency, _ width: PriceStyle.Width) throws -> String {
      let formatter = try PriceFormatter(
        locale: PriceLocale(locale),
        currency: currency,
        style: PriceStyle(width: width, digits: .fixed(0))
      )
      return try formatter.format("5").parts.filter { $0.type == .symbol }.map(\.value).joined()
    }
    let narrow = try current.map { (currency: $0, symbol: try symbol($0, .narrow)) }
    var codes = 0
    for currency in current {
      let standard = try symbol(currency, .standard)
      let isShared = narrow.contains { $0.currency != currency && $0.symbol == standard }
      #expect(try symbol(currency, .unambiguous) == (isShared ? currency.code : standard), "\(currency)")
      codes += isShared ? 1 : 0
    }
    #expect(codes < current.count / 2)
    // In Spanish, every symbol that currencies share has a letter before it: "US$".
    #expect(locale == "es-ES" || codes > 0)
  }

  // MARK: Groups

  @Test(
    arguments: [
      (.auto, "en-US", "USD", "$1,234.00", "$12,345.00"),
      (.auto, "es-ES", "EUR", "1234,00\u{A0}€", "12.345,00\u{A0}€"),
      (.always, "es-ES", "EUR", "1.234,00\u{A0}€", "12.345,00\u{A0}€"),
      (.always, "de-DE", "EUR", "1.234,00\u{A0}€", "12.345,00\u{A0}€"),
      (.always, "ee-GH", "GHS", "GH₵1,234.00", "GH₵12,345.00"),
      (.always, "hi-IN", "INR", "₹1,234.00", "₹12,345.00"),
      (.always, "ja-JP", "JPY", "￥1,234", "￥12,345"),
      (.min2, "en-US", "USD", "$1234.00", "$12,345.00"),
      (.min2, "de-DE", "EUR", "1234,00\u{A0}€", "12.345,00\u{A0}€"),
      (.min2, "ja-JP", "JPY", "￥1234", "￥12,345"),
      (.min2, "ar-EG", "EGP", "\u{200F}١٢٣٤٫٠٠\u{A0}ج.م.\u{200F}", "\u{200F}١٢٬٣٤٥٫٠٠\u{A0}ج.م.\u{200F}"),
      (.min2, "ee-GH", "GHS", "GH₵1234.00", "GH₵12345.00"),
      (.never, "en-US", "USD", "$1234.00", "$12345.00"),
      (.never, "de-DE", "EUR", "1234,00\u{A0}€", "12345,00\u{A0}€"),
      (.never, "fr-CA", "CAD", "1234,00\u{A0}$", "12345,00\u{A0}$"),
      (.never, "hi-IN", "INR", "₹1234.00", "₹12345.00"),
      (.never, "ar-EG", "EGP", "\u{200F}١٢٣٤٫٠٠\u{A0}ج.م.\u{200F}", "\u{200F}١٢٣٤٥٫٠٠\u{A0}ج.م.\u{200F}"),
    ] as [(PriceStyle.Grouping, String, String, String, String)]
  )
  func writesGroups(
    grouping: PriceStyle.Grouping,
    locale: String,
    currency: String,
    fourDigits: String,
    fiveDigits: String
  ) throws {
    let style = PriceStyle(grouping: grouping)
    #expect(try Self.text(style, locale, currency, "1234") == fourDigits)
    #expect(try Self.text(style, locale, currency, "12345") == fiveDigits)
  }

  // MARK: Digits

  @Test(
    arguments: [
      ("0-2", .keep, "en-US", "USD", "5", .value("$5")),
      ("0-2", .keep, "en-US", "USD", "5.50", .value("$5.5")),
      ("0-2", .keep, "en-US", "USD", "5.25", .value("$5.25")),
      ("0-2", .keep, "en-US", "USD", "0.000", .value("$0")),
      ("0-2", .keep, "en-US", "USD", "-1234.10", .value("-$1,234.1")),
      ("0-2", .keep, "de-DE", "EUR", "5.5", .value("5,5\u{A0}€")),
      ("0-2", .keep, "ja-JP", "JPY", "5.5", .value("￥5.5")),
      ("0-2", .keep, "ar-EG", "EGP", "5.50", .value("\u{200F}٥٫٥\u{A0}ج.م.\u{200F}")),
      ("0-2", .keep, "hi-IN", "INR", "5", .value("₹5")),
      ("0-2", .keep, "es-ES", "EUR", "5.25", .value("5,25\u{A0}€")),
      ("0-2", .keep, "de-CH", "CHF", "-5.5", .value("CHF-5.5")),
      ("1-2", .keep, "en-US", "USD", "5", .value("$5.0")),
      ("1-2", .trim, "en-US", "USD", "5", .value("$5")),
      ("1-2", .trim, "en-US", "USD", "5.50", .value("$5.5")),
      ("1-2", .trim, "de-DE", "EUR", "5", .value("5\u{A0}€")),
      ("2-4", .keep, "en-US", "USD", "0.1234", .value("$0.1234")),
      ("2-4", .keep, "en-US", "USD", "0.1", .value("$0.10")),
      ("0-18", .keep, "en-US", "USD", "0.000000000000000001", .value("$0.000000000000000001")),
      ("0-2", .keep, "en-US", "USD", "5.125", .error(.needsRounding)),
      ("2-2", .keep, "en-US", "USD", "5", .value("$5.00")),
    ] as [(String, PriceStyle.Zeros, String, String, String, Expected<String>)]
  )
  func writesRangesOfDigits(
    digits: String,
    zeros: PriceStyle.Zeros,
    locale: String,
    currency: String,
    amount: String,
    expected: Expected<String>
  ) throws {
    let style = PriceStyle(zeros: zeros, digits: try PriceStyle.Digits(digits))
    let formatter = try PriceFormatter(locale, currency, style)
    let amount = try Amount(decimal: amount)
    #expect(Expected { () throws(PriceTagError) in try formatter.format(amount).text } == expected)
    #expect(formatter.isCompiled)
    #expect(try formatter.format("5").parts.map(\.value).joined() == formatter.string(for: "5"))
  }

  /// The digits that are displayed decide the plural form.
  @Test(arguments: [
    ("en-US", "USD", "1", "1 US dollar"), ("en-US", "USD", "1.50", "1.5 US dollars"),
    ("pl-PL", "PLN", "2.00", "2 złote polskie"), ("pl-PL", "PLN", "5", "5 złotych polskich"),
    ("pl-PL", "PLN", "1.5", "1,5 złotego polskiego"), ("ar-EG", "EGP", "3", "٣ جنيهات مصرية"),
  ])
  func selectsPluralByDisplayedDigits(
    locale: String,
    currency: String,
    amount: String,
    display: String
  ) throws {
    #expect(
      try Self.text(PriceStyle(width: .name, digits: .range(0...2)), locale, currency, amount) == display
    )
  }

  @Test func roundsToMaximumDigits() throws {
    let style = PriceStyle(digits: .range(0...2), rounding: .halfUp)
    #expect(try Self.text(style, "en-US", "USD", "1.999") == "$2")
    #expect(try Self.text(style, "en-US", "USD", "1.496") == "$1.5")
    let price = try PriceFormatter("USA", style).format("1.999")
    #expect(price.displayedAmount == 2)
    #expect(price.spoken == "2 US dollars")
    #expect(try price.total(quantity: 3).text == "$6")
    #expect(try price.per(.month, of: .year, rounding: .halfUp).text == "$0.17")
  }

  @Test(arguments: [
    ("0-2", "0-2"), ("2-2", "2"), ("0-18", "0-18"), ("07", "7"), ("0", "0"), ("cash", "cash"),
    ("minor-units", "minor-units"),
    ("standard", "standard"),
  ])
  func readsDigits(text: String, description: String) throws {
    let digits = try PriceStyle.Digits(text)
    #expect(digits.description == description)
    #expect(try PriceStyle.Digits(description) == digits)
  }

  @Test(arguments: ["", "-", "0-", "-2", "2-0", "0-19", "0-1-2", "0–2", "1 2", "+1-2", "000-2", "0-2 "])
  func rejectsDigits(text: String) throws {
    let error = try #require(throws: PriceTagError.self) { try PriceStyle.Digits(text) }
    #expect(error.code == .invalidOption)
    #expect(
      error.description.hasSuffix(
        "use standard, cash, minor-units, a number from 0 to 18 or a range such as 0-2"
      )
    )
  }

  @Test func normalizesDigits() throws {
    var style = PriceStyle(digits: .range(2...2))
    #expect(style.digits == .fixed(2))
    style.digits = .range(3...3)
    #expect(style == PriceStyle(digits: .fixed(3)))
    style.digits = .range(0...3)
    #expect(style.digits == .range(0...3))
  }

  @Test(arguments: [0...19, -1...2])
  func rejectsRangesOutsideLimits(range: ClosedRange<Int>) throws {
    let error = try #require(throws: PriceTagError.self) {
      try PriceFormatter("USA", PriceStyle(digits: .range(range)))
    }
    #expect(error.code == .invalidOption)
  }

  // MARK: Numbering systems

  @Test(arguments: [
    ("latn", "ar-EG", "EGP", "\u{200F}1,234.50\u{A0}ج.م.\u{200F}"),
    ("latn", "ar-EG-u-nu-arab", "EGP", "\u{200F}1,234.50\u{A0}ج.م.\u{200F}"),
    ("arab", "ar-EG-u-nu-latn", "EGP", "\u{200F}١٬٢٣٤٫٥٠\u{A0}ج.م.\u{200F}"),
    ("latn", "fa-IR", "IRR", "\u{200E}ریال\u{A0}1,234"),
    ("latn", "hi-IN", "INR", "₹1,234.50"),
    ("deva", "hi-IN", "INR", "₹१,२३४.५०"),
    ("latn", "bn-BD", "BDT", "1,234.50৳"),
    ("arab", "en-US", "USD", "١٬٢٣٤٫٥٠\u{A0}$"),
    ("deva", "de-DE", "EUR", "१.२३४,५०\u{A0}€"),
    ("arab", "ja-JP", "JPY", "١٬٢٣٤\u{A0}￥"),
    ("deva", "es-ES", "EUR", "१२३४,५०\u{A0}€"),
  ])
  func writesNumberingSystems(
    numberingSystem: String,
    locale: String,
    currency: String,
    display: String
  ) throws {
    let formatter = try PriceFormatter(
      locale: PriceLocale(locale, allowsNumberingSystem: true),
      currency: Currency(currency),
      style: PriceStyle(rounding: .down, numberingSystem: numberingSystem)
    )
    #expect(try formatter.format("1234.5").text == display)
    #expect(formatter.isCompiled)
    #expect(formatter.locale.identifier == locale)
  }

  @Test func speaksInNumberingSystem() throws {
    let egypt = try Storefront("EGY")
    let style = PriceStyle(numberingSystem: "latn")
    #expect(try PriceFormatter(storefront: egypt, style: style).format("4.99").spoken == "4.99 جنيه مصري")
    #expect(try PriceFormatter(storefront: egypt).format("4.99").spoken == "٤٫٩٩ جنيه مصري")
  }

  @Test(arguments: ["", "x", "LATN", "roman", "hans", "latn;x", "latn@currency=EUR", "native", "latinlatn"])
  func rejectsNumberingSystems(name: String) throws {
    let error = try #require(throws: PriceTagError.self) {
      try PriceFormatter("EGY", PriceStyle(numberingSystem: name))
    }
    #expect(error.code == .invalidOption)
    #expect(
      error.description
        == "unknown decimal numbering system \"\(name)\"; use a CLDR name such as \"latn\", \"arab\" or \"deva\""
    )
  }

  // MARK: Overrides

  @Test func styleWinsOverMerchant() throws {
    let fields = #""currency":"EGP","numbering":"latn","symbol":"LE","group":"\u202F""#
    let store = try Storefront("EGY", overriding: fields)
    func text(_ style: PriceStyle) throws -> String {
      try PriceFormatter(storefront: store, style: style).string(for: "1234.5")
    }
    #expect(try text(PriceStyle()).contains("1\u{202F}234.50"))
    #expect(try text(PriceStyle(numberingSystem: "arab")).contains("١\u{202F}٢٣٤٫٥٠"))
    #expect(try text(PriceStyle(grouping: .never)).contains("1234.50"))
    #expect(try text(PriceStyle(width: .unambiguous)).contains("LE"))
    #expect(try !text(PriceStyle(width: .hidden)).contains("LE"))
    #expect(try text(PriceStyle(sign: .exceptZero, digits: .range(0...1))).contains("+1\u{202F}234.5"))
  }

  @Test(
    arguments: [
      ("USA", "USD", #""position":"after""#, "1234.5", "1,234.50$"),
      ("USA", "USD", #""position":"after","space":"\u00A0""#, "-1234.5", "-1,234.50\u{A0}$"),
      ("USA", "USD", #""space":"\u00A0""#, "-1234.5", "-$\u{A0}1,234.50"),
      ("DEU", "EUR", #""position":"before""#, "1234.5", "€\u{A0}1.234,50"),
      ("DEU", "EUR", #""position":"before","space":"""#, "-1", "-€1,00"),
      ("DEU", "EUR", #""position":"after""#, "1", "1,00\u{A0}€"),
      ("DEU", "EUR", #""minimumGrouping":2"#, "1234.5", "1234,50\u{A0}€"),
      ("DEU", "EUR", #""minimumGrouping":2"#, "12345", "12.345,00\u{A0}€"),
      ("POL", "PLN", #""minimumGrouping":1"#, "1234.5", "1\u{A0}234,50\u{A0}zł"),
      ("IND", "INR", #""minimumGrouping":4"#, "123456.5", "₹123456.50"),
      ("IND", "INR", #""minimumGrouping":4"#, "1234567.5", "₹12,34,567.50"),
      ("EGY", "EGP", #""position":"before","symbol":"LE","numbering":"latn""#, "-4.5", "-LE\u{A0}4.50"),
      ("CHE", "CHF", #""position":"before""#, "-5", "CHF-5.00"),
      ("SAU", "SAR", #""minimumGrouping":2"#, "1234", "\u{200F}١٢٣٤٫٠٠\u{A0}ر.س.\u{200F}"),
    ] as [(String, String, String, Amount, String)]
  )
  func merchantDecidesLayout(
    storefront: String,
    currency: String,
    fields: String,
    amount: Amount,
    text: String
  ) throws {
    let store = try Storefront(storefront, overriding: "\"currency\":\"\(currency)\",\(fields)")
    let formatter = try PriceFormatter(storefront: store)
    #expect(formatter.isCompiled)
    #expect(try formatter.string(for: amount) == text)
    let price = try formatter.format(amount)
    #expect(price.parts.map(\.value).joined() == text)
  }

  /// Without the check, large numbers would have the same separator for groups and the fraction.
  @Test(arguments: [#""group":".""#, #""group":".","minimumGrouping":9"#]) func rejectsSameSeparators(
    fields: String
  ) throws {
    let store = try Storefront("GBR", overriding: fields)
    let error = #expect(throws: PriceTagError.self) { try PriceFormatter(storefront: store) }
    #expect(error?.code == .invalidLocaleData)
  }

  @Test(arguments: [("USA", "USD", "1.2K$"), ("JPN", "JPY", "1200￥"), ("DEU", "EUR", "1200\u{A0}€")])
  func symbolFollowsCompactWord(storefront: String, currency: String, text: String) throws {
    let store = try Storefront(storefront, overriding: #""position":"after""#)
    #expect(
      try PriceFormatter(storefront: store, style: PriceStyle(notation: .compactShort)).string(for: 1200)
        == text
    )
  }

  @Test(
    arguments: [
      (#""position":"after""#, PriceStyle(), "0.00 – 5.00$"),
      (#""position":"after","space":" ""#, PriceStyle(sign: .accounting), "0.00 – 5.00 $"),
      (#""space":" ""#, PriceStyle(), "$ 0.00 – $ 5.00"),
      (#""position":"after""#, PriceStyle(width: .iso), "0.00–5.00\u{A0}USD"),
      (#""position":"after""#, PriceStyle(width: .hidden), "0.00–5.00"),
    ]
  )
  func layoutOfRanges(fields: String, style: PriceStyle, text: String) throws {
    let store = try Storefront("USA", overriding: fields)
    let formatter = try PriceFormatter(storefront: store, style: style)
    let range = try formatter.string(from: 0, to: 5)
    #expect(range == text)
    #expect(try formatter.string(for: -5).contains("5.00"))
  }

  // MARK: Derived prices

  /// Patterns write the ranges of every storefront, also where ICU reports a field of a range twice (CLP 1-5.000).
  @Test func compilesRanges() throws {
    for storefront in LocaleData.embedded.storefronts {
      for width in [PriceStyle.Width.standard, .iso] {
        let formatter = try PriceFormatter(storefront: storefront, style: PriceStyle(width: width))
        #expect(formatter.isCompiled(from: 1, to: 5_000), "\(storefront) \(width)")
      }
    }
    let range = try PriceFormatter("USA").format(from: 1, to: 5)
    #expect(range.parts.map(\.type).filter { $0 == .symbol }.count == 2)
  }

  @Test(arguments: [
    (PriceStyle(width: .hidden), "0.00–5.00", "$"), (PriceStyle(digits: .range(0...2)), "$0 – $5", ""),
    (PriceStyle(sign: .exceptZero), "$0.00 – +$5.00", ""), (PriceStyle(width: .formal), "$0.00 – $5.00", ""),
    (PriceStyle(width: .unambiguous), "USD 0.00 – 5.00", "$"),
  ])
  func formatsRanges(style: PriceStyle, display: String, missing: String) throws {
    let formatter = try PriceFormatter("USA", style)
    let range = try formatter.format(from: 0, to: 5)
    // The spaces around the dash differ between versions of CLDR.
    let characters = { (text: String) in text.filter { !$0.isWhitespace } }
    #expect(characters(range.text) == characters(display))
    #expect(missing.isEmpty || !range.text.contains(missing))
    #expect(range.parts.map(\.value).joined() == range.text)
    #expect(range.spoken.contains("US dollars"))
    #expect(try formatter.format(from: 5, to: "5.00").text == formatter.string(for: 5))
  }

  @Test(arguments: [
    PriceStyle(sign: .exceptZero), PriceStyle(width: .hidden), PriceStyle(digits: .range(0...2)),
    PriceStyle(grouping: .never, numberingSystem: "deva"), PriceStyle(width: .unambiguous, sign: .always),
  ])
  func keepsStyleOfDerivedPrices(style: PriceStyle) throws {
    let formatter = try PriceFormatter("USA", style)
    let price = try formatter.format("1234.50")
    #expect(try price.total(quantity: 2).text == formatter.string(for: "2469"))
    #expect(try (price - price.price).text == formatter.string(for: 0))
    #expect(price.formatter.style == style)
  }

  // MARK: Concurrency

  @Test func compilesFormattersOfFamilyInManyTasks() async throws {
    let style = PriceStyle(sign: .exceptZero, digits: .range(0...3))
    let formatter = try PriceFormatter("USA", style)
    let texts = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask { try ["0", "1", "1.5", "1.25", "1.125"].map { try formatter.string(for: $0) } }
      }
      return try await group.reduce(into: Set<[String]>()) { $0.insert($1) }
    }
    #expect(texts == [["$0", "+$1", "+$1.5", "+$1.25", "+$1.125"]])
  }

  // MARK: Coding

  @Test(arguments: [
    (
      PriceStyle(),
      #"{"digits":"standard","rounding":"exact","sign":"auto","width":"standard","zeros":"keep"}"#
    ),
    (
      PriceStyle(width: .hidden, sign: .accountingExceptZero, digits: .range(0...2)),
      #"{"digits":"0-2","rounding":"exact","sign":"accounting-except-zero","width":"hidden","zeros":"keep"}"#
    ),
    (
      PriceStyle(grouping: .min2, numberingSystem: "latn"),
      #"{"digits":"standard","grouping":"min2","numbering":"latn","rounding":"exact","sign":"auto","width":"standard","zeros":"keep"}"#
    ),
  ])
  func encodesStyle(style: PriceStyle, json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(style), as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(PriceStyle.self, from: Data(json.utf8)) == style)
  }

  @Test(arguments: [
    (#"{}"#, PriceStyle()), (#"{"width":"iso"}"#, PriceStyle(width: .iso)),
    (#"{"digits":2}"#, PriceStyle(digits: .fixed(2))),
    (#"{"digits":"cash","rounding":"half-even"}"#, PriceStyle(digits: .cash, rounding: .halfEven)),
    (#"{"sign":"except-zero"}"#, PriceStyle(sign: .exceptZero)),
    (#"{"width":"unambiguous","grouping":"always"}"#, PriceStyle(width: .unambiguous, grouping: .always)),
    (#"{"digits":"0-2","numbering":"deva"}"#, PriceStyle(digits: .range(0...2), numberingSystem: "deva")),
    (#"{"digits":"3-3"}"#, PriceStyle(digits: .fixed(3))),
  ])
  func decodesStyle(json: String, style: PriceStyle) throws {
    #expect(try JSONDecoder().decode(PriceStyle.self, from: Data(json.utf8)) == style)
    #expect(try JSONDecoder().decode(PriceStyle.self, from: JSONEncoder().encode(style)) == style)
  }

  @Test(arguments: [
    #"{"widht":"iso"}"#, #"{"width":"ISO"}"#, #"{"digits":19}"#, #"{"digits":"+1"}"#, #"{"digits":2.5}"#,
    #"{"sign":"exceptZero"}"#, #"{"grouping":"off"}"#, #"{"digits":"2-0"}"#, #"{"numbering":5}"#,
    #"{"numberingSystem":"latn"}"#,
  ])
  func rejectsInvalidStyle(json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(PriceStyle.self, from: Data(json.utf8)) }
  }
}
