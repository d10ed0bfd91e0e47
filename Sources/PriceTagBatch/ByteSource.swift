import PriceTag
import PriceTagSystem
import PriceTagText
import Synchronization

/// The input of a batch. Input that starts with the gzip signature is decompressed.
public enum BatchInput: Sendable {
  /// A file or a named pipe.
  case file(path: String)
  /// An open file descriptor, which the batch does not close, and its name in errors.
  case descriptor(Int32, name: String)
  /// Bytes, and their name in errors.
  case bytes([UInt8], name: String)
}

/// Reads the bytes of an input, decompressed.
final class ByteSource {
  let name: String
  private let descriptor: Int32
  private let closesDescriptor: Bool
  /// Stored bytes to return before those of the descriptor: the bytes read to detect gzip, or all bytes of `.bytes`.
  private var buffered: [UInt8]
  /// How many bytes of `buffered` were returned.
  private var bufferedOffset = 0
  private var inflater: GzipReader?
  /// Whether the input is a regular file or bytes, so that a read never waits.
  private let isRegular: Bool
  private let isStopped = Atomic(false)
  /// The number of bytes read from the input, before decompression.
  private(set) var storedBytesRead = 0
  /// The size of the input, before decompression; `nil` for a pipe.
  let storedByteCount: Int?

  init(_ input: BatchInput) throws(BatchError) {
    var status = stat()
    switch input {
    case .file(let path):
      name = path
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      closesDescriptor = true
      buffered = []
    case .descriptor(let open, let name):
      (self.name, descriptor, closesDescriptor, buffered) = (name, open, false, [])
    case .bytes(let bytes, let name):
      (self.name, descriptor, closesDescriptor, buffered) = (name, -1, false, bytes)
    }
    if case .bytes = input {
      isRegular = true
      storedByteCount = buffered.count
    } else {
      let number = descriptor < 0 ? errno : fstat(descriptor, &status) == 0 ? 0 : errno
      isRegular = number == 0 && status.st_mode & S_IFMT == S_IFREG
      storedByteCount = isRegular ? Int(status.st_size) : nil
      guard number == 0 else { throw Self.unreadable(name, number) }
      guard status.st_mode & S_IFMT != S_IFDIR else { throw Self.unreadable(name, EISDIR) }
      // The gzip signature has two bytes. A pipe may deliver one at a time.
      var start: [UInt8] = []
      while start.count < 2 {
        let more = try read(atMost: 2 - start.count)
        if more.isEmpty { break }
        start += more
      }
      buffered = start
    }
    guard buffered.starts(with: [0x1F, 0x8B]) else { return }
    do throws(GzipError) { inflater = try GzipReader() } catch {
      throw BatchError(.outOfResources, "not enough memory to read gzip", fix: "free some memory")
    }
  }

  deinit {
    if closesDescriptor, descriptor >= 0 { close(descriptor) }
  }

  private static func unreadable(_ name: String, _ number: Int32) -> BatchError {
    let error = SystemError(number)
    return BatchError(
      .unreadableInput,
      "cannot read the file: \(error.reason)",
      fix: "\(error.fix(.read)), or use - for standard input",
      place: printable(name)
    )
  }

  /// Reads at least one byte and at most `maximum` bytes. Returns no bytes at the end of the input.
  func read(atMost maximum: Int) throws(BatchError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: maximum)
    let count = try bytes.withUnsafeMutableBufferPointer { (buffer) throws(BatchError) in
      try read(UnsafeMutableRawBufferPointer(buffer))
    }
    bytes.removeLast(maximum - count)
    return bytes
  }

  /// Reads at least one stored byte, and returns the number of bytes; 0 at the end of the input.
  private func readStored(_ buffer: UnsafeMutableRawBufferPointer) throws(BatchError) -> Int {
    if bufferedOffset < buffered.count {
      let count = min(buffer.count, buffered.count - bufferedOffset)
      buffered.withUnsafeBytes { bytes in
        buffer.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[bufferedOffset..<bufferedOffset + count])
        )
      }
      bufferedOffset += count
      if bufferedOffset == buffered.count, descriptor >= 0 { (buffered, bufferedOffset) = ([], 0) }
      if descriptor < 0 { storedBytesRead += count }
      return count
    }
    guard descriptor >= 0 else { return 0 }
    while true {
      // Polls, so that a thread that waits for a pipe ends after `stop()`.
      if !isRegular, wouldWait(milliseconds: 100) {
        if isStopped.load(ordering: .relaxed) { return 0 }
        continue
      }
      let count = PriceTagSystem.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.unreadable(name, errno)
      }
      storedBytesRead += count
      return count
    }
  }

  /// Reads at least one byte, and returns the number of bytes; 0 at the end of the input.
  func read(_ buffer: UnsafeMutableRawBufferPointer) throws(BatchError) -> Int {
    guard let inflater else { return try readStored(buffer) }
    while true {
      if inflater.needsInput {
        let result = inflater.input.withUnsafeMutableBytes { bytes in
          Result { () throws(BatchError) in try readStored(bytes) }
        }
        inflater.begin(try result.get())
      }
      let count = try inflate(inflater, to: buffer)
      if count > 0 || inflater.isAtEnd { return count }
    }
  }

  /// Decompresses as many bytes as fit into the buffer, and returns their number.
  private func inflate(
    _ reader: GzipReader,
    to buffer: UnsafeMutableRawBufferPointer
  ) throws(BatchError) -> Int {
    do throws(GzipError) { return try reader.inflate(to: buffer) } catch {
      let (problem, fix) =
        if case .endsEarly = error { ("the gzip file ends early", "get the complete file") } else {
          ("the gzip file is damaged", "create it again")
        }
      throw BatchError(.unreadableInput, problem, fix: fix, place: printable(name))
    }
  }

  /// Whether a read would wait for the other end of a pipe to write.
  var wouldWait: Bool {
    guard !isRegular, inflater == nil, bufferedOffset == buffered.count else { return false }
    return wouldWait(milliseconds: 0)
  }

  private func wouldWait(milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) == 0
  }

  /// Ends a read that waits, as at the end of the input. May be called from any thread.
  func stop() { isStopped.store(true, ordering: .relaxed) }
}
