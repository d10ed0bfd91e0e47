import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A descriptor that lines go to.
struct LogSink: Sendable {
  /// A pipe takes long lines in parts: without this, those of two threads would mix. One for all handlers, which mostly
  /// write to the same descriptor.
  private static let lock = Mutex(())

  let descriptor: Int32

  /// Writes a line at once. What nobody can take is dropped: a service does not stop for its log.
  func write(_ line: [UInt8]) {
    Self.lock.withLock { _ in
      line.withUnsafeBytes { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let part = UnsafeRawBufferPointer(rebasing: rest)
          let count = Self.write(descriptor, part)
          if count >= 0 {
            rest = rest.dropFirst(count)
          } else if errno == EAGAIN {
            // Somebody made it a descriptor that does not wait.
            var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&waiting, 1, 100) > 0 else { return }
          } else if errno != EINTR {
            return
          }
        }
      }
    }
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }
}
