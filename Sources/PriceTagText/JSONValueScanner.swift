/// Scans a JSON text for the ends of its values, and copies the values without parsing them.
///
/// The scanner does not validate the values. The parser that reads the copies does.
package struct JSONValueScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  package var isAtEnd: Bool { place == bytes.count }
  package var bytesLeft: Int { bytes.count - place }

  /// Returns an error at the current position.
  package func malformed(_ problem: String) -> JSONError {
    JSONError(line: 1 + bytes[..<place].count { $0 == 0x0A }, problem: problem)
  }

  package mutating func skipSpace() {
    while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte < 0x0E && byte > 0x08 && byte != 0x0B && byte != 0x0C)
  }

  package mutating func take(_ byte: UInt8) -> Bool {
    guard place < bytes.count, bytes[place] == byte else { return false }
    place += 1
    return true
  }

  /// Reads a key, and returns the bytes between its quotation marks.
  package mutating func string() throws(JSONError) -> UnsafeBufferPointer<UInt8>.SubSequence {
    guard take(UInt8(ascii: "\"")) else { throw malformed("a key is missing") }
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard place < bytes.count else {
      place = bytes.count
      throw malformed("a string is not closed")
    }
    defer { place += 1 }
    return bytes[start..<place]
  }

  /// Copies a value, up to the comma or bracket that ends it.
  ///
  /// - Parameters:
  ///   - copy: The buffer to append the value to.
  ///   - keepsLines: Whether to keep line breaks. Otherwise, they become spaces.
  package mutating func value(into copy: inout [UInt8], keepsLines: Bool) throws(JSONError) {
    let start = copy.count
    var (depth, isString, first) = (0, false, place)
    // A local position, which stays in a register.
    var at = place
    scan: while at < bytes.count {
      let byte = bytes[at]
      guard Self.isMark(byte) else {
        at += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "\\") where isString:
        at = min(at + 2, bytes.count)
        continue
      case UInt8(ascii: "\""): isString.toggle()
      case _ where byte == 0x0A && !keepsLines:
        // Each line of the copy is one row. A line break inside a string is invalid JSON, so it becomes another control
        // character, which the parser rejects.
        copy.append(contentsOf: bytes[first..<at])
        copy.append(isString ? 0x0B : 0x20)
        first = at + 1
      case _ where isString: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { break scan }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: break scan
      default: break
      }
      at += 1
    }
    guard at < bytes.count, !isString else {
      place = at
      throw malformed("the body ends within a value")
    }
    copy.append(contentsOf: bytes[first..<at])
    while copy.count > start, let last = copy.last, Self.isSpace(last) { copy.removeLast() }
    place = at
    guard copy.count > start else { throw malformed("a value is missing") }
  }

  /// Returns whether a byte can be part of the end of a value, or needs a replacement. Most bytes are neither.
  @inline(__always)
  private static func isMark(_ byte: UInt8) -> Bool {
    let low: UInt64 = 1 << 0x0A | 1 << 0x22 | 1 << 0x2C
    let high: UInt64 = 1 << 0x1B | 1 << 0x1C | 1 << 0x1D | 1 << 0x3B | 1 << 0x3D
    let marks = byte < 64 ? low : high
    return byte < 128 && marks &>> UInt64(byte) & 1 != 0
  }
}
