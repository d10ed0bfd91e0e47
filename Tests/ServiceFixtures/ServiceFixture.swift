import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PriceTag
import PriceTagPages
import PriceTagService
import PriceTagSystem
import PriceTagText
import Synchronization

/// A temporary folder with a small catalog and asset files, and services for it.
package final class ServiceFixture: Sendable {
  package static let date = "2026-11-21"

  package static let json = #"""
    {"format":"pricetag-catalog","version":1,"products":[
      {"productIdentifier":"car","kind":"non-consumable","sortOrder":1,"image":"images/car.svg",
       "localizations":{"en-US":{"name":"Car <b>\"fast\"</b>"},"ja":{"name":"車"}},
       "prices":{"USA":"4.99","JPN":"700","DEU":"5.49"}},
      {"productIdentifier":"coins","kind":"consumable","sortOrder":2,
       "localizations":{"en-US":{"name":"Coins"}},"prices":{"USA":"0.99"}}
    ]}
    """#

  package let folder: URL
  package var path: String { folder.appending(path: "shop.json").path }

  package init(_ json: String = json) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    let images = folder.appending(path: "files/images")
    try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
    try Data(#"<svg xmlns="http://www.w3.org/2000/svg"/>"#.utf8).write(to: images.appending(path: "car.svg"))
    try Data("secret".utf8).write(to: folder.appending(path: "secret.txt"))
    try write(json)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Replaces the catalog file.
  package func write(_ json: String) throws {
    try Data(json.utf8).write(to: URL(filePath: path), options: .atomic)
  }

  package func source() throws -> CatalogSource {
    var source = CatalogSource(path: path, shop: try Shop(name: "Shop & Co"))
    source.day = try .date(CalendarDate(Self.date))
    source.assets = try SiteAssets(folder: folder.appending(path: "files").path)
    return source
  }

  /// Returns a configuration of services for tests.
  package static func configuration(
    _ change: (inout ServiceConfiguration) -> Void = { _ in }
  ) -> ServiceConfiguration {
    var configuration = ServiceConfiguration()
    (configuration.port, configuration.checkSeconds, configuration.settleSeconds) = (0, 0, 0)
    change(&configuration)
    return configuration
  }

  /// Creates a service for a source; by default for the catalog.
  // Swift 6.3.1 crashes if it inlines this into asynchronous functions.
  @inline(never)
  package func service(
    _ source: CatalogSource? = nil,
    _ change: (inout ServiceConfiguration) -> Void = { _ in }
  ) throws -> PriceService {
    try PriceService(source ?? self.source(), Self.configuration(change), logger: .silent)
  }

  /// Creates a service for the catalog and sends it a request, without a socket.
  package func send(
    _ method: HTTPRequest.Method,
    _ address: String,
    _ headers: HTTPFields = [:],
    _ body: String? = nil,
    _ change: (inout ServiceConfiguration) -> Void = { _ in }
  ) async throws -> TestResponse {
    try await service(nil, change).send(method, address, headers, body)
  }
}

extension Logger {
  /// A logger that drops all records.
  package static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

/// A flag that threads share.
package final class SharedFlag: Sendable {
  private let value = Atomic(false)

  package init() {}

  package var isSet: Bool { value.load(ordering: .acquiring) }
  package func set() { value.store(true, ordering: .releasing) }
}

/// Waits until a condition holds, for up to ten minutes, and returns whether it does.
@discardableResult
package func eventually(_ holds: @Sendable () -> Bool) async throws -> Bool {
  for _ in 0..<600_000 {
    if holds() { return true }
    try await Task.sleep(for: .milliseconds(1))
  }
  return false
}

extension PriceService {
  /// Runs the service during a test, which receives its port.
  package func run(during test: @escaping @Sendable (_ port: Int) async throws -> Void) async throws {
    let ports = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await application { ports.continuation.yield($0) }.run() }
      for await port in ports.stream {
        try await test(port)
        break
      }
      tasks.cancelAll()
      try? await tasks.waitForAll()
    }
  }

  /// Sends a request to the service, without a socket.
  ///
  /// The services of all tests share their workers, which refuse requests while other tests keep them busy. A refused request is
  /// sent again, for up to ten minutes.
  package func send(
    _ method: HTTPRequest.Method,
    _ address: String,
    _ headers: HTTPFields = [:],
    _ body: String? = nil
  ) async throws -> TestResponse {
    for _ in 0..<6_000 {
      let response = try await application().send(method, address, headers, body)
      guard response.status == .serviceUnavailable, response.text.contains("too many requests are waiting")
      else {
        return response
      }
      try await Task.sleep(for: .milliseconds(100))
    }
    return try await application().send(method, address, headers, body)
  }

  /// Sends a JSON text to the service, without a socket.
  package func post(_ address: String, _ body: String) async throws -> TestResponse {
    try await send(.post, address, [.contentType: "application/json"], body)
  }
}
