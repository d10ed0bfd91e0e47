import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import Testing

@testable import PriceTagHTTPGuard

/// Tests which connection of a port with a maximum of two is closed for a new one.
@Suite struct OpenConnectionsTests {
  /// Connections by a letter. Of two with the same letter, the second one is new.
  private final class Port {
    let events = NIOLockedValueBox<[String]>([])
    let connections: OpenConnections
    private(set) var byName: [Character: GuardedConnection] = [:]

    init() {
      connections = OpenConnections(maximum: 2) { [events] isRefused in
        events.withLockedValue { $0.append(isRefused ? "refused" : "replaced") }
      }
    }

    /// Takes a step: a letter followed by what its connection does.
    func take(_ step: Substring) throws {
      let name = try #require(step.first)
      if step.hasSuffix("opens") { byName[name] = try GuardedConnection(connections: connections) }
      let connection = try #require(byName[name])
      switch step.dropFirst(2) {
      case "opens": break
      case "sends": try connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      case "starts": try connection.send("GET / HT")
      case "uploads": try connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na")
      case "receives": try connection.respond()
      case "begins": try connection.respond(ends: false)
      case "fails": try connection.send("nonsense\r\n")
      case "closes": _ = connection.channel.close()
      default: Issue.record("unknown step \(step)")
      }
      for connection in byName.values { connection.channel.embeddedEventLoop.run() }
    }

    var open: String { String(byName.filter(\.value.isOpen).keys.sorted()) }
  }

  typealias Row = (name: String, steps: String, open: String, events: [String])

  static let rows: [Row] = [
    ("two", "a-opens b-opens", "ab", []),
    ("the oldest silent one", "a-opens b-opens c-opens", "bc", ["replaced"]),
    ("one after the other", "a-opens b-opens c-opens d-opens", "cd", ["replaced", "replaced"]),
    ("a request in progress", "a-opens a-sends b-opens c-opens", "ac", ["replaced"]),
    ("a body in progress", "a-opens a-uploads b-opens c-opens", "ac", ["replaced"]),
    ("a response in progress", "a-opens a-sends a-begins b-opens c-opens", "ac", ["replaced"]),
    ("after a response", "a-opens b-opens a-sends a-receives c-opens", "ac", ["replaced"]),
    ("an incomplete head", "a-opens b-opens a-starts c-opens", "bc", ["replaced"]),
    (
      "an incomplete head after a request", "a-opens a-sends a-receives b-opens a-starts c-opens", "bc",
      ["replaced"]
    ),
    ("a closed one", "a-opens b-opens a-closes c-opens", "bc", []),
    (
      "one with a request that closed", "a-opens a-sends b-opens a-closes c-opens d-opens", "cd", ["replaced"]
    ),
    ("a refused request", "a-opens a-fails b-opens c-opens", "bc", ["replaced"]),
    ("only requests", "a-opens a-sends b-opens b-sends c-opens c-sends", "abc", ["refused"]),
    (
      "only requests, then a response", "a-opens a-sends b-opens b-sends a-receives c-opens c-sends", "bc",
      ["replaced"]
    ),
  ]

  @Test(arguments: rows) func closesConnection(_ row: Row) throws {
    let port = Port()
    for step in row.steps.split(separator: " ") { try port.take(step) }
    #expect(port.open == row.open, "\(row.name)")
    #expect(port.events.withLockedValue { $0 } == row.events, "\(row.name)")
  }

  @Test func refusesConnectionIfAllHaveRequests() throws {
    let port = Port()
    for step in "a-opens a-sends b-opens b-sends c-opens c-sends".split(separator: " ") {
      try port.take(step)
    }
    let refused = try #require(port.byName["c"])
    #expect(refused.refusals == ["503 out-of-connections"] && refused.forwarded.isEmpty)
    let text = try refused.received()
    #expect(text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n") && text.contains("\r\nRetry-After: 1\r\n"))
    refused.advance(1)
    #expect(!refused.isOpen)
  }

  /// At most 64 refused connections wait for their clients.
  @Test func closesOldestRefusedConnections() throws {
    let port = Port()
    for step in "a-opens a-sends b-opens b-sends".split(separator: " ") { try port.take(step) }
    let refused = try (0..<100).map { _ in try GuardedConnection(connections: port.connections) }
    for connection in refused { connection.channel.embeddedEventLoop.run() }
    #expect(refused.map(\.isOpen) == (0..<100).map { $0 >= 36 })
    #expect(port.open == "ab")
  }

  /// The other event loop has received the request before it closes the connection.
  @Test func answersRequestThatArrivesMeanwhile() throws {
    let connections = OpenConnections(maximum: 1) { _ in }
    let first = try GuardedConnection(connections: connections)
    let second = try GuardedConnection(connections: connections)
    try first.channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
    first.channel.embeddedEventLoop.run()
    #expect(first.isOpen && first.forwarded.hasPrefix("GET / "))
    try first.respond()
    #expect(try first.received() == "response" && first.isLast)
    first.advance(1)
    #expect(!first.isOpen && second.isOpen)
  }
}
