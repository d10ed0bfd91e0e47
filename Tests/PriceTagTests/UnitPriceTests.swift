import Foundation
@_spi(Tests) import PriceTag
import SeededNumbers
import Testing

/// Unit prices, with ICU 72 (CLDR 42). Spaces and marks are escaped.
@Suite struct UnitPriceTests {
  // MARK: References

  @Test(
    arguments: [
      ("kg", "kg"), ("1 kg", "kg"), ("l", "L"), ("100 ml", "100 mL"), ("100mL", "100 mL"), ("100g", "100 g"),
      ("10 g", "10 g"), ("75 cl", "75 cL"), ("50 kg", "50 kg"), ("1000 kg", "1000 kg"), ("m2", "m²"),
      ("100.0 g", "100 g"), ("100\u{A0}g", "100 g"), ("piece", "piece"), ("pc", "piece"), ("1", "piece"),
      ("100 pieces", "100 piece"), ("lb", "lb"), ("fl oz", "fl oz"), ("100 sq ft", "100 sq ft"),
    ]
  )
  func readsReference(text: String, expected: String) throws {
    let reference = try UnitPriceReference(text)
    #expect(reference.description == expected)
    #expect(try UnitPriceReference(reference.description) == reference)
    #expect(reference.isPiece == expected.hasSuffix("piece"))
    let json = try JSONEncoder().encode([reference])
    #expect(try JSONDecoder().decode([String].self, from: json) == [expected])
    #expect(try JSONDecoder().decode([UnitPriceReference].self, from: json) == [reference])
  }

  private static let referenceFix = "write a unit, or 1, 10, 50, 75, 100 or 1000 of it, such as kg or 100 mL"

  @Test(
    arguments: [
      ("", "\"\" is not a reference for unit prices; \(referenceFix)"),
      (" ", "\" \" is not a reference for unit prices; \(referenceFix)"),
      ("100, L", "\"100, L\" is not a reference for unit prices; \(referenceFix)"),
      ("99999999999999999999 L", "is not a reference for unit prices; \(referenceFix)"),
      ("2 kg", "\"2 kg\" is not a reference for unit prices; \(referenceFix)"),
      ("0 kg", "\"0 kg\" is not a reference for unit prices; \(referenceFix)"),
      ("0.5 kg", "\"0.5 kg\" is not a reference for unit prices; \(referenceFix)"),
      ("10000 kg", "\"10000 kg\" is not a reference for unit prices; \(referenceFix)"),
      ("kilo", "\"kilo\" in \"kilo\" is not a unit"),
      ("KG", "\"KG\" in \"KG\" is not a unit; did you mean \"kg\"?"),
      ("-1 kg", "\"-1 kg\" in \"-1 kg\" is not a unit"),
      ("100 x g", "\"x g\" in \"100 x g\" is not a unit"),
    ]
  )
  func rejectsReference(text: String, expected: String) throws {
    let error = try #require(throws: PriceTagError.self) { try UnitPriceReference(text) }
    #expect(error.code == .malformedContent && error.description.contains(expected), "\(error)")
    #expect(throws: PriceTagError.self) { try UnitPriceReference(2, .kilogram) }
  }

  @Test(
    arguments: [
      ("250 g", "kg"), ("1 t", "kg"), ("0.75 L", "L"), ("50 cm3", "L"), ("2 m3", "m³"), ("80 cm", "m"),
      ("30 cm2", "m²"), ("6", "piece"), ("12 oz", "lb"), ("12 fl oz", "qt"), ("1 gal", "qt"), ("10 in", "ft"),
      ("3 yd", "ft"), ("100 sq in", "sq ft"),
    ]
  )
  func hasDefaultReference(content: String, expected: String) throws {
    #expect(try ProductContent(content).defaultReference.description == expected)
  }

  // MARK: Amounts

  /// The numbers are exact, so that no rounding mode is needed.
  @Test(
    arguments: [
      ("12.45", "0.75 L", "L", "16.60"), ("0.99", "6 × 330 mL", "L", "0.50"),
      ("2.50", "250 g", "kg", "10.00"),
      ("2.50", "250 g", "100 g", "1.00"), ("2.50", "250 g", "g", "0.01"),
      ("3.00", "1.5 kg", "1000 kg", "2000"),
      ("0", "1 kg", "kg", "0.00"), ("5", "70 cL", "75 cL", "5.357142857"), ("9.00", "12", "piece", "0.75"),
      ("9.00", "2 × 6 pc", "100 pieces", "75.00"), ("4.00", "50 cm", "m", "8.00"),
      ("4.00", "2 m", "cm", "0.02"),
      ("8.00", "4000 cm2", "m2", "20.00"), ("1.00", "2 m3", "L", "0.0005"), ("1.00", "20 cm3", "L", "50.00"),
      ("3.00", "12 oz", "lb", "4.00"), ("4.00", "1 lb", "oz", "0.25"), ("3.84", "1 gal", "fl oz", "0.03"),
      ("1.28", "64 fl oz", "gal", "2.56"), ("1.00", "1 pt", "qt", "2.00"), ("1.00", "1 qt", "gal", "4.00"),
      ("1.00", "1 yd", "ft", "0.33333"), ("6.00", "36 in", "yd", "6.00"),
      ("1.00", "144 sq in", "sq ft", "1.00"),
      ("9.00", "1 sq yd", "sq ft", "1.00"), ("9223372036854775807", "1 kg", "kg", "9223372036854775807"),
      ("1", "1000000 × 1000000000 t", "mg", "0.000000000000000000"),
    ] as [(Amount, String, String, String)]
  )
  func computesAmount(amount: Amount, content: String, reference: String, expected: String) throws {
    let expected = try Amount(decimal: expected)
    let needsRounding = ["0.50", "5.357142857", "0.33333", "0.000000000000000000"]
    let result = try amount.unitPrice(
      content: ProductContent(content),
      per: UnitPriceReference(reference),
      digits: expected.scale,
      rounding: needsRounding.contains(expected.description) ? .halfEven : .exact
    )
    #expect(result == expected)
  }

  /// The amounts follow from 1 lb = 0.45359237 kg, 1 gal = 3.785411784 L and 1 in = 2.54 cm.
  @Test(
    arguments: [
      ("0.45359237", "1 lb", "kg", "1"), ("1", "0.45359237 kg", "lb", "1"),
      ("3.785411784", "1 gal", "L", "1"),
      ("1", "3.785411784 L", "gal", "1"), ("29.5735295625", "1 fl oz", "mL", "29.5735295625"),
      ("2.54", "1 in", "cm", "1"), ("0.3048", "1 ft", "m", "1"), ("0.9144", "1 yd", "m", "1"),
      ("6.4516", "1 sq in", "cm2", "1"), ("0.09290304", "1 sq ft", "m2", "1"),
      ("28.349523125", "1 oz", "g", "1"), ("231", "231 sq in", "sq in", "1"),
    ] as [(Amount, String, String, String)]
  )
  func convertsBetweenSystemsIfAsked(amount: Amount, content: String, reference: String, expected: String)
    throws
  {
    // A price that equals the size of the unit costs 1 per reference unit, except per milliliter.
    let result = try amount.unitPrice(
      content: ProductContent(content),
      per: UnitPriceReference(reference),
      digits: 18,
      rounding: .exact,
      convertsSystems: true
    )
    #expect(result == (content == "1 fl oz" ? 1 : try Amount(decimal: expected)))
  }

  @Test(
    arguments: [
      (
        "5", "12 oz", "kg",
        "the content 12 oz and the reference kg belong to different systems of units; "
          + "use a US customary reference such as lb"
      ),
      (
        "5", "0.75 L", "gal",
        "the content 0.75 L and the reference gal belong to different systems of units; "
          + "use a metric reference such as L"
      ),
      ("5", "0.75 L", "kg", "the content 0.75 L has no price per kg; use a reference for volume, such as L"),
      (
        "5", "12 pieces", "kg",
        "the content 12 piece has no price per kg; use a reference for pieces, such as piece"
      ),
      ("5", "1 kg", "piece", "the content 1 kg has no price per piece; use a reference for mass, such as kg"),
    ] as [(Amount, String, String, String)]
  )
  func refusesOtherUnits(amount: Amount, content: String, reference: String, expected: String) throws {
    let (content, reference) = (try ProductContent(content), try UnitPriceReference(reference))
    let error = try #require(throws: PriceTagError.self) {
      try amount.unitPrice(content: content, per: reference, digits: 2, rounding: .halfUp)
    }
    #expect(error.code == .unitMismatch && error.description == expected)
    let converts = content.unit.dimension == reference.unit.dimension
    let converted = try? amount.unitPrice(
      content: content,
      per: reference,
      digits: 2,
      rounding: .halfUp,
      convertsSystems: true
    )
    #expect((converted != nil) == converts)
  }

  @Test(
    arguments: [
      (
        "12.45", "0.7 L", 2, .exact, .needsRounding,
        "12.45 for 0.7 L is not a multiple of 0.01 per L; name a rounding mode such as half-up to allow rounding"
      ),
      (
        "-1", "0.7 L", 2, .halfUp, .invalidOption,
        "the amount -1 is below zero and has no unit price; use an amount of zero or more"
      ),
      ("1", "0.7 L", -1, .halfUp, .invalidOption, "cannot round to -1 digits in steps of 1"),
      ("1", "0.7 L", 19, .halfUp, .invalidOption, "cannot round to 19 digits in steps of 1"),
      (
        "9223372036854775807", "0.7 L", 0, .halfUp, .amountOutOfRange,
        "the result 13176245766935394010 is out"
      ),
      (
        "9223372036854775807", "0.000000007 mL", 18, .halfUp, .amountOutOfRange,
        "the price of 9223372036854775807 for 0.000000007 mL per L is out of range"
      ),
    ] as [(Amount, String, Int, RoundingMode, PriceTagError.Code, String)]
  )
  func refusesAmounts(
    amount: Amount,
    content: String,
    digits: Int,
    rounding: RoundingMode,
    code: PriceTagError.Code,
    expected: String
  ) throws {
    let content = try ProductContent(content)
    let error = try #require(throws: PriceTagError.self) {
      try amount.unitPrice(content: content, per: .liter, digits: digits, rounding: rounding)
    }
    #expect(error.code == code && error.description.contains(expected), "\(error)")
  }

  // MARK: Exactness

  /// The sizes of the units in kg, L, m or m².
  private static let sizes: [(unit: ContentUnit, size: Amount)] = [
    (.milligram, "0.000001"), (.gram, "0.001"), (.kilogram, "1"), (.tonne, "1000"),
    (.ounce, "0.028349523125"),
    (.pound, "0.45359237"), (.milliliter, "0.001"), (.centiliter, "0.01"), (.deciliter, "0.1"), (.liter, "1"),
    (.hectoliter, "100"), (.cubicCentimeter, "0.001"), (.cubicMeter, "1000"),
    (.fluidOunce, "0.0295735295625"), (.pint, "0.473176473"), (.quart, "0.946352946"),
    (.gallon, "3.785411784"), (.millimeter, "0.001"), (.centimeter, "0.01"), (.meter, "1"),
    (.kilometer, "1000"), (.inch, "0.0254"), (.foot, "0.3048"), (.yard, "0.9144"),
    (.squareCentimeter, "0.0001"), (.squareMeter, "1"), (.squareInch, "0.00064516"),
    (.squareFoot, "0.09290304"), (.squareYard, "0.83612736"), (.piece, "1"),
  ]

  /// The result is between the bounds of its rounding mode, computed with integers of any size and without reduction.
  @Test func roundsExactValueOnce() throws {
    #expect(Self.sizes.map(\.unit) == ContentUnit.allCases)
    var numbers = SeededNumbers(seed: 203)
    var computed = 0
    for _ in 0..<20_000 {
      let (unit, size) = numbers.pick(Self.sizes)
      let (other, otherSize) = numbers.pick(Self.sizes.filter { $0.unit.dimension == unit.dimension })
      let reference = try UnitPriceReference(numbers.pick(UnitPriceReference.quantities), other)
      let quantity = try Amount(
        minorUnits: Int64(numbers.number(1...100_000)),
        exponent: unit == .piece ? 0 : numbers.number(0...3)
      )
      let content = try ProductContent(count: numbers.number(1...24), quantity: quantity, unit: unit)
      let amount = try Amount(
        minorUnits: Int64(numbers.number(0...1_000_000)),
        exponent: numbers.number(0...3)
      )
      let digits = numbers.number(0...5)
      let mode = numbers.pick([RoundingMode.exact, .down, .up, .halfUp, .floor, .ceiling])
      let factors = [
        amount.coefficient, Int64(reference.quantity), otherSize.coefficient,
        Self.ten(content.quantity.scale),
        Self.ten(size.scale), Self.ten(digits),
      ]
      let divisors = [
        Int64(content.count), content.quantity.coefficient, size.coefficient, Self.ten(amount.scale),
        Self.ten(otherSize.scale),
      ]
      let value = Natural(factors)
      func multiple(_ factor: Int64) -> Natural { Natural(divisors + [factor]) }
      let result: Amount
      do throws(PriceTagError) {
        result = try amount.unitPrice(
          content: content,
          per: reference,
          digits: digits,
          rounding: mode,
          convertsSystems: true
        )
      } catch {
        if error.code == .amountOutOfRange { continue }
        #expect(error.code == .needsRounding && mode == .exact, "\(error)")
        let down = try? amount.unitPrice(
          content: content,
          per: reference,
          digits: digits,
          rounding: .down,
          convertsSystems: true
        )
        guard let down else { continue }
        #expect(multiple(try down.minorUnits(exponent: digits)) < value)
        continue
      }
      computed += 1
      let units = try result.minorUnits(exponent: digits)
      let message: Comment = "\(amount) for \(content) per \(reference), \(digits) digits, \(mode): \(result)"
      switch mode {
      case .exact: #expect(multiple(units) == value, message)
      case .down, .floor: #expect(!(value < multiple(units)) && value < multiple(units + 1), message)
      case .up, .ceiling:
        #expect(!(multiple(units) < value) && (units == 0 || multiple(units - 1) < value), message)
      default:
        let double = Natural(factors + [2])
        #expect(double < multiple(2 * units + 1), message)
        #expect(units == 0 || !(double < multiple(2 * units - 1)), message)
      }
    }
    #expect(computed > 10_000)
  }

  private static func ten(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }

  // MARK: Formatting

  @Test(
    arguments: [
      ("DEU", "12.45", "0.75 L", nil, "16,60\u{A0}€/l", "16,60 Euro pro Liter"),
      ("DEU", "1.99", "250 g", nil, "7,96\u{A0}€/kg", "7,96 Euro pro Kilogramm"),
      ("DEU", "1.99", "250 g", "100 g", "0,80\u{A0}€/100 g", "0,80 Euro pro 100 Gramm"),
      ("DEU", "9.90", "12 pieces", nil, "0,83\u{A0}€", "0,83 Euro"),
      ("USA", "0.42", "100 mL", "100 mL", "$0.42/100 mL", "0.42 US dollars per 100 milliliters"),
      ("USA", "4.99", "12 oz", nil, "$6.65/lb", "6.65 US dollars per pound"),
      ("USA", "4.99", "12 fl oz", "fl oz", "$0.42/fl oz", "0.42 US dollars per fluid ounce"),
      ("USA", "4.99", "50 sq ft", nil, "$0.10/sq ft", "0.10 US dollars per square foot"),
      ("JPN", "1200", "1.5 kg", nil, "￥800/kg", "800円/キログラム"),
      (
        "EGY", "50", "0.5 kg", nil, "\u{200F}١٠٠٫٠٠\u{A0}ج.م.\u{200F}/كغم", "١٠٠٫٠٠ جنيه مصري/كيلوغرام"
      ),
      (
        "EGY", "50", "500 mL", "100 mL", "\u{200F}١٠٫٠٠\u{A0}ج.م.\u{200F}/١٠٠ ملتر",
        "١٠٫٠٠ جنيهات مصرية لكل ١٠٠ مليلتر"
      ),
      ("TWN", "99", "2 kg", nil, "$49.50/公斤", "每公斤 49.50 新台幣"),
    ] as [(String, Amount, String, String?, String, String)]
  )
  func formats(
    storefront: String,
    amount: Amount,
    content: String,
    reference: String?,
    expected: String,
    spoken: String
  ) throws {
    let formatter = try PriceFormatter(storefront, PriceStyle(rounding: .halfUp))
    let reference = try reference.map { text in try UnitPriceReference(text) }
    let price = try formatter.unitPrice(of: amount, content: ProductContent(content), per: reference)
    #expect(price.text.escapedSpaces == expected.escapedSpaces)
    #expect(price.spoken.escapedSpaces == spoken.escapedSpaces)
    #expect(price.formatter.isCompiled)
    #expect(price.parts.map(\.value).joined() == price.text)
    let units = price.parts.filter { $0.type == .unit }.map(\.value)
    #expect(units.isEmpty == price.text.isEqual(to: try formatter.string(for: price.amount)))
    // The ordinary prices of the formatter stay as they are.
    #expect(try formatter.format(price.amount).parts.allSatisfy { $0.type != .unit })
  }

  @Test(
    arguments: [
      ("EGY", FormattedPrice.Direction.rightToLeft), ("ISR", .rightToLeft), ("USA", .leftToRight),
      ("DEU", .leftToRight),
    ]
  )
  func hasDirection(storefront: String, direction: FormattedPrice.Direction) throws {
    let formatter = try PriceFormatter(storefront)
    let content = try ProductContent("500 g")
    #expect(try formatter.unitPrice(of: 8, content: content).direction == direction)
    #expect(try formatter.unitPrice(of: 8, content: content, per: .hundredGrams).direction == direction)
  }

  @Test(
    arguments: [
      (PriceStyle(width: .iso), "USD\u{A0}16.00/kg"), (PriceStyle(width: .hidden), "16.00/kg"),
      (PriceStyle(width: .narrow), "$16.00/kg"), (PriceStyle(width: .unambiguous), "USD\u{A0}16.00/kg"),
      (PriceStyle(width: .name), "16.00 US dollars per kilogram"), (PriceStyle(zeros: .trim), "$16/kg"),
      (PriceStyle(sign: .always), "+$16.00/kg"), (PriceStyle(sign: .exceptZero), "+$16.00/kg"),
      (PriceStyle(digits: .fixed(4)), "$16.0000/kg"), (PriceStyle(digits: .range(0...3)), "$16/kg"),
      (PriceStyle(numberingSystem: "arab"), "١٦٫٠٠\u{A0}$/kg"),
    ]
  )
  func keepsStyle(style: PriceStyle, expected: String) throws {
    let formatter = try PriceFormatter("USA", style)
    let price = try formatter.unitPrice(of: 8, content: ProductContent("500 g"))
    #expect(price.text == expected)
    #expect(price.formatter.style == style)
    #expect(price.parts.map(\.value).joined() == price.text)
  }

  /// The narrow width has CLDR's narrow pattern, and the digits of a reference are those of the price.
  @Test func writesNarrowUnitsAndDigits() throws {
    let content = try ProductContent("500 mL")
    let narrow = try PriceFormatter("USA", PriceStyle(width: .narrow))
    #expect(try narrow.unitPrice(of: 5, content: content, per: .hundredMilliliters).text == "$1.00/100mL")
    let latin = try PriceFormatter("EGY", PriceStyle(numberingSystem: "latn"))
    let price = try latin.unitPrice(of: 5, content: content, per: .hundredMilliliters)
    #expect(price.text.hasSuffix("/100 ملتر"))
  }

  @Test(arguments: [PriceStyle.Notation.compactShort, .compactLong])
  func refusesCompactNotation(notation: PriceStyle.Notation) throws {
    let style = PriceStyle(rounding: .halfUp, notation: notation)
    let formatter = try PriceFormatter("USA", style)
    let error = try #require(throws: PriceTagError.self) {
      try formatter.unitPrice(of: 1234, content: ProductContent("1 kg"))
    }
    #expect(
      error.description
        == "a unit price cannot have the notation \(notation.rawValue); use the notation standard"
    )
  }

  @Test(
    arguments: [
      (PriceStyle.Qualifier.approximately, "~$16.00/kg"), (.atLeast, "$16.00/kg+"),
    ]
  )
  func keepsQualifier(qualifier: PriceStyle.Qualifier, expected: String) throws {
    let formatter = try PriceFormatter("USA", PriceStyle(qualifier: qualifier))
    let price = try formatter.unitPrice(of: 8, content: ProductContent("500 g"))
    #expect(price.text == expected)
    #expect(price.parts.map(\.value).joined() == expected)
    #expect(price.parts.count { $0.type == .unit } == 1)
  }

  /// A paid product is never shown with the unit price zero.
  @Test func refusesZeroOfPaidContent() throws {
    let formatter = try PriceFormatter("DEU", PriceStyle(rounding: .halfUp))
    let content = try ProductContent("500 pieces")
    let error = try #require(throws: PriceTagError.self) {
      try formatter.unitPrice(of: "0.99", content: content)
    }
    #expect(
      error.description
        == "0.99 for 500 piece rounds to zero per piece; "
        + "use a larger reference, such as 100 or 1000 of the unit, or display more digits"
    )
    #expect(try formatter.unitPrice(of: 0, content: content).text == "0,00\u{A0}€")
    #expect(
      try formatter.unitPrice(of: "0.99", content: content, per: .init(100, .piece)).text == "0,20\u{A0}€"
    )
  }

  /// A unit price is rounded once, by the style's mode, also to a step of cash.
  @Test func roundsByStyle() throws {
    let content = try ProductContent("0.7 L")
    let exact = try PriceFormatter("DEU")
    let error = try #require(throws: PriceTagError.self) {
      try exact.unitPrice(of: "12.45", content: content)
    }
    #expect(error.code == .needsRounding)
    for (mode, expected) in [(RoundingMode.down, "17.78"), (.up, "17.79"), (.halfEven, "17.79")] {
      let formatter = try PriceFormatter("DEU", PriceStyle(rounding: mode))
      let price = try formatter.unitPrice(of: "12.45", content: content)
      #expect(price.amount.description == expected && price.displayedAmount == price.amount)
    }
    let cash = try PriceFormatter("CHE", PriceStyle(digits: .cash, rounding: .halfEven))
    #expect(try cash.unitPrice(of: "12.45", content: content).amount.description == "17.80")
    let refund = try #require(throws: PriceTagError.self) { try exact.unitPrice(of: -5, content: content) }
    #expect(refund.code == .invalidOption)
  }

  /// Overrides of a merchant and custom currencies are those of the ordinary prices.
  @Test func keepsOverridesAndCustomCurrencies() throws {
    let overrides = #"""
      {"storefront":"CHE","symbol":"SFr.","group":"'","digits":3,"reason":"r"},
      {"storefront":"EGY","numbering":"latn","reason":"r"}
      """#
    let data = try LocaleData([
      "currency-overrides.json": LocaleDataTests.overrides(overrides),
      "custom-currencies.json": CustomCurrencyTests.file(CustomCurrencyTests.gems),
    ])
    let content = try ProductContent("500 mL")
    let swiss = try PriceFormatter("CHE", in: data)
    #expect(try swiss.unitPrice(of: 1234, content: content).text == "SFr.\u{A0}2'468.000/l")
    let egypt = try PriceFormatter("EGY", in: data)
    let egyptian = try egypt.unitPrice(of: 10, content: content, per: .hundredMilliliters)
    #expect(egyptian.text.hasPrefix("\u{200F}2.00") && egyptian.text.hasSuffix("/100 ملتر"))
    let gems = try PriceFormatter("en-US", "GEMS", in: data)
    let price = try gems.unitPrice(of: 5, content: content)
    #expect(price.text == "💎10/L" && price.spoken == "10 gems per liter")
  }

  /// Many threads compile the formatters of many references at the same time.
  @Test func isSharedBetweenThreads() async throws {
    let formatter = try PriceFormatter("DEU")
    let contents = try ContentUnit.allCases.map { unit in try ProductContent(quantity: 4, unit: unit) }
    let expected = try contents.map { content in
      try PriceFormatter("DEU").unitPrice(
        of: 8,
        content: content,
        per: UnitPriceReference(content.unit)
      ).text
    }
    #expect(Set(expected).count >= 28)
    await withTaskGroup(of: Bool.self) { group in
      for shift in 0..<8 {
        group.addTask {
          (0..<contents.count).allSatisfy { index in
            let place = (index + shift * 7) % contents.count
            let reference = UnitPriceReference(contents[place].unit)
            let price = try? formatter.unitPrice(of: 8, content: contents[place], per: reference)
            return price?.text == expected[place]
          }
        }
      }
      for await isEqual in group { #expect(isEqual) }
    }
  }

  /// A unit price of a unit price's formatter has one unit, and totals keep the unit.
  @Test func hasOneUnit() throws {
    let formatter = try PriceFormatter("USA")
    let price = try formatter.unitPrice(of: 8, content: ProductContent("500 g"))
    #expect(try price.formatter.unitPrice(of: 8, content: ProductContent("2 L")).text == "$4.00/L")
    #expect(try price.formatter.unitPrice(of: 8, content: ProductContent("2")).text == "$4.00")
    #expect(try price.total(quantity: 2).text == "$32.00/kg")
    #expect(price == (try formatter.unitPrice(of: 16, content: ProductContent("1 kg"))))
  }
}

/// A natural number of any size: a product that is compared with others.
private struct Natural: Comparable {
  /// The digits to the base 2³², the lowest first, without zeros at the end.
  private var digits: [UInt32] = [1]

  init(_ factors: [Int64]) {
    for factor in factors {
      let (low, high) = (UInt64(factor.magnitude & 0xFFFF_FFFF), UInt64(factor.magnitude >> 32))
      var product = [UInt64](repeating: 0, count: digits.count + 3)
      for (place, digit) in digits.enumerated() {
        for (shift, part) in [low, high].enumerated() {
          // Carries are added at once, so that every digit stays below 2³².
          var carry = UInt64(digit) * part
          var at = place + shift
          while carry > 0 {
            carry += product[at]
            product[at] = carry & 0xFFFF_FFFF
            carry >>= 32
            at += 1
          }
        }
      }
      digits = product.map { UInt32($0) }
      while digits.last == 0 { digits.removeLast() }
    }
  }

  static func < (first: Natural, second: Natural) -> Bool {
    if first.digits.count != second.digits.count { return first.digits.count < second.digits.count }
    return first.digits.reversed().lexicographicallyPrecedes(second.digits.reversed())
  }
}

extension String {
  /// The text with spaces of all kinds as their escapes, so that a failure shows them.
  fileprivate var escapedSpaces: String {
    unicodeScalars.map { $0.properties.isWhitespace ? "<\(String($0.value, radix: 16))>" : "\($0)" }.joined()
  }

  fileprivate func isEqual(to other: String) -> Bool { self == other }
}
