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
    var writer = PackWriter(styles: [PriceStyle()], on: date)
    for storefront in LocaleData.embedded.storefronts { writer.add(storefront) }
    #expect(writer.omissions.isEmpty, "\(writer.omissions.prefix(5))")
    let pack = try Pack(writer.bytes(revision: "test"))
    #expect(pack.storefronts == LocaleData.embedded.storefronts.map(\.id))
    var mismatches: [String] = []
    for storefront in LocaleData.embedded.storefronts {
      for day in [date, try CalendarDate("2025-12-31")] {
        let expected = try PriceFormatter(
          storefront: storefront,
          on: day,
          style: PriceStyle(rounding: .halfEven)
        )
        let packed = try pack.formatter(storefront: storefront.id, on: day)
        mismatches += try Self.mismatches(expected, packed, "\(storefront) \(day)")
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.count): \(mismatches.prefix(10))")
  }

  /// All styles, in locales with different digits, groups, signs and directions. Each of four packs has a part of the styles.
  @Test(arguments: 0..<4) func formatsLikeTheStylesFormatter(part: Int) throws {
    let places = ComparisonShare.of(PriceStyleComparison.places, at: part, parts: 4)
    let styles = PriceStyleComparison.styles.indices.filter { $0 % 4 == part }.map {
      PriceStyleComparison.styles[$0]
    }
    var writer = PackWriter(styles: styles, includesSpoken: false, on: try Self.date())
    for (locale, currency) in places {
      writer.add(try PriceLocale(locale), [try Currency(currency), try Currency("USD")])
    }
    #expect(writer.omissions.isEmpty, "\(writer.omissions.prefix(5))")
    let pack = try Pack(writer.bytes(revision: "test"))
    var mismatches: [String] = []
    for (locale, currency) in places {
      for style in styles {
        let expected = try PriceFormatter(
          locale: PriceLocale(locale),
          currency: Currency(currency),
          style: style
        )
        let packed = try pack.formatter(locale: locale, currency: currency, style: style)
        mismatches += try Self.mismatches(
          expected,
          packed,
          "\(locale) \(currency) \(style)",
          ["0", "-1.00", "2.5", "1234567.895", "9223372036854775807"]
        )
      }
    }
    #expect(mismatches.isEmpty, "\(mismatches.count): \(mismatches.prefix(10))")
  }

  /// Cash has a rounding step.
  @Test func roundsToTheStepOfCash() throws {
    var writer = PackWriter(styles: [PriceStyle(digits: .cash)], on: try Self.date())
    writer.add(try PriceLocale("de-CH"), [try Currency("CHF")])
    let pack = try Pack(writer.bytes(revision: "test"))
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
    var writer = PackWriter(styles: [PriceStyle()], includesSpoken: false, on: try Self.date())
    writer.add(try Storefront("JPN"))
    let pack = try Pack(writer.bytes(revision: "test"))
    let date = try Self.date()
    #expect(throws: PackProblem.unknownStorefront) { try pack.formatter(storefront: "USA", on: date) }
    #expect(throws: PackProblem.missingStyle) {
      try pack.formatter(storefront: "JPN", on: date, style: PriceStyle(width: .iso))
    }
    #expect(throws: PackProblem.unknownLocale) { try pack.formatter(locale: "de-DE", currency: "EUR") }
    #expect(try pack.formatter(storefront: "jp", on: date).spoken == nil)
  }

  @Test func damagedPacksAreRejected() throws {
    var writer = PackWriter(styles: [PriceStyle()], on: try Self.date())
    writer.add(try Storefront("EGY"))
    let bytes = writer.bytes(revision: "test")
    #expect(throws: PriceTagError.self) { try Pack([]) }
    #expect(throws: PriceTagError.self) { try Pack(Array(bytes.dropLast())) }
    #expect(throws: PriceTagError.self) { try Pack(bytes + [0]) }
    for index in bytes.indices where index < 160 || index % 5 == 0 {
      var damaged = bytes
      damaged[index] ^= 0x40
      #expect(throws: PriceTagError.self) { try Pack(damaged) }
    }
  }

  /// Returns how the prices, parts, directions and spoken forms of a pack differ from those of a formatter.
  static func mismatches(
    _ expected: PriceFormatter,
    _ packed: Pack.Formatter,
    _ place: String,
    _ amounts: [Amount] = amounts
  ) throws -> [String] {
    var mismatches: [String] = []
    for amount in amounts {
      let price: FormattedPrice
      do { price = try expected.format(amount) } catch { continue }
      let text = try packed.string(for: amount, rounding: .halfEven)
      if text != price.text { mismatches.append("\(place) \(amount): \(text), not \(price.text)") }
      if try packed.direction(of: amount, rounding: .halfEven) != price.direction {
        mismatches.append("\(place) \(amount): direction")
      }
      let parts = try packed.parts(of: amount, rounding: .halfEven)
      if parts.map(\.type) != price.parts.map(\.type)
        || parts.map(\.count) != price.parts.map({ $0.range.count })
      {
        mismatches.append("\(place) \(amount): parts")
      }
      if let spoken = packed.spoken {
        let text = try spoken.string(for: amount, rounding: .halfEven)
        if text != price.spoken { mismatches.append("\(place) \(amount): \(text), not \(price.spoken)") }
      }
    }
    return mismatches
  }
}
