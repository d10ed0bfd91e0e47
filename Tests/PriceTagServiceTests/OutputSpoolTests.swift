import Dispatch
import Foundation
import NIOCore
import ServiceFixtures
import Synchronization
import Testing

@testable import PriceTagService

/// Runs the jobs of tasks on a queue, so that a test can wait until a task is suspended.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "pricetag.test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Waits for all jobs so far.
  func waitUntilIdle() { queue.sync {} }
}

/// Tests the order, the limits and the cancellation of spooled output.
struct OutputSpoolTests {
  private static let executor = QueueExecutor()

  private static func spool(
    _ budget: ByteBudget,
    memory: BufferReservation = BufferReservation(ByteBudget(limit: 1 << 30)),
    patience: Duration = .seconds(600),
    makeFile: @escaping @Sendable () -> Int32 = OutputSpool.makeTemporaryFile,
    onFull: @escaping @Sendable (_ reason: String) -> Void = { _ in }
  ) -> OutputSpool {
    OutputSpool(budget, memory: memory, patience: patience, makeFile: makeFile, onFull: onFull)
  }

  private static func chunk(_ number: Int, _ size: Int) -> ByteBuffer {
    ByteBuffer(repeating: UInt8(truncatingIfNeeded: number), count: size)
  }

  private static func all(of spool: OutputSpool) async throws -> ByteBuffer {
    var all = ByteBuffer()
    while var chunk = try await spool.next() { all.writeBuffer(&chunk) }
    return all
  }

  @Test(
    arguments: [
      (chunks: 0, size: 0), (1, 1), (10, 1000), (3, OutputSpool.memoryByteCount), (2000, 777), (5, 1 << 20),
    ]
  )
  func readsChunksInOrder(chunks: Int, size: Int) async throws {
    let spool = Self.spool(ByteBudget(limit: 64 << 20))
    var expected = ByteBuffer()
    for number in 0..<chunks {
      var chunk = Self.chunk(number, size)
      try await spool.write(chunk)
      expected.writeBuffer(&chunk)
    }
    spool.end()
    #expect(try await Self.all(of: spool) == expected)
    #expect(try await spool.next() == nil)
  }

  @Test func readsAndWritesConcurrently() async throws {
    let spool = Self.spool(ByteBudget(limit: 1 << 20))
    async let written: Void = {
      for number in 0..<3000 { try await spool.write(Self.chunk(number, 1 + number % 5000)) }
      spool.end()
    }()
    var (count, hash) = (0, 0)
    while let chunk = try await spool.next() {
      count += chunk.readableBytes
      for byte in chunk.readableBytesView { hash = hash &* 31 &+ Int(byte) }
      if count % 7 == 0 { await Task.yield() }
    }
    try await written
    var expected = 0
    for number in 0..<3000 {
      for byte in Self.chunk(number, 1 + number % 5000).readableBytesView {
        expected = expected &* 31 &+ Int(byte)
      }
    }
    #expect(hash == expected)
  }

  @Test func writerWaitsIfBudgetIsSpent() async throws {
    let budget = ByteBudget(limit: 100_000)
    let spool = Self.spool(budget)
    for number in 0..<2 { try await spool.write(Self.chunk(number, 60_000)) }
    let isWritten = SharedFlag()
    let writer = Task(executorPreference: Self.executor) {
      try await spool.write(Self.chunk(2, 60_000))
      isWritten.set()
      try await spool.write(Self.chunk(3, 60_000))
      spool.end()
    }
    // The first chunk is in memory, the second in the file, and the third waits.
    Self.executor.waitUntilIdle()
    #expect(!isWritten.isSet && budget.usedByteCount == 60_000)
    #expect(try await Self.all(of: spool).readableBytes == 240_000)
    try await writer.value
    // The complete budget is available again.
    let other = Self.spool(budget)
    for number in 0..<2 { try await other.write(Self.chunk(number, 60_000)) }
    other.end()
    #expect(try await Self.all(of: other).readableBytes == 120_000)
  }

  /// The bytes of a file count until all of them are read, because the file is only then truncated.
  @Test func budgetCountsReadBytesOfFile() async throws {
    let budget = ByteBudget(limit: 130_000)
    let (spool, other) = (
      Self.spool(budget), Self.spool(budget)
    )
    for number in 0..<3 { try await spool.write(Self.chunk(number, 60_000)) }
    for _ in 0..<2 { _ = try await spool.next() }
    try await other.write(Self.chunk(1, 60_000))
    let isWritten = SharedFlag()
    let waiting = Task(executorPreference: Self.executor) {
      try await other.write(Self.chunk(2, 20_000))
      isWritten.set()
    }
    Self.executor.waitUntilIdle()
    #expect(!isWritten.isSet && budget.usedByteCount == 120_000)
    spool.end()
    _ = try await Self.all(of: spool)
    _ = try await other.next()
    try await waiting.value
  }

  /// Output in memory counts until the reader has written it, and goes to the file if the memory is used by others.
  @Test func outputInMemoryIsReserved() async throws {
    let (memory, disk) = (ByteBudget(limit: 100_000), ByteBudget(limit: 1 << 20))
    func spool() -> OutputSpool { Self.spool(disk, memory: BufferReservation(memory)) }
    do {
      let (first, second) = (spool(), spool())
      try await first.write(Self.chunk(1, 80_000))
      #expect(memory.usedByteCount == 80_000 && disk.usedByteCount == 0)
      try await second.write(Self.chunk(2, 80_000))
      #expect(memory.usedByteCount == 80_000 && disk.usedByteCount == 80_000)
      #expect(try await first.next() == Self.chunk(1, 80_000))
      #expect(memory.usedByteCount == 80_000)
      try await first.write(Self.chunk(3, 10))
      #expect(memory.usedByteCount == 80_010)
      #expect(try await first.next() == Self.chunk(3, 10))
      #expect(memory.usedByteCount == 10)
      second.end()
      #expect(try await Self.all(of: second) == Self.chunk(2, 80_000))
    }
    #expect(memory.usedByteCount == 0 && disk.usedByteCount == 0)
    // Without memory and disk, one buffer at a time waits for the reader.
    let last = Self.spool(ByteBudget(limit: 0), memory: BufferReservation(ByteBudget(limit: 0)))
    try await last.write(Self.chunk(1, 10))
    #expect(try await last.next() == Self.chunk(1, 10))
  }

  @Test func canceledWriterReleasesBudget() async throws {
    let budget = ByteBudget(limit: 60_000)
    for _ in 0..<20 {
      let spool = Self.spool(budget)
      try await spool.write(Self.chunk(1, OutputSpool.memoryByteCount))
      let writer = Task { try await spool.write(Self.chunk(2, 60_000)) }
      writer.cancel()
      spool.cancel()
      _ = try? await writer.value
    }
    let spool = Self.spool(budget)
    for number in 0..<2 { try await spool.write(Self.chunk(number, 60_000)) }
    spool.end()
    #expect(try await Self.all(of: spool).readableBytes == 120_000)
  }

  /// A descriptor for reading, for files that cannot be written.
  private static let makeReadOnlyFile: @Sendable () -> Int32 = { open("/dev/null", O_RDONLY | O_CLOEXEC) }

  typealias Failure = (name: String, budget: Int, makeFile: @Sendable () -> Int32, reason: String)

  static let failures: [Failure] = [
    ("a file that cannot be written", 1 << 20, makeReadOnlyFile, "Bad file descriptor"),
    (
      "a file that cannot be created", 1 << 20, { open("/nonexistent/file", O_RDWR) },
      "No such file or directory"
    ),
    ("a spent budget", 1_000, makeReadOnlyFile, "the unread rows of all responses use --max-batch-bytes"),
  ]

  /// A client that reads only after it has sent everything.
  @Test(arguments: failures) func writerThrowsIfSpoolIsFull(_ row: Failure) async throws {
    let reasons = Mutex<[String]>([])
    let budget = ByteBudget(limit: row.budget)
    let spool = Self.spool(budget, patience: .zero, makeFile: row.makeFile) { reason in
      reasons.withLock { $0.append(reason) }
    }
    try await spool.write(Self.chunk(1, OutputSpool.memoryByteCount))
    await #expect { try await spool.write(Self.chunk(2, 2_000)) } throws: {
      ($0 as? Problem)?.code == "out-of-space"
    }
    #expect(reasons.withLock { $0 } == [row.reason], "\(row.name)")
    #expect(budget.usedByteCount == 0)
    #expect(try await spool.next() == Self.chunk(1, OutputSpool.memoryByteCount))
  }

  @Test(arguments: failures) func readingClientNeedsNoFile(_ row: Failure) async throws {
    let spool = Self.spool(ByteBudget(limit: row.budget), makeFile: row.makeFile)
    async let written: Void = {
      for number in 0..<20 { try await spool.write(Self.chunk(number, 60_000)) }
      spool.end()
    }()
    #expect(try await Self.all(of: spool).readableBytes == 20 * 60_000)
    try await written
  }

  @Test func writerThrowsIfReaderCancels() async throws {
    let spool = Self.spool(ByteBudget(limit: 0))
    try await spool.write(Self.chunk(1, 1))
    let waiting = Task(executorPreference: Self.executor) {
      try await spool.write(Self.chunk(2, OutputSpool.memoryByteCount))
    }
    Self.executor.waitUntilIdle()
    spool.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func readerThrowsErrorOfWriter() async throws {
    let spool = Self.spool(ByteBudget(limit: 0))
    try await spool.write(Self.chunk(1, 5))
    spool.end(.failure(Problem.internal))
    #expect(try await spool.next()?.readableBytes == 5)
    await #expect { try await spool.next() } throws: { ($0 as? Problem)?.code == Problem.internal.code }
  }
}
