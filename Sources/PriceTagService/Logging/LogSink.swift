import PriceTagText
import Synchronization

/// A descriptor that lines go to.
struct LogSink: Sendable {
  /// A pipe takes long lines in parts: without this, those of two threads would mix. One for all handlers, which mostly
  /// write to the same descriptor.
  ///
  /// It holds whether nobody took the last line, so that the next waits for nobody.
  private static let isStuck = Mutex(false)

  let descriptor: Int32

  /// What a pipe takes without waiting where it takes anything (POSIX's `_POSIX_PIPE_BUF` and more).
  private static let pieceBytes = 4096

  /// Writes a line at once. What nobody takes within a moment is dropped: a service does not stop for its log.
  func write(_ line: [UInt8]) {
    Self.isStuck.withLock { isStuck in
      line.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          // A pipe that is full would hold up everybody who has something to tell.
          var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          isStuck = poll(&waiting, 1, isStuck ? 0 : 100) <= 0
          if isStuck { return }
          let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceBytes))
          let count = Self.write(descriptor, part)
          if count >= 0 {
            rest = rest.dropFirst(count)
          } else if errno != EINTR, errno != EAGAIN {
            return
          }
        }
      }
    }
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    PriceTagText.write(descriptor, bytes.baseAddress, bytes.count)
  }
}
