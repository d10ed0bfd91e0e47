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
    page.components(separatedBy: "<p class=\"note\">\(label)</p>").count - 1
  }

  /// The numbers of labels: one for each product with a price, and one below each comparison.
  @Test(arguments: [
    ("USA", "en-US", "plus tax", 7), ("USA", "de", "zzgl. Steuern", 7), ("DEU", "de", "inkl. MwSt.", 4),
    ("DEU", "en-US", "incl. VAT", 4), ("JPN", "ja", "税込", 5), ("EGY", "en-US", "incl. VAT", 1),
  ])
  func showsLabelBelowPrices(storefront: String, language: String, label: String, count: Int) throws {
    #expect(labels(try page(storefront, language), label) == count)
  }

  @Test func showsLabelOnProductPage() throws {
    let car = try page("USA", "en-US", product: "car")
    // That of the product, and that of a related one.
    #expect(labels(car, "plus tax") == 2)
    let lines = car.split(separator: "\n").map { $0.drop { $0 == " " } }
    let index = try #require(lines.firstIndex { $0.hasPrefix("<p class=\"amount\">") })
    #expect(lines[index + 1] == "<p class=\"note\">plus tax</p>")
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
    let rest = with.split(separator: "\n", omittingEmptySubsequences: false).filter {
      // The label below a price, and the note in the footer.
      !$0.hasSuffix("\(label)</p>")
    }
    #expect(without == rest.joined(separator: "\n"))
    #expect(!without.contains(label))
    #expect(try !Shop().showsTaxLabels)
  }
}
