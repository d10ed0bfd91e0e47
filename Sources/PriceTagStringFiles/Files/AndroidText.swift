import PriceTag
import PriceTagStrings
import PriceTagXML

/// A text of Android's `strings.xml`, converted between its XML and its unescaped form.
///
/// The rules are those of Android's string resources ("Formatting and styling", "Handling special characters").
struct AndroidText {
  /// A piece of an element's contents.
  enum Piece {
    /// Text with Android's escape sequences, with XML's entities resolved.
    case text(String)
    /// The contents of `<![CDATA[…]]>`, with Android's escape sequences.
    case characterData(String)
    /// A tag or a comment, as XML.
    case markup(String)

    /// The piece as XML.
    var xml: String {
      switch self {
      case .text(let text): XMLText.escaped(text) ?? ""
      case .characterData(let text): AndroidText.characterData(text)
      case .markup(let markup): markup
      }
    }
  }

  /// The unescaped text: plain text, or XML if it has markup.
  let text: String

  /// Creates a text from its unescaped form.
  init(_ text: String) {
    self.text = text
  }

  /// Creates a text from the contents of an element in a file.
  init(_ pieces: [Piece]) {
    var unescaper = Unescaper()
    var plain = ""
    var xml = ""
    var hasMarkup = false
    for (piece, unescaped) in zip(pieces, unescaper.unescaped(pieces)) {
      switch piece {
      case .text:
        plain += unescaped
        xml += Self.entities(unescaped)
      case .characterData:
        hasMarkup = true
        xml += Self.characterData(unescaped)
      case .markup(let markup):
        hasMarkup = true
        xml += markup
      }
    }
    if hasMarkup {
      text = xml
    } else if Self.pieces(ofMarkup: plain) != nil {
      text = xml
    } else if Self.isReference(plain.drop { $0 == "\\" }), !Self.isReference(Self.escapedText(pieces)) {
      text = "\\" + plain
    } else {
      text = plain
    }
  }

  /// The text as XML, with Android's escape sequences.
  var xml: String {
    if Self.isReference(text) { return Self.entities(text) }
    if text.hasPrefix("\\"), Self.isReference(text.drop { $0 == "\\" }) {
      return Self.xml([.text(String(text.dropFirst()))])
    }
    return Self.xml(Self.pieces(ofMarkup: text) ?? [.text(text)])
  }

  /// Returns the text of pieces with its escape sequences, without leading white space.
  private static func escapedText(_ pieces: [Piece]) -> Substring {
    let text = pieces.reduce(into: "") { result, piece in
      if case .text(let text) = piece { result += text }
    }
    return text.drop { $0.isASCII && $0.isWhitespace }
  }

  /// Returns whether a text is a reference to a resource or theme attribute: `@string/app`, `?attr/name`, `@null`.
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

  /// Returns the pieces of a text that contains or looks like markup: a tag, a comment, a CDATA section or an entity;
  /// `nil` if it does not, or is not well-formed.
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
    guard looksLikeMarkup,
      let xml = try? StringsXMLReader(Array("<r>".utf8) + bytes + Array("</r>".utf8)),
      (try? xml.next()) != nil
    else { return nil }
    return try? AndroidStringsReader(reader: xml, language: "").pieces(key: "")
  }

  /// Returns a CDATA section. Occurrences of `]]>` in the text are split across two sections.
  private static func characterData(_ text: String) -> String {
    "<![CDATA[\(text.replacing("]]>", with: "]]]]><![CDATA[>"))]]>"
  }

  /// Returns a text with XML's entities. Characters that XML does not allow, which come from escape sequences for control
  /// characters, are replaced with U+FFFD.
  private static func entities(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { XMLText.isAllowed($0) ? $0 : "\u{FFFD}" }
    return XMLText.escaped(String(String.UnicodeScalarView(scalars))) ?? ""
  }
}
