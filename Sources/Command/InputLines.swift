import PriceTag
import PriceTagSystem
import PriceTagText

/// The bytes of a file, or of standard input with the path `-`. At most one line is in memory.
struct InputLines {
  let path: String
  /// The maximum size of a line, or of a file that is one value.
  var maximumByteCount = Int.max - 1

  /// Returns all bytes, but at most one more than the maximum, so that the reader rejects them.
  func bytes() throws(PriceTagError) -> [UInt8] {
    let descriptor = try opened()
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count <= maximumByteCount, case let piece = try piece(of: descriptor), !piece.isEmpty {
      bytes += piece
    }
    return bytes
  }

  /// Calls a closure, whose error ends the reading, with the number, the offset and the bytes of each line, without its line end. Of a line that is larger
  /// than the maximum, only the start is passed, one byte larger than the maximum.
  func forEach(_ body: (Int, Int, [UInt8]) throws(PriceTagError) -> Void) throws(PriceTagError) {
    let descriptor = try opened()
    defer { close(descriptor) }
    var (line, number, start, offset) = ([UInt8](), 1, 0, 0)
    func finish() throws(PriceTagError) {
      if line.last == 0x0D { line.removeLast() }
      try body(number, start, line)
      line.removeAll(keepingCapacity: true)
      number += 1
      start = offset
    }
    while case let piece = try piece(of: descriptor), !piece.isEmpty {
      var rest = piece[...]
      while let end = rest.firstIndex(of: 0x0A) {
        line += rest[..<end].prefix(max(0, maximumByteCount + 1 - line.count))
        offset += end + 1 - rest.startIndex
        try finish()
        rest = rest[(end + 1)...]
      }
      line += rest.prefix(max(0, maximumByteCount + 1 - line.count))
      offset += rest.count
    }
    if !line.isEmpty { try finish() }
  }

  private func opened() throws(PriceTagError) -> Int32 {
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable() }
    return descriptor
  }

  private func piece(of descriptor: Int32) throws(PriceTagError) -> [UInt8] {
    var isFailed = false
    let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      var found = -1
      repeat { found = read(descriptor, buffer.baseAddress, buffer.count) } while found < 0 && errno == EINTR
      isFailed = found < 0
      count = max(0, found)
    }
    if isFailed { throw unreadable() }
    return piece
  }

  private func unreadable() -> PriceTagError {
    let error = SystemError()
    return PriceTagError(
      .invalidOption,
      "cannot read the file: \(error.reason)",
      fix: "\(error.fix(.read)), or use - for standard input",
      place: path == "-" ? "standard input" : printable(path)
    )
  }
}
