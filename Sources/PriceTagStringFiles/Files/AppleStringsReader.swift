import PriceTag
import PriceTagStrings
import PriceTagText

/// Reads Apple's `.strings` files, which are old-style property lists.
struct AppleStringsReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let language: String
  private var at = 0
  private var line = 1
  private var comments: [String] = []
  /// The form of each comment: `/*` or `//`.
  private var kinds: [String] = []
  /// The last line of the last comment.
  private var commentEnd = 0
  /// The comments about the file, which end with an empty line; `nil` from the first entry on.
  private var heading: [StringsFile.Attribute]? = []

  /// Creates a reader.
  ///
  /// - Parameter bytes: Valid UTF-8.
  init(bytes: UnsafeBufferPointer<UInt8>, language: String) {
    (self.bytes, self.language) = (bytes, language)
  }

  mutating func file() throws(StringsError) -> StringsFile {
    var file = StringsFile(format: .apple, language: language, entries: [])
    try skipSpace()
    let heading = heading ?? []
    self.heading = nil
    while at < bytes.count {
      file.entries.append(try entry())
      try skipSpace()
    }
    file.trailingComments = comments
    file.attributes = heading + kindsAttribute(AppleStrings.comments, kinds)
    return file
  }

  private mutating func entry() throws(StringsError) -> StringsFile.Entry {
    let start = line
    let isBare = next != UInt8(ascii: "\"") && next != UInt8(ascii: "'")
    let key = try string("a key", key: nil)
    var form = isBare ? ["bare"] : []
    try skipSpace()
    let value: String
    switch next {
    case UInt8(ascii: "="):
      at += 1
      try skipSpace()
      value = try string("a value", key: key)
    case UInt8(ascii: ";"):
      value = key
      form.append("short")
    default: throw unexpected("= after the key", key: key, fix: "write \"key\" = \"value\";")
    }
    try skipSpace()
    guard next == UInt8(ascii: ";") else {
      throw unexpected(
        "; after the value",
        key: key,
        fix: "end each entry with ;, and write \" inside a value as \\\""
      )
    }
    at += 1
    var entry = StringsFile.Entry(
      key: key,
      localizations: [language: .init(.text(value), line: start)],
      line: start
    )
    try takeComments(of: &entry)
    if !form.isEmpty {
      entry.attributes.append(.init(name: AppleStrings.form, value: form.joined(separator: " ")))
    }
    return entry
  }

  /// Moves comments to the entry that has just ended: those before and inside it, and those after it on its last line
  /// unless another entry follows on that line.
  private mutating func takeComments(of entry: inout StringsFile.Entry) throws(StringsError) {
    let precedingCount = comments.count
    try skipSpace(inLine: true)
    let isLast = next.map { $0 == 0x0A || $0 == 0x0D } ?? true
    let count = isLast ? comments.count : precedingCount
    entry.comments = Array(comments[..<count])
    let endOfLine = kinds[precedingCount..<count].map { AppleStrings.endOfLinePrefix + $0 }
    entry.attributes = kindsAttribute(AppleStrings.comments, Array(kinds[..<precedingCount]) + endOfLine)
    comments.removeFirst(count)
    kinds.removeFirst(count)
  }

  private func kindsAttribute(_ name: String, _ kinds: [String]) -> [StringsFile.Attribute] {
    guard kinds.contains(where: { $0 != "/*" }) else { return [] }
    return [.init(name: name, value: kinds.joined(separator: " "))]
  }

  // MARK: Bytes

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private func utf8(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private mutating func step() {
    if bytes[at] == 0x0A { line += 1 }
    at += 1
  }

  private func malformed(_ problem: String, line: Int? = nil, key: String?, fix: String) -> StringsError {
    let key = key.map { ", key \(quoted($0))" } ?? ""
    return StringsError(.malformedFile, problem, fix: fix, place: "line \(line ?? self.line)\(key)")
  }

  private func unexpected(_ expected: String, key: String?, fix: String) -> StringsError {
    guard at < bytes.count else {
      return malformed("expected \(expected), but the file ends", key: key, fix: fix)
    }
    // A character has at most four bytes in UTF-8.
    let character = utf8(at..<min(at + 4, bytes.count)).unicodeScalars.first ?? "\u{FFFD}"
    return malformed("expected \(expected), not \(quoted(String(character)))", key: key, fix: fix)
  }

  /// Skips white space, and stores comments.
  ///
  /// - Parameter inLine: Whether to stop at the end of the line.
  private mutating func skipSpace(inLine: Bool = false) throws(StringsError) {
    while let byte = next {
      switch byte {
      case 0x0A where inLine, 0x0D where inLine: return
      case 0x20, 0x09...0x0D:
        step()
        if line > commentEnd + 1, !comments.isEmpty, heading?.isEmpty == true { endHeading() }
      // Apple also skips the separators U+2028 and U+2029.
      case 0xE2 where at + 2 < bytes.count && bytes[at + 1] == 0x80 && bytes[at + 2] & 0xFE == 0xA8: at += 3
      case UInt8(ascii: "/") where at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "/"):
        let start = at + 2
        while let byte = next, byte != 0x0A, byte != 0x0D { at += 1 }
        store(utf8(start..<at), kind: "//")
      case UInt8(ascii: "/") where at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "*"):
        try blockComment()
      default: return
      }
    }
  }

  private mutating func blockComment() throws(StringsError) {
    let (start, startLine) = (at + 2, line)
    at += 2
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "*"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "/") {
        store(utf8(start..<at), kind: "/*")
        at += 2
        return
      }
      step()
    }
    throw malformed("the comment is not closed", line: startLine, key: nil, fix: "close it with */")
  }

  private mutating func store(_ comment: String, kind: String) {
    comments.append(Comment.text(comment))
    kinds.append(kind)
    commentEnd = line
  }

  /// Separates the comments about the file from those of its first entry.
  private mutating func endHeading() {
    let attributes = comments.map {
      StringsFile.Attribute(name: AppleStrings.heading, value: Comment.spaced($0))
    }
    heading = attributes + kindsAttribute(AppleStrings.headingComments, kinds)
    (comments, kinds) = ([], [])
  }

  // MARK: Strings

  private mutating func string(_ expected: String, key: String?) throws(StringsError) -> String {
    switch next {
    case let quote? where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
      return try quotedString(quote, key: key)
    case let byte? where AppleStrings.isBare(byte):
      let start = at
      while let byte = next, AppleStrings.isBare(byte) {
        // A comment may follow immediately.
        if byte == UInt8(ascii: "/"), at + 1 < bytes.count, "/*".utf8.contains(bytes[at + 1]) { break }
        at += 1
      }
      return utf8(start..<at)
    case let byte? where "{(<".utf8.contains(byte):
      throw unexpected(
        expected,
        key: key,
        fix: key == nil
          ? "remove the braces, and write each entry as \"key\" = \"value\";"
          : "write the value in quotation marks, and move plurals to a .stringsdict file or a string catalog"
      )
    default: throw unexpected(expected, key: key, fix: "write \"key\" = \"value\";")
    }
  }

  private mutating func quotedString(_ quote: UInt8, key: String?) throws(StringsError) -> String {
    let startLine = line
    at += 1
    var units: [UInt8] = []
    while let byte = next {
      if byte == quote {
        at += 1
        return String(decoding: units, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        at += 1
        units.append(contentsOf: String(try escape(key: key)).utf8)
      } else {
        units.append(byte)
        step()
      }
    }
    throw malformed(
      "the string is not closed",
      line: startLine,
      key: key,
      fix: "close it with a quotation mark, and write \" inside it as \\\""
    )
  }

  /// Parses the escape sequence after a backslash. As in Apple's parser, an unknown sequence is the escaped character
  /// itself.
  private mutating func escape(key: String?) throws(StringsError) -> Unicode.Scalar {
    guard let byte = next else {
      throw malformed("the file ends inside an escape sequence", key: key, fix: "write \\\\ for a backslash")
    }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "7"): return octal()
    case UInt8(ascii: "U"), UInt8(ascii: "u"):
      at += 1
      return try unicode(key: key)
    case 0x80...:
      // An escaped non-ASCII character is that character.
      let scalar = utf8(at..<min(at + 4, bytes.count)).unicodeScalars.first ?? "\u{FFFD}"
      at += UTF8.width(scalar)
      return scalar
    default:
      step()
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
  private mutating func unicode(key: String?) throws(StringsError) -> Unicode.Scalar {
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
    throw malformed(
      unit == nil
        ? "\\U is not followed by hexadecimal digits" : "an escape sequence contains an unpaired surrogate",
      key: key,
      fix: "write the character itself"
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

/// The upper half of the NeXTSTEP encoding (Unicode's mapping table NEXTSTEP.TXT). The last two bytes are unassigned.
private let nextStepScalars: [Unicode.Scalar] = Array(
  ("\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿"
    + "¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ\u{FFFD}\u{FFFD}")
    .unicodeScalars
)
