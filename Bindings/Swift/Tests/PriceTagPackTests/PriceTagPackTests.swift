import Testing

@testable import PriceTagPack

/// Tests of prices from the pack of the package.
@Suite struct PriceTagPackTests {
  static let prices: [(storefront: String, amount: String, text: String)] = [
    ("USA", "4.99", "$4.99"), ("usa", "-1234567.00", "-$1,234,567.00"), ("JP", "1200", "￥1,200"),
    ("CHE", "1234.50", "CHF\u{A0}1’234.50"), ("EGY", "4.99", "\u{200F}٤٫٩٩\u{A0}ج.م.\u{200F}"),
  ]

  @Test(arguments: prices) func writesAndReads(_ row: (storefront: String, amount: String, text: String))
    throws
  {
    let formatter = try PriceFormatter(storefront: row.storefront)
    let amount = try Amount(decimal: row.amount)
    #expect(try formatter.string(for: amount) == row.text)
    #expect(try formatter.read(row.text) == amount)
  }

  @Test func pricesHaveFurtherForms() throws {
    let formatter = try PriceFormatter(storefront: "USA")
    #expect(try formatter.spoken(for: Amount(decimal: "1.00")) == "1.00 US dollars")
    #expect(try formatter.read(" USD 4.99", isLenient: true) == Amount(minorUnits: 499, exponent: 2))
    #expect(try formatter.string(for: Amount(decimal: "4.995"), rounding: .halfEven) == "$5.00")
    let bulgaria = try PriceFormatter(storefront: "BGR", on: CalendarDate(year: 2026, month: 1, day: 1))
    #expect(try bulgaria.string(for: Amount(decimal: "1.99")).contains("€"))
  }

  static let errors: [(code: PriceTagError.Code, work: @Sendable () throws -> Void)] = [
    (.unknownStorefront, { _ = try PriceFormatter(storefront: "XXX") }),
    (.missingDate, { _ = try PriceFormatter(storefront: "BGR") }),
    (.malformedDate, { _ = try CalendarDate(year: 2026, month: 2, day: 30) }),
    (.malformedAmount, { _ = try Amount(decimal: "4,99") }),
    (.amountOutOfRange, { _ = try Amount(decimal: "99999999999999999999") }),
    (.needsRounding, { _ = try PriceFormatter(storefront: "JPN").string(for: Amount(decimal: "0.5")) }),
    (.invalidPack, { _ = try Pack([1, 2, 3]) }), (.invalidPack, { _ = try Pack(named: "cldr-47") }),
    (.notAPrice, { _ = try PriceFormatter(storefront: "JPN").read("") }),
    (.notAsWritten, { _ = try PriceFormatter(storefront: "JPN").read("$4.99") }),
  ]

  @Test(arguments: errors.indices) func throwsErrors(_ index: Int) throws {
    let row = Self.errors[index]
    let error = #expect(throws: PriceTagError.self) { try row.work() }
    #expect(error?.code == row.code)
  }

  /// CLDR 48 displays no decimals of the forint.
  @Test func namedPacksDiffer() throws {
    let amount = try Amount(decimal: "1234.00")
    for (name, standard) in [("cldr-42", "1 234,00 Ft"), ("cldr-48", "1234 Ft")] {
      let pack = try Pack(named: name)
      #expect(pack.version("cldr")?.hasPrefix(name.dropFirst(5)) == true)
      let text = try PriceFormatter(storefront: "HUN", in: pack).string(for: amount)
      #expect(text.replacing("\u{A0}", with: " ") == standard)
    }
    #expect(try Pack.embedded.version("cldr") == Pack(named: "cldr-42").version("cldr"))
  }

  /// Every storefront of the pack writes a price and reads it back.
  @Test func coversAllStorefronts() throws {
    let pack = try Pack.embedded
    let date = try CalendarDate(year: 2026, month: 12, day: 1)
    for id in pack.storefronts {
      let formatter = try PriceFormatter(storefront: id, on: date)
      let amount = try Amount(decimal: "1234567")
      #expect(try formatter.read(formatter.string(for: amount)) == amount, "\(id)")
    }
    #expect(pack.storefronts.count > 0)
    #expect(pack.version("cldr") != nil)
  }
}
