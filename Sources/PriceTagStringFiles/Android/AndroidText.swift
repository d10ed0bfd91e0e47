import PriceTagStrings
import PriceTagText

/// The contents of `<string>` or `<item>` as AAPT2 reads them: entities and escape sequences are resolved, white space is
/// collapsed, and quotation marks are removed. Tags remain.
struct AndroidText {
  private var cursor: XMLCursor
  private let range: Range<Int>
  private var scalars = String.UnicodeScalarView()
  /// The text.
  var text: String { String(scalars) }
  /// What AAPT2 rejects or drops.
  private(set) var faults: [(rule: LintFinding.Rule, fault: XMLCursor.Fault)] = []

  private var isQuoted = false
  private var isAfterSpace = true
  /// The number of visible characters outside quotation marks.
  private var unquotedCount = 0
  private var quotes: [Quote] = []
  /// Whether the next character is the first one after a quotation mark.
  private var isFirst = true
  private var apostrophe: Int?

  /// A part that is in the file as it is, or as an entity.
  private struct Piece {
    /// The place in the text's UTF-8.
    let start: Int
    /// The offset in the file.
    let offset: Int
    var isEntity = false
  }

  /// A part in quotation marks.
  private struct Quote {
    let offset: Int
    var isClosed = false
    /// Whether the part has what only quotation marks preserve: an apostrophe, or white space at its ends.
    var isNeeded = false
    var lastIsSpace = false
  }

  /// Creates a text from a range between tags.
  init(_ cursor: XMLCursor, _ range: Range<Int>) {
    self.cursor = XMLCursor(cursor.bytes, in: range, entities: cursor.entities)
    self.range = range
  }

  mutating func read() {
    while let token = cursor.next() {
      let place = cursor.range
      switch token {
      case .text:
        var decoded = ""
        var pieces: [Piece] = []
        if cursor.bytes[place].indices.contains(where: {
          cursor.bytes[$0..<place.upperBound].starts(with: "]]>".utf8)
        }) {
          add(.malformedEntry, place.lowerBound, "]]> ends no CDATA section", "write ]]&gt;")
        }
        let fault = cursor.decode(place) { text, offset in
          if text.isEmpty { return }
          let isEntity = cursor.bytes[offset] == UInt8(ascii: "&")
          pieces.append(Piece(start: decoded.utf8.count, offset: offset, isEntity: isEntity))
          decoded += text
        }
        if let fault { faults.append((.malformedEntry, fault)) }
        unescape(decoded, pieces)
      case .characterData:
        unescape(
          String(decoding: cursor.bytes[place], as: UTF8.self),
          [Piece(start: 0, offset: place.lowerBound)]
        )
      case .start, .end:
        scalars.append(contentsOf: String(decoding: cursor.bytes[place], as: UTF8.self).unicodeScalars)
      case .other: continue
      }
    }
    if isAfterSpace, scalars.last == " " { scalars.removeLast() }
    if let apostrophe {
      add(
        .malformedEntry,
        apostrophe,
        "unescaped apostrophe",
        "write \\', or put the text in double quotation marks"
      )
    }
    let isWhole = quotes.count == 1 && unquotedCount == 0
    if let quote = quotes.first(where: { !$0.isClosed || !$0.isNeeded && !isWhole }) {
      add(.swallowedQuote, quote.offset, "AAPT2 removes the quotation marks", "write \\\"")
    }
  }

  private mutating func add(_ rule: LintFinding.Rule, _ offset: Int, _ problem: String, _ fix: String) {
    faults.append((rule, .init(offset: offset, problem: problem, fix: fix)))
  }

  /// Adds a fault if one of several conversions of Java's Formatter has no position, so that a translation cannot change
  /// their order. AAPT2 does not check the formats of android.text.format.Time.
  mutating func checkPositions() {
    let bytes = Array(text.utf8)
    func isDigit(_ index: Int) -> Bool { index < bytes.count && (0x30...0x39).contains(bytes[index]) }
    var (count, hasUnpositioned, at) = (0, false, 0)
    while let percent = bytes[at...].firstIndex(of: UInt8(ascii: "%")), percent + 1 < bytes.count {
      at = percent + 1
      if bytes[at] == UInt8(ascii: "%") || bytes[at] == UInt8(ascii: "n") {
        at += 1
        continue
      }
      count += 1
      let start = at
      while isDigit(at) { at += 1 }
      if at == start || at < bytes.count && bytes[at] != UInt8(ascii: "$") { hasUnpositioned = true }
      while at < bytes.count, isDigit(at) || "-#+ ,($".utf8.contains(bytes[at]) { at += 1 }
      if at < bytes.count, "DFKMWZ".utf8.contains(bytes[at]) { return }
    }
    guard count > 1, hasUnpositioned else { return }
    add(
      .malformedPlaceholder,
      range.lowerBound,
      "several placeholders have no position, which AAPT2 rejects",
      "write %1$s, %2$s and so on, or add formatted=\"false\""
    )
  }

  /// Resolves escape sequences, across all pieces of the text.
  private mutating func unescape(_ text: String, _ pieces: [Piece]) {
    var rest = text.unicodeScalars[...]
    var last = 0
    while let scalar = rest.first {
      let place = text.utf8.distance(from: text.startIndex, to: rest.startIndex)
      rest.removeFirst()
      while last + 1 < pieces.count, pieces[last + 1].start <= place { last += 1 }
      let offset = pieces[last].offset + (pieces[last].isEntity ? 0 : place - pieces[last].start)
      switch scalar {
      case " ", "\n", "\t", "\r":
        if isQuoted {
          append(scalar)
        } else if !isAfterSpace {
          scalars.append(" ")
          isAfterSpace = true
        }
      case "\"":
        isQuoted.toggle()
        if isQuoted {
          // The value of an attribute, as in <a href="…">, is the same without them.
          quotes.append(Quote(offset: offset, isNeeded: scalars.last == "="))
          isFirst = true
        } else if !quotes.isEmpty {
          quotes[quotes.count - 1].isClosed = true
          if quotes[quotes.count - 1].lastIsSpace { quotes[quotes.count - 1].isNeeded = true }
        }
        isAfterSpace = false
      case "\\": append(escapeSequence(&rest, offset))
      case "'":
        if isQuoted {
          quotes[quotes.count - 1].isNeeded = true
        } else if apostrophe == nil {
          apostrophe = offset
        }
        append(scalar)
      default: append(scalar)
      }
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    let isSpace = scalar == " " || scalar == "\n" || scalar == "\t"
    if isQuoted {
      let last = quotes.count - 1
      // White space at the start, or twice.
      if isSpace, scalars.last == " " || quotes[last].lastIsSpace || isFirst { quotes[last].isNeeded = true }
      quotes[last].lastIsSpace = isSpace
      isFirst = false
    } else {
      unquotedCount += 1
    }
    scalars.append(scalar)
    isAfterSpace = false
  }

  /// Parses the escape sequence after a backslash. An unknown sequence is the escaped character itself.
  private mutating func escapeSequence(
    _ rest: inout Substring.UnicodeScalarView,
    _ offset: Int
  ) -> Unicode.Scalar {
    guard let scalar = rest.popFirst() else { return "\\" }
    switch scalar {
    case "n": return "\n"
    case "t": return "\t"
    case "u":
      guard let unit = Self.hexadecimal(&rest) else {
        add(
          .malformedEntry,
          offset,
          "\\u is not followed by four hexadecimal digits",
          "write the character itself"
        )
        return "u"
      }
      if let scalar = Unicode.Scalar(unit) { return scalar }
      var low = rest
      guard unit < 0xDC00, low.popFirst() == "\\", low.popFirst() == "u", let second = Self.hexadecimal(&low),
        (0xDC00...0xDFFF).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
      else { return "\u{FFFD}" }
      rest = low
      return scalar
    default: return scalar
    }
  }

  /// Parses four hexadecimal digits.
  private static func hexadecimal(_ scalars: inout Substring.UnicodeScalarView) -> UInt32? {
    var rest = scalars
    var unit: UInt32 = 0
    for _ in 0..<4 {
      // At the end of a text, AAPT2 accepts fewer digits.
      if rest.isEmpty { break }
      guard let scalar = rest.popFirst(), scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
        return nil
      }
      unit = unit << 4 | UInt32(digit)
    }
    scalars = rest
    return unit
  }
}
