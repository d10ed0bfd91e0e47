/// Builds a log line. Control and formatting characters are escaped, so a text cannot end the line or affect a
/// terminal.
struct LogLine {
  /// The syntax in which a text is written.
  enum Syntax {
    /// Unquoted text.
    case text
    /// Text in quotation marks.
    case quotedText
    /// A JSON string.
    case json
  }

  /// The maximum length of a value in Unicode scalars. Not in characters, which may have any number of combining marks.
  static let maximumValueLength = 1_000

  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(256) }

  /// Appends a text without escaping.
  mutating func append(_ text: String) { bytes += text.utf8 }

  /// Appends a value with escapes, truncated to the maximum length.
  mutating func append(_ text: String, as syntax: Syntax) {
    var remaining = Self.maximumValueLength
    append(text, as: syntax, remaining: &remaining)
  }

  /// Appends a text with escapes, truncated to `remaining` scalars, and reduces `remaining` by its length.
  mutating func append(_ text: String, as syntax: Syntax, remaining: inout Int) {
    if syntax != .text { append("\"") }
    defer { if syntax != .text { append("\"") } }
    // Fast path for plain ASCII, which most texts are.
    let count = text.utf8.count
    if count <= remaining, text.utf8.allSatisfy(Self.isPlain) {
      remaining -= count
      bytes += text.utf8
      return
    }
    for scalar in text.unicodeScalars {
      guard remaining > 0 else {
        append("…")
        break
      }
      remaining -= 1
      append(scalar, syntax)
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ syntax: Syntax) {
    switch scalar {
    // Escaped in all syntaxes, so that a backslash in the text does not look like an escape.
    case "\\": append("\\\\")
    case "\"" where syntax != .text: append("\\\"")
    case _ where Self.isEscaped(scalar): appendEscape(scalar, syntax)
    case _ where scalar.isASCII: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    default: bytes += String(scalar).utf8
    }
  }

  private mutating func appendEscape(_ scalar: Unicode.Scalar, _ syntax: Syntax) {
    guard syntax == .json else {
      append("\\u{\(String(scalar.value, radix: 16, uppercase: true))}")
      return
    }
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      append("\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits)
    }
  }

  /// Returns whether a scalar is invisible, affects the layout, or is unassigned.
  static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    // The replacement of bytes that are not UTF-8.
    if scalar == "\u{FFFD}" { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
      return true
    default: return false
    }
  }

  /// Returns whether a text is a single word, which needs no quotation marks.
  static func isWord(_ text: String) -> Bool {
    if text.isEmpty { return false }
    if text.utf8.allSatisfy(isPlainInWord) { return true }
    return text.unicodeScalars.prefix(maximumValueLength).allSatisfy { scalar in
      scalar.isASCII
        ? isPlainInWord(UInt8(truncatingIfNeeded: scalar.value))
        : !isEscaped(scalar) && !scalar.properties.isWhitespace
    }
  }

  private static func isPlainInWord(_ byte: UInt8) -> Bool { isPlain(byte) && !isSeparator(byte) }

  /// Returns whether a byte separates words, keys and values.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "{"), UInt8(ascii: "}"):
      true
    default: false
    }
  }
}
