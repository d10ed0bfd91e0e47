import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagPages
import PriceTagStrings
import Testing

/// Tests of the lowest price of the last 30 days on the pages of a shop whose prices have no dates.
@Suite struct LowestPriceTests {
  static let cases:
    [(name: String, imports: [(date: String, amount: String)], lowest: String?, unknown: Int)] = [
      (
        "four imports",
        [("2026-10-01", "4.99"), ("2026-10-20", "3.99"), ("2026-11-10", "2.99"), ("2026-11-20", "1.99")],
        "$2.99", 0
      ),
      ("a history of less than 30 days", [("2026-11-01", "4.99"), ("2026-11-20", "1.99")], nil, 1),
      ("one import", [("2026-10-01", "4.99")], nil, 0),
    ]

  @Test(arguments: cases)
  func pagesStateLowestPrice(
    name: String,
    imports: [(date: String, amount: String)],
    lowest: String?,
    unknown: Int
  ) throws {
    let catalog = try Catalog()
    for (date, amount) in imports {
      let text =
        #"{"productIdentifier":"fuel","localizations":{"en-US":{"name":"Fuel"}},"prices":{"USA":"\#(amount)"}}"#
      var options = ImportOptions(day: .date(try CalendarDate("2026-11-28")))
      options.effective = try CalendarDate(date)
      try catalog.importFiles([CatalogFile(name: "shop.jsonl", bytes: Array(text.utf8))], options: options)
    }
    let request = ListingRequest(
      storefronts: [try Storefront("USA")],
      languages: .list([try UILanguage("en-US")]),
      at: .date(try CalendarDate("2026-11-28"))
    )
    let folder = try TemporaryFolder()
    let summary = try Site(catalog, request, shop: Shop(name: "Garage")).write(to: "\(folder.path)/site")
    #expect(summary.unknownReductions == unknown)
    let page = try folder.read("site/store/usa/en-us/products/fuel/index.html")
    let words = "Lowest price in the last 30 days before the reduction: "
    #expect(page.contains(words) == (lowest != nil))
    if let lowest {
      let text = page.replacing(/<[^>]*>/, with: "")
      #expect(text.contains(words + lowest), "\(name)")
    }
  }
}
