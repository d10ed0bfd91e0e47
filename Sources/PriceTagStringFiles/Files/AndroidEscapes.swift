import PriceTagXML

extension AndroidText {
  /// Resolves Android's escape sequences and collapses white space, across all pieces of a text.
  struct Unescaper {
    private var isQuoted = false
    private var isAfterSpace = true
    private var results: [String.UnicodeScalarView] = []
    /// The index of the piece that ends with a space to be removed if no other character follows in the text.
    private var pieceWithTrailingSpace: Int?

    /// Returns the unescaped text of each piece; empty for markup.
    mutating func unescaped(_ pieces: [Piece]) -> [String] {
      results = pieces.map { _ in String.UnicodeScalarView() }
      for (index, piece) in pieces.enumerated() {
        switch piece {
        case .text(let text), .characterData(let text): unescape(text, index)
        case .markup: continue
        }
      }
      if let pieceWithTrailingSpace { results[pieceWithTrailingSpace].removeLast() }
      return results.map(String.init)
    }

    private mutating func unescape(_ text: String, _ index: Int) {
      var scalars = text.unicodeScalars[...]
      while let scalar = scalars.popFirst() {
        switch scalar {
        case " ", "\n", "\t", "\r":
          if isQuoted {
            append(scalar, index)
          } else if !isAfterSpace {
            results[index].append(" ")
            (isAfterSpace, pieceWithTrailingSpace) = (true, index)
          }
        case "\"": isQuoted.toggle()
        case "\\": append(Self.escapeSequence(&scalars), index)
        default: append(scalar, index)
        }
      }
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ index: Int) {
      results[index].append(scalar)
      (isAfterSpace, pieceWithTrailingSpace) = (false, nil)
    }

    /// Parses the escape sequence after a backslash. An unknown sequence is the escaped character itself.
    private static func escapeSequence(_ scalars: inout Substring.UnicodeScalarView) -> Unicode.Scalar {
      guard let scalar = scalars.popFirst() else { return "\\" }
      switch scalar {
      case "n": return "\n"
      case "t": return "\t"
      case "u":
        guard let unit = hexadecimal(&scalars) else { return "u" }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        var rest = scalars
        guard unit < 0xDC00, rest.popFirst() == "\\", rest.popFirst() == "u", let low = hexadecimal(&rest),
          (0xDC00...0xDFFF).contains(low),
          let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { return "\u{FFFD}" }
        scalars = rest
        return scalar
      default: return scalar
      }
    }

    /// Parses four hexadecimal digits.
    private static func hexadecimal(_ scalars: inout Substring.UnicodeScalarView) -> UInt32? {
      var rest = scalars
      var unit: UInt32 = 0
      for _ in 0..<4 {
        guard let scalar = rest.popFirst(), scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
          return nil
        }
        unit = unit << 4 | UInt32(digit)
      }
      scalars = rest
      return unit
    }
  }

  /// Returns the XML of unescaped pieces, with Android's escape sequences and XML's entities.
  static func xml(_ pieces: [Piece]) -> String {
    var escaper = Escaper(pieces)
    var xml = ""
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .text(let text): xml += XMLText.escaped(escaper.escaped(text, index)) ?? ""
      case .characterData(let text):
        let contents = escaper.escaped(text, index).replacing("]]>", with: "]]\\u003e")
        xml += "<![CDATA[\(contents)]]>"
      case .markup(let markup):
        escaper.isAtStart = false
        xml += markup
      }
    }
    return xml
  }

  /// Adds Android's escape sequences, across all pieces of a text.
  private struct Escaper {
    private let lastPiece: Int?
    private var isAfterSpace = true
    /// Whether the text is empty so far, so that `@` or `?` would begin a resource reference.
    var isAtStart = true

    init(_ pieces: [Piece]) {
      lastPiece = pieces.lastIndex { piece in
        switch piece {
        case .text(let text), .characterData(let text): !text.isEmpty
        case .markup: false
        }
      }
    }

    mutating func escaped(_ text: String, _ index: Int) -> String {
      var escaped = ""
      var remainingCount = text.unicodeScalars.count
      for scalar in text.unicodeScalars {
        remainingCount -= 1
        let isLast = remainingCount == 0 && index == lastPiece
        switch scalar {
        case "\\", "\"", "'": escaped += "\\" + String(scalar)
        case "@" where isAtStart, "?" where isAtStart: escaped += "\\" + String(scalar)
        case "\n": escaped += "\\n"
        case "\t": escaped += "\\t"
        case " " where isAfterSpace || isLast: escaped += "\\u0020"
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}":
          let digits = String(scalar.value, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: escaped.unicodeScalars.append(scalar)
        }
        (isAfterSpace, isAtStart) = (scalar == " ", false)
      }
      return escaped
    }
  }
}
