import PriceTag
import PriceTagCatalog
import Testing

@testable import PriceTagPages

/// Tests of the savings and monthly prices of subscriptions.
@Suite struct SubscriptionComparisonTests {
  /// Plans as `period price`, and their comparison as `period monthly saving`, with `*` for the best plan.
  static let groups: [(plans: [String], expected: [String])] = [
    (["P1Y 99.99", "P1M 9.99"], ["P1M $9.99 -", "P1Y $8.34 16 *"]),
    (["P1M 10.00", "P3M 30.00", "P1Y 120.00"], ["P1M $10.00 -", "P3M $10.00 -", "P1Y $10.00 -"]),
    // Savings are relative to the cheaper of two monthly plans, so that none is overstated.
    (["P1M 20.00", "P1M 10.00", "P1Y 108.00"], ["P1M $20.00 -", "P1M $10.00 -", "P1Y $9.00 10 *"]),
    (["P1W 1.00", "P1M 4.00"], ["P1W $4.35 -", "P1M $4.00 8 *"]),
    // If two plans save the same, neither is the best.
    (["P1M 10.00", "P6M 54.00", "P1Y 108.00"], ["P1M $10.00 -", "P6M $9.00 10", "P1Y $9.00 10"]),
    (["P12M 50.00", "P1Y 40.00"], ["P12M $4.17 -", "P1Y $3.34 -"]),
    (["P1M 0.00", "P1Y 99.99"], ["P1M $0.00 -", "P1Y $8.34 -"]),
    (["P1M 9.99", "P1Y 0.00"], ["P1M $9.99 -", "P1Y $0.00 100 *"]),
  ]

  @Test(arguments: groups)
  func comparesPlans(plans: [String], expected: [String]) throws {
    let products = plans.enumerated().map { index, plan in
      let parts = plan.split(separator: " ")
      return
        #"{"productIdentifier":"p\#(index)","kind":"auto-renewable-subscription","subscriptionGroup":"g","subscriptionPeriod":"\#(parts[0])","sortOrder":\#(index),"prices":{"USA":"\#(parts[1])"}}"#
    }
    let store = try PageShop(products: products).store("USA", "en-US")
    let comparison = SubscriptionComparison(store.products)
    #expect(
      comparison.plans.map {
        "\($0.period) \($0.monthly?.text ?? "-") \($0.saving.map(String.init) ?? "-")\($0.isBest ? " *" : "")"
      } == expected
    )
  }

  /// If displayed prices are rounded, the saving is not larger than they imply.
  @Test func savingMatchesDisplayedPrices() throws {
    let shop = try PageShop(
      #"{"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"w","kind":"auto-renewable-subscription","subscriptionGroup":"g","subscriptionPeriod":"P1W","prices":{"USA":"1.49"}},{"productIdentifier":"m","kind":"auto-renewable-subscription","subscriptionGroup":"g","subscriptionPeriod":"P1M","prices":{"USA":"4.49"}}]}"#
    )
    func saving(_ style: PriceStyle) throws -> Int? {
      let request = ProductsRequest(
        nil,
        storefront: try Storefront("USA"),
        language: .development,
        style: style
      )
      return SubscriptionComparison(try shop.catalog.products(for: request).products).plans.last?.saving
    }
    #expect(try saving(PriceStyle()) == 30)
    #expect(try saving(PriceStyle(digits: .fixed(0), rounding: .halfEven)) == 8)
  }
}
