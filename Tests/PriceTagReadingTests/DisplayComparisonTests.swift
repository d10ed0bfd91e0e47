import PriceTag
import PriceTagReading
import SeededNumbers
import Testing

/// Tests of the comparison of two displays.
@Suite struct DisplayComparisonTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let storefront: String
    let expected: String
    let actual: String
    let classes: [DriftClass]

    init(_ storefront: String, _ expected: String, _ actual: String, _ classes: [DriftClass]) {
      (self.storefront, self.expected, self.actual, self.classes) = (storefront, expected, actual, classes)
    }

    var testDescription: String { "\(storefront) \(expected.debugDescription) \(actual.debugDescription)" }
  }

  static let same: [Row] = [
    Row("USA", "$4.99", "$4.99", []),
    Row("USA", "", "", []),
    Row("USA", "no price", "no price", []),
    Row("EGY", "\u{200F}١٬٤٩٩٫٩٩\u{A0}ج.م.\u{200F}", "\u{200F}١٬٤٩٩٫٩٩\u{A0}ج.م.\u{200F}", []),
  ]

  static let meanings: [Row] = [
    Row("USA", "$4.99", "$4.98", [.amount]),
    Row("USA", "$4.99", "-$4.99", [.amount]),
    Row("USA", "$4.99", "($4.99)", [.amount]),
    Row("USA", "$0.00", "-$0.00", [.symbol]),
    Row("USA", "$4.99", "$499", [.amount, .digits]),
    Row("USA", "$1,234.50", "$1,234.05", [.amount]),
    Row("USA", "$4.99", "€4.99", [.currency]),
    Row("USA", "$4.99", "€4.98", [.amount, .currency]),
    Row("USA", "$4.99", "CA$4.99", [.currency]),
    Row("USA", "$4.99", "4.99 euros", [.currency, .order, .spacing]),
    Row("DEU", "4,99\u{A0}€", "4,99\u{A0}$", [.currency]),
    Row("CZE", "1299\u{A0}Kč", "12,99\u{A0}Kč", [.amount, .digits]),
    Row("FRA", "4,99\u{A0}€", "499\u{A0}€", [.amount, .digits]),
  ]

  static let symbols: [Row] = [
    Row("USA", "$4.99", "US$4.99", [.symbol]),
    Row("USA", "$4.99", "USD\u{A0}4.99", [.symbol, .spacing]),
    Row("USA", "$4.99", "4.99", [.currency]),
    Row("USA", "$4.99", "¤4.99", [.currency]),
    Row("JPN", "￥1,200", "¥1,200", [.symbol]),
    Row("JPN", "￥1,200", "1,200円", [.symbol, .order]),
    Row("USA", "-$4.99", "\u{2212}$4.99", [.symbol]),
    Row("USA", "-$4.99", "($4.99)", [.symbol]),
    Row("USA", "$4.99", "+$4.99", [.symbol]),
    Row("USA", "$4.99", "$4.99 USD", [.symbol, .spacing]),
    Row("POL", "1234,50\u{A0}zł", "1234,50\u{A0}PLN", [.symbol]),
    // CLDR's other symbols.
    Row("TUR", "₺149,99", "149,99\u{A0}TL", [.symbol, .order, .spacing]),
    Row("TUR", "₺149,99", "TL149,99", [.symbol]),
    Row("EGY", "\u{200F}١٬٤٩٩\u{A0}ج.م.\u{200F}", "\u{200F}١٬٤٩٩\u{A0}EGP\u{200F}", [.symbol]),
  ]

  static let orders: [Row] = [
    Row("USA", "$4.99", "4.99$", [.order]),
    Row("USA", "-$4.99", "$-4.99", [.order]),
    Row("USA", "-$4.99", "$4.99-", [.amount, .symbol]),
    Row("DEU", "4,99\u{A0}€", "€\u{A0}4,99", [.order]),
    Row("DEU", "4,99\u{A0}€", "€4,99", [.order, .spacing]),
    Row("DEU", "€4.99", "4,99\u{A0}€", [.order, .separators, .spacing]),
  ]

  static let numbers: [Row] = [
    Row("CZE", "1\u{A0}299,00\u{A0}Kč", "1\u{A0}299\u{A0}Kč", [.digits]),
    Row("USA", "$5.00", "$5", [.digits]),
    Row("USA", "$4.90", "$4.9", [.digits]),
    Row("EGY", "١٬٤٩٩٫٩٩\u{A0}ج.م.", "1,499.99\u{A0}ج.م.", [.digits, .separators]),
    Row("EGY", "٤٩٩\u{A0}ج.م.", "499\u{A0}ج.م.", [.digits]),
    Row("IND", "₹12,34,567.50", "₹१२,३४,५६७.५०", [.digits]),
    Row("CHE", "CHF\u{A0}1'234.50", "CHF\u{A0}1\u{2BC}234.50", [.separators]),
    Row("CHE", "CHF\u{A0}1'234.50", "CHF\u{A0}1.234,50", [.separators]),
    Row("DEU", "4,99\u{A0}€", "4.99\u{A0}€", [.separators]),
    Row("DEU", "1.234,50\u{A0}€", "1,234.50\u{A0}€", [.separators]),
    Row("DEU", "1.234,50\u{A0}€", "1\u{202F}234,50\u{A0}€", [.separators]),
    Row("POL", "1234,50\u{A0}zł", "1\u{A0}234,50\u{A0}zł", [.grouping]),
    Row("IND", "₹12,34,567.50", "₹1,234,567.50", [.grouping]),
    Row("USA", "$1,234.50", "$1234.50", [.grouping]),
    Row("USA", "$1,234.50", "$1 234,50", [.separators]),
  ]

  static let invisible: [Row] = [
    Row("FRA", "1\u{202F}234,00\u{A0}€", "1\u{A0}234,00\u{A0}€", [.spacing]),
    Row("FRA", "1\u{202F}234,00\u{A0}€", "1 234,00 €", [.spacing]),
    Row("FRA", "4,99\u{A0}€", "4,99\u{202F}€", [.spacing]),
    Row("FRA", "4,99\u{A0}€", "4,99 €", [.spacing]),
    Row("FRA", "4,99\u{A0}€", "4,99€", [.spacing]),
    Row("FRA", "4,99\u{A0}€", " 4,99\u{A0}€", [.spacing]),
    Row("FRA", "4,99\u{A0}€", "4,99\u{A0}\u{A0}€", [.spacing]),
    Row("EGY", "\u{200F}٤٩٩\u{A0}ج.م.\u{200F}", "٤٩٩\u{A0}ج.م.", [.directionMarks]),
    Row("EGY", "\u{200F}٤٩٩\u{A0}ج.م.\u{200F}", "\u{200E}٤٩٩\u{A0}ج.م.\u{200F}", [.directionMarks]),
    Row("EGY", "\u{200F}٤٩٩\u{A0}ج.م.", "٤٩٩\u{A0}ج.م.\u{200F}", [.directionMarks]),
    Row("EGY", "\u{200F}٤٩٩\u{A0}ج.م.\u{200F}", "٤٩٩ ج.م.", [.spacing, .directionMarks]),
    // The mark and the space are swapped.
    Row("ISR", "4.99\u{A0}\u{200F}₪", "4.99\u{200F}\u{A0}₪", [.directionMarks]),
    Row("ISR", "\u{200F}4.99\u{A0}₪", "\u{200E}-4.99\u{A0}₪", [.amount, .directionMarks]),
    Row("USA", "$4.99", "$4.99\u{200B}", [.spacing]),
  ]

  static let texts: [Row] = [
    Row("USA", "$4.99", "", [.notAPrice]),
    Row("USA", "$4.99", "free", [.notAPrice]),
    Row("USA", "$4.99", "$0.99 – $4.99", [.notAPrice]),
    Row("USA", "$4.99", "error 404", [.amount, .notAPrice]),
    Row("GBR", "£3.99", "", [.notAPrice]),
    Row("GBR", "£3.99", "Free", [.notAPrice]),
    Row("GBR", "£3.99", "3.99 plus 2.00", [.notAPrice]),
    Row("GBR", "£3.99", "about 3.99", [.notAPrice]),
    Row("GBR", "£3.99", "about 9.99", [.amount, .notAPrice]),
    Row("DEU", "4,99\u{A0}€", "1,99 Taler", [.amount, .notAPrice]),
    Row("USA", "$4.99", "$4.99/month", [.notAPrice]),
    Row("USA", "$4.99", "from $4.99", [.notAPrice, .spacing]),
    Row("USA", "$4.99", "$5.99/month", [.amount, .notAPrice]),
    Row("USA", "$4.99", "€4.99/month", [.currency, .notAPrice]),
    Row("USA", "$4.99", "<b>$4.99</b>", [.notAPrice]),
    Row("JPN", "￥700", "700円（税込）", [.order, .notAPrice].sorted()),
    Row("DEU", "4,99\u{A0}€", "ab 4,99\u{A0}€", [.notAPrice, .spacing]),
    Row("DEU", "4,99\u{A0}€", "4,99\u{A0}€ TTC", [.notAPrice, .spacing]),
    // HTML that was not decoded.
    Row("DEU", "4,99\u{A0}€", "4,99&nbsp;€", [.notAPrice]),
    Row("DEU", "4,99\u{A0}€", "4,99\u{A0}&euro;", [.notAPrice]),
    Row("DEU", "4,99\u{A0}€", "4,99&#xA0;€", [.notAPrice]),
    Row("DEU", "4,99\u{A0}€", "4,99&#160;€", [.notAPrice]),
    Row("DEU", "4,99\u{A0}€", "4,99&#160;$", [.currency, .notAPrice]),
    Row("DEU", "4,99\u{A0}€", "&#x35;,99\u{A0}€", [.amount, .notAPrice]),
    Row("GBR", "£3.99", "£&nbsp;9.99", [.amount, .notAPrice]),
    // Names of several words.
    Row("DEU", "4,99\u{A0}€", "ab 4,99 US-Dollar", [.currency, .notAPrice, .spacing]),
    Row("DEU", "4,99\u{A0}€", "nur 3,99 Schweizer Franken", [.amount, .currency, .notAPrice, .spacing]),
    Row("USA", "$4.99", "from 4.99 Australian dollars", [.currency, .notAPrice, .spacing]),
    Row("USA", "$4.99", "$4.99 US dollars", [.symbol, .spacing]),
    Row("USA", "$4.99", "$4.99 Australian dollars", [.currency, .spacing]),
    Row("USA", "$4.99", "only a $4.99", [.notAPrice, .spacing]),
    Row("USA", "$4.99", "$4.99M", [.currency]),
    // A short word may be the abbreviation of an unknown currency.
    Row("IND", "₹499.00", "Rs. 499.00", [.currency, .spacing]),
    Row("USA", "$4.99", "XYZ\u{A0}4.99", [.currency, .spacing]),
    Row("USA", "free", "gratis", [.text]),
    Row("USA", "for free", "for\u{A0}free", [.spacing]),
  ]

  static let displays: [Row] = same + meanings + symbols + orders + numbers + invisible + texts

  @Test(arguments: displays)
  func findsClasses(row: Row) throws {
    let reader = try SharedReaders.reader(row.storefront)
    let comparison = DisplayComparison(expected: row.expected, actual: row.actual, reader)
    #expect(comparison.classes == row.classes)
    #expect(comparison.codePoints.isEmpty == row.classes.isEmpty)
  }

  /// The classes do not depend on which display is the expected one.
  @Test(arguments: displays)
  func findsSameClassesInReverse(row: Row) throws {
    let reader = try SharedReaders.reader(row.storefront)
    let comparison = DisplayComparison(expected: row.actual, actual: row.expected, reader)
    #expect(comparison.classes == row.classes)
  }

  /// Three digits after a separator are a group or a fraction, depending on the amount or else the locale.
  @Test func amountDecidesMeaningOfSeparator() throws {
    let reader = try PriceReader(storefront: Storefront("DEU"))
    let classes = { (actual: String, amount: Amount?) in
      DisplayComparison(
        expected: "1.234\u{A0}€",
        actual: actual,
        reader,
        amount: amount,
        actualAmount: amount
      ).classes
    }
    #expect(classes("1,234\u{A0}€", nil) == [.amount, .digits])
    #expect(classes("1,234\u{A0}€", "1234") == [.separators])
    #expect(classes("1,235\u{A0}€", "1234") == [.amount, .digits])
  }

  /// Without a known actual amount, the locale decides what the actual text means, not the expected amount.
  @Test func reportsThousandfoldAmount() throws {
    let style = PriceStyle(digits: .fixed(3))
    let reader = try PriceReader(storefront: Storefront("USA"), style: style)
    let comparison = DisplayComparison(expected: "$9.990", actual: "$9,990", reader, amount: "9.99")
    #expect(comparison.classes == [.amount, .digits])
    let reversed = DisplayComparison(
      expected: "$0.99",
      actual: "$\u{202E}0.99\u{202C}",
      reader,
      amount: "0.99"
    )
    #expect(reversed.classes == [.amount])
  }

  /// The position of a difference is found even in a long text.
  @Test func findsPositionInLongText() {
    let long = String(repeating: "a", count: 3000)
    let points = DisplayComparison(expectedText: long + "b", actual: long + "c").codePoints
    #expect(
      points.map(\.position) == [3001] && points.map(\.expected) == ["b"] && points.map(\.actual) == ["c"]
    )
    let inserted = DisplayComparison(expectedText: long, actual: "b" + long).codePoints
    #expect(inserted.map(\.position) == [1] && inserted.map(\.expected) == [nil])
  }

  /// Messages with prices in isolates.
  static let messages: [Row] = [
    Row("DEU", "Buy for \u{2068}4,99\u{A0}€\u{2069}", "Buy for \u{2068}4,99\u{A0}€\u{2069}", []),
    Row("DEU", "Buy for \u{2068}4,99\u{A0}€\u{2069}", "Get for \u{2068}4,99\u{A0}€\u{2069}", [.text]),
    Row("DEU", "Buy for \u{2068}4,99\u{A0}€\u{2069}", "Buy for \u{2068}4,99 €\u{2069}", [.spacing]),
    Row("DEU", "Buy for \u{2068}4,99\u{A0}€\u{2069}", "Buy for \u{2068}5,99\u{A0}€\u{2069}", [.amount]),
    Row(
      "DEU",
      "Buy for \u{2068}4,99\u{A0}€\u{2069}",
      "Get for \u{2068}5,99\u{A0}€\u{2069}",
      [.amount, .text]
    ),
    Row("DEU", "Buy for \u{2068}4,99\u{A0}€\u{2069}", "Buy for 4,99\u{A0}€", [.directionMarks]),
    Row(
      "DEU",
      "Buy for \u{2068}4,99\u{A0}€\u{2069}",
      "Buy for \u{2067}4,99\u{A0}€\u{2069}",
      [.directionMarks]
    ),
    Row("DEU", "Buy for \u{2068}4,99\u{A0}€\u{2069}", "Buy for 5,99\u{A0}€", [.text]),
    Row("DEU", "Buy \u{2068}Level 1\u{2069}", "Buy \u{2068}Level 2\u{2069}", [.text]),
    Row("DEU", "Buy \u{2068}Level 1\u{2069}", "Buy \u{2068}Level\u{A0}1\u{2069}", [.spacing]),
    Row("DEU", "Buy now", "Buy\u{A0}now", [.spacing]),
    Row("DEU", "Buy now", "Buy \u{200E}now", [.directionMarks]),
  ]

  @Test(arguments: messages)
  func findsClassesInMessages(row: Row) throws {
    let reader = try SharedReaders.reader(row.storefront)
    for (old, new) in [(row.expected, row.actual), (row.actual, row.expected)] {
      #expect(DisplayComparison(expectedText: old, actual: new, reader).classes == row.classes)
    }
  }

  /// Any two texts: only equal bytes have no classes and no code points, and the classes are the same in reverse.
  @Test func randomTexts() throws {
    let readers: [PriceReader?] = [nil, try SharedReaders.reader("DEU")]
    let alphabet = Array(
      "0123456789.,'’$€-+()zł٤٩٫٬\u{A0}\u{202F} \u{200F}\u{200E}\u{2068}\u{2069}\u{301}é".unicodeScalars
    )
    var numbers = SeededNumbers(seed: 7)
    for _ in 0..<2000 {
      let text = {
        String(
          String.UnicodeScalarView(
            (0..<Int.random(in: 0...8, using: &numbers)).compactMap { _ in
              if Int.random(in: 0..<10, using: &numbers) > 0 {
                return alphabet.randomElement(using: &numbers)
              }
              return Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &numbers))
            }
          )
        )
      }
      let (first, second) = (text(), text())
      for reader in readers {
        for (old, new) in [(first, second), (first, first)] {
          let forward = DisplayComparison(expected: old, actual: new, reader)
          let areSame = old.utf8.elementsEqual(new.utf8)
          // The same text in reverse is the same comparison.
          let backward = areSame ? forward : DisplayComparison(expected: new, actual: old, reader)
          let message = DisplayComparison(expectedText: old, actual: new, reader)
          let areEmpty = [forward.classes.isEmpty, forward.codePoints.isEmpty, message.classes.isEmpty]
          if forward.classes != backward.classes || areEmpty.contains(!areSame) {
            Issue.record(
              "\(old.debugDescription) \(new.debugDescription): \(forward.classes) \(backward.classes)"
            )
          }
        }
      }
    }
  }
}
