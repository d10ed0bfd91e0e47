import SeededNumbers
import Testing

@testable import PriceTag

/// A pack writes the same prices as the formatters it was written from.
@Suite struct PackTests {
  static func date() throws -> CalendarDate { try CalendarDate("2026-06-01") }

  private static let amounts: [Amount] = [
    "0", "1", "1.00", "-1", "2.5", "4.99", "0.05", "12.345", "1234.50", "-1234567.89", "99999999",
    "100000000",
    "123456789.12", "-9223372036854775808", "9223372036854775807", "0.000000000000000001",
  ]

  /// Every storefront, in standard width and as spoken text.
  @Test func formatsLikeTheStorefrontsFormatter() throws {
    let date = try Self.date()
    let pack = try Pack(LocaleData.embedded.storefronts.map(\.id))
    #expect(pack.storefronts == LocaleData.embedded.storefronts.map(\.id))
    for storefront in LocaleData.embedded.storefronts {
      for day in [date, try CalendarDate("2025-12-31")] {
        let expected = try PriceFormatter(
          storefront: storefront,
          on: day,
          style: PriceStyle(rounding: .halfEven)
        )
        let packed = try pack.formatter(storefront: storefront.id, on: day)
        try Self.expectEqual(expected, packed, "\(storefront) \(day)")
      }
    }
  }

  /// All styles, in locales with different digits, groups, signs and directions. Each of four packs has a part of the styles.
  @Test(arguments: 0..<4) func formatsLikeTheStylesFormatter(part: Int) throws {
    let places = ComparisonShare.of(PriceStyleComparison.places, at: part, parts: 4)
    let styles = PriceStyleComparison.styles.indices.filter { $0 % 4 == part }.map {
      PriceStyleComparison.styles[$0]
    }
    let currencies = places.map { (locale: $0.locale, currencies: [$0.currency, "USD"]) }
    let pack = try Pack([], currencies, styles: styles, includesSpoken: false)
    for (locale, currency) in places {
      for style in styles {
        let expected = try PriceFormatter(locale, currency, style)
        let packed = try pack.formatter(locale: locale, currency: currency, style: style)
        try Self.expectEqual(
          expected,
          packed,
          "\(locale) \(currency) \(style)",
          ["0", "-1.00", "2.5", "1234567.895", "9223372036854775807"]
        )
      }
    }
  }

  /// Cash has a rounding step.
  @Test func roundsToTheStepOfCash() throws {
    let pack = try Pack([], [("de-CH", ["CHF"])], styles: [PriceStyle(digits: .cash)])
    let formatter = try pack.formatter(locale: "de_ch", currency: "chf", style: PriceStyle(digits: .cash))
    #expect(try formatter.string(for: "4.96", rounding: .halfEven) == "CHF\u{A0}4.95")
    #expect(throws: PriceTagError.self) { try formatter.string(for: "4.96") }
  }

  @Test func sameInputGivesSameBytes() throws {
    let storefronts = LocaleData.embedded.storefronts.prefix(20)
    func bytes(_ storefronts: [Storefront]) throws -> [UInt8] {
      var writer = PackWriter(styles: [PriceStyle(), PriceStyle(width: .iso)], on: try Self.date())
      for storefront in storefronts { writer.add(storefront) }
      for locale in ["ja-JP", "de-DE"] { writer.add(try PriceLocale(locale), [try Currency("EUR")]) }
      return writer.bytes(revision: "test")
    }
    #expect(try bytes(Array(storefronts)) == bytes(storefronts.reversed()))
  }

  /// What a pack lacks is a problem of its own. ``PinnedPriceTests`` has the errors of formatters.
  @Test func missingDataIsAnError() throws {
    let (pack, date) = (try Pack(["JPN"], includesSpoken: false), try Self.date())
    #expect(throws: PackProblem.unknownStorefront) { try pack.formatter(storefront: "USA", on: date) }
    #expect(throws: PackProblem.missingStyle) {
      try pack.formatter(storefront: "JPN", on: date, style: PriceStyle(width: .iso))
    }
    #expect(throws: PackProblem.unknownLocale) { try pack.formatter(locale: "de-DE", currency: "EUR") }
    #expect(try pack.formatter(storefront: "jp", on: date).spoken == nil)
  }

  @Test func damagedPacksAreRejected() throws {
    let bytes = try Pack(["EGY"]).fileBytes
    #expect(throws: PriceTagError.self) { try Pack([] as [UInt8]) }
    #expect(throws: PriceTagError.self) { try Pack(Array(bytes.dropLast())) }
    #expect(throws: PriceTagError.self) { try Pack(bytes + [0]) }
    for index in bytes.indices where index < 160 || index % 5 == 0 {
      var damaged = bytes
      damaged[index] ^= 0x40
      #expect(throws: PriceTagError.self) { try Pack(damaged) }
    }
  }

  /// Expects that a pack has the prices, parts, directions and spoken forms of a formatter.
  static func expectEqual(
    _ expected: PriceFormatter,
    _ packed: Pack.Formatter,
    _ place: String,
    _ amounts: [Amount] = amounts
  ) throws {
    for amount in amounts {
      guard let price = try? expected.format(amount) else { continue }
      #expect(try packed.string(for: amount, rounding: .halfEven) == price.text, "\(place) \(amount)")
      #expect(try packed.direction(of: amount, rounding: .halfEven) == price.direction, "\(place) \(amount)")
      let parts = try packed.parts(of: amount, rounding: .halfEven)
      #expect(parts.map(\.type) == price.parts.map(\.type), "\(place) \(amount)")
      #expect(parts.map(\.count) == price.parts.map(\.range.count), "\(place) \(amount)")
      guard let spoken = packed.spoken else { continue }
      #expect(try spoken.string(for: amount, rounding: .halfEven) == price.spoken, "\(place) \(amount)")
    }
  }
}
