import CatalogSamples
import PriceTag
import PriceTagStrings
import Testing

@testable import PriceTagCatalog
@testable import PriceTagCatalogFormats

/// Tests what files state about the tax of prices, and what catalogs store of it.
@Suite struct TaxStatementTests {
  private static func json(_ fields: String) -> String {
    #"{"format":"pricetag-catalog","version":1,"products":[{"productIdentifier":"p",\#(fields)}]}"#
  }

  static let documents: [(fields: String, expected: String)] = [
    (#""taxIncluded":true,"prices":{"DEU":"1"}"#, "p, tax included true\nDEU 1.00 EUR"),
    (#""taxIncluded":false"#, "p, tax included false"),
    (#""taxIncluded":"unknown""#, "p, tax included unknown"),
    (
      #""prices":{"DEU":{"amount":"1","taxIncluded":false},"SWE":[{"amount":"2","until":"2026-12-31","taxIncluded":"unknown"},{"amount":"3","from":"2027-01-01","taxIncluded":"unknown"}],"USA":"4"}"#,
      """
      p
      DEU 1.00 EUR, tax included false
      SWE 2.00 SEK until 2026-12-31, tax included unknown
      SWE 3.00 SEK from 2027-01-01, tax included unknown
      USA 4.00 USD
      """
    ),
    (
      #""taxIncluded":"true""#,
      #"rejected: product "p", line 1, field taxIncluded: the field "taxIncluded" must be true, false or "unknown", not "true"; write true, false or "unknown""#
    ),
    (
      #""taxIncluded":1"#,
      #"rejected: product "p", line 1, field taxIncluded: the field "taxIncluded" must be true, false or "unknown", not a number; write true, false or "unknown""#
    ),
    (
      #""prices":{"SWE":[{"amount":"2","until":"2026-12-31","taxIncluded":false},{"amount":"3","from":"2027-01-01"}],"USA":"1"}"#,
      """
      p
      USA 1.00 USD
      rejected: product "p", line 1, price of SWE: SWE has prices whose taxIncluded differs (false and not stated); state the same for each price of SWE (all of them were rejected)
      """
    ),
    (
      #""offers":[{"paymentMode":"pay-up-front","period":"P1M","prices":{"USA":{"amount":"1","taxIncluded":true}}}]"#,
      #"""
      p
      introductory -, pay-up-front, 1 × P1M
      rejected: product "p", offer 1, line 1, price of USA, line 1, field taxIncluded: unknown field "taxIncluded"; remove it
      """#
    ),
  ]

  @Test(arguments: documents) func readsJSON(fields: String, expected: String) {
    #expect(Imported(.json, Self.json(fields), .inFebruary).text == expected)
  }

  static let tables: [(rows: String, expected: String)] = [
    ("p,DEU,1,TRUE\np,SWE,2,\n", "p\nDEU 1.00 EUR, tax included true\nSWE 2.00 SEK"),
    ("p,,,false\np,DEU,1,unknown\n", "p, tax included false\nDEU 1.00 EUR, tax included unknown"),
    (
      "p,,,false\np,,,true\n",
      """
      p, tax included false
      rejected: line 3, product "p", column taxIncluded: the product has more than one taxIncluded: false and true; write one, or name the storefront and the amount of a price
      """
    ),
    (
      "p,DEU,1,yes\n",
      """
      p
      rejected: line 2, product "p", column taxIncluded: unknown value of taxIncluded "yes"; use one of true, false, unknown
      """
    ),
  ]

  @Test(arguments: tables) func readsCSV(rows: String, expected: String) {
    let text = "productIdentifier,storefront,amount,taxIncluded\n" + rows
    #expect(Imported(.csv, text, .inFebruary).text == expected)
  }

  private static func stripe(_ fields: String) -> String {
    #"{"id":"p","object":"price","currency":"sek","unit_amount":19900\#(fields)}"#
  }

  static let prices: [(fields: String, expected: String)] = [
    ("", "SWE 199.00 SEK"),
    (#","tax_behavior":null"#, "SWE 199.00 SEK"),
    (#","tax_behavior":"inclusive""#, "SWE 199.00 SEK, tax included true"),
    (#","tax_behavior":"exclusive""#, "SWE 199.00 SEK, tax included false"),
    (#","tax_behavior":"unspecified""#, "SWE 199.00 SEK, tax included unknown"),
    // Each currency option has a behavior of its own; without one, that of another currency is not known.
    (
      #","tax_behavior":"exclusive","currency_options":{"sek":{"unit_amount":19900},"jpy":{"unit_amount":9,"tax_behavior":"inclusive"},"dkk":{"unit_amount":900}}"#,
      """
      DNK 9.00 DKK, tax included unknown
      JPN 9 JPY, tax included true
      SWE 199.00 SEK, tax included false
      """
    ),
    (#","currency_options":{"jpy":{"unit_amount":9}}"#, "JPN 9 JPY\nSWE 199.00 SEK"),
    (
      #","tax_behavior":"exclusive","currency_options":{"sek":{"unit_amount":19900,"tax_behavior":"inclusive"}}"#,
      #"rejected: price "p", line 1, price in SEK: "SEK" appears twice with different values of "tax_behavior"; make them equal; both are rejected"#
    ),
    (
      #","tax_behavior":"none""#,
      #"rejected: price "p", line 1, field tax_behavior: unknown tax behavior "none"; use one of inclusive, exclusive, unspecified"#
    ),
  ]

  @Test(arguments: prices) func readsStripe(fields: String, expected: String) {
    let isRejected = expected.hasPrefix("rejected: price \"p\", line 1, field")
    #expect(
      Imported(.stripe, Self.stripe(fields), .inFebruary).text == (isRejected ? "" : "p\n") + expected
    )
  }

  @Test(arguments: [("exclusive", "false"), ("Inclusive", "true"), ("unspecified", "unknown")])
  func readsStripeCSV(behavior: String, expected: String) {
    let text = "Price ID,Amount,Currency,Tax Behavior\np,199.00,sek,\(behavior)\n"
    #expect(Imported(.stripe, text, .inFebruary).text == "p\nSWE 199.00 SEK, tax included \(expected)")
  }

  /// The price wins over the product, the product over the request, and the request over the storefront.
  static let statements: [(files: [String], requested: TaxInclusion?, expected: [String: TaxInclusion?])] = [
    ([#""prices":{"DEU":"1","SWE":"1"}"#], nil, ["DEU": nil, "SWE": nil]),
    ([#""prices":{"DEU":"1","SWE":"1"}"#], .excluded, ["DEU": .excluded, "SWE": .excluded]),
    (
      [#""taxIncluded":true,"prices":{"DEU":{"amount":"1","taxIncluded":"unknown"},"SWE":"1"}"#], .excluded,
      ["DEU": .unknown, "SWE": .included]
    ),
    // A later file replaces the statement of a storefront together with its prices.
    (
      [
        #""prices":{"DEU":{"amount":"1","taxIncluded":false},"SWE":{"amount":"1","taxIncluded":false}}"#,
        #""prices":{"DEU":"2"}"#,
      ],
      nil, ["DEU": nil, "SWE": .excluded]
    ),
    // What the product states remains until another file states something.
    (
      [#""taxIncluded":false,"prices":{"DEU":"1"}"#, #""prices":{"DEU":"2"}"#], nil, ["DEU": .excluded]
    ),
    ([#""taxIncluded":false,"prices":{"DEU":"1"}"#, #""taxIncluded":true"#], nil, ["DEU": .included]),
    // A price of a tier has the statement of the product.
    ([#""taxIncluded":false,"tier":"1""#], nil, ["DEU": .excluded]),
  ]

  @Test(arguments: statements)
  func listsWhatIsStated(
    files: [String],
    requested: TaxInclusion?,
    expected: [String: TaxInclusion?]
  ) throws {
    let catalog = try Catalog()
    try catalog.importFiles([lines(#"{"type":"tier","tier":"1","prices":{"DEU":"7"}}"#)])
    for fields in files {
      let file = CatalogFile(name: "shop.json", bytes: Array(Self.json(fields).utf8))
      try catalog.importFiles([file]) { (error) throws(CatalogError) in throw error }
    }
    for (storefront, expected) in expected {
      let request = ProductsRequest(
        nil,
        storefront: try Storefront(storefront),
        language: try UILanguage("en"),
        at: try .date(CalendarDate("2026-02-01")),
        taxInclusion: requested
      )
      let product = try #require(try catalog.products(for: request).products.first)
      #expect(product.taxInclusion == expected, "\(storefront)")
      #expect(
        product.json.contains("\"taxIncluded\":\(expected?.json ?? "none")") == (expected != nil)
      )
      #expect(product.json.contains("taxIncluded") == (expected != nil))
      #expect(
        product.includesTax(in: request.storefront)
          == [nil: true, .included: true, .excluded: false][expected]
      )
      #expect(try catalog.outline(for: request).taxInclusions == [expected])
    }
    // Importing the last file again changes nothing.
    let last = CatalogFile(name: "shop.json", bytes: Array(Self.json(files.last ?? "").utf8))
    #expect(try catalog.importFiles([last]).isUnchanged)
  }

  private static func products(of catalog: Catalog) throws -> [CatalogProduct] {
    var products: [CatalogProduct] = []
    try catalog.forEachItem { (item) throws(CatalogError) in
      if case .product(let product) = item { products.append(product) }
    }
    return products
  }

  /// An export as CSV has a column about tax only if something is stated, so other exports are as before.
  @Test(arguments: [(#""prices":{"DEU":"1"}"#, false), (#""taxIncluded":false"#, true)])
  func exportsColumnIfStated(fields: String, isStated: Bool) throws {
    let catalog = try Catalog()
    try catalog.importFiles([CatalogFile(name: "shop.json", bytes: Array(Self.json(fields).utf8))])
    var text = ""
    try catalog.export(as: .csv) { text += $0 }
    #expect(text.contains("taxIncluded") == isStated)
    let copy = try Catalog()
    try copy.importFiles([CatalogFile(name: "shop.csv", bytes: Array(text.utf8))])
    #expect(try Self.products(of: copy) == Self.products(of: catalog))
    var omissions: [String] = []
    try catalog.export(as: .itmsp, to: { _ in }, onOmission: { omissions.append($0.problem) })
    #expect(omissions.contains { $0.contains("\"taxIncluded\"") } == isStated)
    let product = try #require(try Self.products(of: catalog).first)
    let (_, reported) = CatalogCSVWriter(languages: []).rows(of: product)
    #expect(reported.contains { $0.problem.contains("about tax") } == isStated)
  }

  static let counts: [(fields: String, count: Int)] = [
    (#""prices":{"DEU":"1","SWE":"2"}"#, 0),
    (#""taxIncluded":"unknown","prices":{"DEU":"1","SWE":{"amount":"2","taxIncluded":true}}"#, 1),
    (
      #""prices":{"DEU":{"amount":"1","taxIncluded":"unknown"},"SWE":{"amount":"2","taxIncluded":"unknown"}}"#,
      2
    ),
  ]

  @Test(arguments: counts) func countsPricesWithUnknownTax(fields: String, count: Int) throws {
    let catalog = try Catalog()
    let file = CatalogFile(name: "shop.json", bytes: Array(Self.json(fields).utf8))
    #expect(try catalog.importFiles([file]).unknownTaxPrices == count)
  }

  @Test(arguments: ["", "maybe", "true DEU=", "DEU=perhaps"]) func rejectsDamagedColumn(text: String) {
    #expect(ProductTax(stored: text)?.stored == nil)
  }
}
