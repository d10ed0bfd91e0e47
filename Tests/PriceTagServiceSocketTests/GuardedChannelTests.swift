import ServiceFixtures
import Testing

@testable import PriceTagService

private func get(_ path: String, _ more: String = "") -> String {
  "GET \(path) HTTP/1.1\r\nHost: a\r\n\(more)\r\n"
}

@Suite("Guarded channel", .serialized, .timeLimit(.minutes(20)))
struct GuardedChannelTests {
  @Test("Answers sequential and pipelined requests of a connection")
  func requests() async throws {
    try await GuardedServer.run { server in
      let client = try await RawClient.connect(port: server.port)
      for _ in 0..<3 {
        try await client.send(get("/3"))
        #expect(try await client.receive(40).text.hasSuffix("\r\n\r\nxxx"))
      }
      try await client.send(get("/3") + get("/4") + get("/5", "Connection: close\r\n"))
      let (text, hasEnded) = try await client.receive()
      #expect(text.components(of: "HTTP/1.1 200 OK") == 3)
      #expect(text.hasSuffix("\r\n\r\nxxxxx"))
      #expect(hasEnded)
      // The connection closes although the client keeps its side open.
      #expect(try await server.eventually { $0.open == 0 })
      #expect(server.log.withLockedValue { $0.refusals } == [])
    }
  }

  @Test("Answers HTTP/1.0 and closes the connection")
  func http10() async throws {
    try await GuardedServer.run { server in
      let client = try await RawClient.connect(port: server.port)
      try await client.send("GET /3 HTTP/1.0\r\n\r\n")
      #expect(RawClient.body(of: try await client.receive().text) == "xxx")
      #expect(try await server.eventually { $0.open == 0 })
    }
  }

  @Test("Answers a refused request and closes the connection")
  func refusal() async throws {
    try await GuardedServer.run { server in
      let client = try await RawClient.connect(port: server.port)
      try await client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
      let (text, hasEnded) = try await client.receive()
      #expect(text.hasPrefix("HTTP/1.1 505 "))
      #expect(RawClient.body(of: text) == "unsupported-http-version")
      #expect(hasEnded)
      #expect(try await server.eventually { $0.open == 0 && $0.refusals == ["unsupported-http-version"] })
    }
  }

  @Test("A client can read its refusal while it sends a large body")
  func refusalWhileSending() async throws {
    // Much longer than a slow machine needs to send the body. The client closes the connection earlier.
    try await GuardedServer.run({ $0.lingerSeconds = 60 }) { server in
      let client = try await RawClient.connect(port: server.port)
      try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n")
      for _ in 0..<50 { try await client.send(String(repeating: "a", count: 10_000)) }
      let text = try await client.receive().text
      #expect(text.hasPrefix("HTTP/1.1 413 "))
      #expect(RawClient.body(of: text) == "body-too-large")
      try await client.close()
    }
  }

  @Test("A client that has closed its side gets a large response completely")
  func halfClose() async throws {
    try await GuardedServer.run { server in
      let client = try await RawClient.connect(port: server.port)
      try await client.send(get("/8000000"))
      try await client.sendEnd()
      #expect(RawClient.body(of: try await client.receive().text).utf8.count == 8_000_000)
      #expect(try await server.eventually { $0.open == 0 })
    }
  }

  @Test("The last response of a connection is complete")
  func lastResponse() async throws {
    try await GuardedServer.run { server in
      let client = try await RawClient.connect(port: server.port)
      try await client.send(get("/8000000", "Connection: close\r\n"))
      #expect(RawClient.body(of: try await client.receive().text).utf8.count == 8_000_000)
      #expect(try await server.eventually { $0.open == 0 })
    }
  }

  @Test("A malformed body fails the application's request")
  func malformedBody() async throws {
    try await GuardedServer.run { server in
      let client = try await RawClient.connect(port: server.port)
      let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
      try await client.send(head)
      _ = try await client.receive(25)
      try await client.send("1\r\na\r\n0x1\r\n")
      let text = try await client.receive().text
      #expect(RawClient.body(of: text) == "malformed-chunk")
      #expect(text.components(of: "HTTP/1.1 ") == 1)
      #expect(try await server.eventually { $0.open == 0 && $0.bodies == ["failed"] })
    }
  }

  @Test("Sends 100 Continue once, and counts chunked bodies")
  func sendsContinueOnce() async throws {
    try await GuardedServer.run { server in
      let client = try await RawClient.connect(port: server.port)
      let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n"
      try await client.send(head + "Connection: close\r\n\r\n")
      #expect(try await client.receive(25).text == "HTTP/1.1 100 Continue\r\n\r\n")
      try await client.send("5\r\nabcde\r\n2\r\nfg\r\n0\r\n\r\n")
      let text = try await client.receive().text
      #expect(text.hasPrefix("HTTP/1.1 200 OK"))
      #expect(RawClient.body(of: text) == "7")
    }
  }

  @Test("A slow application does not cause a timeout of its client")
  func backPressure() async throws {
    try await GuardedServer.run({
      ($0.bodyBytes, $0.bodyGraceSeconds, $0.bodyWindowSeconds) = (20_000_000, 0, 1)
    }) { server in
      let client = try await RawClient.connect(port: server.port)
      let size = 12_000_000
      async let sent: Void = client.send(
        "POST /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(size)\r\n\r\n"
          + String(repeating: "a", count: size)
      )
      #expect(RawClient.body(of: try await client.receive().text) == "\(size)")
      try await sent
    }
  }

  @Test("A client that sends too slowly gets a timeout")
  func slowBody() async throws {
    try await GuardedServer.run({ ($0.bodyGraceSeconds, $0.bodyWindowSeconds) = (0, 1) }) { server in
      let client = try await RawClient.connect(port: server.port)
      try await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\na")
      #expect(RawClient.body(of: try await client.receive().text) == "request-timeout")
      #expect(try await server.eventually { $0.open == 0 && $0.bodies == ["failed"] })
    }
  }

  @Test("Closes a silent connection")
  func silence() async throws {
    try await GuardedServer.run({ $0.headSeconds = 1 }) { server in
      let client = try await RawClient.connect(port: server.port)
      let (text, hasEnded) = try await client.receive()
      #expect(text.hasPrefix("HTTP/1.1 408 "))
      #expect(hasEnded)
      #expect(try await server.eventually { $0.open == 0 && $0.refusals == ["request-timeout"] })
    }
  }

  @Test("Closes the connection of a client that does not read a large response")
  func slowReader() async throws {
    try await GuardedServer.run({ $0.writeStallSeconds = 1 }) { server in
      let socket = try NonReadingClient(port: server.port)
      defer { socket.close() }
      socket.send(get("/60000000"))
      #expect(try await server.eventually { $0.opened == 1 && $0.open == 0 })
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
