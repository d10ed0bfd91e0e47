import PriceTag
import PriceTagStrings
import PriceTagXML

extension AndroidText {
  /// Undoes Android's escapes and draws spaces together, over all pieces of a text.
  struct Reading {
    private var isQuoted = false
    private var isAfterSpace = true
    private var meanings: [String.UnicodeScalarView] = []
    /// The piece whose last character is a space that would be dropped at the end.
    private var droppable: Int?

    /// What each piece means; markup means nothing.
    mutating func meanings(of pieces: [Piece]) -> [String] {
      meanings = pieces.map { _ in String.UnicodeScalarView() }
      for (index, piece) in pieces.enumerated() {
        switch piece {
        case .text(let text), .characterData(let text): read(text, index)
        case .markup: continue
        }
      }
      if let droppable { meanings[droppable].removeLast() }
      return meanings.map(String.init)
    }

    private mutating func read(_ text: String, _ index: Int) {
      var scalars = text.unicodeScalars[...]
      while let scalar = scalars.popFirst() {
        switch scalar {
        case " ", "\n", "\t", "\r":
          if isQuoted {
            append(scalar, index)
          } else if !isAfterSpace {
            meanings[index].append(" ")
            (isAfterSpace, droppable) = (true, index)
          }
        case "\"": isQuoted.toggle()
        case "\\": append(Self.escape(&scalars), index)
        default: append(scalar, index)
        }
      }
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ index: Int) {
      meanings[index].append(scalar)
      (isAfterSpace, droppable) = (false, nil)
    }

    /// What a backslash and the next characters say. One that has no meaning says itself.
    private static func escape(_ scalars: inout Substring.UnicodeScalarView) -> Unicode.Scalar {
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

    /// Four hexadecimal digits.
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

  /// The pieces with Android's escapes and XML's entities.
  static func written(_ pieces: [Piece]) -> String {
    var writing = Writing(pieces)
    var written = ""
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .text(let text): written += XMLText.escaped(writing.escaped(text, index)) ?? ""
      case .characterData(let text):
        let inside = writing.escaped(text, index).replacing("]]>", with: "]]\\u003e")
        written += "<![CDATA[\(inside)]]>"
      case .markup(let markup):
        writing.isAtStart = false
        written += markup
      }
    }
    return written
  }

  /// Android's escapes, done over all pieces of a text.
  private struct Writing {
    private let lastPiece: Int?
    private var isAfterSpace = true
    /// Whether nothing is written yet, so that `@` or `?` would name a resource.
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
      var left = text.unicodeScalars.count
      for scalar in text.unicodeScalars {
        left -= 1
        let isLast = left == 0 && index == lastPiece
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
