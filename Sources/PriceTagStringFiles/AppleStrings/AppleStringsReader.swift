import PriceTagStrings
import PriceTagText

/// Reads Apple's `.strings` files, which are old-style property lists. A malformed entry is recorded, and the reading
/// continues after it.
struct AppleStringsReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let language: String
  private var at = 0
  private(set) var entries = EntryList()
  private(set) var problems = ProblemList()

  private struct Fault: Error {
    let offset: Int
    let problem: String
    let fix: String
  }

  /// Creates a reader.
  ///
  /// - Parameter bytes: Valid UTF-8.
  init(bytes: UnsafeBufferPointer<UInt8>, language: String) {
    (self.bytes, self.language) = (bytes, language)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  mutating func read() {
    while at < bytes.count {
      var (start, key) = (at, "")
      do throws(Fault) {
        try skipSpace()
        start = at
        if at < bytes.count { try entry(&key) }
      } catch {
        // The rest of the file may be inside a comment or an entry.
        let hidesRest = at >= bytes.count || !recover(after: start)
        problems.report(
          error.problem,
          error.fix,
          key: key,
          at: min(error.offset, max(0, bytes.count - 1)),
          hidesRest: hidesRest,
          losesKey: key.isEmpty
        )
      }
    }
  }

  /// Skips to the next line that starts an entry or a comment, after the start of a malformed entry.
  ///
  /// - Returns: Whether such a line follows, or no key is left.
  private mutating func recover(after place: Int) -> Bool {
    at = place
    var hasKeys = false
    while let lineEnd = bytes[at...].firstIndex(of: 0x0A) {
      at = lineEnd + 1
      let line = bytes[at...].prefix { $0 != 0x0A }
      let first = line.first { $0 > 0x20 } ?? 0
      let isQuoted = first == UInt8(ascii: "\"")
      let hasValue = line.contains(UInt8(ascii: "="))
      let isEntry = hasValue && line.contains(UInt8(ascii: ";")) && (isQuoted || AppleStrings.isBare(first))
      // "key" = "value" without a semicolon.
      let isKey = isQuoted && hasValue && ["\"=", "\" ="].contains { line.contains($0.utf8) }
      if isEntry || isKey || line.starts(with: "/*".utf8) { return true }
      hasKeys = hasKeys || hasValue
    }
    at = bytes.count
    return !hasKeys
  }

  private mutating func entry(_ key: inout String) throws(Fault) {
    let start = at
    let (name, keyRange) = try string("a key", hasKey: false)
    key = name
    var entry = StringsFile.Entry(key: name, offset: start)
    try skipSpace()
    var value = (text: name, range: keyRange)
    switch next {
    case UInt8(ascii: "="):
      at += 1
      try skipSpace()
      value = try string("a value", hasKey: true)
    case UInt8(ascii: ";"): break
    default: throw unexpected("= after the key", "write \"key\" = \"value\";")
    }
    try skipSpace()
    guard next == UInt8(ascii: ";") else {
      throw unexpected("; after the value", "end each entry with ;, and write \" inside a value as \\\"")
    }
    at += 1
    entry.texts = [.init(language: language, role: .init(), text: value.text, range: value.range)]
    entries.append(entry)
  }

  // MARK: Bytes

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private func utf8(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func fault(_ problem: String, _ fix: String, at offset: Int? = nil) -> Fault {
    Fault(offset: offset ?? at, problem: problem, fix: fix)
  }

  private func unexpected(_ expected: String, _ fix: String) -> Fault {
    guard at < bytes.count else { return fault("expected \(expected), but the file ends", fix) }
    // A character has at most four bytes in UTF-8.
    let character = utf8(at..<min(at + 4, bytes.count)).unicodeScalars.first ?? "\u{FFFD}"
    return fault("expected \(expected), not \(quoted(String(character)))", fix)
  }

  /// Skips white space and comments.
  private mutating func skipSpace() throws(Fault) {
    while let byte = next {
      switch byte {
      case 0x20, 0x09...0x0D: at += 1
      // Apple also skips the separators U+2028 and U+2029.
      case 0xE2 where at + 2 < bytes.count && bytes[at + 1] == 0x80 && bytes[at + 2] & 0xFE == 0xA8: at += 3
      case UInt8(ascii: "/") where at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "/"):
        while let byte = next, byte != 0x0A, byte != 0x0D { at += 1 }
      case UInt8(ascii: "/") where at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "*"):
        try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(Fault) {
    let start = at
    at += 2
    while at + 1 < bytes.count {
      if bytes[at] == UInt8(ascii: "*"), bytes[at + 1] == UInt8(ascii: "/") {
        at += 2
        return
      }
      at += 1
    }
    at = bytes.count
    throw fault("the comment is not closed", "close it with */", at: start)
  }

  // MARK: Strings

  private mutating func string(_ expected: String, hasKey: Bool) throws(Fault) -> (
    text: String, range: Range<Int>
  ) {
    switch next {
    case let quote? where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
      return try quotedString(quote)
    case let byte? where AppleStrings.isBare(byte):
      let start = at
      while let byte = next, AppleStrings.isBare(byte) {
        // A comment may follow immediately.
        if byte == UInt8(ascii: "/"), at + 1 < bytes.count, "/*".utf8.contains(bytes[at + 1]) { break }
        at += 1
      }
      return (utf8(start..<at), start..<at)
    case let byte? where "{(<".utf8.contains(byte):
      throw unexpected(
        expected,
        hasKey
          ? "write the value in quotation marks, and move plurals to a .stringsdict file or a string catalog"
          : "remove the braces, and write each entry as \"key\" = \"value\";"
      )
    default: throw unexpected(expected, "write \"key\" = \"value\";")
    }
  }

  /// The maximum size of a string, which bounds the search for the end of one that is not closed.
  private static let maximumStringByteCount = 1 << 20

  private mutating func quotedString(_ quote: UInt8) throws(Fault) -> (text: String, range: Range<Int>) {
    let start = at
    at += 1
    var units: [UInt8] = []
    var copied = at
    while let byte = next, at - start < Self.maximumStringByteCount {
      if byte == quote {
        let range = start + 1..<at
        at += 1
        return (
          units.isEmpty
            ? utf8(range) : String(decoding: units + bytes[copied..<range.upperBound], as: UTF8.self), range
        )
      }
      if byte == UInt8(ascii: "\\") {
        units.append(contentsOf: bytes[copied..<at])
        at += 1
        units.append(contentsOf: String(try escape()).utf8)
        copied = at
      } else {
        at += 1
      }
    }
    at = start
    throw fault(
      "the string is not closed",
      "close it with a quotation mark, and write \" inside it as \\\""
    )
  }

  /// Parses the escape sequence after a backslash. As in Apple's parser, an unknown sequence is the escaped character
  /// itself.
  private mutating func escape() throws(Fault) -> Unicode.Scalar {
    guard let byte = next else {
      throw fault("the file ends inside an escape sequence", "write \\\\ for a backslash")
    }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "7"): return octal()
    case UInt8(ascii: "U"), UInt8(ascii: "u"):
      at += 1
      return try unicode()
    case 0x80...:
      // An escaped non-ASCII character is that character.
      let scalar = utf8(at..<min(at + 4, bytes.count)).unicodeScalars.first ?? "\u{FFFD}"
      at += UTF8.width(scalar)
      return scalar
    default:
      at += 1
      switch byte {
      case UInt8(ascii: "a"): return "\u{7}"
      case UInt8(ascii: "b"): return "\u{8}"
      case UInt8(ascii: "f"): return "\u{C}"
      case UInt8(ascii: "n"): return "\n"
      case UInt8(ascii: "r"): return "\r"
      case UInt8(ascii: "t"): return "\t"
      case UInt8(ascii: "v"): return "\u{B}"
      default: return Unicode.Scalar(byte)
      }
    }
  }

  /// Parses up to three octal digits, which are a byte in the NeXTSTEP encoding.
  private mutating func octal() -> Unicode.Scalar {
    var value: UInt32 = 0
    for _ in 0..<3 {
      guard let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) else { break }
      value = value << 3 | UInt32(byte & 7)
      at += 1
    }
    let byte = UInt8(truncatingIfNeeded: value)
    return byte < 0x80 ? Unicode.Scalar(byte) : nextStepScalars[Int(byte - 0x80)]
  }

  /// Parses up to four hexadecimal digits, which are a UTF-16 code unit, or two such sequences for a surrogate pair.
  private mutating func unicode() throws(Fault) -> Unicode.Scalar {
    let unit = hexadecimal()
    if let unit, let scalar = Unicode.Scalar(unit) { return scalar }
    if let unit, unit < 0xDC00, next == UInt8(ascii: "\\"), at + 1 < bytes.count,
      "Uu".utf8.contains(bytes[at + 1])
    {
      at += 2
      if let low = hexadecimal(), (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      {
        return scalar
      }
    }
    throw fault(
      unit == nil
        ? "\\U is not followed by hexadecimal digits" : "an escape sequence contains an unpaired surrogate",
      "write the character itself"
    )
  }

  private mutating func hexadecimal() -> UInt32? {
    var unit: UInt32?
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { break }
      unit = (unit ?? 0) << 4 | UInt32(digit)
      at += 1
    }
    return unit
  }
}

/// The syntax of Apple's `.strings` files.
enum AppleStrings {
  /// Returns whether a byte is allowed in a string without quotation marks.
  static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "_$/:.-".utf8.contains(byte)
    }
  }

  /// Returns a text with escape sequences, to be written between quotation marks.
  static func escaped(_ text: String, quote: Unicode.Scalar = "\"") -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case quote, "\\": escaped += "\\" + String(scalar)
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        escaped += "\\U" + zeroPadded(String(scalar.value, radix: 16), 4)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// The upper half of the NeXTSTEP encoding (Unicode's mapping table NEXTSTEP.TXT). The last two bytes are unassigned.
private let nextStepScalars: [Unicode.Scalar] = Array(
  ("\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿"
    + "¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ\u{FFFD}\u{FFFD}")
    .unicodeScalars
)
