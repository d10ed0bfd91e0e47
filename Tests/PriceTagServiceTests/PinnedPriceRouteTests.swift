import Foundation
import HTTPTypes
import Hummingbird
import PriceTag
import ServiceFixtures
import Testing

@testable import PriceTagService

/// A service whose prices come from a pack.
@Suite struct PinnedPriceRouteTests {
  /// Returns a service with a pack of the storefronts USA and JPN, in which USD has another symbol than in ICU.
  // Swift 6.3.1 crashes if it inlines this into asynchronous functions.
  @inline(never)
  private static func service() throws -> PriceService {
    let fixture = try ServiceFixture()
    let override = #"{"schema":1,"overrides":[{"currency":"USD","symbol":"U$","reason":"r"}]}"#
    let folder = fixture.folder.appending(path: "data")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(override.utf8).write(to: folder.appending(path: "currency-overrides.json"))
    let data = try LocaleData(folder: folder.path)
    var writer = PackWriter(styles: [PriceStyle()], on: try CalendarDate(ServiceFixture.date))
    for id in ["USA", "JPN"] { writer.add(try Storefront(id, in: data), in: data) }
    var source = try fixture.source()
    source.localeData = source.localeData.pinned(to: try Pack(writer.bytes(revision: "test")))
    return try fixture.service(source)
  }

  /// Requests to a service with a pack, and a part of the answer.
  private static let requests:
    [(method: HTTPRequest.Method, address: String, body: String?, expected: String)] =
      [
        (
          .post, "/v1/format",
          #"{"prices":[{"storefront":"USA","amount":"5"},{"storefront":"JPN","amount":"1200"}],"fields":["spoken"]}"#,
          #""display":"U$5.00","spoken":"5.00 US dollars"},{"storefront":"JPN","amount":"1200","display":"￥1,200""#
        ),
        (
          .post, "/v1/format", #"{"prices":[{"storefront":"DEU","amount":"5"}]}"#,
          #"{"error":{"code":"missing-from-pack","message":"the pack does not have the storefront DEU; "#
        ),
        (
          .post, "/v1/format", #"{"prices":[{"storefront":"USA","amount":"5"}],"style":{"width":"iso"}}"#,
          #"the pack does not have the style (iso); write it again with pricetag pack, and pass --widths standard,iso"#
        ),
        (
          .post, "/v1/products", #"{"storefront":"USA","productIdentifiers":["car"]}"#, #""display":"U$4.99""#
        ),
        (
          .post, "/v1/products", #"{"storefront":"DEU","productIdentifiers":["car"]}"#,
          "the pack does not have the storefront DEU"
        ),
        (.get, "/store/usa/en-us/products/car/", nil, "U$4.99"),
        (.get, "/store/jpn/en-us/products/car/", nil, "￥700"),
        (.get, "/v1/storefronts/USA", nil, #""example":"U$1,234.50""#),
        (.get, "/metrics", nil, "pricetag_pack_info{cldr=\"\(Versions.current.cldr)\""),
      ]

  @Test(arguments: requests)
  func formatsFromThePack(
    method: HTTPRequest.Method,
    address: String,
    body: String?,
    expected: String
  ) async throws {
    let headers: HTTPFields = body == nil ? [:] : [.contentType: "application/json"]
    let answer = try await Self.service().send(method, address, headers, body)
    #expect(answer.text.contains(expected), "\(address)\n\(answer.text)")
    #expect(!answer.text.contains("\"$"), "\(address)\n\(answer.text)")
  }

  /// The list has the storefronts whose prices the pack has.
  @Test func listsStorefrontsOfThePack() async throws {
    let service = try Self.service()
    let list = try await service.send(.get, "/v1/storefronts")
    #expect(list.status == .ok)
    #expect(list.text.matches(of: #/"id":"([A-Z]+)"/#).map { String($0.1) } == ["JPN", "USA"])
    let missing = try await service.send(.get, "/v1/storefronts/DEU")
    #expect(missing.text.contains("the pack does not have the storefront DEU"), "\(missing.text)")
  }

  /// A service without a pack has no versions of one.
  @Test func describesNoPack() async throws {
    let metrics = try await ServiceFixture().send(.get, "/metrics").text
    #expect(metrics.contains("pricetag_build_info{") && !metrics.contains("pricetag_pack_info"))
  }
}
