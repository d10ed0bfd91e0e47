import Foundation
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests how a service counts, logs and limits requests over sockets.
@Suite("Exchanges over sockets", .serialized, .timeLimit(.minutes(20)))
struct ExchangeTests {
  private static func get(_ path: String, _ more: String = "Connection: close\r\n") -> String {
    "GET \(path) HTTP/1.1\r\nHost: a\r\n\(more)\r\n"
  }

  @Test func logsEveryRequest() async throws {
    try await LoggedService.run { service in
      // Answered by the event loop, by the application, as a stream, and by the guard before and after the head.
      _ = try await service.answer(Self.get("/health", "User-Agent: x\u{1}y\r\nConnection: close\r\n"))
      _ = try await service.answer(Self.get("/health", "User-Agent: test\r\nConnection: close\r\n"))
      _ = try await service.answer(Self.get("/store/usa/en-us/"))
      let row = #"{"storefront":"JPN","amount":"1200"}"# + "\n"
      _ = try await service.answer(
        "POST /v1/batch HTTP/1.1\r\nHost: a\r\nContent-Length: \(row.utf8.count)\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n\(row)"
      )
      _ = try await service.answer("nonsense\r\n\r\n")
      _ = try await service.answer("POST /v1/format HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n")
      _ = try await service.answer(
        "POST /v1/format HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
      )
      #expect(try await service.eventually { $0.count >= 7 })
      let expected: [(path: String?, status: Int, hasBytes: Bool)] = [
        ("/health", 400, true), ("/health", 200, true), ("/store/usa/en-us/", 200, true),
        ("/v1/batch", 200, true), (nil, 400, true), ("/v1/format", 413, true), ("/v1/format", 400, true),
      ]
      let lines = service.lines.withLockedValue { $0 }
      try #require(lines.count == expected.count, "\(lines)")
      for (line, expected) in zip(lines, expected) {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["path"] as? String == expected.path, "\(line)")
        #expect(object["status"] as? Int == expected.status, "\(line)")
        #expect((object["bytes"] as? Int ?? 0) > 0, "\(line)")
        #expect(object["client"] as? String == "127.0.0.1")
        #expect(object["requestId"] is String && object["milliseconds"] is Double)
      }
      #expect(service.metrics.text.contains("pricetag_http_requests_in_flight 0\n"))
    }
  }

  @Test func limitsRequestRateOfClient() async throws {
    try await LoggedService.run {
      $0.requestsPerSecondPerClient = 1
      $0.allowedOrigins = ["https://shop.example"]
    } _: { service in
      let text = try await service.answer(
        String(repeating: Self.get("/health", "Origin: https://shop.example\r\n"), count: 19)
          + Self.get("/health")
      )
      // A slow machine may answer some requests later than a second after the one before.
      let refused = text.ranges(of: "HTTP/1.1 429 Too Many Requests").count
      #expect(text.hasPrefix("HTTP/1.1 200 OK") && refused > 0, "\(text)")
      #expect(text.ranges(of: "HTTP/1.1 200 OK").count == 20 - refused)
      #expect(text.contains("Retry-After: 1\r\n") && text.contains(#""code":"too-many-requests""#))
      #expect(text.contains("Access-Control-Allow-Origin: https://shop.example\r\n"))
      let metrics = service.metrics.text
      #expect(
        metrics.contains("pricetag_http_refusals_total{code=\"too-many-requests\"} \(refused)\n")
      )
      // The body of a refused request is dropped, and the connection stays open.
      let posting = try await RawClient.connect(port: service.port)
      let body = #"{"prices":[]}"#
      let post = "POST /v1/format HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      for (request, status) in [(post, "HTTP/1.1 429 "), (Self.get("/health", ""), "HTTP/1.1 200 OK")] {
        var text = ""
        while !text.contains(status) {
          try await posting.send(request)
          text += try await posting.receive(20).text
          try await Task.sleep(for: .milliseconds(30))
        }
      }
      try await posting.send(Self.get("/health"))
      #expect(try await posting.receive().hasEnded)
    }
  }

  @Test func trustedProxyNamesTheClient() async throws {
    try await LoggedService.run {
      $0.requestsPerSecondPerClient = 1
      $0.trustedProxies = [(try? AddressRange("127.0.0.0/8"))].compactMap { $0 }
    } _: { service in
      // Each of two clients may send a request, and the first one sends too many.
      let requests = ([1, 2] + Array(repeating: 1, count: 17)).map {
        Self.get("/health", "X-Forwarded-For: 1.1.1.1, 198.51.100.\($0)\r\n")
      }
      let text = try await service.answer(
        requests.joined() + Self.get("/health", "X-Forwarded-For: 198.51.100.1\r\nConnection: close\r\n")
      )
      let statuses = text.matches(of: /HTTP\/1\.1 ([0-9]{3})/).map { String($0.1) }
      #expect(statuses.count == 20 && statuses.prefix(2) == ["200", "200"], "\(statuses)")
      #expect(statuses.contains("429"))
      #expect(try await service.eventually { $0.count == 20 })
      #expect(service.lines.withLockedValue { $0.allSatisfy { $0.contains(#""client":"198.51.100."#) } })
    }
  }

  @Test func limitsConnectionsOfClient() async throws {
    try await LoggedService.run {
      $0.connectionsPerClient = 2
    } _: { service in
      var open: [RawClient] = []
      for _ in 0..<2 {
        let client = try await RawClient.connect(port: service.port)
        try await client.send(Self.get("/health", ""))
        #expect(try await client.receive(20).text.hasPrefix("HTTP/1.1 200 "))
        open.append(client)
      }
      // A client that sends no request within a second gets no response, which may happen on a slow machine.
      var refused = ""
      for _ in 0..<600 where refused.isEmpty { refused = try await service.answer(Self.get("/health")) }
      #expect(refused.hasPrefix("HTTP/1.1 429 ") && refused.contains("\r\nRetry-After: 1\r\n"))
      #expect(refused.contains(#""code":"too-many-connections""#) && refused.contains("\r\nDate: "))
      // A connection beyond the limit is closed even if it sends nothing.
      let (text, hasEnded) = try await RawClient.connect(port: service.port).receive()
      #expect(text.isEmpty && hasEnded)
      // A closed connection makes room for another one.
      try await open.removeLast().close()
      var answer = ""
      for _ in 0..<20_000 where !answer.hasPrefix("HTTP/1.1 200 ") {
        try await Task.sleep(for: .milliseconds(30))
        answer = try await service.answer(Self.get("/health"))
      }
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      for client in open { try await client.close() }
    }
  }

  @Test func newConnectionReplacesIdleOne() async throws {
    try await LoggedService.run {
      $0.connections = 2
    } _: { service in
      let idle = try await RawClient.connect(port: service.port)
      try await idle.send(Self.get("/health", ""))
      #expect(try await idle.receive(40).text.hasPrefix("HTTP/1.1 200 "))
      let uploading = try await RawClient.connect(port: service.port)
      try await uploading.send("POST /v1/format HTTP/1.1\r\nHost: a\r\nContent-Length: 13\r\n\r\n{")
      #expect(try await service.answer(Self.get("/health")).hasPrefix("HTTP/1.1 200 "))
      #expect(try await idle.receive().hasEnded)
      try await uploading.send(#""prices":[]}"#)
      #expect(try await uploading.receive(40).text.hasPrefix("HTTP/1.1 200 "))
      let metrics = service.metrics.text
      #expect(metrics.contains("pricetag_http_connections_max 2\n"))
      #expect(metrics.contains("pricetag_http_connections_replaced_total 1\n"))
    }
  }

  @Test func refusesConnectionIfAllHaveRequests() async throws {
    try await LoggedService.run {
      $0.connections = 1
    } _: { service in
      let uploading = try await RawClient.connect(port: service.port)
      try await uploading.send(
        "POST /v1/format HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 13\r\n\r\n"
      )
      #expect(try await uploading.receive(25).text.hasPrefix("HTTP/1.1 100 "))
      // A client that sends no request within a second gets no response, which may happen on a slow machine.
      var refused = ""
      for _ in 0..<600 where refused.isEmpty { refused = try await service.answer(Self.get("/health")) }
      #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("\r\nRetry-After: 1\r\n"), "\(refused)")
      #expect(refused.contains(#""code":"out-of-connections""#))
      try await uploading.send(#"{"prices":[]}"#)
      #expect(try await uploading.receive(40).text.hasPrefix("HTTP/1.1 200 "))
    }
  }

  /// The guard's responses have the same fields as the application's.
  @Test func refusalsHaveFieldsOfResponses() async throws {
    try await LoggedService.run {
      $0.allowedOrigins = ["https://shop.example"]
    } _: { service in
      let origin = "Origin: https://shop.example\r\n"
      let requests: [(name: String, request: String, status: Int, hasOrigin: Bool)] = [
        ("a malformed line", "nonsense\r\n\r\n", 400, false),
        ("a bad host", "GET / HTTP/1.1\r\n\(origin)Host: [\r\n\r\n", 400, true),
        (
          "a large body", "POST /v1/format HTTP/1.1\r\nHost: a\r\n\(origin)Content-Length: 9999999\r\n\r\n",
          413, true
        ),
        (
          "another origin",
          "POST /v1/format HTTP/1.1\r\nHost: a\r\nOrigin: https://b.example\r\nContent-Length: 9999999\r\n\r\n",
          413, false
        ),
        (
          "a large head", "GET / HTTP/1.1\r\n\(origin)A: \(String(repeating: "a", count: 20_000))\r\n\r\n",
          431, true
        ),
      ]
      for (name, request, status, hasOrigin) in requests {
        let answer = try await service.answer(request)
        let head = answer.prefix(while: { $0 != "{" })
        #expect(head.hasPrefix("HTTP/1.1 \(status) "), "\(name): \(answer)")
        #expect(head.contains(/\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/), "\(name)")
        #expect(
          head.contains("\r\nX-Content-Type-Options: nosniff\r\n") && head.contains("\r\nVary: Origin\r\n")
        )
        #expect(
          head.contains("\r\nAccess-Control-Allow-Origin: https://shop.example\r\n") == hasOrigin,
          "\(name)"
        )
      }
    }
    try await LoggedService.run {
      $0.limits.headSeconds = 1
      $0.allowedOrigins = ["*"]
    } _: { service in
      let answer = try await service.answer("GET / HTTP/1.1\r\nOrigin: https://a.example\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("\r\nAccess-Control-Allow-Origin: *\r\n"))
    }
  }

  /// Responses from the event loop and from the application keep the order of pipelined requests, which arrive in chunks of
  /// different sizes.
  @Test(arguments: [1, 7, 1 << 16]) func responsesKeepTheirOrder(_ size: Int) async throws {
    // A long time, because sending single bytes is slow on a busy machine.
    try await LoggedService.run {
      $0.limits.bodyGraceSeconds = 600
    } _: { service in
      let client = try await RawClient.connect(port: service.port)
      var sent = ""
      for number in 0..<12 {
        let row = "{\"storefront\":\"USA\",\"amount\":\"\(number)\",\"n\":\(number)}"
        // The application answers every third request.
        let (path, body) = number % 3 == 2 ? ("/v1/batch", row) : ("/v1/format", "{\"prices\":[\(row)]}")
        let closing = number == 11 ? "Connection: close\r\n" : ""
        sent +=
          "POST \(path) HTTP/1.1\r\nHost: x\r\n\(closing)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
      }
      var rest = Substring(sent)
      while !rest.isEmpty {
        try await client.send(String(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      let (text, hasEnded) = try await client.receive()
      #expect(hasEnded)
      #expect(text.matches(of: /HTTP\/1.1 200 OK/).count == 12)
      let numbers = text.matches(of: /"n":([0-9]+),"display":"\$([0-9]+)\.00"/).map { ($0.1, $0.2) }
      #expect(numbers.map { String($0.0) } == (0..<12).map { "\($0)" })
      #expect(numbers.allSatisfy { $0.0 == $0.1 })
      try await client.close()
    }
  }
}
