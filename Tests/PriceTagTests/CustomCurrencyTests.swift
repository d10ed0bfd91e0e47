import Foundation
@_spi(Tests) import PriceTag
import Testing

/// Currencies of a merchant's own: how they are read from a file, and how they are written.
@Suite struct CustomCurrencyTests {
  static func file(_ entries: String) -> String { #"{"schema":1,"currencies":[\#(entries)]}"# }

  static let gems = #"""
    {"code":"GEMS","digits":0,"symbol":"💎","narrowSymbol":"♦","like":"USD","storefronts":"all","reason":"coins",
     "names":{"en":{"one":"gem","other":"gems"},"de":{"one":"Edelstein","other":"Edelsteine"},
              "pl":{"one":"klejnot","few":"klejnoty","many":"klejnotów","other":"klejnotu"},
              "ro":{"one":"gemă","few":"geme","other":"geme"},"es-419":{"one":"gema","other":"gemas"},
              "zh-Hant":{"other":"寶石"}}}
    """#
  static let bitcoin = #"""
    {"code":"BTC","digits":8,"symbol":"₿","like":"USD","storefronts":["JPN","US"],"reason":"crypto"}
    """#

  static func data(_ entries: String = "\(gems),\(bitcoin)") throws -> LocaleData {
    let folder = try Folder(["custom-currencies.json": file(entries)])
    return try LocaleData(folder: folder.path)
  }

  // MARK: Lookup

  @Test func findsCurrency() throws {
    let data = try Self.data()
    let gems = try Currency("gems", in: data)
    #expect(gems.code == "GEMS")
    #expect(gems.kind == .custom)
    #expect(gems.minorUnitDigits == 0)
    #expect(gems.standardDisplay.digits == 0 && gems.cashDisplay.step == 1)
    #expect(gems.numericCode == nil && gems.lastDay == nil && gems.isCurrent(on: .todayInUTC))
    #expect(try gems.minorUnitDigits(for: "stripe") == 0)
    let bitcoin = try Currency("BTC", in: data)
    #expect(try bitcoin.minorUnitDigits(for: "iso") == 8)
    #expect(throws: PriceTagError.self) { try bitcoin.minorUnitDigits(for: "nobody") }
    #expect(data.currencies.filter { $0.kind == .custom }.map(\.code) == ["BTC", "GEMS"])
    #expect(data.currencies.count == LocaleData.embedded.currencies.count + 2)
    #expect(try Currency("USD", in: data).kind == .currency)
  }

  @Test(arguments: [
    ("GEM", "did you mean \"GEMS\"?"), ("GEMSS", "did you mean \"GEMS\"?"), ("BTCX", "did you mean \"BTC\"?"),
    ("ZZZZ", "use an ISO 4217 code"),
  ])
  func suggestsCode(code: String, hint: String) throws {
    let data = try Self.data()
    let error = try #require(throws: PriceTagError.self) { try Currency(code, in: data) }
    #expect(error.code == .unknownCurrency && error.description.contains(hint), "\(error)")
    #expect(throws: PriceTagError.self) { try Currency("GEMS") }
  }

  @Test func knowsStorefronts() throws {
    let data = try Self.data()
    let (gems, bitcoin) = (try Currency("GEMS", in: data), try Currency("BTC", in: data))
    for (id, chargesBitcoin) in [("JPN", true), ("USA", true), ("DEU", false)] {
      let store = try Storefront(id, in: data)
      #expect(store.charges(gems, on: .todayInUTC))
      #expect(store.charges(bitcoin, on: .todayInUTC) == chargesBitcoin)
      #expect(store.charges(store.currency(on: .todayInUTC), on: .todayInUTC))
    }
    #expect(try !Storefront("DEU", in: data).charges(Currency("USD", in: data), on: .todayInUTC))
  }

  /// The fingerprint of a folder without the file is that of the embedded files.
  @Test func revisionIncludesFile() throws {
    let same = #"{"schema":1,"overrides":[]}"#
    let folder = try Folder(["currency-overrides.json": same])
    let custom = try Folder([
      "currency-overrides.json": same, "custom-currencies.json": Self.file(Self.gems),
    ])
    let other = try Folder([
      "currency-overrides.json": same, "custom-currencies.json": Self.file(Self.bitcoin),
    ])
    let revisions = try [folder.path, custom.path, other.path].map { try LocaleData(folder: $0).revision() }
    #expect(Set(revisions).count == 3)
  }

  // MARK: Formatting

  @Test(
    arguments: [
      ("en-US", "GEMS", .standard, "1234", "💎1,234"), ("de-DE", "GEMS", .standard, "1234", "1.234\u{A0}💎"),
      ("en-US", "GEMS", .narrow, "1234", "♦1,234"), ("en-US", "GEMS", .formal, "1", "💎1"),
      ("en-US", "GEMS", .variant, "1", "💎1"), ("en-US", "GEMS", .hidden, "1234", "1,234"),
      ("en-US", "GEMS", .iso, "1234", "GEMS\u{A0}1,234"), ("de-DE", "GEMS", .iso, "5", "5\u{A0}GEMS"),
      ("en-US", "GEMS", .name, "1", "1 gem"), ("en-US", "GEMS", .name, "1234", "1,234 gems"),
      ("de-AT", "GEMS", .name, "-2", "-2 Edelsteine"), ("pl-PL", "GEMS", .name, "3", "3 klejnoty"),
      ("pl-PL", "GEMS", .name, "5", "5 klejnotów"), ("ro-RO", "GEMS", .name, "20", "20 de geme"),
      ("es-AR", "GEMS", .name, "1", "1 gema"), ("zh-TW", "GEMS", .name, "2", "2 寶石"),
      // Without a name in the language.
      ("es-ES", "GEMS", .name, "2", "2\u{A0}GEMS"), ("zh-CN", "GEMS", .name, "2", "GEMS\u{A0}2"),
      ("en-US", "BTC", .name, "2", "BTC\u{A0}2.00000000"),
      ("en-US", "BTC", .standard, "0.00000001", "₿0.00000001"),
      ("en-US", "BTC", .unambiguous, "1", "₿1.00000000"),
    ] as [(String, String, PriceStyle.Width, String, String)]
  )
  func writesWidths(
    locale: String,
    code: String,
    width: PriceStyle.Width,
    amount: String,
    display: String
  ) throws {
    let currency = try Currency(code, in: Self.data())
    for compilesPattern in [true, false] {
      let formatter = try PriceFormatter(
        locale: PriceLocale(locale),
        currency: currency,
        style: PriceStyle(width: width),
        compilesPattern: compilesPattern
      )
      let price = try formatter.format(Amount(decimal: amount))
      #expect(formatter.isCompiled == compilesPattern)
      #expect(price.text == display)
      #expect(price.parts.map(\.value).joined() == display)
      #expect(price.currency == currency)
      #expect(price.parts.contains { $0.type == .symbol } == (width != .hidden))
    }
  }

  /// Names come from the closest CLDR parent, also for locales without data of their own and with a numbering system.
  @Test(arguments: [
    ("en-KW", "2 gems"), ("de-DE-u-nu-latn", "2 Edelsteine"), ("zh-TW-u-nu-latn", "2 寶石"),
    ("zh-HK-u-nu-latn", "2 寶石"), ("zh-MO-u-nu-latn", "2 寶石"), ("es-MX-u-nu-latn", "2 gemas"),
    ("es-ES-u-nu-latn", "2\u{A0}GEMS"), ("zh-SG-u-nu-latn", "GEMS\u{A0}2"),
  ])
  func inheritsNames(locale: String, display: String) throws {
    let formatter = try PriceFormatter(
      locale: PriceLocale(locale, allowsNumberingSystem: true),
      currency: Currency("GEMS", in: Self.data()),
      style: PriceStyle(width: .name)
    )
    #expect(try formatter.string(for: "2") == display)
  }

  @Test func writesAmountsExactly() throws {
    let data = try Self.data()
    let bitcoin = try PriceFormatter("en-US", "BTC", in: data)
    #expect(try bitcoin.string(for: "21000000.12345678") == "₿21,000,000.12345678")
    let error = try #require(throws: PriceTagError.self) { try bitcoin.string(for: "0.123456789") }
    #expect(error.code == .needsRounding)
  }

  @Test func speaksNames() throws {
    let data = try Self.data()
    let gems = try PriceFormatter("en-US", "GEMS", in: data)
    #expect(try gems.format("1").spoken == "1 gem")
    #expect(try gems.format("2").spoken == "2 gems")
    #expect(try gems.format(from: "1", to: "2").text == "💎1 – 💎2")
    #expect(try gems.format(from: "1", to: "2").spoken == "1–2 gems")
    let bitcoin = try PriceFormatter("en-US", "BTC", in: data)
    #expect(try bitcoin.format("2").spoken == "BTC\u{A0}2.00000000")
  }

  /// ICU 72 reads freed memory if an approximate number has another symbol than the locale's.
  @Test func writesApproximatePrices() throws {
    let data = try Self.data()
    let gems = try Currency("GEMS", in: data)
    func text(_ amount: Amount, _ style: PriceStyle) throws -> FormattedPrice {
      try PriceFormatter(locale: PriceLocale("de-DE"), currency: gems, style: style).format(amount)
    }
    let symbol = try text("-5", PriceStyle(qualifier: .approximately))
    #expect(symbol.text == "≈-5\u{A0}💎")
    #expect(symbol.parts.map(\.type) == [.qualifier, .sign, .integer, .literal, .symbol])
    #expect(try text("1", PriceStyle(width: .name, qualifier: .approximately)).text == "≈1 Edelstein")
    let exceptZero = PriceStyle(sign: .exceptZero, qualifier: .approximately)
    #expect(try text("0", exceptZero).text == "≈0\u{A0}💎")
    #expect(try text("2", exceptZero).text == "≈+2\u{A0}💎")
  }

  @Test func usesNeutralName() throws {
    let entry = #"""
      {"code":"POINTS","digits":0,"symbol":"P","like":"EUR","storefronts":"all","reason":"points",
       "names":{"und":{"other":"P\u00a0points"},"en":{"one":"point","other":"points"}}}
      """#
    let points = try Currency("POINTS", in: Self.data(entry))
    let style = PriceStyle(width: .name)
    func text(_ locale: String) throws -> String {
      try PriceFormatter(locale: PriceLocale(locale), currency: points, style: style).string(for: "1")
    }
    #expect(try text("en-GB") == "1 point")
    #expect(try text("fr-FR") == "1 P\u{A0}points")
  }

  @Test func formatsForStorefront() throws {
    let data = try Self.data()
    let japan = try Storefront("JPN", in: data)
    let gems = try Currency("GEMS", in: data)
    let formatter = try PriceFormatter(storefront: japan, currency: gems)
    #expect(try formatter.format("300").text == "💎\u{A0}300" || formatter.format("300").text == "💎300")
    let origin = PriceOrigin(storefront: "JPN", currency: "gems")
    #expect(try origin.formatter(in: data).string(for: "300") == formatter.string(for: "300"))
    #expect(try PriceOrigin(storefront: "JPN").formatter(in: data).currency.code == "JPY")
    let germany = PriceOrigin(storefront: "DEU", currency: "BTC")
    let error = try #require(throws: PriceTagError.self) { try germany.formatter(in: data) }
    #expect(error.code == .currencyMismatch)
    #expect(
      error.description
        == "the DEU store charges EUR, not BTC; add the store to the storefronts of BTC in custom-currencies.json"
    )
  }

  // MARK: Overrides and unambiguous symbols

  @Test func appliesOverrides() throws {
    let overrides = #"""
      {"storefront":"TWN","symbol":"NT$","digits":1,"group":"'","reason":"r"},
      {"storefront":"JPN","currency":"GEMS","symbol":"G","digits":2,"reason":"r"}
      """#
    let data = try LocaleData([
      "custom-currencies.json": Self.file(Self.gems),
      "currency-overrides.json": #"{"schema":1,"overrides":[\#(overrides)]}"#,
    ])
    let gems = try Currency("GEMS", in: data)
    // A storefront's symbol and digits are those of its money; its separators are for all currencies.
    let taiwan = try PriceFormatter(storefront: Storefront("TWN", in: data), currency: gems)
    #expect(try taiwan.string(for: "1234") == "💎1'234")
    #expect(try PriceFormatter("TWN", in: data).string(for: "5") == "NT$5.0")
    let japan = try PriceFormatter(storefront: Storefront("JPN", in: data), currency: gems)
    #expect(try japan.string(for: "5").hasPrefix("G"))
    #expect(japan.display.digits == 2)
  }

  @Test func rejectsOverrideForUnchargedStorefront() throws {
    let files = [
      "custom-currencies.json": Self.file(Self.bitcoin),
      "currency-overrides.json":
        #"{"schema":1,"overrides":[{"storefront":"DEU","currency":"BTC","symbol":"B","reason":"r"}]}"#,
    ]
    let error = try #require(throws: PriceTagError.self) { try LocaleData(files) }
    #expect(error.description.contains("the DEU store never charges BTC"), "\(error)")
  }

  /// A symbol that another current currency of the registry has is ambiguous.
  @Test func writesCodeForSharedSymbols() throws {
    let entries = #"""
      {"code":"GOLD","digits":0,"symbol":"€","like":"EUR","storefronts":"all","reason":"r"},
      {"code":"RUBY","digits":0,"symbol":"♥","narrowSymbol":"◆","like":"EUR","storefronts":"all","reason":"r"},
      {"code":"OPAL","digits":0,"symbol":"◆","like":"EUR","storefronts":"all","reason":"r"}
      """#
    let data = try Self.data(entries)
    func text(_ code: String, _ locale: String = "en-US") throws -> String {
      try PriceFormatter(
        locale: PriceLocale(locale),
        currency: Currency(code, in: data),
        style: PriceStyle(width: .unambiguous, digits: .fixed(0))
      ).string(for: "5")
    }
    #expect(try text("GOLD") == "GOLD\u{A0}5")
    #expect(try text("EUR") == "EUR\u{A0}5")
    #expect(try text("RUBY") == "♥5")
    #expect(try text("OPAL") == "OPAL\u{A0}5")
    #expect(try text("JPY") == Self.embeddedText("JPY"))
  }

  /// The symbols of a folder's currencies count, not those of the embedded data that the folder replaces.
  @Test func comparesSymbolsOfOwnRegistry() throws {
    let currencies = #"""
      {"schema":1,"sources":{"s":"ours"},"minorUnitExceptions":[],"currencies":[
       {"code":"USD","numeric":840,"kind":"currency","minorUnits":2,"source":"s"},
       {"code":"EUR","numeric":978,"kind":"currency","minorUnits":2,"source":"s"}]}
      """#
    let storefronts = #"""
      {"schema":1,"sources":{"s":"ours"},"storefronts":[
       {"id":"USA","alpha2":"US","currencies":[{"currency":"USD","source":"s"}],"priceLocale":"en-US",
        "defaultLanguage":"en-US","languages":["en-US"],
        "sources":{"id":"s","priceLocale":"s","languages":"s"}}]}
      """#
    let data = try LocaleData(["currencies.json": currencies, "storefronts.json": storefronts])
    let style = PriceStyle(width: .unambiguous)
    func text(_ data: LocaleData) throws -> String {
      try PriceFormatter("USA", in: data, style).string(for: "5")
    }
    // Without the Canadian and other dollars, "$" has one meaning.
    #expect(try text(data) == "$5.00")
    #expect(try text(.embedded) == "USD\u{A0}5.00")
  }

  /// Other letters that have the capital letters of a code are not the code.
  @Test(arguments: ["boß", "BOẞ", "boſs"])
  func findsCodesInASCIIOnly(code: String) throws {
    let data = try Self.data(Self.entry(#""code":"BOSS""#))
    #expect(try Currency("boss", in: data).code == "BOSS")
    #expect(throws: PriceTagError.self) { try Currency(code, in: data) }
  }

  // MARK: Invalid files

  static func entry(_ changes: String, without field: String = "") -> String {
    let fields = [
      ("code", #""GEMS""#), ("digits", "0"), ("symbol", #""G""#), ("like", #""USD""#),
      ("storefronts", #""all""#), ("reason", #""r""#),
    ]
    let changed = fields.filter { name, _ in name != field && !changes.contains("\"\(name)\":") }
    return "{"
      + (changed.map { "\"\($0)\":\($1)" } + (changes.isEmpty ? [] : [changes])).joined(separator: ",")
      + "}"
  }

  @Test(
    arguments: [
      (entry(#""code":"USD""#), "\"USD\" is a code of ISO 4217"),
      (entry(#""code":"XTS""#), "\"XTS\" is a code of ISO 4217"),
      (entry(#""code":"DEM""#), "\"DEM\" is a code of ISO 4217"),
      (entry(#""code":"gems""#), "\"gems\" is not a code of a custom currency"),
      (entry(#""code":"GM""#), "use 4 to 12 capital letters and digits"),
      (entry(#""code":"GM1""#), "is not a code of a custom currency"),
      (entry(#""code":"1GEM""#), "is not a code of a custom currency"),
      (entry(#""code":"GEMSGEMSGEMSG""#), "is not a code of a custom currency"),
      (entry(#""code":"GÉMS""#), "is not a code of a custom currency"),
      (entry("") + "," + entry(""), "\"GEMS\" appears twice"),
      (entry("", without: "code"), "field code: the field \"code\" is missing"),
      (entry("", without: "digits"), "entry \"GEMS\", field digits: the field \"digits\" is missing"),
      (entry("", without: "symbol"), "the field \"symbol\" is missing"),
      (entry("", without: "like"), "the field \"like\" is missing"),
      (entry("", without: "storefronts"), "the field \"storefronts\" is missing"),
      (entry("", without: "reason"), "the field \"reason\" is missing"),
      (entry(#""reason":"""#), "the reason is empty"),
      (entry(#""digits":19"#), "19 is not an integer from 0 to 18"),
      (entry(#""digits":-1"#), "-1 is not an integer from 0 to 18"),
      (entry(#""digits":1.5"#), "1.5 is not an integer"),
      (entry(#""symbol":"""#), "field symbol: the symbol is empty"),
      (entry(#""symbol":" ""#), "the symbol \" \" has no letter or symbol"),
      (entry(#""symbol":",""#), "the symbol \",\" has no letter or symbol"),
      (entry(#""symbol":"\u200f""#), "has no letter or symbol"),
      (entry(#""symbol":"1""#), "field symbol: the symbol \"1\" contains \"1\""),
      (entry(#""narrowSymbol":"-""#), "field narrowSymbol: the symbol \"-\" contains \"-\""),
      (entry(#""narrowSymbol":"\#(String(repeating: "x", count: 33))""#), "is longer than 32 bytes"),
      (entry(#""like":"GEMS""#), "field like: unknown currency \"GEMS\""),
      (entry(#""like":"XXX""#), "unknown currency \"XXX\""),
      (entry(#""storefronts":"USA""#), "\"USA\" is not a list of storefronts; use \"all\""),
      (entry(#""storefronts":[]"#), "the list of storefronts is empty"),
      (entry(#""storefronts":["USA","ZZZ"]"#), "unknown storefront \"ZZZ\""),
      (entry(#""storefronts":["USA","USA"]"#), "\"USA\" appears twice"),
      (entry(#""storefronts":["USA","US"]"#), "\"USA\" appears twice"),
      (entry(#""storefronts":5"#), "must be an array, not a number"),
      (entry(#""simbol":"x""#), "unknown field \"simbol\"; did you mean \"symbol\"?"),
      (entry(#""names":{"en":{"one":"gem"}}"#), "the field \"other\" is missing"),
      (
        entry(#""names":{"en":{"other":"gems","few":"x"}}"#),
        "entry \"GEMS\", field few: unknown field \"few\""
      ),
      (entry(#""names":{"ja":{"one":"x","other":"y"}}"#), "unknown field \"one\""),
      (entry(#""names":{"und":{"one":"x","other":"y"}}"#), "unknown field \"one\""),
      (
        entry(#""names":{"en_US":{"other":"y"}}"#),
        "is not the canonical spelling of a language; use \"en-US\""
      ),
      (entry(#""names":{"xx":{"other":"y"}}"#), "unknown language \"xx\""),
      (entry(#""names":{"en":null}"#), "the names are missing"),
      (entry(#""names":{"en":{"other":""}}"#), "the name is empty"),
      (entry(#""names":{"en":{"other":"gems 2"}}"#), "the name \"gems 2\" contains \"2\""),
      (entry(#""names":{"en":{"other":"a\nb"}}"#), "field other: the name"),
      (
        entry(#""names":{"en":{"other":"a\u202eb"}}"#),
        "use a name without digits, signs and control characters"
      ),
      (entry(#""names":{"en":{"other":" gems"}}"#), "starts or ends with a space or a hyphen"),
      (entry(#""names":{"en":{"other":"gems-"}}"#), "starts or ends with a space or a hyphen"),
      (
        entry(#""names":{"en":{"other":"\#(String(repeating: "x", count: 97))"}}"#), "is longer than 96 bytes"
      ),
    ]
  )
  func reportsInvalidEntry(entries: String, hint: String) throws {
    let files = ["custom-currencies.json": Self.file(entries)]
    let error = try #require(throws: PriceTagError.self) { try LocaleData(files) }
    #expect(error.code == .invalidLocaleData)
    #expect(
      error.description.contains(hint) && error.description.contains("custom-currencies.json, line 1"),
      "\(error)"
    )
  }

  @Test(arguments: [
    (#"{"schema":2,"currencies":[]}"#, "the schema is not 1"),
    (#"{"schema":1,"currency":[]}"#, "unknown field \"currency\""),
    (#"{"schema":1}"#, "the field \"currencies\" is missing"),
    ("[]", "the file must be an object"),
  ])
  func reportsInvalidFile(text: String, hint: String) throws {
    let error = try #require(throws: PriceTagError.self) { try LocaleData(["custom-currencies.json": text]) }
    #expect(error.description.contains(hint), "\(error)")
  }

  @Test func limitsCount() throws {
    let letters = (0...1000).map { number -> String in
      let digits = String(number, radix: 10)
      return Self.entry("\"code\":\"COIN\(digits)\"")
    }
    let accepted = try Self.data(letters.dropLast().joined(separator: ","))
    #expect(accepted.currencies.count { $0.kind == .custom } == 1000)
    let files = ["custom-currencies.json": Self.file(letters.joined(separator: ","))]
    let error = try #require(throws: PriceTagError.self) { try LocaleData(files) }
    #expect(error.description.contains("there are more than 1000 custom currencies"), "\(error)")
  }

  @Test func storefrontCannotHaveCustomCurrencyAsItsOwn() throws {
    let storefronts = #"""
      {"schema":1,"sources":{"s":"ours"},"storefronts":[
       {"id":"USA","alpha2":"US","currencies":[{"currency":"GEMS","source":"s"}],"priceLocale":"en-US",
        "defaultLanguage":"en-US","languages":["en-US"],
        "sources":{"id":"s","priceLocale":"s","languages":"s"}}]}
      """#
    let files = [
      "custom-currencies.json": Self.file(Self.gems), "storefronts.json": storefronts,
    ]
    let error = try #require(throws: PriceTagError.self) { try LocaleData(files) }
    #expect(error.description.contains("GEMS is a custom currency"), "\(error)")
  }

  private static func embeddedText(_ code: String) throws -> String {
    try PriceFormatter("en-US", code, PriceStyle(width: .unambiguous, digits: .fixed(0))).string(for: "5")
  }
}
