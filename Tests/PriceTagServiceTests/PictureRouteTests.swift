import HTTPTypes
import Hummingbird
import Logging
import PriceTagPages
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests of the generated pictures and icons that the service answers with.
@Suite struct PictureRouteTests {
  @inline(never)
  private static func service(_ fixture: ServiceFixture, url: String?) throws -> PriceService {
    var configuration = ServiceConfiguration()
    (configuration.port, configuration.checkSeconds) = (0, 0)
    var source = try fixture.source()
    source.shop = try Shop(name: "Shop", url: url)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    return try PriceService(source, configuration, logger: logger)
  }

  /// The addresses of files, and the start of their contents; `nil` for those that do not exist.
  static let rows: [(address: String, type: String, start: [UInt8]?)] = [
    ("/assets/icon-32.png", "image/png", [0x89, 0x50, 0x4E, 0x47]),
    ("/assets/icon-180.png", "image/png", [0x89, 0x50, 0x4E, 0x47]),
    ("/assets/icon-512.png", "image/png", [0x89, 0x50, 0x4E, 0x47]),
    ("/assets/picture.png", "image/png", [0x89, 0x50, 0x4E, 0x47]),
    ("/manifest.webmanifest", "application/manifest+json", Array(#"{"name":"Shop","#.utf8)),
    ("/choose/products/car/picture.png", "image/png", [0x89, 0x50, 0x4E, 0x47]),
    // Japan does not sell it.
    ("/choose/products/coins/picture.png", "image/png", [0x89, 0x50, 0x4E, 0x47]),
    ("/assets/icon-33.png", "", nil), ("/assets/icon-512.png/", "", nil),
    ("/choose/products/nope/picture.png", "", nil), ("/choose/products/car/picture.png/", "", nil),
    ("/choose/products/ca%72/picture.png", "", nil), ("/choose/products/%FF/picture.png", "", nil),
  ]

  @Test(arguments: rows)
  func answersFiles(_ row: (address: String, type: String, start: [UInt8]?)) async throws {
    let fixture = try ServiceFixture()
    defer { withExtendedLifetime(fixture) {} }
    let service = try Self.service(fixture, url: "https://shop.example")
    let answer = try await service.send(.get, row.address)
    guard let start = row.start else {
      #expect(answer.status == .notFound)
      return
    }
    #expect(answer.status == .ok && answer.headers[.contentType] == row.type)
    #expect(answer.body.readableBytesView.starts(with: start))
    let style = try await service.send(.get, "/assets/store.css")
    #expect(answer.headers[.cacheControl] == style.headers[.cacheControl])
    let tag = try #require(answer.headers[.eTag])
    // In a debug build, a large picture takes a second.
    guard answer.body.readableBytes < 4000 else { return }
    let again = try await service.send(.get, row.address, [.ifNoneMatch: tag])
    #expect(again.status == .notModified)
  }

  /// Without the address of the shop, no page names a picture.
  @Test func needsAddressForPictures() async throws {
    let fixture = try ServiceFixture()
    defer { withExtendedLifetime(fixture) {} }
    let service = try Self.service(fixture, url: nil)
    #expect(try await service.send(.get, "/choose/products/car/picture.png").status == .notFound)
    #expect(try await service.send(.get, "/assets/icon-192.png").status == .ok)
    #expect(try await service.send(.get, "/assets/picture.png").status == .notFound)
    let page = try await service.send(.get, "/store/usa/en-us/products/car/").text
    #expect(page.contains(#"<link rel="manifest" href="../../../../../manifest.webmanifest">"#))
    #expect(!page.contains("og:image"))
  }

  /// A product with an image that link previews accept has no generated one.
  @Test func preservesImagesOfProducts() async throws {
    let fixture = try ServiceFixture(
      ServiceFixture.json.replacing("images/car.svg", with: "https://x.example/a.png")
    )
    defer { withExtendedLifetime(fixture) {} }
    let service = try Self.service(fixture, url: "https://shop.example/")
    #expect(try await service.send(.get, "/choose/products/car/picture.png").status == .notFound)
    let page = try await service.send(.get, "/choose/products/car/").text
    #expect(page.contains(#"<meta property="og:image" content="https://x.example/a.png">"#))
  }
}
