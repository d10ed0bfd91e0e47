import Foundation
import PriceTag
import Testing

@testable import PriceTagStrings

@Suite struct StoreStringsTests {
  private let strings = StoreStrings.embedded

  /// The languages of the App Store.
  static let languages = [
    "ar", "bn", "ca", "cs", "da", "de", "el", "en-AU", "en-CA", "en-GB", "en-US", "es-ES", "es-MX", "fi",
    "fr-CA",
    "fr-FR", "gu", "he", "hi", "hr", "hu", "id", "it", "ja", "kn", "ko", "ml", "mr", "ms", "nb", "nl", "or",
    "pa",
    "pl", "pt-BR", "pt-PT", "ro", "ru", "sk", "sl", "sv", "ta", "te", "th", "tr", "uk", "ur", "vi", "zh-Hans",
    "zh-Hant",
  ]

  @Test func hasAllMessagesInFiftyLanguages() throws {
    #expect(strings.languages.map(\.identifier) == Self.languages)
    #expect(strings.keys.count == 150)
    let development = try strings.keys.map { try Set(strings.message($0, in: .development).argumentNames) }
    for language in strings.languages {
      for (key, names) in zip(strings.keys, development) {
        let message = try strings.message(key, in: language)
        #expect(message.language == language, "\(key) is missing in \(language)")
        #expect(Set(message.argumentNames) == names, "\(key) in \(language)")
        // The branches are exactly the categories of the language.
        for plural in message.compiled.plurals {
          #expect(
            plural.categories.map(\.category.rawValue) + ["other"] == language.pluralCategories,
            "\(key) in \(language)"
          )
        }
      }
    }
  }

  @Test func findsClosestLanguage() throws {
    #expect(try strings.message("buy", in: UILanguage("es-AR")).language.identifier == "es-MX")
    #expect(try strings.message("buy", in: UILanguage("zh-HK")).text == "購買")
    let error = #expect(throws: StringsError.self) { try strings.message("buy", in: UILanguage("sr")) }
    #expect(error?.code == .unknownLanguage)
    #expect(error?.description.hasPrefix(#"no strings are available in "sr"; use one of ar, bn, "#) == true)
    let unknown = #expect(throws: StringsError.self) {
      try strings.message("buy_for_prise", in: .development)
    }
    #expect(unknown?.description == #"unknown message key "buy_for_prise"; did you mean "buy_for_price"?"#)
  }

  // MARK: Offers

  static let offers: [(language: String, text: String)] = [
    ("en-US", "7 days free, then $9.99 per month"), ("de", "7 Tage gratis, danach $9.99 pro Monat"),
    ("sv", "7 dagar gratis, därefter $9.99 per månad"), ("pl", "7 dni bezpłatnie, potem $9.99 miesięcznie"),
    ("ja", "7日間は無料、その後は$9.99/月"), ("ru", "7 дней бесплатно, затем $9.99 в месяц"),
  ]

  @Test(arguments: offers)
  func formatsTrialInLanguage(language: String, text: String) throws {
    let monthly = try dollars("9.99")
    let offer = try strings.offer(
      .free(SubscriptionPeriod("P7D")),
      then: monthly,
      every: .month,
      in: UILanguage(language)
    )
    #expect(offer.plain == text)
  }

  @Test func formatsOffers() throws {
    let monthly = try dollars("9.99")
    func text(_ terms: OfferTerms, every period: SubscriptionPeriod = .month) throws -> String {
      try strings.offer(terms, then: monthly, every: period, in: .development).plain
    }
    #expect(try text(.free(SubscriptionPeriod("P1W"))) == "1 week free, then $9.99 per month")
    #expect(
      try text(.payAsYouGo(dollars("2.99"), every: .month, count: 3))
        == "$2.99 per month for 3 months, then $9.99 per month"
    )
    #expect(
      try text(.payAsYouGo(dollars("0.99"), every: .week, count: 4))
        == "$0.99 per week for 4 weeks, then $9.99 per month"
    )
    #expect(
      try text(.payUpFront(dollars("5.99"), SubscriptionPeriod("P6M")))
        == "$5.99 for 6 months, then $9.99 per month"
    )
    #expect(
      try text(.free(.month), every: SubscriptionPeriod("P3M")) == "1 month free, then $9.99 every 3 months"
    )
    // A price of zero is worded as free.
    #expect(
      try text(.payAsYouGo(dollars("0.00"), every: .month, count: 3))
        == "3 months free, then $9.99 per month"
    )
    #expect(try text(.payUpFront(dollars("0"), .year)) == "1 year free, then $9.99 per month")
    #expect(throws: StringsError.self) { try text(.payAsYouGo(monthly, every: .month, count: 0)) }
    #expect(throws: StringsError.self) { try text(.payAsYouGo(monthly, every: .month, count: .max)) }
  }

  /// A free phase after a paid one: its words are inside the sentence.
  static let laterFreePhases: [(language: String, text: String)] = [
    ("en-US", "$0.99 for 1 month, then 7 days free, then"), ("de", "$0.99 für 1 Monat, danach 7 Tage"),
    ("fr-FR", "$0.99 pour 1\u{A0}mois, puis gratuit pendant 7\u{A0}jours, puis"),
    ("fr-CA", "$0.99 pour 1 mois, puis gratuit pendant 7 jours, puis"),
    ("id", "$0.99 untuk 1 bulan, lalu gratis selama 7 hari, lalu"),
    ("ms", "$0.99 untuk 1 bulan, kemudian percuma selama 7 hari, kemudian"),
    ("ro", "$0.99 pentru 1 lună, apoi gratuit timp de 7 zile, apoi"),
    ("vi", "$0.99 cho 1 tháng, sau đó miễn phí 7 ngày, sau đó"),
  ]

  @Test(arguments: laterFreePhases)
  func writesLaterPhaseInsideSentence(language: String, text: String) throws {
    let phases = [OfferTerms.payUpFront(try dollars("0.99"), .month), .free(try SubscriptionPeriod("P7D"))]
    let offer = try strings.offer(phases, then: dollars("9"), every: .month, in: UILanguage(language)).plain
    #expect(offer.hasPrefix(text), "\(offer)")
  }

  static let trialButtons: [(language: String, period: String, text: String)] = [
    ("en-US", "P7D", "Try 7 days free"), ("en-GB", "P1W", "Try 1 week free"),
    ("de", "P1M", "1 Monat gratis testen"), ("ja", "P7D", "7日間無料で試す"),
    ("ru", "P1W", "Попробовать бесплатно: 1 неделя"), ("sl", "P3W", "Preizkusi brezplačno: 3 tedni"),
    ("fr-CA", "P2M", "Essayer gratuitement pendant 2 mois"), ("zh-Hant", "P7D", "免費試用 7 天"),
  ]

  @Test(arguments: trialButtons)
  func labelsButtonOfFreeTrial(language: String, period: String, text: String) throws {
    let button = try strings.freeTrialButton(SubscriptionPeriod(period), in: UILanguage(language))
    #expect(button.plain == text)
  }

  /// The price after an offer has its period in all languages.
  @Test func namesPeriodAfterOffer() throws {
    let (offered, price) = (try dollars("2.99"), try dollars("59"))
    for language in strings.languages {
      let after = try strings.price(price, every: .month, in: language).plain
      for terms in [
        OfferTerms.free(.week), .payAsYouGo(offered, every: .month, count: 3), .payUpFront(offered, .year),
      ] {
        let offer = try strings.offer(terms, then: price, every: .month, in: language).plain
        #expect(offer.contains(after), "\(language): \(offer)")
      }
    }
    let chinese = try strings.offer(
      .payAsYouGo(offered, every: .month, count: 3),
      then: price,
      every: .month,
      in: UILanguage("zh-Hant")
    )
    #expect(chinese.plain == "3 個月每月 $2.99，之後每月 $59.00")
  }

  static let phases: [(language: String, text: String)] = [
    ("en-US", "1 week free, then $2.99 per month for 3 months, then $59.00 per month"),
    ("de", "1 Woche gratis, danach $2.99 pro Monat für 3 Monate, danach $59.00 pro Monat"),
    ("ru", "1 неделя бесплатно, затем 3 месяца по $2.99 в месяц, затем $59.00 в месяц"),
  ]

  @Test(arguments: phases)
  func formatsOfferOfSeveralPhases(language: String, text: String) throws {
    let offer = try strings.offer(
      [.free(.week), .payAsYouGo(dollars("2.99"), every: .month, count: 3)],
      then: dollars("59"),
      every: .month,
      in: UILanguage(language)
    )
    #expect(offer.plain == text)
  }

  static let dates: [(language: String, date: String, text: String)] = [
    ("en-US", "2026-12-01", "Until December 1, 2026"), ("en-GB", "2026-12-01", "Until 1 December 2026"),
    ("de", "2026-12-01", "Bis 1. Dezember 2026"), ("ru", "2026-12-01", "До 1 декабря 2026\u{202F}г."),
    ("pl", "2026-12-01", "Do 1 grudnia 2026"), ("ja", "2026-12-01", "2026年12月1日まで"),
    ("bn", "2026-12-01", "১ ডিসেম্বর, ২০২৬ পর্যন্ত"), ("fi", "2024-02-29", "Voimassa 29. helmikuuta 2024 asti"),
    ("th", "2026-12-01", "ถึง 1 ธันวาคม 2569"), ("en-US", "0001-01-01", "Until January 1, 1"),
    ("en-US", "9999-12-31", "Until December 31, 9999"), ("en-US", "1582-10-10", "Until October 10, 1582"),
  ]

  /// Dates are in the words and the calendar of the message's language.
  @Test(arguments: dates)
  func formatsDate(language: String, date: String, text: String) throws {
    let argument = MessageArgument.date(try CalendarDate(date))
    #expect(try strings.format("price_until", in: UILanguage(language), ["date": argument]).plain == text)
  }

  @Test func formatsSavingsAndTotals() throws {
    let (monthly, yearly) = (try dollars("4.99"), try dollars("49.99"))
    #expect(
      try strings.saving(of: yearly, every: .year, against: monthly, every: .month, in: .development)?.plain
        == "Save 16%"
    )
    #expect(
      try strings.saving(of: yearly, every: .year, against: monthly, every: .month, in: UILanguage("de"))?
        .plain
        == "16\u{A0}% sparen"
    )
    #expect(
      try strings.saving(of: monthly, every: .month, against: yearly, every: .year, in: .development) == nil
    )
    #expect(
      try strings.totalCalculation(of: monthly, quantity: 12, in: .development).plain == "12 × $4.99 = $59.88"
    )
    #expect(
      try strings.equalPerMonth(yearly, every: .year, rounding: .up, in: .development).plain
        == "Equivalent to $4.17 per month"
    )
    #expect(
      throws: StringsError.self,
      performing: { try strings.equalPerMonth(yearly, every: .year, rounding: .exact, in: .development) }
    )
    #expect(
      try strings.freeTrial(SubscriptionPeriod("P3D"), in: UILanguage("cs")).plain
        == "Zkušební období zdarma na 3 dny"
    )
    let euros = try PriceFormatter(storefront: Storefront("DEU")).format("4.99")
    let mixed = #expect(throws: StringsError.self) {
      try strings.saving(of: yearly, every: .year, against: euros, every: .month, in: .development)
    }
    #expect(mixed?.code == .invalidArgument)
  }

  /// The offer texts in all languages contain the unchanged prices, and have balanced directional controls.
  @Test func preservesPricesInAllLanguages() throws {
    for id in ["USA", "EGY", "JPN", "FRA", "ISR"] {
      let formatter = try PriceFormatter(storefront: Storefront(id))
      let (first, second) = (try formatter.format(3), try formatter.format(10))
      for language in strings.languages {
        for terms in [
          OfferTerms.free(.week), .payAsYouGo(first, every: .month, count: 3), .payUpFront(first, .year),
        ] {
          let offer = try strings.offer(terms, then: second, every: .month, in: language)
          #expect(offer.isolated.contains(second.isolated), "\(language) \(id)")
          #expect(balancedBidi(offer.isolated) == offer.isolated || offer.isolated.contains("\u{200F}"))
          #expect(offer.html.contains(second.html))
          #expect(!offer.plain.contains("{"))
        }
      }
    }
  }

  // MARK: Folders

  private func folder(_ files: [String: String]) throws -> String {
    let root = FileManager.default.temporaryDirectory.appending(path: "strings-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: root.appending(path: "strings"),
      withIntermediateDirectories: true
    )
    for (name, text) in files { try Data(text.utf8).write(to: root.appending(path: name)) }
    return root.path
  }

  @Test func replacesFilesByFolder() throws {
    let path = try folder([
      "strings/fr-CA.json": #"{"buy": "Acheter icitte"}"#, "strings/is.json": #"{"buy": "Kaupa"}"#,
    ])
    let strings = try StoreStrings(folder: path)
    let canadian = try UILanguage("fr-CA")
    #expect(try strings.message("buy", in: canadian).text == "Acheter icitte")
    #expect(try strings.message("get", in: canadian).language.identifier == "fr-FR")
    #expect(try strings.message("buy", in: UILanguage("is")).text == "Kaupa")
    #expect(try strings.message("get", in: UILanguage("is")).language == .development)
    #expect(strings.languages.count == 51)
    #expect(try strings.message("buy", in: UILanguage("de")).text == "Kaufen")
  }

  /// A folder may define its own keys and omit all built-in ones.
  @Test func acceptsFolderWithOtherKeys() throws {
    let path = try folder([
      "strings/en-US.json": #"{"hello": {"defaultMessage": "Hello {name}", "description": "d"}}"#,
      "strings/de.json": #"{"hello": "Hallo {name}"}"#,
    ])
    let strings = try StoreStrings(folder: path)
    #expect(strings.keys == ["hello"])
    #expect(try strings.format("hello", in: UILanguage("de"), ["name": .text("x")]).plain == "Hallo x")
    #expect(try strings.message("hello", in: UILanguage("fr-CA")).language == .development)
  }

  @Test(arguments: [
    (
      "strings/de.json", #"{"byu": "Kaufen"}"#,
      "strings/de.json: en-US has no message \"byu\"; remove it, or add it to en-US.json (did you mean \"buy\"?)"
    ),
    (
      "strings/de.json", #"{"buy_for_price": "Kaufen"}"#,
      "strings/de.json: the argument \"price\" is missing in the message \"buy_for_price\"; add {price}"
    ),
    (
      "strings/de.json", #"{"buy": "Kaufen {x}"}"#,
      "strings/de.json: the message \"buy\" has no argument \"x\" in en-US; remove it"
    ),
    (
      "strings/de.json", "{\n\"buy\": \"{a, number, currency}\"}",
      "strings/de.json, line 2, message buy, de, character 12: currency formats are not supported in messages; format the price for its storefront and pass it as finished text: {price}"
    ),
    (
      "strings/de.json", "{",
      "strings/de.json, line 1, column 2: expected the name of a field, but the text ends"
    ),
    (
      "strings/german.json", "{}",
      "strings: \"german.json\" is not named after a language; rename it to a canonical BCP 47 tag, such as fr-CA.json"
    ),
    ("strings/DE.json", "{}", "strings: \"DE.json\" is not named after a language"),
  ])
  func rejectsInvalidFolder(file: String, text: String, description: String) throws {
    let path = try folder([file: text])
    let error = #expect(throws: StringsError.self) { try StoreStrings(folder: path) }
    #expect(error?.description.contains(description) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains(path) == true)
  }

  // MARK: Pseudo-locales

  @Test func formatsPseudoLocales() throws {
    let price = MessageArgument.price(try dollars("4.99"))
    let accented = try strings.format("buy_for_price", in: .accentedPseudo, ["price": price])
    #expect(accented.plain == "[Ɓûý ƒöŕ $4.99 one two]")
    #expect(accented.language == .accentedPseudo)
    let mirrored = try strings.format("buy_for_price", in: .rightToLeftPseudo, ["price": price])
    #expect(
      mirrored.plain
        == "\u{200F}\u{202E}Buy\u{202C}\u{200F} \u{200F}\u{202E}for\u{202C}\u{200F} $4.99"
    )
    for key in strings.keys {
      for language in [UILanguage.accentedPseudo, .rightToLeftPseudo] {
        let message = try strings.message(key, in: language)
        let original = try strings.message(key, in: .development)
        #expect(message.argumentNames == original.argumentNames)
        #expect(message.compiled.plurals.count == original.compiled.plurals.count)
        #expect(
          message.compiled.maximumLiteralCount > original.compiled.maximumLiteralCount
            || key.contains("calculation")
        )
      }
    }
  }

  @Test func preservesPlaceholdersInPseudoLocales() throws {
    let pseudolocale = try Pseudolocale(.accentedPseudo)
    #expect(
      pseudolocale.text("Save %1$d%% on {{ name }} and %@")
        == "[Šåṽé %1$d%% öñ {{ name }} åñð %@ one two three]"
    )
    #expect(pseudolocale.text("") == "")
    #expect(pseudolocale.text("@string/apos") == "@string/apos")
    #expect(
      pseudolocale.text("<b>%1$s</b> &amp; <![CDATA[you]]>")
        == "[<b>%1$s</b> &amp; <![CDATA[ýöû]]> one two three]"
    )
    #expect(
      try Pseudolocale(.rightToLeftPseudo).text("a\nb")
        == "\u{200F}\u{202E}a\u{202C}\u{200F}\n\u{200F}\u{202E}b\u{202C}\u{200F}"
    )
    #expect(throws: StringsError.self) { try Pseudolocale(UILanguage("de")) }
  }
}
