import CatalogSamples
import PriceTag
import PriceTagCatalogFormats
import PriceTagStrings
import Testing

@testable import PriceTagCatalog

/// Tests the unit prices of products in responses and listings.
@Suite struct UnitPriceListingTests {
  /// A shop with products of several contents. The tests of the core compare the texts of unit prices with ICU.
  private static func shop() throws -> Catalog {
    let catalog = try Catalog()
    var rejects: [CatalogError] = []
    try catalog.importFiles([
      lines(
        #"{"productIdentifier":"wine","content":"0.75 L","prices":{"DEU":"12.45","USA":"13.99","CHE":"14.50"},"priceLocales":{"CHE":"fr-CH"}}"#,
        #"{"productIdentifier":"cola","content":"6 × 330 mL","unitReference":"100 mL","prices":{"DEU":"3.49"}}"#,
        #"{"productIdentifier":"butter","content":"8 oz","prices":{"USA":"2.50"}}"#,
        #"{"productIdentifier":"eggs","content":"12 pieces","prices":{"DEU":"3.00","USA":"4.49","JPN":"300"}}"#,
        #"{"productIdentifier":"nails","content":"600 pieces","unitReference":"100 pieces","prices":{"DEU":"4.80"}}"#,
        #"{"productIdentifier":"screws","content":"1000 pieces","prices":{"DEU":"4"}}"#,
        #"{"productIdentifier":"saffron","content":"0.001 mg","prices":{"DEU":"99999999999"}}"#,
        #"{"productIdentifier":"sample","content":"10 g","prices":{"DEU":"0"}}"#,
        #"{"productIdentifier":"song","prices":{"DEU":"0.99"}}"#,
        #"{"productIdentifier":"coffee","kind":"auto-renewable-subscription","subscriptionPeriod":"P1M","content":"500 g","prices":{"DEU":"9.99"}}"#
      )
    ]) { rejects.append($0) }
    #expect(rejects == [])
    return catalog
  }

  private static func product(
    _ identifier: String,
    _ storefront: String,
    language: String = "en-US",
    rounding: RoundingMode? = .halfUp,
    style: PriceStyle = PriceStyle()
  ) throws -> ProductsResponse {
    try shop().products(
      for: ProductsRequest(
        [identifier],
        storefront: Storefront(storefront),
        language: UILanguage(language),
        at: .date(CalendarDate("2026-11-21")),
        style: style,
        unitPriceRounding: rounding
      )
    )
  }

  static let prices: [(product: String, storefront: String, amount: String, reference: String)] = [
    ("wine", "DEU", "16.60", "L"), ("wine", "USA", "18.65", "L"), ("wine", "CHE", "19.33", "L"),
    // 3.49 / 19.8 = 0.17626…
    ("cola", "DEU", "0.18", "100 mL"), ("butter", "USA", "5.00", "lb"), ("eggs", "DEU", "0.25", "piece"),
    ("eggs", "USA", "0.37", "piece"), ("eggs", "JPN", "25", "piece"), ("nails", "DEU", "0.80", "100 piece"),
    ("coffee", "DEU", "19.98", "kg"),
  ]

  /// The formatted price is the one that the core writes for the same amount, content and reference.
  @Test(arguments: prices)
  func pricesPerUnit(product: String, storefront: String, amount: String, reference: String) throws {
    let response = try Self.product(product, storefront)
    let found = try #require(response.products.first)
    let unitPrice = try #require(found.unitPrice)
    #expect(unitPrice.price.amount == (try Amount(decimal: amount)))
    #expect(unitPrice.reference.description == reference)
    #expect(unitPrice.content == found.content && unitPrice.reference == found.unitReference)
    #expect(unitPrice.price.locale == found.price.locale && unitPrice.price.currency == found.price.currency)
    let formatter = try PriceFormatter(
      storefront: Storefront(storefront),
      locale: found.price.locale,
      on: CalendarDate("2026-11-21"),
      style: PriceStyle(rounding: .halfUp)
    )
    let expected = try formatter.unitPrice(
      of: found.price.amount,
      content: unitPrice.content,
      per: UnitPriceReference(reference)
    )
    #expect(unitPrice.price.text == expected.text)
  }

  static let modes: [(mode: RoundingMode, amount: String)] = [
    (.halfUp, "0.18"), (.down, "0.17"), (.up, "0.18"), (.floor, "0.17"),
  ]

  @Test(arguments: modes)
  func roundsByNamedMode(mode: RoundingMode, amount: String) throws {
    let unitPrice = try Self.product("cola", "DEU", rounding: mode).products.first?.unitPrice
    #expect(unitPrice?.price.amount == (try Amount(decimal: amount)))
  }

  /// The mode of the unit prices does not apply to prices.
  @Test func roundsPricesByStyleOnly() throws {
    let style = PriceStyle(digits: .fixed(1))
    let response = try Self.product("wine", "DEU", style: style)
    #expect(response.products.isEmpty)
    #expect(response.invalidProductIdentifiers.first?.reason == .notDisplayable)
  }

  @Test(arguments: [("wine", nil), ("sample", RoundingMode.halfUp), ("song", .halfUp)])
  func omitsUnitPrice(product: String, rounding: RoundingMode?) throws {
    let found = try #require(try Self.product(product, "DEU", rounding: rounding).products.first)
    #expect(found.unitPrice == nil)
    #expect((found.content == nil) == (product == "song"))
    #expect(found.json.hasSuffix(#""unitPrice":null}"#))
  }

  /// With `exact`, a unit price that needs rounding makes the product invalid, like a price that does.
  @Test func rejectsUnitPriceThatNeedsRounding() throws {
    #expect(try Self.product("wine", "DEU", rounding: .exact).products.first?.unitPrice != nil)
    let response = try Self.product("cola", "DEU", rounding: .exact)
    let invalid = try #require(response.invalidProductIdentifiers.first)
    #expect(response.products.isEmpty && invalid.reason == .notDisplayable)
    #expect(
      invalid.message
        == "unit price: 3.49 for 6 × 330 mL is not a multiple of 0.01 per 100 mL; name a rounding mode such as half-up to allow rounding"
    )
  }

  /// A unit price must not be displayed as zero, and a product is not shown without the unit price it should have.
  @Test(arguments: [("screws", "rounds to zero per piece"), ("saffron", "")])
  func rejectsUnitPriceThatCannotBeDisplayed(product: String, problem: String) throws {
    #expect(try Self.product(product, "DEU", rounding: nil).products.count == 1)
    let response = try Self.product(product, "DEU")
    let invalid = try #require(response.invalidProductIdentifiers.first)
    #expect(response.products.isEmpty && invalid.reason == .notDisplayable)
    #expect(invalid.message.hasPrefix("unit price: "), "\(invalid.message)")
    #expect(problem.isEmpty || invalid.message.contains(problem), "\(invalid.message)")
  }

  /// A compact notation applies to prices only.
  @Test(arguments: [PriceStyle.Notation.compactShort, .compactLong], ["wine", "eggs"])
  func writesUnitPriceInStandardNotation(notation: PriceStyle.Notation, product: String) throws {
    let style = PriceStyle(rounding: .halfUp, notation: notation)
    let found = try #require(try Self.product(product, "DEU", style: style).products.first)
    let standard = try #require(try Self.product(product, "DEU").products.first)
    #expect(found.unitPrice?.displayText == standard.unitPrice?.displayText)
    #expect(found.unitPrice != nil && found.price.text != standard.price.text)
  }

  static let pieces: [(product: String, language: String, text: String)] = [
    ("eggs", "en-US", "0,25\u{A0}€ per piece"), ("eggs", "de", "0,25\u{A0}€ pro Stück"),
    ("eggs", "ja", "1個あたり0,25\u{A0}€"), ("nails", "en-US", "0,80\u{A0}€ per 100 pieces"),
    ("nails", "de", "0,80\u{A0}€ pro 100 Stück"), ("nails", "ru", "0,80\u{A0}€ за 100 штук"),
  ]

  /// The price of a piece is formatted for the storefront, and its text is in the shopper's language.
  @Test(arguments: pieces)
  func writesPricePerPiece(product: String, language: String, text: String) throws {
    let unitPrice = try Self.product(product, "DEU", language: language).products.first?.unitPrice
    #expect(unitPrice?.pieceText?.plain == text)
    #expect(unitPrice?.displayText == text)
    #expect(try Self.product("wine", "DEU", language: language).products.first?.unitPrice?.pieceText == nil)
  }

  @Test func writesJSON() throws {
    let eggs = try #require(try Self.product("eggs", "DEU", language: "de").products.first)
    #expect(
      eggs.json.hasSuffix(
        #""approved":true,"content":"12 piece","unitPrice":{"amount":"0.25","currency":"EUR","priceLocale":"de-DE","#
          + "\"display\":\"0,25\u{A0}€\",\"spoken\":\"0,25 Euro\",\"content\":\"12 piece\",\"reference\":\"piece\","
          + "\"text\":\"0,25\u{A0}€ pro Stück\","
          + "\"html\":\"<bdi lang=\\\"de-DE\\\" dir=\\\"ltr\\\">0,25\u{A0}€</bdi> pro Stück\"}}"
      ),
      "\(eggs.json)"
    )
    let wine = try #require(try Self.product("wine", "DEU").products.first)
    let price = try #require(wine.unitPrice?.price)
    #expect(wine.json.contains(#""content":"0.75 L","reference":"L","text":"\#(price.text)","html":"#))
  }

  /// Listings of all storefronts have the unit prices of the responses.
  @Test func listsUnitPrices() throws {
    let catalog = try Self.shop()
    let storefronts = try ["DEU", "USA", "CHE"].map { try Storefront($0) }
    let request = ListingRequest(
      storefronts: storefronts,
      languages: .list([.development]),
      at: try .date(CalendarDate("2026-11-21")),
      unitPriceRounding: .halfUp
    )
    let reader = try catalog.listings(for: request)
    let builder = try ListingBuilder(request)
    var found: [String] = []
    for record in try reader.next(100) {
      try builder.forEach(record) { listing in
        guard case .product(let product, _) = listing.answer, let unitPrice = product.unitPrice else {
          return
        }
        found.append(
          "\(product.identifier) \(listing.storefront.id) \(unitPrice.price.amount) \(unitPrice.reference)"
        )
      }
    }
    #expect(
      found == [
        "butter USA 5.00 lb", "coffee DEU 19.98 kg", "cola DEU 0.18 100 mL", "eggs DEU 0.25 piece",
        "eggs USA 0.37 piece", "nails DEU 0.80 100 piece", "wine DEU 16.60 L", "wine USA 18.65 L",
        "wine CHE 19.33 L",
      ]
    )
  }

  // MARK: Imports

  @Test func mergesContents() throws {
    let catalog = try Self.shop()
    try catalog.importFiles([lines(#"{"productIdentifier":"wine","prices":{"DEU":"15"}}"#)])
    try catalog.importFiles([lines(#"{"productIdentifier":"wine","unitReference":"100 mL"}"#)])
    try catalog.importFiles([lines(#"{"productIdentifier":"cola","content":"1.5 L"}"#)])
    var found: [String] = []
    try catalog.forEachItem { (item) throws(CatalogError) in
      guard case .product(let product) = item, ["wine", "cola"].contains(product.identifier) else { return }
      found.append(
        "\(product.identifier) \(product.content?.description ?? "-") \(product.unitReference?.description ?? "-")"
      )
    }
    #expect(found.sorted() == ["cola 1.5 L 100 mL", "wine 0.75 L 100 mL"])
    #expect(try catalog.verify().damages == 0)
  }

  /// The facts about "cola", whose stored content is 6 × 330 mL with the reference 100 mL.
  private static func cola(_ catalog: Catalog) throws -> String? {
    var facts: String?
    try catalog.forEachItem { (item) throws(CatalogError) in
      guard case .product(let cola) = item, cola.identifier == "cola" else { return }
      facts =
        "\(cola.content?.description ?? "-"), per \(cola.unitReference?.description ?? "-"), \(cola.prices.lines)"
    }
    return facts
  }

  /// A new reference is compared with the stored content.
  @Test func rejectsReferenceThatContradictsContent() throws {
    let catalog = try Self.shop()
    var rejects: [String] = []
    try catalog.importFiles([
      lines(
        #"{"productIdentifier":"cola","unitReference":"kg","prices":{"DEU":"9"}}"#,
        #"{"productIdentifier":"new"}"#
      )
    ]) { rejects.append($0.description) }
    #expect(
      rejects == [
        #"shop.jsonl, line 1, product "cola": the content 6 × 330 mL has no price per kg; use a reference for volume, such as L"#
      ]
    )
    #expect(try Self.cola(catalog) == #"6 × 330 mL, per 100 mL, ["DEU 3.49 EUR"]"#)
    #expect(try catalog.productIdentifiers().contains("new"))
  }

  static let newContents: [(fields: String, expected: String)] = [
    (#""content":"2 L""#, #"2 L, per 100 mL, ["DEU 9.00 EUR"]"#),
    (#""content":"2 kg""#, #"2 kg, per -, ["DEU 9.00 EUR"]"#),
    (#""content":"12 fl oz""#, #"12 fl oz, per -, ["DEU 9.00 EUR"]"#),
    (#""content":"2 kg","unitReference":"100 g""#, #"2 kg, per 100 g, ["DEU 9.00 EUR"]"#),
  ]

  /// A new content removes a stored reference that does not belong to it.
  @Test(arguments: newContents)
  func replacesContent(fields: String, expected: String) throws {
    let catalog = try Self.shop()
    var rejects: [String] = []
    try catalog.importFiles([
      lines(#"{"productIdentifier":"cola",\#(fields),"prices":{"DEU":"9"}}"#)
    ]) { rejects.append($0.description) }
    #expect(rejects == [])
    #expect(try Self.cola(catalog) == expected)
    #expect(try catalog.verify().damages == 0)
  }

  static let rejectedContents: [(file: String, text: String)] = [
    ("a.jsonl", #"{"productIdentifier":"cola","content":"750 ml wine","prices":{"DEU":"9"}}"#),
    ("a.jsonl", #"{"productIdentifier":"cola","unitReference":"3 L","prices":{"DEU":"9"}}"#),
    ("a.jsonl", #"{"productIdentifier":"cola","content":"2 kg","unitReference":"L","prices":{"DEU":"9"}}"#),
    ("a.csv", "productIdentifier,content,storefront,amount\ncola,750 ml wine,DEU,9\n"),
    ("a.csv", "productIdentifier,unitReference,storefront,amount\ncola,3 L,DEU,9\n"),
    ("a.csv", "productIdentifier,content,storefront,amount\ncola,1 L,DEU,9\ncola,2 L,USA,9\n"),
  ]

  /// The new price of a product is never combined with the stored content if the new content is rejected.
  @Test(arguments: rejectedContents)
  func rejectsProductWithRejectedContent(file: String, text: String) throws {
    let catalog = try Self.shop()
    var rejects: [String] = []
    try catalog.importFiles([CatalogFile(name: file, bytes: Array(text.utf8))]) {
      rejects.append($0.description)
    }
    #expect(rejects.count == 1, "\(rejects)")
    #expect(try Self.cola(catalog) == #"6 × 330 mL, per 100 mL, ["DEU 3.49 EUR"]"#)
  }
}
