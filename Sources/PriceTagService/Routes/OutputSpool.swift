import NIOCore
import NIOPosix
import PriceTag
import PriceTagSystem
import Synchronization

/// A queue of output that the client has not read yet. The first bytes are in memory, the rest in an unlinked temporary
/// file, which the system deletes when the process ends.
///
/// Many clients send the complete body before they read the first byte of the response. If the service waited for such
/// a client to read, both would wait forever.
///
/// One task writes and another one reads. If the disk is full or the budget is spent, the writer waits for the reader. If
/// the reader then reads nothing for a while, because the client reads only after it has sent everything, writing fails.
///
/// Sendable notes: a lock protects all mutable state.
final class OutputSpool: Sendable {
  private struct State {
    var memory = CircularBuffer<ByteBuffer>()
    var memoryByteCount = 0
    /// The size of the output that the reader got last and may still be writing.
    var readByteCount = 0
    /// The descriptor of the file, once it is created.
    var file: Int32?
    /// The unread bytes of the file are those from `fileStart` up to `fileEnd`.
    var fileStart: off_t = 0
    var fileEnd: off_t = 0
    var isWritingFile = false
    /// Whether the file could not be created or written. It is not tried again.
    var fileHasFailed = false
    var end: Result<Void, any Error>?
    var isCanceled = false
    /// Whether the writer has waited too long for the reader.
    var isFull = false
    var reader: CheckedContinuation<Void, Never>?
    var writer: CheckedContinuation<Void, Never>?

    var fileByteCount: Int { Int(fileEnd - fileStart) }
    var isEmpty: Bool { memory.isEmpty && fileByteCount == 0 && !isWritingFile }
  }

  /// The maximum number of bytes in memory; further ones go to the file.
  static let memoryByteCount = 1 << 16
  /// The maximum number of bytes read from the file at a time.
  private static let chunkByteCount = 1 << 16

  private let state = Mutex(State())
  private let budget: ByteBudget
  private let reservation: BufferReservation
  private let patience: Duration
  private let makeFile: @Sendable () -> Int32
  private let onFull: @Sendable (_ reason: String) -> Void

  /// Creates an empty spool whose file, which `makeFile` returns, may use the bytes of a budget. `onFull` is called if it
  /// cannot be written, and if the writer has waited too long because the budget is spent.
  ///
  /// - Parameter memory: The reservation of the output in memory, which only the spool uses.
  init(
    _ budget: ByteBudget,
    memory: BufferReservation,
    patience: Duration,
    makeFile: @escaping @Sendable () -> Int32 = OutputSpool.makeTemporaryFile,
    onFull: @escaping @Sendable (_ reason: String) -> Void = { _ in }
  ) {
    (self.budget, reservation, self.patience, self.makeFile, self.onFull) = (
      budget, memory, patience, makeFile, onFull
    )
  }

  deinit {
    state.withLock { state in
      if let file = state.file { close(file) }
      budget.release(Int(state.fileEnd))
    }
  }

  // MARK: Writing

  /// Appends output. Waits for the reader if there is no room.
  ///
  /// - Throws: `CancellationError` if the reader has canceled; a problem if there is no room and it does not read.
  func write(_ buffer: ByteBuffer) async throws {
    enum Place {
      case memory
      case file(Int32, off_t)
      case noRoom
    }
    while true {
      let place = try state.withLock { state -> Place in
        if state.isCanceled { throw CancellationError() }
        if state.isFull { throw Problem.fullSpool }
        let byteCount = state.memoryByteCount + buffer.readableBytes
        // While the file has unread bytes, later ones must follow them there.
        let fits = state.fileByteCount == 0 && (state.memory.isEmpty || byteCount <= Self.memoryByteCount)
        let isReserved = fits && reservation.resize(to: byteCount + state.readByteCount)
        guard !isReserved, !state.fileHasFailed, budget.reserve(buffer.readableBytes) else {
          // Without memory and disk, one buffer at a time waits for the reader.
          guard isReserved || (fits && state.memory.isEmpty) else { return .noRoom }
          state.memory.append(buffer)
          state.memoryByteCount = byteCount
          return .memory
        }
        let file = state.file ?? makeFile()
        guard file >= 0 else {
          state.fileHasFailed = true
          budget.release(buffer.readableBytes)
          onFull(String(cString: strerror(errno)))
          return .noRoom
        }
        state.file = file
        state.isWritingFile = true
        return .file(file, state.fileEnd)
      }
      switch place {
      case .memory: return wakeReader()
      case .file(let file, let offset):
        // `runIfActive` throws if the task is canceled, before anything is written.
        let problem =
          (try? await NIOThreadPool.singleton.runIfActive { Self.write(buffer, file, at: offset) })
          ?? ECANCELED
        let isWritten = problem == 0
        state.withLock { state in
          state.isWritingFile = false
          if isWritten { state.fileEnd += off_t(buffer.readableBytes) } else { state.fileHasFailed = true }
        }
        if isWritten { return wakeReader() }
        budget.release(buffer.readableBytes)
        if problem != ECANCELED { onFull(String(cString: strerror(problem))) }
      case .noRoom: await waitForReader()
      }
    }
  }

  /// Ends the output, or fails it with an error that the reader gets.
  func end(_ result: Result<Void, any Error> = .success(())) {
    state.withLock { $0.end = $0.end ?? result }
    wakeReader()
  }

  private func wakeReader() { state.withLock { $0.reader.take() }?.resume() }

  /// Waits until the reader has read something, or for too long.
  private func waitForReader() async {
    var timeout: Task<Void, any Error>?
    await withCheckedContinuation { continuation in
      let canContinue = state.withLock { state in
        if state.isEmpty || state.isCanceled { return true }
        state.writer = continuation
        return false
      }
      if canContinue { continuation.resume() } else { timeout = Task { try await stopWaiting() } }
    }
    timeout?.cancel()
  }

  /// Lets the writer fail if it still waits after its patience.
  private func stopWaiting() async throws {
    try await Task.sleep(for: patience)
    let isBudgetSpent = state.withLock { state in
      // A canceled task must not end the writer's next waiting.
      state.isFull = state.writer != nil && !Task.isCancelled
      return state.isFull && !state.fileHasFailed
    }
    if isBudgetSpent { onFull("the unread rows of all responses use --max-batch-bytes") }
    wakeWriter()
  }

  // MARK: Reading

  /// Returns the next output; `nil` at the end. Waits for the writer if it has written no more.
  ///
  /// - Throws: The error that the writer ended with.
  func next() async throws -> ByteBuffer? {
    enum Output {
      case memory(ByteBuffer)
      case file(Int32, off_t, Int)
      case end(Result<Void, any Error>)
      case pending
    }
    while true {
      let output = state.withLock { state -> Output in
        state.readByteCount = 0
        _ = reservation.resize(to: min(reservation.byteCount, state.memoryByteCount))
        if let buffer = state.memory.popFirst() {
          state.memoryByteCount -= buffer.readableBytes
          state.readByteCount = buffer.readableBytes
          return .memory(buffer)
        }
        if let file = state.file, state.fileByteCount > 0 {
          return .file(file, state.fileStart, min(Self.chunkByteCount, state.fileByteCount))
        }
        if let end = state.end, !state.isWritingFile { return .end(end) }
        return .pending
      }
      switch output {
      case .memory(let buffer):
        wakeWriter()
        return buffer
      case .file(let file, let offset, let count):
        let buffer = try await NIOThreadPool.singleton.runIfActive { Self.read(file, at: offset, count) }
        guard let buffer else { throw SpoolFailure() }
        let freed = state.withLock { state -> Int in
          state.fileStart += off_t(count)
          // When all bytes are read, free the disk space.
          guard state.fileByteCount == 0, !state.isWritingFile else { return 0 }
          defer { (state.fileStart, state.fileEnd) = (0, 0) }
          ftruncate(file, 0)
          return Int(state.fileEnd)
        }
        budget.release(freed)
        wakeWriter()
        return buffer
      case .end(let result):
        try result.get()
        return nil
      case .pending: await waitForWriter()
      }
    }
  }

  /// Cancels reading. The writer's next or current ``write(_:)`` throws.
  func cancel() {
    state.withLock { $0.isCanceled = true }
    wakeWriter()
  }

  private func wakeWriter() { state.withLock { $0.writer.take() }?.resume() }

  /// Waits until the writer has written something or ended.
  private func waitForWriter() async {
    await withCheckedContinuation { continuation in
      let canContinue = state.withLock { state in
        let hasOutput =
          !state.memory.isEmpty || state.fileByteCount > 0 || (state.end != nil && !state.isWritingFile)
        if !hasOutput { state.reader = continuation }
        return hasOutput
      }
      if canContinue { continuation.resume() }
    }
  }

  // MARK: The file

  /// Creates an unlinked file and returns its descriptor; a negative number if that fails.
  @Sendable static func makeTemporaryFile() -> Int32 {
    var template = Array("\(PrivateFolder.base)/pricetag-spool-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { return file }
    _ = template.withUnsafeBufferPointer { path in path.baseAddress.map { unlink($0) } }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }

  /// Writes all bytes, and returns the number of the error; 0 for none.
  private static func write(_ buffer: ByteBuffer, _ file: Int32, at offset: off_t) -> Int32 {
    buffer.withUnsafeReadableBytes { bytes in
      var done = 0
      while done < bytes.count {
        let part = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = pwrite(file, part.baseAddress, part.count, offset + off_t(done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : ENOSPC }
        done += count
      }
      return 0
    }
  }

  /// Reads exactly `count` bytes; `nil` if that fails.
  private static func read(_ file: Int32, at offset: off_t, _ count: Int) -> ByteBuffer? {
    var buffer = ByteBufferAllocator().buffer(capacity: count)
    while buffer.readableBytes < count {
      let position = offset + off_t(buffer.readableBytes)
      let left = count - buffer.readableBytes
      var status = 0
      buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: left) { room in
        status = pread(file, room.baseAddress, left, position)
        return max(0, status)
      }
      if status == 0 || (status < 0 && errno != EINTR) { return nil }
    }
    return buffer
  }
}

extension Problem {
  /// The output of a request has no room. It can only be reported in the response, which has begun.
  fileprivate static let fullSpool = Problem(
    unavailable: "out-of-space",
    "there is no space for the rows that the client has not read; later rows are missing",
    fix: "read the response while you send the request, or send fewer rows"
  )
}

/// The error thrown if the temporary file cannot be read.
private struct SpoolFailure: Error, CustomStringConvertible {
  var description: String { "cannot read the temporary file of the response" }
}
