import PriceTag
import PriceTagText
import Synchronization

/// The input of a batch: a file, a pipe, or bytes at hand; each as it is, or compressed as gzip, which its first bytes
/// tell.
public enum BatchInput: Sendable {
  /// A file or a pipe of a name.
  case file(path: String)
  /// An open descriptor, which stays open, and what it is called in errors.
  case descriptor(Int32, name: String)
  /// Bytes, and what they are called in errors.
  case bytes([UInt8], name: String)
}

/// Reads the bytes of an input one after the other, without gzip's.
final class ByteSource {
  let name: String
  private let descriptor: Int32
  private let closes: Bool
  /// What was read ahead, and how much of it was handed over.
  private var ahead: [UInt8]
  private var handedOver = 0
  private var inflater: Inflater?
  /// Whether more comes at once, or whenever somebody writes it.
  private let isRegular: Bool
  private let isStopped = Atomic(false)
  /// How many bytes were read, as they are stored.
  private(set) var storedBytesRead = 0
  /// How many there are; `nil` for a pipe.
  let storedByteCount: Int?

  init(_ input: BatchInput) throws(BatchError) {
    var status = stat()
    switch input {
    case .file(let path):
      name = path
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      closes = true
      ahead = []
    case .descriptor(let open, let called):
      (name, descriptor, closes, ahead) = (called, open, false, [])
    case .bytes(let bytes, let called):
      (name, descriptor, closes, ahead) = (called, -1, false, bytes)
    }
    if case .bytes = input {
      isRegular = true
      storedByteCount = ahead.count
    } else {
      let number = descriptor < 0 ? errno : fstat(descriptor, &status) == 0 ? 0 : errno
      isRegular = number == 0 && status.st_mode & S_IFMT == S_IFREG
      storedByteCount = isRegular ? Int(status.st_size) : nil
      guard number == 0 else { throw Self.unreadable(name, number) }
      guard status.st_mode & S_IFMT != S_IFDIR else { throw Self.unreadable(name, EISDIR) }
      // gzip's first two bytes, kept here until both are there: what is ahead is handed over again.
      var start: [UInt8] = []
      while start.count < 2 {
        let more = try read(atMost: 2 - start.count)
        if more.isEmpty { break }
        start += more
      }
      ahead = start
    }
    if ahead.starts(with: [0x1F, 0x8B]) { inflater = try Inflater() }
  }

  deinit {
    if closes, descriptor >= 0 { close(descriptor) }
  }

  private static func unreadable(_ name: String, _ number: Int32) -> BatchError {
    let error = SystemError(number)
    return BatchError(
      .unreadableInput,
      "\(quoted(name)) cannot be read: \(error.reason)",
      fix: "\(error.fix(.read)), or - for standard input"
    )
  }

  /// Reads bytes, at least one and at most so many; none at the end.
  func read(atMost most: Int) throws(BatchError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: most)
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(BatchError) in try read(buffer) }
    }
    bytes.removeLast(most - (try result.get()))
    return bytes
  }

  /// Reads stored bytes, at least one; 0 at the end.
  private func readStored(_ buffer: UnsafeMutableRawBufferPointer) throws(BatchError) -> Int {
    if handedOver < ahead.count {
      let count = min(buffer.count, ahead.count - handedOver)
      ahead.withUnsafeBytes { bytes in
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[handedOver..<handedOver + count]))
      }
      handedOver += count
      if handedOver == ahead.count, descriptor >= 0 { (ahead, handedOver) = ([], 0) }
      if descriptor < 0 { storedBytesRead += count }
      return count
    }
    guard descriptor >= 0 else { return 0 }
    while true {
      // Somebody who waits for a pipe must learn that nobody needs it any more.
      if !isRegular, wouldWait(milliseconds: 100) {
        if isStopped.load(ordering: .relaxed) { return 0 }
        continue
      }
      let count = PriceTagText.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.unreadable(name, errno)
      }
      storedBytesRead += count
      return count
    }
  }

  /// Reads bytes, at least one; 0 at the end.
  func read(_ buffer: UnsafeMutableRawBufferPointer) throws(BatchError) -> Int {
    guard let inflater else { return try readStored(buffer) }
    while true {
      if inflater.needsInput {
        let result = inflater.input.withUnsafeMutableBytes { bytes in
          Result { () throws(BatchError) in try readStored(bytes) }
        }
        inflater.begin(try result.get())
      }
      let count = try inflater.inflate(to: buffer, name)
      if count > 0 || inflater.isAtEnd { return count }
    }
  }

  /// Whether a read would wait for somebody to write.
  var wouldWait: Bool {
    guard !isRegular, inflater == nil, handedOver == ahead.count else { return false }
    return wouldWait(milliseconds: 0)
  }

  private func wouldWait(milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) == 0
  }

  /// Lets a read that waits end, as if nothing followed: from any thread.
  func stop() { isStopped.store(true, ordering: .relaxed) }
}
