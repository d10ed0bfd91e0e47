import PriceTagSystem
import Synchronization

/// Buffered output of data to standard output.
package enum StandardOutput {
  private static let buffer = Mutex<[UInt8]>([])

  package static func write(_ text: String) {
    let isFull = buffer.withLock { buffer in
      buffer += text.utf8
      return buffer.count >= 65_536
    }
    if isFull { flush() }
  }

  /// Writes the buffered data. If this fails, exits with code 1 and a message. A closed pipe ends the process silently.
  package static func flush() {
    let bytes = buffer.withLock { buffer in
      defer { buffer.removeAll(keepingCapacity: true) }
      return buffer
    }
    guard writeAll(bytes, to: STDOUT_FILENO) else {
      // The exit code of SIGPIPE, for a process that ignores the signal.
      if errno == EPIPE { _exit(141) }
      let error = SystemError()
      StandardError.write(
        "\(CommandLineProgram.name): standard output: cannot write the file: \(error.reason); \(error.fix(.write))\n"
      )
      _exit(1)
    }
  }
}

/// Opens `/dev/null` for each closed standard stream, so that a file opened later does not become one.
///
/// It is opened for the opposite direction: reading or writing fails, as with a closed stream.
package func occupyClosedStandardStreams() {
  for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
    // Gets the lowest free descriptor, which is this one.
    _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
  }
}

/// Messages on standard error.
package enum StandardError {
  package static func write(_ text: String) {
    // A failure cannot be reported anywhere.
    _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

extension StandardError {
  /// Writes a list, one item per line: at most 20 items, and the number of the others.
  package static func writeList(_ label: String, _ items: [some CustomStringConvertible]) {
    let maximumCount = 20
    for item in items.prefix(maximumCount) { write("pricetag: \(label): \(item)\n") }
    if items.count > maximumCount { write("pricetag: … and \(items.count - maximumCount) more\n") }
  }
}

package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
}

package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let slice = UnsafeRawBufferPointer(rebasing: rest)
    let count = write(descriptor, slice.baseAddress, slice.count)
    if count < 0 {
      if errno == EINTR { continue }
      return false
    }
    rest = rest.dropFirst(count)
  }
  return true
}

/// Writes the buffered output and exits.
package func quit(_ code: Int32) -> Never {
  StandardOutput.flush()
  exit(code)
}
