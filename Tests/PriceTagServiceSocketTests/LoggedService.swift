import NIOConcurrencyHelpers
import PriceTagSystem
import PriceTagText
import ServiceFixtures

@testable import PriceTagService

/// A service on a free port whose access log is stored. `/large.bin` has 8 MB, and `/huge.bin` 16 MB.
struct LoggedService: Sendable {
  static let largeSize = 8_000_000

  let port: Int
  let metrics: ServiceMetrics
  let lines: NIOLockedValueBox<[String]>

  /// Runs a service during a test.
  static func run(
    _ change: @escaping (inout ServiceConfiguration) -> Void = { _ in },
    _ test: @escaping @Sendable (LoggedService) async throws -> Void
  ) async throws {
    let fixture = try ServiceFixture()
    for (name, size) in [("large.bin", largeSize), ("huge.bin", 2 * largeSize)] {
      let path = fixture.folder.appending(path: "files/\(name)").path
      close(creat(path, 0o600))
      truncate(path, size)
    }
    let configuration = ServiceFixture.configuration {
      ($0.limits.headSeconds, $0.limits.bodyGraceSeconds) = (600, 600)
      change(&$0)
    }
    let lines = NIOLockedValueBox<[String]>([])
    let log = AccessLog(format: .json) { line in
      lines.withLockedValue { $0.append(String(decoding: line, as: UTF8.self)) }
    }
    let service = try PriceService(fixture.source(), configuration, logger: .silent, accessLog: log)
    try await service.run(during: { port in
      try await test(LoggedService(port: port, metrics: service.metrics, lines: lines))
    })
    withExtendedLifetime(fixture) {}
  }

  /// Sends a request and returns all bytes up to the end of the connection.
  func answer(_ request: String) async throws -> String {
    let client = try await RawClient.connect(port: port)
    // Fails if the service has closed the connection before.
    try? await client.send(request)
    return try await client.receive().text
  }

  func eventually(_ holds: @Sendable ([String]) -> Bool) async throws -> Bool {
    try await ServiceFixtures.eventually { lines.withLockedValue { holds($0) } }
  }

  /// Waits until no connection is open, and returns whether that happens.
  func hasClosedConnections() async throws -> Bool {
    try await ServiceFixtures.eventually { metrics.text.contains("pricetag_http_connections 0\n") }
  }
}
