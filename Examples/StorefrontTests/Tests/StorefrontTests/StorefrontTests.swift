import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagTesting
import Testing

/// Tests of what each storefront displays. They detect changes caused by a new ICU, price, or language.
@Suite struct StorefrontTests {
  static let storefronts = ["USA", "CHE", "DEU", "FRA", "JPN", "EGY"]

  static func shop() throws -> Catalog {
    let catalog = try Catalog()
    let file = URL(filePath: "shop.json", relativeTo: URL(filePath: #filePath))
    try catalog.importFiles([CatalogFile(path: file.path)])
    return catalog
  }

  @Test func wellKnownPrices() {
    expectPrice("4.99", in: "USA", displays: "$4.99")
    expectPrice("1234.50", in: "FRA", displays: "1\u{202F}234,50\u{A0}€")
    expectPrice("700", in: "JPN", displays: "￥700")
    // Any kind of space before the € is accepted.
    expectPrice("5.49", in: "DEU", displays: "5,49 €", tolerating: .spacing)
    // The digits must be Arabic ones; the position of the symbol and direction marks may change.
    expectPrice("249.99", in: "EGY", displays: "EGP ٢٤٩٫٩٩", tolerating: .meaning)
  }

  @Test func messagesWithPrices() throws {
    let price = try PriceFormatter(storefront: Storefront("USA")).format("4.99")
    expectMessage("buy_for_price", in: "en-US", ["price": .price(price)], displays: "Buy for $4.99")
  }

  /// Compares all displays with a golden file that was reviewed.
  @Test func matchesGoldenFile() throws {
    let goldenFile = URL(filePath: "shop.golden", relativeTo: URL(filePath: #filePath))
    expectDisplay(of: try Self.shop(), matches: goldenFile, storefronts: Self.storefronts)
  }

  /// Checks rules that hold for any displayed text.
  @Test func obeysRules() throws {
    let rules: [DisplayRule] = [
      .hasNoCurrencySign, .readsBack, .derivedPricesKeepTheirForm, .messagesAreTranslated,
      .isolatesAreBalanced,
    ]
    expectEveryStorefront(of: try Self.shop(), obeys: rules, storefronts: Self.storefronts) { display in
      #expect(display.price.amount > .zero)
    }
  }
}
