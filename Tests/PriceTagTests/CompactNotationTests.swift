@_spi(Tests) import PriceTag
import SeededNumbers
import Testing

@Suite struct CompactNotationTests {
  private static func text(
    _ locale: String,
    _ currency: String,
    _ amount: Amount,
    _ style: PriceStyle
  ) throws -> String {
    let formatter = try PriceFormatter(locale, currency, style)
    return try formatter.string(for: amount)
  }

  /// A name takes its plural from the digits that are displayed.
  @Test func namesFollowDisplayedDigits() throws {
    var style = PriceStyle(width: .name, digits: .fixed(2), notation: .compactLong)
    #expect(try Self.text("en-US", "USD", "1", style) == "1.00 US dollars")
    style.zeros = .trim
    #expect(try Self.text("en-US", "USD", "1", style) == "1 US dollar")
  }

  /// Exact amounts, with texts that are the same in CLDR 42 and 48. Spaces and marks are escaped.
  static let exact: [(locale: String, currency: String, amount: Amount, short: String, long: String)] = [
    ("en-US", "USD", "999", "$999", "999 US dollars"),
    ("en-US", "USD", "1000", "$1K", "1 thousand US dollars"),
    ("en-US", "USD", "1200", "$1.2K", "1.2 thousand US dollars"),
    ("en-US", "USD", "12000", "$12K", "12 thousand US dollars"),
    ("en-US", "USD", "123000", "$123K", "123 thousand US dollars"),
    ("en-US", "USD", "1000000", "$1M", "1 million US dollars"),
    ("en-US", "USD", "1200000", "$1.2M", "1.2 million US dollars"),
    ("en-US", "USD", "-2500000000", "-$2.5B", "-2.5 billion US dollars"),
    ("en-US", "USD", "0", "$0", "0 US dollars"),
    ("en-US", "USD", "0.5", "$0.5", "0.5 US dollars"),
    ("de-DE", "EUR", "1000", "1000\u{A0}€", "1 Tausend Euro"),
    ("de-DE", "EUR", "12000", "12.000\u{A0}€", "12 Tausend Euro"),
    ("de-DE", "EUR", "1000000", "1\u{A0}Mio.\u{A0}€", "1 Million Euro"),
    ("de-DE", "EUR", "1200000", "1,2\u{A0}Mio.\u{A0}€", "1,2 Millionen Euro"),
    ("de-DE", "EUR", "3000000000", "3\u{A0}Mrd.\u{A0}€", "3 Milliarden Euro"),
    ("fr-FR", "EUR", "1200", "1,2\u{A0}k\u{A0}€", "1,2 millier euros"),
    ("fr-FR", "EUR", "1000000", "1\u{A0}M\u{A0}€", "1 million euros"),
    ("fr-FR", "EUR", "2000000", "2\u{A0}M\u{A0}€", "2 millions euros"),
    ("es-ES", "EUR", "1200", "1,2\u{A0}mil\u{A0}€", "1,2 mil euros"),
    ("pt-BR", "BRL", "1200", "R$\u{A0}1,2\u{A0}mil", "1,2 mil Reais brasileiros"),
    ("pt-BR", "BRL", "1000000", "R$\u{A0}1\u{A0}mi", "1 milhão Reais brasileiros"),
    ("pt-BR", "BRL", "1200000", "R$\u{A0}1,2\u{A0}mi", "1,2 milhão Reais brasileiros"),
    ("ja-JP", "JPY", "1234", "￥1234", "1234円"),
    ("ja-JP", "JPY", "12000", "￥1.2万", "1.2万円"),
    ("ja-JP", "JPY", "120000000", "￥1.2億", "1.2億円"),
    ("zh-CN", "CNY", "12000", "¥1.2万", "1.2万人民币"),
    ("zh-CN", "CNY", "120000000", "¥1.2亿", "1.2亿人民币"),
    ("ko-KR", "KRW", "1200", "₩1.2천", "1.2천 대한민국 원"),
    ("ko-KR", "KRW", "12000", "₩1.2만", "1.2만 대한민국 원"),
    ("ko-KR", "KRW", "120000000", "₩1.2억", "1.2억 대한민국 원"),
    ("hi-IN", "INR", "1200", "₹1.2\u{A0}हज़ार", "1.2 हज़ार भारतीय रुपए"),
    ("hi-IN", "INR", "1200000", "₹12\u{A0}लाख", "12 लाख भारतीय रुपए"),
    ("hi-IN", "INR", "10000000", "₹1\u{A0}क॰", "1 करोड़ भारतीय रुपए"),
    ("pl-PL", "PLN", "1000", "1\u{A0}tys.\u{A0}zł", "1 tysiąc złotych polskich"),
    ("pl-PL", "PLN", "2000", "2\u{A0}tys.\u{A0}zł", "2 tysiące złotych polskich"),
    ("pl-PL", "PLN", "5000", "5\u{A0}tys.\u{A0}zł", "5 tysięcy złotych polskich"),
    ("pl-PL", "PLN", "1200000", "1,2\u{A0}mln\u{A0}zł", "1,2 miliona złotych polskich"),
    ("ru-RU", "RUB", "1200", "1,2\u{A0}тыс.\u{A0}₽", "1,2 тысячи российских рублей"),
    ("ru-RU", "RUB", "5000000", "5\u{A0}млн\u{A0}₽", "5 миллионов российских рублей"),
    ("sv-SE", "SEK", "-1200", "−1,2\u{A0}tn\u{A0}kr", "−1,2 tusen svenska kronor"),
    ("sv-SE", "SEK", "2000000", "2\u{A0}mn\u{A0}kr", "2 miljoner svenska kronor"),
    ("pt-CV", "CVE", "1200000", "1$2\u{A0}M\u{A0}\u{200B}", "1$2 milhão escudos cabo-verdianos"),
  ]

  @Test(arguments: exact)
  func writesExactAmounts(
    locale: String,
    currency: String,
    amount: Amount,
    short: String,
    long: String
  ) throws {
    try Self.expect(locale, currency, amount, short: short, long: long)
  }

  static func expect(_ locale: String, _ currency: String, _ amount: Amount, short: String, long: String)
    throws
  {
    #expect(try text(locale, currency, amount, PriceStyle(notation: .compactShort)) == short)
    let spoken = PriceStyle(width: .name, notation: .compactLong)
    #expect(try text(locale, currency, amount, spoken) == long)
  }

  /// Rounded amounts in en-US: the rounded amount decides the magnitude.
  @Test(
    arguments: [
      ("999.4", .halfEven, "$999"), ("999.5", .halfEven, "$1K"), ("999.5", .halfDown, "$999"),
      ("999.5", .down, "$999"), ("999.1", .up, "$1K"), ("998.5", .halfEven, "$998"),
      ("998.5", .halfUp, "$999"),
      ("-999.5", .ceiling, "-$999"), ("-999.5", .floor, "-$1K"), ("9.95", .halfEven, "$10"),
      ("1250", .halfEven, "$1.2K"), ("1250", .halfUp, "$1.3K"), ("1350", .halfEven, "$1.4K"),
      ("9950", .halfUp, "$10K"), ("99499.99", .halfUp, "$99K"), ("999499", .halfUp, "$999K"),
      ("999500", .halfUp, "$1M"), ("999950", .halfEven, "$1M"), ("999999999.99", .up, "$1B"),
      ("1000000.01", .up, "$1.1M"), ("0.0949", .halfUp, "$0.095"), ("0.996", .halfUp, "$1"),
      ("999999999999999", .halfUp, "$1000T"), ("1234567890123456789", .down, "$1,234,567T"),
    ] as [(Amount, RoundingMode, String)]
  )
  func roundsOnce(amount: Amount, rounding: RoundingMode, text: String) throws {
    let style = PriceStyle(rounding: rounding, notation: .compactShort)
    #expect(try Self.text("en-US", "USD", amount, style) == text)
  }

  @Test(
    arguments: [
      ("1234", .fixed(0), "$1K"), ("1234", .fixed(2), "$1.23K"), ("1200", .fixed(2), "$1.20K"),
      ("1200", .range(0...2), "$1.2K"), ("1000", .range(0...2), "$1K"), ("1234.5", .range(0...2), "$1.23K"),
      ("1000", .range(1...3), "$1.0K"), ("12345678", .fixed(3), "$12.346M"), ("0.5", .fixed(0), "$1"),
      ("12", .fixed(1), "$12.0"), ("999.99", .fixed(1), "$1.0K"),
    ] as [(Amount, PriceStyle.Digits, String)]
  )
  func displaysDigitsOfMantissa(amount: Amount, digits: PriceStyle.Digits, text: String) throws {
    let style = PriceStyle(digits: digits, rounding: .halfUp, notation: .compactShort)
    #expect(try Self.text("en-US", "USD", amount, style) == text)
  }

  @Test func refusesToLoseDigits() throws {
    let formatter = try PriceFormatter("USA", PriceStyle(notation: .compactShort))
    #expect {
      try formatter.format("1234")
    } throws: { error in
      String(describing: error)
        == "1234 USD has more digits than the compact notation displays ($1.2K); name a rounding mode such as half-even to allow rounding, or display more digits"
    }
    for amount in ["999.5", "12345", "0.123", "-1000001", "1200.01"] as [Amount] {
      let error = #expect(throws: PriceTagError.self) { try formatter.string(for: amount) }
      #expect(error?.code == .needsRounding, "\(amount)")
    }
    // German has no short form of thousands, so nothing is lost.
    let germany = try PriceFormatter("DEU", PriceStyle(notation: .compactShort))
    #expect(try germany.string(for: "1234") == "1234\u{A0}€")
    #expect(try germany.string(for: "12345") == "12.345\u{A0}€")
  }

  @Test func refusesCashDigits() throws {
    let error = #expect(throws: PriceTagError.self) {
      try PriceFormatter("CHE", PriceStyle(digits: .cash, notation: .compactShort))
    }
    #expect(error?.code == .invalidOption)
  }

  @Test func refusesAmountsOutOfRange() throws {
    func formatter(_ rounding: RoundingMode) throws -> PriceFormatter {
      let style = PriceStyle(rounding: rounding, notation: .compactShort)
      return try PriceFormatter("USA", style)
    }
    let largest = try Amount(minorUnits: .max, exponent: 0)
    let smallest = try Amount(minorUnits: .min, exponent: 0)
    #expect(try formatter(.down).string(for: largest) == "$9,223,372T")
    #expect(try formatter(.down).string(for: smallest) == "-$9,223,372T")
    for amount in [largest, smallest] {
      let error = #expect(throws: PriceTagError.self) { try formatter(.up).string(for: amount) }
      #expect(error?.code == .amountOutOfRange)
      let lost = #expect(throws: PriceTagError.self) { try formatter(.exact).string(for: amount) }
      #expect(lost?.code == .needsRounding)
    }
    let fraction = try Amount(minorUnits: .min, exponent: 18)
    #expect(try formatter(.halfEven).string(for: fraction) == "-$9.2")
  }

  @Test func hasDisplayedAmountPartsAndSpokenForm() throws {
    let style = PriceStyle(rounding: .halfEven, notation: .compactShort)
    let formatter = try PriceFormatter("DEU", style)
    #expect(formatter.isCompiled)
    let price = try formatter.format("-1234567")
    #expect(price.text == "-1,2\u{A0}Mio.\u{A0}€")
    #expect(price.amount == "-1234567")
    #expect(price.displayedAmount == "-1200000")
    #expect(
      price.parts.map { "\($0.type.rawValue) \($0.value)" } == [
        "sign -", "integer 1", "decimal ,", "fraction 2", "literal \u{A0}", "compact Mio.", "literal \u{A0}",
        "symbol €",
      ]
    )
    #expect(price.spoken == "-1,2 Millionen Euro")
    #expect(try formatter.format("1000000").spoken == "1 Million Euro")
    // The long form of thousands would lose digits that the short form displays.
    #expect(try formatter.format("1234").text == "1234\u{A0}€")
    #expect(try formatter.format("1234").spoken == "1.234 Euro")
    #expect(try formatter.format("12000").spoken == "12 Tausend Euro")
    let america = try PriceFormatter("USA", style)
    #expect(try america.format("1234").spoken == "1.2 thousand US dollars")
  }

  /// Parts are the fields that ICU reports, whether a pattern or ICU writes the price.
  @Test(
    arguments: CompactNotationComparison.places.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(
      \.element
    )
  )
  func returnsSamePartsAsICU(locale: String, currency: String) throws {
    let (locale, currency) = (try PriceLocale(locale), try Currency(currency))
    for notation in CompactNotationComparison.notations {
      for width in [PriceStyle.Width.standard, .name] {
        let style = PriceStyle(width: width, rounding: .halfEven, notation: notation)
        let compiled = try PriceFormatter(locale: locale, currency: currency, style: style)
        let icu = try PriceFormatter(
          locale: locale,
          currency: currency,
          style: style,
          compilesPattern: false
        )
        #expect(compiled.isCompiled, "\(style)")
        #expect(!icu.isCompiled)
        for amount in [
          "0", "0.5", "1", "-12", "999.5", "1000", "-1200", "1000000", "2500000", "9000000000000",
        ]
          as [Amount]
        {
          let (own, expected) = (try compiled.format(amount), try icu.format(amount))
          #expect(own.text == expected.text, "\(style) \(amount)")
          #expect(own.parts == expected.parts, "\(style) \(amount)")
          #expect(own.parts.map(\.value).joined() == own.text)
        }
      }
    }
  }

  /// A displayed price is never another price: the text determines the displayed amount, which differs from the amount
  /// by less than the last displayed digit, and not at all without a rounding mode.
  @Test(arguments: CompactNotationComparison.fewPlaces)
  func neverDisplaysAnotherAmount(locale: String, currency: String) throws {
    var random = SeededNumbers(seed: 20)
    for notation in CompactNotationComparison.notations {
      for digits in [PriceStyle.Digits.standard, .fixed(2), .range(0...3)] {
        let (locale, currency) = (try PriceLocale(locale), try Currency(currency))
        func formatter(_ rounding: RoundingMode) throws -> PriceFormatter {
          try PriceFormatter(
            locale: locale,
            currency: currency,
            style: PriceStyle(digits: digits, rounding: rounding, notation: notation)
          )
        }
        let (exact, down, up) = (try formatter(.exact), try formatter(.down), try formatter(.up))
        for _ in 0..<150 {
          let digitCount = random.number(1...15)
          let coefficient = Int64.random(
            in: 0..<(1...digitCount).reduce(1) { power, _ in power * 10 },
            using: &random
          )
          let amount = try Amount(minorUnits: coefficient, exponent: random.number(0...4))
          let (lower, upper) = (try down.format(amount), try up.format(amount))
          #expect(lower.displayedAmount <= amount && amount <= upper.displayedAmount)
          // A displayed amount is exact, and is displayed the same in every mode.
          for price in [lower, upper] {
            #expect(try exact.string(for: price.displayedAmount) == price.text)
            #expect(try down.string(for: price.displayedAmount) == price.text)
            #expect(try up.string(for: price.displayedAmount) == price.text)
          }
          if let price = try? exact.format(amount) {
            #expect(price.displayedAmount == amount && price.text == lower.text && price.text == upper.text)
            #expect(lower.displayedAmount == amount && upper.displayedAmount == amount)
          } else {
            #expect(lower.displayedAmount < amount && amount < upper.displayedAmount)
            #expect(lower.text != upper.text, "\(amount)")
          }
        }
      }
    }
  }

  /// Two amounts that are displayed without rounding have two texts.
  @Test(arguments: CompactNotationComparison.places)
  func differentAmountsHaveDifferentTexts(locale: String, currency: String) throws {
    for notation in CompactNotationComparison.notations {
      for width in [PriceStyle.Width.standard, .name] {
        let formatter = try PriceFormatter(locale, currency, PriceStyle(width: width, notation: notation))
        var amounts: [String: Amount] = [:]
        for zeros in 0...14 {
          for mantissa in Array(1...99) as [Int64] {
            let power = (0..<zeros).reduce(Int64(1)) { power, _ in power * 10 }
            let amount = try Amount(minorUnits: mantissa * power, exponent: 0)
            let text = try formatter.string(for: amount)
            if let other = amounts[text] { #expect(other == amount, "\(text): \(other) and \(amount)") }
            amounts[text] = amount
          }
        }
      }
    }
  }

  @Test(arguments: [
    (
      #"{"currency":"EUR","symbol":"Euro","space":"\u202f","reason":"r"}"#, "DEU", "1200000",
      "1,2\u{A0}Mio.\u{202F}Euro"
    ),
    (#"{"currency":"EUR","decimal":"·","reason":"r"}"#, "DEU", "1200000", "1·2\u{A0}Mio.\u{A0}€"),
    (#"{"currency":"EUR","group":"'","reason":"r"}"#, "DEU", "12000", "12'000\u{A0}€"),
    (#"{"currency":"JPY","numbering":"arab","reason":"r"}"#, "JPN", "12000", "￥١٫٢万"),
    (#"{"currency":"USD","digits":0,"reason":"r"}"#, "USA", "1200", "$1.2K"),
  ])
  func appliesOverrides(entries: String, storefront: String, amount: String, text: String) throws {
    let data = try LocaleData(["currency-overrides.json": LocaleDataTests.overrides(entries)])
    let formatter = try PriceFormatter(storefront, in: data, PriceStyle(notation: .compactShort))
    #expect(try formatter.string(for: Amount(decimal: amount)) == text)
    #expect(formatter.isCompiled)
  }

  @Test func refusesSameSeparators() throws {
    let entries = #"{"currency":"JPY","decimal":",","reason":"r"}"#
    let folder = try Folder(["currency-overrides.json": LocaleDataTests.overrides(entries)])
    let store = try Storefront("JPN", in: LocaleData(folder: folder.path))
    let error = #expect(throws: PriceTagError.self) {
      try PriceFormatter(storefront: store, style: PriceStyle(notation: .compactShort))
    }
    #expect(error?.code == .invalidLocaleData)
  }

  @Test func formatsRanges() throws {
    func formatter(_ storefront: String, _ style: PriceStyle) throws -> PriceFormatter {
      try PriceFormatter(storefront, style)
    }
    let short = PriceStyle(rounding: .halfEven, notation: .compactShort)
    let america = try formatter("USA", short)
    #expect(try america.format(from: "1200", to: "2500").text == "$1.2–2.5K")
    #expect(try america.format(from: "500", to: "1200000").text == "$500 – $1.2M")
    #expect(try america.format(from: "1199", to: "1201").text == "$1.2K")
    let range = try america.format(from: "1234", to: "2512")
    #expect(range.text == "$1.2–2.5K")
    #expect(range.displayedAmount == "1200")
    #expect(range.parts.map(\.value).joined() == range.text)
    #expect(
      try formatter("DEU", short).format(from: "1000000", to: "2500000").text == "1–2,5\u{A0}Mio.\u{A0}€"
    )
    // ICU writes the name once: "1–2 million US dollars" would be one to two million.
    let long = try formatter("USA", PriceStyle(width: .name, notation: .compactLong))
    let error = #expect(throws: PriceTagError.self) { try long.format(from: "1", to: "2000000") }
    #expect(error?.code == .invalidOption)
    #expect(try long.format(from: "1000000", to: "2000000").text == "1–2 million US dollars")
    let mixed = try long.format(from: "500000", to: "1500000")
    #expect(mixed.text == "500 thousand – 1.5 million US dollars")
    let hidden = try formatter("USA", PriceStyle(width: .hidden, notation: .compactShort))
    #expect(throws: PriceTagError.self) { try hidden.format(from: "1", to: "2000") }
    #expect(try hidden.format(from: "1000", to: "2000000").text == "1K – 2M")
    let exact = try formatter("USA", PriceStyle(notation: .compactShort))
    let lost = #expect(throws: PriceTagError.self) { try exact.format(from: "1234", to: "2000") }
    #expect(lost?.code == .needsRounding)
  }
}
