import Foundation
import HTTPTypes
import NIOCore
import PriceTag
import PriceTagBatch
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests the limits of response size, CPU time and memory.
@Suite(.serialized) struct AnswerLimitTests {
  /// Returns a body with `count` messages, each with `arguments` arguments of `length` characters.
  static func messages(_ count: Int, _ arguments: Int, _ length: Int) -> String {
    let message =
      "{\"message\":\"\(String(repeating: "{a}", count: arguments))\",\"args\":{\"a\":\"\(String(repeating: "x", count: length))\"}}"
    return "{\"messages\":[\(repeatElement(message, count: count).joined(separator: ","))]}"
  }
  static let row = #"{"storefront":"JPN","amount":"1200"}"#

  /// Requests with the maximum size of their responses, and the expected status and code.
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
  func limitsResponseSize(_ request: (path: String, body: String?, limit: Int, status: Int, code: String?))
    async throws
  {
    let answer = try await ServiceFixture().send(
      request.body == nil ? .get : .post,
      request.path,
      [:],
      request.body
    ) { $0.answerBytes = request.limit }
    #expect(answer.status.code == request.status, "\(answer.text.prefix(300))")
    if let code = request.code { #expect(answer.text.contains("\"code\":\"\(code)\"")) }
  }

  // MARK: Memory of bodies

  @Test func incompleteRowsShareABudget() async throws {
    let budget = ByteBudget(limit: 1000)
    let metrics = ServiceMetrics()
    let pool = RowFormatterPool(try ServiceFixture().source())
    func stream() -> RowStream {
      RowStream(pool, RowFormatterPool.Options(), metrics, BufferReservation(budget))
    }
    let start = ByteBuffer(string: "{\"a\":\"" + String(repeating: "x", count: 594))
    do {
      let (first, second) = (stream(), stream())
      #expect(try await first.append(start) == nil)
      #expect(budget.usedByteCount == 600)
      // The budget has no room for a second one, so it is rejected and skipped.
      let refused = try #require(try await second.append(start))
      #expect(String(buffer: refused).contains(#""code":"out-of-buffers""#))
      #expect(String(buffer: refused).contains(#""line":1"#))
      #expect(try await second.append(start) == nil)
      let rest = try #require(try await second.append(ByteBuffer(string: "\"}\n\(Self.row)\n")))
      #expect(String(buffer: rest).contains(#""display":"￥1,200""#))
      #expect(try await first.append(ByteBuffer(string: "\"}\n")) != nil)
      #expect(budget.usedByteCount == 0)
      #expect(try await first.append(start) == nil)
    }
    // A stream that ends releases its memory.
    #expect(budget.usedByteCount == 0)
  }

  /// Sends requests while others use the complete budget.
  @Test(arguments: ["/v1/format", "/v1/batch", "/v1/messages", "/v1/products"])
  func refusesBodyWithoutMemory(_ path: String) async throws {
    let service = try ServiceFixture().service { $0.bufferedBytes = 1000 }
    let others = BufferReservation(service.responder.buffers)
    #expect(others.resize(to: 1000))
    let refused = try await service.send(.post, path, [:], "{\"prices\":[\(Self.row)]}")
    #expect(refused.status == .serviceUnavailable && refused.headers[.retryAfter] == "1")
    #expect(refused.text.contains(#""code":"out-of-buffers""#))
    #expect(try await service.send(.get, "/health").status == .ok)
    #expect(others.resize(to: 0))
    #expect(try await service.send(.post, path, [:], "{}").status != .serviceUnavailable)
    #expect(service.responder.buffers.usedByteCount == 0)
  }

  /// Idle formatters are dropped when they take more than the bound, counted with what they have compiled.
  @Test func idleFormattersShareABound() throws {
    let source = try ServiceFixture().source()
    let rows = Array(
      source.localeData.storefronts.prefix(60).map { "{\"storefront\":\"\($0.id)\",\"amount\":\"1\"}\n" }
        .joined().utf8
    )
    let pool = RowFormatterPool(source, maximumByteCount: 5 << 20)
    var (newByteCount, largestByteCount) = (0, 0)
    for field in BatchField.allCases where field != .taxIncluded {
      var options = RowFormatterPool.Options()
      options.fields = [field]
      let before = pool.storedByteCount
      try pool.with(options) { formatter in
        newByteCount = formatter.storedByteCount
        formatter.format(rows) { $0.message }
        #expect(formatter.storedByteCount >= newByteCount + 60 * 4096)
      }
      largestByteCount = max(largestByteCount, pool.storedByteCount)
      // The pool has the formatter, alone or with the others.
      #expect(pool.storedByteCount > before || pool.storedByteCount < 2 << 20)
      try pool.with(options) { #expect($0.storedByteCount > newByteCount) }
    }
    #expect(largestByteCount <= 5 << 20 && largestByteCount > 3 << 20)
    let small = RowFormatterPool(source, maximumByteCount: newByteCount)
    let options = RowFormatterPool.Options()
    try small.with(options) { _ in }
    #expect(small.storedByteCount == newByteCount)
    try small.with(options) { formatter in _ = formatter.format(rows) { $0.message } }
    #expect(small.storedByteCount == 0)
  }

  @Test func releasesMemoryAfterResponse() async throws {
    let service = try ServiceFixture().service { $0.bufferedBytes = 2 << 20 }
    let refused = try await service.send(.post, "/v1/messages", [:], Self.messages(1, 1000, 4000))
    #expect(refused.status == .serviceUnavailable)
    let answer = try await service.send(.post, "/v1/messages", [:], Self.messages(1, 200, 4000))
    #expect(answer.status == .ok)
    #expect(service.responder.buffers.usedByteCount == 0)
  }
}
