import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests which requests a connection's event loop answers, and which it forwards to the application.
@Suite(.serialized) struct ImmediateAnswerTests {
  typealias Example = (
    method: HTTPRequest.Method, path: String, headers: HTTPFields, body: [String], status: Int?
  )

  static let row = #"{"storefront":"JPN","amount":"1200"}"#
  static func rows(_ count: Int) -> String {
    "{\"prices\":[" + repeatElement(row, count: count).joined(separator: ",") + "]}"
  }

  /// Requests with bodies in chunks, and the status of the immediate response; `nil` if the application answers.
  static let requests: [Example] = [
    (.post, "/v1/format", [:], [rows(1)], 200),
    (.post, "/v1/format", [.contentType: "application/json"], [#"{"prices"#, "\":[\(row)", "]}"], 200),
    (.post, "/v1/format", [.acceptEncoding: "gzip"], [rows(100)], 200),
    (.post, "/v1/format", [:], [#"{"prices":[{"storefront":"JPN"}]}"#], 200),
    (.post, "/v1/format", [:], [#"{"prices":[1 2]}"#], 400), (.post, "/v1/format", [:], [], 400),
    (.post, "/v1/format", [.contentType: "text/plain"], [rows(1)], 415),
    (.post, "/v1/format", [:], [#"{"prices":7}"#], 422),
    // Too many rows, or too many bytes.
    (.post, "/v1/format", [:], [rows(129)], nil),
    (.post, "/v1/format", [:], [rows(1), String(repeating: " ", count: 1 << 14)], nil),
    (.post, "/v1/format?a=1", [:], [rows(1)], nil), (.post, "/v1/batch", [:], [row], nil),
    (.post, "/v1/products", [:], ["{}"], nil), (.post, "/v1/messages", [:], ["{}"], nil),
    (.get, "/health", [:], [], 200), (.head, "/health", [:], [], 200), (.get, "/ready", [:], [], 200),
    (.get, "/health", [.contentLength: "1"], ["a"], nil), (.get, "/v1/format", [:], [], 405),
    (.get, "/v1/nothing", [:], [], 404), (.get, "/docs/", [:], [], 308),
    (.options, "/v1/format", [:], [], nil),
    (.get, "/metrics", [:], [], nil), (.get, "/", [:], [], nil), (.get, "/store/usa/", [:], [], nil),
    // Cached answers, and one that is not cached.
    (.get, "/v1/storefronts", [:], [], 200), (.head, "/v1/storefronts", [:], [], 200),
    (.get, "/store/usa/en-us/", [.acceptEncoding: "gzip"], [], 200), (.get, "/store/jpn/ja/", [:], [], nil),
  ]

  @Test(arguments: requests) func answersShortRequestsImmediately(_ request: Example) async throws {
    // A long time, so that the result does not depend on the machine's speed.
    let service = try ServiceFixture().service { $0.immediateAnswerTime = .seconds(60) }
    for path in ["/v1/storefronts", "/store/usa/en-us/"] { _ = try await service.send(.get, path) }
    let channel = Self.connection(to: service)
    let head = HTTPRequest(
      method: request.method,
      scheme: "http",
      authority: "x",
      path: request.path,
      headerFields: request.headers
    )
    try channel.writeInbound(HTTPRequestPart.head(head))
    for chunk in request.body { try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: chunk))) }
    try channel.writeInbound(HTTPRequestPart.end(nil))

    var forwarded: [HTTPRequestPart] = []
    while let part = try channel.readInbound(as: HTTPRequestPart.self) { forwarded.append(part) }
    var written: [HTTPResponsePart] = []
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) { written.append(part) }
    guard let status = request.status else {
      #expect(written.isEmpty)
      #expect(forwarded.first == .head(head) && forwarded.last == .end(nil))
      let bodies = forwarded.dropFirst().dropLast().map { part in
        if case .body(let buffer) = part { String(buffer: buffer) } else { "?" }
      }
      #expect(bodies.joined() == request.body.joined())
      return
    }
    #expect(forwarded.isEmpty)
    guard case .head(let answer)? = written.first, written.last == .end(nil) else {
      Issue.record("no answer: \(written)")
      return
    }
    #expect(answer.status.code == status)
    #expect(answer.headerFields[.date].flatMap { HTTPDate($0) } != nil)
    #expect(answer.headerFields[.requestID]?.utf8.count == 16)
    // The application gives the same answer.
    let expected = try await service.send(
      request.method,
      request.path,
      request.headers,
      request.body.joined()
    )
    #expect(Self.stableFields(answer.headerFields) == Self.stableFields(expected.headers))
    var body = ByteBuffer()
    for case .body(var chunk) in written { body.writeBuffer(&chunk) }
    let text = Self.stableText(String(buffer: body), answer.headerFields)
    #expect(text == Self.stableText(expected.text, expected.headers))
  }

  /// Creates a connection with the handler.
  private static func connection(to service: PriceService) -> EmbeddedChannel {
    let handler = ImmediateAnswerHandler(service.responder.immediateAnswers(.silent))
    return EmbeddedChannel(handler: handler)
  }

  /// Returns a body without the parts that differ in each response.
  private static func stableText(_ text: String, _ headers: HTTPFields) -> String {
    text.replacing(headers[.requestID] ?? "", with: "").replacing(/"ageSeconds":[0-9]+/, with: "")
  }

  /// Returns the header fields that are the same in each response.
  private static func stableFields(_ headers: HTTPFields) -> [String] {
    headers.filter { $0.name != .date && $0.name != .requestID }.map(\.description).sorted()
  }

  /// The application answers a request that is incomplete at the end of input, and requests of a client that does not
  /// read.
  @Test func forwardsRequestsThatMustWait() async throws {
    let service = try ServiceFixture().service()
    let events: [(any Sendable)?] = [ChannelEvent.inputClosed, nil]
    for event in events {
      let channel = Self.connection(to: service)
      let head = HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/v1/format")
      let rows = ByteBuffer(string: Self.rows(1))
      try channel.writeInbound(HTTPRequestPart.head(head))
      try channel.writeInbound(HTTPRequestPart.body(rows))
      #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
      if let event {
        channel.pipeline.fireUserInboundEventTriggered(event)
      } else {
        channel.isWritable = false
      }
      try channel.writeInbound(HTTPRequestPart.end(nil))
      for part in [HTTPRequestPart.head(head), .body(rows), .end(nil)] {
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == part)
      }
      #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    }
  }
}
