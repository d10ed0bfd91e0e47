import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagTesting
import Testing

/// What customers see in each storefront, held by tests: a new ICU, a new price or a new language shows here first.
@Suite struct StorefrontTests {
  static let storefronts = ["USA", "CHE", "DEU", "FRA", "JPN", "EGY"]

  static func shop() throws -> Catalog {
    let catalog = try Catalog()
    let file = URL(filePath: "shop.json", relativeTo: URL(filePath: #filePath))
    try catalog.importFiles([CatalogFile(path: file.path)])
    return catalog
  }

  /// The displays that must never change unnoticed, written out.
  @Test func pricesThatPeopleKnow() {
    expectPrice("4.99", in: "USA", displays: "$4.99")
    expectPrice("1234.50", in: "CHE", displays: "CHF\u{A0}1’234.50")
    expectPrice("700", in: "JPN", displays: "￥700")
    // Which space stands before the € is CLDR's affair; that it is 5,49 € is ours.
    expectPrice("5.49", in: "DEU", displays: "5,49 €", tolerating: .spacing)
    // In Egypt's digits, wherever the pound and the marks of direction stand.
    expectPrice("249.99", in: "EGY", displays: "EGP ٢٤٩٫٩٩", tolerating: .meaning)
  }

  /// The words around them.
  @Test func wordsAroundPrices() throws {
    let price = try PriceFormatter(storefront: Storefront("USA")).format("4.99")
    expectMessage("buy_for_price", in: "en-US", ["price": .price(price)], displays: "Buy for $4.99")
  }

  /// Every display of the shop, against a golden that was reviewed.
  @Test func everyDisplayIsAsRecorded() throws {
    let golden = URL(filePath: "shop.golden", relativeTo: URL(filePath: #filePath))
    expectDisplay(of: try Self.shop(), matches: golden, storefronts: Self.storefronts)
  }

  /// What must hold of every display, whatever it says.
  @Test func everyDisplayObeysTheRules() throws {
    let rules: [DisplayRule] = [
      .hasNoCurrencySign, .readsBack, .derivedPricesKeepTheirForm, .wordsAreTranslated, .isolatesAreBalanced,
    ]
    expectEveryStorefront(of: try Self.shop(), obeys: rules, storefronts: Self.storefronts) { display in
      #expect(display.price.amount > .zero)
    }
  }
}
