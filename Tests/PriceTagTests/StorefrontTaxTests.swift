import PriceTag
import Testing

/// Tests the facts about tax in `storefronts.json`, and how they are read.
@Suite struct StorefrontTaxTests {
  static let facts: [(ids: String, kind: Storefront.Tax.Kind, isIncluded: Bool)] = [
    // The European Union; Iceland and Norway by the EEA Agreement.
    ("AUT BEL BGR CYP CZE DEU DNK ESP EST FIN FRA GRC HRV HUN IRL ITA LTU LUX LVA MLT", .vat, true),
    ("NLD POL PRT ROU SVK SVN SWE ISL NOR", .vat, true),
    ("GBR CHE TUR ZAF ISR KOR MEX TWN ARE", .vat, true),
    ("AUS IND NZL SGP", .gst, true),
    ("JPN", .consumptionTax, true),
    ("BRA PER MYS", .other, true),
    ("USA CAN", .salesTax, false),
  ]

  @Test(arguments: facts)
  func statesTax(ids: String, kind: Storefront.Tax.Kind, isIncluded: Bool) throws {
    for id in ids.split(separator: " ") {
      let storefront = try Storefront(String(id))
      #expect(storefront.tax?.kind == kind, "\(id)")
      #expect(storefront.tax?.isIncluded == isIncluded, "\(id)")
      #expect(storefront.pricesIncludeTax == isIncluded, "\(id)")
    }
  }

  /// Storefronts without a reliable source have no value.
  @Test(arguments: ["AFG", "CHN", "HKG", "BMU", "XKS", "PAK"])
  func omitsUnknownTax(id: String) throws {
    let storefront = try Storefront(id)
    #expect(storefront.tax == nil && storefront.pricesIncludeTax == nil)
  }

  @Test func countsStorefronts() {
    let taxes = LocaleData.embedded.storefronts.map(\.pricesIncludeTax)
    #expect(taxes.count { $0 == true } == 81)
    #expect(taxes.count { $0 == false } == 2)
    #expect(taxes.count { $0 == nil } == 92)
  }

  static let files: [(tax: String, expected: String?)] = [
    (#"{"kind":"gst","included":false,"source":"s"}"#, nil),
    ("null", nil),
    ("true", "entry \"IRL\", field tax: the field \"tax\" must be an object, not a boolean"),
    (
      #"{"kind":"wat","included":true,"source":"s"}"#,
      "entry \"IRL\", field kind: unknown kind of tax \"wat\"; did you mean \"vat\"?"
    ),
    (
      #"{"kind":"property","included":true,"source":"s"}"#,
      "unknown kind of tax \"property\"; use one of vat, gst, consumption-tax, sales-tax, other"
    ),
    (
      #"{"kind":"vat","included":"yes","source":"s"}"#,
      "field included: the field \"included\" must be true or false, not a string"
    ),
    (
      #"{"kind":"vat","source":"s"}"#,
      "entry \"IRL\", field included: the field \"included\" is missing; add it"
    ),
    (#"{"kind":"vat","included":true}"#, "field source: the field \"source\" is missing; add it"),
    (#"{"kind":"vat","included":true,"source":"t"}"#, "field source: unknown source \"t\""),
    (#"{"kind":"vat","included":true,"source":"s","rate":19}"#, "unknown field \"rate\"; remove it"),
  ]

  @Test(arguments: files) func readsTax(tax: String, expected: String?) throws {
    let folder = try Folder([
      "storefronts.json": LocaleDataTests.storefronts(LocaleDataTests.storefront(more: #","tax":\#(tax)"#))
    ])
    let path = folder.path
    guard let expected else {
      let read = try Storefront("IRL", in: LocaleData(folder: path)).tax
      #expect(tax == "null" ? read == nil : read?.kind == .gst && read?.isIncluded == false)
      return
    }
    let error = try #require(throws: PriceTagError.self) {
      try Storefront("IRL", in: LocaleData(folder: path))
    }
    #expect(error.code == .invalidLocaleData)
    #expect(error.description.contains(expected), "\(error)")
  }

  @Test(arguments: [
    ("DEU", #""tax":{"kind":"vat","included":true}"#),
    ("USA", #""tax":{"kind":"sales-tax","included":false}"#),
    ("AFG", #""tax":null"#),
  ])
  func writesTaxAsJSON(id: String, expected: String) throws {
    let json = try Storefront(id).json(on: CalendarDate("2026-11-21"))
    #expect(json.contains(expected), "\(json)")
  }
}
