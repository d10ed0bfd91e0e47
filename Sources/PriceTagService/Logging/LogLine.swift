/// The bytes of a line while it is written, in which nothing stands that a terminal or a reader of lines would take for
/// more than text.
struct LogLine {
  /// How a text stands in a line.
  enum Writing {
    /// As a text of the line itself.
    case text
    /// Between quotation marks.
    case quotedText
    /// Between quotation marks as JSON has it.
    case json
  }

  /// How many characters a value may have, counted in scalars: an accent on an accent has no end.
  static let longestValue = 1_000

  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(256) }

  /// Appends what is safe.
  mutating func append(_ text: String) { bytes += text.utf8 }

  /// Appends a text as far as it fits, with escapes.
  mutating func append(_ text: String, as writing: Writing, left: inout Int) {
    if writing != .text { append("\"") }
    defer { if writing != .text { append("\"") } }
    // Nearly every text: nothing to escape or to cut, and not looked at as characters.
    let count = text.utf8.count
    if count <= left, text.utf8.allSatisfy(Self.isPlain) {
      left -= count
      bytes += text.utf8
      return
    }
    for scalar in text.unicodeScalars {
      guard left > 0 else {
        append("…")
        break
      }
      left -= 1
      append(scalar, writing)
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ writing: Writing) {
    switch scalar {
    // Before an escape in the text itself: who reads it must know that it is none.
    case "\\": append("\\\\")
    case "\"" where writing != .text: append("\\\"")
    case _ where Self.isEscaped(scalar): appendEscape(scalar, writing)
    case _ where scalar.isASCII: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    default: bytes += String(scalar).utf8
    }
  }

  private mutating func appendEscape(_ scalar: Unicode.Scalar, _ writing: Writing) {
    guard writing == .json else {
      append("\\u{\(String(scalar.value, radix: 16, uppercase: true))}")
      return
    }
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      append("\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits)
    }
  }

  /// Whether a character does something other than to stand there, or nobody knows what it does.
  static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    // What was made of bytes that are no UTF-8.
    if scalar == "\u{FFFD}" { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
      return true
    default: return false
    }
  }

  /// Whether a text is one word, which needs no quotation marks.
  static func isWord(_ text: String) -> Bool {
    if text.isEmpty { return false }
    if text.utf8.allSatisfy(isPlainInWord) { return true }
    return text.unicodeScalars.prefix(longestValue).allSatisfy { scalar in
      scalar.isASCII
        ? isPlainInWord(UInt8(truncatingIfNeeded: scalar.value))
        : !isEscaped(scalar) && !scalar.properties.isWhitespace
    }
  }

  private static func isPlainInWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "{"), UInt8(ascii: "}"):
      false
    default: isPlain(byte)
    }
  }
}
