import NIOCore
import NIOEmbedded
import NIOHTTP1
import SeededNumbers
import Testing

@testable import PriceTagHTTPGuard

/// An input and its expected result, which must not depend on the pieces in which the input arrives.
typealias FramingCase = (name: String, input: String, outcome: String)

/// Returns cases by their outcomes.
private func refused(_ cases: KeyValuePairs<String, [(name: String, input: String)]>) -> [FramingCase] {
  cases.flatMap { outcome, cases in cases.map { ($0.name, $0.input, outcome) } }
}

/// Small limits, which keep the test inputs short.
private let limits = {
  var limits = ConnectionLimits()
  (limits.headBytes, limits.headFields, limits.targetBytes) = (400, 10, 100)
  (limits.bodyBytes, limits.largerBodies) = (20, ["/batch": 40])
  return limits
}()

/// Feeds an input in pieces, and returns the events as one line.
private func outcome(of input: [UInt8], pieces: [Int], limits: ConnectionLimits) -> String {
  var framing = RequestFraming(limits: limits)
  var events: [String] = []
  var position = 0
  for piece in pieces {
    let end = position + piece
    while position < end {
      let (consumed, event) = input[position..<end].withUnsafeBytes { framing.feed($0) }
      position += consumed
      switch event {
      case .unfinished:
        break
      case .head(let head):
        events.append(text(head, framing.requestLine))
        if head.body == .none {
          events.append("end@\(position)")
          framing.beginNextRequest()
        }
      case .complete:
        events.append("end@\(position)")
        framing.beginNextRequest()
      case .refused(let refusal):
        return (events + ["\(refusal.status) \(refusal.code)"]).joined(separator: ", ")
      }
    }
  }
  if !framing.isBeforeHead { events.append("unfinished") }
  return events.joined(separator: ", ")
}

private func text(_ head: RequestHead, _ line: RequestLine?) -> String {
  var fields = [line?.method ?? "", line?.path ?? ""]
  switch head.body {
  case .none: break
  case .length(let length): fields.append("\(length)")
  case .chunked: fields.append("chunked")
  }
  if head.isHTTP10 { fields.append("1.0") }
  if head.closesConnection { fields.append("closes") }
  if head.expectsContinue { fields.append("expects") }
  return fields.joined(separator: " ")
}

private func check(_ example: FramingCase, limits: ConnectionLimits = limits) {
  let input = Array(example.input.utf8)
  #expect(outcome(of: input, pieces: [input.count], limits: limits) == example.outcome, "in one piece")
  let single = [Int](repeating: 1, count: input.count)
  #expect(outcome(of: input, pieces: single, limits: limits) == example.outcome, "byte by byte")
  var generator = SeededNumbers(seed: 20_260_101)
  for _ in 0..<30 {
    var pieces: [Int] = []
    var left = input.count
    while left > 0 {
      let piece = Int.random(in: 1...min(left, 40), using: &generator)
      pieces.append(piece)
      left -= piece
    }
    #expect(outcome(of: input, pieces: pieces, limits: limits) == example.outcome, "pieces \(pieces)")
  }
}

private let host = "Host: shop.example\r\n"
private let post = "POST /prices HTTP/1.1\r\nHost: shop.example\r\n"

@Suite("Request framing")
struct RequestFramingTests {
  static let accepted: [FramingCase] = [
    ("a GET", "GET / HTTP/1.1\r\n\(host)\r\n", "GET /, end@38"),
    ("a query", "GET /a/b?c=/d HTTP/1.1\r\n\(host)\r\n", "GET /a/b, end@46"),
    ("an empty line before the request", "\r\nGET / HTTP/1.1\r\n\(host)\r\n", "GET /, end@40"),
    (
      "two requests in a row", "GET /1 HTTP/1.1\r\n\(host)\r\nGET /2 HTTP/1.1\r\n\(host)\r\n",
      "GET /1, end@39, GET /2, end@78"
    ),
    ("a body", "\(post)Content-Length: 3\r\n\r\nabc", "POST /prices 3, end@67"),
    ("an empty body", "\(post)Content-Length: 0\r\n\r\n", "POST /prices, end@64"),
    ("a length with leading zeros", "\(post)Content-Length: 003\r\n\r\nabc", "POST /prices 3, end@69"),
    ("blanks around a length", "\(post)Content-Length:\t3 \r\n\r\nabc", "POST /prices 3, end@68"),
    ("a body as large as the limit", "\(post)Content-Length: 20\r\n\r\n", "POST /prices 20, unfinished"),
    (
      "a body for a path with a larger limit",
      "POST /batch?x=1 HTTP/1.1\r\n\(host)Content-Length: 40\r\n\r\n",
      "POST /batch 40, unfinished"
    ),
    (
      "chunks", "\(post)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0A\r\n0123456789\r\n0\r\n\r\n",
      "POST /prices chunked, end@102"
    ),
    (
      "chunks, with a field name in uppercase", "\(post)TRANSFER-ENCODING:Chunked\r\n\r\n00000000\r\n\r\n",
      "POST /prices chunked, end@84"
    ),
    (
      "a request after chunks",
      "\(post)Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n",
      "POST /prices chunked, end@84, GET /, end@122"
    ),
    ("HTTP/1.0 without a host", "GET / HTTP/1.0\r\n\r\n", "GET / 1.0 closes, end@18"),
    ("close", "GET / HTTP/1.1\r\n\(host)Connection: TE, Close\r\n\r\n", "GET / closes, end@61"),
    (
      "an upgrade request",
      "GET / HTTP/1.1\r\n\(host)Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
      "GET / closes, end@89"
    ),
    ("keep-alive", "GET / HTTP/1.1\r\n\(host)Connection: keep-alive\r\n\r\n", "GET /, end@62"),
    (
      "Expect with a body", "\(post)Expect: 100-Continue\r\nContent-Length: 1\r\n\r\na",
      "POST /prices 1 expects, end@87"
    ),
    ("Expect without a body", "GET / HTTP/1.1\r\n\(host)Expect: 100-continue\r\n\r\n", "GET /, end@60"),
    ("an absolute URL", "GET HTTP://shop.example:80/a?b HTTP/1.1\r\n\(host)\r\n", "GET /a, end@63"),
    ("a URL without a path", "GET http://h?b HTTP/1.1\r\n\(host)\r\n", "GET /, end@47"),
    ("OPTIONS *", "OPTIONS * HTTP/1.1\r\n\(host)\r\n", "OPTIONS *, end@42"),
    ("an IPv6 host", "GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "GET /, end@36"),
    ("an empty value", "GET / HTTP/1.1\r\n\(host)X:\r\n\r\n", "GET /, end@42"),
    ("bytes outside ASCII in a value", "GET / HTTP/1.1\r\n\(host)X: Zoë\r\n\r\n", "GET /, end@47"),
    ("an empty input", "", ""),
    ("an incomplete head", "GET / HTTP/1.1\r\nHos", "unfinished"),
  ]

  @Test("Accepted", arguments: accepted)
  func accepts(_ example: FramingCase) { check(example) }

  static let lines = refused([
    "400 malformed-request": [
      ("two empty lines", "\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n"),
      ("an empty line that is a bare LF", "\nGET / HTTP/1.1\r\n\(host)\r\n"),
      ("a leading CR", "\rGET / HTTP/1.1\r\n\(host)\r\n"),
      ("a leading space", " GET / HTTP/1.1\r\n\(host)\r\n"),
      ("a TLS client hello", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}"),
      ("no version", "GET /\r\n"),
      ("no target", "GET\r\n"),
      ("an empty target", "GET  HTTP/1.1\r\n"),
      ("two spaces", "GET /  HTTP/1.1\r\n"),
      ("a tab", "GET\t/ HTTP/1.1\r\n"),
      ("a space in the target", "GET /a b HTTP/1.1\r\n"),
      ("a trailing space", "GET / HTTP/1.1 \r\n"),
      ("a control character in the target", "GET /\u{7} HTTP/1.1\r\n"),
      ("a NUL in the target", "GET /\u{0} HTTP/1.1\r\n"),
      ("non-ASCII in the target", "GET /ë HTTP/1.1\r\n"),
      ("a fragment", "GET /#a HTTP/1.1\r\n"),
      ("a relative target", "GET a HTTP/1.1\r\n"),
      ("GET *", "GET * HTTP/1.1\r\n"),
      ("a file URL", "GET file:///a HTTP/1.1\r\n"),
      ("a URL with a user", "GET http://a@b/ HTTP/1.1\r\n"),
      ("a URL without a host", "GET http:///a HTTP/1.1\r\n"),
      ("a method that is not a token", "G(T / HTTP/1.1\r\n"),
      ("a method that never ends", String(repeating: "A", count: 40)),
      ("a bare CR", "GET / HTTP/1.1\rHost: a\r\n"),
      ("a version in lowercase", "GET / http/1.1\r\n"),
      ("another protocol", "GET / ICY/1.1\r\n"),
    ],
    "400 malformed-head": [
      ("a bare LF", "GET / HTTP/1.1\nHost: a\r\n"),
      ("chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n"),
    ],
    "405 method-not-allowed": [
      ("a method in lowercase", "get / HTTP/1.1\r\n"),
      ("an unknown method", "BREW / HTTP/1.1\r\n"),
      ("CONNECT", "CONNECT a:443 HTTP/1.1\r\n"),
    ],
    "505 unsupported-http-version": [
      ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
      ("HTTP/1.2", "GET / HTTP/1.2\r\n"),
      ("HTTP/1.10", "GET / HTTP/1.10\r\n"),
      ("HTTP/0.9", "GET / HTTP/0.9\r\n"),
    ],
    "414 target-too-long": [
      ("a long target", "GET /\(String(repeating: "a", count: 100)) HTTP/1.1\r\n"),
      ("a target that never ends", "GET /\(String(repeating: "a", count: 100))"),
    ],
  ])

  @Test("Refused request lines", arguments: lines)
  func refusesLine(_ example: FramingCase) { check(example) }

  static let fields = refused([
    "400 malformed-head": [
      ("LF only", "\(host)X: a\n\r\n"),
      ("LF at the end", "\(host)\n"),
      ("a bare CR", "\(host)X: a\rY: b\r\n\r\n"),
      ("a bare CR at the end", "\(host)X: a\r\r\n\r\n"),
      ("a continued line", "\(host)X: a\r\n b\r\n\r\n"),
      ("a line continued with a tab", "\(host)X: a\r\n\tb\r\n\r\n"),
      ("a field with a leading space", " \(host)\r\n"),
      ("no colon", "\(host)X\r\n\r\n"),
      ("no name", "\(host): a\r\n\r\n"),
      ("a space in a name", "\(host)X Y: a\r\n\r\n"),
      ("a space before the colon", "\(host)X : a\r\n\r\n"),
      ("non-ASCII in a name", "\(host)Zoë: a\r\n\r\n"),
      ("a NUL in a name", "\(host)X\u{0}: a\r\n\r\n"),
      ("a NUL in a value", "\(host)X: a\u{0}b\r\n\r\n"),
      ("a DEL in a value", "\(host)X: a\u{7F}b\r\n\r\n"),
      ("an escape in a value", "\(host)X: \u{1B}[0m\r\n\r\n"),
      ("TE with a space", "\(host)Transfer-Encoding : chunked\r\n\r\n"),
      ("TE with a form feed", "\(host)Transfer-Encoding: \u{C}chunked\r\n\r\n"),
    ],
    "400 invalid-host": [
      ("no Host", "X: a\r\n\r\n"),
      ("two Host fields", "\(host)\(host)\r\n"),
      ("two hosts, one in uppercase", "\(host)HOST: b\r\n\r\n"),
      ("an empty Host", "Host: \r\n\r\n"),
      ("a Host with a path", "Host: a/b\r\n\r\n"),
      ("a Host with a user", "Host: a@b\r\n\r\n"),
      ("a Host with a space", "Host: a b\r\n\r\n"),
      ("a Host outside ASCII", "Host: ë\r\n\r\n"),
    ],
    "400 invalid-content-length": [
      ("a length with a plus", "\(host)Content-Length: +5\r\n\r\n"),
      ("a length with a minus", "\(host)Content-Length: -5\r\n\r\n"),
      ("a hexadecimal length", "\(host)Content-Length: 0x5\r\n\r\n"),
      ("a length with a space inside", "\(host)Content-Length: 5 5\r\n\r\n"),
      ("a list of lengths", "\(host)Content-Length: 5, 5\r\n\r\n"),
      ("an empty length", "\(host)Content-Length:\r\n\r\n"),
      ("two Content-Length fields", "\(host)Content-Length: 5\r\nContent-Length: 5\r\n\r\n"),
    ],
    "413 body-too-large": [
      ("a large length", "\(host)Content-Length: 21\r\n\r\n"),
      ("a length of 40 digits", "\(host)Content-Length: \(String(repeating: "9", count: 40))\r\n\r\n"),
    ],
    "400 conflicting-lengths": [
      ("CL.TE", "\(host)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
      ("TE.CL", "\(host)Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"),
    ],
    "501 unsupported-transfer-encoding": [
      ("TE with identity", "\(host)Transfer-Encoding: chunked, identity\r\n\r\n"),
      ("TE gzip", "\(host)Transfer-Encoding: gzip\r\n\r\n"),
      ("TE xchunked", "\(host)Transfer-Encoding: xchunked\r\n\r\n"),
      ("TE in quotes", "\(host)Transfer-Encoding: \"chunked\"\r\n\r\n"),
      ("TE with a tab inside", "\(host)Transfer-Encoding: chun\tked\r\n\r\n"),
      ("TE empty", "\(host)Transfer-Encoding:\r\n\r\n"),
      ("TE twice", "\(host)Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"),
      ("TE continued", "\(host)Transfer-Encoding:\r\n chunked\r\n\r\n"),
    ],
    "431 head-too-large": [
      ("11 fields", "\(host)\(String(repeating: "X: a\r\n", count: 10))\r\n"),
      ("a large field", "\(host)X: \(String(repeating: "a", count: 400))\r\n\r\n"),
      ("a field that never ends", "\(host)X: \(String(repeating: "a", count: 400))"),
    ],
  ])

  @Test("Refused fields", arguments: fields)
  func refusesField(_ example: FramingCase) {
    check((example.name, "POST / HTTP/1.1\r\n" + example.input, example.outcome))
  }

  static let chunks = refused([
    "400 malformed-chunk": [
      ("0x10", "0x10\r\n"),
      ("a leading space", " 10\r\n"),
      ("a space inside", "1 0\r\n"),
      ("a trailing space", "5 \r\nabcde\r\n"),
      ("a plus", "+5\r\nabcde\r\n"),
      ("a minus", "-5\r\nabcde\r\n"),
      ("no digits", "\r\n"),
      ("not a hexadecimal digit", "g\r\n"),
      ("9 digits", "000000005\r\n"),
      ("17 digits", "10000000000000005\r\n"),
      ("an extension", "5;a=b\r\nabcde\r\n"),
      ("LF only", "5\nabcde\r\n"),
      ("CR only", "5\rabcde\r\n"),
      ("NUL", "5\u{0}\r\n"),
      ("longer than its size", "3\r\nabcde\r\n"),
      ("LF after the bytes", "3\r\nabc\n0\r\n\r\n"),
      ("CR after the bytes", "3\r\nabc\r0\r\n\r\n"),
      ("CR at the end", "0\r\n\rG"),
    ],
    "413 body-too-large": [
      ("the largest number", "FFFFFFFF\r\n"),
      ("more than the limit in one chunk", "15\r\n"),
      ("more than the limit in two chunks", "14\r\n01234567890123456789\r\n1\r\na\r\n"),
    ],
    "400 unsupported-trailers": [
      ("LF at the end", "0\r\n\n"),
      ("a trailer", "0\r\nX: a\r\n\r\n"),
    ],
  ])

  @Test("Refused chunks", arguments: chunks)
  func refusesChunk(_ example: FramingCase) {
    let head = "\(post)Transfer-Encoding: chunked\r\n\r\n"
    check((example.name, head + example.input, "POST /prices chunked, " + example.outcome))
  }

  @Test("Refuses 10,000 fields at the limit of fields")
  func refusesManyFields() {
    let head = "GET / HTTP/1.1\r\n\(host)" + String(repeating: "X: a\r\n", count: 10_000)
    var framing = RequestFraming(limits: ConnectionLimits())
    let event = Array(head.utf8).withUnsafeBytes { framing.feed($0).event }
    #expect(event == .refused(.tooManyFields(limit: 100)))
  }

  @Test("A refusal contains no text from the client")
  func refusalsContainNoClientText() {
    for example in Self.lines + Self.fields + Self.chunks {
      var framing = RequestFraming(limits: limits)
      let input = "GET /secret-7f3a HTTP/1.1\r\nHost: secret-7f3a\r\nX: secret-7f3a\r\n" + example.input
      if case .refused(let refusal) = Array(input.utf8).withUnsafeBytes({ framing.feed($0).event }) {
        #expect(!"\(refusal)".contains("secret-7f3a"))
      }
    }
  }

  @Test("The result for random bytes does not depend on the pieces")
  func randomBytesHaveOneResult() {
    var generator = SeededNumbers(seed: 7)
    let fragments = [
      "GET", "POST", " ", "/", "/a?b", "HTTP/1.1", "HTTP/1.0", "\r\n", "\r\n", "\r", "\n", "Host:", "a", ":",
      "0",
      "5", "Content-Length: 5", "Transfer-Encoding: chunked", "\t", "\u{0}", "X: b", "Connection: close",
      "GET / HTTP/1.1\r\nHost: a\r\n", "\r\n\r\n",
    ]
    for _ in 0..<3_000 {
      var input = "GET / HTTP/1.1\r\nHost: a\r\n"
      if Bool.random(using: &generator) { input = "" }
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        input += fragments.randomElement(using: &generator) ?? ""
      }
      let bytes = Array(input.utf8)
      let complete = outcome(of: bytes, pieces: [bytes.count], limits: limits)
      let single = outcome(of: bytes, pieces: [Int](repeating: 1, count: bytes.count), limits: limits)
      #expect(complete == single, "\(input.debugDescription)")
    }
  }
}

@Suite("Byte classes")
struct ByteClassTests {
  static let lettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

  @Test("Sets contain exactly their characters")
  func containsExactlyItsCharacters() {
    let token = Set((Self.lettersAndDigits + "!#$%&'*+-.^_`|~").utf8)
    for byte in UInt8.min...UInt8.max { #expect(ByteClass.token.contains(byte) == token.contains(byte)) }
  }
}

@Suite("Agreement with NIO's decoder")
struct DecoderAgreementTests {
  @Test("NIO's decoder finds the same requests in accepted input", arguments: RequestFramingTests.accepted)
  func agrees(_ example: FramingCase) throws {
    guard !example.outcome.isEmpty, !example.outcome.hasSuffix("unfinished") else { return }
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
    try channel.writeInbound(ByteBuffer(string: example.input))
    var ends = 0
    while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
      if case .end = part { ends += 1 }
    }
    #expect(ends == example.outcome.split(separator: ", ").filter { $0.hasPrefix("end@") }.count)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }
}
