/// Escaping of text for XML.
package enum XMLText {
  package static let problem = "the text contains a character that XML does not allow"
  package static let fix = "remove control characters"

  /// Returns text with `&`, `<` and `>` as entities, or `nil` if it contains a character that XML does not allow.
  package static func escaped(_ text: String, isAttribute: Bool = false) -> String? {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"" where isAttribute: escaped += "&quot;"
      case "\n" where isAttribute: escaped += "&#10;"
      case "\t" where isAttribute: escaped += "&#9;"
      // XML parsers turn a literal carriage return into a line feed.
      case "\r": escaped += "&#13;"
      case _ where isAllowed(scalar): escaped.unicodeScalars.append(scalar)
      default: return nil
      }
    }
    return escaped
  }

  /// Returns whether XML allows a character (XML 1.0, production 2).
  package static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\t", "\n", "\r": true
    case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": false
    default: true
    }
  }
}
