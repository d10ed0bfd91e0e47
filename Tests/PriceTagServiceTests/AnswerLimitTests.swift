import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PriceTag
import ServedShop
import Testing

@testable import PriceTagService

/// No request makes the service write, compute or hold more than it is allowed.
@Suite(.serialized) struct AnswerLimitTests {
  /// Messages whose texts are long together, or one by one.
  static func messages(_ count: Int, _ arguments: Int, _ length: Int) -> String {
    let message =
      "{\"message\":\"\(String(repeating: "{a}", count: arguments))\",\"args\":{\"a\":\"\(String(repeating: "x", count: length))\"}}"
    return "{\"messages\":[\(repeatElement(message, count: count).joined(separator: ","))]}"
  }
  static let row = #"{"storefront":"JPN","amount":"1200"}"#

  /// Requests, the bytes that their answers may have, and what they are answered with.
  static let requests: [(path: String, body: String?, limit: Int, status: Int, code: String?)] = [
    ("/v1/messages", messages(3, 10, 10), 1 << 20, 200, nil),
    ("/v1/messages", messages(64, 400, 4000), 16 << 20, 422, "answer-too-large"),
    ("/v1/messages", messages(1, 4000, 4000), 8 << 20, 422, "answer-too-large"),
    ("/v1/messages", messages(1, 5000, 4000), 64 << 20, 200, nil),
    (
      "/v1/format", "{\"prices\":[\(repeatElement(row, count: 200).joined(separator: ","))]}", 1024, 422,
      "answer-too-large"
    ),
    (
      "/v1/products", #"{"storefront":"USA","productIdentifiers":["car","coins"]}"#, 1024, 422,
      "answer-too-large"
    ),
    ("/v1/products", #"{"storefront":"USA","productIdentifiers":["car","coins"]}"#, 1 << 20, 200, nil),
    ("/store/usa/en-us/", nil, 1024, 500, "answer-too-large"), ("/store/usa/en-us/", nil, 1 << 20, 200, nil),
  ]

  @Test(arguments: requests)
  func longAnswersAreEnded(_ request: (path: String, body: String?, limit: Int, status: Int, code: String?))
    async throws
  {
    let answer = try await ServedShopFixture().ask(
      request.body == nil ? .get : .post,
      request.path,
      [:],
      request.body
    ) { $0.answerBytes = request.limit }
    #expect(answer.status.code == request.status, "\(answer.text.prefix(300))")
    if let code = request.code { #expect(answer.text.contains("\"code\":\"\(code)\"")) }
  }

  // MARK: Memory of bodies

  /// Parts of rows that wait for the rest of them take memory of one budget.
  @Test func unfinishedRowsShareABudget() async throws {
    let budget = ByteBudget(limit: 1000)
    let metrics = ServiceMetrics(PrometheusMetrics(help: ServiceMetrics.help))
    let pool = RowFormatterPool(try ServedShopFixture().source())
    func stream() -> RowStream {
      RowStream(pool, RowFormatterPool.Kind(), metrics, BufferReservation(budget))
    }
    let start = ByteBuffer(string: "{\"a\":\"" + String(repeating: "x", count: 594))
    do {
      let (first, second) = (stream(), stream())
      #expect(try await first.take(start) == nil)
      #expect(budget.usedByteCount == 600)
      // There is no memory for another one: it is answered as rejected, and read over.
      let refused = try #require(try await second.take(start))
      #expect(String(buffer: refused).contains(#""code":"out-of-buffers""#))
      #expect(String(buffer: refused).contains(#""line":1"#))
      #expect(try await second.take(start) == nil)
      let rest = try #require(try await second.take(ByteBuffer(string: "\"}\n\(Self.row)\n")))
      #expect(String(buffer: rest).contains(#""display":"￥1,200""#))
      #expect(try await first.take(ByteBuffer(string: "\"}\n")) != nil)
      #expect(budget.usedByteCount == 0)
      #expect(try await first.take(start) == nil)
    }
    // A stream that ends gives back what it has.
    #expect(budget.usedByteCount == 0)
  }

  /// Requests while others take the budget.
  @Test(arguments: ["/v1/format", "/v1/batch", "/v1/messages", "/v1/products"])
  func bodiesWithoutMemoryAreRefused(_ path: String) async throws {
    let service = try ServedShopFixture().service { $0.bufferedBytes = 1000 }
    let others = BufferReservation(service.responder.buffers)
    #expect(others.resize(to: 1000))
    let refused = try await service.ask(.post, path, [:], "{\"prices\":[\(Self.row)]}")
    #expect(refused.status == .serviceUnavailable && refused.headers[.retryAfter] == "1")
    #expect(refused.text.contains(#""code":"out-of-buffers""#))
    #expect(try await service.ask(.get, "/health").status == .ok)
    #expect(others.resize(to: 0))
    #expect(try await service.ask(.post, path, [:], "{}").status != .serviceUnavailable)
    #expect(service.responder.buffers.usedByteCount == 0)
  }

  @Test func longAnswersCountUntilTheyHaveGoneOut() async throws {
    let service = try ServedShopFixture().service { $0.bufferedBytes = 2 << 20 }
    let refused = try await service.ask(.post, "/v1/messages", [:], Self.messages(1, 1000, 4000))
    #expect(refused.status == .serviceUnavailable)
    let answer = try await service.ask(.post, "/v1/messages", [:], Self.messages(1, 200, 4000))
    #expect(answer.status == .ok)
    #expect(service.responder.buffers.usedByteCount == 0)
  }
}
