import Foundation
import HTTPTypes
import Hummingbird
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagPages
import PriceTagStrings
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests of the routes of a store with many products.
@Suite struct ListRouteTests {
  private static func service(_ fixture: ServiceFixture, productsPerPage: Int? = 5) throws -> PriceService {
    try FileManager.default.removeItem(atPath: fixture.path)
    try FileManager.default.copyItem(atPath: OpenAPITests.sampleShop, toPath: fixture.path)
    var source = try fixture.source()
    if let productsPerPage { source.shop = try Shop(name: "Shop & Co", productsPerPage: productsPerPage) }
    return try fixture.service(source)
  }

  /// The pages equal those that PriceTagPages creates from all products. The service may request fewer.
  @Test(arguments: [("USA", 5), ("JPN", nil)] as [(String, Int?)])
  func pagesMatchPagesModule(_ id: String, productsPerPage: Int?) async throws {
    let fixture = try ServiceFixture()
    let service = try Self.service(fixture, productsPerPage: productsPerPage)
    let source = service.responder.source
    let catalog = try Catalog()
    try catalog.importFiles([CatalogFile(path: fixture.path)])
    let response = try catalog.products(
      for: ProductsRequest(
        nil,
        storefront: Storefront(id),
        language: UILanguage("de"),
        at: .date(CalendarDate(ServiceFixture.date))
      )
    )
    let store = Store(response, languages: source.strings.languages)
    let assets = source.assets
    let pages = StorePages(shop: source.shop, hasFile: { assets.has($0) })
    let folder = "/store/\(id.lowercased())/de/"
    var rows: [(path: String, page: String?)] = [("", try pages.storePage(store))]
    for identifier in ["com.example.level1", "com.example.garage_club_monthly"] {
      rows.append(("products/\(identifier)/", try pages.productPage(identifier, in: store)))
    }
    if productsPerPage != nil {
      rows += [
        ("all/", try pages.listPage(nil, in: store)), ("all/2/", try pages.listPage(nil, page: 2, in: store)),
        ("categories/levels/", try pages.listPage("levels", in: store)),
      ]
      let index = try await service.send(.get, "\(folder)search/1.json")
      #expect(try index.text == OutlinedStore(pages, store).searchIndex(part: 1))
      #expect(index.headers[.contentType] == "application/json")
    }
    for (path, page) in rows {
      let answer = try await service.send(.get, folder + path)
      #expect(answer.text == page, "\(path)")
      #expect(answer.headers[.contentSecurityPolicy] != nil && answer.headers[.eTag] != nil)
    }
    withExtendedLifetime(fixture) {}
  }

  typealias Row = (address: String, status: Int, location: String?)

  static let rows: [Row] = [
    ("/store/usa/de/all", 308, "../../../store/usa/de/all/"),
    ("/store/usa/de/all/1/", 308, "../../../../../store/usa/de/all/"),
    ("/store/USA/DE/all/2/", 308, "../../../../../store/usa/de/all/2/"),
    ("/store/usa/de/all/02/", 308, "../../../../../store/usa/de/all/2/"),
    ("/store/usa/de/all/99/", 404, nil), ("/store/usa/de/all/0/", 404, nil),
    ("/store/usa/de/all/x/", 404, nil),
    ("/store/usa/de/all/-1/", 404, nil), ("/store/usa/de/all/99999999999999999999/", 404, nil),
    ("/store/usa/de/categories/nothing/", 404, nil), ("/store/usa/de/categories/levels/9/", 404, nil),
    ("/store/usa/de/search/2.json", 404, nil), ("/store/usa/de/search/x.json", 404, nil),
    ("/store/usa/de/search/1.json/", 404, nil), ("/store/xxx/de/all/", 404, nil),
  ]

  @Test func redirectsAndRefuses() async throws {
    let fixture = try ServiceFixture()
    let service = try Self.service(fixture)
    for row in Self.rows {
      let answer = try await service.send(.get, row.address)
      #expect(Int(answer.status.code) == row.status, "\(row.address)")
      #expect(answer.headers[.location] == row.location, "\(row.address)")
    }
    withExtendedLifetime(fixture) {}
  }

  /// A store whose page has all products has no other lists.
  @Test func hasNoListsOfSmallStores() async throws {
    let fixture = try ServiceFixture()
    for path in ["all/", "categories/cars/", "search/1.json"] {
      #expect(try await fixture.send(.get, "/store/usa/en-us/\(path)").status == .notFound, "\(path)")
    }
  }
}
