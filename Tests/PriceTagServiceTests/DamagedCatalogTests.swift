import Foundation
import HTTPTypes
import Logging
import PriceTag
import PriceTagCatalog
import PriceTagCatalogFormats
import PriceTagStrings
import PriceTagSystem
import PriceTagText
import SeededNumbers
import ServiceFixtures
import Synchronization
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

  /// Creates a fixture whose catalog is a database.
  private static func fixture() throws -> ServiceFixture {
    let fixture = try ServiceFixture(json)
    let database = fixture.folder.appending(path: "shop.pricetag")
    let catalog = try Catalog(path: database.path, access: .readAndImport)
    try catalog.importFiles([CatalogFile(path: fixture.path)])
    try catalog.close()
    try Data(contentsOf: database).write(to: URL(filePath: fixture.path))
    return fixture
  }

  /// Changes the first byte of each occurrence of a text in a file.
  private static func damage(_ text: String, in path: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    var start = bytes.startIndex
    while let found = bytes.range(of: Data(text.utf8), in: start..<bytes.endIndex) {
      bytes[found.lowerBound] ^= 2
      start = found.upperBound
    }
    #expect(start > bytes.startIndex)
    // SQLite reads the pages again if the change counter has changed.
    bytes[27] ^= 1
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.write(contentsOf: bytes)
    try file.close()
  }

  // MARK: Damage after loading

  static let requests: [(damaged: String, storefront: String, status: Int)] = [
    ("1234.56", "USA", 500), ("Racing car", "USA", 500), ("Racing car", "JPN", 500),
    // Prices of other storefronts are not read.
    ("1234.56", "JPN", 200),
  ]

  @Test(arguments: requests)
  func damageFailsTheRequest(damaged: String, storefront: String, status: Int) async throws {
    let body = #"{"storefront":"\#(storefront)","language":"en-US"}"#
    let fixture = try Self.fixture()
    let service = try fixture.service()
    let expected = try await service.post("/v1/products", body)
    #expect(expected.status == .ok)
    try Self.damage(damaged, in: "\(service.watcher.current.snapshot.folder.path)/catalog.pricetag")
    let answer = try await service.post("/v1/products", body)
    #expect(answer.status.code == status, "\(answer.text)")
    if status == 200 { #expect(answer.body == expected.body) }
  }

  static let pages: [(damaged: String, path: String, status: Int)] = [
    ("non-consumable", "/store/usa/en-us/products/car/", 500), ("non-consumable", "/", 302),
    ("non-consumable", "/choose/en-us/", 200), ("1234.56", "/store/usa/en-us/", 500),
    ("1234.56", "/store/jpn/ja/", 200),
  ]

  /// The pages of a store need only its own prices.
  @Test(arguments: pages)
  func damageFailsStorePages(damaged: String, path: String, status: Int) async throws {
    let fixture = try Self.fixture()
    let service = try fixture.service()
    try Self.damage(damaged, in: "\(service.watcher.current.snapshot.folder.path)/catalog.pricetag")
    #expect(try await service.send(.get, path).status.code == status)
  }

  @Test func damagedProductDoesNotFailOtherProducts() async throws {
    let fixture = try Self.fixture()
    let service = try fixture.service()
    try Self.damage("non-consumable", in: "\(service.watcher.current.snapshot.folder.path)/catalog.pricetag")
    for (identifier, status) in [("car", 500), ("coins", 200)] {
      let body = #"{"storefront":"USA","language":"en-US","productIdentifiers":["\#(identifier)"]}"#
      let answer = try await service.post("/v1/products", body)
      #expect(answer.status.code == status, "\(answer.text)")
    }
  }

  // MARK: Damage before loading

  static let damaged = [
    "1234.56", "Racing car", "non-consumable", "coins", "JPY", "CREATE TABLE price", "sqlite_autoindex",
    "checksum",
  ]

  @Test(arguments: damaged) func damagedDatabaseIsNotServed(damaged: String) throws {
    let fixture = try Self.fixture()
    let current = try CurrentSnapshot(fixture.source(), .silent)
    let served = current.snapshot
    try Self.damage(damaged, in: fixture.path)
    #expect(current.reload() == .refused && current.snapshot === served)
    let failure = try #require(current.failure).error
    #expect(failure.code == .catalogFailed && failure.description.contains("shop.json"), "\(failure)")
    #expect(throws: ServiceError.self, "at the start") { try fixture.service() }
  }

  static let lengths: [(what: String, length: @Sendable (Int) -> Int)] = [
    ("the header only", { _ in 100 }), ("a page", { _ in 4096 }), ("half", { $0 / 2 }),
    ("without the last page", { $0 - 4096 }),
  ]

  @Test(arguments: lengths.indices) func truncatedDatabaseIsNotServed(index: Int) throws {
    let (what, length) = Self.lengths[index]
    let fixture = try Self.fixture()
    let current = try CurrentSnapshot(fixture.source(), .silent)
    let bytes = try Data(contentsOf: URL(filePath: fixture.path))
    try bytes.prefix(length(bytes.count)).write(to: URL(filePath: fixture.path), options: .atomic)
    #expect(current.reload() == .refused, "\(what)")
  }

  /// A database in which 50 bytes were changed is refused, or gives the same answers.
  @Test(arguments: 1...24) func changedBytesChangeNoAnswer(seed: UInt64) throws {
    let fixture = try Self.fixture()
    let current = try CurrentSnapshot(fixture.source(), .silent)
    let served = current.snapshot
    func answers() throws -> [String] {
      try ["USA", "JPN"].map { id in
        let request = try ProductsRequest(nil, storefront: Storefront(id), language: UILanguage("en-US"))
        return try current.snapshot.catalog.products(for: request).json
      }
    }
    let expected = try answers()
    var numbers = SeededNumbers(seed: seed)
    var bytes = try Data(contentsOf: URL(filePath: fixture.path))
    for _ in 0..<50 { bytes[numbers.number(0...bytes.count - 1)] ^= UInt8(numbers.number(1...255)) }
    try bytes.write(to: URL(filePath: fixture.path), options: .atomic)
    let outcome = current.reload()
    #expect((outcome == .refused) == (current.snapshot === served))
    #expect(try answers() == expected, "\(outcome)")
  }

  /// A file that replaces a damaged one while that is verified is read next.
  @Test func readsFileThatReplacesRefusedOne() throws {
    let fixture = try Self.fixture()
    let intact = try Data(contentsOf: URL(filePath: fixture.path))
    let replaces = Atomic(false)
    let lines = LogLines { line in
      guard line.contains("verifying"), replaces.exchange(false, ordering: .relaxed) else { return }
      try? intact.write(to: URL(filePath: fixture.path), options: .atomic)
    }
    let current = try CurrentSnapshot(fixture.source(), lines.logger())
    try Self.damage("1234.56", in: fixture.path)
    replaces.store(true, ordering: .relaxed)
    #expect(current.reload() == .refused && current.fileChange().hasChanged)
    #expect(current.reload() == .served && !current.fileChange().hasChanged)
  }

  // MARK: Files of other types

  static let paths: [(what: String, make: @Sendable (_ path: String) -> Bool)] = [
    ("a pipe", { mkfifo($0, 0o600) == 0 }),
    ("a link to a device", { symlink("/dev/zero", $0) == 0 }),
    ("a link to a terminal", { symlink("/dev/ptmx", $0) == 0 }),
    ("an empty folder", { mkdir($0, 0o700) == 0 }),
    ("a folder with a pipe", { mkdir($0, 0o700) == 0 && mkfifo("\($0)/metadata.xml", 0o600) == 0 }),
  ]

  /// Reading none of them ends, so a reload that opened it would never end.
  @Test(.timeLimit(.minutes(1)), arguments: paths.indices) func otherFilesAreRefused(index: Int) throws {
    let (what, make) = Self.paths[index]
    let fixture = try Self.fixture()
    let current = try CurrentSnapshot(fixture.source(), .silent)
    let catalog = URL(filePath: fixture.path)
    let intact = try Data(contentsOf: catalog)
    try FileManager.default.removeItem(at: catalog)
    #expect(make(fixture.path))
    #expect(current.reload() == .refused, "\(what)")
    try FileManager.default.removeItem(at: catalog)
    try intact.write(to: catalog)
    #expect(current.reload() == .served)
  }

  /// SQLite opens files beside a database.
  @Test(.timeLimit(.minutes(1)), arguments: ["-journal", "-wal", "-shm"])
  func pipeBesideDatabaseIsRefused(suffix: String) throws {
    let fixture = try Self.fixture()
    let current = try CurrentSnapshot(fixture.source(), .silent)
    #expect(mkfifo("\(fixture.path)\(suffix)", 0o600) == 0)
    #expect(current.reload() == .refused)
    #expect(current.failure?.error.description.contains("shop.json\(suffix)") == true)
  }
}
