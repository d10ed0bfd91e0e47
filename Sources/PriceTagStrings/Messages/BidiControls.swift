/// Returns a text with balanced directional controls (UAX 9, BD9 and X5a to X7), which cannot affect the text around
/// it.
///
/// Controls that the text opens and does not close are closed at its end; closing controls without an opening one are
/// removed. Without this, a product named `"\u{2069}\u{202E}abc"` would end the isolate around it and reverse the rest
/// of the line.
package func balancedBidi(_ text: String) -> String {
  guard hasBidiControls(text) else { return text }
  var balanced = String.UnicodeScalarView()
  /// The closing control of each open control.
  var open: [Unicode.Scalar] = []
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\u{2066}", "\u{2067}", "\u{2068}":
      open.append("\u{2069}")
    case "\u{202A}", "\u{202B}", "\u{202D}", "\u{202E}":
      open.append("\u{202C}")
    case "\u{2069}":
      // It closes the innermost isolate and all embeddings inside it.
      guard let isolate = open.lastIndex(of: "\u{2069}") else { continue }
      open.removeSubrange(isolate...)
    case "\u{202C}":
      guard open.last == "\u{202C}" else { continue }
      open.removeLast()
    default: break
    }
    balanced.append(scalar)
  }
  balanced.append(contentsOf: open.reversed())
  return String(balanced)
}

/// Returns whether a text contains bidi controls: U+202A…202E or U+2066…2069.
package func hasBidiControls(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    guard bytes.count > 2 else { return false }
    for index in 0..<bytes.count - 2 where bytes[index] == 0xE2 {
      switch (bytes[index + 1], bytes[index + 2]) {
      case (0x80, 0xAA...0xAE), (0x81, 0xA6...0xA9): return true
      default: break
      }
    }
    return false
  }
}
