import Foundation
import PriceTag
import PriceTagPages
import Testing

/// Tests the labels about tax below prices.
@Suite struct TaxLabelTests {
  private func page(_ storefront: String, _ language: String, product: String? = nil, labels: Bool = true)
    throws
    -> String
  {
    let pages = StorePages(shop: try Shop(name: "Rocket Garage", showsTaxLabels: labels))
    let store = try PageShop().store(storefront, language)
    return try product.map { try pages.productPage($0, in: store) } ?? pages.storePage(store)
  }

  private func labels(_ page: String, _ label: String) -> Int {
    page.components(separatedBy: " class=\"note\">\(label)</").count - 1
  }

  /// The numbers of labels: one for each card with a price, and one below each comparison.
  @Test(arguments: [
    ("USA", "en-US", "plus tax", 5), ("USA", "de", "zzgl. Steuern", 5), ("DEU", "de", "inkl. MwSt.", 2),
    ("DEU", "en-US", "incl. VAT", 2), ("JPN", "ja", "税込", 3), ("EGY", "en-US", "incl. VAT", 1),
  ])
  func showsLabelBelowPrices(storefront: String, language: String, label: String, count: Int) throws {
    #expect(labels(try page(storefront, language), label) == count)
  }

  @Test func showsLabelOnProductPage() throws {
    let car = try page("USA", "en-US", product: "car")
    // That of the product, and that of a related one.
    #expect(labels(car, "plus tax") == 2)
    // The label belongs to the price: a layout cannot separate them.
    let amount = try #require(car.firstMatch(of: #/<p class="amount">(.*?)<\/p>/#)).1
    #expect(amount.hasSuffix("</bdi> <span class=\"note\">plus tax</span>"), "\(amount)")
    #expect(labels(try page("USA", "en-US", product: "monthly"), "plus tax") == 2)
    // A free product has no tax.
    #expect(labels(try page("USA", "en-US", product: "free"), "plus tax") == 0)
  }

  /// Without the option, a page is the same as with it, except for the labels.
  @Test(arguments: [("USA", "en-US", "plus tax"), ("DEU", "de", "inkl. MwSt.")])
  func omitsLabelsByDefault(storefront: String, language: String, label: String) throws {
    let (with, without) = (
      try page(storefront, language), try page(storefront, language, labels: false)
    )
    let unlabeled = with.replacing(" <span class=\"note\">\(label)</span></p>", with: "</p>")
    let rest = unlabeled.split(separator: "\n", omittingEmptySubsequences: false).filter {
      // The label below a comparison, and the note in the footer.
      !$0.hasSuffix("\(label)</p>")
    }
    #expect(without == rest.joined(separator: "\n"))
    #expect(!without.contains(label))
    #expect(try !Shop().showsTaxLabels)
  }
}
