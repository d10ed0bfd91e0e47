import Foundation
import HTTPTypes
import Hummingbird
import PriceTag
import PriceTagPages
import ServiceFixtures
import Testing

@testable import PriceTagService

/// The files of the kernel for browsers, and the product pages that use it.
@Suite struct KernelRouteTests {
  // Swift 6.3.1 crashes if it inlines this into asynchronous functions.
  @inline(never)
  static func service(_ fixture: ServiceFixture, hasKernel: Bool = true) throws -> PriceService {
    let folder = fixture.folder.appending(path: "kernel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["pricetag.js", "phrases.js"] {
      try Data("export {};".utf8).write(to: folder.appending(path: name))
    }
    let module = [0, 0x61, 0x73, 0x6D, 1, 0, 0, 0] + [UInt8](repeating: 0, count: 4000)
    try Data(module).write(to: folder.appending(path: "pricetag-full.wasm"))
    var source = try fixture.source()
    if hasKernel { source.kernel = try PageKernel(folder: folder.path) }
    return try fixture.service(source)
  }

  static func script(_ page: String) throws -> String {
    let address = try #require(page.firstMatch(of: /<script type="module" src="[.\/]*([^"]*)"/)?.1)
    return "/" + address
  }

  @Test func servesFilesOfPages() async throws {
    let service = try Self.service(ServiceFixture())
    let page = try await service.send(.get, "/store/usa/en-us/products/coins/").text
    #expect(page.contains("<div class=\"quantity\""))
    let script = try Self.script(page)
    let types = [
      "quantity.js": "text/javascript; charset=utf-8", "pricetag.js": "text/javascript; charset=utf-8",
      "pricetag-full.wasm": "application/wasm",
    ]
    for (name, type) in types {
      let path = script.replacing("quantity.js", with: name)
      let file = try await service.send(.get, path)
      #expect(file.status == .ok && file.headers[.contentType] == type, "\(name)")
      #expect(file.headers[.cacheControl] == "public, no-cache" && file.headers[.eTag] != nil, "\(name)")
      let tag = try #require(file.headers[.eTag])
      #expect(try await service.send(.get, path, [.ifNoneMatch: tag]).status == .notModified)
    }
    let module = script.replacing("quantity.js", with: "pricetag-full.wasm")
    #expect(
      try await service.send(.get, module, [.acceptEncoding: "gzip"]).headers[.contentEncoding] == "gzip"
    )
    let pack = try #require(page.firstMatch(of: /data-pack="[.\/]*([^"]*)"/)?.1)
    let answer = try await service.send(.get, "/\(pack)")
    #expect(answer.status == .ok && answer.headers[.contentType] == "application/vnd.pricetag.pack")
    let bytes = Array(answer.body.readableBytesView)
    let formatter = try PriceFormatter(storefront: Storefront("USA", in: .embedded.pinned(to: Pack(bytes))))
    #expect(try formatter.string(for: "2.97") == "$2.97")
  }

  /// A pack is written on request, also before a page refers to it.
  @Test(arguments: [
    ("/assets/packs/jpn-ja.pack", 200), ("/assets/packs/usa-en-us.pack?0123", 200),
    ("/assets/packs/JPN-ja.pack", 404), ("/assets/packs/jpn.pack", 404),
    ("/assets/packs/xxx.pack", 404), ("/assets/packs/", 404), ("/assets/kernel/pricetag.js", 404),
  ])
  func servesPacksOnRequest(address: String, status: Int) async throws {
    let service = try Self.service(ServiceFixture())
    #expect(try await service.send(.get, address).status.code == status)
  }

  @Test func serviceWithoutKernelHasNoFiles() async throws {
    let service = try Self.service(ServiceFixture(), hasKernel: false)
    let page = try await service.send(.get, "/store/usa/en-us/products/coins/").text
    #expect(!page.contains("quantity") && page.contains("$0.99"))
    #expect(try await service.send(.get, "/assets/packs/usa-en-us.pack").status == .notFound)
  }
}
