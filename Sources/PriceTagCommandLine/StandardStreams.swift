import PriceTag
import PriceTagText
import Synchronization

/// Data for whoever reads: buffered, and never lost without a word.
package enum StandardOutput {
  private static let buffer = Mutex<[UInt8]>([])

  package static func write(_ text: String) {
    let isFull = buffer.withLock { buffer in
      buffer += text.utf8
      return buffer.count >= 65_536
    }
    if isFull { flush() }
  }

  /// Hands over what was written so far. A full disk must not look like success; a closed pipe ends the process
  /// silently, as its signal does.
  package static func flush() {
    let bytes = buffer.withLock { buffer in
      defer { buffer.removeAll(keepingCapacity: true) }
      return buffer
    }
    bytes.withUnsafeBytes { hand(over: $0) }
  }

  /// Hands over much at once, behind what was written before.
  package static func write(_ bytes: UnsafeRawBufferPointer) {
    flush()
    hand(over: bytes)
  }

  private static func hand(over bytes: UnsafeRawBufferPointer) {
    guard writeAll(bytes, to: STDOUT_FILENO) else {
      // Where the signal is ignored, its exit code still says it.
      if errno == EPIPE { _exit(141) }
      let error = SystemError()
      StandardError.write(
        "\(CommandLineProgram.name): standard output cannot be written: \(error.reason): \(error.fix(.write))\n"
      )
      _exit(1)
    }
  }
}

/// Takes the numbers of closed standard streams: a file that is opened later must not become one. What is opened for the
/// other direction fails as a closed stream does.
package func holdStandardStreams() {
  for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
    // The lowest number that is free, which is this one.
    _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
  }
}

/// Everything that is not data.
package enum StandardError {
  package static func write(_ text: String) {
    // Where even this fails there is nobody to tell.
    _ = writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

extension StandardError {
  /// Tells what became of things, a line each, the first twenty of many.
  package static func tell(_ what: String, _ things: [some CustomStringConvertible]) {
    let most = 20
    for thing in things.prefix(most) { write("pricetag: \(what): \(thing)\n") }
    if things.count > most { write("pricetag: … and \(things.count - most) more\n") }
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

/// Ends the process, once everything is written.
package func quit(_ code: Int32) -> Never {
  StandardOutput.flush()
  exit(code)
}
