import CatalogSamples
import PriceTag
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

@Suite struct CatalogJSONWriterTests {
  @Test func writesProductAsLine() throws {
    var product = try CatalogProduct("com.example.level1")
    product.kind = .nonConsumable
    product.localizations = ["en-US": ProductText(name: "Level \"1\"\n", description: nil)]
    product.tiers = [TierPeriod("1")]
    try product.prices.add(price("0.99", "USD", "USA"))
    try product.prices.add(price("1.95", "BGN", "BGR"))
    product.clearedForSale = .except(["CHN"])
    product.isApproved = false
    #expect(
      CatalogJSONWriter().line(of: product)
        == #"{"type":"product","productIdentifier":"com.example.level1","kind":"non-consumable","#
        + #""localizations":{"en-US":{"name":"Level \"1\"\n"}},"tier":"1","#
        + #""prices":{"BGR":{"amount":"1.95","currency":"BGN"},"USA":"0.99"},"#
        + #""approved":false,"clearedForSale":{"except":["CHN"]}}"#
    )
    #expect(
      CatalogJSONWriter().text(of: try CatalogProduct("a")) == #"{"productIdentifier":"a"}"#
    )
  }

  private func price(_ amount: String, _ currency: String, _ storefront: String) throws -> CatalogPrice {
    CatalogPrice(
      storefront: storefront,
      amount: try Amount(decimal: amount),
      currency: try Currency(currency),
      days: .always
    )
  }

  /// Written items are the same after an import.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func roundTripsItems(seed: UInt64) throws {
    var random = RandomProducts(seed: seed)
    let writer = CatalogJSONWriter()
    let product = try random.product(Int(seed))
    let tier = PriceTier(random.name(), prices: try random.prices())
    let kind: ProductGroup.Kind = random.maybe() ? .category : .subscriptionGroup
    let group = ProductGroup(kind, random.name(), names: random.maybe() ? ["de": random.text()] : [:])
    let lines = [writer.line(of: product), writer.line(of: tier), writer.line(of: group)]
    let read = Imported(.jsonl, lines.joined(separator: "\n"), try .on(RandomProducts.date))
    #expect(read.failure == nil)
    #expect(read.rejects == [])
    #expect(read.products == [product])
    #expect(read.tiers == [tier])
    #expect(read.groups == [group])
    // Compares bytes, because `==` of strings compares canonical equivalence.
    let again = read.products.map(writer.line) + read.tiers.map(writer.line) + read.groups.map(writer.line)
    #expect(again.map { Array($0.utf8) } == lines.map { Array($0.utf8) })
  }
}
