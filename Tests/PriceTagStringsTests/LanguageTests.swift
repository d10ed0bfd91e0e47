import PriceTag
import Testing

@testable import PriceTagStrings

@Suite struct LanguageTests {
  @Test(arguments: [
    ("de", "de"), ("PT_br", "pt-BR"), ("iw", "he"), ("zh-hant-tw", "zh-Hant-TW"), ("en-xa", "en-XA"),
    ("ar_XB", "ar-XB"),
  ])
  func canonicalizesTag(tag: String, identifier: String) throws {
    let language = try UILanguage(tag)
    #expect(language.identifier == identifier)
    #expect(try language == UILanguage(identifier))
  }

  @Test(arguments: [
    (
      "", StringsError.Code.malformedLanguage,
      "the language is empty; use a BCP 47 tag such as \"en-US\""
    ),
    ("xx", .unknownLanguage, "unknown language \"xx\" (ICU has no data for the language)"),
    (
      "de-DE-u-co-phonebk", .malformedLanguage,
      "\"de-DE-u-co-phonebk\" has an extension, which a language cannot have; use \"de-DE\""
    ),
    (
      "en@currency=EUR", .malformedLanguage,
      "\"en@currency=EUR\" has keywords, which a language cannot have; remove the @ and the text after it"
    ),
    ("a b", .malformedLanguage, "\"a b\" is not a BCP 47 tag"),
  ])
  func rejectsInvalidTag(tag: String, code: StringsError.Code, start: String) {
    let error = #expect(throws: StringsError.self) { try UILanguage(tag) }
    #expect(error?.code == code)
    #expect(error?.description.hasPrefix(start) == true, "\(error?.description ?? "")")
  }

  static let suggestions: [(tag: String, suggestion: String?)] = [
    ("english", "en"), ("French", "fr"), ("Brazilian Portuguese", "pt-BR"), ("simplified chinese", "zh-Hans"),
    ("germna", "de"), ("jp", "ja-JP"), ("de-DEE", "de-DE"), ("xx", nil), ("qq_QQ", nil), ("klingon", nil),
  ]

  @Test(arguments: suggestions)
  func suggestsLanguage(tag: String, suggestion: String?) throws {
    let error = try #require(throws: StringsError.self) { try UILanguage(tag) }
    let fix = suggestion.map { "did you mean \"\($0)\"?" } ?? "use a BCP 47 tag such as \"en-US\""
    #expect(error.fix == fix)
  }

  @Test func returnsPluralsDirectionAndNames() throws {
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

  /// CLDR has a name for each supported language, territory and currency, in each of the built-in languages.
  @Test func hasNamesForAllLanguagesTerritoriesAndCurrencies() throws {
    let currencies = Set(LocaleData.embedded.storefronts.map { $0.currency(on: .todayInUTC) })
    var unnamed: [String] = []
    for language in StoreStrings.embedded.languages {
      for other in StoreStrings.embedded.languages where language.name(of: other) == other.identifier {
        unnamed.append("\(language) \(other)")
      }
      for storefront in LocaleData.embedded.storefronts where language.name(of: storefront) == storefront.id {
        // In Danish, Norwegian and Swedish, the name of the United States is USA.
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

  static let matches: [(requested: String, language: String, reason: LanguageMatch.Reason)] = [
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
    ("en-PH", "en-US", .parent("en")), ("de-CH-1996", "de", .closest),
    ("de-DE-u-co-phonebk", "de", .parent("de")),
    ("id-ID", "id", .parent("id")), ("in", "id", .exact), ("tl", "en-US", .fallback),
    ("gsw", "de", .closest), ("yue", "zh-Hant", .closest), ("sr", "en-US", .fallback),
    ("pa-Arab", "en-US", .fallback), ("ru-Latn", "en-US", .fallback),
    ("zh-Hans-TW", "zh-Hans", .parent("zh-Hans")),
    ("xx", "en-US", .fallback), ("", "en-US", .fallback), ("*", "en-US", .fallback),
    ("a\u{0}b", "en-US", .fallback), (String(repeating: "en-", count: 1000), "en-US", .fallback),
  ]

  @Test(arguments: matches)
  func matchesRequestedLanguage(requested: String, language: String, reason: LanguageMatch.Reason) {
    let match = StoreStrings.embedded.matcher.match(requested)
    #expect(match.language.identifier == language)
    #expect(match.reason == reason)
    #expect(match.requested == requested)
  }

  @Test func describesMatch() {
    let matcher = StoreStrings.embedded.matcher
    #expect(matcher.match("es-AR").description == "es-AR: es-MX (represents the parent locale es-419)")
    #expect(matcher.match("zh-HK").description == "zh-HK: zh-Hant (the parent locale)")
    #expect(matcher.match("iw").description == "iw: he (the canonical tag)")
    #expect(matcher.match("DE").description == "DE: de")
    #expect(matcher.match("gsw").description == "gsw: de (the closest match)")
    #expect(matcher.match("sr").description == "sr: en-US (no close match)")
    #expect(matcher.match(["sr", "xx", "nn"]).description == "nn: nb (represents the parent locale no)")
  }

  static let headers: [(header: String, language: String)] = [
    ("es-AR,es;q=0.9,en;q=0.8", "es-MX"),
    ("en;q=0.5, de;q=0.9", "de"),
    ("sr, nn;q=0.8, en;q=0.5", "nb"),
    ("sw, de;q=0.8", "de"),
    ("gsw;q=0.8, xx", "de"),
    ("fr;q=0, de;q=0.1", "de"),
    // An excluded language is returned only if all are excluded.
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
  func matchesAcceptLanguageHeader(header: String, language: String) {
    #expect(StoreStrings.embedded.matcher.match(acceptLanguage: header).language.identifier == language)
  }

  @Test(arguments: [
    ("fr-CA", ["fr-FR", "en-US"]), ("en-AU", ["en-GB", "en-US"]), ("en-GB", ["en-US"]),
    ("es-MX", ["es-ES", "en-US"]),
    ("pt-PT", ["pt-BR", "en-US"]), ("zh-Hant", ["en-US"]), ("de", ["en-US"]), ("en-US", []),
  ])
  func returnsFallbacks(language: String, expected: [String]) throws {
    let fallbacks = try StoreStrings.embedded.matcher.fallbacks(of: UILanguage(language))
    #expect(fallbacks.map(\.identifier) == expected)
  }

  @Test func matchesCustomList() throws {
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

  /// Names in the language's collation order.
  static let orders: [(language: String, sorted: [String])] = [
    ("en", ["Åland", "Angola", "Österreich", "Zambia"]), ("sv", ["Angola", "Zambia", "Åland", "Österreich"]),
    ("de", ["Åland", "Angola", "Österreich", "Zambia"]), ("cs", ["cena", "daň", "hrad", "chata", "ikona"]),
    ("ja", ["アイスランド", "アメリカ", "日本"]), ("da", ["Zambia", "Aarhus"]),
    ("fr", ["", "cote", "côte", "côté"]),
  ]

  @Test(arguments: orders)
  func sortsNamesByCollation(language: String, sorted: [String]) throws {
    #expect(try UILanguage(language).sorted(sorted.reversed()) { $0 } == sorted)
    #expect(try UILanguage(language).sorted([String]()) { $0 } == [])
  }
}
