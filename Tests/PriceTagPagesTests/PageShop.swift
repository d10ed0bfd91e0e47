import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagPages
import PriceTagStrings
import Testing

/// A small catalog for pages.
struct PageShop {
  static let date = "2026-11-21"

  /// The folder of the sample shops.
  static let examples = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../Examples"
  ).standardized

  /// A catalog with named categories and groups, products of every kind, offers, a reduced price, and a name with HTML.
  ///
  /// The first product has a picture of the site, the next two have none, and the others have one of another site.
  static let json = #"""
    {"format":"pricetag-catalog","version":1,
     "categories":[{"identifier":"cars","names":{"en-US":"Cars","de":"Autos","ar":"السيارات"}}],
     "subscriptionGroups":[{"identifier":"club","names":{"en-US":"Club","de":"Klub"}}],
     "products":[
      {"productIdentifier":"car","kind":"non-consumable","category":"cars","sortOrder":1,"image":"images/car.svg",
       "localizations":{"en-US":{"name":"Car","description":"Fast."},"de":{"name":"Auto","description":"Schnell."}},
       "prices":{"USA":"1234.50","DEU":"1234.50","JPN":"1200","SAU":"49.99","EGY":"199.99"}},
      {"productIdentifier":"coins","kind":"consumable","sortOrder":2,
       "localizations":{"en-US":{"name":"<script>alert(1)</script> \"\u0301 & 'coins'","description":"</p><b>"}},
       "prices":{"USA":"0.99","JPN":"160"}},
      {"productIdentifier":"kit","kind":"non-consumable","category":"cars","sortOrder":3,
       "localizations":{"en-US":{"name":"Kit"}},
       "prices":{"USA":[{"amount":"9.99","until":"2026-11-09"},{"amount":"4.99","from":"2026-11-10"}]}},
      {"productIdentifier":"free","kind":"non-consumable","sortOrder":4,"image":"https://cdn.example/a.png",
       "localizations":{"en-US":{"name":"Free lap"}},"prices":{"USA":"0","JPN":"0"}},
      {"productIdentifier":"monthly","kind":"auto-renewable-subscription","subscriptionGroup":"club","subscriptionPeriod":"P1M","sortOrder":5,"image":"https://cdn.example/a.png",
       "localizations":{"en-US":{"name":"Monthly"},"de":{"name":"Monatlich"}},"prices":{"USA":"9.99","DEU":"9.99","JPN":"1000"},
       "offers":[{"kind":"introductory","paymentMode":"free-trial","period":"P7D"},
                 {"kind":"promotional","identifier":"back","paymentMode":"pay-up-front","period":"P3M","prices":{"USA":"5.99"}},
                 {"kind":"code","identifier":"secret","paymentMode":"free-trial","period":"P1M"}]},
      {"productIdentifier":"yearly","kind":"auto-renewable-subscription","subscriptionGroup":"club","subscriptionPeriod":"P1Y","sortOrder":6,"image":"https://cdn.example/a.png",
       "localizations":{"en-US":{"name":"Yearly"}},"prices":{"USA":"99.99","DEU":"99.99","JPN":"10000"}},
      {"productIdentifier":"pass","kind":"non-renewing-subscription","subscriptionPeriod":"P3M","sortOrder":7,"image":"https://cdn.example/a.png",
       "localizations":{"en-US":{"name":"Season pass"}},"prices":{"USA":"14.99"}}
     ]}
    """#

  let catalog: Catalog

  /// The catalog of `json`, which no test changes.
  private static let shared: Result<Catalog, any Error> = Result { try newCatalog(of: json) }

  private static func newCatalog(of json: String) throws -> Catalog {
    let catalog = try Catalog()
    try catalog.importFiles([CatalogFile(name: "shop.json", bytes: Array(json.utf8))]) {
      (error) throws(CatalogError) in throw error
    }
    return catalog
  }

  /// Creates the shop of `json`. All of them have one catalog.
  init() throws { catalog = try Self.shared.get() }

  /// Creates a shop with a catalog of its own.
  init(_ json: String) throws { catalog = try Self.newCatalog(of: json) }

  /// Creates a shop with a catalog of products, each a JSON object.
  init(products: [String]) throws {
    try self.init(
      #"{"format":"pricetag-catalog","version":1,"products":[\#(products.joined(separator: ","))]}"#
    )
  }

  /// Returns a store in a language.
  func store(
    _ storefront: String,
    _ language: String,
    languages: [String] = [],
    canMakePayments: Bool = true,
    unitPriceRounding: RoundingMode? = nil
  ) throws -> Store {
    let response = try catalog.products(
      for: ProductsRequest(
        nil,
        storefront: Storefront(storefront),
        language: UILanguage(language),
        at: .date(CalendarDate(Self.date)),
        canMakePayments: canMakePayments,
        unitPriceRounding: unitPriceRounding
      )
    )
    return Store(response, languages: try languages.map { try UILanguage($0) })
  }

  func request(_ storefronts: [String], languages: [String]? = nil) throws -> ListingRequest {
    try ListingRequest(
      storefronts: storefronts.map { try Storefront($0) },
      languages: languages.map { .list(try $0.map { try UILanguage($0) }) } ?? .store,
      at: .date(CalendarDate(Self.date))
    )
  }

  /// Writes the site of a shop with the products of this one.
  ///
  /// - Parameter path: The folder of the site.
  @discardableResult
  func writeSite(
    to path: String,
    _ storefronts: [String] = ["USA"],
    languages: [String] = ["en-US"],
    shop: Shop,
    assets: SiteAssets = .none,
    kernel: PageKernel? = nil
  ) throws -> SiteSummary {
    let request = try request(storefronts, languages: languages)
    return try Site(catalog, request, shop: shop, assets: assets, kernel: kernel, jobs: 2).write(to: path)
  }

  /// Returns storefronts with their own languages.
  static func storefronts(_ ids: [String]) throws -> [(storefront: Storefront, languages: [UILanguage])] {
    try ids.map { id in
      let storefront = try Storefront(id)
      return (storefront, try storefront.languages.map { try UILanguage($0) })
    }
  }
}

/// Expects that work throws an error with a code and a text.
func expectError<Value>(
  _ code: PagesErrorCode,
  _ text: String = "",
  _ location: SourceLocation = #_sourceLocation,
  from work: () throws -> Value
) throws {
  let error = try #require(throws: PagesError.self, sourceLocation: location) { _ = try work() }
  let hasText = text.isEmpty || error.description.contains(text)
  #expect(error.code == code && hasText, "\(error)", sourceLocation: location)
}

/// A temporary folder, which is removed when the object is released.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func write(_ text: String, to name: String) throws {
    let url = URL(filePath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOf: URL(filePath: "\(path)/\(name)"), encoding: .utf8)
  }

  /// The paths of all files, sorted.
  func files(in folder: String = "") -> [String] {
    let found = FileManager.default.enumerator(atPath: "\(path)/\(folder)")
    return (found?.allObjects as? [String] ?? []).filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(path)/\(folder)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  /// Returns the inode number of a file.
  func number(of name: String) throws -> UInt64? {
    try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.systemFileNumber] as? UInt64
  }
}
