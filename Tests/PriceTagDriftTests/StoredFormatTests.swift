import Foundation
import PriceTag
import PriceTagDrift
import PriceTagReading
import Testing

/// Reads the packs and the golden file of `Tests/Formats`.
@Suite struct StoredFormatTests {
  private static func path(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Formats/\(name)").path
  }

  private static let packs = ["shop.pack", "shop-1.1.pack", "shop-1.2.pack"]

  static let prices: [(storefront: String, amount: Amount, text: String, spoken: String)] = [
    ("USA", "1234.50", "$1,234.50", "1,234.50 US dollars"),
    ("JPN", "180000", "￥180,000", "180,000円"),
    ("DEU", "1234.50", "1.234,50\u{A0}€", "1.234,50 Euro"),
    ("BGR", "0.99", "€0.99", "0.99 euros"),
  ]

  /// The pack was written with ICU 72. Its prices stay the same with every ICU.
  @Test(arguments: prices)
  func storedPackFormatsPrices(storefront: String, amount: Amount, text: String, spoken: String) throws {
    for name in Self.packs {
      let pack = try Pack(contentsOf: Self.path(name))
      #expect(pack.writerVersions.icu == "72.1")
      let data = LocaleData.embedded.pinned(to: pack)
      let date = try CalendarDate("2026-11-28")
      let formatter = try PriceFormatter(storefront: Storefront(storefront, in: data), on: date)
      let price = try formatter.format(amount)
      #expect(price.text == text && price.spoken == spoken)
      let reader = PriceReader(formatter)
      #expect(try reader.read(text).amount == amount)
      // The first pack lacks the names of the currency.
      let symbol = price.parts.first { $0.type == .symbol }?.value ?? ""
      let named = text.replacing(symbol, with: formatter.currency.code)
      let read = try? reader.read(named, .lenient).amount
      #expect(read == (name == "shop.pack" ? nil : amount), "\(name) \(named)")
    }
  }

  /// The names of currencies are no change of what a pack displays, and phrases are new.
  @Test func storedPacksDisplayTheSame() throws {
    let packs = try Self.packs.map { try Pack(contentsOf: Self.path($0)) }
    #expect(try PackComparison(packs[0], packs[1]).changes.isEmpty)
    let changes = try PackComparison(packs[1], packs[2]).changes
    #expect(changes.map { "\($0.driftClass.rawValue) \($0.subject)" } == ["new language of phrases"])
    #expect(packs.map(\.phraseContents.languages) == [[], [], ["ar", "de", "en-US"]])
  }

  @Test func storedPackFormatsUnitPrice() throws {
    let pack = try Pack(contentsOf: Self.path("shop.pack"))
    let price = try PriceFormatter(storefront: Storefront("DEU", in: .embedded.pinned(to: pack))).unitPrices(
      per: UnitPriceReference("L")
    )
    #expect(try price.string(for: "1.32") == "1,32\u{A0}€/l")
  }

  @Test func readsStoredGoldenFile() throws {
    let goldenFile = try GoldenFile(path: Self.path("shop.golden"))
    #expect(goldenFile.problems.isEmpty)
    #expect(goldenFile.header.versions.icu == "72.1")
    let displays = goldenFile.displays
    #expect(displays.count == 18)
    for (storefront, amount, text, _) in Self.prices {
      #expect(displays.contains { $0.storefront == storefront && $0.amount == amount && $0.display == text })
    }
  }
}
