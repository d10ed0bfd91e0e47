import Foundation
import SeededNumbers
import Testing

@testable import PriceTag

/// An expression that must match a complete text. ICU's `$` also matches before a line feed at the end.
private struct Expression {
  private let expression: NSRegularExpression
  init(_ pattern: String) throws { expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z") }

  func groups(_ text: String) -> [String?]? {
    let whole = NSRange(text.startIndex..., in: text)
    guard let match = expression.firstMatch(in: text, range: whole) else { return nil }
    return (1..<match.numberOfRanges).map { Range(match.range(at: $0), in: text).map { String(text[$0]) } }
  }
}

/// Tests of the regular expressions of prices. Scripts/test/expressions compares them in other languages.
@Suite struct PriceExpressionsTests {
  enum Verdict { case strict, lenient, neither }

  static let rows: [(storefront: String, text: String, verdict: Verdict)] = [
    ("USA", "$4.99", .strict),
    ("USA", "$0.00", .strict),
    ("USA", "-$1,234,567.00", .strict),
    ("USA", "$999,999,999,999,999,999.99", .strict),
    ("USA", "$1,000,000,000,000,000,000.00", .neither),
    ("USA", "-$0.00", .neither),
    ("USA", "-$0.01", .strict),
    ("USA", "$4.99\n", .lenient),
    ("USA", "$4.99\nx", .neither),
    ("USA", "\u{FF04} 4.99", .lenient),
    ("USA", "\u{2212}\u{200F}U\u{200B}SD\u{A0}4\u{FF0E}99", .lenient),
    ("USA", "usd 4.99", .neither),
    ("USA", "$4,99", .neither),
    ("USA", "$04.99", .neither),
    ("USA", "$4.9", .neither),
    ("USA", "$4.999", .neither),
    ("USA", "$1234.00", .neither),
    ("USA", "$12,34.00", .neither),
    ("USA", "$\u{202E}4.99", .neither),
    ("USA", "$4.99 $4.99", .neither),
    ("USA", "€4.99", .neither),
    ("USA", "4.99 $", .neither),
    ("DEU", "1.234,50\u{A0}€", .strict),
    ("DEU", "1.234,50 €", .lenient),
    ("DEU", "1.234,50EUR", .lenient),
    ("DEU", "1234,50\u{A0}€", .neither),
    ("DEU", "1.234\u{200B},50\u{A0}€", .neither),
    ("ESP", "1234,50\u{A0}€", .strict),
    ("ESP", "12.345,50\u{A0}€", .strict),
    ("ESP", "1.234,50\u{A0}€", .neither),
    ("ESP", "12345,50\u{A0}€", .neither),
    ("IND", "₹12,34,567.00", .strict),
    ("IND", "₹1,234.00", .strict),
    ("IND", "₹1,234,567.00", .neither),
    ("JPN", "￥1,200", .strict),
    ("JPN", "¥ 1\u{FF0C}200", .lenient),
    ("JPN", "￥1,200.00", .neither),
    ("JPN", "￥-5", .neither),
    ("CHE", "CHF-5.00", .strict),
    ("CHE", "CHF\u{A0}-5.00", .lenient),
    ("FRA", "1\u{202F}234,50\u{A0}€", .strict),
    ("FRA", "1 234,50 €", .lenient),
    ("FRA", "1  234,50 €", .neither),
    ("FRA", "1234,50\u{A0}€", .neither),
    ("EGY", "\u{200F}١٬٢٣٤٫٥٠\u{A0}ج.م.\u{200F}", .strict),
    ("EGY", "١٬٢٣٤٫٥٠ ج.م.", .lenient),
    ("EGY", "1٬234٫50 EGP", .lenient),
    ("EGY", "١٬٢34٫50 EGP", .neither),
    ("EGY", "1,234.50 EGP", .neither),
    ("EGY", "\u{61C}-\u{200F}٠٫٠٠\u{A0}ج.م.\u{200F}", .neither),
    ("DNK", "1.234,50\u{A0}kr.", .strict),
    ("DNK", "1.234,50\u{A0}krx", .neither),
    ("SWE", "1\u{A0}234,00\u{A0}kr", .strict),
    ("SWE", "\u{2212}5,00\u{A0}kr", .strict),
    ("SWE", "-5,00 kr", .lenient),
    ("SWE", "1\u{202F}234,00 SEK", .lenient),
    ("SWE", "kr 1 234,00", .neither),
    ("POL", "1234,00\u{A0}zł", .strict),
    ("POL", "1\u{A0}234,00\u{A0}zł", .neither),
  ]

  @Test(arguments: rows)
  func matches(storefront: String, text: String, verdict: Verdict) throws {
    try Self.expect(text, verdict, PriceFormatter(storefront: Storefront(storefront)))
  }

  static func expect(_ text: String, _ verdict: Verdict, _ formatter: PriceFormatter) throws {
    let texts = try PriceExpressions(formatter)
    #expect(try (Expression(texts.strict).groups(text) != nil) == (verdict == .strict), "strict")
    #expect(try (Expression(texts.lenient).groups(text) != nil) == (verdict != .neither), "lenient")
  }

  @Test func groupsHaveNames() throws {
    let texts = try PriceExpressions(PriceFormatter(storefront: Storefront("DEU")))
    #expect(texts.groups == ["digits", "symbol", "sign", "digits", "symbol"])
    let found = try Expression(texts.lenient).groups("\u{2212}1.234,50 EUR")
    #expect(found == [nil, nil, "\u{2212}", "1.234,50", "EUR"])
    #expect(try Expression(texts.strict).groups("0,50\u{A0}€") == ["0,50", "€", nil, nil, nil])
  }

  static let styles: [PriceStyle] = [
    PriceStyle(), PriceStyle(zeros: .trim), PriceStyle(sign: .always), PriceStyle(sign: .accounting),
    PriceStyle(sign: .never), PriceStyle(sign: .exceptZero, digits: .range(0...2)),
    PriceStyle(zeros: .trim, sign: .accountingExceptZero), PriceStyle(digits: .cash),
    PriceStyle(digits: .fixed(3)),
    PriceStyle(numberingSystem: "hanidec"), PriceStyle(numberingSystem: "cakm"),
    PriceStyle(qualifier: .atLeast),
    PriceStyle(width: .iso, grouping: .never), PriceStyle(width: .hidden, grouping: .min2),
    PriceStyle(writtenAs: .storeWeb(language: "en")),
  ]

  /// Compares the expressions with the reader, for prices and mutations of them.
  @Test(arguments: styles)
  func agreesWithTheReader(style: PriceStyle) throws {
    var numbers = SeededNumbers(seed: 47)
    var count = 0
    let alphabet = Array("0019٣,.' \u{A0}\u{202F}\u{200F}’\u{2212}-+()$€kE\u{FF0C}一〇".unicodeScalars)
    let stores = ["USA", "CHE", "EGY", "IND", "DNK", "ESP", "JPN", "ARE", "TUR"]
    let locales = [
      ("pt-CV", "CVE"), ("ar-KW", "KWD"), ("ee", "GHS"), ("ff-Adlm-GN", "GNF"), ("de-AT", "EUR"),
    ]
    var formatters = stores.compactMap { try? PriceFormatter(storefront: Storefront($0), style: style) }
    formatters += locales.compactMap { locale, currency in
      guard let locale = try? PriceLocale(locale), let currency = try? Currency(currency) else { return nil }
      return try? PriceFormatter(locale: locale, currency: currency, style: style)
    }
    for formatter in formatters {
      let texts = try PriceExpressions(formatter)
      let reader = try #require(PatternReader(formatter))
      let expressions = try [false: Expression(texts.strict), true: Expression(texts.lenient)]
      for _ in 0..<60 {
        let cents = Int64(numbers.number(-1_000_000_0...1_000_000_0)) * (numbers.isOne(in: 3) ? 5 : 1)
        let step = Int64(formatter.display.step)
        let amount = Amount(uncheckedCoefficient: cents / step * step, scale: formatter.display.digits)
        var scalars = Array(try formatter.string(for: amount).unicodeScalars)
        if !numbers.isOne(in: 4) {
          let place = numbers.number(0...scalars.count - 1)
          switch numbers.number(0...2) {
          case 0: scalars.remove(at: place)
          case 1: scalars[place] = numbers.pick(alphabet)
          default: scalars.insert(numbers.pick(alphabet), at: place)
          }
        }
        let text = String(String.UnicodeScalarView(scalars))
        for isLenient in [false, true] {
          let result = reader.read(text, isLenient: isLenient)
          if result.problem == .amountOutOfRange || result.problem == .ambiguousNumber { continue }
          let isMatch = try #require(expressions[isLenient]).groups(text) != nil
          #expect(
            isMatch == (result.problem == nil),
            "\(formatter.locale) \(text.debugDescription) \(isLenient)"
          )
          count += 1
        }
      }
    }
    #expect(count > 200)
  }

  /// Every storefront's expressions have only what all languages read alike.
  @Test func expressionsAreOfTheSharedSubset() throws {
    let escape = try NSRegularExpression(
      pattern: #"\\[^\\^$.|?*+()\[\]{}tr]|\(\?[^:]|\[\^|\\[tr](?![^\[]*\])"#
    )
    for storefront in LocaleData.embedded.storefronts {
      let texts = try PriceExpressions(PriceFormatter(storefront: storefront))
      for text in [texts.strict, texts.lenient] {
        let whole = NSRange(text.startIndex..., in: text)
        #expect(escape.firstMatch(in: text, range: whole) == nil, "\(storefront.id) \(text)")
        #expect(try NSRegularExpression(pattern: text).numberOfCaptureGroups == texts.groups.count)
        #expect(!text.contains("\n"))
      }
    }
  }

  static let errors: [(PriceStyle, String)] = [
    (
      PriceStyle(width: .name),
      "prices in the width name have no regular expression; use another width, such as iso"
    ),
    (
      PriceStyle(notation: .compactShort),
      "prices in compact notation have no regular expression; use the notation standard"
    ),
  ]

  @Test(arguments: errors)
  func rejects(style: PriceStyle, error: String) throws {
    let formatter = try PriceFormatter(storefront: Storefront("USA"), style: style)
    let thrown = #expect(throws: PriceTagError.self) { try PriceExpressions(formatter) }
    #expect(thrown?.description == error)
  }

  @Test func rejectsPricesWithoutPattern() throws {
    let formatter = try PriceFormatter(
      locale: PriceLocale("de-DE"),
      currency: Currency("EUR"),
      style: PriceStyle(),
      compilesPattern: false
    )
    #expect(throws: PriceTagError.self) { try PriceExpressions(formatter) }
  }

  /// The folded text is read as the same price.
  @Test func foldsText() throws {
    for (id, text, folded) in [
      ("CHE", "CHF\u{A0}234.50", "CHF234.50"), ("JPN", "￥1,200", "¥1,200"),
      ("EGY", "\u{200F}٤٫٩٩\u{A0}ج.م.\u{200F}", "4٫99ج.م."), ("FRA", "1\u{202F}234,50\u{A0}€", "1 234,50€"),
    ] {
      let reader = try #require(PatternReader(PriceFormatter(storefront: Storefront(id))))
      #expect(reader.folded(text) == folded)
      #expect(reader.read(folded, isLenient: true).amount == reader.read(text, isLenient: false).amount)
    }
  }
}
