import PriceTag
import Testing

@testable import PriceTagStrings

@Suite struct LanguageTests {
  @Test(arguments: [
    ("de", "de"), ("PT_br", "pt-BR"), ("iw", "he"), ("zh-hant-tw", "zh-Hant-TW"), ("en-xa", "en-XA"),
    ("ar_XB", "ar-XB"),
  ])
  func aTagIsCanonical(tag: String, identifier: String) throws {
    let language = try UILanguage(tag)
    #expect(language.identifier == identifier)
    #expect(try language == UILanguage(identifier))
  }

  @Test(arguments: [
    ("", StringsError.Code.malformedLanguage, "the locale is empty: write a BCP 47 tag such as en-US"),
    ("xx", .unknownLanguage, "ICU has no data for the language of \"xx\""),
    (
      "de-DE-u-co-phonebk", .malformedLanguage,
      "\"de-DE-u-co-phonebk\" has an extension, which says nothing of words: give de-DE"
    ),
    (
      "en@currency=EUR", .malformedLanguage,
      "\"en@currency=EUR\" has keywords, which says nothing of words: give the locale without what follows the @"
    ),
    ("a b", .malformedLanguage, "\"a b\" is not a BCP 47 tag"),
  ])
  func whatIsNoLanguageIsRefused(tag: String, code: StringsError.Code, start: String) {
    let error = #expect(throws: StringsError.self) { try UILanguage(tag) }
    #expect(error?.code == code)
    #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
  }

  static let suggestions: [(tag: String, meant: String?)] = [
    ("english", "en"), ("French", "fr"), ("Brazilian Portuguese", "pt-BR"), ("simplified chinese", "zh-Hans"),
    ("germna", "de"), ("jp", "ja-JP"), ("de-DEE", "de-DE"), ("xx", nil), ("qq_QQ", nil), ("klingon", nil),
  ]

  @Test(arguments: suggestions)
  func aLanguageIsSuggested(tag: String, meant: String?) throws {
    let error = try #require(throws: StringsError.self) { try UILanguage(tag) }
    #expect(error.fix.hasSuffix(meant.map { "such as en-US (did you mean \($0)?)" } ?? "such as en-US"))
  }

  @Test func aLanguageKnowsItsPluralsDirectionAndNames() throws {
    let rows:
      [(
        language: String, plurals: [String], direction: FormattedPrice.Direction, own: String, japan: String,
        yen: String
      )] = [
        ("en-US", ["one", "other"], .leftToRight, "American English", "Japan", "Japanese Yen"),
        (
          "ar", ["zero", "one", "two", "few", "many", "other"], .rightToLeft, "العربية", "اليابان",
          "ين ياباني"
        ),
        ("pl", ["one", "few", "many", "other"], .leftToRight, "polski", "Japonia", "jen japoński"),
        ("ja", ["other"], .leftToRight, "日本語", "日本", "日本円"),
        ("ur", ["one", "other"], .rightToLeft, "اردو", "جاپان", "جاپانی ین"),
        ("fr-CA", ["one", "many", "other"], .leftToRight, "français canadien", "Japon", "yen japonais"),
      ]
    for row in rows {
      let language = try UILanguage(row.language)
      #expect(language.pluralCategories == row.plurals)
      #expect(language.direction == row.direction)
      #expect(language.name(of: language) == row.own)
      #expect(try language.name(of: Storefront("JPN")) == row.japan)
      #expect(try language.name(of: Currency("JPY")) == row.yen)
    }
    #expect(UILanguage.development.ordinalCategories == ["one", "two", "few", "other"])
    #expect(UILanguage.rightToLeftPseudo.direction == .rightToLeft)
  }

  /// CLDR has a name for each language, territory and currency of the stores, in each of the store's languages.
  @Test func nothingIsWithoutAName() throws {
    let currencies = Set(LocaleData.embedded.storefronts.map { $0.currency(on: .today) })
    var unnamed: [String] = []
    for language in StoreStrings.embedded.languages {
      for other in StoreStrings.embedded.languages where language.name(of: other) == other.identifier {
        unnamed.append("\(language) \(other)")
      }
      for storefront in LocaleData.embedded.storefronts where language.name(of: storefront) == storefront.id {
        // Danish, Norwegian and Swedish call the United States USA.
        if storefront.id == "USA", ["da", "nb", "sv"].contains(language.identifier) { continue }
        unnamed.append("\(language) \(storefront)")
      }
      for currency in currencies where language.name(of: currency) == currency.code {
        unnamed.append("\(language) \(currency)")
      }
    }
    #expect(unnamed == [])
  }

  // MARK: Matching

  static let matches: [(asked: String, language: String, reason: LanguageMatch.Reason)] = [
    ("de", "de", .exact), ("iw", "he", .exact), ("pt-br", "pt-BR", .exact), ("zh_Hant", "zh-Hant", .exact),
    ("es-AR", "es-MX", .parent("es-419")), ("es-419", "es-MX", .parent("es-419")),
    ("es", "es-ES", .parent("es")),
    ("es-GQ", "es-ES", .parent("es")), ("es-CA", "es-MX", .parent("es")), ("es-DE", "es-ES", .parent("es")),
    ("pt-ES", "pt-PT", .parent("pt")), ("pt-US", "pt-BR", .parent("pt")),
    ("zh-HK", "zh-Hant", .parent("zh-Hant")),
    ("zh-TW", "zh-Hant", .parent("zh-Hant")),
    ("zh-MO", "zh-Hant", .parent("zh-Hant")), ("zh-CN", "zh-Hans", .parent("zh")),
    ("zh", "zh-Hans", .parent("zh")),
    ("zh-SG", "zh-Hans", .parent("zh")), ("pt", "pt-BR", .parent("pt")), ("pt-AO", "pt-PT", .parent("pt-PT")),
    ("nb-NO", "nb", .parent("nb")), ("no", "nb", .parent("no")), ("nn", "nb", .parent("no")),
    ("fr", "fr-FR", .parent("fr")), ("fr-BE", "fr-FR", .parent("fr")), ("en", "en-US", .parent("en")),
    ("en-IN", "en-GB", .parent("en-001")), ("en-NZ", "en-GB", .parent("en-001")),
    ("en-001", "en-GB", .parent("en-001")),
    ("en-PH", "en-US", .parent("en")), ("de-CH-1996", "de", .nearest),
    ("de-DE-u-co-phonebk", "de", .parent("de")),
    ("id-ID", "id", .parent("id")), ("in", "id", .exact), ("tl", "en-US", .fallback),
    ("gsw", "de", .nearest), ("yue", "zh-Hant", .nearest), ("sr", "en-US", .fallback),
    ("pa-Arab", "en-US", .fallback), ("ru-Latn", "en-US", .fallback),
    ("zh-Hans-TW", "zh-Hans", .parent("zh-Hans")),
    ("xx", "en-US", .fallback), ("", "en-US", .fallback), ("*", "en-US", .fallback),
    ("a\u{0}b", "en-US", .fallback), (String(repeating: "en-", count: 1000), "en-US", .fallback),
  ]

  @Test(arguments: matches)
  func aReaderGetsTheNearest(asked: String, language: String, reason: LanguageMatch.Reason) {
    let match = StoreStrings.embedded.matcher.match(asked)
    #expect(match.language.identifier == language)
    #expect(match.reason == reason)
    #expect(match.requested == asked)
  }

  @Test func aMatchSaysWhy() {
    let matcher = StoreStrings.embedded.matcher
    #expect(matcher.match("es-AR").description == "es-AR: es-MX, which stands for es-419")
    #expect(matcher.match("zh-HK").description == "zh-HK: zh-Hant, its parent")
    #expect(matcher.match("iw").description == "iw: he, its canonical tag")
    #expect(matcher.match("DE").description == "DE: de")
    #expect(matcher.match("gsw").description == "gsw: de, the nearest")
    #expect(matcher.match("sr").description == "sr: en-US, for want of anything nearer")
    #expect(matcher.match(["sr", "xx", "nn"]).description == "nn: nb, which stands for no")
  }

  static let headers: [(header: String, language: String)] = [
    ("es-AR,es;q=0.9,en;q=0.8", "es-MX"),
    ("en;q=0.5, de;q=0.9", "de"),
    ("sr, nn;q=0.8, en;q=0.5", "nb"),
    ("sw, de;q=0.8", "de"),
    ("gsw;q=0.8, xx", "de"),
    ("fr;q=0, de;q=0.1", "de"),
    // What is refused is not answered, where anything else can be.
    ("en-US;q=0, en", "en-GB"),
    ("en-US;q=0", "en-GB"),
    ("en-US;q=0, xx", "en-GB"),
    ("en;q=0, *", "ar"),
    ("en;q=0, en-GB", "en-GB"),
    ("en-GB, en;q=0", "en-GB"),
    ("en;q=0, en-GB, en-US;q=0.5", "en-GB"),
    ("*;q=0, fr", "fr-FR"),
    ("*;q=0, xx", "en-US"),
    ("*;q=0", "en-US"),
    ("es-MX;q=0, es-AR", "es-ES"),
    ("pt-BR;q=0.000, pt", "pt-PT"),
    ("nb;q=0, nn", "en-US"),
    ("en-US;q=0.0, *;q=0.5", "en-GB"),
    ("de;q=0, de-CH, it", "it"),
    ("*", "en-US"),
    ("xx, *;q=0.5", "en-US"),
    ("", "en-US"),
    (",,;;, ;q=1, de;q=x, it;q=0.5;q=1, ja;q=1.001, fr;q=0.2", "fr-FR"),
    ("de;Q=1", "de"),
    (" \tja \t; q=0.7", "ja"),
    ("de;q=1.5", "en-US"),
    (String(repeating: "xx,", count: 31) + "de", "de"),
    (String(repeating: "xx,", count: 32) + "de", "en-US"),
    (String(repeating: "x", count: 4096) + ",de", "en-US"),
    ("d\u{e9}, \u{0}, ко", "en-US"),
  ]

  @Test(arguments: headers)
  func anAcceptLanguageIsRead(header: String, language: String) {
    #expect(StoreStrings.embedded.matcher.match(acceptLanguage: header).language.identifier == language)
  }

  @Test(arguments: [
    ("fr-CA", ["fr-FR", "en-US"]), ("en-AU", ["en-GB", "en-US"]), ("en-GB", ["en-US"]),
    ("es-MX", ["es-ES", "en-US"]),
    ("pt-PT", ["pt-BR", "en-US"]), ("zh-Hant", ["en-US"]), ("de", ["en-US"]), ("en-US", []),
  ])
  func aMissingStringComesFromTheParent(language: String, fallbacks: [String]) throws {
    let found = try StoreStrings.embedded.matcher.fallbacks(of: UILanguage(language))
    #expect(found.map(\.identifier) == fallbacks)
  }

  @Test func anotherListIsMatchedAsWell() throws {
    let matcher = LanguageMatcher(
      try ["sr", "sr-Latn", "hr", "en-GB"].map { try UILanguage($0) },
      fallback: try UILanguage("en-GB")
    )
    #expect(matcher.match("sr-RS").language.identifier == "sr")
    #expect(matcher.match("sr-ME").language.identifier == "sr-Latn")
    #expect(matcher.match("bs").language.identifier == "hr")
    #expect(matcher.match("en-US").language.identifier == "en-GB")
    #expect(matcher.match("ja").reason == .fallback)
    #expect(LanguageMatcher([]).match("ja").language == .development)
  }

  /// The alphabets' own orders, by CLDR.
  static let orders: [(language: String, sorted: [String])] = [
    ("en", ["Åland", "Angola", "Österreich", "Zambia"]), ("sv", ["Angola", "Zambia", "Åland", "Österreich"]),
    ("de", ["Åland", "Angola", "Österreich", "Zambia"]), ("cs", ["cena", "daň", "hrad", "chata", "ikona"]),
    ("ja", ["アイスランド", "アメリカ", "日本"]), ("da", ["Zambia", "Aarhus"]),
    ("fr", ["", "cote", "côte", "côté"]),
  ]

  @Test(arguments: orders)
  func namesAreSortedAsTheLanguageDoes(language: String, sorted: [String]) throws {
    #expect(try UILanguage(language).sorted(sorted.reversed()) { $0 } == sorted)
    #expect(try UILanguage(language).sorted([String]()) { $0 } == [])
  }
}
