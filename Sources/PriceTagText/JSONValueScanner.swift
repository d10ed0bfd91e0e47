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
    var depth = 0
    var isString = false
    var first = place
    scan: while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\\") where isString:
        place = min(place + 2, bytes.count)
        continue
      case UInt8(ascii: "\""): isString.toggle()
      case _ where byte == 0x0A && !keepsLines:
        // Each line of the copy is one row. A line break inside a string is invalid JSON, so it becomes another control
        // character, which the parser rejects.
        copy.append(contentsOf: bytes[first..<place])
        copy.append(isString ? 0x0B : 0x20)
        first = place + 1
      case _ where isString: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { break scan }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: break scan
      default: break
      }
      place += 1
    }
    guard place < bytes.count, !isString else { throw malformed("the body ends within a value") }
    copy.append(contentsOf: bytes[first..<place])
    while copy.count > start, let last = copy.last, Self.isSpace(last) { copy.removeLast() }
    guard copy.count > start else { throw malformed("a value is missing") }
  }
}
