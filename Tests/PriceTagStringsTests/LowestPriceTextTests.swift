import PriceTag
import PriceTagStrings
import Testing

@Suite struct LowestPriceTextTests {
  private let strings = StoreStrings.embedded

  private func price(_ amount: Amount, _ storefront: String = "USA") throws -> FormattedPrice {
    try PriceFormatter(storefront: Storefront(storefront)).format(amount)
  }

  static let texts: [(storefront: String, language: String, from: String, range: String)] = [
    ("USA", "en-US", "From $5.00", "From $5.00 to $10.00"),
    ("USA", "de", "Ab $5.00", "Von $5.00 bis $10.00"),
    ("DEU", "en-GB", "From 5,00\u{A0}€", "From 5,00\u{A0}€ to 10,00\u{A0}€"),
    ("JPN", "ja", "￥5から", "￥5〜￥10"), ("USA", "es-MX", "Desde $5.00", "De $5.00 a $10.00"),
    ("USA", "fi", "Alkaen $5.00", "$5.00 – $10.00"), ("JPN", "ru", "От ￥5", "От ￥5 до ￥10"),
  ]

  @Test(arguments: texts)
  func formatsLowestPrice(storefront: String, language: String, from: String, range: String) throws {
    let (low, high) = (try price(5, storefront), try price(10, storefront))
    #expect(try strings.price(from: low, in: UILanguage(language)).plain == from)
    #expect(try strings.price(from: low, to: high, in: UILanguage(language)).plain == range)
  }

  /// Of a range, the words have one bound, and not both with the dash between them.
  @Test(arguments: [("USA", "de", "Ab $5.00", "Von $5.00 bis $10.00"), ("JPN", "ja", "￥5から", "￥5〜￥10")])
  func writesBoundsOfRanges(storefront: String, language: String, from: String, range: String) throws {
    let formatter = try PriceFormatter(storefront: Storefront(storefront))
    let language = try UILanguage(language)
    let (lower, upper) = (try formatter.format(from: 5, to: 7), try formatter.format(from: 6, to: 10))
    #expect(try strings.price(from: lower, in: language).plain == from)
    #expect(try strings.price(from: lower, to: upper, in: language).plain == range)
    #expect(try strings.price(from: lower, to: formatter.format(10), in: language).plain == range)
  }

  /// The words and the qualifier would repeat each other.
  @Test func rejectsQualifierAtLeast() throws {
    let style = PriceStyle(qualifier: .atLeast)
    let price = try PriceFormatter(storefront: Storefront("FRA"), style: style).format(5)
    let error = #expect(throws: StringsError.self) { try strings.price(from: price, in: .development) }
    #expect(
      error?.description
        == "the price \"\u{2265}5,00\\u{A0}€\" has the qualifier at-least, which the words repeat; use the qualifier none"
    )
    #expect(throws: StringsError.self) { try strings.price(from: price, to: price, in: .development) }
  }

  /// Which of its prices a range saves is unknown.
  @Test func rejectsSavingOfRange() throws {
    let formatter = try PriceFormatter(storefront: Storefront("USA"))
    let (range, single) = (try formatter.format(from: 5, to: 10), try formatter.format(20))
    for (price, other) in [(range, single), (single, range)] {
      let error = #expect(throws: StringsError.self) {
        try strings.saving(of: price, every: .month, against: other, every: .month, in: .development)
      }
      #expect(error?.problem == "cannot compute the saving of a range of prices")
    }
  }

  /// In all languages, the texts contain the prices unchanged, and words unlike those of one price.
  @Test func preservesPricesInAllLanguages() throws {
    let (low, high) = (try price("4.99"), try price("1234.50"))
    for language in strings.languages {
      let from = try strings.price(from: low, in: language)
      let range = try strings.price(from: low, to: high, in: language)
      #expect(from.isolated.contains(low.isolated) && from.plain != low.text, "\(language)")
      #expect(range.isolated.contains(low.isolated) && range.isolated.contains(high.isolated), "\(language)")
      #expect(from.language == language && range.language == language)
    }
  }

  @Test func rejectsInvalidRanges() throws {
    let (low, high) = (try price(5), try price(10))
    for (first, second) in [(high, low), (low, try price(10, "DEU"))] {
      let error = #expect(throws: StringsError.self) {
        try strings.price(from: first, to: second, in: .development)
      }
      #expect(error?.code == .invalidArgument)
    }
    #expect(try strings.price(from: low, to: low, in: .development).plain == "From $5.00 to $5.00")
  }
}
