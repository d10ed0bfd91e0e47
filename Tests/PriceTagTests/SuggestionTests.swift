import Testing

@testable import PriceTag
@testable import PriceTagText

/// The suggestions of errors for unknown names.
@Suite struct SuggestionTests {
  static let storefronts: [(id: String, suggestion: String?)] = [
    // Another code of the territory.
    ("UK", "GBR"), ("uk", "GBR"), ("840", "USA"), ("392", "JPN"),
    // A letter that is missing, extra or swapped.
    ("USAA", "USA"), ("US A", "USA"), ("US\u{202E}A", "USA"), ("JNP", "JPN"), ("jpn1", "JPN"),
    // A replaced last letter, after the territory's two letters.
    ("JPA", "JPN"), ("jpx", "JPN"), ("USB", "USA"), ("GBN", "GBR"),
    // English names, abbreviated names, and misspelled names.
    ("Japan", "JPN"), ("GERMANY", "DEU"), ("germ", "DEU"), ("Germny", "DEU"), ("JAP", "JPN"),
    ("United States", "USA"),
    ("the Netherlands", "NLD"), ("holland", "NLD"), ("Côte d'Ivoire", "CIV"), ("cote d’ivoire", "CIV"),
    ("Bosnia and Herzegovina", "BIH"), ("South Korea", "KOR"), ("korea", "KOR"), ("Turkey", "TUR"),
    ("Türkiye", "TUR"), ("hong_kong", "HKG"), ("CHI", "CHL or CHN"),
    // No suggestion.
    ("ZZZ", nil), ("XQZ", nil), ("ZZ", nil), ("AD", nil), ("united", nil), ("Atlantis", nil), ("", nil),
    ("🇯🇵", nil),
    ("\u{202E}\u{202E}", nil),
    ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", nil),
  ]

  @Test(arguments: storefronts)
  func suggestsStorefront(id: String, suggestion: String?) throws {
    let error = try #require(throws: PriceTagError.self) { try Storefront(id) }
    #expect(suggestedValue(of: error) == suggestion)
  }

  static let currencies: [(code: String, suggestion: String?)] = [
    // A letter that is missing, extra or swapped.
    ("USDD", "USD"), ("usdc", "USD"), ("UDS", "USD"), ("JYP", "JPY"), ("GBPP", "GBP"), ("EU", "EUR"),
    // Symbols.
    ("€", "EUR"), ("£", "GBP"), ("¥", "JPY or CNY"), ("￥", "JPY or CNY"), ("$", "USD, or another dollar"),
    ("₩", "KRW"), ("₹", "INR"), ("US$", "USD"), ("R$", "BRL"), ("kr", "SEK, NOK or DKK"), ("zł", "PLN"),
    // Names, and common words for currencies.
    ("EURO", "EUR"), ("euros", "EUR"), ("RMB", "CNY"), ("renminbi", "CNY"), ("YEN", "JPY"), ("NTD", "TWD"),
    ("dollar", "USD, or another dollar"), ("US dollar", "USD"), ("US Dollars", "USD"),
    ("Australian dollar", "AUD"),
    ("japanese yen", "JPY"), ("pound", "GBP, or another pound"), ("pounds sterling", "GBP"), ("baht", "THB"),
    ("forint", "HUF"), ("Forrint", "HUF"),
    // A store that charges it.
    ("JPN", "JPY"), ("USA", "USD"), ("GBR", "GBP"), ("US", "USD"), ("DE", "EUR"),
    // A code with a replaced letter is another currency or token.
    ("BTC", nil), ("ETX", nil), ("ZZZ", nil), ("USX", nil), ("EUX", nil), ("ZZ", nil), ("bitcoin", nil),
    ("DOL", nil),
    ("AFG", nil), ("", nil), ("♥", nil), ("US\u{0}\u{0}\u{0}", nil),
  ]

  @Test(arguments: currencies)
  func suggestsCurrency(code: String, suggestion: String?) throws {
    let error = try #require(throws: PriceTagError.self) { try Currency(code) }
    #expect(suggestedValue(of: error) == suggestion)
  }

  static let locales: [(tag: String, suggestion: String?)] = [
    // Territories.
    ("us", "en-US"), ("jp", "ja-JP"), ("USA", "en-US"), ("Germany", "de-DE"), ("jp-JP", "ja-JP"),
    ("cn_CN", "zh-CN"), ("European Union", "en-EU"), ("Tristan da Cunha", "en-TA"),
    // Languages.
    ("english", "en-US"), ("English", "en-US"), ("german", "de-DE"), ("Brazilian Portuguese", "pt-BR"),
    ("simplified chinese", "zh-CN"), ("Traditional Chinese", "zh-TW"), ("japanes", "ja-JP"),
    ("engl", "en-US"),
    // A letter that is missing, extra or swapped, or a territory in three letters.
    ("en-USA", "en-US"), ("en_GBR", "en-GB"), ("de-DEE", "de-DE"), ("pt-BRR", "pt-BR"),
    ("zh-Hnat-TW", "zh-Hant-TW"),
    // No suggestion.
    ("xx", nil), ("xx-YY", nil), ("en-ZZ", nil), ("qq_QQ", nil), ("klingon", nil), ("ens", nil),
    ("en-US-valencia", nil),
    ("", nil),
  ]

  @Test(arguments: locales)
  func suggestsPriceLocale(tag: String, suggestion: String?) throws {
    let error = try #require(throws: PriceTagError.self) { try PriceLocale(tag) }
    #expect(suggestedValue(of: error) == suggestion)
  }

  static let words: [(value: String, suggestion: String?)] = [
    ("amout", "amount"), ("AMOUNT", "amount"), ("amuont", "amount"), ("price_locale", "price-locale"),
    ("stroefront", "storefront"), ("currrency", "currency"), ("cash", nil), ("xyz", nil), ("a", nil),
    ("", nil),
  ]

  @Test(arguments: words)
  func suggestsValueOfList(value: String, suggestion: String?) {
    let options = ["amount", "storefront", "currency", "price-locale"]
    #expect(didYouMean(value, among: options) == (suggestion.map { " (did you mean \"\($0)\"?)" } ?? ""))
  }

  /// Compares the distance with a plain implementation that uses a table.
  @Test func countsSameMistakesAsTable() throws {
    func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
      var table = Array(repeating: Array(0...second.count), count: first.count + 1)
      for row in 0...first.count {
        for column in 0...second.count {
          if row == 0 || column == 0 {
            table[row][column] = row + column
            continue
          }
          let isSame = first[row - 1] == second[column - 1]
          var mistakes = min(table[row - 1][column] + 1, table[row][column - 1] + 1)
          mistakes = min(mistakes, table[row - 1][column - 1] + (isSame ? 0 : 1))
          if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
            mistakes = min(mistakes, table[row - 2][column - 2] + 1)
          }
          table[row][column] = mistakes
        }
      }
      return table[first.count][second.count]
    }
    var random = SystemRandomNumberGenerator()
    func word(_ length: Int) -> String {
      String(decoding: (0..<length).map { _ in UInt8.random(in: 0x61...0x64, using: &random) }, as: UTF8.self)
    }
    for _ in 0..<3000 {
      let (first, second) = (word(.random(in: 1...64)), word(.random(in: 1...64)))
      let (a, b) = (try #require(Spelling(first)), try #require(Spelling(second)))
      let expected = distance(a.letters, b.letters)
      let comparison = SpellingComparison(a)
      #expect(
        comparison.mistakes(in: b.letters, count: b.letters.count, limit: 64) == expected,
        "\(first) \(second)"
      )
      let limited = comparison.mistakes(in: b.letters, count: b.letters.count, limit: 5)
      #expect(expected > 5 ? limited > 5 : limited == expected, "\(first) \(second)")
    }
  }

  /// The suggestions for symbols and words are existing currencies.
  @Test func suggestsExistingCurrencies() {
    let codes = Set(LocaleData.embedded.currencies.map(\.code))
    for suggestion in MoneyNames.symbols.values + MoneyNames.words.map(\.code) {
      let suggested = suggestion.split { !$0.isUppercase }.filter { $0.count == 3 }
      #expect(!suggested.isEmpty && suggested.allSatisfy { codes.contains(String($0)) }, "\(suggestion)")
    }
  }

  /// Returns the suggestion of an error without quotation marks.
  private func suggestedValue(of error: PriceTagError) -> String? {
    guard error.fix.hasPrefix("did you mean "), error.fix.hasSuffix("?") else { return nil }
    return String(error.fix.dropFirst("did you mean ".count).dropLast()).replacing("\"", with: "")
  }
}
