import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import ServedShop
import Testing

@testable import PriceTagService

/// What a connection answers by itself, and what it leaves to the application.
@Suite(.serialized) struct ImmediateAnswerTests {
  typealias Asked = (
    method: HTTPRequest.Method, path: String, headers: HTTPFields, body: [String], status: Int?
  )

  static let row = #"{"storefront":"JPN","amount":"1200"}"#
  static func rows(_ count: Int) -> String {
    "{\"prices\":[" + repeatElement(row, count: count).joined(separator: ",") + "]}"
  }

  /// Requests, their bodies in pieces, and the status that they are answered with at once; `nil` for the application's.
  static let asked: [Asked] = [
    (.post, "/v1/format", [:], [rows(1)], 200),
    (.post, "/v1/format", [.contentType: "application/json"], [#"{"prices"#, "\":[\(row)", "]}"], 200),
    (.post, "/v1/format", [.acceptEncoding: "gzip"], [rows(100)], 200),
    (.post, "/v1/format", [:], [#"{"prices":[{"storefront":"JPN"}]}"#], 200),
    (.post, "/v1/format", [:], [#"{"prices":[1 2]}"#], 400), (.post, "/v1/format", [:], [], 400),
    (.post, "/v1/format", [.contentType: "text/plain"], [rows(1)], 415),
    (.post, "/v1/format", [:], [#"{"prices":7}"#], 422),
    // Long in rows, or in bytes.
    (.post, "/v1/format", [:], [rows(129)], nil),
    (.post, "/v1/format", [:], [rows(1), String(repeating: " ", count: 1 << 14)], nil),
    (.post, "/v1/format?a=1", [:], [rows(1)], nil), (.post, "/v1/batch", [:], [row], nil),
    (.post, "/v1/products", [:], ["{}"], nil), (.post, "/v1/messages", [:], ["{}"], nil),
    (.get, "/health", [:], [], 200), (.head, "/health", [:], [], 200), (.get, "/ready", [:], [], 200),
    (.get, "/health", [.contentLength: "1"], ["a"], nil), (.get, "/v1/format", [:], [], 405),
    (.get, "/v1/nothing", [:], [], 404), (.get, "/docs/", [:], [], 308),
    (.options, "/v1/format", [:], [], nil),
    (.get, "/metrics", [:], [], nil), (.get, "/", [:], [], nil), (.get, "/store/usa/", [:], [], nil),
    // What is kept, and what is not.
    (.get, "/v1/storefronts", [:], [], 200), (.head, "/v1/storefronts", [:], [], 200),
    (.get, "/store/usa/en-us/", [.acceptEncoding: "gzip"], [], 200), (.get, "/store/jpn/ja/", [:], [], nil),
  ]

  @Test(arguments: asked) func shortAnswersAreGivenAtOnce(_ asked: Asked) async throws {
    // However slow the machine is.
    let service = try ServedShopFixture().service { $0.immediateAnswerTime = .seconds(60) }
    for kept in ["/v1/storefronts", "/store/usa/en-us/"] { _ = try await service.ask(.get, kept) }
    let channel = Self.connection(to: service)
    let head = HTTPRequest(
      method: asked.method,
      scheme: "http",
      authority: "x",
      path: asked.path,
      headerFields: asked.headers
    )
    try channel.writeInbound(HTTPRequestPart.head(head))
    for piece in asked.body { try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: piece))) }
    try channel.writeInbound(HTTPRequestPart.end(nil))

    var passed: [HTTPRequestPart] = []
    while let part = try channel.readInbound(as: HTTPRequestPart.self) { passed.append(part) }
    var written: [HTTPResponsePart] = []
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) { written.append(part) }
    guard let status = asked.status else {
      #expect(written.isEmpty)
      #expect(passed.first == .head(head) && passed.last == .end(nil))
      let bodies = passed.dropFirst().dropLast().map { part in
        if case .body(let buffer) = part { String(buffer: buffer) } else { "?" }
      }
      #expect(bodies.joined() == asked.body.joined())
      return
    }
    #expect(passed.isEmpty)
    guard case .head(let answer)? = written.first, written.last == .end(nil) else {
      Issue.record("no answer: \(written)")
      return
    }
    #expect(answer.status.code == status)
    #expect(answer.headerFields[.date].flatMap { HTTPDate($0) } != nil)
    #expect(answer.headerFields[.requestID]?.utf8.count == 16)
    // The application says the same.
    let usual = try await service.ask(asked.method, asked.path, asked.headers, asked.body.joined())
    #expect(Self.lines(answer.headerFields) == Self.lines(usual.headers))
    var body = ByteBuffer()
    for case .body(var piece) in written { body.writeBuffer(&piece) }
    let text = Self.lasting(String(buffer: body), answer.headerFields)
    #expect(text == Self.lasting(usual.text, usual.headers))
  }

  /// A connection that answers what it may, and keeps what it passes on.
  private static func connection(to service: PriceService) -> EmbeddedChannel {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let handler = ImmediateAnswerHandler(service.responder.immediateAnswers(logger))
    return EmbeddedChannel(handler: handler)
  }

  /// Contents without what is another each time.
  private static func lasting(_ text: String, _ headers: HTTPFields) -> String {
    text.replacing(headers[.requestID] ?? "", with: "").replacing(/"ageSeconds":[0-9]+/, with: "")
  }

  /// The fields of an answer that are the same each time.
  private static func lines(_ headers: HTTPFields) -> [String] {
    headers.filter { $0.name != .date && $0.name != .requestID }.map(\.description).sorted()
  }

  /// A request that is not complete when its client sends no more is the application's; so is one
  /// of a client that does not take its answers.
  @Test func theApplicationWaits() async throws {
    let service = try ServedShopFixture().service()
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
