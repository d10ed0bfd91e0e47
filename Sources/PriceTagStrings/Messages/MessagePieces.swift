import CICU

/// Splits a message into literal text and syntax.
package enum MessagePieces {
  package struct Piece {
    /// The range of UTF-8 offsets.
    package let range: Range<Int>
    /// Whether the piece is literal text; otherwise it is syntax such as an argument, a selector or an apostrophe.
    package let isText: Bool
  }

  /// Returns the pieces of a message in order; for an invalid message, a single piece of syntax.
  package static func pieces(of text: String) -> [Piece] {
    let bytes = Array(text.utf8)
    let source = MessageSource(text: text, language: .development, key: "")
    guard let parts = try? MessageCompiler.parts(of: source, bytes) else {
      return [Piece(range: 0..<bytes.count, isText: false)]
    }
    var pieces: [Piece] = []
    var end = 0
    /// The enclosing constructs: `true` for a message or branch, `false` for an argument.
    var isMessage: [Bool] = []
    func append(_ upTo: Int, isText: Bool) {
      if end < upTo { pieces.append(Piece(range: end..<upTo, isText: isText)) }
      end = max(end, upTo)
    }
    for part in parts {
      append(Int(part.start), isText: isMessage.last ?? false)
      append(Int(part.end), isText: false)
      switch part.kind {
      case CICUPartMessageStart: isMessage.append(true)
      case CICUPartArgumentStart: isMessage.append(false)
      case CICUPartMessageEnd, CICUPartArgumentEnd: _ = isMessage.popLast()
      default: break
      }
    }
    append(bytes.count, isText: false)
    return pieces
  }
}
