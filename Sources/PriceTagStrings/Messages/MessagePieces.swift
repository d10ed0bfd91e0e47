import CICU

/// A message cut into its words and its syntax.
package enum MessagePieces {
  package struct Piece {
    /// UTF-8 offsets.
    package let range: Range<Int>
    /// Whether it is words; otherwise an argument, a selector, an apostrophe that quotes.
    package let isText: Bool
  }

  /// All of a message, in order; one piece of syntax where it is no message.
  package static func pieces(of text: String) -> [Piece] {
    let bytes = Array(text.utf8)
    guard let parts = try? MessageCompiler.parts(of: text, bytes, language: .development, key: "") else {
      return [Piece(range: 0..<bytes.count, isText: false)]
    }
    var pieces: [Piece] = []
    var end = 0
    /// Whether what comes next belongs to a message and not to an argument's syntax, for each that encloses it.
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
