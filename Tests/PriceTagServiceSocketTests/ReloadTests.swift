import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import ServiceFixtures
import Synchronization
import Testing

@testable import PriceTagService

/// Tests catalogs that change while they are served.
@Suite struct ReloadTests {
  /// Returns a catalog in which every price is the same number.
  private static func catalog(_ number: Int) -> String {
    let products = (0..<20).map {
      #"{"productIdentifier":"p\#($0)","localizations":{"en-US":{"name":"P"}},"prices":{"USA":"\#(number).00"}}"#
    }
    return #"{"format":"pricetag-catalog","version":1,"products":[\#(products.joined(separator: ","))]}"#
  }

  typealias Replacement = (name: String, json: String, error: String)

  /// Files that cannot replace a catalog, and a part of the error.
  static let invalidFiles: [Replacement] = [
    ("invalid JSON", "{", "shop.json"),
    ("truncated", String(catalog(2).dropLast(40)), "shop.json"),
    ("empty", "", "shop.json"),
    (
      "no products", #"{"format":"pricetag-catalog","version":1,"products":[]}"#,
      "the catalog has no products"
    ),
    ("an invalid database", "SQLite format 3\u{0}" + String(repeating: "x", count: 5000), "catalog"),
  ]

  @Test(arguments: invalidFiles) func invalidFileKeepsPreviousSnapshot(_ invalid: Replacement) throws {
    let fixture = try ServiceFixture(Self.catalog(1))
    let current = try CurrentSnapshot(fixture.source(), .silent)
    let first = current.snapshot
    try fixture.write(invalid.json)
    current.reload()
    #expect(current.snapshot === first)
    let failure = try #require(current.failure)
    #expect(failure.error.code == .catalogFailed)
    #expect(failure.error.description.contains(invalid.error), "\(failure.error)")
    #expect(try first.catalog.productIdentifiers().count == 20)
    // A valid file replaces it and clears the failure.
    try fixture.write(Self.catalog(2))
    current.reload()
    #expect(current.snapshot !== first && current.failure == nil)
  }

  @Test func missingFileKeepsPreviousSnapshot() throws {
    let fixture = try ServiceFixture(Self.catalog(1))
    let current = try CurrentSnapshot(fixture.source(), .silent)
    try FileManager.default.removeItem(atPath: fixture.path)
    current.reload()
    #expect(current.failure != nil && current.snapshot.productCount == 20)
  }

  /// A database is served from a copy. Neither an import nor damage to the file has an effect before a reload.
  @Test func servesCopyOfDatabase() throws {
    let fixture = try ServiceFixture(Self.catalog(1))
    let database = fixture.folder.appending(path: "shop.pricetag").path
    let catalog = try Catalog(path: database, access: .readAndImport)
    try catalog.importFiles([CatalogFile(path: fixture.path)])
    var source = try fixture.source()
    source.path = database
    let current = try CurrentSnapshot(source, .silent)
    try catalog.importFiles([CatalogFile(name: "more.json", bytes: Array(ServiceFixture.json.utf8))])
    #expect(try current.snapshot.catalog.productIdentifiers().count == 20)
    #expect(current.fileChange().hasChanged)
    current.reload()
    #expect(current.snapshot.productCount == 22 && current.failure == nil)
    try catalog.close()
    try Data(repeating: 0, count: 100_000).write(to: URL(filePath: database))
    #expect(try current.snapshot.catalog.productIdentifiers().count == 22)
    current.reload()
    #expect(current.failure != nil && current.snapshot.productCount == 22)
  }

  /// Private folders are removed when they are released.
  @Test func removesPrivateFolders() throws {
    let fixture = try ServiceFixture(Self.catalog(1))
    let folder: String
    do {
      let privateFolder = try PrivateFolder()
      folder = privateFolder.path
      try Data("x".utf8).write(to: URL(filePath: "\(folder)/catalog.pricetag"))
      #expect(FileManager.default.fileExists(atPath: folder))
      _ = try CurrentSnapshot(fixture.source(), .silent)
    }
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  /// While the catalog is reloaded repeatedly, every response comes from a single snapshot.
  @Test func responsesComeFromSingleSnapshot() async throws {
    let fixture = try ServiceFixture(Self.catalog(1))
    let service = try fixture.service()
    let current = service.watcher.current
    let isDone = SharedFlag()
    try await withThrowingTaskGroup(of: Set<String>.self) { group in
      for _ in 0..<4 {
        group.addTask { @Sendable in
          var seen: Set<String> = []
          repeat {
            let page = try await service.send(.get, "/store/usa/en-us/")
            let products = try await service.post("/v1/products", #"{"storefront":"USA"}"#)
            #expect(page.status == .ok && products.status == .ok)
            for text in [page.text, products.text] {
              let prices = Set(text.matches(of: /\$([0-9]+)\.00/).map { String($0.1) })
              #expect(prices.count == 1, "each catalog has a single price")
              seen.formUnion(prices)
            }
          } while !isDone.isSet
          return seen
        }
      }
      for number in 2...8 {
        try fixture.write(number == 5 ? "{" : Self.catalog(number))
        current.reload()
        #expect((current.failure != nil) == (number == 5))
      }
      isDone.set()
      var seen: Set<String> = []
      for try await more in group { seen.formUnion(more) }
      #expect(seen.isSubset(of: ["1", "2", "3", "4", "6", "7", "8"]) && !seen.isEmpty)
    }
  }

  /// If a file with an earlier modification time replaces the catalog, clients still get the new response.
  @Test func lastModifiedIncreasesWithOlderFile() throws {
    let fixture = try ServiceFixture(Self.catalog(1))
    let current = try CurrentSnapshot(fixture.source(), .silent)
    let first = current.snapshot
    try fixture.write(Self.catalog(2))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
      ofItemAtPath: fixture.path
    )
    current.reload()
    #expect(current.snapshot !== first && current.snapshot.modified == 1_000_000)
    #expect(current.snapshot.lastModified > first.lastModified)
    #expect(
      !Precondition.clientHas(
        [.ifModifiedSince: HTTPDate(seconds: first.lastModified).description],
        validator: "x",
        lastModified: current.snapshot.lastModified
      )
    )
  }

  /// Requests to reload are combined while one is pending.
  @Test func combinesPendingReloads() throws {
    let fixture = try ServiceFixture(Self.catalog(1))
    let current = try CurrentSnapshot(fixture.source(), .silent)
    let count = Mutex(0)
    let (isLoaded, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    current.scheduleReload { _ in
      isLoaded.signal()
      mayEnd.wait()
    }
    isLoaded.wait()
    // The first of these is pending until the reload before it ends.
    for _ in 0..<1000 { current.scheduleReload { _ in count.withLock { $0 += 1 } } }
    mayEnd.signal()
    // Runs after all pending reloads.
    current.reload()
    #expect(count.withLock { $0 } == 1)
  }

  /// Folders that killed processes left behind are removed, but not folders in use.
  @Test func removesLeftoverFolders() throws {
    let used = try PrivateFolder()
    let base = URL(filePath: used.path).deletingLastPathComponent()
    let leftover = base.appending(path: "pricetag-serve-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: leftover, withIntermediateDirectories: true)
    for name in ["lock", "catalog.pricetag"] { try Data("x".utf8).write(to: leftover.appending(path: name)) }
    let next = try PrivateFolder()
    #expect(!FileManager.default.fileExists(atPath: leftover.path))
    #expect(FileManager.default.fileExists(atPath: used.path))
    #expect(used.path != next.path)
  }

  @Test func readyReportsFailureAndStop() async throws {
    let fixture = try ServiceFixture(Self.catalog(1))
    let service = try fixture.service()
    let current = service.watcher.current
    try fixture.write("{")
    current.reload()
    let failed = try await service.send(.get, "/ready")
    #expect(
      failed.status == .ok && failed.text.contains(#""reload":{"failedAt":""#)
        && failed.text.contains("shop.json")
    )
    current.stop()
    let stopping = try await service.send(.get, "/ready")
    #expect(stopping.status == .serviceUnavailable && stopping.text.contains(#""status":"stopping""#))
  }
}
