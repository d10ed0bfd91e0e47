import NIOCore
import NIOPosix
import PriceTag
import PriceTagText
import Synchronization

/// Output that a client has not taken yet, in the order that it was written: a little of it in memory, the rest in a
/// temporary file that has no name, so that it is gone with the process.
///
/// Many clients send a whole body before they read the first byte of the answer. Were the service to wait for them, both
/// would wait forever.
///
/// One task writes and another one reads. Where the disk has no room, or the budget no bytes, the writer waits for the
/// reader.
///
/// Sendable notes: everything that changes is under a lock.
final class OutputSpool: Sendable {
  private struct State {
    var memory = CircularBuffer<ByteBuffer>()
    var memoryByteCount = 0
    /// The file, once there is one.
    var file: Int32?
    /// The bytes of the file that are not read yet are those from `fileStart` up to `fileEnd`.
    var fileStart: off_t = 0
    var fileEnd: off_t = 0
    var isWritingFile = false
    /// Whether a file could not be made or written: it is not tried again.
    var hasNoFile = false
    var end: Result<Void, any Error>?
    var isCanceled = false
    var reader: CheckedContinuation<Void, Never>?
    var writer: CheckedContinuation<Void, Never>?

    var fileByteCount: Int { Int(fileEnd - fileStart) }
    var isEmpty: Bool { memory.isEmpty && fileByteCount == 0 && !isWritingFile }
  }

  /// The bytes that are kept in memory before the file is used.
  static let memoryByteCount = 1 << 16
  /// The bytes that are read from the file at a time.
  private static let chunkByteCount = 1 << 16

  private let state = Mutex(State())
  private let budget: ByteBudget

  /// A spool with nothing in it.
  init(_ budget: ByteBudget) { self.budget = budget }

  deinit {
    state.withLock { state in
      if let file = state.file { close(file) }
      budget.release(Int(state.fileEnd))
    }
  }

  // MARK: Writing

  /// Adds output.
  ///
  /// - Throws: `CancellationError` where nobody reads any more.
  func write(_ buffer: ByteBuffer) async throws {
    enum Place {
      case isInMemory
      case file(Int32, off_t)
      case none
    }
    while true {
      let place = try state.withLock { state -> Place in
        if state.isCanceled { throw CancellationError() }
        let fits = state.memoryByteCount + buffer.readableBytes <= Self.memoryByteCount
        // What is in the file came first.
        if state.fileByteCount == 0, fits || state.memory.isEmpty {
          state.memory.append(buffer)
          state.memoryByteCount += buffer.readableBytes
          return .isInMemory
        }
        guard !state.hasNoFile, budget.reserve(buffer.readableBytes) else { return .none }
        if state.file == nil { state.file = Self.makeFile() }
        guard let file = state.file else {
          state.hasNoFile = true
          budget.release(buffer.readableBytes)
          return .none
        }
        state.isWritingFile = true
        return .file(file, state.fileEnd)
      }
      switch place {
      case .isInMemory: return wakeReader()
      case .file(let file, let offset):
        // Where the task is canceled, nothing was written.
        let isWritten =
          (try? await NIOThreadPool.singleton.runIfActive { Self.write(buffer, file, at: offset) }) ?? false
        state.withLock { state in
          state.isWritingFile = false
          if isWritten { state.fileEnd += off_t(buffer.readableBytes) } else { state.hasNoFile = true }
        }
        if isWritten { return wakeReader() }
        budget.release(buffer.readableBytes)
      case .none: await waitForReader()
      }
    }
  }

  /// Says that nothing more comes, or why.
  func end(_ result: Result<Void, any Error> = .success(())) {
    state.withLock { $0.end = $0.end ?? result }
    wakeReader()
  }

  private func wakeReader() {
    let reader = state.withLock { state in
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }

  /// Waits until something is read.
  private func waitForReader() async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        if state.isEmpty || state.isCanceled { return true }
        state.writer = continuation
        return false
      }
      if goesOn { continuation.resume() }
    }
  }

  // MARK: Reading

  /// The next output; `nil` at the end.
  ///
  /// - Throws: What the writer ended with.
  func next() async throws -> ByteBuffer? {
    enum Found {
      case inMemory(ByteBuffer)
      case file(Int32, off_t, Int)
      case end(Result<Void, any Error>)
      case nothing
    }
    while true {
      let found = state.withLock { state -> Found in
        if let buffer = state.memory.popFirst() {
          state.memoryByteCount -= buffer.readableBytes
          return .inMemory(buffer)
        }
        if let file = state.file, state.fileByteCount > 0 {
          return .file(file, state.fileStart, min(Self.chunkByteCount, state.fileByteCount))
        }
        if let end = state.end, !state.isWritingFile { return .end(end) }
        return .nothing
      }
      switch found {
      case .inMemory(let buffer):
        wakeWriter()
        return buffer
      case .file(let file, let offset, let count):
        let buffer = try await NIOThreadPool.singleton.runIfActive { Self.read(file, at: offset, count) }
        guard let buffer else { throw SpoolFailure() }
        let freed = state.withLock { state -> Int in
          state.fileStart += off_t(count)
          // Once all is read, the disk gets its room back.
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
      case .nothing: await waitForWriter()
      }
    }
  }

  /// Says that nobody reads any more.
  func cancel() {
    state.withLock { $0.isCanceled = true }
    wakeWriter()
  }

  private func wakeWriter() {
    let writer = state.withLock { state in
      defer { state.writer = nil }
      return state.writer
    }
    writer?.resume()
  }

  /// Waits until something is written.
  private func waitForWriter() async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        let hasNews =
          !state.memory.isEmpty || state.fileByteCount > 0 || (state.end != nil && !state.isWritingFile)
        if !hasNews { state.reader = continuation }
        return hasNews
      }
      if goesOn { continuation.resume() }
    }
  }

  // MARK: The file

  /// A file without a name; `nil` where none can be made.
  private static func makeFile() -> Int32? {
    let variable = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array("\(variable.isEmpty ? "/tmp" : variable)/pricetag-spool-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { return nil }
    _ = template.withUnsafeBufferPointer { path in path.baseAddress.map { unlink($0) } }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }

  private static func write(_ buffer: ByteBuffer, _ file: Int32, at offset: off_t) -> Bool {
    buffer.withUnsafeReadableBytes { bytes in
      var done = 0
      while done < bytes.count {
        let part = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = pwrite(file, part.baseAddress, part.count, offset + off_t(done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }

  /// Exactly so many bytes; `nil` where they cannot be read.
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

/// The temporary file cannot be read back.
private struct SpoolFailure: Error, CustomStringConvertible {
  var description: String { "the temporary file of the output cannot be read" }
}
