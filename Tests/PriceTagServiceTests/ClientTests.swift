import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import PriceTagHTTPGuard
import Testing

@testable import PriceTagService

/// Tests client addresses, trusted proxies and the limits of clients.
@Suite struct ClientTests {
  typealias Address = (text: String, written: String?, network: String?)

  static let addresses: [Address] = [
    ("192.0.2.1", "192.0.2.1", "192.0.2.1"),
    ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
    ("2001:DB8::1", "2001:db8::1", "2001:db8::"),
    ("::1", "::1", "::"),
    ("192.0.2.256", nil, nil), ("192.0.2.1:80", nil, nil), ("fe80::1%eth0", nil, nil), ("", nil, nil),
    ("unknown", nil, nil), ("192.0.2.1\u{0}", nil, nil), (" 192.0.2.1", nil, nil),
  ]

  @Test(arguments: addresses) func parsesAddress(_ row: Address) {
    let address = ClientAddress(row.text)
    #expect(address?.description == row.written)
    #expect(address?.network.description == row.network)
  }

  @Test func socketAddressEqualsParsedAddress() throws {
    for text in ["192.0.2.1", "2001:db8::1"] {
      #expect(ClientAddress(try SocketAddress(ipAddress: text, port: 1)) == ClientAddress(text))
    }
    #expect(ClientAddress(try SocketAddress(unixDomainSocketPath: "/x")) == nil)
  }

  typealias Range = (range: String, address: String, isIn: Bool)

  static let ranges: [Range] = [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
    ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.128/25", "192.0.2.200", true),
    ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
    ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
    ("::1", "::1", true), ("::/0", "2001:db8::1", true), ("2001:db8::/65", "2001:db8::8000:0:0:0", false),
  ]

  @Test(arguments: ranges) func rangeContainsAddress(_ row: Range) throws {
    let address = try #require(ClientAddress(row.address))
    #expect(try AddressRange(row.range).contains(address) == row.isIn)
  }

  @Test(arguments: [
    "10.0.0.1/8", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/+8", "proxy", "",
  ])
  func rejectsInvalidRange(_ text: String) {
    let error = #expect(throws: ServiceError.self) { try AddressRange(text) }
    #expect(error?.code == .invalidSetting && error?.problem.contains("is not an address range") == true)
  }

  typealias Forwarded = (name: String, peer: String, fields: [String], client: String)

  static let forwarded: [Forwarded] = [
    ("no field", "10.0.0.1", [], "10.0.0.1"),
    ("a client through one proxy", "10.0.0.1", ["198.51.100.7"], "198.51.100.7"),
    ("what a client claims is left of it", "10.0.0.1", ["1.1.1.1, 198.51.100.7"], "198.51.100.7"),
    ("through two proxies", "10.0.0.1", ["198.51.100.7, 10.0.0.9"], "198.51.100.7"),
    ("in two fields", "10.0.0.1", ["1.1.1.1, 198.51.100.7", "10.0.0.9"], "198.51.100.7"),
    ("only proxies", "10.0.0.1", ["10.0.0.8, 10.0.0.9"], "10.0.0.8"),
    ("an untrusted peer", "203.0.113.5", ["198.51.100.7"], "203.0.113.5"),
    ("with ports", "10.0.0.1", ["[2001:db8::7]:4711, 10.0.0.9:80"], "2001:db8::7"),
    ("IPv6 without brackets", "10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
    ("an invalid address", "10.0.0.1", ["198.51.100.7, unknown, 10.0.0.9"], "10.0.0.9"),
    ("an empty field", "10.0.0.1", [""], "10.0.0.1"),
    ("a trailing comma", "10.0.0.1", ["198.51.100.7,"], "10.0.0.1"),
  ]

  @Test(arguments: forwarded) func clientIsRightmostUntrustedAddress(_ row: Forwarded) throws {
    let proxies = TrustedProxies(ranges: [try AddressRange("10.0.0.0/8")])
    var fields = HTTPFields()
    for value in row.fields { fields.append(HTTPField(name: .xForwardedFor, value: value)) }
    let client = proxies.client(of: try #require(ClientAddress(row.peer)), fields)
    #expect(client.description == row.client, "\(row.name)")
    // Without trusted proxies the field is ignored.
    let peer = try #require(ClientAddress(row.peer))
    #expect(TrustedProxies().client(of: peer, fields) == peer)
  }

  // MARK: Limits

  private func limits(connections: Int = 0, rate: Int = 0, remembered: Int = 100) throws -> ClientLimits {
    ClientLimits(
      maximumConnections: connections,
      requestsPerSecond: rate,
      proxies: TrustedProxies(ranges: [try AddressRange("10.0.0.0/8")]),
      rememberedClients: remembered
    )
  }

  @Test func limitsRequestRate() throws {
    let limits = try limits(rate: 4)
    let client = try #require(ClientAddress("198.51.100.7"))
    let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    for _ in 0..<4 { #expect(limits.takeRequest(of: client, at: start) == nil) }
    #expect(limits.takeRequest(of: client, at: start) == 1)
    // A refused request takes no token, and a quarter of a second adds one.
    #expect(limits.takeRequest(of: client, at: start + .milliseconds(240)) == 1)
    #expect(limits.takeRequest(of: client, at: start + .milliseconds(260)) == nil)
    #expect(limits.takeRequest(of: client, at: start + .milliseconds(270)) == 1)
    // The bucket never holds more than the requests of one second.
    for _ in 0..<4 { #expect(limits.takeRequest(of: client, at: start + .hours(1)) == nil) }
    #expect(limits.takeRequest(of: client, at: start + .hours(1)) == 1)
    // Other clients are not affected, and addresses in an IPv6 /64 network are the same client.
    let other = try #require(ClientAddress("2001:db8::1")),
      neighbor = try #require(ClientAddress("2001:db8::2"))
    for _ in 0..<2 { #expect(limits.takeRequest(of: other, at: start) == nil) }
    for _ in 0..<2 { #expect(limits.takeRequest(of: neighbor, at: start) == nil) }
    #expect(limits.takeRequest(of: neighbor, at: start) == 1)
  }

  /// A refusal before the head is complete, which no handler of requests sees.
  @Test(arguments: [("198.51.100.7", 1), ("10.0.0.1", 2)])
  func refusedRequestsCount(client: String, allowedAfterwards: Int) throws {
    let limits = try limits(rate: 2)
    let rules = ExchangeRules(
      metrics: ServiceMetrics(),
      proxies: limits.proxies,
      limits: limits,
      refusal: { _, _ in .empty },
      proxyWarning: ProxyWarning(Logger(label: "test"))
    )
    let requestGuard = RequestGuard(GuardRules())
    let channel = EmbeddedChannel()
    let peer = try SocketAddress(ipAddress: client, port: 1)
    channel.remoteAddress = peer
    let handler = rules.handler(of: channel, ConnectionClient(), requestGuard)
    try channel.pipeline.syncOperations.addHandler(requestGuard)
    try channel.writeInbound(ByteBuffer(string: "nonsense\r\n"))
    withExtendedLifetime(handler) {}
    let address = try #require(ClientAddress(peer))
    let now = channel.eventLoop.now
    #expect((0..<2).count { _ in limits.takeRequest(of: address, at: now) == nil } == allowedAfterwards)
  }

  @Test func limitsRememberedClients() throws {
    let limits = try limits(rate: 1, remembered: 100)
    let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    for number in 0..<10_000 {
      let client = try #require(ClientAddress("10.0.\(number / 256).\(number % 256)"))
      #expect(limits.takeRequest(of: client, at: start) == nil)
      #expect(limits.rememberedCount <= 101)
    }
    // The most recent clients are remembered.
    let last = try #require(ClientAddress("10.0.39.15"))
    #expect(limits.takeRequest(of: last, at: start) == 1)
  }

  @Test func limitsConnections() throws {
    let limits = try limits(connections: 2)
    let client = try #require(ClientAddress("198.51.100.7")), proxy = try #require(ClientAddress("10.0.0.1"))
    #expect(limits.openConnection(of: client) && limits.openConnection(of: client))
    #expect(!limits.openConnection(of: client))
    limits.closeConnection(of: client)
    #expect(limits.openConnection(of: client))
    // A trusted proxy has no limit.
    for _ in 0..<10 { #expect(limits.openConnection(of: proxy)) }
    limits.closeConnection(of: client)
    limits.closeConnection(of: client)
    #expect(limits.connectionCount == 0)
  }
}

extension ShortResponse {
  /// A response without a body.
  static let empty = ShortResponse(
    FinalAnswer(head: HTTPResponse(status: .ok), contents: .bytes(ByteBuffer()))
  )
}
