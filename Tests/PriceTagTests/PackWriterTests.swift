import Testing

@testable import PriceTag

/// What packs contain: custom currencies, unit prices, merchants' overrides and all styles, each as the formatter writes it.
@Suite struct PackWriterTests {
  private static let amounts: [Amount] = [
    "0", "1", "2", "-1", "5", "22", "1234.5", "-1234567.89", "0.00000001",
  ]

  // MARK: Custom currencies

  @Test(arguments: [PriceStyle.Width.standard, .narrow, .iso, .hidden, .unambiguous])
  func hasCustomCurrenciesOfStorefronts(width: PriceStyle.Width) throws {
    let data = try CustomCurrencyTests.data()
    let (date, style) = (try PackTests.date(), PriceStyle(width: width))
    let ids = ["ARG", "BGR", "DEU", "EGY", "IND", "JPN", "POL", "ROU", "TWN", "USA"]
    let pack = try Pack(ids, styles: [style], in: data)
    for id in ids {
      let store = try Storefront(id, in: data)
      for currency in [
        store.currency(on: date), try Currency("GEMS", in: data), try Currency("BTC", in: data),
      ]
      where store.charges(currency, on: date) {
        let rounded = style.rounded
        let expected = try PriceFormatter(storefront: store, currency: currency, on: date, style: rounded)
        let packed = try pack.formatter(storefront: id, currency: currency.code, on: date, style: style)
        try PackTests.expectEqual(expected, packed, "\(id) \(currency)", Self.amounts)
      }
    }
  }

  /// The dated periods come first, and the result without a currency is the storefront's own.
  @Test func customCurrenciesFollowTheDatedPeriods() throws {
    let data = try CustomCurrencyTests.data()
    let pack = try Pack(["BGR", "JPN"], includesSpoken: false, in: data)
    let periods = try pack.storefrontContents.map { store in
      store.periods.map { "\($0.currency)\($0.isCustom ? "*" : "") \($0.firstDay?.description ?? "")" }
    }
    #expect(periods == [["BGN ", "EUR 2026-01-01", "GEMS* "], ["JPY ", "BTC* ", "GEMS* "]])
    #expect(pack.currencyContents.filter(\.isCustom).map(\.code) == ["BTC", "GEMS"])
    #expect(pack.currencyContents.map(\.minorUnitDigits) == [2, 8, 2, 0, 0])

    let (before, after) = (try CalendarDate("2025-12-31"), try CalendarDate("2026-01-01"))
    for (currency, date, text) in [
      (nil, before, "BGN\u{A0}5.00"), (nil, after, "€5.00"), ("EUR", after, "€5.00"),
      ("bgn", before, "BGN\u{A0}5.00"), ("gems", before, "💎5"), ("GEMS", after, "💎5"),
    ] {
      let formatter = try pack.formatter(storefront: "BG", currency: currency, on: date)
      #expect(try formatter.string(for: "5") == text, "\(currency ?? "-") \(date)")
    }
    for (storefront, currency, date, problem) in [
      ("BGR", "EUR", before, PackProblem.currencyMismatch), ("BGR", "BTC", after, .currencyMismatch),
      ("JPN", "EUR", after, .currencyMismatch), ("JPN", "USD", after, .unknownCurrency),
      ("USA", "GEMS", after, .unknownStorefront),
    ] {
      #expect(throws: problem, "\(storefront) \(currency)") {
        try pack.formatter(storefront: storefront, currency: currency, on: date)
      }
    }
  }

  @Test func hasCustomCurrenciesOfLocales() throws {
    let data = try CustomCurrencyTests.data()
    let styles = [PriceStyle(), PriceStyle(width: .narrow), PriceStyle(sign: .exceptZero)]
    let currencies = try ["BTC", "GEMS", "EUR"].map { try Currency($0, in: data) }
    let locales = ["en-US", "de-DE", "pl-PL", "ar-EG", "zh-TW", "es-AR"]
    let pack = try Pack([], locales.map { ($0, currencies.map(\.code)) }, styles: styles, in: data)
    for locale in locales {
      for currency in currencies {
        for style in styles {
          let rounded = style.rounded
          let expected = try PriceFormatter(locale: PriceLocale(locale), currency: currency, style: rounded)
          let packed = try pack.formatter(locale: locale, currency: currency.code, style: style)
          try PackTests.expectEqual(expected, packed, "\(locale) \(currency)", Self.amounts)
        }
      }
    }
  }

  // MARK: Unit prices

  @Test(arguments: [
    PriceStyle(), PriceStyle(width: .narrow), PriceStyle(width: .iso, zeros: .trim),
    PriceStyle(sign: .exceptZero, digits: .range(0...3)), PriceStyle(digits: .cash),
    PriceStyle(digits: .minorUnits),
  ])
  func hasUnitPrices(style: PriceStyle) throws {
    let date = try PackTests.date()
    let references = try ["kg", "100 g", "L", "100 mL", "m²", "lb", "100 fl oz", "1000 sq ft", "75 cL"].map {
      try UnitPriceReference($0)
    }
    let ids = ["CHE", "DEU", "EGY", "FRA", "IND", "JPN", "POL", "USA"]
    let pack = try Pack(ids, [("sv-SE", ["SEK"])], styles: [style], per: references)
    #expect(pack.styleCount == 20)
    for reference in references {
      for id in ids {
        let expected = try PriceFormatter(storefront: Storefront(id), on: date, style: style.rounded)
        let packed = try pack.formatter(storefront: id, on: date, style: style, per: reference)
        try PackTests.expectEqual(
          expected.unitPrices(per: reference),
          packed,
          "\(id) per \(reference)",
          ["0", "1", "16.60", "1234.5"]
        )
      }
      let expected = try PriceFormatter("sv-SE", "SEK", style.rounded)
      let packed = try pack.formatter(locale: "sv-SE", currency: "SEK", style: style, per: reference)
      try PackTests.expectEqual(expected.unitPrices(per: reference), packed, "sv-SE", ["2.5"])
    }
  }

  /// The reference of each unit and quantity has a text of its own, which fits the key of a style.
  @Test func eachReferenceHasAText() throws {
    var texts: Set<String> = []
    for unit in ContentUnit.allCases where unit != .piece {
      for quantity in UnitPriceReference.quantities {
        let reference = try UnitPriceReference(quantity, unit)
        let text = reference.packText
        #expect((1...8).contains(text.utf8.count) && text.allSatisfy(\.isASCII), "\(text)")
        #expect(texts.insert(text).inserted, "\(text)")
        #expect(UnitPriceReference(packText: text) == reference, "\(text)")
      }
    }
    #expect(UnitPriceReference.hundredMilliliters.packText == "100 mL")
    #expect(try UnitPriceReference(100, .fluidOunce).packText == "100floz")
    #expect(try UnitPriceReference(1000, .cubicCentimeter).packText == "1000 cm3")
    #expect(UnitPriceReference.squareMeter.packText == "m2")
    for text in ["", "piece", "100mL", "m²", "100 fl oz", "2 kg", "kg ", "KG"] {
      #expect(UnitPriceReference(packText: text) == nil, "\(text)")
    }
  }

  @Test func missingReferenceIsAnError() throws {
    let (pack, date) = (try Pack(["DEU"], per: [.kilogram]), try PackTests.date())
    #expect(
      try pack.formatter(storefront: "DEU", on: date, per: .kilogram).string(for: "2.5") == "2,50\u{A0}€/kg"
    )
    #expect(throws: PackProblem.missingStyle) {
      try pack.formatter(storefront: "DEU", on: date, per: .liter)
    }
  }

  // MARK: Overrides

  private static let overrides = LocaleDataTests.overrides(
    #"""
    {"currency":"USD","symbol":"US$","reason":"r"},
    {"currency":"EUR","digits":0,"reason":"r"},
    {"currency":"CHF","group":" ","decimal":",","reason":"r"},
    {"storefront":"EGY","numbering":"latn","reason":"r"},
    {"storefront":"DEU","group":"’","decimal":",","space":"","reason":"r"},
    {"storefront":"JPN","symbol":"円","reason":"r"},
    {"storefront":"JPN","currency":"JPY","digits":2,"reason":"r"},
    {"storefront":"BGR","currency":"EUR","symbol":"EU","reason":"r"},
    {"storefront":"BGR","currency":"BGN","digits":3,"decimal":".","reason":"r"},
    {"storefront":"IND","currency":"INR","numbering":"deva","reason":"r"},
    {"storefront":"USA","currency":"GEMS","digits":2,"symbol":"G","reason":"r"}
    """#
  )

  @Test(arguments: [
    PriceStyle(), PriceStyle(width: .narrow), PriceStyle(width: .unambiguous), PriceStyle(sign: .accounting),
    PriceStyle(digits: .cash), PriceStyle(numberingSystem: "arab"),
  ])
  func hasOverrides(style: PriceStyle) throws {
    let folder = try Folder([
      "currency-overrides.json": Self.overrides,
      "custom-currencies.json": CustomCurrencyTests.file(CustomCurrencyTests.gems),
    ])
    let data = try LocaleData(folder: folder.path)
    let date = try PackTests.date()
    let ids = ["AUT", "BGR", "CHE", "DEU", "EGY", "FRA", "IND", "JPN", "USA", "VNM"]
    let pairs = [("de-DE", "EUR"), ("de-CH", "CHF"), ("en-US", "USD"), ("ja-JP", "JPY"), ("en-US", "GEMS")]
    let pack = try Pack(ids, pairs.map { ($0, [$1]) }, styles: [style], in: data)
    for id in ids {
      let store = try Storefront(id, in: data)
      for (currency, day) in [(nil, date), (nil, try CalendarDate("2025-06-01")), ("GEMS", date)] {
        let expected = try PriceFormatter(
          storefront: store,
          currency: currency.map { try Currency($0, in: data) },
          on: day,
          style: style.rounded
        )
        let packed = try pack.formatter(storefront: id, currency: currency, on: day, style: style)
        try PackTests.expectEqual(expected, packed, "\(id) \(currency ?? "")", Self.amounts)
      }
    }
    for (locale, code) in pairs {
      let currency = try Currency(code, in: data)
      let expected = try PriceFormatter(locale: PriceLocale(locale), currency: currency, style: style.rounded)
      let packed = try pack.formatter(locale: locale, currency: code, style: style)
      try PackTests.expectEqual(expected, packed, "\(locale) \(code)", Self.amounts)
    }
  }

  @Test func overridesAreVisible() throws {
    let folder = try Folder(["currency-overrides.json": Self.overrides.replacing("GEMS", with: "USD")])
    let data = try LocaleData(folder: folder.path)
    let date = try PackTests.date()
    let pack = try Pack(["BGR", "DEU", "EGY", "JPN"], [("en-US", ["USD"])], in: data)
    #expect(try pack.formatter(storefront: "BGR", on: date).string(for: "5") == "EU\u{A0}5")
    #expect(try pack.formatter(storefront: "DEU", on: date).string(for: "1234") == "1’234€")
    #expect(try pack.formatter(storefront: "EGY", on: date).string(for: "5").contains("5.00"))
    #expect(try pack.formatter(storefront: "JPN", on: date).string(for: "5") == "円\u{A0}5.00")
    #expect(try pack.formatter(locale: "en-US", currency: "USD").string(for: "5") == "US$5.00")
  }

  // MARK: Styles

  /// Styles whose form is that of another style, or depends on the amount or the date, with their spoken forms.
  @Test(arguments: [
    PriceStyle(qualifier: .approximately), PriceStyle(qualifier: .atLeast),
    PriceStyle(width: .name, qualifier: .approximately), PriceStyle(sign: .always, qualifier: .approximately),
    PriceStyle(sign: .exceptZero, qualifier: .atLeast), PriceStyle(sign: .accountingAlways),
    PriceStyle(sign: .accountingExceptZero), PriceStyle(sign: .negative), PriceStyle(sign: .never),
    PriceStyle(zeros: .trim), PriceStyle(zeros: .trim, digits: .fixed(4)), PriceStyle(digits: .fixed(0)),
    PriceStyle(digits: .fixed(18)), PriceStyle(digits: .range(0...2)), PriceStyle(digits: .range(1...18)),
    PriceStyle(zeros: .trim, digits: .cash), PriceStyle(sign: .exceptZero, digits: .cash),
    PriceStyle(grouping: .always), PriceStyle(grouping: .min2), PriceStyle(grouping: .never),
    PriceStyle(numberingSystem: "latn"), PriceStyle(numberingSystem: "hanidec"),
    PriceStyle(numberingSystem: "mathsanb"), PriceStyle(width: .formal), PriceStyle(width: .variant),
    PriceStyle(width: .hidden),
  ])
  func hasStyle(style: PriceStyle) throws {
    let date = try PackTests.date()
    let ids = ["AUT", "CHE", "DEU", "EGY", "ESP", "IND", "ISR", "JPN", "POL", "TWN", "USA"]
    let pack = try Pack(ids, styles: [style])
    for id in ids {
      let expected = try PriceFormatter(storefront: Storefront(id), on: date, style: style.rounded)
      let packed = try pack.formatter(storefront: id, on: date, style: style)
      try PackTests.expectEqual(
        expected,
        packed,
        id,
        ["0", "1.00", "-1", "2.5", "0.004", "-0.004", "1234.95", "-1234567.89", "1234567890"]
      )
    }
    #expect(try pack.styles.contains { $0.style == style && $0.reference == nil })
  }

  /// The date is an input of packs that depend on it, and other packs do not have it.
  @Test func dateIsThatOfUnambiguousSymbols() throws {
    for (width, hasDate) in [(PriceStyle.Width.standard, false), (.iso, false), (.unambiguous, true)] {
      func bytes(_ date: String) throws -> [UInt8] {
        try Pack(["JPN"], styles: [PriceStyle(width: width)], on: CalendarDate(date)).fileBytes
      }
      let pack = try Pack(bytes("2026-06-01"))
      #expect(pack.symbolDate?.description == (hasDate ? "2026-06-01" : nil))
      let names = ["cldr", "icu", "license", "pricetag", "registry", "unicode"]
      #expect(pack.versions.map(\.name).sorted() == (names + (hasDate ? ["date"] : [])).sorted())
      #expect(pack.versions.map(\.name) == pack.versions.map(\.name).sorted())
      #expect(try bytes("2026-06-01") == bytes("2026-06-01"))
      #expect(try (bytes("2026-06-01") == bytes("2026-06-02")) == !hasDate)
    }
  }

  /// The date decides which symbols are unambiguous. It is the pack's, or the last day of a currency that is no longer
  /// charged.
  @Test func unambiguousSymbolsAreThoseOnTheDate() throws {
    let (date, style) = (try PackTests.date(), PriceStyle(width: .unambiguous, rounding: .halfEven))
    let ids = LocaleData.embedded.storefronts.map(\.id)
    let pack = try Pack(ids, styles: [style], includesSpoken: false)
    for storefront in LocaleData.embedded.storefronts {
      for day in [date] + storefront.currencyPeriods.compactMap(\.lastDay) {
        let expected = try PriceFormatter(storefront: storefront, on: day, style: style)
        let packed = try pack.formatter(storefront: storefront.id, on: day, style: style)
        try PackTests.expectEqual(expected, packed, "\(storefront) \(day)", ["5"])
      }
    }
  }

  // MARK: Bytes

  /// The bytes do not depend on the order of lists, nor on repeated elements.
  @Test func orderDoesNotMatter() throws {
    let data = try CustomCurrencyTests.data()
    let styles = [PriceStyle(), PriceStyle(width: .iso), PriceStyle(sign: .exceptZero)]
    let references = [UnitPriceReference.liter, .kilogram, .hundredGrams]
    let (ids, locales, codes) = (
      ["JPN", "BGR", "USA"], ["ja-JP", "de-DE", "ar-EG"], ["EUR", "GEMS", "JPY"]
    )
    func bytes(_ order: (Int) -> [Int]) throws -> [UInt8] {
      let places = order(3)
      var writer = PackWriter(
        styles: places.map { styles[$0] },
        per: places.map { references[$0] },
        on: try PackTests.date()
      )
      for place in places { writer.add(try Storefront(ids[place], in: data), in: data) }
      for place in places {
        writer.add(
          try PriceLocale(locales[place]),
          try places.map { try Currency(codes[$0], in: data) }
        )
      }
      return writer.bytes(revision: "test")
    }
    let expected = try bytes { Array(0..<$0) }
    #expect(try Pack(expected).styleCount == 20)
    #expect(try bytes { Array((0..<$0).reversed()) } == expected)
    #expect(try bytes { Array(0..<$0) + [1, 1, 0] } == expected)
    #expect(try bytes { _ in [2, 0, 1] } == expected)
  }
}
