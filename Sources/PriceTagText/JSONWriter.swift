/// Writes JSON on several lines, in the style of a file format.
package struct JSONWriter {
  /// The separator between a key and its value.
  package let colon: String
  /// Whether an empty object or array takes three lines, as in Xcode's files.
  package let expandsEmptyContainers: Bool
  /// Returns a text as a JSON string.
  package let string: @Sendable (String) -> String

  /// The common style. Invisible characters are escaped.
  package static let plain = JSONWriter(colon: ": ", expandsEmptyContainers: false, string: visibleJSON)
  /// Xcode's style.
  package static let xcode = JSONWriter(colon: " : ", expandsEmptyContainers: true, string: json)

  /// Returns a value on as many lines as it needs. The first line is not indented.
  package func text(_ value: JSONValue, indentation: Int = 0) -> String {
    switch value {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): number
    case .string(let text): string(text)
    case .array(let values):
      lines(values.map { text($0, indentation: indentation + 2) }, in: ("[", "]"), indentation)
    case .object(let object):
      lines(
        object.members.map { string($0.key) + colon + text($0.value, indentation: indentation + 2) },
        in: ("{", "}"),
        indentation
      )
    }
  }

  private func lines(_ items: [String], in braces: (String, String), _ indentation: Int) -> String {
    let margin = String(repeating: " ", count: indentation)
    if items.isEmpty { return braces.0 + (expandsEmptyContainers ? "\n\n" + margin : "") + braces.1 }
    return braces.0 + "\n" + items.map { margin + "  " + $0 }.joined(separator: ",\n") + "\n" + margin
      + braces.1
  }

  /// Returns a value on one line, as it is stored in an attribute.
  package static func compact(_ value: JSONValue) -> String {
    switch value {
    case .array(let values): "[" + values.map(compact).joined(separator: ",") + "]"
    case .object(let object):
      "{" + object.members.map { json($0.key) + ":" + compact($0.value) }.joined(separator: ",") + "}"
    default: plain.text(value)
    }
  }

  /// Parses a value that `compact` wrote; returns `nil` if the text is not JSON.
  package static func value(_ text: String) -> JSONValue? {
    try? JSONReader.value(of: Array(text.utf8))
  }
}

/// Returns a text as a JSON string with all invisible characters escaped: spaces other than U+0020, direction marks, soft
/// hyphens and others. Joiners inside a word are part of its spelling and are not escaped.
@Sendable private func visibleJSON(_ text: String) -> String {
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
