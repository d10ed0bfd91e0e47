import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests of the choice between monthly and yearly plans.
@Suite struct PeriodChoiceTests {
  /// Returns a shop with a group of plans of these periods, named `plan0` and so on.
  private static func shop(_ periods: [String]) throws -> PageShop {
    let plans = periods.enumerated().map { number, period in
      #"{"productIdentifier":"plan\#(number)","kind":"auto-renewable-subscription","subscriptionGroup":"plans","#
        + #""subscriptionPeriod":"\#(period)","sortOrder":\#(number),"prices":{"USA":"\#(number + 1).99"}}"#
    }
    return try PageShop(products: plans)
  }

  static let cases: [(periods: [String], page: Int?, selected: String?)] = [
    (["P1M", "P1Y", "P1M", "P1Y"], nil, "P1M"), (["P1M", "P1Y", "P1M", "P1Y"], 0, "P1M"),
    (["P1M", "P1Y", "P1M", "P1Y"], 1, "P1Y"), (["P1Y", "P1M", "P1Y"], nil, "P1M"),
    // A plan of another period is shown with both choices, and has no choice on its own page.
    (["P1M", "P1Y", "P1Y", "P1W"], nil, "P1M"), (["P1M", "P1Y", "P1Y", "P1W"], 3, nil),
    // Twelve months are a year.
    (["P1M", "P12M", "P1Y"], nil, "P1M"), (["P1M", "P1M", "P12M"], 2, "P1Y"),
    // One of each is compared side by side.
    (["P1M", "P1Y"], nil, nil), (["P1M", "P1M", "P3M"], nil, nil), (["P1Y", "P1Y"], 1, nil),
  ]

  @Test(arguments: cases)
  func offersChoiceOfPeriods(periods: [String], page number: Int?, selected: String?) throws {
    let pages = StorePages(shop: try Shop())
    let store = try Self.shop(periods).store("USA", "en-US")
    let page = try number.map { try pages.productPage("plan\($0)", in: store) } ?? pages.storePage(store)
    #expect(page.contains("<fieldset class=\"periods\" hidden>") == (selected != nil))
    let radios = page.matches(of: #/<input type="radio" name="period~compare-plans" value="([^"]*)"[^>]*>/#)
    #expect(radios.map { String($0.1) } == (selected == nil ? [] : ["P1M", "P1Y"]))
    #expect(radios.first { $0.0.contains(" checked") }.map { String($0.1) } == selected)
    // All plans are in the page, whatever is selected.
    let rows = page.matches(of: #/<tr data-product="[^"]*" data-period="([^"]*)"/#).map { String($0.1) }
    #expect(rows.sorted() == periods.sorted())
  }

  /// The badge is on the choice, too, whose plan is hidden at first: 0.99, 1.99 and 3.99 a month, and 2.99 a year.
  @Test func choiceOfTheBestPlanHasItsBadge() throws {
    let store = try Self.shop(["P1M", "P1M", "P1Y", "P1M"]).store("USA", "en-US")
    let page = try StorePages(shop: Shop()).storePage(store)
    let labels = page.matches(of: #/<label><input [^>]*> (.*?)<\/label>/#).map { String($0.1) }
    #expect(labels == ["1 month", #"1 year <span class="badge">Best value</span>"#])
  }

  @Test func choicesAreInTheLanguageOfThePage() throws {
    let store = try Self.shop(["P1M", "P1Y", "P1Y"]).store("USA", "de")
    let page = try StorePages(shop: Shop()).storePage(store)
    let labels = page.matches(of: #/<label><input [^>]*> (.*?)<\/label>/#).map {
      String($0.1.replacing(#/<[^>]*>/#, with: ""))
    }
    #expect(labels == ["1 Monat", "1 Jahr Größte Ersparnis"])
    #expect(page.contains("<legend>Zeitraum</legend>"))
  }
}
