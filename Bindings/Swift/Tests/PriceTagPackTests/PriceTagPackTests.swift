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
    let price = try formatter.format(Amount(decimal: "1234.50"))
    #expect(price.text == "$1,234.50" && price.isolated == "\u{2068}$1,234.50\u{2069}")
    #expect(price.spoken == "1,234.50 US dollars")
    #expect(price.parts.map(\.value) == ["$", "1", ",", "234", ".", "50"])
    #expect(price.parts.map(\.type) == [.symbol, .integer, .group, .integer, .decimal, .fraction])
    #expect(price.direction == .leftToRight && price.formatter.currency == "USD")
    #expect(try formatter.read(" USD 4.99", isLenient: true) == Amount(minorUnits: 499, exponent: 2))
    let egypt = try PriceFormatter(storefront: "EG")
    #expect(try egypt.format(Amount(decimal: "4.99")).direction == .rightToLeft)
    #expect(egypt.locale == "ar-EG" && egypt.digits == 2 && egypt.hasSpokenForms)
    let bulgaria = try PriceFormatter(storefront: "BGR", on: CalendarDate("2026-01-01"))
    #expect(try bulgaria.string(for: Amount(decimal: "1.99")).contains("€") && bulgaria.currency == "EUR")
    #expect(
      try PriceFormatter(storefront: "BGR", currency: "EUR", on: CalendarDate("2026-01-01")).digits == 2
    )
  }

  @Test func roundsInTheModeOfTheStyle() throws {
    let texts: [(mode: RoundingMode, text: String)] = [
      (.halfEven, "$4.98"), (.halfUp, "$4.99"), (.halfDown, "$4.98"), (.up, "$4.99"), (.down, "$4.98"),
      (.ceiling, "$4.99"), (.floor, "$4.98"),
    ]
    for (mode, text) in texts {
      let price = try PriceFormatter(storefront: "USA", style: PriceStyle(rounding: mode))
        .format(Amount(decimal: "4.985"))
      #expect(price.text == text, "\(mode)")
      #expect(try price.displayedAmount == price.amount.rounded(toDigits: 2, mode))
    }
  }

  @Test func convertsMinorUnits() throws {
    let pack = try Pack.embedded
    #expect(try pack.minorUnitDigits(of: "JPY") == 0 && pack.minorUnitDigits(of: "usd") == 2)
    #expect(try Amount(minorUnits: 499, exponent: 2) == Amount(micros: 4_990_000))
    #expect(try Amount(decimal: "4.9").minorUnits(exponent: 2) == 490)
    #expect(pack.currencies.contains("CHF") && pack.locales.contains("ja-JP"))
  }

  @Test func writesIntoBuffers() throws {
    let formatter = try PriceFormatter(storefront: "DEU")
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: formatter.maximumUTF8Count)
    defer { buffer.deallocate() }
    let count = try formatter.write(Amount(decimal: "4.99"), into: buffer)
    #expect(String(decoding: buffer.prefix(count), as: UTF8.self) == "4,99\u{A0}€")
    let small = UnsafeMutableBufferPointer(rebasing: buffer.prefix(count - 1))
    let error = #expect(throws: PriceTagError.self) {
      try formatter.write(Amount(decimal: "4.99"), into: small)
    }
    #expect(error?.code == .bufferTooSmall)
  }

  static let errors: [(code: PriceTagError.Code, work: @Sendable () throws -> Void)] = [
    (.unknownStorefront, { _ = try PriceFormatter(storefront: "XXX") }),
    (.missingDate, { _ = try PriceFormatter(storefront: "BGR") }),
    (.malformedDate, { _ = try CalendarDate("2026-02-30") }),
    (.malformedDate, { _ = try CalendarDate("2026") }),
    (.unknownLocale, { _ = try PriceFormatter(locale: "xx-XX", currency: "USD") }),
    (.unknownCurrency, { _ = try PriceFormatter(locale: "de-DE", currency: "XXX") }),
    (.currencyMismatch, { _ = try PriceFormatter(storefront: "USA", currency: "EUR") }),
    (.missingFromPack, { _ = try PriceFormatter(storefront: "USA", style: PriceStyle(zeros: .trim)) }),
    (.invalidOption, { _ = try Amount(minorUnits: 1, exponent: 19) }),
    (.needsRounding, { _ = try Amount(decimal: "0.5").minorUnits(exponent: 0) }),
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
    let date = try CalendarDate("2026-12-01")
    for id in pack.storefronts {
      let formatter = try PriceFormatter(storefront: id, on: date)
      let amount = try Amount(decimal: "1234567")
      #expect(try formatter.read(formatter.string(for: amount)) == amount, "\(id)")
    }
    #expect(pack.storefronts.count > 0)
    #expect(pack.version("cldr") != nil)
  }
}
