import Foundation
import PriceTag
import PriceTagText
import ServiceFixtures
import Synchronization
import Testing

@testable import PriceTagService

/// Tests the scheduling and the limits of jobs.
@Suite(.serialized) struct WorkersTests {
  /// Returns a new connection of a client; one without a network if the address is `nil`.
  private static func connection(_ address: String?) -> ConnectionClient {
    let client = ConnectionClient()
    client.beginRequest(from: address.flatMap { ClientAddress($0) }?.network)
    return client
  }

  /// Returns workers for which a client's first job of each kind runs, and its cheap jobs do not become costly ones.
  private static func workers(maximumWaiting: Int = 512) -> Workers {
    Workers(clientThreadCount: 1, maximumWaiting: maximumWaiting, cheapTime: .seconds(3_600))
  }

  /// Runs a job for a connection.
  private static func run<Value: Sendable>(
    _ workers: Workers,
    _ client: ConnectionClient,
    _ kind: Workers.Kind = .cheap,
    _ limits: Workers.Limits = .unlimited,
    mayRefuse: Bool = true,
    memory: BufferReservation? = nil,
    _ body: @escaping @Sendable () throws(Problem) -> Value
  ) async throws -> Value {
    try await ConnectionClient.$current.withValue(client) {
      try await workers.run(kind, limits, mayRefuse: mayRefuse, memory: memory, body)
    }
  }

  /// Runs a job and returns the code of its problem; `nil` if it succeeds.
  private static func code(
    _ workers: Workers,
    _ client: ConnectionClient,
    _ kind: Workers.Kind = .cheap,
    _ body: @escaping @Sendable () throws(Problem) -> Void
  ) async throws -> String? {
    do {
      try await run(workers, client, kind, .unlimited, body)
      return nil
    } catch let problem as Problem { return problem.code }
  }

  /// Runs a job until its gate is open, and returns the code of its problem.
  private static func pass(
    _ gate: Gate,
    _ workers: Workers,
    _ client: ConnectionClient = WorkersTests.connection("192.0.2.1"),
    _ kind: Workers.Kind = .cheap
  ) async throws -> String? {
    try await code(workers, client, kind) { () throws(Problem) in try gate.pass() }
  }

  /// A job that runs, with checkpoints, until it is told to end.
  private final class Gate: Sendable {
    let hasBegun = SharedFlag()
    let isOpen = SharedFlag()

    func pass() throws(Problem) {
      hasBegun.set()
      while !isOpen.isSet { try WorkBudget.spend(byteCount: 0) }
    }

    func waitUntilBegun() async throws { try await eventually { self.hasBegun.isSet } }
  }

  // MARK: The queue

  /// Jobs are `client number`; `!` marks a part of a stream.
  private typealias Turns = (name: String, added: String, limitOfClient: Int, taken: String)

  private static let turns: [Turns] = [
    ("one client, in order", "a1 a2 a3", 9, "a1 a2 a3"),
    ("two clients in turns", "a1 a2 a3 b1 b2", 9, "a1 b1 a2 b2 a3"),
    ("a late client comes next", "a1 a2 a3 a4 a5 c1", 9, "a1 c1 a2 a3 a4 a5"),
    ("a client at its limit waits", "a1 a2 a3 b1 b2", 2, "a1 b1 a2 b2"),
    ("connections without a network", "1 2 3", 1, "1 2 3"),
    ("parts of streams wait in turn", "a1 a2! b1! a3", 9, "a1 b1! a2! a3"),
  ]

  @Test(arguments: turns.indices) func clientsTakeTurns(_ index: Int) {
    let row = Self.turns[index]
    var queue = QueueOfNames()
    for name in row.added.split(separator: " ") { _ = queue.add(name, limit: 9) }
    let taken = queue.takeAll(limitOfClient: row.limitOfClient)
    #expect(taken == row.taken, "\(row.name)")
  }

  private typealias Refusal = (name: String, waiting: String, new: String, refused: String?)

  /// The queue has room for four jobs.
  private static let refusals: [Refusal] = [
    ("there is room", "a1 a2 a3", "b1", nil),
    ("the largest client loses its last job", "a1 a2 a3 b1", "c1", "a3"),
    ("the new job's client is the largest", "a1 a2 a3 b1", "a4", "a4"),
    ("it would be as large as the largest", "a1 a2 b1 c1", "b2", "b2"),
    ("all are equal", "1 2 3 4", "5", "5"),
    ("parts of streams take no room", "a1! a2! a3 b1 b2", "c1", nil),
    ("they are not refused", "a1 a2 a3 a4", "b1!", nil),
    ("nor dropped", "a1 a2 a3 a4 a5! a6!", "b1", "a4"),
  ]

  @Test(arguments: refusals.indices) func largestClientLosesItsLastJob(_ index: Int) {
    let row = Self.refusals[index]
    var queue = QueueOfNames()
    for name in row.waiting.split(separator: " ") { _ = queue.add(name, limit: 4) }
    let count = queue.count
    let refused = queue.add(Substring(row.new), limit: 4)
    #expect(refused == row.refused, "\(row.name)")
    #expect(queue.count == count + (row.refused == nil ? 1 : 0), "\(row.name)")
  }

  @Test func removedJobsDoNotRun() {
    var queue = QueueOfNames()
    for name in ["a1", "a2", "b1", "c1", "c2"] { _ = queue.add(Substring(name), limit: 9) }
    let removed = ["a2", "b1", "c1", "b1"].map { queue.remove($0) }
    #expect(removed == [true, true, true, false] && queue.count == 2)
    let taken = queue.takeAll(limitOfClient: 9)
    #expect(taken == "a1 c2")
  }

  // MARK: Clients

  @Test func clientLeavesAThreadToOthers() async throws {
    let workers = Self.workers()
    let gate = Gate()
    async let first = Self.pass(gate, workers)
    try await gate.waitUntilBegun()
    let hasRun = SharedFlag()
    async let second: Void = Self.run(workers, Self.connection("192.0.2.1")) { hasRun.set() }
    try await eventually { workers.waitingCount(.cheap) == 1 }
    // A thread is free for other networks, for jobs of the other kind, and for a connection without a network.
    for (address, kind) in [("192.0.2.2", .cheap), ("192.0.2.1", .costly), (nil, .cheap)]
      as [(String?, Workers.Kind)]
    {
      #expect(try await Self.run(workers, Self.connection(address), kind) { 7 } == 7)
    }
    #expect(!hasRun.isSet && workers.waitingCount(.cheap) == 1)
    gate.isOpen.set()
    #expect(try await first == nil)
    try await second
    #expect(hasRun.isSet && workers.waitingCount(.cheap) == 0)
  }

  /// Two addresses of an IPv6 /64 are one network.
  @Test func refusesJobOfLargestClient() async throws {
    let workers = Self.workers(maximumWaiting: 2)
    let (gate, other) = (Gate(), Gate())
    async let running = Self.pass(gate, workers, Self.connection("2001:db8::1"))
    try await gate.waitUntilBegun()
    async let otherRunning = Self.pass(other, workers, Self.connection("192.0.2.2"))
    try await other.waitUntilBegun()
    async let first = Self.code(workers, Self.connection("2001:db8::2")) {}
    try await eventually { workers.waitingCount(.cheap) == 1 }
    async let second = Self.code(workers, Self.connection("2001:db8::3")) {}
    try await eventually { workers.waitingCount(.cheap) == 2 }
    // The queue is full.
    async let otherSecond = Self.code(workers, Self.connection("192.0.2.2")) {}
    #expect(try await second == "busy")
    #expect(try await Self.code(workers, Self.connection("2001:db8::4")) {} == "busy")
    #expect(workers.waitingCount(.cheap) == 2)
    gate.isOpen.set()
    other.isOpen.set()
    let codes = try await [running, otherRunning, first, otherSecond]
    #expect(codes == [nil, nil, nil, nil])
  }

  @Test func longCheapJobBecomesCostly() async throws {
    let workers = Workers(clientThreadCount: 1, cheapTime: .zero)
    let gate = Gate()
    async let long = Self.pass(gate, workers)
    // The client has one thread of each kind. Cheap jobs run when the long one has become costly.
    for number in 0..<50 {
      #expect(try await Self.run(workers, Self.connection("192.0.2.1")) { number } == number)
    }
    async let costly: Void = Self.run(workers, Self.connection("192.0.2.1"), .costly) {}
    try await eventually { workers.waitingCount(.costly) == 1 }
    #expect(try await Self.run(workers, Self.connection("192.0.2.2"), .costly) { 7 } == 7)
    gate.isOpen.set()
    #expect(try await long == nil)
    try await costly
  }

  /// Each such job ends its thread, and another thread takes its place.
  @Test func threadsAreReplaced() async throws {
    let workers = Workers(clientThreadCount: 1, cheapTime: .zero)
    for _ in 0..<40 {
      let gate = Gate()
      async let long = Self.pass(gate, workers)
      try await Self.run(workers, Self.connection("192.0.2.1")) {}
      gate.isOpen.set()
      #expect(try await long == nil)
    }
  }

  @Test func longJobsKeepTheirThreadsIfTooManyAreCostly() async throws {
    let workers = Workers(clientThreadCount: 1, maximumPromoted: 0, cheapTime: .zero)
    let gate = Gate()
    async let long = Self.pass(gate, workers)
    try await gate.waitUntilBegun()
    async let second: Void = Self.run(workers, Self.connection("192.0.2.1")) {}
    try await eventually { workers.waitingCount(.cheap) == 1 }
    gate.isOpen.set()
    #expect(try await long == nil)
    try await second
  }

  // MARK: Cancellation

  @Test(arguments: [Workers.Kind.cheap, .costly]) func clientThatLeavesCancelsItsJobs(_ kind: Workers.Kind)
    async throws
  {
    let workers = Self.workers()
    let gate = Gate()
    let (running, waiting) = (Self.connection("192.0.2.1"), Self.connection("192.0.2.1"))
    async let runningCode = Self.pass(gate, workers, running, kind)
    try await gate.waitUntilBegun()
    let hasRun = SharedFlag()
    async let waitingCode = Self.code(workers, waiting, kind) { hasRun.set() }
    try await eventually { workers.waitingCount(kind) == 1 }
    // A waiting job fails immediately, and a running one at its next checkpoint.
    waiting.leave()
    #expect(try await waitingCode == "client-closed")
    #expect(workers.waitingCount(kind) == 0 && !hasRun.isSet)
    running.leave()
    #expect(try await runningCode == "client-closed")
    #expect(!gate.isOpen.isSet && workers.canceledCount == 2)
    // Its next job does not run, until it sends the next request.
    #expect(try await Self.code(workers, waiting, kind) { hasRun.set() } == "client-closed")
    #expect(!hasRun.isSet)
    waiting.beginRequest(from: nil)
    #expect(try await Self.code(workers, waiting, kind) { hasRun.set() } == nil)
    #expect(hasRun.isSet)
  }

  @Test func manyClientsLeaveAtOnce() async throws {
    let workers = Workers(clientThreadCount: 2)
    let clients = (0..<300).map { Self.connection($0 % 3 == 0 ? nil : "192.0.2.\($0 % 3)") }
    let isOver = SharedFlag()
    try await withThrowingTaskGroup(of: String?.self) { group in
      for (index, client) in clients.enumerated() {
        group.addTask {
          try await Self.code(workers, client, index % 2 == 0 ? .cheap : .costly) { () throws(Problem) in
            while !isOver.isSet { try WorkBudget.spend(byteCount: 0) }
          }
        }
      }
      try await eventually { workers.waitingCount(.cheap) + workers.waitingCount(.costly) > 200 }
      for client in clients { client.leave() }
      for try await code in group { #expect(code == "client-closed") }
    }
    #expect(workers.waitingCount(.cheap) + workers.waitingCount(.costly) == 0)
  }

  // MARK: Limits

  @Test(
    arguments: [
      (Workers.Limits(byteCount: 100, cpuSeconds: 10), "answer-too-large"),
      (Workers.Limits(byteCount: 1 << 20, cpuSeconds: 0), "answer-too-slow"),
    ]
  )
  func failsJobThatExceedsLimit(_ limits: Workers.Limits, code: String) async throws {
    let workers = Workers(clientThreadCount: 1)
    var failure: Problem?
    do {
      try await workers.run(.cheap, limits) { () throws(Problem) in
        var byteCount = 0
        while true {
          do throws(WorkBudget.Excess) {
            if byteCount <= limits.byteCount { try WorkBudget.current?.add(byteCount: 10) }
            byteCount += 10
            try WorkBudget.current?.checkpoint()
          } catch { throw Problem.internal }
        }
      }
    } catch { failure = error as? Problem }
    // The problem names the limit, although the job threw another problem.
    #expect(failure?.code == code)
  }

  /// The output of a running job counts, and is released with the reservation.
  @Test func outputIsReservedAsItGrows() async throws {
    let budget = ByteBudget(limit: 1_000_000)
    let written = Atomic(0)
    let isBehind = SharedFlag()
    do {
      let reservation = BufferReservation(budget, for: nil)
      #expect(reservation.resize(to: 100_000))
      await #expect {
        try await Self.run(Workers(clientThreadCount: 1), Self.connection(nil), memory: reservation) {
          () throws(Problem) in
          while true {
            try WorkBudget.spend(byteCount: 1_000)
            let (_, count) = written.add(1_000, ordering: .relaxed)
            if count >= 16_384, budget.usedByteCount < count + 100_000 { isBehind.set() }
          }
        }
      } throws: { ($0 as? Problem)?.code == "out-of-buffers" }
      #expect(!isBehind.isSet)
      // The job ended when the rest of the budget was used, to a step of the output.
      #expect(written.load(ordering: .relaxed) > 850_000 && written.load(ordering: .relaxed) < 900_000)
    }
    #expect(budget.usedByteCount == 0)
  }

  private typealias Share = (
    name: String, held: [String: Int], network: String?, bytes: Int, isReserved: Bool
  )

  /// Of 1,000 bytes, a network may hold 250 if that makes more than 750.
  private static let shares: [Share] = [
    ("all that is not scarce", [:], "192.0.2.1", 750, true), ("more", [:], "192.0.2.1", 751, false),
    ("a small share beside a large one", ["192.0.2.1": 750], "192.0.2.2", 250, true),
    ("more than is left", ["192.0.2.1": 750], "192.0.2.2", 251, false),
    ("a bit more of a large one", ["192.0.2.1": 750], "192.0.2.1", 1, false),
    ("the same IPv6 network", ["2001:db8::1": 750], "2001:db8::2", 1, false),
    ("another IPv6 network", ["2001:db8::1": 750], "2001:db8:0:1::2", 1, true),
    ("no network", ["192.0.2.1": 750], nil, 250, true),
  ]

  @Test(arguments: shares.indices) func networkHasAShareOfScarceMemory(_ index: Int) {
    let row = Self.shares[index]
    let budget = ByteBudget(limit: 1_000)
    func reservation(_ address: String?) -> BufferReservation {
      BufferReservation(budget, for: address.flatMap { ClientAddress($0) }?.network)
    }
    let others = row.held.map { (address, byteCount) in
      let held = reservation(address)
      #expect(held.resize(to: byteCount))
      return held
    }
    do {
      let new = reservation(row.network)
      #expect(new.resize(to: row.bytes) == row.isReserved, "\(row.name)")
      #expect(new.byteCount == (row.isReserved ? row.bytes : 0))
    }
    for other in others { #expect(other.resize(to: 0)) }
    #expect(budget.usedByteCount == 0)
    // What was released can be reserved again.
    #expect(reservation("192.0.2.1").resize(to: 750))
  }

  private typealias Cost = (route: Route, productCount: Int, kind: Workers.Kind)

  private static let costs: [Cost] = [
    (.productPage, 20_000, .cheap), (.storePage, 20_000, .costly), (.storePage, 10, .cheap),
    (.searchIndex, 20_000, .costly), (.productIdentifiers, 20_000, .costly),
    (.file, 20_000, .cheap), (.languages, 20_000, .cheap),
  ]

  @Test(arguments: costs.indices) func routesHaveCosts(_ index: Int) {
    let row = Self.costs[index]
    #expect(row.route.cost(productCount: row.productCount) == row.kind, "\(row.route)")
  }
}

/// A queue whose jobs have names: the client, which is a letter or absent, a number, and `!` for a part of a stream.
private struct QueueOfNames {
  private var queue = JobQueue()
  private var jobs: [Substring: Job] = [:]
  private let connections = (0..<10).map { _ in ConnectionClient() }

  var count: Int { queue.count }

  /// Adds a job and returns the name of the refused one.
  mutating func add(_ name: Substring, limit: Int) -> String? {
    let network = name.first?.asciiValue.flatMap { ClientAddress("192.0.2.\($0)") }
    let connection = connections[Int(name.filter(\.isNumber)) ?? 0]
    connection.beginRequest(from: name.first?.isLetter == true ? network : nil)
    let job = Job(.cheap, .unlimited, of: connection.share, mayRefuse: !name.hasSuffix("!")) { _ in
      {}
    } fail: { _ in
    }
    jobs[name] = job
    let refused = queue.add(job, limit: limit)
    return jobs.first { $0.value === refused }.map { String($0.key) }
  }

  mutating func remove(_ name: Substring) -> Bool { jobs[name].map { queue.remove($0) } ?? false }

  /// Takes all jobs that may run and returns their names.
  mutating func takeAll(limitOfClient limit: Int) -> String {
    var names: [String] = []
    while let job = queue.next(limitOfClient: limit) {
      names.append(jobs.first { $0.value === job }.map { String($0.key) } ?? "?")
    }
    return names.joined(separator: " ")
  }
}
