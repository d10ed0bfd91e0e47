import PriceTag
import PriceTagReceipts
import PriceTagText

/// The bytes of a file with orders, or of standard input with the path `-`. At most one order is in memory.
struct OrderInput {
  let path: String

  /// Returns all bytes. One byte more than the largest order is read, whose reader then rejects it.
  func bytes() throws(ReceiptError) -> [UInt8] {
    let descriptor = try opened()
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count <= OrderLimits.byteCount, case let piece = try piece(of: descriptor), !piece.isEmpty {
      bytes += piece
    }
    return bytes
  }

  /// Calls a closure with the number, the offset and the bytes of each line that is not blank. Of a line that is larger than
  /// an order may be, only the start is passed, one byte larger than an order. The closure returns whether to go on.
  func forEachLine(_ body: (Int, Int, [UInt8]) -> Bool) throws(ReceiptError) {
    let descriptor = try opened()
    defer { close(descriptor) }
    var (line, number, start, offset) = ([UInt8](), 1, 0, 0)
    func finish() -> Bool {
      if line.last == 0x0D { line.removeLast() }
      defer {
        line.removeAll(keepingCapacity: true)
        number += 1
        start = offset
      }
      return line.allSatisfy { $0 == 0x20 || $0 == 0x09 } || body(number, start, line)
    }
    while case let piece = try piece(of: descriptor), !piece.isEmpty {
      var rest = piece[...]
      while let end = rest.firstIndex(of: 0x0A) {
        line += rest[..<end].prefix(max(0, OrderLimits.byteCount + 1 - line.count))
        offset += end + 1 - rest.startIndex
        guard finish() else { return }
        rest = rest[(end + 1)...]
      }
      line += rest.prefix(max(0, OrderLimits.byteCount + 1 - line.count))
      offset += rest.count
    }
    if !line.isEmpty { _ = finish() }
  }

  private func opened() throws(ReceiptError) -> Int32 {
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable() }
    return descriptor
  }

  private func piece(of descriptor: Int32) throws(ReceiptError) -> [UInt8] {
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

  private func unreadable() -> ReceiptError {
    let error = SystemError()
    return ReceiptError(
      .unreadableFile,
      "cannot read the file: \(error.reason)",
      fix: "\(error.fix(.read)), or use - for standard input"
    )
  }

  /// Returns a reject as JSON: `{"line":3,"byte":120,"field":"/charged","code":"sum-mismatch","message":"…","row":"…"}`.
  /// Of a large row, it has the first kilobyte.
  static func reject(_ error: ReceiptError, line: Int, byte: Int, _ row: [UInt8]) -> String {
    let row = row.count > OrderLimits.byteCount ? row.prefix(1 << 10) : row[...]
    let content =
      String(validating: row, as: UTF8.self).map { ("row", json($0)) } ?? (
        "rowBase64", json(base64(Array(row)))
      )
    return jsonObject([
      ("line", String(line)), ("byte", String(byte)),
      ("field", error.place.hasPrefix("/") ? json(error.place) : "null"),
      ("code", json(error.code.rawValue)), ("message", json("\(error.problem); \(error.fix)")), content,
    ])
  }
}
