import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import PriceTag
import PriceTagHTTPGuard
import PriceTagPages
import PriceTagStrings
import ServiceFixtures
import Testing

@testable import PriceTagService

/// Tests features for operators: the admin port, metrics, file descriptors, reloads and page policies.
@Suite struct OperationTests {
  // MARK: The admin port

  typealias PortCase = (path: String, publicStatus: Int, adminStatus: Int)

  static let portCases: [PortCase] = [
    ("/health", 404, 200), ("/ready", 404, 200), ("/metrics", 404, 200),
    ("/store/usa/en-us/", 200, 404), ("/v1/storefronts/JPN", 200, 404), ("/docs", 200, 404),
    ("/assets/store.css", 200, 404), ("/nothing", 404, 404),
  ]

  @Test(arguments: portCases) func adminPortServesOperatorRoutes(_ row: PortCase) async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.service { $0.adminPort = 0 }
    #expect(try await service.send(.get, row.path).status.code == row.publicStatus)
    let answer = try await service.adminApplication().send(.get, row.path)
    #expect(answer.status.code == row.adminStatus)
    // Without an admin port, the public port serves all routes.
    #expect(try await fixture.send(.get, row.path).status.code == min(row.publicStatus, row.adminStatus))
  }

  // MARK: The hero

  /// A catalog may lose the product that the shop wants to be large. Its pages have another one, and the log says so.
  @Test(arguments: [(nil, false), ("car", false), ("cars", true)] as [(String?, Bool)])
  func logsUnknownHero(hero: String?, isLogged: Bool) throws {
    let messages = LogLines()
    let fixture = try ServiceFixture()
    var source = try fixture.source()
    source.shop = try Shop(hero: hero)
    _ = try CurrentSnapshot(source, messages.logger())
    let lines = messages.all.filter { $0.contains("no product for the hero") }
    #expect(lines.count == (isLogged ? 1 : 0))
    #expect(lines.allSatisfy { $0.contains("product=cars") }, "\(lines)")
  }

  // MARK: Metrics

  @Test func countsPricesOfPages() async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.service()
    func metric(_ name: String) async throws -> String? {
      try await service.send(.get, "/metrics").text.split(separator: "\n").first { $0.hasPrefix(name) }.map {
        String($0.split(separator: " ").last ?? "")
      }
    }
    #expect(try await metric("pricetag_prices_formatted_total") == "0")
    _ = try await service.send(.get, "/store/usa/en-us/")
    #expect(try await metric("pricetag_prices_formatted_total") == "2")
    // The second response comes from the cache.
    _ = try await service.send(.get, "/store/usa/en-us/")
    #expect(try await metric("pricetag_prices_formatted_total") == "2")
    _ = try await service.send(.get, "/store/jpn/en-us/products/car/")
    #expect(try await metric("pricetag_prices_formatted_total") == "3")
    for name in [
      "pricetag_build_info{", "pricetag_http_requests_in_flight ",
      "pricetag_work_queue_depth{kind=\"cheap\"} ", "pricetag_work_queue_depth{kind=\"costly\"} ",
      "pricetag_work_canceled_total ",
      "pricetag_http_connections_max 10000",
      "pricetag_http_connections_replaced_total 0", "pricetag_batch_spool_full_total 0",
      "pricetag_log_dropped_lines_total ", "pricetag_tls_reloads_total{result=\"refused\"} 0",
      "pricetag_catalog_last_reload_success_timestamp_seconds 1",
      "pricetag_catalog_reloads_total{result=\"served\"} 0", "process_open_fds ", "process_max_fds ",
    ] {
      #expect(try await metric(name) != nil, "\(name)")
    }
    let text = try await service.send(.get, "/metrics").text
    #expect(text.contains("pricetag_build_info{cldr=\"\(Versions.current.cldr)\""))
  }

  // MARK: Proxies

  /// Returns the handler of a connection's exchanges.
  private static func exchange(
    _ peer: String,
    _ client: ConnectionClient = ConnectionClient(),
    trusted: [AddressRange],
    limitsLoopback: Bool = false,
    logger: Logger = LogLines().logger()
  ) -> ExchangeHandler {
    let rules = ExchangeRules(
      metrics: ServiceMetrics(),
      proxies: TrustedProxies(ranges: trusted),
      refusal: { _, _ in .empty },
      limitsLoopback: limitsLoopback,
      proxyWarning: ProxyWarning(logger)
    )
    return ExchangeHandler(rules, peer: ClientAddress(peer), client, RequestGuard(GuardRules()))
  }

  typealias Forwarding = (
    forwarded: String?, status: Int, retryAfter: String?, isTrusted: Bool, isLogged: Bool
  )

  static let forwardings: [Forwarding] = [
    ("198.51.100.1", 429, "1", false, true), ("198.51.100.1", 503, "1", false, true),
    ("198.51.100.1", 429, "1", true, false), (nil, 429, "1", false, false),
    ("198.51.100.1", 200, nil, false, false), ("198.51.100.1", 503, nil, false, false),
  ]

  /// A proxy that is not trusted shares the limits of one client, so its first refusal is logged.
  @Test(arguments: forwardings) func warnsOfProxyThatIsNotTrusted(_ row: Forwarding) throws {
    let messages = LogLines()
    let proxies = row.isTrusted ? [try AddressRange("192.0.2.0/24")] : []
    let channel = EmbeddedChannel(
      handler: Self.exchange("192.0.2.1", trusted: proxies, logger: messages.logger())
    )
    var head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
    head.headerFields[.xForwardedFor] = row.forwarded
    var response = HTTPResponse(status: .init(code: row.status))
    response.headerFields[.retryAfter] = row.retryAfter
    for _ in 0..<3 {
      try channel.writeInbound(HTTPRequestPart.head(head))
      try channel.writeOutbound(HTTPResponsePart.head(response))
      try channel.writeOutbound(HTTPResponsePart.end(nil))
    }
    let lines = messages.all
    #expect(lines.count == (row.isLogged ? 1 : 0), "\(lines)")
    #expect(lines.allSatisfy { $0.contains("--trusted-proxies") && $0.contains("client=192.0.2.1") })
    _ = try? channel.finish()
  }

  /// A connection's work belongs to the network of the request's client, except for loopback addresses.
  @Test(
    arguments: [
      ("192.0.2.1", nil, false, "192.0.2.1"), ("2001:db8::1:2:3:4", nil, false, "2001:db8::"),
      ("127.0.0.1", nil, false, nil), ("::1", nil, false, nil), ("127.0.0.3", nil, true, "127.0.0.3"),
      ("127.0.0.1", "198.51.100.1", false, "198.51.100.1"), ("127.0.0.1", "127.0.0.9", false, nil),
    ] as [(String, String?, Bool, String?)]
  )
  func workBelongsToNetwork(_ peer: String, forwarded: String?, limitsLoopback: Bool, network: String?) throws
  {
    let client = ConnectionClient()
    let proxies = [try AddressRange("127.0.0.1")]
    let channel = EmbeddedChannel(
      handler: Self.exchange(peer, client, trusted: proxies, limitsLoopback: limitsLoopback)
    )
    var head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
    head.headerFields[.xForwardedFor] = forwarded
    try channel.writeInbound(HTTPRequestPart.head(head))
    #expect(client.network?.description == network)
    _ = try? channel.finish()
  }

  // MARK: Descriptors

  typealias Limit = (limit: Int?, connections: Int, isWarned: Bool)

  static let limits: [Limit] = [
    (1024, 10_000, true), (1024, 1000, true), (1024, 833, true), (1024, 832, false), (65_536, 10_000, false),
    (nil, 1_000_000, false),
  ]

  @Test(arguments: limits) func warnsOfLowDescriptorLimit(_ row: Limit) {
    let messages = LogLines()
    DescriptorLimit.warn(messages.logger(), connections: row.connections, limit: row.limit)
    let lines = messages.all
    #expect(lines.contains { $0.contains("warning") && $0.contains("--max-connections") } == row.isWarned)
  }

  @Test func reportsAcceptFailures() throws {
    let messages = LogLines()
    let metrics = ServiceMetrics()
    let channel = EmbeddedChannel(handler: AcceptFailureHandler(metrics, messages.logger()))
    func fail() {
      channel.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
      // The error must reach NIO's handler, which waits for a second before it accepts again.
      #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
    }
    for _ in 0..<6 { fail() }
    let lines = messages.all
    #expect(
      lines.count == 6 && lines.allSatisfy { $0.contains("out of file descriptors") },
      "\(lines)"
    )
    #expect(metrics.text.contains("pricetag_http_accept_failures_total{reason=\"descriptors\"} 6\n"))
    _ = try? channel.finish()
  }

  // MARK: Asset files

  @Test func servesChangedAndNewFilesAfterReload() async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.service()
    let files = fixture.folder.appending(path: "files")
    func get(_ address: String) async throws -> String { try await service.send(.get, address).text }
    #expect(try await get("/images/car.svg").hasPrefix("<svg"))
    #expect(try await service.send(.get, "/new.txt").status == .notFound)
    try Data("changed".utf8).write(to: files.appending(path: "images/car.svg"))
    try Data("new".utf8).write(to: files.appending(path: "new.txt"))
    func reload() async {
      await withCheckedContinuation { isDone in service.watcher.reload { isDone.resume() } }
    }
    await reload()
    #expect(try await get("/images/car.svg") == "changed")
    #expect(try await get("/new.txt") == "new")
    // A link to a file outside the folder makes the reload fail, and the previous snapshot stays in use.
    let link = files.appending(path: "link.txt")
    func setLink(to target: String) throws {
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: files.appending(path: target))
    }
    try setLink(to: "../secret.txt")
    await reload()
    #expect(try await get("/ready").contains("points outside the folder"))
    #expect(try await service.send(.get, "/link.txt").status == .notFound)
    #expect(try await get("/new.txt") == "new")
    // A link to a file in the folder is followed, but not if it is later changed to one outside.
    try setLink(to: "new.txt")
    await reload()
    try setLink(to: "../secret.txt")
    #expect(try await service.send(.get, "/link.txt").status == .notFound)
    try setLink(to: "new.txt")
    #expect(try await get("/link.txt") == "new")
  }

  // MARK: Pages

  @Test func pagesHaveContentSecurityPolicy() async throws {
    let fixture = try ServiceFixture()
    for address in ["/store/usa/en-us/", "/store/usa/en-us/products/car/", "/choose/ar/"] {
      let policy = try await fixture.send(.get, address).headers[.contentSecurityPolicy]
      #expect(policy?.contains("script-src 'self' 'wasm-unsafe-eval';") == true, "\(address)")
      #expect(policy?.contains("unsafe-inline") == false)
      #expect(policy?.hasSuffix("; frame-ancestors 'self'; form-action 'self'") == true)
    }
    // The page of the API and problem pages have no styles and no scripts.
    let none = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    #expect(try await fixture.send(.get, "/docs").headers[.contentSecurityPolicy] == none)
    let problem = try await fixture.send(.get, "/store/usa/x--x/", [.accept: "text/html"])
    #expect(
      problem.status == .badRequest && problem.headers[.contentSecurityPolicy] == none
    )
  }

  /// A language without strings gives each store pages in its default language.
  @Test func storesHavePagesInDefaultLanguage() async throws {
    let fixture = try ServiceFixture()
    var source = try fixture.source()
    source.storefrontsWithPages = [try Storefront("JPN"), try Storefront("USA")]
    source.languagesOfPages = .list([try UILanguage("bg")])
    let service = try fixture.service(source)
    for (address, status, location) in [
      ("/store/jpn/ja/", 200, nil), ("/store/usa/en-us/", 200, nil),
      ("/store/jpn/bg/", 302, "../../../store/jpn/ja/"), ("/store/usa/ja/", 302, "../../../store/usa/en-us/"),
    ] as [(String, Int, String?)] {
      let answer = try await service.send(.get, address)
      #expect(answer.status.code == status && answer.headers[.location] == location, "\(address)")
    }
  }

  /// The page to choose a store is available in the languages of the stores.
  @Test func entryPageHasLanguagesOfStores() async throws {
    let fixture = try ServiceFixture()
    var source = try fixture.source()
    source.storefrontsWithPages = [try Storefront("JPN"), try Storefront("DEU")]
    source.languagesOfPages = .store
    let service = try fixture.service(source)
    let page = try await service.send(.get, "/choose/en-us/").text
    let offered = Set(page.matches(of: /<link rel="alternate" hreflang="([^"]+)"/).map { String($0.1) })
    let stores = try [Storefront("JPN"), Storefront("DEU")].flatMap(\.languages)
    #expect(offered == Set(stores + ["en-US", "x-default"]), "\(offered.sorted())")
    // Redirects select one of these languages; other languages have no page.
    #expect(
      try await service.send(.get, "/store/", [.acceptLanguage: "ar"]).headers[.location]
        == "../choose/en-us/"
    )
    #expect(
      try await service.send(.get, "/store/", [.acceptLanguage: "ja"]).headers[.location] == "../choose/ja/"
    )
    #expect(try await service.send(.get, "/choose/ar/").status == .notFound)
  }
}
