import PriceTag
import PriceTagStrings
import PriceTagXML

/// A text of Android's `strings.xml`: what the file says and what it means.
///
/// The rules are those of Android's string resources ("Formatting and styling", "Handling special characters").
struct AndroidText {
  /// A piece of what a file says.
  enum Piece {
    /// Text with Android's escapes, its entities undone.
    case text(String)
    /// The inside of `<![CDATA[…]]>`, with Android's escapes.
    case characterData(String)
    /// A tag or a comment as it stands.
    case markup(String)

    /// What the file says, as XML.
    var xml: String {
      switch self {
      case .text(let text): XMLText.escaped(text) ?? ""
      case .characterData(let text): AndroidText.characterData(text)
      case .markup(let markup): markup
      }
    }
  }

  /// What it means: plain, or XML where it has markup.
  let text: String

  /// A text that a program gives.
  init(_ text: String) {
    self.text = text
  }

  /// A text that a file says.
  init(_ pieces: [Piece]) {
    var reading = Reading()
    var plain = ""
    var marked = ""
    var hasMarkup = false
    let meanings = reading.meanings(of: pieces)
    for (piece, meaning) in zip(pieces, meanings) {
      switch piece {
      case .text:
        plain += meaning
        marked += Self.entities(meaning)
      case .characterData:
        hasMarkup = true
        marked += Self.characterData(meaning)
      case .markup(let markup):
        hasMarkup = true
        marked += markup
      }
    }
    if hasMarkup {
      text = marked
    } else if Self.pieces(ofMarkup: plain) != nil {
      text = marked
    } else if Self.isReference(plain.drop { $0 == "\\" }), !Self.isReference(Self.said(pieces)) {
      text = "\\" + plain
    } else {
      text = plain
    }
  }

  /// What the file says.
  var written: String {
    if Self.isReference(text) { return Self.entities(text) }
    if text.hasPrefix("\\"), Self.isReference(text.drop { $0 == "\\" }) {
      return Self.written([.text(String(text.dropFirst()))])
    }
    return Self.written(Self.pieces(ofMarkup: text) ?? [.text(text)])
  }

  private static func said(_ pieces: [Piece]) -> Substring {
    let said = pieces.reduce(into: "") { said, piece in
      if case .text(let text) = piece { said += text }
    }
    return said.drop { $0.isASCII && $0.isWhitespace }
  }

  /// Whether a text names a resource or a theme's attribute: `@string/app`, `?attr/name`, `@null`.
  private static func isReference(_ text: some StringProtocol) -> Bool {
    guard text.first == "@" || text.first == "?" else { return false }
    if text == "@null" || text == "@empty" { return true }
    let name = text.dropFirst()
    let isName = name.utf8.allSatisfy { byte in
      "_.:/+*-".utf8.contains(byte) || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
    return isName && name.utf8.count { $0 == UInt8(ascii: "/") } == 1 && name.last != "/" && name.first != "/"
  }

  // MARK: Markup

  /// The pieces of a text that has markup, or would be read as if it had: a tag, a comment, character data or an
  /// entity. `nil` where it has none, or is not well-formed.
  private static func pieces(ofMarkup text: String) -> [Piece]? {
    let bytes = Array(text.utf8)
    let looksLikeMarkup = bytes.indices.dropLast().contains { index in
      let next = bytes[index + 1]
      let isLetter = (0x41...0x5A).contains(next & 0xDF)
      switch bytes[index] {
      case UInt8(ascii: "<"): return isLetter || next == UInt8(ascii: "!") || next == UInt8(ascii: "/")
      case UInt8(ascii: "&"): return isLetter || next == UInt8(ascii: "#")
      default: return false
      }
    }
    guard looksLikeMarkup, let reader = try? XMLReader(Array("<r>".utf8) + bytes + Array("</r>".utf8)) else {
      return nil
    }
    do throws(StringsError) {
      return try pieces(reader)
    } catch {
      return nil
    }
  }

  private static func pieces(_ reader: XMLReader) throws(StringsError) -> [Piece]? {
    var pieces: [Piece] = []
    var depth = 0
    while let event = try reader.nextEvent() {
      switch event {
      case .start where depth == 0: depth = 1
      case .start(let name, let attributes, let isEmpty):
        guard let attributes = AndroidStrings.attributes(attributes.ofFile) else { return nil }
        pieces.append(.markup("<\(name)\(attributes)\(isEmpty ? "/" : "")>"))
        if isEmpty { _ = try reader.nextEvent() } else { depth += 1 }
      case .end(let name):
        depth -= 1
        if depth > 0 { pieces.append(.markup("</\(name)>")) }
      case .text(let text): pieces.append(.text(text))
      case .characterData(let text): pieces.append(.characterData(text))
      case .comment(let inside): pieces.append(.markup("<!--\(inside)-->"))
      case .instruction: return nil
      }
    }
    return pieces
  }

  /// Character data; its end can only stand in it in two parts.
  private static func characterData(_ text: String) -> String {
    "<![CDATA[\(text.replacing("]]>", with: "]]]]><![CDATA[>"))]]>"
  }

  /// A text beside markup. What XML cannot hold came from an escape for a control character, and is shown as unknown.
  private static func entities(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { XMLText.canBeHeld($0) ? $0 : "\u{FFFD}" }
    return XMLText.escaped(String(String.UnicodeScalarView(scalars))) ?? ""
  }
}
