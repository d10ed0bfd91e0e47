/// Finds the objects of an array in a JSON file without parsing them.
///
///     {"schema": 1, "storefronts": [{"id": "JPN", …}, {"id": "USA", …}]}
///
/// Reading two entries of a file takes a tenth of the time of reading all entries. The scanner does not validate: it is
/// for embedded files, which a test reads completely. It returns `nil` if the file does not have the expected structure.
package struct JSONEntryScanner {
  /// An object of the array.
  package struct Entry: Equatable {
    /// The bytes of the object.
    package let range: Range<Int>
    /// The texts of two fields, without unescaping; `nil` for a field that is missing.
    package let first, second: Range<Int>?
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0

  /// Returns the objects of an array in the file's top-level object; `nil` if the scanner cannot find the array.
  ///
  /// - Parameters:
  ///   - field: The name of the array.
  ///   - bytes: The file.
  ///   - first: The name of a field in each object.
  ///   - second: The name of another field.
  package static func entries(
    of field: StaticString,
    in bytes: UnsafeBufferPointer<UInt8>,
    first: StaticString = "",
    second: StaticString = ""
  ) -> [Entry]? {
    var scanner = JSONEntryScanner(bytes: bytes)
    guard scanner.find(field), scanner.take(UInt8(ascii: "[")) else { return nil }
    var entries: [Entry] = []
    if scanner.take(UInt8(ascii: "]")) { return entries }
    entries.reserveCapacity(320)
    repeat {
      guard let entry = scanner.entry(first, second) else { return nil }
      entries.append(entry)
    } while scanner.take(UInt8(ascii: ","))
    return scanner.take(UInt8(ascii: "]")) ? entries : nil
  }

  /// Moves to the value of a field of the top-level object.
  private mutating func find(_ field: StaticString) -> Bool {
    guard take(UInt8(ascii: "{")) else { return false }
    repeat {
      guard let key = string(), take(UInt8(ascii: ":")) else { return false }
      if isEqual(key, field) { return true }
      guard skipValue() else { return false }
    } while take(UInt8(ascii: ","))
    return false
  }

  private mutating func entry(_ firstField: StaticString, _ secondField: StaticString) -> Entry? {
    guard take(UInt8(ascii: "{")) else { return nil }
    let start = at - 1
    var first: Range<Int>?
    var second: Range<Int>?
    repeat {
      guard let key = string(), take(UInt8(ascii: ":")) else { return nil }
      skipSpace()
      if isEqual(key, firstField) {
        guard let value = string() else { return nil }
        first = value
      } else if isEqual(key, secondField) {
        guard let value = string() else { return nil }
        second = value
      } else if !skipValue() {
        return nil
      }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? Entry(range: start..<at, first: first, second: second) : nil
  }

  @inline(__always)
  private mutating func skipSpace() {
    while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x0A || bytes[at] == 0x0D || bytes[at] == 0x09 {
      at += 1
    }
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard at < bytes.count, bytes[at] == byte else { return false }
    at += 1
    return true
  }

  /// Reads a string, and returns the range between its quotation marks.
  private mutating func string() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = at
    guard let end = end(ofStringFrom: start) else { return nil }
    at = end + 1
    return start..<end
  }

  /// Returns the place of the quotation mark that ends a string.
  private func end(ofStringFrom start: Int) -> Int? {
    var at = start
    while at < bytes.count {
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") { return at }
      if byte == UInt8(ascii: "\\") { at &+= 1 }
      at &+= 1
    }
    return nil
  }

  /// Skips a value. A number or word ends at the next comma or bracket.
  private mutating func skipValue() -> Bool {
    skipSpace()
    var depth = 0
    var at = at
    while at < bytes.count {
      let byte = bytes[at]
      // A brace and a bracket differ in one bit.
      if byte == UInt8(ascii: "\"") {
        guard let end = end(ofStringFrom: at + 1) else { return false }
        at = end
      } else if byte | 0x20 == UInt8(ascii: "{") {
        depth += 1
      } else if byte | 0x20 == UInt8(ascii: "}") {
        if depth == 0 { break }
        depth -= 1
      } else if depth == 0 {
        if byte == UInt8(ascii: ",") { break }
        at += 1
        continue
      }
      at += 1
      if depth == 0 { break }
    }
    self.at = at
    return at < bytes.count
  }

  @inline(__always)
  private func isEqual(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    for offset in 0..<range.count where bytes[range.lowerBound + offset] != text.utf8Start[offset] {
      return false
    }
    return true
  }
}
