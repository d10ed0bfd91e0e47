import Foundation
import Logging
import PriceTag
import ServiceFixtures
import Synchronization
import Testing

@testable import PriceTagService

/// Tests when a catalog file is read, and which catalogs replace the previous one.
@Suite struct SettlingTests {
  /// Returns catalog lines for products with these numbers.
  private static func lines(_ range: Range<Int>) -> String {
    range.map {
      #"{"productIdentifier":"p\#($0)","localizations":{"en-US":{"name":"P"}},"prices":{"USA":"1.00"}}"#
        + "\n"
    }.joined()
  }

  /// Creates a fixture with a catalog in JSON Lines, in which the start of a file is a valid catalog too.
  private static func fixture(_ count: Int, age: Double = 3600) throws -> (
    fixture: ServiceFixture, source: CatalogSource
  ) {
    let fixture = try ServiceFixture()
    let path = fixture.folder.appending(path: "shop.jsonl")
    try write(lines(0..<count), to: path, age: age)
    var source = try fixture.source()
    source.path = path.path
    return (fixture, source)
  }

  private static func write(_ text: String, to path: URL, age: Double) throws {
    try Data(text.utf8).write(to: path, options: .atomic)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -age)],
      ofItemAtPath: path.path
    )
  }

  typealias Replacement = (old: Int, new: Int, allowsShrinking: Bool, isServed: Bool)

  static let replacements: [Replacement] = [
    (10, 10, false, true), (10, 5, false, true), (10, 4, false, false), (10, 1, false, false),
    (10, 4, true, true), (10, 1, true, true), (10, 0, true, false), (10, 1000, false, true),
    (3, 2, false, true), (3, 1, false, false), (1, 1, false, true), (0, 0, false, true), (0, 5, false, true),
  ]

  @Test(arguments: replacements) func refusesCatalogThatShrinks(_ row: Replacement) throws {
    let (fixture, source) = try Self.fixture(row.old)
    let current = try CurrentSnapshot(
      source,
      .silent,
      .init(settleSeconds: 2, allowsShrinking: row.allowsShrinking)
    )
    #expect(current.snapshot.productCount == row.old)
    try Self.write(Self.lines(0..<row.new), to: fixture.folder.appending(path: "shop.jsonl"), age: 60)
    #expect(current.reload() == (row.isServed ? .served : .refused))
    #expect(current.snapshot.productCount == (row.isServed ? row.new : row.old))
    guard !row.isServed else { return }
    let error = try #require(current.failure?.error)
    #expect(error.code == .catalogFailed && error.place.hasSuffix("shop.jsonl"))
    if row.new > 0 {
      #expect(
        error.description.contains(
          "the catalog has \(row.new) products, less than half of the \(row.old) that are served; complete it; to serve it as it is, pass --allow-shrink or restart the service"
        ),
        "\(error)"
      )
    }
  }

  /// A refused catalog appears in `/ready` and in the metrics, and the service stays ready.
  @Test func refusedCatalogKeepsServiceReady() async throws {
    let (fixture, source) = try Self.fixture(10)
    let service = try fixture.service(source) { $0.checkSeconds = 1 }
    // The series exist before the first attempt.
    for line in [
      "pricetag_catalog_reloads_total{result=\"refused\"} 0\n",
      "pricetag_catalog_reloads_total{result=\"served\"} 0\n",
      "pricetag_catalog_last_reload_failed 0\n",
    ] {
      #expect(service.metrics.text.contains(line), "\(line)")
    }
    try Self.write(Self.lines(0..<1), to: fixture.folder.appending(path: "shop.jsonl"), age: 60)
    await withCheckedContinuation { isDone in
      service.watcher.reload { isDone.resume() }
    }
    let ready = try await service.send(.get, "/ready")
    #expect(ready.status == .ok && ready.text.contains("less than half of the 10"), "\(ready.text)")
    for line in [
      "pricetag_catalog_reloads_total{result=\"refused\"} 1\n", "pricetag_catalog_last_reload_failed 1\n",
      "pricetag_catalog_products 10\n",
    ] {
      #expect(service.metrics.text.contains(line), "\(line)")
    }
  }

  /// Checks of a file: the time in seconds, the file's size, and whether the file has settled for two seconds.
  static let checks: [(second: Int, size: Int, hasSettled: Bool)] = [
    (0, 1, false), (1, 1, false), (2, 1, true), (3, 1, true), (4, 2, false), (5, 3, false), (6, 3, false),
    (7, 3, true), (8, 1, false), (10, 1, true),
  ]

  @Test func unchangedFileSettles() throws {
    let (fixture, _) = try Self.fixture(1)
    let path = fixture.folder.appending(path: "watched")
    var settling = FileSettling(seconds: 2)
    let start = ContinuousClock.now
    var file: CatalogFileStatus?
    var previousSize = 0
    for check in Self.checks {
      try Self.write(String(repeating: "x", count: check.size), to: path, age: 1000)
      // Writing changes the inode, so get a new status only if the size has changed.
      if check.second == 0 || check.size != previousSize { file = CatalogFileStatus(path.path) }
      previousSize = check.size
      let hasSettled = settling.hasSettled(file, at: start + .seconds(check.second))
      #expect(hasSettled == check.hasSettled, "\(check)")
    }
    // A missing file settles too. With 0 seconds, a file settles immediately.
    let removalHasSettled = settling.hasSettled(nil, at: start + .seconds(20))
    let removalHasSettledLater = settling.hasSettled(nil, at: start + .seconds(22))
    #expect(!removalHasSettled && removalHasSettledLater)
    var immediate = FileSettling(seconds: 0)
    let hasSettledImmediately = immediate.hasSettled(file, at: start)
    #expect(hasSettledImmediately)
  }

  /// Returns a logger that calls a closure when the service begins to wait for a file.
  private static func waitLogger(_ onWait: @escaping @Sendable () -> Void) -> Logger {
    var handler = ServiceLogHandler(label: "test")
    handler.sink = { line in
      if String(decoding: line, as: UTF8.self).contains("waiting for the catalog to settle") { onWait() }
    }
    return Logger(label: "test") { [handler] _ in handler }
  }

  /// A file that changes while the service waits for it is read when it is complete, both at the start and on a reload.
  @Test func waitsForFileBeingWritten() throws {
    // The modification times are in the future, so that a wait takes the full time, also on a slow machine.
    let (fixture, source) = try Self.fixture(1, age: -3600)
    let path = fixture.folder.appending(path: "shop.jsonl")
    let logger = Self.waitLogger { try? Self.write(Self.lines(0..<6), to: path, age: -3600) }
    let start = ContinuousClock.now
    let current = try CurrentSnapshot(source, logger, .init(settleSeconds: 1))
    #expect(current.snapshot.productCount == 6)
    try Self.write(Self.lines(0..<1), to: path, age: -3600)
    #expect(current.reload() == .served)
    #expect(current.snapshot.productCount == 6)
    // Both waits began again after the change.
    #expect(ContinuousClock.now - start >= .seconds(4))
  }

  /// The start only waits for a file that changed recently.
  @Test(arguments: [3600.0, 3.0, -3600.0]) func readsOldFileImmediately(age: Double) throws {
    let (fixture, source) = try Self.fixture(3, age: age)
    defer { withExtendedLifetime(fixture) {} }
    let waitCount = Mutex(0)
    let logger = Self.waitLogger { waitCount.withLock { $0 += 1 } }
    let start = ContinuousClock.now
    let current = try CurrentSnapshot(source, logger, .init(settleSeconds: 2))
    #expect(current.snapshot.productCount == 3)
    // A file whose modification time is in the future needs the full time to settle.
    #expect(waitCount.withLock { $0 } == (age < 0 ? 1 : 0))
    #expect(ContinuousClock.now - start >= .seconds(age < 0 ? 2 : 0))
  }
}
