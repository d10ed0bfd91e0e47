import SeededNumbers
import Testing

@testable import PriceTag

/// Tests of reading prices back by the patterns of a formatter.
@Suite struct PatternReaderTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let storefront: String
    let text: String
    /// The amount of strict and of lenient reading, or the code of the problem.
    let strict: String
    let lenient: String
    /// The place of the first difference; `nil` for the same bytes.
    let difference: Int?
    var testDescription: String { "\(storefront) \(text)" }

    init(_ storefront: String, _ text: String, _ strict: String, _ lenient: String, _ difference: Int?) {
      (self.storefront, self.text, self.strict) = (storefront, text, strict)
      (self.lenient, self.difference) = (lenient, difference)
    }
  }

  static let rows = [
    Row("USA", "$4.99", "4.99", "4.99", nil),
    Row("USA", "-$4.99", "-4.99", "-4.99", nil),
    Row("USA", "$1,234,567.00", "1234567.00", "1234567.00", nil),
    Row("USA", "\u{2212}$4.99", "not-as-written", "-4.99", 0),
    Row("USA", "\u{FF04}4.99", "not-as-written", "4.99", 0),
    Row("USA", "USD\u{A0}4.99", "not-as-written", "4.99", 0),
    Row("USA", " $ 4.99\n", "not-as-written", "4.99", 0),
    Row("USA", "$ 4.99", "not-as-written", "4.99", 1),
    Row("USA", "$4.9", "not-as-written", "not-as-written", 4),
    Row("USA", "$4", "not-as-written", "not-as-written", 2),
    Row("USA", "$4.999", "not-as-written", "not-as-written", 5),
    Row("USA", "$4,99", "not-as-written", "not-as-written", 2),
    Row("USA", "$1234.50", "not-as-written", "not-as-written", 2),
    Row("USA", "$12,34.50", "not-as-written", "not-as-written", 2),
    Row("USA", "4.99", "not-as-written", "not-as-written", 0),
    Row("USA", "4.99 $", "not-as-written", "not-as-written", 0),
    Row("USA", "€4.99", "not-as-written", "not-as-written", 0),
    Row("USA", "-$0.00", "not-as-written", "not-as-written", 0),
    Row("USA", "$4.99/month", "not-as-written", "not-as-written", 5),
    Row("USA", "$\u{202E}4.99", "not-as-written", "not-as-written", 1),
    Row("USA", "$4\u{200F}.99", "not-as-written", "not-as-written", 2),
    Row("USA", "\u{1}4.99", "not-as-written", "not-as-written", 0),
    Row("JPN", "\u{2}1,200", "not-as-written", "not-as-written", 0),
    Row("USA", "$١.٠٠", "not-a-price", "not-a-price", 1),
    Row("USA", "Free", "not-a-price", "not-a-price", 0),
    Row("USA", "", "not-a-price", "not-a-price", 0),
    Row("USA", "$99999999999999999999.00", "amount-out-of-range", "amount-out-of-range", 1),
    Row("USA", "$999,999,999,999,999,999.00", "999999999999999999", "999999999999999999", nil),
    Row("CHE", "CHF\u{A0}234.50", "234.50", "234.50", nil),
    Row("CHE", "CHF234.50", "not-as-written", "234.50", 3),
    Row("CHE", "CHF-5.00", "-5.00", "-5.00", nil),
    Row("FRA", "1\u{202F}234,50\u{A0}€", "1234.50", "1234.50", nil),
    Row("FRA", "1 234,50 €", "not-as-written", "1234.50", 1),
    Row("FRA", "1  234,50 €", "not-as-written", "not-as-written", 2),
    Row("FRA", "12 34,50 €", "not-as-written", "not-as-written", 1),
    Row("FRA", "1 234,50 EUR", "not-as-written", "1234.50", 1),
    Row("JPN", "￥1,200", "1200", "1200", nil),
    Row("JPN", "¥1,200", "not-as-written", "1200", 0),
    Row("JPN", "￥1 200", "not-as-written", "not-as-written", 4),
    Row("JPN", "￥1.00", "not-as-written", "not-as-written", 4),
    Row("EGY", "\u{200F}٤٫٩٩\u{A0}ج.م.\u{200F}", "4.99", "4.99", nil),
    Row("EGY", "٤٫٩٩ ج.م.", "not-as-written", "4.99", 0),
    Row("EGY", "4٫99 EGP", "not-as-written", "4.99", 0),
    Row("EGY", "4٫9٩ EGP", "not-as-written", "not-as-written", 0),
    Row("EGY", "\u{200F}٤٫٩9\u{A0}ج.م.\u{200F}", "not-as-written", "not-as-written", 9),
    Row("IND", "₹1,23,456.00", "123456.00", "123456.00", nil),
    Row("IND", "₹123,456.00", "not-as-written", "not-as-written", 4),
    Row("ESP", "1234,50\u{A0}€", "1234.50", "1234.50", nil),
    Row("ESP", "1.234,50\u{A0}€", "not-as-written", "not-as-written", 1),
    Row("ESP", "12.345,00\u{A0}€", "12345.00", "12345.00", nil),
  ]

  /// Reads with the pattern that ICU's output gives, and with that of a pack.
  @Test(arguments: rows) func reads(_ row: Row) throws {
    let storefront = try Storefront(row.storefront)
    var writer = PackWriter(styles: [PriceStyle()], on: .todayInUTC)
    writer.add(storefront)
    let pack = try Pack(writer.bytes(revision: "test"))
    for localeData in [LocaleData.embedded, LocaleData.embedded.pinned(to: pack)] {
      try Self.expect(row, in: localeData)
    }
  }

  static func expect(_ row: Row, in localeData: LocaleData) throws {
    let formatter = try PriceFormatter(storefront: Storefront(row.storefront, in: localeData))
    let reader = try #require(PatternReader(formatter))
    for (isLenient, expected) in [(false, row.strict), (true, row.lenient)] {
      let found = reader.read(row.text, isLenient: isLenient)
      #expect((found.problem?.rawValue ?? "\(found.amount)") == expected)
      if isLenient { #expect(found.difference == row.difference) }
    }
  }

  /// The symbol of the Cape Verde escudo is its decimal separator, and a zero-width space is at the end.
  @Test func readsSymbolInNumber() throws {
    let formatter = try PriceFormatter(locale: PriceLocale("pt-CV"), currency: Currency("CVE"))
    let reader = try #require(PatternReader(formatter))
    let text = try formatter.string(for: "12345.50")
    #expect(text == "12\u{A0}345$50\u{A0}\u{200B}")
    #expect(reader.read(text, isLenient: false).amount == "12345.50")
    #expect(reader.read("12 345$50", isLenient: true).amount == "12345.50")
    #expect(reader.read("12 345.50", isLenient: true).problem == .notAsWritten)
  }

  /// A text with the maximum length is read, and a longer one is not.
  @Test func limitsLength() throws {
    let reader = try #require(PatternReader(PriceFormatter(storefront: Storefront("USA"))))
    let spaces = String(repeating: " ", count: 4091)
    #expect(reader.read(spaces + "$4.99", isLenient: true).amount == "4.99")
    #expect(reader.read(spaces + " $4.99", isLenient: true).problem == .textTooLong)
    #expect(reader.read(String(repeating: "9", count: 4096), isLenient: true).problem == .amountOutOfRange)
  }

  /// Prices of each style are read back, where a style has several patterns or forms.
  @Test(arguments: [
    PriceStyle(zeros: .trim), PriceStyle(sign: .exceptZero, digits: .range(0...3)), PriceStyle(width: .name),
    PriceStyle(sign: .accounting), PriceStyle(width: .hidden), PriceStyle(digits: .cash),
    PriceStyle(grouping: .never),
    PriceStyle(sign: .always), PriceStyle(width: .iso), PriceStyle(qualifier: .approximately),
  ]) func readsBack(_ style: PriceStyle) throws {
    for id in ["USA", "DEU", "EGY", "IND", "ESP", "CHE", "POL", "JPN", "ISR", "NPL"] {
      let formatter = try PriceFormatter(storefront: Storefront(id), style: style)
      guard let reader = PatternReader(formatter) else { continue }
      for amount in ["0", "1", "2", "5", "-1", "11", "21", "1.5", "99.95", "1000", "-12345.5", "123456789"]
        as [Amount]
      {
        guard let text = try? formatter.string(for: amount) else { continue }
        for isLenient in [false, true] {
          let found = reader.read(text, isLenient: isLenient)
          #expect(found.problem == nil && found.amount == amount, "\(id) \(style) \(text): \(found)")
          #expect(found.difference == nil)
        }
      }
    }
  }
}
