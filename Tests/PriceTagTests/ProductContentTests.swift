import Foundation
import PriceTag
import Testing

@Suite struct ProductContentTests {
  @Test(
    arguments: [
      ("0.75 L", "0.75 L"), ("0.75 l", "0.75 L"), ("0.750L", "0.75 L"), ("00.5 L", "0.5 L"),
      ("6 × 330 mL", "6 × 330 mL"), ("6 × 330 ml", "6 × 330 mL"), ("6x330ml", "6 × 330 mL"),
      ("6X330 ml", "6 × 330 mL"), ("6*330 ml", "6 × 330 mL"), ("6 \u{D7}\u{A0}330\u{A0}ml", "6 × 330 mL"),
      ("  6  x  330  ml  ", "6 × 330 mL"), ("1 × 330 mL", "330 mL"), ("6.0 × 330 mL", "6 × 330 mL"),
      ("250g", "250 g"), ("250\u{202F}g", "250 g"), ("250\u{2009}g", "250 g"), ("1.5kg", "1.5 kg"),
      ("500 mg", "500 mg"), ("2 t", "2 t"), ("70 cl", "70 cL"), ("70 cL", "70 cL"), ("2 dl", "2 dL"),
      ("1 hl", "1 hL"), ("2 m3", "2 m³"), ("2 m³", "2 m³"), ("50 cm3", "50 cm³"),
      ("80 mm", "80 mm"), ("8 cm", "8 cm"), ("3 m", "3 m"), ("1 km", "1 km"), ("2.5 m2", "2.5 m²"),
      ("2.5 m²", "2.5 m²"), ("30 cm2", "30 cm²"),
      ("12 pieces", "12 piece"), ("12 piece", "12 piece"), ("12 pc", "12 piece"), ("12 pcs", "12 piece"),
      ("12", "12 piece"), ("3 x 12", "3 × 12 piece"), ("1.0", "1 piece"),
      ("16 oz", "16 oz"), ("2 lb", "2 lb"), ("2 lbs", "2 lb"), ("12 fl oz", "12 fl oz"),
      ("12 fl  oz", "12 fl oz"), ("12 fl.\u{A0}oz.", "12 fl oz"), ("12floz", "12 fl oz"), ("1 pt", "1 pt"),
      ("1 qt", "1 qt"), ("0.5 gal", "0.5 gal"), ("10 in", "10 in"), ("6 ft", "6 ft"), ("3 yd", "3 yd"),
      ("9 sq ft", "9 sq ft"), ("9 ft2", "9 sq ft"), ("9 ft²", "9 sq ft"), ("9 sq in", "9 sq in"),
      ("9 in²", "9 sq in"), ("9 sq yd", "9 sq yd"), ("9 yd2", "9 sq yd"),
      ("1000000000 g", "1000000000 g"), ("0.000000001 kg", "0.000000001 kg"),
      ("1000000 × 1 g", "1000000 × 1 g"),
    ]
  )
  func readsText(text: String, expected: String) throws {
    let content = try ProductContent(text)
    #expect(content.description == expected)
    #expect(try ProductContent(content.description) == content)
    let json = try JSONEncoder().encode([content])
    #expect(try JSONDecoder().decode([String].self, from: json) == [expected])
    #expect(try JSONDecoder().decode([ProductContent].self, from: json) == [content])
  }

  @Test func hasComponents() throws {
    let content = try ProductContent("6 × 330.50 ml")
    #expect(content.count == 6 && content.quantity == "330.5" && content.unit == .milliliter)
    #expect(content.quantity.scale == 1)
    #expect(try ProductContent(count: 6, quantity: "330.500", unit: .milliliter) == content)
    #expect(try ProductContent("0.750 L") == ProductContent("0.75 L"))
    #expect(try ProductContent("750 mL") != ProductContent("0.75 L"))
  }

  private static let quantityFix = "write a quantity and a unit, such as 0.75 L or 6 × 330 mL"

  @Test(
    arguments: [
      ("", "the content is empty; \(quantityFix)"),
      (" ", "\" \" has no quantity where one is expected; \(quantityFix)"),
      ("kg", "\"kg\" has no quantity where one is expected; \(quantityFix)"),
      ("-1 kg", "\"-1 kg\" has no quantity where one is expected; \(quantityFix)"),
      ("+1 kg", "\"+1 kg\" has no quantity where one is expected; \(quantityFix)"),
      ("6 x", "\"6 x\" has no quantity where one is expected; \(quantityFix)"),
      ("x 6 g", "\"x 6 g\" has no quantity where one is expected; \(quantityFix)"),
      ("6 x kg", "\"6 x kg\" has no quantity where one is expected; \(quantityFix)"),
      (
        "0,75 l",
        "\"0,75 l\" contains a comma; write a decimal point and no group separators, such as 0.75 L"
      ),
      (
        "1,000 g",
        "\"1,000 g\" contains a comma; write a decimal point and no group separators, such as 0.75 L"
      ),
      ("1.2.3 kg", "\"1.2.3\" in \"1.2.3 kg\" is not a decimal number; \(quantityFix)"),
      (".5 kg", "\".5\" in \".5 kg\" is not a decimal number; \(quantityFix)"),
      ("5. kg", "\"5.\" in \"5. kg\" is not a decimal number; \(quantityFix)"),
      (
        "99999999999999999999 g",
        "\"99999999999999999999\" in \"99999999999999999999 g\" is not a decimal number; \(quantityFix)"
      ),
      ("\u{661} kg", "\"\u{661} kg\" contains \"\u{661}\", which is not an ASCII digit; \(quantityFix)"),
      ("1 M", "\"M\" in \"1 M\" is not a unit; did you mean \"m\"?"),
      ("1 KG", "\"KG\" in \"1 KG\" is not a unit; did you mean \"kg\"?"),
      ("1 ML", "\"ML\" in \"1 ML\" is not a unit; did you mean \"mL\"?"),
      ("1 liter", "\"liter\" in \"1 liter\" is not a unit; did you mean \"L\"?"),
      ("1 litre", "\"litre\" in \"1 litre\" is not a unit; did you mean \"L\"?"),
      ("2 grams", "\"grams\" in \"2 grams\" is not a unit; did you mean \"g\"?"),
      ("2 pounds", "\"pounds\" in \"2 pounds\" is not a unit; did you mean \"lb\"?"),
      ("2 pece", "\"pece\" in \"2 pece\" is not a unit; did you mean \"piece\"?"),
      ("1e3 g", "\"e3 g\" in \"1e3 g\" is not a unit"),
      ("1 2 g", "\"2 g\" in \"1 2 g\" is not a unit"),
      ("2 x 3 x 4 g", "\"x 4 g\" in \"2 x 3 x 4 g\" is not a unit"),
      ("1 kg\n", "\"kg\\u{A}\" in \"1 kg\\u{A}\" is not a unit"),
      ("1 k\u{200B}g", "\"k\\u{200B}g\" in \"1 k\\u{200B}g\" is not a unit"),
      ("1 \u{202E}gk", "is not a unit"),
      ("1\u{0}kg", "is not a unit"),
      ("1.5 x 3 g", "the count 1.5 of the content \"1.5 x 3 g\" has decimals"),
      ("0 × 3 g", "the count 0 of a content is outside 1...1000000"),
      ("1000001 × 3 g", "the count 1000001 of a content is outside 1...1000000"),
      (
        "0 g",
        "the quantity 0 of a content is out of range; write a number above 0, at most 1000000000, with at most 9 decimals"
      ),
      ("0.00 g", "the quantity 0 of a content is out of range"),
      ("1000000001 g", "the quantity 1000000001 of a content is out of range"),
      ("0.0000000001 g", "the quantity 0.0000000001 of a content is out of range"),
      ("1.5 pieces", "the number of pieces 1.5 has decimals; write an integer, such as 12 pieces"),
    ]
  )
  func rejectsText(text: String, expected: String) throws {
    let error = try #require(throws: PriceTagError.self) { try ProductContent(text) }
    #expect(error.code == .malformedContent)
    #expect(error.description.contains(expected), "\(error)")
  }

  /// A long text is an error of bounded length, and takes no time.
  @Test(arguments: ["9", " ", "x", "1 ", "kg", "\u{E9}", "1x"])
  func rejectsLongText(piece: String) throws {
    let error = try #require(throws: PriceTagError.self) {
      try ProductContent(String(repeating: piece, count: 1_000_000))
    }
    #expect(error.code == .malformedContent)
    #expect(
      error.description.hasSuffix("is longer than 64 bytes; write a quantity and a unit, such as 0.75 L")
    )
    #expect(error.description.utf8.count < 300)
    #expect(throws: PriceTagError.self) { try UnitPriceReference(String(repeating: piece, count: 1_000_000)) }
  }

  @Test(
    arguments: [
      (-1, "5", "the count -1"), (0, "5", "the count 0"), (Int.min, "5", "the count -9223372036854775808"),
      (Int.max, "5", "the count 9223372036854775807"), (1, "-5", "the quantity -5"),
      (1, "0", "the quantity 0"),
      (1, "-9223372036854775808", "the quantity -9223372036854775808"),
      (1, "9223372036854775807", "the quantity 9223372036854775807"),
    ] as [(Int, Amount, String)]
  )
  func rejectsNumbers(count: Int, quantity: Amount, expected: String) throws {
    let error = try #require(throws: PriceTagError.self) {
      try ProductContent(count: count, quantity: quantity, unit: .gram)
    }
    #expect(error.code == .malformedContent && error.description.contains(expected), "\(error)")
  }

  @Test func decodesTextOnly() throws {
    for json in [#"[1]"#, #"["1 furlong"]"#, #"[null]"#, #"[{"unit":"g"}]"#] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([ProductContent].self, from: Data(json.utf8))
      }
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([UnitPriceReference].self, from: Data(json.utf8))
      }
    }
  }

  /// Every unit is read by its raw value, and its size is a multiple of a unit that the other system shares.
  @Test(arguments: ContentUnit.allCases)
  func readsEveryUnit(unit: ContentUnit) throws {
    #expect(try ProductContent("3 \(unit.rawValue)").unit == unit)
    #expect(try UnitPriceReference(unit.rawValue) == UnitPriceReference(unit))
    let reference = try ProductContent(quantity: 3, unit: unit).defaultReference
    #expect(reference.unit.dimension == unit.dimension && reference.unit.system == unit.system)
    #expect(reference.quantity == 1)
    #expect((unit.dimension == .pieces) == (unit.system == nil))
  }
}
