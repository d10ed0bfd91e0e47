import Foundation
import Logging
import NIOCore
import NIOSSL
import PriceTagService
import PriceTagServiceTLS
import ServiceFixtures
import Testing

/// Tests a service with TLS over sockets. GuardedChannelTests has the same situations without TLS.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct SecuredServiceTests {
  private static let largeSize = 8_000_000

  /// Runs a service with a certificate during a test. `/large.txt` has 8 MB.
  private func run(
    _ change: @escaping (inout ConnectionLimits) -> Void = { _ in },
    _ test: @escaping @Sendable (SecuredService) async throws -> Void
  ) async throws {
    let fixture = try ServiceFixture()
    try Data(repeating: 0x78, count: Self.largeSize)
      .write(to: fixture.folder.appending(path: "files/large.txt"))
    let files = (fixture.folder.appending(path: "chain.pem"), fixture.folder.appending(path: "key.pem"))
    try Data(chain.utf8).write(to: files.0)
    try Data(privateKey.utf8).write(to: files.1)
    var configuration = ServiceConfiguration()
    (configuration.port, configuration.checkSeconds, configuration.settleSeconds) = (0, 0, 0)
    (configuration.limits.headSeconds, configuration.limits.bodyGraceSeconds) = (600, 600)
    change(&configuration.limits)
    let service = try PriceService(
      fixture.source(),
      configuration,
      certificate: ServerCertificate((certificate: files.0.path, key: files.1.path)),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    )
    try await service.run(during: { port in
      try await test(SecuredService(port: port, metrics: service.metrics))
    })
    withExtendedLifetime(fixture) {}
  }

  private struct SecuredService: Sendable {
    let port: Int
    let metrics: ServiceMetrics

    func connect(
      _ change: @escaping @Sendable (inout TLSConfiguration) -> Void = { _ in }
    ) async throws -> RawClient {
      try await RawClient.connect(port: port) { channel in
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        change(&configuration)
        let handler = try NIOSSLClientHandler(
          context: NIOSSLContext(configuration: configuration),
          serverHostname: nil
        )
        try channel.pipeline.syncOperations.addHandler(handler)
      }
    }

    /// Waits until no connection is open, and returns whether that happens.
    func hasClosedConnections() async throws -> Bool {
      for _ in 0..<20_000 {
        if metrics.text.contains("pricetag_http_connections 0\n") { return true }
        try await Task.sleep(for: .milliseconds(30))
      }
      return false
    }
  }

  private static func get(_ path: String, _ more: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: a\r\n\(more)\r\n"
  }

  private static let health = #"{"status":"ok"}"#

  @Test func answersSequentialAndPipelinedRequests() async throws {
    try await run { service in
      let client = try await service.connect()
      for _ in 0..<3 {
        try await client.send(Self.get("/health"))
        #expect(try await client.receive(40).text.hasSuffix("\r\n\r\n\(Self.health)"))
      }
      try await client.send(
        Self.get("/health") + Self.get("/ready") + Self.get("/health", "Connection: close\r\n")
      )
      let (text, hasEnded) = try await client.receive()
      #expect(text.ranges(of: "HTTP/1.1 200 OK").count == 3, "\(text)")
      #expect(text.hasSuffix("\r\n\r\n\(Self.health)"))
      #expect(hasEnded)
      // The connection closes although the client keeps its side open.
      #expect(try await service.hasClosedConnections())
    }
  }

  /// A request, and the start of its response, after which the connection closes.
  typealias Exchange = (request: String, status: String, body: String)

  static let exchanges: [Exchange] = [
    ("GET /health HTTP/1.0\r\n\r\n", "HTTP/1.1 200 ", health),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/1.1 505 ", "unsupported-http-version"),
    (
      "POST /v1/batch HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0x1\r\n",
      "HTTP/1.1 400 ", "malformed-chunk"
    ),
  ]

  @Test(arguments: exchanges) func closesConnectionAfterResponse(_ exchange: Exchange) async throws {
    try await run { service in
      let client = try await service.connect()
      try await client.send(exchange.request)
      let (text, hasEnded) = try await client.receive()
      #expect(text.hasPrefix(exchange.status) && RawClient.body(of: text).contains(exchange.body), "\(text)")
      #expect(text.ranges(of: "HTTP/1.1 ").count == 1)
      #expect(hasEnded)
      #expect(try await service.hasClosedConnections())
    }
  }

  @Test func clientReadsRefusalWhileItSends() async throws {
    // Much longer than a slow machine needs to send the body. The client closes the connection earlier.
    try await run {
      $0.lingerSeconds = 60
    } _: { service in
      let client = try await service.connect()
      try await client.send("POST /v1/format HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n")
      for _ in 0..<50 { try await client.send(String(repeating: "a", count: 10_000)) }
      let text = try await client.receive().text
      #expect(
        text.hasPrefix("HTTP/1.1 413 ") && RawClient.body(of: text).contains("body-too-large"),
        "\(text)"
      )
      try await client.close()
    }
  }

  /// A client that has closed its side, or asked for the end of the connection, gets a large response completely.
  @Test(arguments: [true, false]) func largeResponseIsComplete(closesItsSide: Bool) async throws {
    try await run { service in
      let client = try await service.connect()
      try await client.send(Self.get("/large.txt", closesItsSide ? "" : "Connection: close\r\n"))
      if closesItsSide { try await client.sendEnd() }
      #expect(RawClient.body(of: try await client.receive().text).utf8.count == Self.largeSize)
      #expect(try await service.hasClosedConnections())
    }
  }

  typealias Cipher = (name: String, isOffered: Bool)

  static let ciphers: [Cipher] = [
    ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-AES256-GCM-SHA384", true),
    ("ECDHE-ECDSA-CHACHA20-POLY1305", true), ("ECDHE-ECDSA-AES128-SHA", false),
    ("ECDHE-ECDSA-AES256-SHA", false), ("AES128-GCM-SHA256", false), ("AES256-SHA", false),
  ]

  @Test(arguments: ciphers) func offersAuthenticatedEncryptionInTLS12(_ cipher: Cipher) async throws {
    try await run { service in
      // Without a common cipher, the handshake fails.
      let client = try? await service.connect {
        ($0.maximumTLSVersion, $0.cipherSuites) = (.tlsv12, cipher.name)
      }
      try? await client?.send(Self.get("/health", "Connection: close\r\n"))
      let answer = try await client?.receive().text ?? ""
      #expect(answer.hasSuffix(Self.health) == cipher.isOffered, "\(answer)")
    }
  }

  @Test func reportsExpiryOfCertificate() async throws {
    try await run { service in
      let text = service.metrics.text
      let days = text.firstMatch(of: /pricetag_tls_certificate_expiry_days ([0-9]+)/).flatMap { Int($0.1) }
      // The certificate expires in 2126.
      #expect((days ?? 0) > 30_000)
    }
  }

  @Test func closesConnectionWithoutHandshake() async throws {
    try await run {
      $0.headSeconds = 1
    } _: { service in
      let (text, hasEnded) = try await RawClient.connect(port: service.port).receive()
      #expect(text.isEmpty && hasEnded)
      #expect(try await service.hasClosedConnections())
    }
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
