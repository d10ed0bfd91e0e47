import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import PriceTag
import PriceTagBatch
import PriceTagSystem
import PriceTagText
import SeededNumbers
import ServiceFixtures
import Synchronization
import Testing

@testable import PriceTagService

/// Tests that `/v1/format` and `/v1/batch` produce the same bytes as the batch module.
@Suite struct FormatRouteTests {
  private static let json: HTTPFields = [.contentType: "application/json"]
  private static let lines: HTTPFields = [.contentType: "application/x-ndjson"]

  typealias Body = (body: String, status: Int, answer: String)

  static let bodies: [Body] = [
    (
      #"{"prices":[{"storefront":"JPN","amount":"1200"}]}"#, 200,
      #"{"prices":[{"storefront":"JPN","amount":"1200","display":"￥1,200"}]}"#
    ),
    // Line feeds in a row become spaces; otherwise it is unchanged.
    (
      "\n{ \"prices\" : [\n  {\r\n\"storefront\": \"DEU\",\n \"amount\": 4.990, \"x\": [1,\n{\"y\":null}] } \n, {\"storefront\":\"USA\",\"amount\":\"1\"}\t] }\n",
      200,
      "{\"prices\":[{\r \"storefront\": \"DEU\",  \"amount\": 4.990, \"x\": [1, {\"y\":null}],\"display\":\"4,99\u{A0}€\" },{\"storefront\":\"USA\",\"amount\":\"1\",\"display\":\"$1.00\"}]}"
    ),
    // An error replaces an invalid row, and the others are formatted.
    (
      #"{"prices":[{"storefront":"USB","amount":"1"},{"storefront":"USA","amount":"1"},7,{"storefront":"JPN","amount":"1.5"},{"storefront":"USA","amount":"1","display":""},{"storefront":"USA","amount":"1","amount":"2"}]}"#,
      200, #"},{"storefront":"USA","amount":"1","display":"$1.00"},{"error":{"code":"not-an-object","#
    ),
    (
      #"{"prices":[{"storefront":"USA","amount":"1"},{"storefront":"JPN","amount":"1.5"}]}"#, 200,
      #"{"error":{"code":"needs-rounding","message":"#
    ),
    (
      #"{"prices":[{"storefront":"JPN","amount":"1.5"}],"style":{"rounding":"half-even"}}"#, 200,
      #""display":"￥2"}]}"#
    ),
    (
      #"{"prices":[{"storefront":"USA","amount":"1"}],"fields":["spoken","parts"],"style":{"width":"iso","digits":"0","zeros":"trim"}}"#,
      200, #""spoken":"1 US dollar","parts":[{"type":""#
    ),
    (
      #"{"prices":[{"storefront":"USA","amountMinor":499}],"minorUnits":"stripe"}"#, 200,
      #""display":"$4.99""#
    ),
    (
      #"{"prices":[{"storefront":"BGR","amount":"1"}],"at":"2025-12-31"}"#, 200,
      #""display":"BGN\#u{A0}1.00""#
    ),
    (
      #"{"prices":[{"storefront":"USA","amount":"1","display":"x"}],"overwrite":true}"#, 200,
      #""display":"$1.00"}]}"#
    ),
    (
      #"{"prices":[{"storefront":"DEU","amount":"49,99"}],"decimalComma":true}"#, 200,
      #""amount":"49,99","display":"49,99\#u{A0}€"}]}"#
    ),
    (
      #"{"prices":[{"storefront":"USA","amount":"1234"}],"style":{"width":"hidden","sign":"except-zero","digits":"0-2","grouping":"never"}}"#,
      200, #""display":"+1234"}]}"#
    ),
    (
      #"{"prices":[{"storefront":"EGY","amount":"5"}],"style":{"numbering":"latn","sign":"negative"}}"#,
      200, #""display":"\#u{200F}5.00\#u{A0}ج.م.\#u{200F}"}]}"#
    ),
    (
      #"{"prices":[{"storefront":"DEU","amount":"0.99","amountTo":"4.99"}],"style":{"width":"iso"}}"#, 200,
      #""amountTo":"4.99","display":"0,99–4,99\#u{A0}EUR"}]}"#
    ),
    (
      #"{"prices":[{"storefront":"DEU","amount":"5","amountTo":"4.99"}]}"#, 200,
      #"{"error":{"code":"reversed-range","message":"the range starts at 5, above its end 4.99; swap the two","pointer":"/prices/0/amountTo"}}"#
    ),
    (
      #"{"prices":[{"storefront":"DEU","amount":"5.25","content":"0.75 L"},{"storefront":"DEU","amount":"1"}],"fields":["unitPrice"]}"#,
      200,
      #""display":"5,25\#u{A0}€","unitPrice":"7,00\#u{A0}€/l"},{"storefront":"DEU","amount":"1","display":"1,00\#u{A0}€","unitPrice":null}]}"#
    ),
    (
      #"{"prices":[{"storefront":"DEU","amount":"1","content":"3 kg"}],"fields":["unitPrice"]}"#, 200,
      #""code":"needs-rounding","message":"1 for 3 kg is not a multiple of 0.01 per kg; name a rounding mode such as half-up to allow rounding","pointer":"/prices/0/content"}}"#
    ),
    (
      #"{"prices":[{"storefront":"DEU","amount":"1","content":"1 kg","unitReference":"lb"}],"fields":["unitPrice"]}"#,
      200, #""code":"unit-mismatch""#
    ),
    (
      #"{"prices":[{"storefront":"DEU","amount":"100","installments":6}],"fields":["installment","lastInstallment"],"style":{"rounding":"half-up"}}"#,
      200, #""installment":"16,67\#u{A0}€","lastInstallment":"16,65\#u{A0}€"}]}"#
    ),
    (
      #"{"prices":[{"storefront":"DEU","amount":"100","installments":0}],"fields":["installment"]}"#, 200,
      #""code":"invalid-installments","message":"cannot divide an amount into 0 payments; use 1 to 1000000 payments","pointer":"/prices/0/installments"}}"#
    ),
    (
      #"{"prices":[{"storefront":"USA","amount":"1200000"}],"style":{"notation":"compact-short"}}"#, 200,
      #""display":"$1.2M"}]}"#
    ),
    (
      #"{"prices":[{"storefront":"JPN","amount":"500"}],"style":{"qualifier":"approximately"}}"#, 200,
      #""display":"約￥500"}]}"#
    ),
    (
      #"{"prices":[{"storefront":"HUN","amount":"8990"}],"style":{"writtenAs":"store-web"}}"#, 200,
      "HUF8,990.00"
    ),
    (
      #"{"prices":[{"storefront":"HUN","amount":"8990","writtenAs":"store-web"},{"storefront":"DEU","amount":"1"}]}"#,
      200, #""display":"HUF8,990.00"},{"storefront":"DEU","amount":"1","display":"1,00\#u{A0}€"}"#
    ),
    (
      #"{"prices":[{"storefront":"USA","amount":"5"}],"style":{"qualifier":"at-least","notation":null}}"#,
      200,
      #""display":"$5.00+"}]}"#
    ),
    // Invalid bodies.
    (#"{"prices":[{"storefront":"USA","amount":"1"}]"#, 400, #""code":"malformed-json""#),
    (#"{"prices":[{"storefront":"USA","amount":"1"}"#, 400, #""code":"malformed-json""#),
    (#"{"prices":[1,]}"#, 400, #""code":"malformed-json""#),
    (#"{"prices":[,1]}"#, 400, #""code":"malformed-json""#),
    (#"{"prices":[1 2]}"#, 400, #""code":"malformed-json""#),
    (#"{"prices":[{"a":1]]}"#, 400, #""code":"malformed-json""#),
    (#"{"prices":[{"a":tru}]}"#, 400, #""pointer":"/prices/0""#),
    ("{\"prices\":[{\"a\":\"\n\"}]}", 400, #""pointer":"/prices/0""#),
    ("{\"prices\":[{\"a\":\"\u{0}\"}]}", 400, #""code":"nul-byte""#),
    (#"{"prices":[]}x"#, 400, #""code":"malformed-json""#),
    (#"{"prices":[]}{}"#, 400, #""code":"malformed-json""#),
    (#"{"prices":[],"prices":[]}"#, 400, #""pointer":"/prices""#),
    (#"{"prices":[],}"#, 400, #""code":"malformed-json""#),
    (#"{"prices":}"#, 400, #""code":"malformed-json""#),
    (#"{"prices"#, 400, #""code":"malformed-json""#),
    (#"{"pri\"#, 400, #""code":"malformed-json""#),
    (#"{"prices":["\"#, 400, #""code":"malformed-json""#),
    ("{", 400, #""code":"malformed-json""#), ("", 400, #""code":"malformed-json""#),
    ("\u{FEFF}{\"prices\":[]}", 400, #""code":"malformed-json""#),
    ("[]", 422, #""code":"wrong-type""#), ("7", 422, #""code":"wrong-type""#),
    ("{}", 422, #""code":"missing-field""#),
    (#"{"prices":{}}"#, 422, #""pointer":"/prices""#), (#"{"prices":null}"#, 422, #""pointer":"/prices""#),
    (#"{"prices":[],"styel":{}}"#, 422, #"did you mean \"style\""#),
    (#"{"prices":[],"style":7}"#, 422, #""pointer":"/style""#),
    (#"{"prices":[],"style":{"width":"wide"}}"#, 422, #""pointer":"/style/width""#),
    (#"{"prices":[],"style":{"sign":"except"}}"#, 422, #""pointer":"/style/sign""#),
    (#"{"prices":[],"style":{"digits":"2-0"}}"#, 422, #""pointer":"/style/digits""#),
    (#"{"prices":[],"style":{"grouping":"nevr"}}"#, 422, #"did you mean \"never\""#),
    (
      #"{"prices":[],"style":{"numbering":"roman"}}"#, 422,
      #"unknown decimal numbering system \"roman\"","code":"invalid-option""#
    ),
    (#"{"prices":[],"style":{"notation":"compact"}}"#, 422, #""pointer":"/style/notation""#),
    (#"{"prices":[],"style":{"writtenAs":"store"}}"#, 422, #"\"store\" is not a form"#),
    (#"{"prices":[],"style":{"qualifier":"at-leat"}}"#, 422, #"did you mean \"at-least\""#),
    (#"{"prices":[],"style":{"numbering":7}}"#, 422, #""pointer":"/style/numbering""#),
    (#"{"prices":[],"fields":["spokn"]}"#, 422, #""pointer":"/fields/0""#),
    (#"{"prices":[],"fields":["html","html"]}"#, 422, #""pointer":"/fields/1""#),
    (#"{"prices":[],"minorUnits":"x"}"#, 422, #""pointer":"/minorUnits""#),
    (#"{"prices":[],"overwrite":"true"}"#, 422, #""pointer":"/overwrite""#),
    (#"{"prices":[1,2,3,4]}"#, 413, #""code":"too-many-items""#),
  ]

  @Test(arguments: bodies) func answersBody(_ body: Body) async throws {
    let answer = try await ServiceFixture().send(.post, "/v1/format", Self.json, body.body) {
      if body.status == 413 { $0.itemsPerRequest = 3 }
    }
    #expect(answer.status.code == body.status, "\(answer.text)")
    #expect(answer.text.contains(body.answer), "\(answer.text)")
    #expect(JSONValue(parsing: answer.text) != nil)
  }

  /// Compares random rows with the output of the batch module, row by row.
  @Test func rowsMatchBatch() async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.service { $0.itemsPerRequest = 100_000 }
    var random = SeededNumbers(seed: 8)
    let storefronts = LocaleData.embedded.storefronts.map(\.id) + ["USB", "", "us"]
    let rows = (0..<2000).map { number -> String in
      let storefront = storefronts[Int.random(in: 0..<storefronts.count, using: &random)]
      let amount = "\(Int.random(in: -99...99_999, using: &random)).\(Int.random(in: 0...99, using: &random))"
      return #"{"id":\#(number),"storefront":"\#(storefront)","amount":"\#(amount)","at":"2026-11-21"}"#
    }
    let (formatted, rejects) = try Batch().format(rows.joined(separator: "\n"))
    var lines = formatted.split(separator: "\n").map(String.init)
    for reject in rejects { lines.insert("", at: reject.line - 1) }
    let expected = lines
    let answer = try await service.post("/v1/format", #"{"prices":[\#(rows.joined(separator: ","))]}"#)
    guard case .object(let object)? = JSONValue(parsing: answer.text),
      case .array(let prices)? = object["prices"]
    else { throw CocoaError(.fileReadCorruptFile) }
    try #require(prices.count == rows.count)
    #expect(rejects.count > 20 && rejects.count < 1900)
    // Formatted rows have the same bytes.
    let good = expected.indices.filter { !expected[$0].isEmpty }
    for index in good { #expect(answer.text.contains(expected[index])) }
    let answers = try await service.send(.post, "/v1/batch", Self.lines, rows.joined(separator: "\n")).text
      .split(separator: "\n")
    try #require(answers.count == rows.count)
    for index in good { #expect(answers[index] == expected[index]) }
    for reject in rejects {
      #expect(answers[reject.line - 1].hasPrefix(#"{"error":{"code":"\#(reject.code)","#))
      #expect(answers[reject.line - 1].contains(#""line":\#(reject.line),"row":"#))
    }
  }

  /// Random changes of a body's bytes lead to a problem, or to as many lines as there are rows.
  @Test func randomBodiesAreProblemsOrRows() throws {
    var random = SeededNumbers(seed: 9)
    let good = Array(
      #"{"style":{"width":"iso"},"prices":[{"a":"\"\u00e9]","b":[1,{"c":null}]},7, "x"\n,{}],"at":null}"#.utf8
    )
    var (problems, bodies) = (0, 0)
    for _ in 0..<20_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let offset = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[offset] = [UInt8](#"{}[]",:\0"#.utf8).randomElement(using: &random) ?? 0
        case 1: bytes.remove(at: offset)
        default: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0...8, using: &random)))
        }
      }
      let body = bytes.withUnsafeBufferPointer { bytes in
        Result { () throws(Problem) in try RowsBody(bytes, rows: "prices", maximumRowCount: 100) }
      }
      switch body {
      case .failure(let problem):
        problems += 1
        #expect((400..<500).contains(problem.status.code))
      case .success(let rows):
        bodies += 1
        #expect(rows.lines.count { $0 == 0x0A } == rows.rowCount)
      }
    }
    #expect(problems > 1000 && bodies > 100)
  }

  // MARK: Streams

  @Test(arguments: [1, 2, 3, 7, 64, 1000]) func outputDoesNotDependOnChunkSize(_ size: Int) async throws {
    let rows =
      "\u{FEFF}{\"storefront\":\"JPN\",\"amount\":\"1200\"}\r\n\n{\"storefront\":\"DEU\",\"amount\":\"1\",\"n\":\"é\"}\nx\n\u{0}\n{\"storefront\":\"USA\",\"amount\":1}"
    let formatters = try RowFormatterPool(ServiceFixture().source())
    let metrics = ServiceMetrics()
    func answer(_ size: Int) async throws -> String {
      let stream = RowStream(formatters, .init(), metrics, BufferReservation(ByteBudget(limit: 1 << 30)))
      var text = ""
      let bytes = Array(rows.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        let chunk = ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)])
        text += (try await stream.append(chunk)).map { String(buffer: $0) } ?? ""
      }
      return text + (try await stream.finish().map { String(buffer: $0) } ?? "")
    }
    let output = try await answer(size)
    #expect(try await output == answer(rows.utf8.count))
    let lines = output.split(whereSeparator: \.isNewline)
    try #require(lines.count == 5)
    #expect(lines[0] == #"{"storefront":"JPN","amount":"1200","display":"￥1,200"}"#)
    #expect(lines[2].contains(#""code":"malformed-json""#) && lines[2].contains(#""line":4,"row":"x""#))
    #expect(lines[3].contains(#""code":"nul-byte""#))
    #expect(lines[4] == #"{"storefront":"USA","amount":1,"display":"$1.00"}"#)
  }

  /// A row that is too long does not stay in memory, and the next row is formatted.
  @Test func skipsTooLongRow() async throws {
    let formatters = try RowFormatterPool(ServiceFixture().source())
    let metrics = ServiceMetrics()
    let stream = RowStream(formatters, .init(), metrics, BufferReservation(ByteBudget(limit: 1 << 30)))
    var text = ""
    let chunk = ByteBuffer(repeating: UInt8(ascii: "a"), count: 1 << 20)
    for _ in 0..<10 {
      text += (try await stream.append(chunk)).map { String(buffer: $0) } ?? ""
    }
    let rest = ByteBuffer(string: "\n{\"storefront\":\"USA\",\"amount\":\"1\"}\nx\n")
    text += (try await stream.append(rest)).map { String(buffer: $0) } ?? ""
    let lines = text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix(#"{"error":{"code":"row-too-long""#) && lines[0].utf8.count < 2000)
    #expect(lines[1] == #"{"storefront":"USA","amount":"1","display":"$1.00"}"#)
    #expect(lines[2].contains(#""line":3,"row":"x""#))
  }

  typealias Parameters = (query: String, status: Int, answer: String)

  static let parameters: [Parameters] = [
    ("", 200, #""display":"$1.00""#),
    ("?zeros=trim&fields=spoken,isolated", 200, #""display":"$1","spoken":"1 US dollar","isolated":"#),
    ("?digits=3", 200, #""display":"$1.000""#), ("?width=name", 200, #""display":"1.00 US dollars""#),
    ("?width=hidden&sign=always&grouping=never", 200, #""display":"+1.00""#),
    ("?digits=0-2&numbering=deva", 200, #""display":"$१""#),
    ("?notation=compact-long&rounding=down", 200, #""display":"$1""#),
    ("?qualifier=at-least", 200, #""display":"$1.00+""#),
    ("?writtenAs=store-web", 200, #""display":"$1.00""#),
    ("?writtenAs=web", 400, #""code":"invalid-option""#),
    ("?fields=installment,unitPrice", 200, #""display":"$1.00","installment":null,"unitPrice":null"#),
    ("?notation=x", 400, #""code":"invalid-option""#), ("?qualifier=x", 400, #""code":"invalid-option""#),
    ("?grouping=x", 400, #""code":"invalid-option""#), ("?numbering=x", 400, #""code":"invalid-option""#),
    ("?width=wide", 400, #""code":"invalid-option""#), ("?digits=99", 400, #""code":"invalid-option""#),
    ("?fields=x", 400, #""code":"invalid-option""#), ("?minorUnits=x", 400, #""code":"unknown-provider""#),
    ("?decimalComma=yes", 400, #""code":"wrong-type""#),
    ("?at=x", 400, #""code":"malformed-date""#), ("?overwrite=1", 400, #""code":"wrong-type""#),
    ("?wdth=iso", 400, #""code":"unknown-parameter""#),
  ]

  @Test(arguments: parameters) func readsStreamOptionsFromQuery(_ parameters: Parameters) async throws {
    let row = #"{"storefront":"USA","amount":"1"}"#
    let answer = try await ServiceFixture().send(.post, "/v1/batch\(parameters.query)", Self.lines, row)
    #expect(answer.status.code == parameters.status)
    #expect(answer.text.contains(parameters.answer), "\(answer.text)")
  }

  /// A client that reads the response after it has sent its body.
  private final class LateReader: ResponseBodyWriter, Sendable {
    let text = Mutex("")
    let bodyIsSent = AsyncStream.makeStream(of: Void.self)

    func write(_ buffer: ByteBuffer) async throws {
      for await _ in bodyIsSent.stream {}
      text.withLock { $0 += String(buffer: buffer) }
    }

    func finish(_ trailers: HTTPFields?) async throws { text.withLock { $0 += "end" } }
  }

  /// The client gets the rows for which there was space, and a line with the reason; the response has no end.
  @Test func reportsFullSpool() async throws {
    let service = try ServiceFixture().service {
      $0.limits.largerBodies = [Route.batch.rawValue: 200_000]
      $0.spoolPatience = .zero
    }
    let row = #"{"storefront":"JPN","amount":"1200"}"# + "\n"
    let chunks = Mutex(Array(repeating: ByteBuffer(string: String(repeating: row, count: 50)), count: 60))
    let reader = LateReader()
    let body = AsyncStream(unfolding: {
      let chunk = chunks.withLock { $0.popLast() }
      if chunk == nil { reader.bodyIsSent.continuation.finish() }
      return chunk
    })
    let head = HTTPRequest(
      method: .post,
      scheme: "http",
      authority: "a",
      path: "/v1/batch?fields=parts",
      headerFields: Self.lines
    )
    let source = ApplicationRequestContextSource(
      channel: NIOAsyncTestingChannel(),
      logger: .silent
    )
    let request = Request(head: head, body: RequestBody(asyncSequence: body))
    let response = try await service.responder.respond(to: request, context: ServiceContext(source: source))
    await #expect(throws: Problem.self) { try await response.body.write(reader) }
    let lines = reader.text.withLock { $0 }.split(separator: "\n")
    #expect((500..<3_000).contains(lines.count))
    #expect(lines.dropLast().allSatisfy { $0.contains("￥1,200") })
    #expect(
      lines.last
        == #"{"error":{"code":"out-of-space","message":"there is no space for the rows that the client has not read; later rows are missing; read the response while you send the request, or send fewer rows","pointer":""}}"#
    )
    let metrics = try await service.send(.get, "/metrics").text
    #expect(metrics.contains("\npricetag_batch_spool_full_total 1\n"))
  }

  @Test func countsPrices() async throws {
    let service = try ServiceFixture().service()
    let body = #"{"prices":[{"storefront":"USA","amount":"1"},{"storefront":"USB","amount":"1"}]}"#
    for _ in 0..<3 { _ = try await service.post("/v1/format", body) }
    let text = try await service.send(.get, "/metrics").text
    #expect(text.contains("\npricetag_prices_formatted_total 3\n"))
    #expect(text.contains("\npricetag_prices_rejected_total{code=\"unknown-storefront\"} 3\n"))
    #expect(
      text.contains(
        "\npricetag_http_requests_total{method=\"POST\",route=\"/v1/format\",status=\"200\"} 3\n"
      )
    )
    #expect(text.contains("\npricetag_http_request_duration_seconds_count{route=\"/v1/format\"} 3\n"))
  }
}

extension JSONValue {
  /// Parses a text; `nil` if it is not valid JSON.
  init?(parsing text: String) {
    var text = text
    guard let value = text.withUTF8({ try? JSONReader.value(of: $0) }) else { return nil }
    self = value
  }
}
