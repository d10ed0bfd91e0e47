import Foundation
import Logging
import PriceTag
import ServedShop
import Synchronization
import Testing

@testable import PriceTagService

/// When a catalog is read, and which one may take its predecessor's place.
@Suite struct SettlingTests {
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Lines of a catalog of so many products.
  private static func lines(_ range: Range<Int>) -> String {
    range.map {
      #"{"productIdentifier":"p\#($0)","localizations":{"en-US":{"name":"P"}},"prices":{"USA":"1.00"}}"#
        + "\n"
    }.joined()
  }

  /// A shop in JSON Lines, of which every part is a catalog too.
  private static func fixture(_ count: Int, age: Double = 3600) throws -> (
    fixture: ServedShopFixture, source: ShopSource
  ) {
    let fixture = try ServedShopFixture()
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

  @Test(arguments: replacements) func aCatalogThatLostHalfOfItsProductsIsRefused(_ row: Replacement) throws {
    let (fixture, source) = try Self.fixture(row.old)
    let current = try CurrentShop(
      source,
      Self.logger,
      .init(settleSeconds: 2, allowsShrinking: row.allowsShrinking)
    )
    #expect(current.shop.productCount == row.old)
    try Self.write(Self.lines(0..<row.new), to: fixture.folder.appending(path: "shop.jsonl"), age: 60)
    #expect(current.reload() == (row.isServed ? .served : .refused))
    #expect(current.shop.productCount == (row.isServed ? row.new : row.old))
    guard !row.isServed else { return }
    let error = try #require(current.failure?.error)
    #expect(error.code == .catalogFailed && error.place.hasSuffix("shop.jsonl"))
    if row.new > 0 {
      #expect(
        error.description.contains(
          "the catalog has \(row.new) products, less than half of the \(row.old) that are served: complete it; to serve it as it is, pass --allow-shrink or restart the service"
        ),
        "\(error)"
      )
    }
  }

  /// A refusal is a warning and a metric, and no reason to end the service.
  @Test func aRefusedCatalogLeavesTheServiceReady() async throws {
    let (fixture, source) = try Self.fixture(10)
    var configuration = ServiceConfiguration()
    (configuration.checkSeconds, configuration.settleSeconds) = (1, 0)
    let metrics = PriceService.makeMetrics()
    let service = try PriceService(source, configuration, logger: Self.logger, metrics: metrics)
    // They are there before the first attempt.
    for line in [
      "pricetag_catalog_reloads_total{result=\"refused\"} 0\n",
      "pricetag_catalog_reloads_total{result=\"served\"} 0\n",
      "pricetag_catalog_last_reload_failed 0\n",
    ] {
      #expect(metrics.exposition().contains(line), "\(line)")
    }
    try Self.write(Self.lines(0..<1), to: fixture.folder.appending(path: "shop.jsonl"), age: 60)
    await withCheckedContinuation { isDone in
      service.watch.reload { isDone.resume() }
    }
    let ready = try await service.ask(.get, "/ready")
    #expect(ready.status == .ok && ready.text.contains("less than half of the 10"), "\(ready.text)")
    for line in [
      "pricetag_catalog_reloads_total{result=\"refused\"} 1\n", "pricetag_catalog_last_reload_failed 1\n",
      "pricetag_catalog_products 10\n",
    ] {
      #expect(metrics.exposition().contains(line), "\(line)")
    }
  }

  /// A look at a file in seconds, whether it is another one than before, and whether it has settled for two seconds.
  static let looks: [(second: Int, size: Int, hasSettled: Bool)] = [
    (0, 1, false), (1, 1, false), (2, 1, true), (3, 1, true), (4, 2, false), (5, 3, false), (6, 3, false),
    (7, 3, true), (8, 1, false), (10, 1, true),
  ]

  @Test func aFileSettlesWhereItStaysTheSame() throws {
    let (fixture, _) = try Self.fixture(1)
    let path = fixture.folder.appending(path: "watched")
    var settling = FileSettling(seconds: 2)
    let start = ContinuousClock.now
    var file: ShopFile?
    var previousSize = 0
    for look in Self.looks {
      try Self.write(String(repeating: "x", count: look.size), to: path, age: 1000)
      // The same file, as far as a look can tell, has the same inode.
      if look.second == 0 || look.size != previousSize { file = ShopFile(path.path) }
      previousSize = look.size
      let hasSettled = settling.hasSettled(file, at: start + .seconds(look.second))
      #expect(hasSettled == look.hasSettled, "\(look)")
    }
    // One that is gone settles as well, and with no seconds any does at once.
    let isGone = settling.hasSettled(nil, at: start + .seconds(20))
    let isGoneForGood = settling.hasSettled(nil, at: start + .seconds(22))
    #expect(!isGone && isGoneForGood)
    var atOnce = FileSettling(seconds: 0)
    let hasSettledAtOnce = atOnce.hasSettled(file, at: start)
    #expect(hasSettledAtOnce)
  }

  /// A file that is written with pauses is read when it is complete: at the start, and on a signal.
  @Test func aFileThatIsBeingWrittenIsAwaited() throws {
    let (fixture, source) = try Self.fixture(0, age: 0)
    let path = fixture.folder.appending(path: "shop.jsonl")
    let file = try FileHandle(forWritingTo: path)
    func appendSlowly() -> DispatchSemaphore {
      let isDone = DispatchSemaphore(value: 0)
      let writer = Thread {
        for number in 0..<6 {
          file.seekToEndOfFile()
          file.write(Data(Self.lines(number..<number + 1).utf8))
          Thread.sleep(forTimeInterval: 0.4)
        }
        isDone.signal()
      }
      writer.start()
      return isDone
    }
    var writing = appendSlowly()
    let current = try CurrentShop(source, Self.logger, .init(settleSeconds: 2))
    #expect(current.shop.productCount == 6)
    writing.wait()
    try Data().write(to: path)
    writing = appendSlowly()
    #expect(current.reload() == .served)
    #expect(current.shop.productCount == 6)
    writing.wait()
    try file.close()
  }

  /// The start does not wait for a file that has been there for a while.
  @Test(arguments: [3600.0, 3.0, -3600.0]) func anOldFileIsReadAtOnce(age: Double) throws {
    let (fixture, source) = try Self.fixture(3, age: age)
    defer { withExtendedLifetime(fixture) {} }
    let start = ContinuousClock.now
    let current = try CurrentShop(source, Self.logger, .init(settleSeconds: 2))
    let time = ContinuousClock.now - start
    #expect(current.shop.productCount == 3)
    // One from the future is watched for as long as any other.
    if age < 0 { #expect(time >= .seconds(2)) } else { #expect(time < .seconds(2)) }
  }
}
