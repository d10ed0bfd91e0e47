import PriceTagText
import Synchronization

/// Writes log lines to a descriptor.
struct LogSink: Sendable {
  /// Whether the last line could not be written because the descriptor was not ready. The next line then does not wait.
  ///
  /// The lock keeps the lines of different threads apart, because a pipe takes a long line in parts. All handlers share
  /// it, because most of them write to the same descriptor.
  private static let isBlocked = Mutex(false)

  let descriptor: Int32

  /// The number of bytes that a pipe which is ready takes without blocking (`PIPE_BUF` on Linux).
  private static let chunkByteCount = 4096

  /// Writes a line. Drops it if the descriptor is not ready within 100 ms, because a log must not stop the service.
  func write(_ line: [UInt8]) {
    Self.isBlocked.withLock { isBlocked in
      line.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          // Poll first: writing to a full pipe would block all threads that log.
          var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          isBlocked = poll(&request, 1, isBlocked ? 0 : 100) <= 0
          if isBlocked { return }
          let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.chunkByteCount))
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
