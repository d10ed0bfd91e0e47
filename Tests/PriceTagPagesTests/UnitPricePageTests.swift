import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagStrings
import Testing

@testable import PriceTagPages

/// Tests the unit prices below prices, and the facts about contents and taxes in structured data.
@Suite struct UnitPricePageTests {
  private static let json = #"""
    {"format":"pricetag-catalog","version":1,
     "subscriptionGroups":[{"identifier":"beans"}],
     "products":[
      {"productIdentifier":"fuel","content":"0.5 L","prices":{"USA":"0.99","DEU":"1.25","EGY":"20","AFG":"1"}},
      {"productIdentifier":"cola","content":"6 × 330 mL","unitReference":"100 mL","prices":{"DEU":"3.49"}},
      {"productIdentifier":"eggs","content":"12 pieces","prices":{"DEU":"3.00","EGY":"60"}},
      {"productIdentifier":"free","content":"10 g","prices":{"DEU":"0"}},
      {"productIdentifier":"plain","prices":{"DEU":"9.99","USA":"9.99","AFG":"1"}},
      {"productIdentifier":"small","kind":"auto-renewable-subscription","subscriptionGroup":"beans","subscriptionPeriod":"P1M",
       "content":"250 g","prices":{"DEU":"5.00"}},
      {"productIdentifier":"large","kind":"auto-renewable-subscription","subscriptionGroup":"beans","subscriptionPeriod":"P1M",
       "content":"1 kg","prices":{"DEU":"15.00"}}
     ]}
    """#

  private static func store(
    _ storefront: String,
    _ language: String,
    rounding: RoundingMode? = .halfUp
  ) throws -> Store {
    try PageShop(json).store(storefront, language, unitPriceRounding: rounding)
  }

  private static func page(_ product: String, _ store: Store) throws -> String {
    try StorePages(shop: try Shop(url: "https://shop.example/")).productPage(product, in: store)
  }

  private static let start = #"<p class="note unit-price">"#

  private static func unitPrices(_ page: String) -> [String] {
    page.components(separatedBy: start).dropFirst().compactMap { $0.components(separatedBy: "</p>").first }
  }

  /// A unit price has the language and direction of the price, its visible and its spoken form.
  @Test(arguments: [
    ("fuel", "DEU", "en-US"), ("fuel", "EGY", "en-US"), ("cola", "DEU", "ar"), ("fuel", "USA", "de"),
  ])
  func showsUnitPriceBelowPrice(product: String, storefront: String, language: String) throws {
    let store = try Self.store(storefront, language)
    let page = try Self.page(product, store)
    let price = try #require(store.products.first { $0.identifier == product }?.unitPrice?.price)
    let found = Self.unitPrices(page)
    #expect(found == [PriceMarkup.perUnit(price)])
    #expect(found.first?.contains("lang=\"\(price.locale)\" dir=\"\(price.direction.rawValue)\"") == true)
    #expect(
      found.first?.contains(">\(price.text)<") == true && found.first?.contains(">\(price.spoken)<") == true
    )
    let lines = page.split(separator: "\n").map { $0.drop { $0 == " " } }
    let index = try #require(lines.firstIndex { $0.hasPrefix("<p class=\"amount\">") })
    #expect(lines[index + 1].hasPrefix(Self.start))
  }

  @Test(arguments: [("DEU", "de", " pro Stück"), ("DEU", "en-US", " per piece"), ("EGY", "ar", " للقطعة")])
  func writesPieceInLanguageOfPage(storefront: String, language: String, text: String) throws {
    let store = try Self.store(storefront, language)
    let price = try #require(store.products.first { $0.identifier == "eggs" }?.unitPrice?.price)
    #expect(Self.unitPrices(try Self.page("eggs", store)) == [PriceMarkup.html(price) + text])
  }

  /// A store page shows a unit price on each card, and in the comparison of subscriptions, which have no cards.
  @Test func showsUnitPricesOnStorePage() throws {
    let page = try StorePages(shop: try Shop()).storePage(Self.store("DEU", "en-US"))
    #expect(Self.unitPrices(page).count == 3)
    #expect(page.components(separatedBy: #" <span class="note unit-price">"#).count - 1 == 2)
  }

  @Test(arguments: [("fuel", nil), ("free", RoundingMode.halfUp), ("plain", .halfUp)])
  func omitsUnitPrice(product: String, rounding: RoundingMode?) throws {
    let page = try Self.page(product, Self.store("DEU", "en-US", rounding: rounding))
    #expect(!page.contains("unit-price"))
  }

  // MARK: Structured data

  private static func specification(_ product: String, _ storefront: String) throws -> NSDictionary? {
    let page = try page(product, store(storefront, "en-US", rounding: nil))
    let offer = try #require(try PageSearch.jsonLD(page)["offers"] as? [String: Any])
    return offer["priceSpecification"].map { $0 as? NSDictionary ?? [:] }
  }

  /// The price, the content and the unit of reference, in the units of UN/CEFACT; and whether the price includes tax,
  /// which the data of Afghanistan does not state.
  static let specifications: [(product: String, storefront: String, json: String?)] = [
    (
      "fuel", "DEU",
      #"{"@type":"UnitPriceSpecification","price":"1.25","priceCurrency":"EUR","referenceQuantity":{"@type":"QuantitativeValue","value":"0.5","unitCode":"LTR","valueReference":{"@type":"QuantitativeValue","value":"1","unitCode":"LTR"}},"valueAddedTaxIncluded":true}"#
    ),
    (
      "fuel", "AFG",
      #"{"@type":"UnitPriceSpecification","price":"1.00","priceCurrency":"USD","referenceQuantity":{"@type":"QuantitativeValue","value":"0.5","unitCode":"LTR","valueReference":{"@type":"QuantitativeValue","value":"1","unitCode":"LTR"}}}"#
    ),
    (
      "cola", "DEU",
      #"{"@type":"UnitPriceSpecification","price":"3.49","priceCurrency":"EUR","referenceQuantity":{"@type":"QuantitativeValue","value":"1980","unitCode":"MLT","valueReference":{"@type":"QuantitativeValue","value":"100","unitCode":"MLT"}},"valueAddedTaxIncluded":true}"#
    ),
    (
      "small", "DEU",
      #"{"@type":"UnitPriceSpecification","price":"5.00","priceCurrency":"EUR","billingDuration":"P1M","referenceQuantity":{"@type":"QuantitativeValue","value":"250","unitCode":"GRM","valueReference":{"@type":"QuantitativeValue","value":"1","unitCode":"KGM"}},"valueAddedTaxIncluded":true}"#
    ),
    (
      "plain", "USA",
      #"{"@type":"UnitPriceSpecification","price":"9.99","priceCurrency":"USD","valueAddedTaxIncluded":false}"#
    ),
    ("plain", "AFG", nil),
  ]

  @Test(arguments: specifications)
  func writesPriceSpecification(product: String, storefront: String, json: String?) throws {
    let expected = try json.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary }
    #expect(try Self.specification(product, storefront) == expected ?? nil)
  }

  /// The codes are those of UN/CEFACT Recommendation 20: two or three capital letters or digits, each for one unit.
  @Test func unitCodesAreDistinct() {
    let codes = ContentUnit.allCases.map(\.commonCode)
    #expect(Set(codes).count == codes.count)
    #expect(codes.allSatisfy { $0.wholeMatch(of: /[A-Z0-9]{2,3}/) != nil })
  }

  static let totals: [(content: String, total: String?)] = [
    ("0.75 L", "0.75"), ("6 × 330 mL", "1980"), ("3 × 0.25 kg", "0.75"),
    ("1000000 × 1000000000 mg", "1000000000000000"),
    ("1000000 × 999999999.999999999 mg", nil),
  ]

  @Test(arguments: totals)
  func computesTotalContent(content: String, total: String?) throws {
    #expect(try ProductContent(content).total?.description == total)
  }
}
