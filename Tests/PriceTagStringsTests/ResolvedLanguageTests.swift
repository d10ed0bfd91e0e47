import PriceTag
import PriceTagStrings
import Testing

@Suite struct ResolvedLanguageTests {
  private let strings = StoreStrings.embedded

  /// The language of the strings in three stores; `nil` in the last column for a language that a strict request refuses.
  static let rows: [(requested: String, japan: String, bulgaria: String, usa: String, strict: String?)] = [
    // Available, or close to an available language.
    ("ja", "ja", "ja", "ja", "ja"), ("en-GB", "en-GB", "en-GB", "en-GB", "en-GB"),
    ("es-AR", "es-MX", "es-MX", "es-MX", "es-MX"), ("de-BG", "de", "de", "de", "de"),
    // CLDR's distances lead to English.
    ("is", "en-US", "en-US", "en-US", "en-US"), ("ka", "en-US", "en-US", "en-US", "en-US"),
    ("mt", "en-US", "en-US", "en-US", "en-US"), ("sw", "en-US", "en-US", "en-US", "en-US"),
    // No strings: the store's default language.
    ("bg", "ja", "en-GB", "en-US", nil), ("bg-BG", "ja", "en-GB", "en-US", nil),
    ("sr", "ja", "en-GB", "en-US", nil), ("sr-Latn", "ja", "en-GB", "en-US", nil),
    ("lt-LT", "ja", "en-GB", "en-US", nil), ("et", "ja", "en-GB", "en-US", nil),
    ("fa", "ja", "en-GB", "en-US", nil), ("mk", "ja", "en-GB", "en-US", nil),
    ("fil", "ja", "en-GB", "en-US", nil),
  ]

  @Test(arguments: rows)
  func resolves(requested: String, japan: String, bulgaria: String, usa: String, strict: String?) throws {
    let language = try UILanguage(requested)
    for (id, expected) in [("JPN", japan), ("BGR", bulgaria), ("USA", usa)] {
      let storefront = try Storefront(id)
      let resolved = try strings.language(for: language, in: storefront)
      #expect(resolved.language.identifier == expected, "\(id)")
      #expect(resolved.requested == language)
      #expect(resolved.isStoreDefault == (strict == nil))
      if let strict {
        let resolved = try strings.language(for: language, in: storefront, isStrict: true)
        #expect(resolved.language.identifier == strict)
      } else {
        let error = #expect(throws: StringsError.self) {
          try strings.language(for: language, in: storefront, isStrict: true)
        }
        #expect(error?.code == .unknownLanguage)
        #expect(error?.problem == "no strings are available in \"\(requested)\"")
      }
    }
  }

  @Test(arguments: [
    ("ja", "ja"), ("es-AR", "es-AR: es-MX"),
    ("bg", "bg: ja (the default language of JPN, because there are no strings in bg)"),
  ])
  func describesResult(requested: String, description: String) throws {
    let resolved = try strings.language(for: UILanguage(requested), in: Storefront("JPN"))
    #expect(resolved.description == description)
  }

  @Test(arguments: ["jp", "xx"]) func rejectsTagThatCLDRDoesNotKnow(tag: String) {
    let error = #expect(throws: StringsError.self) {
      try strings.language(for: UILanguage(tag), in: Storefront("JPN"))
    }
    #expect(error?.code == .unknownLanguage)
  }
}
