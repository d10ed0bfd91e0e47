/// Returns a text as a JSON string with all invisible characters escaped: spaces other than U+0020, direction marks, soft
/// hyphens and others. Joiners inside a word are part of its spelling and are not escaped.
package func visibleJSON(_ text: String) -> String {
  let scalars = Array(json(text).unicodeScalars)
  var visible = ""
  for (index, scalar) in scalars.enumerated() {
    let isJoiner = scalar == "\u{200C}" || scalar == "\u{200D}"
    // The string starts and ends with a quotation mark, so every other scalar has a neighbor on both sides.
    if isInvisible(scalar),
      !(isJoiner && isPartOfWord(scalars[index - 1]) && isPartOfWord(scalars[index + 1]))
    {
      for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
        visible += "\\u" + zeroPadded(String(unit, radix: 16), 4)
      }
    } else {
      visible.unicodeScalars.append(scalar)
    }
  }
  return visible
}

private func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator: true
  case .spaceSeparator: scalar != " "
  default: false
  }
}

private func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
    .spacingMark, .enclosingMark, .otherSymbol, .modifierSymbol:
    true
  default: false
  }
}
