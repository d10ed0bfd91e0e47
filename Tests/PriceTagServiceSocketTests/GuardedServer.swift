import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PriceTagHTTPGuard
import PriceTagServiceTLS
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
    _ limits: ConnectionLimits = ConnectionLimits(headSeconds: 600, bodyGraceSeconds: 600),
    overTLS: Bool = false,
    _ test: @escaping @Sendable (GuardedServer) async throws -> Void
  ) async throws {
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
    let onRunning: @Sendable (any Channel) async -> Void = { channel in
      ports.continuation.yield(channel.localAddress?.port ?? 0)
    }
    var logger = Logger(label: "guard")
    logger.logLevel = .error
    let configuration = ServerConfiguration(address: .hostname("127.0.0.1", port: 0))
    let group = MultiThreadedEventLoopGroup.singleton
    let service: any Service =
      overTLS
      ? try SecuredChannel(base: guarded, certificate: certificate.get()).server(
        configuration: configuration,
        onServerRunning: onRunning,
        eventLoopGroup: group,
        logger: logger
      )
      : guarded.server(
        configuration: configuration,
        onServerRunning: onRunning,
        eventLoopGroup: group,
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

  private static let certificate = Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = (folder.appending(path: "chain.pem"), folder.appending(path: "key.pem"))
    try Data(chain.utf8).write(to: files.0)
    try Data(privateKey.utf8).write(to: files.1)
    return try ServerCertificate((certificate: files.0.path, key: files.1.path))
  }
}

/// A certificate for tests only.
private let chain = """
  -----BEGIN CERTIFICATE-----
  MIIBfjCCASWgAwIBAgIUL47zt7LVlCOiNqqTj82TnE1TVOswCgYIKoZIzj0EAwIw
  FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA4MTMwMloYDzIxMjYxMDI5
  MDgxMzAyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
  PQMBBwNCAAS3M1EQEbk26mESZeH7+pbnbBE7Baqhy2VN+wBIiUyN0Xjmtk40vrLa
  VrXCc+7h7L6vjDkVtod4MkthBZIKcpHmo1MwUTAdBgNVHQ4EFgQUffG8/JLq6OWa
  jiKUxu2IrZLNM9YwHwYDVR0jBBgwFoAUffG8/JLq6OWajiKUxu2IrZLNM9YwDwYD
  VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAMUkrwU+9A53pHEDfVcmSY
  Q90kR3c7B3Q2K7QqU/fzAwIgCjzj91St97AMNTPHzma5LbfMRwbpLIObSA0davGQ
  fNE=
  -----END CERTIFICATE-----
  """

private let privateKey = """
  -----BEGIN PRIVATE KEY-----
  MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAKQOLhX+DvAgQ3BF
  vphKK8DLCcxihfPeDZ79KCJdfSWhRANCAAS3M1EQEbk26mESZeH7+pbnbBE7Baqh
  y2VN+wBIiUyN0Xjmtk40vrLaVrXCc+7h7L6vjDkVtod4MkthBZIKcpHm
  -----END PRIVATE KEY-----
  """
