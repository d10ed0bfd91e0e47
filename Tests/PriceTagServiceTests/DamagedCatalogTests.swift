import Foundation
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagText
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests catalogs whose bytes were changed after the import.
@Suite struct DamagedCatalogTests {
  private static let json = #"""
    {"format":"pricetag-catalog","version":1,"products":[
      {"productIdentifier":"car","kind":"non-consumable","localizations":{"en-US":{"name":"Racing car"}},"prices":{"USA":"1234.56","JPN":"700"}},
      {"productIdentifier":"coins","localizations":{"en-US":{"name":"Coins"}},"prices":{"USA":"0.99","JPN":"160"}}
    ]}
    """#

  /// Creates a fixture with a database in which the first byte of each occurrence of a text is changed.
  private static func fixture(damaging text: String?) throws -> ServiceFixture {
    let fixture = try ServiceFixture(json)
    let database = fixture.folder.appending(path: "shop.pricetag")
    let catalog = try Catalog(path: database.path, access: .readAndImport)
    try catalog.importFiles([CatalogFile(path: fixture.path)])
    try catalog.close()
    var bytes = try Data(contentsOf: database)
    var start = bytes.startIndex
    while let text, let found = bytes.range(of: Data(text.utf8), in: start..<bytes.endIndex) {
      bytes[found.lowerBound] ^= 2
      start = found.upperBound
    }
    #expect(text == nil || start > bytes.startIndex)
    try bytes.write(to: URL(filePath: fixture.path))
    return fixture
  }

  static let requests: [(damaged: String, storefront: String, status: Int)] = [
    ("1234.56", "USA", 500), ("Racing car", "USA", 500), ("Racing car", "JPN", 500),
    // Prices of other storefronts are not read.
    ("1234.56", "JPN", 200),
  ]

  @Test(arguments: requests)
  func damageFailsTheRequest(damaged: String, storefront: String, status: Int) async throws {
    let body = #"{"storefront":"\#(storefront)","language":"en-US"}"#
    let expected = try await Self.fixture(damaging: nil).send(
      .post,
      "/v1/products",
      [.contentType: "application/json"],
      body
    )
    #expect(expected.status == .ok)
    let fixture = try Self.fixture(damaging: damaged)
    let answer = try await fixture.send(.post, "/v1/products", [.contentType: "application/json"], body)
    #expect(answer.status.code == status, "\(String(buffer: answer.body))")
    if status == 200 { #expect(answer.body == expected.body) }
  }

  static let pages: [(damaged: String, path: String, status: Int)] = [
    ("non-consumable", "/store/usa/en-us/", 500), ("non-consumable", "/store/usa/en-us/products/car/", 500),
    ("non-consumable", "/store/usa/en-us/products/coins/", 500), ("non-consumable", "/store/jpn/ja/", 500),
    ("non-consumable", "/", 302), ("non-consumable", "/choose/en-us/", 200),
    ("1234.56", "/store/usa/en-us/", 500), ("1234.56", "/store/jpn/ja/", 200),
  ]

  /// A damaged product does not prevent loading. The pages of every store need it; they need only their own store's prices.
  @Test(arguments: pages)
  func damageFailsStorePages(damaged: String, path: String, status: Int) async throws {
    let answer = try await Self.fixture(damaging: damaged).send(.get, path)
    #expect(answer.status.code == status)
  }

  @Test func damagedProductDoesNotFailOtherProducts() async throws {
    let fixture = try Self.fixture(damaging: "non-consumable")
    for (identifier, status) in [("car", 500), ("coins", 200)] {
      let body = #"{"storefront":"USA","language":"en-US","productIdentifiers":["\#(identifier)"]}"#
      let answer = try await fixture.send(.post, "/v1/products", [.contentType: "application/json"], body)
      #expect(answer.status.code == status, "\(String(buffer: answer.body))")
    }
  }

  /// The product identifiers are read when the catalog is loaded.
  @Test(arguments: ["coins", "CREATE TABLE price", "sqlite_autoindex"])
  func damageOfProductListFailsLoading(damaged: String) throws {
    let fixture = try Self.fixture(damaging: damaged)
    let failure = #expect(throws: ServiceError.self) { try fixture.service() }
    #expect(failure?.code == .catalogFailed)
  }
}
