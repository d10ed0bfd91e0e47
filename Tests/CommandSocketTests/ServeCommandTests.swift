import CommandLineTools
import Foundation
import PriceTagSystem
import PriceTagText
import Testing

/// `pricetag serve` over a socket, with well-behaved and hostile clients.
@Suite struct ServeCommandTests {
  private static let row = #"{"storefront":"JPN","amount":"1200"}"#
  private static let body = #"{"prices":[\#(row)]}"#
  private static let formatted = #"{"storefront":"JPN","amount":"1200","display":"￥1,200"}"#

  private static func post(_ path: String, _ fields: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\(fields)\r\n"
  }

  // MARK: Malformed requests

  typealias Bytes = (name: String, request: String, status: String, code: String)

  static let malformed: [Bytes] = [
    ("a bare line feed", "GET /health HTTP/1.1\nHost: x\n\n", "400", "malformed"),
    ("a bare carriage return", "GET /health HTTP/1.1\r\nHost: x\ry: z\r\n\r\n", "400", "malformed-head"),
    ("two hosts", "GET /health HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", "400", "invalid-host"),
    ("no host", "GET /health HTTP/1.1\r\n\r\n", "400", "invalid-host"),
    (
      "two lengths", post("/v1/format", "Content-Length: 5\r\nContent-Length: 5\r\n") + "hello", "400",
      "invalid-content-length"
    ),
    (
      "a length and chunks",
      post("/v1/format", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n",
      "400", "conflicting-lengths"
    ),
    (
      "chunks and a length",
      post("/v1/format", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n") + "0\r\n\r\n",
      "400", "conflicting-lengths"
    ),
    (
      "another coding", post("/v1/format", "Transfer-Encoding: gzip, chunked\r\n") + "0\r\n\r\n", "501",
      "unsupported-transfer-encoding"
    ),
    ("space before a colon", "GET /health HTTP/1.1\r\nHost : x\r\n\r\n", "400", "malformed-head"),
    ("a folded field", "GET /health HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", "400", "malformed-head"),
    ("a NUL byte", "GET /health HTTP/1.1\r\nHost: x\r\nA: \u{0}\r\n\r\n", "400", "malformed-head"),
    (
      "a stream for HTTP/1.0", "POST /v1/batch HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}", "505",
      "unsupported-http-version"
    ),
    ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505", "unsupported-http-version"),
    (
      "a long address", "GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: x\r\n\r\n", "414",
      "target-too-long"
    ),
    (
      "a large head",
      "GET /health HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 20_000))\r\n\r\n", "431",
      "head-too-large"
    ),
    (
      "a large body, with a length", post("/v1/format", "Content-Length: 1048577\r\n"), "413",
      "body-too-large"
    ),
    (
      "a large body, in chunks",
      post("/v1/format", "Transfer-Encoding: chunked\r\n")
        + String(repeating: "10000\r\n\(String(repeating: "a", count: 65536))\r\n", count: 17), "413",
      "body-too-large"
    ),
    (
      "a malformed chunk", post("/v1/format", "Transfer-Encoding: chunked\r\n") + "zz\r\n", "400",
      "malformed-chunk"
    ),
  ]

  /// The service refuses each request with an explanation, and continues.
  @Test func refusesMalformedRequests() throws {
    let service = try LiveService()
    for bytes in Self.malformed {
      let answer = try service.answer(to: bytes.request)
      #expect(answer.hasPrefix("HTTP/1.1 \(bytes.status) "), "\(bytes.name): \(answer.prefix(300))")
      #expect(
        answer.contains("application/problem+json") && answer.contains("\"code\":\"\(bytes.code)"),
        "\(bytes.name): \(answer)"
      )
    }
    #expect(try service.answer(to: "GET /health HTTP/1.1\r\nHost: x\r\n\r\n").contains(#"{"status":"ok"}"#))
    let metrics = try service.answer(to: "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(metrics.contains("pricetag_http_refusals_total{code=\"invalid-host\"} 2"))
  }

  @Test func acceptsRequestsInUnusualPieces() throws {
    let service = try LiveService()
    // Two requests at once, with responses in order.
    let two =
      "GET /health HTTP/1.1\r\nHost: x\r\n\r\n" + "GET /v1/product-identifiers HTTP/1.1\r\nHost: x\r\n\r\n"
    let answers = try service.answer(to: two, count: 2)
    let first = try #require(answers.range(of: #"{"status":"ok"}"#))
    let second = try #require(answers.range(of: #"["car"]"#))
    #expect(first.upperBound < second.lowerBound)
    // A request byte by byte.
    let connection = try service.connect()
    for byte in (Self.post("/v1/format", "Content-Length: \(Self.body.utf8.count)\r\n") + Self.body)
      .unicodeScalars
    {
      connection.send(String(byte))
    }
    #expect(connection.receivedAnswers().contains(Self.formatted))
    // A request in chunks, and one with Expect: 100-continue.
    let chunked = Self.post("/v1/format", "Transfer-Encoding: chunked\r\n")
    let chunks = Self.body.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
    #expect(try service.answer(to: chunked + chunks).contains(Self.formatted))
    let expecting = try service.connect()
    expecting.send(
      Self.post("/v1/format", "Content-Length: \(Self.body.utf8.count)\r\nExpect: 100-continue\r\n")
    )
    #expect(String(decoding: expecting.receive() ?? [], as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
    expecting.send(Self.body)
    #expect(expecting.receivedAnswers().contains(Self.formatted))
    // A client that has closed its sending direction receives the response.
    let half = try service.connect()
    half.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    half.finishSending()
    #expect(half.receivedAnswers().contains(#"{"status":"ok"}"#))
    #expect(try service.answer(to: "GET /health HTTP/1.0\r\n\r\n").contains(#"{"status":"ok"}"#))
  }

  /// A client that sends one byte at a time does not keep its connection.
  @Test func disconnectsSlowClients() throws {
    let service = try LiveService(["--head-seconds", "1"])
    let slow = try service.connect()
    // Sends for 100 seconds, unless the service responds or closes the connection.
    var isSending = true
    for byte in "GET /health HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 1000))".unicodeScalars
    where isSending {
      isSending = slow.send(String(byte)) && slow.receive(seconds: 0.1)?.isEmpty == true
    }
    #expect(!isSending && slow.isClosed())
    let silent = try service.connect()
    #expect(silent.received().contains("408"))
    let other = try LiveService(["--idle-seconds", "1"])
    let idle = try other.connect()
    idle.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(idle.receivedAnswers().hasSuffix(#"{"status":"ok"}"#))
    #expect(idle.isClosed())
  }

  // MARK: Streams

  /// Many clients send a complete body before they read. The service stores the unread response in a file.
  @Test func streamsToClientThatReadsLate() throws {
    let service = try LiveService()
    let (row, count) = ("{\"storefront\":\"JPN\",\"amount\":\"1200\"}\n", 300_000)
    let connection = try service.connect()
    let head =
      "POST /v1/batch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-ndjson\r\n"
      + "Content-Length: \(row.utf8.count * count)\r\n\r\n"
    #expect(connection.send(head))
    let thousand = String(repeating: row, count: 1000)
    for _ in 0..<(count / 1000) { guard connection.send(thousand) else { break } }
    var answer: [UInt8] = []
    while let bytes = connection.receive(), !bytes.isEmpty { answer += bytes }
    let line = "{\"storefront\":\"JPN\",\"amount\":\"1200\",\"display\":\"￥1,200\"}\n"
    #expect(Self.contents(ofChunked: answer) == Array(String(repeating: line, count: count).utf8))
    // The file has no name, so it is not in the folder.
    let left = try FileManager.default.contentsOfDirectory(atPath: service.folder.path)
    #expect(!left.contains { $0.hasPrefix("pricetag-spool") })
  }

  /// Returns the body of a chunked response.
  private static func contents(ofChunked answer: [UInt8]) -> [UInt8] {
    var contents: [UInt8] = []
    guard let head = answer.firstRange(of: "\r\n\r\n".utf8) else { return [] }
    var rest = answer[head.upperBound...]
    while let end = rest.firstIndex(of: 0x0D),
      let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16), size > 0
    {
      contents += rest[(end + 2)...].prefix(size)
      rest = rest[(end + 2)...].dropFirst(size + 2)
    }
    return contents
  }

  // MARK: Stopping

  /// The service completes current requests with `Connection: close`, and exits with code 0.
  @Test(arguments: [[], ["--drain-seconds", "2", "--admin-port", "0"]])
  func finishesCurrentRequests(_ arguments: [String]) throws {
    let service = try LiveService(["--stop-seconds", "3600", "--idle-seconds", "3600"] + arguments)
    let connections = try (0..<20).map { _ in try Self.begin(service) }
    let idle = try service.connect()
    idle.send("GET /v1/product-identifiers HTTP/1.1\r\nHost: x\r\n\r\n")
    let answer = idle.receivedAnswers()
    #expect(answer.hasPrefix("HTTP/1.1 200") && !answer.lowercased().contains("connection: close"))
    service.send(SIGTERM)
    // The service closes idle connections a second after it has notified all connections.
    #expect(idle.isClosed())
    for connection in connections { connection.send(String(Self.body.dropFirst())) }
    for connection in connections {
      let last = connection.receivedAnswers()
      #expect(last.contains(Self.formatted) && last.lowercased().contains("connection: close"), "\(last)")
    }
    #expect(service.end() == 0, "\(service.messages)")
    try Self.expectNoFiles(of: service)
  }

  /// Checks that the service has removed its copy of the catalog.
  private static func expectNoFiles(of service: LiveService) throws {
    let left = try FileManager.default.contentsOfDirectory(atPath: service.folder.path)
    #expect(!left.contains { $0.hasPrefix("pricetag-serve") })
  }

  /// Sends the head of a request and the first byte of its body. The service has received the head.
  private static func begin(_ service: LiveService) throws -> RawConnection {
    let connection = try service.connect()
    connection.send(
      post("/v1/format", "Content-Length: \(body.utf8.count)\r\nExpect: 100-continue\r\n")
    )
    #expect(connection.receive()?.isEmpty == false)
    connection.send("{")
    return connection
  }

  /// `/ready` reports the stop before the port is closed, for load balancers.
  @Test func reportsStopBeforeClosing() throws {
    let service = try LiveService(["--drain-seconds", "300"])
    service.send(SIGTERM)
    #expect(service.waits(for: "stopping"))
    let ready = try service.answer(to: "GET /ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(ready.hasPrefix("HTTP/1.1 503 ") && ready.contains(#""status":"stopping""#))
  }

  @Test func limitsTimeOfStop() throws {
    let service = try LiveService(["--stop-seconds", "1"])
    let connection = try Self.begin(service)
    defer { connection.finishSending() }
    service.send(SIGTERM)
    #expect(service.end() == 0)
    #expect(service.messages.contains("stopped without waiting for open requests"), "\(service.messages)")
    try Self.expectNoFiles(of: service)
  }

  /// Neither pending reloads nor an incomplete request head delay the stop.
  @Test func stopsWithPendingReloads() throws {
    let service = try LiveService(["--stop-seconds", "3600", "--head-seconds", "3600"])
    let half = try service.connect()
    half.send("GET /health HT")
    for _ in 0..<200 { service.send(SIGHUP) }
    service.send(SIGTERM)
    #expect(service.end() == 0, "\(service.messages)")
    half.finishSending()
  }

  @Test func secondSignalStopsAtOnce() throws {
    let service = try LiveService(["--drain-seconds", "300"])
    let connection = try Self.begin(service)
    defer { connection.finishSending() }
    service.send(SIGTERM)
    #expect(service.waits(for: "stopping"))
    service.send(SIGTERM)
    #expect(service.end() == 143)
    try Self.expectNoFiles(of: service)
  }

  // MARK: Reloading

  @Test func reloadsCatalog() throws {
    let service = try LiveService(["--log-format", "json"])
    let file = service.folder.appending(path: "shop.jsonl")
    func identifiers() throws -> String {
      try service.answer(to: "GET /v1/product-identifiers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    }
    #expect(try identifiers().hasSuffix(#"["car"]"#))
    try Data(LiveService.shop.replacing("car", with: "boat").utf8).write(to: file, options: .atomic)
    #expect(service.waits(for: #""message":"reloaded the catalog""#))
    #expect(try identifiers().hasSuffix(#"["boat"]"#))
    try Data("{".utf8).write(to: file, options: .atomic)
    #expect(service.waits(for: #""message":"cannot serve the new catalog; the previous one stays in use""#))
    #expect(try identifiers().hasSuffix(#"["boat"]"#))
    #expect(
      try service.answer(to: "GET /ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").contains(
        #""failedAt""#
      )
    )
    try Data(LiveService.shop.replacing("car", with: "plane").utf8).write(to: file, options: .atomic)
    service.send(SIGHUP)
    #expect(service.waits(for: "received SIGHUP; reloading the catalog"))
    let deadline = Date(timeIntervalSinceNow: 600)
    while try !identifiers().hasSuffix(#"["plane"]"#), Date() < deadline { usleep(50_000) }
    #expect(try identifiers().hasSuffix(#"["plane"]"#))
  }

  // MARK: Real clients

  typealias Run = (line: String, output: String)

  /// Shell scripts that use `$URL`.
  static let clients: [Run] = [
    ("curl -sS $URL/health", #"{"status":"ok"}"#),
    ("curl -sS --compressed -o page $URL/store/usa/en-us/ && grep -q '\\$4.99' page && echo yes", "yes\n"),
    (
      "curl -sSL -o /dev/null -w '%{url_effective}' -H 'Accept-Language: ja' $URL/ | sed 's/.*:[0-9]*//'",
      "/choose/ja/"
    ),
    (
      "curl -sS -H 'Content-Type: application/json' -d '\(body)' $URL/v1/format",
      #"{"prices":[\#(formatted)]}"#
    ),
    (
      "etag=$(curl -sSI $URL/v1/product-identifiers | sed -nE 's/^ETag: (.*)\\r$/\\1/p'); curl -sS -o /dev/null -w '%{http_code}' -H \"If-None-Match: $etag\" $URL/v1/product-identifiers",
      "304"
    ),
    (
      "yes '\(row)' | head -n 100000 | curl -sS -H 'Content-Type: application/x-ndjson' -T - -X POST $URL/v1/batch | sort | uniq -c | sed 's/^ *//'",
      "100000 \(formatted)\n"
    ),
    (
      """
      python3 - <<'PY'
      import json, os, urllib.request
      url = os.environ["URL"]
      request = urllib.request.Request(url + "/v1/products", json.dumps({"storefront": "JPN", "language": "en"}).encode(), {"Content-Type": "application/json"})
      print(json.load(urllib.request.urlopen(request))["products"][0]["price"]["display"])
      PY
      """, "￥700\n"
    ),
  ]

  @Test func servesRealClients() throws {
    let service = try LiveService()
    for client in Self.clients {
      let outcome = try CommandLineTool.shell(
        "cd '\(service.folder.path)'\n\(client.line)",
        environment: ["URL": "http://127.0.0.1:\(service.port)"]
      )
      #expect(outcome.output == client.output, "\(outcome.report)")
    }
  }

  @Test func servesTLS() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let created = try CommandLineTool.shell(
      "cd '\(folder.path)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out chain.pem -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    )
    try #require(created.status == 0, "\(created.report)")
    let (chain, key) = (folder.appending(path: "chain.pem").path, folder.appending(path: "key.pem").path)
    let service = try LiveService(["--tls-certificate", chain, "--tls-key", key])
    let answer = try CommandLineTool.shell(
      "curl -sS --cacert '\(chain)' https://localhost:\(service.port)/health"
    )
    #expect(answer.output == #"{"status":"ok"}"#, "\(answer.report)")
    let wrong = try CommandLineTool.run([
      "serve", "\(service.folder.path)/shop.jsonl", "--tls-certificate", chain, "--tls-key", chain,
    ])
    #expect(wrong.status == 1 && wrong.errors.contains("cannot use the certificate"), "\(wrong.report)")
  }

  // MARK: Command lines

  typealias Line = (line: String, status: Int32, errors: String)

  static let lines: [Line] = [
    ("pricetag serve", 2, "Missing expected argument '<catalog>'"),
    ("pricetag serve nothing.json", 1, "nothing.json"),
    ("pricetag serve shop.jsonl --port 99999", 2, "--port: 99999 is out of range"),
    ("pricetag serve shop.jsonl --port x", 2, "The value 'x' is invalid for '--port"),
    ("pricetag serve shop.jsonl --host 192.0.2.1", 1, "cannot listen on 192.0.2.1:8080"),
    (
      "pricetag serve shop.jsonl --host nosuch.invalid", 1,
      "cannot listen on nosuch.invalid:8080: unknown address"
    ),
    ("pricetag serve shop.jsonl --log-level loud", 2, "unknown log level \"loud\""),
    ("PRICETAG_PROT=1 pricetag serve shop.jsonl", 2, "did you mean \"PRICETAG_PORT\"?"),
    ("PRICETAG_PORT=80a pricetag serve shop.jsonl", 2, "PRICETAG_PORT: \"80a\" is not an integer"),
    ("PRICETAG_STOREFRONTS=USB pricetag serve shop.jsonl", 2, "unknown storefront \"USB\""),
    (
      "echo '{\"prot\":1}' > c.json; pricetag serve shop.jsonl --config c.json", 2,
      "c.json: unknown setting \"prot\""
    ),
    (
      "pricetag serve shop.jsonl --config nothing.json", 1, "nothing.json: cannot read the configuration file"
    ),
    ("pricetag serve shop.jsonl --theme accent=red", 2, "\"red\" is not a color"),
    ("pricetag serve shop.jsonl --storefronts USB", 2, "unknown storefront \"USB\""),
  ]

  @Test(arguments: lines) func failsWithMessage(_ line: Line) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(LiveService.shop.utf8).write(to: folder.appending(path: "shop.jsonl"))
    let outcome = try CommandLineTool.shell(
      "cd '\(folder.path)'\ntimeout 600 bash -c '\(line.line.replacing("'", with: "'\\''"))'"
    )
    #expect(outcome.status == line.status, "\(outcome.report)")
    #expect(outcome.errors.contains(line.errors), "\(outcome.report)")
  }

  static let checks: [Line] = [
    ("pricetag serve shop.jsonl --check", 0, "the settings, the certificate and the catalog can be used"),
    ("pricetag serve nothing.json --check", 1, "nothing.json"),
    ("pricetag serve shop.jsonl --check --port 99999", 2, "--port: 99999 is out of range"),
    ("PRICETAG_PORT=80a pricetag serve shop.jsonl --check", 2, "PRICETAG_PORT: \"80a\" is not an integer"),
    (
      "pricetag serve shop.jsonl --check --tls-certificate shop.jsonl --tls-key shop.jsonl", 1,
      "cannot use the certificate"
    ),
    // The check leaves no copy of the catalog.
    ("TMPDIR=. pricetag serve shop.jsonl --check && ls >&2 && test ! -e pricetag-serve-*", 0, "shop.jsonl"),
  ]

  @Test(arguments: checks) func checksWithoutListening(_ line: Line) throws { try failsWithMessage(line) }

  @Test func failsForUsedPort() throws {
    let service = try LiveService()
    let second = try CommandLineTool.run([
      "serve", "\(service.folder.path)/shop.jsonl", "--port", "\(service.port)",
    ])
    #expect(second.status == 1 && second.errors.contains("Address already in use"), "\(second.report)")
  }
}
