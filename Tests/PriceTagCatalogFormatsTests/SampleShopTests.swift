import Foundation
import PriceTag
import PriceTagStrings
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// Tests the sample shop in every storefront.
@Suite struct SampleShopTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Examples/rocket-garage.json").path

  private static func shop() throws -> Catalog {
    let catalog = try Catalog()
    let summary = try catalog.importFiles([CatalogFile(path: file)]) { (error) throws(CatalogError) in
      throw error
    }
    #expect(summary.products.added == 26 && summary.tiers.added == 10 && summary.missingTiers == [])
    return catalog
  }

  @Test func hasPricesForEveryStorefront() throws {
    let catalog = try Self.shop()
    let storefronts = LocaleData.embedded.storefronts
    #expect(storefronts.count == 175)
    for date in ["2026-11-21", "2027-01-01"] {
      for storefront in storefronts {
        let response = try catalog.products(
          for: ProductsRequest(
            nil,
            storefront: storefront,
            language: UILanguage(storefront.defaultLanguage),
            at: .date(CalendarDate(date))
          )
        )
        for product in response.products {
          #expect(product.price.currency == storefront.currency(on: try CalendarDate(date)))
          #expect(product.text != nil, "\(storefront): \(product.identifier)")
        }
        // Missing products are missing on purpose.
        for invalid in response.invalidProductIdentifiers {
          #expect([.notApproved, .notClearedForSale].contains(invalid.reason), "\(storefront): \(invalid)")
        }
      }
    }
  }

  /// The sample shop uses every feature of a catalog.
  @Test func coversAllCatalogFeatures() throws {
    var products: [CatalogProduct] = []
    try Self.shop().forEachItem { (item) throws(CatalogError) in
      if case .product(let product) = item { products.append(product) }
    }
    let offers = products.flatMap { $0.offers ?? [] }
    #expect(Set(products.compactMap(\.kind)) == Set(ProductKind.allCases))
    #expect(Set(offers.map(\.kind)) == Set(CatalogOffer.Kind.allCases))
    #expect(Set(offers.map(\.paymentMode)) == Set(CatalogOffer.PaymentMode.allCases))
    #expect(products.contains { $0.isApproved == false })
    #expect(products.contains { if case .except = $0.clearedForSale { true } else { false } })
    #expect(products.contains { if case .only = $0.clearedForSale { true } else { false } })
    #expect(products.contains { !$0.priceLocales.isEmpty })
    #expect(products.contains { ($0.tiers ?? []).count > 1 })
    #expect(products.contains { $0.prices["JPN"].count > 1 })
    #expect(products.contains { $0.content?.unit == .liter && $0.unitReference == nil })
    #expect(products.contains { $0.content?.unit == .piece && $0.unitReference?.quantity == 100 })
    #expect(products.contains { $0.localizations.values.contains { $0.name?.contains("<") == true } })
  }
}
