import CommandLineTools
import Foundation
import PriceTagSystem
import PriceTagText
import Testing

/// The operation of `pricetag serve`: ports, certificates, logs, limits, and catalog files that are being written.
@Suite struct ServeOperationTests {
  private static func get(_ path: String, _ fields: String = "Connection: close\r\n") -> String {
    "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
  }

  /// Returns the admin port, from the log.
  private static func adminPort(of service: LiveService) throws -> Int {
    #expect(service.waits(for: "admin="))
    let match = try #require(service.messages.firstMatch(of: /admin=http:\/\/127\.0\.0\.1:([0-9]+)/))
    return try #require(Int(match.1))
  }

  @Test func servesAdminPathsOnAdminPort() throws {
    let service = try LiveService(["--admin-port", "0", "--drain-seconds", "300"])
    let port = try Self.adminPort(of: service)
    #expect(port != service.port)
    for path in ["/health", "/ready", "/metrics"] {
      #expect(try service.answer(to: Self.get(path)).hasPrefix("HTTP/1.1 404 "), "\(path)")
      let connection = try RawConnection(port: port)
      connection.send(Self.get(path))
      #expect(connection.receivedAnswers().hasPrefix("HTTP/1.1 200 "), "\(path)")
    }
    #expect(try service.answer(to: Self.get("/v1/storefronts/JPN")).hasPrefix("HTTP/1.1 200 "))
    service.send(SIGTERM)
    #expect(service.waits(for: "stopping"))
    let connection = try RawConnection(port: port)
    connection.send(Self.get("/ready"))
    #expect(connection.receivedAnswers().hasPrefix("HTTP/1.1 503 "))
  }

  /// New connections use the new certificate. An invalid certificate is ignored.
  @Test func reloadsCertificate() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func make(_ name: String) throws {
      let created = try CommandLineTool.shell(
        "cd '\(folder.path)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out chain.pem -days 1 -subj /CN=\(name)"
      )
      try #require(created.status == 0, "\(created.report)")
    }
    try make("first.example")
    let service = try LiveService([
      "--tls-certificate", folder.appending(path: "chain.pem").path,
      "--tls-key", folder.appending(path: "key.pem").path,
    ])
    func subject() throws -> String {
      try CommandLineTool.shell(
        "openssl s_client -connect 127.0.0.1:\(service.port) </dev/null 2>/dev/null | openssl x509 -noout -subject"
      ).output
    }
    #expect(try subject().contains("first.example"))
    try make("second.example")
    #expect(try subject().contains("first.example"), "the certificate is only read after the signal")
    service.send(SIGHUP)
    #expect(service.waits(for: "reloaded the certificate"))
    #expect(try subject().contains("second.example"))
    try Data("no certificate".utf8).write(to: folder.appending(path: "chain.pem"))
    service.send(SIGHUP)
    #expect(service.waits(for: "cannot use the new certificate; the previous one stays in use"))
    #expect(try subject().contains("second.example"))
    let metrics = try CommandLineTool.shell("curl -sSk https://127.0.0.1:\(service.port)/metrics").output
    #expect(metrics.contains("pricetag_tls_reloads_total{result=\"refused\"} 1"))
    #expect(metrics.contains("pricetag_tls_reloads_total{result=\"served\"} 1"))
  }

  /// Every request has an access log line, and a client cannot forge lines.
  @Test func logsEveryRequest() throws {
    let trace = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n"
    let json = try LiveService(["--access-log", "json", "--log-level", "info"])
    _ = try json.answer(to: Self.get("/health", "User-Agent: a\"b\\\r\n\(trace)Connection: close\r\n"))
    _ = try json.answer(to: "nonsense\r\n\r\n")
    #expect(json.waits(for: #""status":400"#))
    let lines = json.messages.split(separator: "\n").filter { $0.hasPrefix("{") }
    try #require(lines.count == 2, "\(json.messages)")
    #expect(lines[0].contains(#""path":"/health""#) && lines[0].contains(#""userAgent":"a\"b\\""#))
    #expect(lines[0].contains(#""status":200,"traceId":"4bf92f3577b34da6a3ce929d0e0e4736""#))
    let common = try LiveService(["--access-log", "common"])
    _ = try common.answer(to: "GET /health?x=1 HTTP/1.0\r\nUser-Agent: test\r\n\r\n")
    #expect(common.waits(for: "\"GET /health?x=1 HTTP/1.0\" 200 15 \"-\" \"test\" "), "\(common.messages)")
    #expect(common.messages.contains("127.0.0.1 - - ["))
  }

  /// The status is a number in every log line that has one.
  @Test func logsStatusAsNumber() throws {
    let service = try LiveService(["--log-level", "debug", "--log-format", "json", "--access-log", "json"])
    _ = try service.answer(to: Self.get("/health"))
    _ = try service.answer(to: "nonsense\r\n\r\n")
    #expect(service.waits(for: "\"message\":\"refused a request\""))
    let lines = service.messages.split(separator: "\n").filter { $0.contains("\"status\"") }
    #expect(lines.count == 4, "\(service.messages)")
    for line in lines { #expect(line.contains(/"status":\d\d\d[,}]/), "\(line)") }
  }

  /// A client with too many connections receives the reason, also with TLS.
  @Test func refusesClientWithTooManyConnections() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pricetag-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let created = try CommandLineTool.shell(
      "cd '\(folder.path)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out chain.pem -days 1 -subj /CN=a"
    )
    try #require(created.status == 0, "\(created.report)")
    let service = try LiveService([
      "--max-connections-per-client", "1", "--tls-certificate", folder.appending(path: "chain.pem").path,
      "--tls-key", folder.appending(path: "key.pem").path,
    ])
    let held = try service.connect()
    let refused = try CommandLineTool.shell("curl -sSk -i https://127.0.0.1:\(service.port)/health").output
    #expect(refused.hasPrefix("HTTP/1.1 429 ") && refused.contains("too-many-connections"), "\(refused)")
    held.finishSending()
  }

  /// The service survives without free descriptors, and accepts connections when there are some again.
  @Test func survivesExhaustedDescriptors() throws {
    let service = try LiveService(["--max-connections", "500"], descriptorLimit: 56)
    #expect(service.messages.contains("the limit of file descriptors is too low for --max-connections"))
    var connections: [RawConnection] = []
    for _ in 0..<60 { connections.append(try service.connect()) }
    #expect(service.waits(for: "out of file descriptors"), "\(service.messages)")
    connections = []
    let deadline = Date(timeIntervalSinceNow: 600)
    var answer = ""
    while !answer.hasPrefix("HTTP/1.1 200 "), Date() < deadline {
      answer = try service.answer(to: Self.get("/metrics"))
    }
    #expect(
      answer.contains("pricetag_http_accept_failures_total{reason=\"descriptors\"}"),
      "\(answer.prefix(300))"
    )
    #expect(answer.contains("process_max_fds 56\n"))
  }

  /// A catalog file that changed less than `--settle-seconds` ago may be incomplete, so it is not served.
  @Test func doesNotServeIncompleteCatalog() throws {
    let service = try LiveService(["--settle-seconds", "3600", "--log-level", "info"])
    let file = service.folder.appending(path: "shop.jsonl")
    let shop = (0..<4).map { LiveService.shop.replacing("car", with: "car\($0)") }.joined()
    try LiveService.write(shop, to: file)
    service.send(SIGHUP)
    #expect(service.waits(for: "reloaded the catalog products=4"), "\(service.messages)")
    try Data(LiveService.shop.utf8).write(to: file)
    service.send(SIGHUP)
    #expect(service.waits(for: "waiting for the catalog to settle seconds=3600"), "\(service.messages)")
    let answer = try service.answer(to: Self.get("/v1/product-identifiers"))
    #expect(answer.contains(#""car3""#), "\(answer)")
  }

  /// `serve` and `pages` offer the same languages for the same options.
  @Test(arguments: [
    "--storefronts JPN,USA", "--storefronts JPN --languages all", "--storefronts JPN,USA --languages fr,ja",
  ])
  func offersSameLanguagesAsPages(_ options: String) throws {
    let service = try LiveService(options.split(separator: " ").map(String.init))
    let site = service.folder.appending(path: "site").path
    let generated = try CommandLineTool.shell(
      "cd '\(service.folder.path)' && pricetag pages shop.jsonl -o '\(site)' \(options) --quiet"
    )
    try #require(generated.status == 0, "\(generated.report)")
    // "products" has the pages of products in all stores.
    let folders = try FileManager.default.contentsOfDirectory(atPath: "\(site)/choose").filter {
      $0 != "products"
    }
    let page = try service.answer(to: Self.get("/choose/en-us/"))
    let offered = Set(page.matches(of: /<link rel="alternate" hreflang="([^"]+)"/).map { $0.1.lowercased() })
    #expect(offered.subtracting(["x-default"]) == Set(folders), "\(folders.sorted())")
    for folder in folders {
      #expect(try service.answer(to: Self.get("/choose/\(folder)/")).hasPrefix("HTTP/1.1 200 "), "\(folder)")
    }
  }

  /// Pages have labels about tax only if an option or a variable asks for them.
  @Test(
    arguments: [
      ([], [:], false), (["--tax-labels"], [:], true), ([], ["PRICETAG_TAX_LABELS": "true"], true),
    ] as [([String], [String: String], Bool)]
  )
  func showsTaxLabels(options: [String], environment: [String: String], isShown: Bool) throws {
    let service = try LiveService(options, environment: environment)
    let page = try service.answer(to: Self.get("/store/usa/en-us/"))
    #expect(page.hasPrefix("HTTP/1.1 200 ") && page.contains("$4.99"), "\(page.prefix(300))")
    #expect(page.contains(#"<span class="note">plus tax</span>"#) == isShown)
  }
}
