import Foundation
@_spi(Tests) import PriceTag
import Testing

@Suite struct CurrencyTests {
  /// The digits of ISO 4217's minor unit, CLDR's displayed digits, and CLDR's cash digits and step differ.
  @Test(arguments: [
    ("USD", 2, 2, 2, 1), ("JPY", 0, 0, 0, 1), ("KWD", 3, 3, 3, 1), ("IQD", 3, 0, 0, 1), ("CHF", 2, 2, 2, 5),
    ("DKK", 2, 2, 2, 50), ("CLF", 4, 4, 4, 1),
    ("XCG", 2, 2, 2, 1), ("ZWG", 2, 2, 2, 1), ("MGA", 2, 0, 0, 1),
  ])
  func hasThreeKindsOfDigits(code: String, minor: Int, display: Int, cash: Int, step: Int) throws {
    try Self.expect(code, minor: minor, display: display, cash: cash, step: step)
  }

  static func expect(_ code: String, minor: Int, display: Int, cash: Int, step: Int) throws {
    let currency = try Currency(code)
    #expect(currency.minorUnitDigits == minor)
    #expect(currency.standardDisplay.digits == display)
    #expect(currency.cashDisplay.digits == cash)
    #expect(currency.cashDisplay.step == step)
  }

  @Test(
    arguments: [
      ("ISK", "stripe", .value(2)), ("UGX", "stripe", .value(2)), ("HUF", "stripe", .value(2)),
      ("TWD", "stripe", .value(2)),
      ("USD", "stripe", .value(2)), ("JPY", "stripe", .value(0)), ("ISK", "iso", .value(0)),
      ("UGX", "iso", .value(0)),
      ("USD", "strip", .error(.unknownProvider)), ("XAU", "iso", .error(.noMinorUnit)),
    ] as [(String, String, Expected<Int>)]
  )
  func usesProvidersMinorUnit(code: String, provider: String, expected: Expected<Int>) throws {
    let currency = try Currency(code)
    #expect(Expected { () throws(PriceTagError) in try currency.minorUnitDigits(for: provider) } == expected)
  }

  @Test(arguments: [
    ("USD", "2026-11-21", true), ("DEM", "2002-02-28", true), ("DEM", "2002-03-01", false),
    ("BGN", "2025-12-31", true), ("BGN", "2026-01-01", false), ("HRK", "2023-01-01", false),
    ("XCG", "2025-03-30", false), ("XCG", "2025-03-31", true), ("ZWG", "2026-11-21", true),
    ("EUR", "1998-12-31", false), ("EUR", "1999-01-01", true),
  ])
  func hasFirstAndLastDay(code: String, date: String, isCurrent: Bool) throws {
    #expect(try Currency(code).isCurrent(on: CalendarDate(date)) == isCurrent)
  }

  @Test(
    arguments: [
      ("usd", .value("USD")), ("usdx", .error(.unknownCurrency)),
      ("USDC", .error(.unknownCurrency)),
      ("XXX", .error(.unknownCurrency)), ("XTS", .error(.unknownCurrency)),
      ("", .error(.unknownCurrency)),
      ("$", .error(.unknownCurrency)), ("ＵＳＤ", .error(.unknownCurrency)),
      ("US\u{0}", .error(.unknownCurrency)), ("\u{131}SK", .error(.unknownCurrency)),
    ] as [(String, Expected<String>)]
  )
  func readsCodes(code: String, expected: Expected<String>) {
    #expect(Expected { () throws(PriceTagError) in try Currency(code).code } == expected)
  }

  @Test(arguments: [
    ("usdx", "unknown currency \"usdx\"; did you mean \"USD\"?"), ("EURO", "did you mean \"EUR\"?"),
    ("JPN", "did you mean \"JPY\"?"), ("¥", "did you mean \"JPY\" or \"CNY\"?"),
    ("$", "did you mean \"USD\", or another dollar?"),
    ("ZZZ", "unknown currency \"ZZZ\"; use an ISO 4217 code such as \"USD\""),
    ("XXX", "\"XXX\" is the ISO 4217 code for no currency"),
    ("XTS", "\"XTS\" is the ISO 4217 code for testing"),
  ])
  func suggestsClosestCode(code: String, hint: String) throws {
    let error = try #require(throws: PriceTagError.self) { try Currency(code) }
    #expect(error.description.contains(hint), "\(error)")
  }

  @Test func hasAllCurrencies() {
    let currencies = LocaleData.embedded.currencies
    #expect(currencies.filter { $0.lastDay == nil }.count == 176)
    #expect(currencies.count == 305)
    #expect(Set(currencies.map(\.code)).count == currencies.count)
    for currency in currencies where currency.kind == .currency {
      #expect(currency.minorUnitDigits != nil, "\(currency)")
    }
  }
}

@Suite struct StorefrontTests {
  @Test func has175Storefronts() throws {
    let storefronts = LocaleData.embedded.storefronts
    #expect(storefronts.count == 175)
    let today = try CalendarDate("2026-11-21")
    #expect(storefronts.filter { $0.currency(on: today).code == "USD" }.count == 109)
    for storefront in storefronts {
      #expect(storefront.priceLocale.identifier.hasSuffix("-\(storefront.alpha2)"), "\(storefront)")
      #expect(storefront.currency(on: today).isCurrent(on: today), "\(storefront)")
      #expect(try Storefront(storefront.alpha2.lowercased()) == storefront)
    }
  }

  @Test(arguments: [
    ("JPN", "JP", "JPY", "ja-JP"), ("AFG", "AF", "USD", "en-AF"), ("EGY", "EG", "EGP", "ar-EG"),
    ("XKS", "XK", "EUR", "en-XK"), ("BIH", "BA", "EUR", "en-BA"), ("SRB", "RS", "EUR", "en-RS"),
    ("CHN", "CN", "CNY", "zh-CN"), ("TWN", "TW", "TWD", "zh-TW"), ("KWT", "KW", "USD", "ar-KW"),
    ("CHE", "CH", "CHF", "de-CH"), ("NOR", "NO", "NOK", "nb-NO"), ("IND", "IN", "INR", "hi-IN"),
    ("BGR", "BG", "EUR", "en-BG"),
  ])
  func hasFacts(id: String, alpha2: String, currency: String, locale: String) throws {
    let storefront = try Storefront(id)
    #expect(storefront.alpha2 == alpha2)
    #expect(try storefront.currency(on: CalendarDate("2026-11-21")).code == currency)
    #expect(storefront.priceLocale.identifier == locale)
  }

  @Test(arguments: [
    ("BGR", "2025-12-31", "BGN"), ("BGR", "2026-01-01", "EUR"), ("BGR", "1990-01-01", "BGN"),
    ("HRV", "2022-12-31", "HRK"), ("HRV", "2023-01-01", "EUR"), ("USA", "0001-01-01", "USD"),
    ("USA", "9999-12-31", "USD"),
  ])
  func chargesCurrencyOnDate(id: String, date: String, currency: String) throws {
    #expect(try Storefront(id).currency(on: CalendarDate(date)).code == currency)
  }

  @Test(arguments: [
    ("JAP", "did you mean \"JPN\"?"), ("UK", "did you mean \"GBR\"?"), ("germany", "did you mean \"DEU\"?"),
    ("US A", "unknown storefront \"US A\"; did you mean \"USA\"?"), ("", "unknown storefront \"\""),
    ("ZZZ", "use a code such as \"USA\" (pricetag storefronts lists all codes)"),
    ("\u{202E}USA", "\\u{202E}USA"), ("\u{131}SL", "unknown storefront"), ("\u{17F}WE", "unknown storefront"),
  ])
  func suggestsClosestStorefront(id: String, hint: String) throws {
    let error = try #require(throws: PriceTagError.self) { try Storefront(id) }
    #expect(error.code == .unknownStorefront)
    #expect(error.description.contains(hint), "\(error)")
  }
}

@Suite struct PriceLocaleTests {
  @Test(arguments: [
    ("en-US", "en-US", "en-US"), ("EN_us", "en-US", "en-US"), ("iw-IL", "he-IL", "he-IL"),
    ("zh-CN", "zh-CN", "zh-Hans-CN"),
    ("zh-TW", "zh-TW", "zh-Hant-TW"), ("sr-RS", "sr-RS", "sr-Cyrl-RS"), ("sr-ME", "sr-ME", "sr-Latn-ME"),
    ("en-KW", "en-KW", "en"), ("pa-PK", "pa-PK", "pa-Arab-PK"), ("en-UK", "en-GB", "en-GB"),
    ("en-XK", "en-XK", "en"),
    ("de", "de", "de"), ("es-419", "es-419", "es-419"), ("en-001", "en-001", "en-001"),
    ("en-US-posix", "en-US-posix", "en-US-POSIX"),
    ("zh_Hant_HK", "zh-Hant-HK", "zh-Hant-HK"),
    ("sr-Latn-RS", "sr-Latn-RS", "sr-Latn-RS"), ("in-ID", "id-ID", "id-ID"), ("tl-PH", "fil-PH", "fil-PH"),
    ("mo-MD", "ro-MD", "ro-MD"), ("sh-RS", "sr-Latn-RS", "sr-Latn-RS"), ("en-DD", "en-DE", "en-DE"),
  ])
  func readsTag(tag: String, identifier: String, data: String) throws {
    let locale = try PriceLocale(tag)
    #expect(locale.identifier == identifier)
    #expect(locale.dataLocale == data)
  }

  @Test(
    arguments: [
      ("", .malformedLocale), ("us", .unknownLocale), ("en-", .malformedLocale), ("-en", .malformedLocale),
      ("xx-YY", .unknownLocale), ("en-YY", .unknownLocale), ("en-ZZ", .unknownLocale),
      ("az-Arab", .unknownLocale),
      ("und", .unknownLocale), ("und-US", .unknownLocale), ("root", .unknownLocale),
      ("en-US-x-ours", .unexpectedExtension),
      ("en-US-u-nu-arab", .unexpectedExtension), ("en-US-u-cu-eur", .unexpectedExtension),
      ("en-US-u-rg-gbzzzz", .unexpectedExtension),
      ("en_US@currency=EUR", .unexpectedExtension), ("en_US@", .unexpectedExtension),
      ("deutsch", .unknownLocale),
      ("e", .malformedLocale), ("en US", .malformedLocale), ("en-US-valencia", .unknownLocale),
      ("én-US", .malformedLocale),
      ("plurals", .unknownLocale), ("pool", .unknownLocale), ("units-US", .unknownLocale),
      ("en-AN", .unknownLocale), ("sr-YU", .unknownLocale),
      ("\u{212A}a-GE", .malformedLocale), ("en-US\u{0}", .malformedLocale), ("123-US", .malformedLocale),
      ("i-klingon", .malformedLocale),
      (String(repeating: "a-", count: 5_000), .malformedLocale),
      (String(repeating: "en-", count: 10), .malformedLocale),
    ] as [(String, PriceTagError.Code)]
  )
  func rejectsTag(tag: String, code: PriceTagError.Code) {
    #expect(
      Expected { () throws(PriceTagError) in try PriceLocale(tag).identifier } == .error(code),
      "\(tag.prefix(40))"
    )
  }

  @Test func allowsNumberingSystemOnRequest() throws {
    let locale = try PriceLocale("ar-EG-u-nu-latn", allowsNumberingSystem: true)
    #expect(locale.identifier == "ar-EG-u-nu-latn")
    #expect(locale.numberingSystem == "latn")
    let price = try PriceFormatter(locale: locale, currency: Currency("EGP")).format("1234.5")
    #expect(price.text == "\u{200F}1,234.50\u{A0}ج.م.\u{200F}")
    for tag in [
      "ar-EG-u-nu-roman", "ar-EG-u-nu-nosuch", "ar-EG-u-nu-latn-cu-usd", "ar-EG-u-cu-usd", "ar-EG-u-nu",
    ] {
      #expect(throws: PriceTagError.self) { try PriceLocale(tag, allowsNumberingSystem: true) }
    }
  }

  @Test(arguments: [
    ("us", "unknown locale \"us\" (ICU has no data for the language); did you mean \"en-US\"?"),
    ("jp", "did you mean \"ja-JP\"?"), ("en-USA", "did you mean \"en-US\"?"),
    ("de-DEE", "did you mean \"de-DE\"?"), ("xx", "use a BCP 47 tag such as \"en-US\""),
    ("en-ZZ", "unknown locale \"en-ZZ\" (CLDR has no territory \"ZZ\")"), ("", "the locale is empty"),
    ("en-US-u-cu-eur", "has an extension, which would change a price; use \"en-US\""),
  ])
  func suggestsClosestLocale(tag: String, hint: String) throws {
    let error = try #require(throws: PriceTagError.self) { try PriceLocale(tag) }
    #expect(error.description.contains(hint), "\(error)")
  }

  @Test func acceptsEveryListedLocale() throws {
    #expect(LocaleTag.listed.count > 700)
    for tag in LocaleTag.listed { #expect(throws: Never.self) { try PriceLocale(tag) } }
  }
}

@Suite struct CalendarDateTests {
  @Test(arguments: [
    ("2026-01-20", "2026-01-19"), ("2026-03-01", "2026-02-28"), ("2024-03-01", "2024-02-29"),
    ("2026-01-01", "2025-12-31"), ("2026-05-01", "2026-04-30"), ("0001-01-01", nil),
  ])
  func returnsPreviousAndNextDay(text: String, before: String?) throws {
    let date = try CalendarDate(text)
    #expect(date.previous?.description == before)
    #expect(date.previous.map { $0.next == date } ?? true)
  }

  @Test(arguments: [
    ("2026-01-01", true), ("2024-02-29", true), ("2000-02-29", true), ("1900-02-29", false),
    ("2026-02-29", false),
    ("2026-13-01", false), ("2026-00-01", false), ("2026-04-31", false), ("0000-01-01", false),
    ("2026-1-1", false),
    ("20260101", false), ("2026-01-01T00:00:00Z", false), ("", false), ("2026-01-0\u{661}", false),
    ("-026-01-01", false),
  ])
  func readsText(text: String, isDate: Bool) {
    let date = try? CalendarDate(text)
    #expect((date != nil) == isDate)
    if let date { #expect(date.description == text) }
  }

  @Test func returnsCurrentDateInUTC() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    let before = calendar.dateComponents([.year, .month, .day], from: Date())
    let today = CalendarDate.todayInUTC
    let after = calendar.dateComponents([.year, .month, .day], from: Date())
    #expect([before.day, after.day].contains(today.day) && today.year == after.year || today.month == 12)
  }
}

/// A folder of locale data, for one test.
struct Folder: ~Copyable {
  let path: String

  init(_ files: [String: String]) throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: url.appending(path: name)) }
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Suite struct LocaleDataTests {
  static func storefronts(_ entries: String) -> String {
    #"{"schema":1,"sources":{"s":"a source"},"storefronts":[\#(entries)]}"#
  }

  static func storefront(
    _ id: String = #""id":"IRL","alpha2":"IE""#,
    currencies: String = #"{"currency":"EUR","source":"s"}"#,
    locale: String = "en-IE",
    languages: String = #""en-GB""#,
    more: String = ""
  ) -> String {
    #"{\#(id),"currencies":[\#(currencies)],"priceLocale":"\#(locale)","defaultLanguage":"en-GB","languages":[\#(languages)],"sources":{"id":"s","priceLocale":"s","languages":"s"}\#(more)}"#
  }

  static func overrides(_ entries: String) -> String { #"{"schema":1,"overrides":[\#(entries)]}"# }

  @Test func replacesFilesWithSameName() throws {
    let data = try LocaleData([
      "storefronts.json": Self.storefronts(Self.storefront()),
      "currency-overrides.json": Self.overrides(""),
    ])
    #expect(data.storefronts.map(\.id) == ["IRL"])
    #expect(data.currencies.count == LocaleData.embedded.currencies.count)
    #expect(try Storefront("ie", in: data).id == "IRL")
    #expect(throws: PriceTagError.self) { try Storefront("USA", in: data) }
  }

  /// Invalid files, and what the error must contain about the file, entry and field.
  @Test(
    arguments: [
      ("{", ["storefronts.json, line 1", "but the text ends"]),
      ("[]", ["the file must be an object, not an array"]),
      (#"{"schema":2,"sources":{},"storefronts":[]}"#, ["field schema", "not 1"]),
      (
        #"{"schema":1,"sources":{},"storefronts":[],"extra":1}"#,
        ["field extra", "unknown field \"extra\"; remove it"]
      ),
      (#"{"schema":1,"schema":1}"#, ["the field \"schema\" appears twice"]),
      (
        storefronts(storefront(#""id":"abc","alpha2":"IE""#)),
        ["entry \"abc\"", "field id", "\"abc\" is not 3 capital letters"]
      ),
      (storefronts(storefront(#""id":"IRL","alpha2":"A""#)), ["entry \"IRL\"", "field alpha2"]),
      (storefronts(storefront() + "," + storefront()), ["\"IRL\" appears twice; remove one", "field id"]),
      (
        storefronts(storefront() + "," + storefront(#""id":"GBR","alpha2":"IE""#)),
        ["\"IE\" appears twice", "entry \"GBR\"", "field alpha2"]
      ),
      (storefronts(storefront(currencies: "")), ["the storefront has no currency; add one"]),
      (
        storefronts(storefront(currencies: #"{"currency":"EUX","source":"s"}"#)),
        ["unknown currency \"EUX\"", "field currency"]
      ),
      (
        storefronts(storefront(currencies: #"{"currency":"EUR","source":"x"}"#)),
        ["unknown source \"x\""]
      ),
      (
        storefronts(storefront(currencies: #"{"currency":"EUR","until":"2025-12-31","source":"s"}"#)),
        ["the last period has a last day"]
      ),
      (
        storefronts(
          storefront(
            currencies:
              #"{"currency":"BGN","until":"2025-12-31","source":"s"},{"currency":"EUR","from":"2025-12-31","source":"s"}"#
          )
        ),
        ["entry \"EUR\"", "field from", "2026-01-01"]
      ),
      (
        storefronts(
          storefront(
            currencies:
              #"{"currency":"BGN","until":"2025-12-31","source":"s"},{"currency":"EUR","from":"2026-01-02","source":"s"}"#
          )
        ),
        ["2026-01-01"]
      ),
      (
        storefronts(storefront(currencies: #"{"currency":"EUR","from":"2026-02-30","source":"s"}"#)),
        ["field from", "2026-02-30"]
      ),
      (storefronts(storefront(locale: "xx-YY")), ["entry \"IRL\"", "field priceLocale", "xx-YY"]),
      (storefronts(storefront(locale: "en-IE-u-cu-usd")), ["field priceLocale"]),
      (storefronts(storefront(languages: #""fr-FR","en-GB""#)), ["field languages", "not the first"]),
      (storefronts(storefront(languages: #""en-GB","en-GB""#)), ["\"en-GB\" appears twice"]),
      (storefronts(storefront(languages: #""en-GB","qq""#)), ["field languages", "qq"]),
      (
        storefronts(storefront(more: #","langauges":[]"#)),
        ["unknown field \"langauges\"; did you mean \"languages\"?"]
      ),
      (storefronts(storefront(more: #","alpha3":1"#)), ["field alpha3"]),
      (
        storefronts(storefront(#""id":"QQQ","alpha2":"QQ""#)), ["unknown territory \"QQ\"", "field alpha2"]
      ),
      (storefronts(storefront(#""id":"DEU","alpha2":"IE""#)), ["DEU is the territory DE, not IE"]),
      (
        storefronts(storefront(locale: "en-GB")),
        ["the locale \"en-GB\" is not of the territory IE; use a locale that ends in -IE"]
      ),
      (storefronts(storefront(locale: "en")), ["the locale \"en\" is not of the territory IE"]),
      (storefronts(storefront(locale: "plurals")), ["field priceLocale", "plurals"]),
      (
        storefronts(storefront(languages: #""en-GB","FR-fr""#)),
        ["\"FR-fr\" is not the canonical spelling of a language; use \"fr-FR\""]
      ),
      (
        storefronts(storefront(currencies: #"{"currency":"XAU","source":"s"}"#)),
        ["XAU is a metal, not a currency"]
      ),
      (
        storefronts(storefront(currencies: #"{"currency":"DEM","source":"s"}"#)),
        ["DEM was valid only until 2002-02-28"]
      ),
      (storefronts("{\"a\\nb\\u001b\":1}"), ["field id"]),
      (#"{"schema":1,"sources":{},"storefronts":[],"a\nb\u001b[31m":1}"#, [#"field a\u{A}b\u{1B}[31m"#]),
      (#"{"schema":\#(String(repeating: "9", count: 2000))}"#, ["field schema", "…"]),
      (storefronts("5"), ["the field \"storefronts\" must be an array of objects, but contains a number"]),
      (
        storefronts(storefront() + "\n,\n" + storefront(#""id":5,"alpha2":"GB""#)),
        ["line 3", "field id", "the field \"id\" must be a string, not a number"]
      ),
    ] as [(String, [String])]
  )
  func reportsPlaceInInvalidFile(text: String, hints: [String]) throws {
    let folder = try Folder(["storefronts.json": text])
    let path = folder.path
    let error = try #require(throws: PriceTagError.self) { try LocaleData(folder: path) }
    #expect(error.code == .invalidLocaleData)
    #expect(error.description.contains(path) && error.description.contains("storefronts.json"), "\(error)")
    for hint in hints { #expect(error.description.contains(hint), "\(error)") }
  }

  @Test(arguments: [
    (#"{"code":"usd","kind":"currency","source":"s"}"#, "is not 3 capital letters"),
    (#"{"code":"USD","kind":"money","source":"s"}"#, "unknown kind \"money\""),
    (#"{"code":"USD","kind":"currency","minorUnits":7,"source":"s"}"#, "0 to 6"),
    (#"{"code":"USD","kind":"currency","minorUnits":2.5,"source":"s"}"#, "2.5"),
    (#"{"code":"USD","kind":"currency","minorUnits":1e0,"source":"s"}"#, "1e0"),
    (
      #"{"code":"USD","kind":"currency","source":"s"},{"code":"USD","kind":"currency","source":"s"}"#,
      "\"USD\" appears twice"
    ),
    (#"{"code":"USD","kind":"currency","source":"t"}"#, "unknown source \"t\""),
    (
      #"{"code":"USD","kind":"currency","from":"2020-01-01","until":"2019-01-01","source":"s"}"#,
      "before the first day"
    ),
    (#"{"code":"USD","kind":"currency","replacedBy":"EUR","source":"s"}"#, "unknown currency \"EUR\""),
    (#"{"code":"USD","kind":"currency"}"#, "the field \"source\" is missing; add it"),
  ])
  func reportsInvalidCurrency(entries: String, hint: String) throws {
    let files = [
      "currencies.json":
        #"{"schema":1,"sources":{"s":"a"},"currencies":[\#(entries)],"minorUnitExceptions":[]}"#
    ]
    let error = try #require(throws: PriceTagError.self) { try LocaleData(files) }
    #expect(error.description.contains(hint) && error.description.contains("currencies.json"), "\(error)")
  }

  @Test(arguments: [
    (#"{"currency":"TWD","symbol":"NT$","reason":"r"}"#, "TWN", "1234", "NT$1,234.00"),
    (#"{"currency":"TWD","symbol":"NTD","reason":"r"}"#, "TWN", "1234", "NTD\u{A0}1,234.00"),
    (#"{"storefront":"TWN","digits":0,"reason":"r"}"#, "TWN", "1234", "$1,234"),
    (
      #"{"currency":"EGP","numbering":"latn","reason":"r"}"#, "EGY", "1234",
      "\u{200F}1,234.00\u{A0}ج.م.\u{200F}"
    ),
    (
      #"{"currency":"USD","symbol":"USD","reason":"r"},{"storefront":"USA","currency":"USD","symbol":"US$","reason":"r"}"#,
      "USA", "5", "US$5.00"
    ),
    (
      #"{"currency":"USD","symbol":"a","reason":"r"},{"storefront":"USA","digits":3,"reason":"r"}"#, "USA",
      "5", "a\u{A0}5.000"
    ),
    (#"{"storefront":"TW","symbol":"NT$","reason":"r"}"#, "TWN", "1234", "NT$1,234.00"),
    (#"{"currency":"EUR","symbol":"<€>","reason":"r"}"#, "DEU", "5", "5,00\u{A0}<€>"),
    (#"{"storefront":"CHE","group":"·","reason":"r"}"#, "CHE", "1234567.5", "CHF\u{A0}1·234·567.50"),
    (#"{"storefront":"CHE","space":"\u202f","reason":"r"}"#, "CHE", "234", "CHF\u{202F}234.00"),
    (#"{"storefront":"CHE","space":"","reason":"r"}"#, "CHE", "5", "CHF5.00"),
    (#"{"storefront":"FRA","group":"\u00a0","reason":"r"}"#, "FRA", "1234", "1\u{A0}234,00\u{A0}€"),
    (#"{"storefront":"DEU","decimal":".","group":",","reason":"r"}"#, "DEU", "-1234.5", "-1,234.50\u{A0}€"),
    (
      #"{"storefront":"DEU","symbol":"EUR","reason":"r"},{"currency":"EUR","group":" ","space":" ","reason":"r"}"#,
      "DEU", "1234", "1 234,00 EUR"
    ),
  ])
  func appliesOverrides(entries: String, storefront: String, amount: String, display: String) throws {
    let data = try LocaleData(["currency-overrides.json": Self.overrides(entries)])
    let formatter = try PriceFormatter(storefront, in: data)
    let price = try formatter.format(Amount(decimal: amount))
    #expect(price.text == display)
    #expect(formatter.isCompiled)
    #expect(price.html.contains("<€>") == false)
    #expect(
      try PriceFormatter(storefront).format(Amount(decimal: amount)).text != display
    )
  }

  @Test(arguments: [
    (#"{"symbol":"x","reason":"r"}"#, "the storefront and the currency are missing"),
    (#"{"currency":"USD","reason":"r"}"#, "the override has no changes"),
    (#"{"currency":"USD","symbol":"x"}"#, "field reason"),
    (#"{"currency":"USD","symbol":"","reason":"r"}"#, "the symbol is empty; use 1 to 32 bytes"),
    (
      #"{"currency":"USD","symbol":"\u0000","reason":"r"}"#,
      "use a symbol without digits, signs and control characters"
    ),
    (#"{"currency":"USX","symbol":"x","reason":"r"}"#, "unknown currency \"USX\""),
    (#"{"storefront":"ZZZ","symbol":"x","reason":"r"}"#, "unknown storefront \"ZZZ\""),
    (#"{"storefront":"JPN","currency":"USD","symbol":"x","reason":"r"}"#, "the JPN store never charges USD"),
    (
      #"{"storefront":"JP","symbol":"x","reason":"r"},{"storefront":"JPN","digits":1,"reason":"r"}"#,
      "appears twice"
    ),
    (
      #"{"currency":"USD","symbol":"1","reason":"r"}"#,
      "use a symbol without digits, signs and control characters"
    ),
    (
      #"{"currency":"USD","symbol":"-","reason":"r"}"#,
      "use a symbol without digits, signs and control characters"
    ),
    (
      #"{"currency":"USD","symbol":"a\n","reason":"r"}"#,
      "use a symbol without digits, signs and control characters"
    ),
    (
      #"{"currency":"USD","symbol":"\u202e","reason":"r"}"#,
      "use a symbol without digits, signs and control characters"
    ),
    (#"{"currency":"USD","numbering":"latn\u0000x","reason":"r"}"#, "numbering"),
    (#"{"currency":"USD","digits":19,"reason":"r"}"#, "0 to 18"),
    (#"{"currency":"USD","numbering":"roman","reason":"r"}"#, "roman"),
    (#"{"currency":"USD","position":"left","reason":"r"}"#, "unknown position \"left\""),
    (#"{"currency":"USD","minimumGrouping":0,"reason":"r"}"#, "0 is not an integer from 1 to 9"),
    (#"{"currency":"USD","group":"0","reason":"r"}"#, "\"0\" is not a separator"),
    (#"{"currency":"USD","group":"-","reason":"r"}"#, "\"-\" is not a separator"),
    (#"{"currency":"USD","decimal":"","reason":"r"}"#, "is not a separator"),
    (#"{"currency":"USD","decimal":"a","reason":"r"}"#, "\"a\" is not a separator"),
    (
      #"{"currency":"USD","decimal":".","group":".","reason":"r"}"#,
      "groups and the fraction have the same separator \".\""
    ),
    (#"{"currency":"USD","group":"%","reason":"r"}"#, "\"%\" is not a separator"),
    (#"{"currency":"USD","group":"\u05f3","reason":"r"}"#, "is not a separator"),
    (#"{"currency":"USD","group":", ","reason":"r"}"#, "is not a separator"),
    (#"{"currency":"USD","space":"_","reason":"r"}"#, "\"_\" is not a space"),
    (
      #"{"currency":"USD","symbol":"x","reason":"r"},{"currency":"USD","digits":1,"reason":"r"}"#,
      "appears twice"
    ),
  ])
  func reportsInvalidOverride(entries: String, hint: String) throws {
    let files = ["currency-overrides.json": Self.overrides(entries)]
    let error = try #require(throws: PriceTagError.self) { try LocaleData(files) }
    #expect(
      error.description.contains(hint) && error.description.contains("currency-overrides.json, line 1"),
      "\(error)"
    )
  }

  /// An overridden separator may be the same as CLDR's other one, which would be ambiguous.
  @Test(arguments: [
    #"{"storefront":"USA","group":".","reason":"r"}"#,
    #"{"storefront":"USA","group":".","reason":"r"},{"currency":"USD","decimal":".","reason":"r"}"#,
    #"{"currency":"USD","decimal":",","reason":"r"}"#,
  ])
  func rejectsAmbiguousSeparators(entries: String) throws {
    let folder = try Folder(["currency-overrides.json": Self.overrides(entries)])
    let store = try Storefront("USA", in: LocaleData(folder: folder.path))
    let error = try #require(throws: PriceTagError.self) { try PriceFormatter(storefront: store) }
    #expect(
      error.description
        == "currency-overrides.json: USD in en-US would have the same separator for groups and the fraction; override both separators"
    )
  }

  @Test func revisionChangesWithFiles() throws {
    let embedded = try LocaleData.embedded.revision()
    #expect(embedded.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    let same = #"{"schema":1,"overrides":[]}"#
    let folder = try Folder(["currency-overrides.json": same])
    let other = try LocaleData(folder: folder.path).revision()
    #expect(other != embedded)
    let again = try Folder(["currency-overrides.json": same])
    #expect(try LocaleData(folder: again.path).revision() == other)
  }

  @Test(arguments: ["nowhere", "storefronts.json", "/dev/null", "/"])
  func reportsUnreadableFile(target: String) throws {
    let folder = try Folder([:])
    let path = folder.path
    try FileManager.default.createSymbolicLink(
      atPath: path + "/storefronts.json",
      withDestinationPath: target
    )
    let error = try #require(throws: PriceTagError.self) { try LocaleData(folder: path) }
    #expect(error.description.contains("storefronts.json: cannot read the file: "), "\(error)")
  }

  /// An overridden symbol does not change the separators, the digits and their order.
  @Test func changesOnlySymbol() throws {
    for code in ["CVE", "EUR", "CHF", "USD"] {
      let folder = try Folder([
        "currency-overrides.json": Self.overrides(#"{"currency":"\#(code)","symbol":"Q","reason":"r"}"#)
      ])
      let data = try LocaleData(folder: folder.path)
      for tag in ["pt-CV", "kea-CV", "de-AT", "de-CH", "en-CH", "en-DK", "fr-FR", "ar-EG", "en-US"] {
        let locale = try PriceLocale(tag)
        let own = try PriceFormatter(locale: locale, currency: Currency(code, in: data)).format("1234567.5")
        let plain = try PriceFormatter(locale: locale, currency: Currency(code)).format("1234567.5")
        func number(_ price: FormattedPrice) -> [String] {
          price.parts.filter { ![.symbol, .literal].contains($0.type) }.map(\.value)
        }
        #expect(number(own) == number(plain), "\(tag) \(code): \(own) and \(plain)")
        #expect(own.parts.contains { $0.type == .symbol && $0.value == "Q" }, "\(tag) \(code): \(own)")
      }
    }
  }

  @Test func rejectsHugeFileQuickly() throws {
    let keys = (0..<60_000).map { "\"key\($0)\":1" }.joined(separator: ",")
    let folder = try Folder(["storefronts.json": "{\(keys)}"])
    let path = folder.path
    #expect(throws: PriceTagError.self) { try LocaleData(folder: path) }
    let deep = try Folder(["storefronts.json": String(repeating: "[", count: 1_000_000)])
    let deepPath = deep.path
    let error = try #require(throws: PriceTagError.self) { try LocaleData(folder: deepPath) }
    #expect(error.description.contains("nested more than 32 deep"), "\(error)")
  }

  @Test func rejectsFolderWithoutLocaleData() throws {
    #expect(throws: PriceTagError.self) { try LocaleData(folder: "/nonexistent/folder") }
    #expect(throws: PriceTagError.self) { try LocaleData([:]) }
    let error = try #require(throws: PriceTagError.self) { try LocaleData(["storefront.json": "{}"]) }
    #expect(
      error.description.contains(
        "unknown locale data file \"storefront.json\"; did you mean \"storefronts.json\"?"
      ),
      "\(error)"
    )
  }
}
