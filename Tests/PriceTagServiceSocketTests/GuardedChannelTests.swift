import ServiceFixtures
import Testing

@testable import PriceTagService

private func get(_ path: String, _ more: String = "") -> String {
  "GET \(path) HTTP/1.1\r\nHost: a\r\n\(more)\r\n"
}

@Suite("Guarded channel", .serialized, .timeLimit(.minutes(20)))
struct GuardedChannelTests {
  private static let health = #"{"status":"ok"}"#

  @Test("Answers sequential and pipelined requests of a connection")
  func requests() async throws {
    try await LoggedService.run { service in
      let client = try await RawClient.connect(port: service.port)
      for _ in 0..<3 {
        try await client.send(get("/health"))
        #expect(try await client.receive(40).text.hasSuffix("\r\n\r\n\(Self.health)"))
      }
      try await client.send(get("/health") + get("/ready") + get("/health", "Connection: close\r\n"))
      let (text, hasEnded) = try await client.receive()
      #expect(text.ranges(of: "HTTP/1.1 200 OK").count == 3)
      #expect(text.hasSuffix("\r\n\r\n\(Self.health)"))
      #expect(hasEnded)
      // The connection closes although the client keeps its side open.
      #expect(try await service.hasClosedConnections())
      #expect(!service.metrics.text.contains("pricetag_http_refusals_total{"))
    }
  }

  /// A request, and its response, after which the connection closes.
  typealias Exchange = (request: String, status: String, body: String)

  static let exchanges: [Exchange] = [
    ("GET /health HTTP/1.0\r\n\r\n", "HTTP/1.1 200 ", health),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/1.1 505 ", "unsupported-http-version"),
    (
      "POST /v1/format HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0x1\r\n",
      "HTTP/1.1 400 ", "malformed-chunk"
    ),
  ]

  @Test("Closes the connection after the response", arguments: exchanges)
  func closesConnection(_ exchange: Exchange) async throws {
    try await LoggedService.run { service in
      let text = try await service.answer(exchange.request)
      #expect(text.hasPrefix(exchange.status) && RawClient.body(of: text).contains(exchange.body), "\(text)")
      #expect(text.ranges(of: "HTTP/1.1 ").count == 1)
      #expect(try await service.hasClosedConnections())
    }
  }

  @Test("A client can read its refusal while it sends a large body")
  func refusalWhileSending() async throws {
    // Much longer than a slow machine needs to send the body. The client closes the connection earlier.
    try await LoggedService.run {
      $0.limits.lingerSeconds = 60
    } _: { service in
      let client = try await RawClient.connect(port: service.port)
      try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n")
      for _ in 0..<50 { try await client.send(String(repeating: "a", count: 10_000)) }
      let text = try await client.receive().text
      #expect(text.hasPrefix("HTTP/1.1 413 ") && RawClient.body(of: text).contains("body-too-large"))
      try await client.close()
    }
  }

  @Test(
    "A client that has closed its side, or asked for the end of the connection, gets a large response completely",
    arguments: [true, false]
  )
  func largeResponse(closesItsSide: Bool) async throws {
    try await LoggedService.run { service in
      let client = try await RawClient.connect(port: service.port)
      try await client.send(get("/large.bin", closesItsSide ? "" : "Connection: close\r\n"))
      if closesItsSide { try await client.sendEnd() }
      #expect(RawClient.body(of: try await client.receive().text).utf8.count == LoggedService.largeSize)
      #expect(try await service.hasClosedConnections())
    }
  }

  @Test("Sends 100 Continue once, and accepts chunked bodies")
  func sendsContinueOnce() async throws {
    try await LoggedService.run { service in
      let client = try await RawClient.connect(port: service.port)
      let head =
        "POST /v1/format HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n"
      try await client.send(head + "Connection: close\r\n\r\n")
      #expect(try await client.receive(25).text == "HTTP/1.1 100 Continue\r\n\r\n")
      try await client.send("5\r\n{\"pri\r\n8\r\nces\":[]}\r\n0\r\n\r\n")
      let text = try await client.receive().text
      #expect(text.hasPrefix("HTTP/1.1 200 OK") && RawClient.body(of: text) == #"{"prices":[]}"#, "\(text)")
    }
  }

  @Test("A slow application does not cause a timeout of its client")
  func backPressure() async throws {
    try await LoggedService.run {
      $0.limitsLoopback = true
      ($0.limits.bodyGraceSeconds, $0.limits.bodyWindowSeconds) = (0, 1)
    } _: { service in
      let note = String(repeating: "n", count: 40_000)
      let row = #"{"storefront":"USA","amount":"1","note":"\#(note)"}"# + "\n"
      let body = String(repeating: row, count: 200)
      let client = try await RawClient.connect(port: service.port)
      // No thread formats the rows for longer than two windows of a second, in which a client must send.
      try await CancellationTests.Occupation().run("127.0.0.1", .costly) {
        Task {
          try await client.send(
            "POST /v1/batch HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
          )
        }
        try await Task.sleep(for: .milliseconds(2_500))
      }
      let text = try await client.receive().text
      #expect(text.ranges(of: #""display":"$1.00""#).count == 200)
    }
  }

  @Test("A client that sends too slowly gets a timeout")
  func slowBody() async throws {
    try await LoggedService.run {
      ($0.limits.bodyGraceSeconds, $0.limits.bodyWindowSeconds) = (0, 1)
    } _: { service in
      let text = try await service.answer("POST /v1/format HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{")
      #expect(text.hasPrefix("HTTP/1.1 408 ") && RawClient.body(of: text).contains("request-timeout"))
      #expect(try await service.hasClosedConnections())
    }
  }

  @Test("Closes a silent connection")
  func silence() async throws {
    try await LoggedService.run {
      $0.limits.headSeconds = 1
    } _: { service in
      let text = try await service.answer("")
      #expect(text.hasPrefix("HTTP/1.1 408 "))
      #expect(try await service.hasClosedConnections())
      #expect(service.metrics.text.contains("pricetag_http_refusals_total{code=\"request-timeout\"} 1\n"))
    }
  }

  @Test("Closes the connection of a client that does not read a large response")
  func slowReader() async throws {
    try await LoggedService.run {
      $0.limits.writeStallSeconds = 1
    } _: { service in
      let socket = try NonReadingClient(port: service.port)
      defer { socket.close() }
      socket.send(get("/huge.bin"))
      #expect(try await service.eventually { $0.count == 1 })
      #expect(try await service.hasClosedConnections())
    }
  }
}
