import Hummingbird
import HummingbirdTesting
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests the order of responses from the event loop and from the application.
@Suite struct AnswerOrderTests {
  /// Sends pipelined requests over a socket, in chunks of different sizes.
  @Test(arguments: [1, 7, 1 << 16]) func responsesKeepTheirOrder(_ size: Int) async throws {
    let service = try ServiceFixture().service {
      // Long times, because sending single bytes is slow on a busy machine.
      ($0.limits.headSeconds, $0.limits.bodyGraceSeconds) = (600, 600)
    }
    try await service.application().test(.live) { client in
      let port = try #require(client.port)
      let connection = try await RawClient.connect(port: port)
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
        try await connection.send(String(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      let (text, hasEnded) = try await connection.receive()
      #expect(hasEnded)
      #expect(text.matches(of: /HTTP\/1.1 200 OK/).count == 12)
      let numbers = text.matches(of: /"n":([0-9]+),"display":"\$([0-9]+)\.00"/).map { ($0.1, $0.2) }
      #expect(numbers.map { String($0.0) } == (0..<12).map { "\($0)" })
      #expect(numbers.allSatisfy { $0.0 == $0.1 })
      try await connection.close()
    }
  }
}
