import CatalogSamples
import PriceTag
import PriceTagCatalogFormats
import PriceTagStrings
import Testing

@testable import PriceTagCatalog

/// Prices of a catalog in currencies of the merchant's own: import, listing, export and endings.
@Suite struct CustomCurrencyListingTests {
  static let currencies = #"""
    {"schema":1,"currencies":[
     {"code":"GEMS","digits":0,"symbol":"💎","like":"USD","storefronts":["USA","DE"],"reason":"coins",
      "names":{"en":{"one":"gem","other":"gems"},"de":{"one":"Edelstein","other":"Edelsteine"}}},
     {"code":"BTC","digits":8,"symbol":"₿","like":"USD","storefronts":"all","reason":"crypto"}]}
    """#

  /// A catalog, and the folder of its locale data.
  private struct Shop {
    private let folder: ScratchFolder
    let localeData: LocaleData
    let catalog: Catalog
    var rejects: [String] = []

    init(_ files: CatalogFile..., currencies: String = currencies) throws {
      folder = try ScratchFolder(["custom-currencies.json": currencies])
      localeData = try LocaleData(folder: folder.path)
      catalog = try Catalog(localeData: localeData)
      var rejects: [String] = []
      try catalog.importFiles(files, options: ImportOptions(localeData: localeData)) {
        rejects.append($0.description)
      }
      self.rejects = rejects
    }

    func response(_ storefront: String, at date: String = "2026-11-21") throws -> ProductsResponse {
      var identifiers: [String] = []
      try catalog.forEachItem { (item) throws(CatalogError) in
        if case .product(let product) = item { identifiers.append(product.identifier) }
      }
      return try catalog.products(
        for: ProductsRequest(
          identifiers,
          storefront: Storefront(storefront, in: localeData),
          language: UILanguage("en-US"),
          at: .date(CalendarDate(date))
        )
      )
    }

    /// `identifier display` of each product, then `identifier message` of each invalid one.
    func prices(_ storefront: String, at date: String = "2026-11-21") throws -> [String] {
      let response = try response(storefront, at: date)
      return response.products.map { "\($0.identifier) \($0.price.text)" }
        + response.invalidProductIdentifiers.map { "\($0.productIdentifier) \($0.message)" }
    }
  }

  private static let products = lines(
    #"{"productIdentifier":"car","prices":{"USA":"9.99","DEU":{"amount":"300","currency":"GEMS"},"JPN":"1200"}}"#,
    #"{"productIdentifier":"hat","prices":{"USA":{"amount":25,"currency":"gems"},"JPN":{"amount":"0.0005","currency":"BTC"}}}"#
  )

  @Test func listsPrices() throws {
    let shop = try Shop(Self.products)
    #expect(shop.rejects == [])
    #expect(try shop.prices("USA") == ["car $9.99", "hat 💎25"])
    #expect(
      try shop.prices("DEU") == [
        "car 300\u{A0}💎",
        "hat the product has no price in DEU on 2026-11-21: no price was imported; import one",
      ]
    )
    #expect(try shop.prices("JPN") == ["car ￥1,200", "hat ₿0.00050000"])
    let hat = try #require(try shop.response("USA").products.last)
    #expect(hat.price.currency.code == "GEMS" && hat.price.spoken == "25 gems")
    #expect(try shop.response("DEU").products.first?.price.spoken == "300 Edelsteine")
  }

  @Test func importsCSV() throws {
    let text =
      "productIdentifier,storefront,amount,currency\ncar,USA,25,GEMS\ncar,JPN,0.1,BTC\ncar,DEU,1,EUR\n"
    let shop = try Shop(CatalogFile(name: "shop.csv", bytes: Array(text.utf8)))
    #expect(shop.rejects == [])
    #expect(try shop.prices("USA") == ["car 💎25"])
    #expect(try shop.prices("JPN") == ["car ₿0.10000000"])
    #expect(try shop.prices("DEU") == ["car 1,00\u{A0}€"])
  }

  static let rejects: [(line: String, hint: String)] = [
    (
      #"{"productIdentifier":"a","prices":{"JPN":{"amount":"5","currency":"GEMS"}}}"#,
      "5 GEMS is not a price for JPN, which charges JPY; add the storefront to those of GEMS in custom-currencies.json"
    ),
    (
      #"{"productIdentifier":"a","prices":{"USA":{"amount":"5.5","currency":"GEMS"}}}"#,
      "5.5 GEMS has more decimals than the minor unit of GEMS (0)"
    ),
    (
      #"{"productIdentifier":"a","prices":{"USA":{"amount":"5","currency":"GEM"}}}"#,
      "unknown currency \"GEM\"; did you mean \"GEMS\"?"
    ),
    (
      #"{"productIdentifier":"a","prices":{"USA":["5",{"amount":"5","currency":"GEMS"}]}}"#,
      "USA has 5 GEMS and 5.00 USD on the same dates"
    ),
  ]

  @Test(arguments: rejects)
  func rejectsPrice(line: String, hint: String) throws {
    let shop = try Shop(lines(line))
    #expect(shop.rejects.count == 1 && shop.rejects.first?.contains(hint) == true, "\(shop.rejects)")
  }

  /// The currency of a price may change on a date, in both directions.
  @Test func schedulesChangesOfCurrency() throws {
    let shop = try Shop(
      lines(
        #"{"productIdentifier":"car","prices":{"USA":[{"amount":"5","currency":"USD","until":"2026-11-30"},{"amount":"5","currency":"GEMS","from":"2026-12-01","until":"2026-12-31"},{"amount":"4","currency":"GEMS","from":"2027-01-01"}]}}"#
      )
    )
    #expect(shop.rejects == [])
    func facts(_ date: String) throws -> [String?] {
      let car = try #require(try shop.response("USA", at: date).products.first)
      return [
        car.price.text, car.scheduledPrice?.price.text, car.scheduledPrice?.firstDay.description,
        car.priceBeforeReduction?.text,
      ]
    }
    #expect(try facts("2026-11-21") == ["$5.00", "💎5", "2026-12-01", nil])
    #expect(try facts("2026-12-15") == ["💎5", "💎4", "2027-01-01", nil])
    #expect(try facts("2027-01-05") == ["💎4", nil, nil, "💎5"])
  }

  /// A tier may have prices in a custom currency.
  @Test func listsTiers() throws {
    let shop = try Shop(
      lines(
        #"{"type":"tier","tier":"3","prices":{"USA":{"amount":"30","currency":"GEMS"},"JPN":"450"}}"#,
        #"{"productIdentifier":"car","tier":"3"}"#
      )
    )
    #expect(shop.rejects == [])
    #expect(try shop.prices("USA") == ["car 💎30"])
    #expect(try shop.prices("JPN") == ["car ￥450"])
  }

  @Test(arguments: [ExportFormat.json, .jsonl, .csv])
  func exportsSamePrices(format: ExportFormat) throws {
    let shop = try Shop(Self.products)
    var text = ""
    var omissions: [String] = []
    try shop.catalog.export(as: format, to: { text += $0 }, onOmission: { omissions.append($0.description) })
    #expect(omissions == [])
    let copy = try Shop(CatalogFile(name: "copy.\(format.rawValue)", bytes: Array(text.utf8)))
    #expect(copy.rejects == [])
    for storefront in ["USA", "DEU", "JPN"] {
      #expect(try copy.prices(storefront) == shop.prices(storefront))
    }
  }

  /// A catalog whose currency was removed from a storefront says so.
  @Test func reportsStorefrontThatNoLongerCharges() throws {
    let scratch = try ScratchFolder()
    let folder = try ScratchFolder()
    let path = scratch.path("shop.catalog")
    func catalog(_ currencies: String, _ access: Catalog.Access) throws -> (Catalog, LocaleData) {
      _ = try folder.write("custom-currencies.json", Array(currencies.utf8))
      let data = try LocaleData(folder: folder.path)
      return (try Catalog(path: path, access: access, localeData: data), data)
    }
    let (first, localeData) = try catalog(Self.currencies, .readAndImport)
    try first.importFiles([Self.products], options: ImportOptions(localeData: localeData))
    let (other, data) = try catalog(Self.currencies.replacing(#"["USA","DE"]"#, with: #"["DEU"]"#), .read)
    let response = try other.products(
      for: ProductsRequest(
        ["hat"],
        storefront: Storefront("USA", in: data),
        language: UILanguage("en-US"),
        at: .date(CalendarDate("2026-11-21"))
      )
    )
    #expect(
      response.invalidProductIdentifiers.map(\.message) == [
        "the product has no price in USA on 2026-11-21: its price is in GEMS, but the storefront charges USD; add the storefront to those of GEMS in custom-currencies.json"
      ]
    )
  }

  @Test func namesUnknownCurrencyOfCatalog() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("shop.catalog")
    let folder = scratch.path
    _ = try scratch.write("custom-currencies.json", Array(Self.currencies.utf8))
    let localeData = try LocaleData(folder: folder)
    try Catalog(path: path, access: .readAndImport, localeData: localeData).importFiles(
      [Self.products],
      options: ImportOptions(localeData: localeData)
    )
    let catalog = try Catalog(path: path)
    let request = ProductsRequest(
      ["hat"],
      storefront: try Storefront("USA"),
      language: try UILanguage("en-US"),
      at: try .date(CalendarDate("2026-11-21"))
    )
    let message =
      "\(path): the catalog has prices in \"GEMS\", a currency that is not in the locale data; use the locale data that the catalog was imported with"
    let listing = try #require(throws: CatalogError.self) { try catalog.products(for: request) }
    #expect(listing.code == .unknownCurrency && listing.description == message, "\(listing)")
    let export = try #require(throws: CatalogError.self) { try catalog.export(as: .json, to: { _ in }) }
    #expect(export.code == .unknownCurrency && export.description == message, "\(export)")
    let records = try #require(throws: CatalogError.self) {
      try catalog.listings(for: ListingRequest(storefronts: [Storefront("USA")])).next(10)
    }
    #expect(records.code == .unknownCurrency && records.description == message, "\(records)")
    let addition = try #require(throws: CatalogError.self) {
      try Catalog(path: path, access: .readAndImport).importFiles([
        lines(#"{"productIdentifier":"car","prices":{"JPN":"500"}}"#)
      ])
    }
    #expect(addition.code == .unknownCurrency && addition.description.hasSuffix(message), "\(addition)")
    // The rows are intact, so this is not damage.
    var damage: [String] = []
    let verification = try #require(throws: CatalogError.self) {
      try catalog.verify { damage.append($0.description) }
    }
    #expect(verification.code == .unknownCurrency && verification.description == message, "\(verification)")
    #expect(damage == [])
  }

  @Test func checksEndings() throws {
    let shop = try Shop(Self.products)
    let check = PriceEndingCheck(
      try PriceEndingRules(
        lines(#"{"schema": 1, "rules": {"GEMS": ["x0"], "USD": [".99"]}}"#, name: "rules.json"),
        in: shop.localeData
      ),
      storefronts: shop.localeData.storefronts,
      at: try .date(CalendarDate("2026-10-01"))
    )
    var found: [PriceEndingFinding] = []
    try shop.catalog.forEachItem { (item) throws(CatalogError) in try check.check(item) { found.append($0) } }
    #expect(found.map(\.display) == ["💎25"])
    #expect(found.map { $0.above?.display } == ["💎30"])
  }
}
