/// A JSON value, for locale data files and string files.
///
/// Foundation's decoder needs three times the time of a complete `pricetag format` for the same files. It also reports no
/// lines, and accepts duplicate keys. Here, a duplicate key is an error, and an object has its line.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number, as its source text.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// The type of the value, for errors.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The text of a string, or the source text of a number; `nil` for other values.
  package var literal: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .null, .bool, .array, .object: nil
    }
  }
}

/// A JSON object with its members in order.
package struct JSONObject: Sendable {
  package typealias Member = (key: String, value: JSONValue, line: Int)

  /// The line on which the object starts, from 1.
  package let line: Int
  /// The members, each with the line of its key.
  package let members: [Member]

  package init(line: Int = 1, members: [Member]) {
    (self.line, self.members) = (line, members)
  }

  package subscript(key: String) -> JSONValue? { members.first { $0.key == key }?.value }
}

/// Returns a text as a JSON string with quotation marks.
package func json(_ text: String) -> String {
  var json: [UInt8] = []
  json.reserveCapacity(text.utf8.count + text.utf8.count / 8 + 2)
  json.appendJSON(text)
  return String(decoding: json, as: UTF8.self)
}

/// Returns a text as a JSON string, or `null` if there is no text.
package func optionalJSON(_ text: String?) -> String { text.map { json($0) } ?? "null" }

extension [UInt8] {
  /// Appends a text as a JSON string with quotation marks.
  package mutating func appendJSON(_ text: String) {
    append(UInt8(ascii: "\""))
    appendJSONContent(text)
    append(UInt8(ascii: "\""))
  }

  /// Appends a text as a JSON string without quotation marks.
  package mutating func appendJSONContent(_ text: String) {
    var text = text
    text.withUTF8 { appendJSONContent(utf8: $0) }
  }

  /// Appends UTF-8 text as a JSON string without quotation marks.
  package mutating func appendJSONContent(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    var copied = 0
    for index in bytes.indices where isEscapedInJSON(bytes[index]) {
      append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied..<index]))
      copied = index
      // A quotation mark or backslash is copied together with the bytes after it.
      if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "\\") {
        append(UInt8(ascii: "\\"))
      } else {
        append(contentsOf: jsonEscape(bytes[index]))
        copied += 1
      }
    }
    append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied...]))
  }
}

/// Returns whether a byte must be escaped in a JSON string.
@inlinable
package func isEscapedInJSON(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

/// Returns the escape sequence of a byte that must be escaped in a JSON string.
package func jsonEscape(_ byte: UInt8) -> String.UTF8View {
  switch byte {
  case UInt8(ascii: "\""): return "\\\"".utf8
  case UInt8(ascii: "\\"): return "\\\\".utf8
  case 0x0A: return "\\n".utf8
  case 0x0D: return "\\r".utf8
  case 0x09: return "\\t".utf8
  default: return ("\\u" + zeroPadded(String(byte, radix: 16), 4)).utf8
  }
}

/// Returns a JSON object on one line. The values are JSON.
package func jsonObject(_ fields: [(String, String)]) -> String {
  "{" + fields.map { "\(json($0)):\($1)" }.joined(separator: ",") + "}"
}

/// Returns a JSON array on one line. The values are JSON.
package func jsonArray(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }

/// A syntax error in JSON text, and its place.
package struct JSONError: Error {
  package let line: Int
  /// The column in characters, from 1; `nil` if only the line is known.
  package let column: Int?
  package let problem: String

  package init(line: Int, column: Int? = nil, problem: String) {
    (self.line, self.column, self.problem) = (line, column, problem)
  }

  /// Returns the place as text: `line 3, column 14`.
  package func place() -> String { "line \(line)" + (column.map { ", column \($0)" } ?? "") }
}

/// Parses JSON (RFC 8259) in UTF-8, nested at most 32 levels deep.
package struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0
  private var line: Int

  /// Parses a complete text, and returns its value.
  ///
  /// - Parameter firstLine: The line of the file on which the text starts.
  package static func value(
    of bytes: UnsafeBufferPointer<UInt8>,
    firstLine: Int = 1
  ) throws(JSONError) -> JSONValue {
    // Validates the complete text once. Strings are delimited by ASCII bytes, so each of them is valid UTF-8 too.
    do { _ = try UTF8Span(validating: bytes.span) } catch {
      let wrong = error.byteOffsets.lowerBound
      throw JSONError(
        line: firstLine + bytes.prefix(wrong).count { $0 == 0x0A },
        column: Self.column(of: wrong, in: bytes),
        problem: "the text is not UTF-8"
      )
    }
    var reader = JSONReader(bytes: bytes, line: firstLine)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.at == bytes.count else { throw reader.error("unexpected text after the value") }
    return value
  }

  package static func value(of bytes: [UInt8]) throws(JSONError) -> JSONValue {
    try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in try value(of: bytes) }
  }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  /// Returns an error at the current or an earlier position.
  private func error(_ problem: String, line: Int? = nil, at place: Int? = nil) -> JSONError {
    JSONError(line: line ?? self.line, column: Self.column(of: place ?? at, in: bytes), problem: problem)
  }

  /// Returns the column of a byte in characters, from 1. Continuation bytes of UTF-8 do not count.
  private static func column(of place: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let lineStart = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return 1 + bytes[lineStart..<place].count { $0 & 0xC0 != 0x80 }
  }

  private func unexpected(_ expected: String) -> JSONError {
    guard let next else { return error("expected \(expected), but the text ends") }
    let found = next < 0x80 ? quoted(String(UnicodeScalar(next))) : "a character outside ASCII"
    return error("expected \(expected), not \(found)")
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      if byte == 0x0A { line += 1 }
      at += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    at += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < 32 else { throw error("values are nested more than 32 deep") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for index in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[index] else { throw unexpected("a value") }
      at += 1
    }
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
    let start = line
    at += 1
    if take(UInt8(ascii: "}")) { return JSONObject(line: start, members: []) }
    var members: [JSONObject.Member] = []
    members.reserveCapacity(8)
    // Sorted keys are different. The set has the keys so far, once others are too many for a linear search.
    var (isSorted, keys): (Bool, Set<[UInt8]>) = (true, [])
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw unexpected("the name of a field") }
      let (keyLine, keyStart) = (line, at)
      let key = try string()
      isSorted = isSorted && members.last.map { $0.key < key } ?? true
      // Compares bytes: é and e with a combining accent are two different keys.
      if !isSorted, members.count >= 16, keys.isEmpty { keys = Set(members.map { Array($0.key.utf8) }) }
      let isRepeated =
        keys.isEmpty
        ? !isSorted && members.contains { $0.key.utf8.elementsEqual(key.utf8) }
        : !keys.insert(Array(key.utf8)).inserted
      if isRepeated { throw error("the field \(quoted(key)) appears twice", line: keyLine, at: keyStart) }
      guard take(UInt8(ascii: ":")) else { throw unexpected("\":\"") }
      members.append((key, try value(depth: depth + 1), keyLine))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw unexpected("\",\" or \"}\"") }
    // Small objects are copied, so that a million of them do not have room for eight members each.
    return JSONObject(line: start, members: members.count < 4 ? members.map { $0 } : members)
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
    at += 1
    var values: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return values }
    repeat { values.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw unexpected("\",\" or \"]\"") }
    return values
  }

  private mutating func number() throws(JSONError) -> String {
    let start = at
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
    if next == UInt8(ascii: "-") { at += 1 }
    guard isDigit(next) else { throw unexpected("a value") }
    if next == UInt8(ascii: "0") { at += 1 } else { while isDigit(next) { at += 1 } }
    if next == UInt8(ascii: ".") {
      at += 1
      guard isDigit(next) else { throw unexpected("a digit") }
      while isDigit(next) { at += 1 }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      at += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
      guard isDigit(next) else { throw unexpected("a digit") }
      while isDigit(next) { at += 1 }
    }
    return utf8(start..<at)
  }

  private mutating func string() throws(JSONError) -> String {
    at += 1
    let start = at
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { at += 1 }
    var text = utf8(start..<at)
    while true {
      switch next {
      case UInt8(ascii: "\""):
        at += 1
        return text
      case UInt8(ascii: "\\"):
        at += 1
        text.unicodeScalars.append(try escape())
      case let byte? where byte >= 0x20:
        let start = at
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
          at += 1
        }
        text += utf8(start..<at)
      default: throw unexpected("the end of a string")
      }
    }
  }

  private func utf8(_ range: Range<Int>) -> String {
    let slice = UnsafeBufferPointer(rebasing: bytes[range])
    return unsafe String(copying: UTF8Span(unchecked: slice.span))
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    guard let byte = next else { throw unexpected("an escape") }
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try fourHexDigits()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      guard unit < 0xDC00, next == UInt8(ascii: "\\") else { throw error("unpaired surrogate") }
      at += 1
      guard next == UInt8(ascii: "u") else { throw error("unpaired surrogate") }
      at += 1
      let low = try fourHexDigits()
      guard (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      else { throw error("unpaired surrogate") }
      return scalar
    default: throw error("unknown escape sequence")
    }
  }

  private mutating func fourHexDigits() throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw error("\\u must have four hexadecimal digits")
      }
      unit = unit << 4 | UInt32(digit)
      at += 1
    }
    return unit
  }
}
