/// Finds the end of a chunked body.
///
/// Refuses chunk extensions and trailer fields. The service does not use them, few clients send them, and differences
/// between parsers in reading them allow request smuggling.
struct ChunkFraming: Sendable {
  private enum Part: Sendable {
    case size(digits: Int, value: Int)
    case sizeLineFeed(value: Int)
    case bytes(left: Int)
    case bytesReturn
    case bytesLineFeed
    case endReturn
    case endLineFeed
    case ended
  }

  private var part = Part.size(digits: 0, value: 0)
  private var total = 0
  private let limit: Int

  /// Creates the framing of a body with at most `limit` bytes, without the chunk framing.
  init(limit: Int) { self.limit = limit }

  /// Consumes bytes up to the end of the body.
  ///
  /// - Returns: The number of bytes consumed, and whether the body has ended.
  mutating func take(
    _ bytes: UnsafeRawBufferPointer
  ) throws(RequestRefusal) -> (consumed: Int, hasEnded: Bool) {
    var position = 0
    while position < bytes.count {
      if case .bytes(let left) = part {
        let taken = min(left, bytes.count - position)
        position += taken
        part = taken == left ? .bytesReturn : .bytes(left: left - taken)
        continue
      }
      try take(bytes[position])
      position += 1
      if case .ended = part { return (position, true) }
    }
    return (position, false)
  }

  private mutating func take(_ byte: UInt8) throws(RequestRefusal) {
    switch part {
    case .size(let digits, let value):
      part = try afterSize(byte, digits: digits, value: value)
    case .sizeLineFeed(let value):
      try expect(byte, Byte.lineFeed)
      // The total never exceeds the limit, so the difference is never negative.
      guard value <= limit - total else { throw .bodyTooLarge(limit: limit) }
      total += value
      part = value == 0 ? .endReturn : .bytes(left: value)
    case .bytesReturn:
      try expect(byte, Byte.carriageReturn)
      part = .bytesLineFeed
    case .bytesLineFeed:
      try expect(byte, Byte.lineFeed)
      part = .size(digits: 0, value: 0)
    case .endReturn:
      guard byte == Byte.carriageReturn else { throw .unsupportedTrailers }
      part = .endLineFeed
    case .endLineFeed:
      try expect(byte, Byte.lineFeed)
      part = .ended
    case .bytes, .ended:
      break
    }
  }

  private func afterSize(_ byte: UInt8, digits: Int, value: Int) throws(RequestRefusal) -> Part {
    if byte == Byte.carriageReturn, digits > 0 { return .sizeLineFeed(value: value) }
    let digit: UInt8? =
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
      default: nil
      }
    guard let digit else {
      throw byte == UInt8(ascii: ";") && digits > 0
        ? .malformedChunk("a chunk has an extension")
        : .malformedChunk("a chunk size is not a line of hexadecimal digits terminated by CR LF")
    }
    // Eight digits have 32 bits, so the shift does not overflow.
    guard digits < 8 else { throw .malformedChunk("a chunk size has more than 8 digits") }
    return .size(digits: digits + 1, value: value << 4 | Int(digit))
  }

  private func expect(_ byte: UInt8, _ expected: UInt8) throws(RequestRefusal) {
    guard byte == expected else {
      throw .malformedChunk("a chunk or a chunk size is not terminated by CR LF")
    }
  }
}
