import PriceTag
import PriceTagReading
import Testing

/// Tests that every storefront's prices can be read back in its price locale.
@Suite struct StorefrontReadingTests {
  /// Amounts in displayed minor units, from zero to 15 digits, with all group sizes.
  static let coefficients: [Int64] = [
    0, 1, 9, 10, 49, 99, 100, 199, 200, 499, 500, 999, 1000, 1099, 9999, 10_000, 12_345, 99_999, 100_000,
    123_456, 999_999, 1_000_000, 1_234_567, 12_345_678, 123_456_789, 123_456_789_012_345,
  ]

  static let styles: [PriceStyle] = [
    PriceStyle(), PriceStyle(zeros: .trim), PriceStyle(width: .narrow), PriceStyle(width: .iso),
    PriceStyle(width: .name), PriceStyle(sign: .accounting), PriceStyle(sign: .always),
  ]

  @Test(arguments: styles)
  func readsAllStorefronts(style: PriceStyle) throws {
    let storefronts = LocaleData.embedded.storefronts
    #expect(storefronts.count == 175)
    try reads(storefronts, style, Self.coefficients)
  }

  /// Styles that fewer shops use, in a quarter of the storefronts.
  static let rareStyles: [PriceStyle] = [
    PriceStyle(width: .hidden, sign: .accounting), PriceStyle(width: .formal), PriceStyle(width: .variant),
    PriceStyle(width: .unambiguous, sign: .accountingAlways), PriceStyle(sign: .exceptZero),
    PriceStyle(width: .hidden, digits: .range(0...3)), PriceStyle(grouping: .never),
    PriceStyle(grouping: .min2, numberingSystem: "arab"), PriceStyle(numberingSystem: "latn"),
  ]

  @Test(arguments: rareStyles)
  func readsRareStyles(style: PriceStyle) throws {
    let storefronts = LocaleData.embedded.storefronts
    try reads(
      stride(from: 0, to: storefronts.count, by: 4).map { storefronts[$0] },
      style,
      [0, 1050, 12_345_678]
    )
  }

  /// Reads the amounts and their negatives in each storefront.
  ///
  /// A reader learns the notation from the texts of its formatter. Of the storefronts that write all amounts alike, one
  /// reads all of them, and the others every fifth.
  private func reads(_ storefronts: [Storefront], _ style: PriceStyle, _ coefficients: [Int64]) throws {
    var notations: Set<[String]> = []
    for storefront in storefronts {
      let formatter = try PriceFormatter(storefront: storefront, style: style)
      let reader = SharedReaders.reader(formatter)
      let amounts = try coefficients.flatMap { [$0, -$0] }.map {
        try Amount(minorUnits: $0, exponent: formatter.display.digits)
      }
      let texts = try amounts.map { try formatter.string(for: $0) }
      let isFirst = notations.insert([formatter.currency.code] + texts).inserted
      for index in amounts.indices where isFirst || index % 5 == 4 {
        let price = Price(
          amount: amounts[index],
          currency: formatter.currency,
          locale: storefront.priceLocale
        )
        for strictness in PriceReader.Strictness.allCases {
          let read = try reader.read(texts[index], strictness)
          if read != price {
            Issue.record("\(storefront) reads \(texts[index].debugDescription) as \(read), \(strictness)")
          }
        }
      }
    }
  }

  /// In its price locale, a storefront's symbol belongs to no other current currency.
  @Test func symbolsAreUnambiguous() throws {
    for storefront in LocaleData.embedded.storefronts {
      let own = storefront.currency(on: .todayInUTC)
      let text = try PriceFormatter(storefront: storefront).string(for: "1234")
      // A reader of another currency does not prefer the storefront's currency.
      let other = try Currency(own.code == "XDR" ? "XAU" : "XDR")
      let reader = try SharedReaders.reader(
        PriceFormatter(locale: storefront.priceLocale, currency: other)
      )
      #expect(try reader.read(text, .lenient).currency == own, "\(storefront) \(text.debugDescription)")
    }
  }
}
