/// Text as XML has it.
package enum XMLText {
  package static let problem = "it has a character that XML cannot hold"
  package static let fix = "remove control characters"

  /// Text with `&`, `<` and `>` as entities; `nil` where it has a character that XML cannot hold.
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
      // A reader turns it into a line feed where it stands alone.
      case "\r": escaped += "&#13;"
      case _ where canBeHeld(scalar): escaped.unicodeScalars.append(scalar)
      default: return nil
      }
    }
    return escaped
  }

  /// Whether XML can hold a character (XML 1.0, production 2).
  package static func canBeHeld(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\t", "\n", "\r": true
    case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": false
    default: true
    }
  }
}
