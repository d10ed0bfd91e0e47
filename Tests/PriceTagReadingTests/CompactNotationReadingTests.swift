import PriceTag
import PriceTagReading
import Testing

/// Prices in compact notation may be rounded, so no reader takes one for an amount.
@Suite struct CompactNotationReadingTests {
  static let places: [(locale: String, currency: String)] = [
    ("en-US", "USD"), ("de-DE", "EUR"), ("fr-FR", "EUR"), ("es-ES", "EUR"), ("pt-CV", "CVE"),
    ("ja-JP", "JPY"), ("zh-CN", "CNY"), ("ko-KR", "KRW"), ("hi-IN", "INR"), ("en-IN", "INR"),
    ("ar-EG", "EGP"),
    ("he-IL", "ILS"), ("pl-PL", "PLN"), ("da-DK", "DKK"), ("sv-SE", "SEK"), ("en-PG", "PGK"),
    ("en-ZM", "ZMW"),
  ]

  static let amounts: [Amount] = [
    "1000", "1200", "-12000", "100000", "1200000", "20000000", "1000000000", "2500000000000",
  ]

  @Test(arguments: places)
  func readerOfCompactStyleRefusesEveryText(locale: String, currency: String) throws {
    for notation in [PriceStyle.Notation.compactShort, .compactLong] {
      let formatter = try PriceFormatter(
        locale: PriceLocale(locale),
        currency: Currency(currency),
        style: PriceStyle(rounding: .halfEven, notation: notation)
      )
      let reader = SharedReaders.reader(formatter)
      for text in [try formatter.string(for: "1200000"), try formatter.string(for: "5"), "4.99"] {
        for strictness in PriceReader.Strictness.allCases {
          let error = #expect(throws: ReadingError.self) { try reader.read(text, strictness) }
          #expect(error?.code == .compactNotation, "\(text)")
        }
      }
    }
  }

  /// A reader of standard notation reads the amount of a compact price exactly, or refuses it.
  @Test(arguments: places)
  func readerOfStandardStyleReadsNoOtherAmount(locale: String, currency: String) throws {
    let (locale, currency) = (try PriceLocale(locale), try Currency(currency))
    for width in [PriceStyle.Width.standard, .narrow, .iso, .name] {
      let reader = SharedReaders.reader(
        try PriceFormatter(locale: locale, currency: currency, style: PriceStyle(width: width))
      )
      for notation in [PriceStyle.Notation.compactShort, .compactLong] {
        let style = PriceStyle(width: width, rounding: .halfEven, notation: notation)
        let formatter = try PriceFormatter(locale: locale, currency: currency, style: style)
        for amount in Self.amounts {
          let price = try formatter.format(amount)
          for strictness in PriceReader.Strictness.allCases {
            guard let read = try? reader.read(price.text, strictness) else { continue }
            #expect(read.amount == price.displayedAmount, "\(price.text) is read as \(read.amount)")
            #expect(!price.parts.contains { $0.type == .compact }, "\(price.text)")
          }
        }
      }
    }
  }

  @Test func errorSaysWhy() throws {
    let style = PriceStyle(notation: .compactShort)
    let reader = try PriceReader(storefront: Storefront("USA"), style: style)
    #expect {
      try reader.read("$1.2K")
    } throws: { error in
      String(describing: error)
        == "\"$1.2K\" may be rounded, because the reader's style is compact-short; read a price in standard notation"
    }
  }

  /// "K" instead of "M" is another amount, although the digits are the same.
  @Test func anotherMagnitudeIsAnotherAmount() throws {
    let style = PriceStyle(notation: .compactShort)
    let reader = try PriceReader(storefront: Storefront("USA"), style: style)
    func classes(_ expected: String, _ actual: String, _ amount: Amount?, _ other: Amount?) -> [DriftClass] {
      DisplayComparison(expected: expected, actual: actual, reader, amount: amount, actualAmount: other)
        .classes
    }
    #expect(classes("$1.2K", "$1.2M", nil, nil).contains(.amount))
    #expect(classes("$1.2K", "$1.2M", "1200", "1200000").contains(.amount))
    #expect(classes("$1.2K", "$1.3K", nil, nil) == [.amount])
    #expect(classes("$1.2K", "$1.2k", "1200", "1200") == [.symbol])
    #expect(classes("$1.2K", "$1.2K", nil, nil).isEmpty)
  }
}
