import Testing

@testable import PriceTagHTTPGuard

/// Tests which hosts are valid in the Host field and in the request target.
@Suite struct HostRuleTests {
  typealias Host = (host: String, isHost: Bool)

  static let hosts: [Host] = [
    ("a", true), ("shop.example", true), ("shop.example:8080", true), ("shop.example:", true),
    ("SHOP.example.", true), ("192.0.2.1", true), ("192.0.2.1:80", true), ("localhost:65535", true),
    ("[::1]", true), ("[2001:db8::1]:443", true), ("[::ffff:192.0.2.1]", true), ("[::1]:", true),
    ("my_host", true), ("a%20b", true), ("a!$&'()*+,;=~b", true),
    ("", false), ("[", false), ("]", false), ("[]", false), (":80", false), (":", false), ("a:b", false),
    ("a:80:80", false), ("a:65536", false), ("a:123456", false), ("a:-1", false), ("::1", false),
    ("[::1", false), ("[::1]x", false), ("[::1]80", false), ("[1.2.3.4]", false), ("[::g]", false),
    ("[fe80::1%25eth0]", false), ("a%", false), ("a%2", false), ("a%zz", false), ("a b", false),
    ("user@a", false), ("a/b", false), ("a?b", false), ("a\u{E9}", false), ("a[b]", false),
  ]

  @Test(arguments: hosts) func refusesInvalidHosts(_ row: Host) throws {
    #expect(Array(row.host.utf8).withUnsafeBytes { HostRule.isHost($0) } == row.isHost)
    // Test the host in a request too, in the Host field and in the target.
    for request in [
      "GET / HTTP/1.1\r\nHost: \(row.host)\r\n\r\n", "GET http://\(row.host)/ HTTP/1.1\r\nHost: a\r\n\r\n",
    ] {
      // These characters end the host in a target.
      if request.hasPrefix("GET http"), row.host.contains(where: { "/? ".contains($0) }) { continue }
      let connection = try GuardedConnection()
      try connection.send(request)
      #expect(connection.forwarded == (row.isHost ? request : ""), "\(request)")
      #expect(connection.refusals.allSatisfy { $0.hasPrefix("400 ") })
      #expect(connection.refusals.isEmpty == row.isHost)
    }
  }
}
