import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import ServedShop
import Synchronization
import Testing

@testable import PriceTagService

/// A catalogue that changes while it is served.
@Suite struct ReloadTests {
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// A shop of which every price is the same number.
  private static func shop(_ number: Int) -> String {
    let products = (0..<20).map {
      #"{"productIdentifier":"p\#($0)","localizations":{"en-US":{"name":"P"}},"prices":{"USA":"\#(number).00"}}"#
    }
    return #"{"format":"pricetag-catalog","version":1,"products":[\#(products.joined(separator: ","))]}"#
  }

  typealias Replacement = (name: String, json: String, error: String)

  /// What cannot take a catalogue's place.
  static let bad: [Replacement] = [
    ("no JSON", "{", "shop.json"),
    ("cut", String(shop(2).dropLast(40)), "shop.json"),
    ("nothing", "", "shop.json"),
    (
      "no products", #"{"format":"pricetag-catalog","version":1,"products":[]}"#,
      "the catalogue has no products"
    ),
    ("a broken database", "SQLite format 3\u{0}" + String(repeating: "x", count: 5000), "catalogue"),
  ]

  @Test(arguments: bad) func aBadFileLeavesTheOldOneServing(_ bad: Replacement) throws {
    let fixture = try ServedShopFixture(Self.shop(1))
    let current = try CurrentShop(fixture.source(), Self.logger)
    let first = current.shop
    try fixture.write(bad.json)
    current.reload()
    #expect(current.shop === first)
    let failure = try #require(current.failure)
    #expect(failure.error.code == .catalogFailed)
    #expect(failure.error.description.contains(bad.error), "\(failure.error)")
    #expect(try first.catalog.productIdentifiers().count == 20)
    // A good one takes its place, and nothing is left to report.
    try fixture.write(Self.shop(2))
    current.reload()
    #expect(current.shop !== first && current.failure == nil)
  }

  @Test func aFileThatIsGoneLeavesTheOldOneServing() throws {
    let fixture = try ServedShopFixture(Self.shop(1))
    let current = try CurrentShop(fixture.source(), Self.logger)
    try FileManager.default.removeItem(atPath: fixture.path)
    current.reload()
    #expect(current.failure != nil && current.shop.productCount == 20)
  }

  /// A database is served from a copy: neither an import into it nor its ruin is seen before it is read again.
  @Test func aDatabaseIsReadOnce() throws {
    let fixture = try ServedShopFixture(Self.shop(1))
    let database = fixture.folder.appending(path: "shop.pricetag").path
    let catalog = try Catalog(path: database, access: .readAndImport)
    try catalog.importFiles([CatalogFile(path: fixture.path)])
    var source = try fixture.source()
    source.path = database
    let current = try CurrentShop(source, Self.logger)
    try catalog.importFiles([CatalogFile(name: "more.json", bytes: Array(ServedShopFixture.json.utf8))])
    #expect(try current.shop.catalog.productIdentifiers().count == 20)
    #expect(current.change().hasChanged)
    current.reload()
    #expect(current.shop.productCount == 22 && current.failure == nil)
    try catalog.close()
    try Data(repeating: 0, count: 100_000).write(to: URL(filePath: database))
    #expect(try current.shop.catalog.productIdentifiers().count == 22)
    current.reload()
    #expect(current.failure != nil && current.shop.productCount == 22)
  }

  /// The copies go with who reads them.
  @Test func nothingIsLeftBehind() throws {
    let fixture = try ServedShopFixture(Self.shop(1))
    let folder: String
    do {
      let private_ = try PrivateFolder()
      folder = private_.path
      try Data("x".utf8).write(to: URL(filePath: "\(folder)/catalog.pricetag"))
      #expect(FileManager.default.fileExists(atPath: folder))
      _ = try CurrentShop(fixture.source(), Self.logger)
    }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  /// While one catalogue after the other takes its place, every answer is whole and of one of them.
  @Test func noAnswerIsMixed() async throws {
    let fixture = try ServedShopFixture(Self.shop(1))
    let source = try fixture.source()
    let current = try CurrentShop(source, Self.logger)
    let metrics = ServiceMetrics(PrometheusMetrics(processMetrics: false))
    let responder = ServiceResponder(source, ServiceConfiguration(), current, metrics) { "" }
    let application = Application(responder: responder)
    let isDone = Flag()
    try await application.test(.router) { client in
      try await withThrowingTaskGroup(of: Set<String>.self) { group in
        for _ in 0..<4 {
          group.addTask { @Sendable in
            var seen: Set<String> = []
            repeat {
              let page = try await client.execute(uri: "/store/usa/en-us/", method: .get)
              let products = try await client.execute(
                uri: "/v1/products",
                method: .post,
                headers: [.contentType: "application/json"],
                body: .init(string: #"{"storefront":"USA"}"#)
              )
              #expect(page.status == .ok && products.status == .ok)
              for text in [page.text, products.text] {
                let prices = Set(text.matches(of: /\$([0-9]+)\.00/).map { String($0.1) })
                #expect(prices.count == 1, "one catalogue has one price")
                seen.formUnion(prices)
              }
            } while !isDone.isUp
            return seen
          }
        }
        for number in 2...8 {
          try fixture.write(number == 5 ? "{" : Self.shop(number))
          current.reload()
          #expect((current.failure != nil) == (number == 5))
        }
        isDone.raise()
        var seen: Set<String> = []
        for try await more in group { seen.formUnion(more) }
        #expect(seen.isSubset(of: ["1", "2", "3", "4", "6", "7", "8"]) && !seen.isEmpty)
      }
    }
  }

  /// A file that is older than the one before is another catalogue all the same: nobody is told that nothing changed.
  @Test func anOlderFileIsNoOldAnswer() throws {
    let fixture = try ServedShopFixture(Self.shop(1))
    let current = try CurrentShop(fixture.source(), Self.logger)
    let first = current.shop
    try fixture.write(Self.shop(2))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
      ofItemAtPath: fixture.path
    )
    current.reload()
    #expect(current.shop !== first && current.shop.modified == 1_000_000)
    #expect(current.shop.lastModified > first.lastModified)
    #expect(
      !Precondition([.ifModifiedSince: HTTPDate(seconds: first.lastModified).description]).isMet(
        by: "x",
        lastModified: current.shop.lastModified
      )
    )
  }

  /// However often somebody asks, what waits to be read is read once.
  @Test func manyWishesAreOneReading() async throws {
    let fixture = try ServedShopFixture(Self.shop(1))
    let current = try CurrentShop(fixture.source(), Self.logger)
    let count = Mutex(0)
    for _ in 0..<1000 { current.reloadSoon { _ in count.withLock { $0 += 1 } } }
    // Behind all that wait.
    current.reload()
    #expect((1...100).contains(count.withLock { $0 }))
  }

  /// What a process that was killed has left is removed by the next, and what another one uses is not.
  @Test func leftoversAreRemoved() throws {
    let used = try PrivateFolder()
    let base = URL(filePath: used.path).deletingLastPathComponent()
    let left = base.appending(path: "pricetag-serve-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
    for name in ["lock", "catalog.pricetag"] { try Data("x".utf8).write(to: left.appending(path: name)) }
    let next = try PrivateFolder()
    #expect(!FileManager.default.fileExists(atPath: left.path))
    #expect(FileManager.default.fileExists(atPath: used.path))
    #expect(used.path != next.path)
  }

  @Test func readinessTellsWhatWentWrong() async throws {
    let fixture = try ServedShopFixture(Self.shop(1))
    let source = try fixture.source()
    let current = try CurrentShop(source, Self.logger)
    let metrics = ServiceMetrics(PrometheusMetrics(processMetrics: false))
    let responder = ServiceResponder(source, ServiceConfiguration(), current, metrics) { "" }
    try await Application(responder: responder).test(.router) { client in
      try fixture.write("{")
      current.reload()
      let bad = try await client.execute(uri: "/ready", method: .get)
      #expect(
        bad.status == .ok && bad.text.contains(#""reload":{"failedAt":""#) && bad.text.contains("shop.json")
      )
      current.stop()
      let stopping = try await client.execute(uri: "/ready", method: .get)
      #expect(stopping.status == .serviceUnavailable && stopping.text.contains(#""status":"stopping""#))
    }
  }
}

/// Something that happens once.
private final class Flag: Sendable {
  private let up = Atomic(false)
  var isUp: Bool { up.load(ordering: .relaxed) }
  func raise() { up.store(true, ordering: .relaxed) }
}
