import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PriceTagHTTPGuard
import ServiceLifecycle

@testable import PriceTagService

/// A Hummingbird server with the guard, on a free local port.
struct GuardedServer: Sendable {
  let port: Int
  let log: NIOLockedValueBox<Log>

  struct Log: Sendable {
    var open = 0
    /// The number of connections that were opened so far.
    var opened = 0
    var refusals: [String] = []
    var bodies: [String] = []
  }

  /// Runs a server during a test. `GET /N` returns N bytes; `POST` returns the size of the body; `POST /late` reads the
  /// body after 2.5 seconds.
  static func run(
    _ change: (inout ConnectionLimits) -> Void = { ($0.headSeconds, $0.bodyGraceSeconds) = (600, 600) },
    _ test: @escaping @Sendable (GuardedServer) async throws -> Void
  ) async throws {
    var limits = ConnectionLimits()
    change(&limits)
    let log = NIOLockedValueBox(Log())
    let guarded = GuardedChannel(
      responder: { request, writer, _ in
        try await respond(request, writer, log)
      },
      limits: limits,
      drain: ServiceDrain(),
      immediate: nil,
      refusalBody: { refusal, _ in Array(refusal.code.utf8) },
      onRefusal: { refusal, _ in log.withLockedValue { $0.refusals.append(refusal.code) } },
      onConnection: { isOpen in
        log.withLockedValue {
          $0.open += isOpen ? 1 : -1
          $0.opened += isOpen ? 1 : 0
        }
      }
    )
    let ports = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "guard")
    logger.logLevel = .error
    let service = guarded.server(
      configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in ports.continuation.yield(channel.localAddress?.port ?? 0) },
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
      logger: logger
    )
    let services = ServiceGroup(services: [service], logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await services.run() }
      for await port in ports.stream {
        try await test(GuardedServer(port: port, log: log))
        break
      }
      await services.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }

  private static func respond(
    _ request: Request,
    _ writer: consuming ResponseWriter,
    _ log: NIOLockedValueBox<Log>
  ) async throws {
    var body = String(repeating: "x", count: Int(request.uri.path.dropFirst()) ?? 0)
    if request.method == .post {
      // Longer than two windows of a second, in which a client must send. A slow machine only makes it longer.
      if request.uri.path == "/late" { try await Task.sleep(for: .milliseconds(2_500)) }
      do {
        var size = 0
        for try await part in request.body { size += part.readableBytes }
        body = "\(size)"
      } catch {
        log.withLockedValue { $0.bodies.append("failed") }
        throw error
      }
    }
    let head = HTTPResponse(status: .ok, headerFields: [.contentLength: "\(body.utf8.count)"])
    try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
  }

  /// Waits until the log fulfills a condition, and returns whether it does.
  func eventually(_ holds: @Sendable (Log) -> Bool) async throws -> Bool {
    for _ in 0..<20_000 {
      if log.withLockedValue({ holds($0) }) { return true }
      try await Task.sleep(for: .milliseconds(30))
    }
    return false
  }
}
