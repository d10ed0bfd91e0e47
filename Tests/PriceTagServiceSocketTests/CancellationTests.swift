import Dispatch
import NIOCore
import ServiceFixtures
import Synchronization
import Testing

@testable import PriceTagService

/// Tests that work ends with the connection of its client.
@Suite("Work of closed connections", .serialized, .timeLimit(.minutes(20)))
struct CancellationTests {
  /// Jobs that occupy all threads which one network may use.
  final class Occupation: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let begun = Atomic(0)

    /// Occupies the threads of a network during a test.
    func run(
      _ address: String,
      _ kind: Workers.Kind = .cheap,
      _ test: @escaping @Sendable () async throws -> Void
    ) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<System.coreCount {
          let client = ConnectionClient()
          client.beginRequest(from: ClientAddress(address)?.network)
          group.addTask {
            try await ConnectionClient.$current.withValue(client) {
              try await Workers.shared.run(kind, .unlimited) {
                self.begun.add(1, ordering: .relaxed)
                self.gate.wait()
              }
            }
          }
        }
        defer { for _ in 0..<System.coreCount { gate.signal() } }
        while begun.load(ordering: .relaxed) < System.coreCount {
          try await Task.sleep(for: .milliseconds(1))
        }
        try await test()
      }
    }
  }

  @Test func waitingWorkIsCanceled() async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.service { $0.limitsLoopback = true }
    try await Occupation().run("127.0.0.1") {
      try await service.run(during: { port in
        let canceledBefore = Workers.shared.canceledCount
        var clients: [RawClient] = []
        // Requests for the same answer would share one job.
        for year in 2020..<2060 {
          let client = try await RawClient.connect(port: port)
          try await client.send("GET /v1/storefronts?at=\(year)-01-01 HTTP/1.1\r\nHost: a\r\n\r\n")
          clients.append(client)
        }
        try await eventually { Workers.shared.waitingCount(.cheap) >= 40 }
        // Other clients are served.
        #expect(try await service.send(.get, "/store/jpn/en-us/").status == .ok)
        for client in clients { try await client.close() }
        try await eventually { Workers.shared.canceledCount >= canceledBefore + 40 }
        #expect(Workers.shared.waitingCount(.cheap) < 40)
      })
    }
  }

  /// A client that has closed only its side of the connection still gets its response.
  @Test func halfClosedConnectionIsServed() async throws {
    let fixture = try ServiceFixture()
    let service = try fixture.service { $0.limitsLoopback = true }
    try await service.run(during: { port in
      let client = try await RawClient.connect(port: port)
      try await Occupation().run("127.0.0.1") {
        try await client.send("GET /store/usa/en-us/ HTTP/1.1\r\nHost: a\r\n\r\n")
        try await client.sendEnd()
        // The service probes whether the client is gone while its work waits.
        #expect(try await client.receive(25).text == "HTTP/1.1 100 Continue\r\n\r\n")
      }
      let (text, hasEnded) = try await client.receive()
      #expect(
        text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.contains("</html>") && hasEnded,
        "\(text.prefix(99))"
      )
    })
  }
}
