import ICUReference
@_spi(Tests) import PriceTag
import Testing

/// Compares the patterns of unit prices with ICU's unit data, which the reference reads without ICU's formatters.
@Suite struct UnitPriceComparison {
  /// The units with their types and names in CLDR.
  static let units: [(unit: ContentUnit, type: String, name: String)] = [
    (.milligram, "mass", "milligram"), (.gram, "mass", "gram"), (.kilogram, "mass", "kilogram"),
    (.tonne, "mass", "tonne"), (.ounce, "mass", "ounce"), (.pound, "mass", "pound"),
    (.milliliter, "volume", "milliliter"), (.centiliter, "volume", "centiliter"),
    (.deciliter, "volume", "deciliter"), (.liter, "volume", "liter"), (.hectoliter, "volume", "hectoliter"),
    (.cubicCentimeter, "volume", "cubic-centimeter"), (.cubicMeter, "volume", "cubic-meter"),
    (.fluidOunce, "volume", "fluid-ounce"), (.pint, "volume", "pint"), (.quart, "volume", "quart"),
    (.gallon, "volume", "gallon"), (.millimeter, "length", "millimeter"),
    (.centimeter, "length", "centimeter"), (.meter, "length", "meter"), (.kilometer, "length", "kilometer"),
    (.inch, "length", "inch"), (.foot, "length", "foot"), (.yard, "length", "yard"),
    (.squareCentimeter, "area", "square-centimeter"), (.squareMeter, "area", "square-meter"),
    (.squareInch, "area", "square-inch"), (.squareFoot, "area", "square-foot"),
    (.squareYard, "area", "square-yard"),
  ]

  @Test(
    arguments: [
      (PriceStyle.Width.standard, "unitsShort", "unit-width-short"),
      (.narrow, "unitsNarrow", "unit-width-narrow"), (.name, "units", "unit-width-full-name"),
    ]
  )
  func hasPatternsOfData(width: PriceStyle.Width, table: String, stem: String) throws {
    #expect(Self.units.map(\.unit) + [.piece] == ContentUnit.allCases)
    var mismatches: [String] = []
    var comparisons = (direct: 0, quotients: 0, several: 0)
    for locale in LocaleTag.listed.map({ $0.replacing("-", with: "_") }) {
      let quotient = try #require(
        Self.icu { icu_reference_unit_pattern(locale, table, "compound", nil, "per", $0, $1) }
      )
      for (unit, type, name) in Self.units {
        let found = UnitPriceReference(unit).pattern(icuLocale: locale, width: width)
        let pattern = Self.icu { icu_reference_unit_pattern(locale, table, type, name, "per", $0, $1) }
        if let pattern {
          comparisons.direct += 1
          if found != pattern { mismatches.append("\(locale) \(name): \(found ?? "none"), ICU \(pattern)") }
          continue
        }
        // Without a pattern of its own, the unit is a quotient with the name of one unit, without the number.
        comparisons.quotients += 1
        let measure = Self.icu {
          icu_reference_unit_pattern(locale, table, type, name, "denominator", $0, $1)
        }
        let words = Self.trimmed((measure ?? "").replacing("{0}", with: ""))
        let expected = quotient.replacing("{1}", with: words)
        if found != expected || words.isEmpty {
          mismatches.append("\(locale) \(name): \(found ?? "none"), quotient \(expected)")
        }
      }
      for (unit, name) in [(ContentUnit.gram, "gram"), (.milliliter, "milliliter")] {
        for quantity in [10, 100, 1000] {
          comparisons.several += 1
          let found = try UnitPriceReference(quantity, unit).pattern(icuLocale: locale, width: width)
          let skeleton = "unit/\(name) \(stem)"
          let measure = Self.icu { icu_reference_number(skeleton, locale, "\(quantity)", $0, $1) } ?? "none"
          let expected = quotient.replacing("{1}", with: measure)
          if found != expected {
            mismatches.append("\(locale) \(quantity) \(name): \(found ?? "none"), ICU \(expected)")
          }
        }
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.count): \(mismatches.prefix(5))")
    #expect(comparisons.direct > 10_000 && comparisons.quotients > 5_000 && comparisons.several > 4_000)
  }

  static let places: [(locale: String, currency: String)] = [
    ("en-US", "USD"), ("de-DE", "EUR"), ("de-CH", "CHF"), ("ja-JP", "JPY"), ("ar-EG", "EGP"),
    ("fa-IR", "IRR"),
    ("he-IL", "ILS"), ("hi-IN", "INR"), ("zh-TW", "TWD"), ("nb-NO", "NOK"), ("sw-KE", "KES"),
    ("pt-CV", "CVE"),
    ("lv-LV", "EUR"), ("es-ES", "EUR"), ("as-IN", "INR"),
  ]

  static let styles = [
    PriceStyle(), PriceStyle(width: .name), PriceStyle(width: .narrow), PriceStyle(width: .hidden),
    PriceStyle(zeros: .trim), PriceStyle(width: .name, zeros: .trim), PriceStyle(sign: .accountingExceptZero),
    PriceStyle(digits: .range(0...3), grouping: .min2), PriceStyle(width: .iso, numberingSystem: "deva"),
  ]

  /// The compiled formatter, ICU's formatter, and the price inside the pattern are the same.
  @Test(arguments: places)
  func isPriceInsidePattern(locale: String, currency: String) throws {
    let references = try ["kg", "L", "100 mL", "piece", "lb"].map { text in try UnitPriceReference(text) }
    for var style in Self.styles {
      style.rounding = .halfEven
      let (priceLocale, currency) = (try PriceLocale(locale), try Currency(currency))
      let compiled = try PriceFormatter(locale: priceLocale, currency: currency, style: style)
      let icu = try PriceFormatter(
        locale: priceLocale,
        currency: currency,
        style: style,
        compilesPattern: false
      )
      let numbering = style.numberingSystem.map { "@numbers=\($0)" } ?? ""
      for reference in references {
        let content = try ProductContent(
          quantity: Amount(minorUnits: Int64(reference.quantity), exponent: 0),
          unit: reference.unit
        )
        let pattern = reference.pattern(
          icuLocale: locale.replacing("-", with: "_") + numbering,
          width: style.width
        )
        for amount in ["0", "1", "2", "5", "21", "0.5", "1234.5", "1234567.25"] as [Amount] {
          let price = try compiled.unitPrice(of: amount, content: content, per: reference)
          let inside = try compiled.string(for: amount)
          #expect(price.formatter.isCompiled)
          #expect(price.text == (pattern ?? "{0}").replacing("{0}", with: inside), "\(style)")
          let expected = try icu.unitPrice(of: amount, content: content, per: reference)
          #expect(price.text == expected.text, "\(style)")
          #expect(price.parts == expected.parts, "\(style) \(amount)")
          let units = price.parts.filter { $0.type == .unit }.map(\.value).joined()
          #expect(units == (pattern ?? "{0}").replacing("{0}", with: ""), "\(style)")
        }
      }
    }
  }

  /// Reading ICU's unit data leaves the prices of Norway as they are.
  ///
  /// ICU 72 formats them as in the root after its data for `nb` was opened without fallback.
  @Test func leavesNorwegianPrices() throws {
    func icu(_ skeleton: String) throws -> String {
      try #require(Self.icu { icu_reference_number(skeleton, "nb_NO", "1234", $0, $1) })
    }
    let (display, name) = (try icu("currency/NOK"), try icu("currency/NOK unit-width-full-name"))
    let norway = try PriceFormatter("NOR")
    let price = try norway.unitPrice(of: 1234, content: ProductContent("1 kg"))
    #expect(price.text == "\(display)/kg")
    #expect(price.spoken == "\(name) per kilogram")
    _ = try norway.unitPrice(of: 1234, content: ProductContent("1 kg"), per: .hundredGrams)
    let atLeast = try PriceFormatter("NOR", PriceStyle(qualifier: .atLeast))
    #expect(try atLeast.string(for: 1234) == "≥ \(display)")
    let fresh = try PriceFormatter("nb-NO", "NOK")
    #expect(try fresh.string(for: 1234) == display)
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let start = text.unicodeScalars.drop(while: isSpace)
    let end = start.reversed().drop(while: isSpace).count
    return String(start.prefix(end))
  }

  private static func icu(_ write: (UnsafeMutablePointer<UInt8>, Int32) -> Int32) -> String? {
    var text = [UInt8](repeating: 0, count: 1536)
    let count = write(&text, Int32(text.count))
    return count < 0 ? nil : String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }
}
