import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagPages
import PriceTagStrings
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

  // MARK: What products and prices state

  /// The statements of a price and a product, the option, and what the product's page says about tax.
  typealias Statement = (
    price: String, product: String, option: TaxInclusion?, storefront: String, label: String?, data: String?
  )

  static let statements: [Statement] = [
    ("", "", nil, "SWE", "inkl. moms", "true"), ("", "", nil, "USA", "plus tax", "false"),
    ("false", "", nil, "SWE", "exkl. moms", "false"), ("true", "", nil, "USA", "incl. tax", "true"),
    (#""unknown""#, "", nil, "SWE", nil, nil), (#""unknown""#, "true", .included, "USA", nil, nil),
    ("", "false", nil, "SWE", "exkl. moms", "false"), ("true", "false", nil, "SWE", "inkl. moms", "true"),
    ("", "false", .included, "SWE", "exkl. moms", "false"), ("", "", .excluded, "SWE", "exkl. moms", "false"),
    ("", "", .included, "USA", "incl. tax", "true"), ("", "", .unknown, "SWE", nil, nil),
  ]

  private static let allLabels = ["inkl. moms", "exkl. moms", "plus tax", "incl. tax"]

  @Test(arguments: statements) func statesWhatIsKnown(_ statement: Statement) throws {
    let (language, id) = statement.storefront == "SWE" ? ("sv", "swe/sv") : ("en-US", "usa/en-us")
    let tax = statement.price.isEmpty ? "" : #","taxIncluded":\#(statement.price)"#
    let own = statement.product.isEmpty ? "" : #","taxIncluded":\#(statement.product)"#
    let shop = try PageShop(products: [
      #"{"productIdentifier":"p","prices":{"\#(statement.storefront)":{"amount":"199"\#(tax)}}\#(own)}"#
    ])
    let folder = try TemporaryFolder()
    let request = try ListingRequest(
      storefronts: [Storefront(statement.storefront)],
      languages: .list([UILanguage(language)]),
      at: .date(CalendarDate(PageShop.date)),
      taxInclusion: statement.option
    )
    _ = try Site(shop.catalog, request, shop: Shop(showsTaxLabels: true)).write(to: folder.path)
    for path in ["", "/products/p"] {
      let page = try folder.read("store/\(id)\(path)/index.html")
      let labels = Self.allLabels.filter { page.contains(">\($0)<") }
      #expect(labels == [statement.label].compactMap(\.self), "\(path)")
      // The note in the footer is about all prices.
      let notes = Self.allLabels.filter {
        page.contains(language == "sv" ? "Alla priser: \($0)" : "All prices: \($0)")
      }
      #expect(notes == labels, "\(path)")
      if !path.isEmpty {
        #expect(page.contains("valueAddedTaxIncluded") == (statement.data != nil))
        #expect(
          page.contains(#""valueAddedTaxIncluded":\#(statement.data ?? "")"#) == (statement.data != nil)
        )
      }
    }
  }

  /// A price of Stripe states whether it includes tax, also where stores usually do something else.
  @Test(arguments: [
    ("SWE", "sv", "price_sek", "exclusive", "exkl. moms", #""valueAddedTaxIncluded":false"#),
    ("USA", "en-US", "price_usd", "inclusive", "incl. tax", #""valueAddedTaxIncluded":true"#),
  ])
  func statesTaxOfStripe(
    storefront: String,
    language: String,
    price: String,
    behavior: String,
    label: String,
    data: String
  ) throws {
    let catalog = try Catalog()
    let text =
      #"[{"id":"\#(price)","object":"price","currency":"\#(price.suffix(3))","unit_amount":19900,"tax_behavior":"\#(behavior)"}]"#
    try catalog.importFiles([CatalogFile(name: "prices.json", bytes: Array(text.utf8))])
    for hasLabels in [true, false] {
      let pages = StorePages(shop: try Shop(showsTaxLabels: hasLabels))
      let request = try ProductsRequest(
        nil,
        storefront: Storefront(storefront),
        language: UILanguage(language),
        at: .date(CalendarDate(PageShop.date))
      )
      let store = Store(try catalog.products(for: request), languages: [])
      let page = try pages.productPage(price, in: store)
      #expect(page.contains(data))
      #expect(Self.allLabels.filter { page.contains(">\($0)<") } == (hasLabels ? [label] : []))
    }
  }

  private static func plans(_ first: String, _ second: String) -> [String] {
    zip(["monthly", "yearly"], [("P1M", first), ("P1Y", second)]).map { name, plan in
      #"{"productIdentifier":"\#(name)","kind":"auto-renewable-subscription","subscriptionGroup":"club","subscriptionPeriod":"\#(plan.0)","prices":{"DEU":"9.99"}\#(plan.1)}"#
    }
  }

  /// A comparison has one note if its plans agree, else a label for each; the footer has a note only if all prices agree.
  @Test(
    arguments: [
      ("", "", [], "inkl. MwSt.", true),
      (#","taxIncluded":false"#, #","taxIncluded":false"#, [], "zzgl. MwSt.", true),
      (#","taxIncluded":false"#, "", ["zzgl. MwSt.", "inkl. MwSt."], nil, false),
      (#","taxIncluded":"unknown""#, "", ["inkl. MwSt."], nil, false),
      (#","taxIncluded":"unknown""#, #","taxIncluded":"unknown""#, [], nil, false),
    ] as [(String, String, [String], String?, Bool)]
  )
  func labelsPlans(first: String, second: String, plans: [String], note: String?, hasFooter: Bool) throws {
    let pages = StorePages(shop: try Shop(showsTaxLabels: true))
    let page = try pages.storePage(PageShop(products: Self.plans(first, second)).store("DEU", "de"))
    let found = page.matches(of: #/<span class="note">([^<]*)<\/span>/#).map { String($0.1) }
    #expect(found == plans)
    #expect(page.contains("<p class=\"note\">\(note ?? "inkl. MwSt.")</p>") == (note != nil))
    #expect(page.contains("Alle Preise") == hasFooter)
  }
}
