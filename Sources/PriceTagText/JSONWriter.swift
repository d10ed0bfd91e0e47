/// Writes JSON over several lines, in the style that a format has.
package struct JSONWriter {
  /// What stands between a key and its value.
  package let colon: String
  /// Whether an empty object or array takes three lines, as Xcode writes it.
  package let isEmptyOpen: Bool
  /// A text as a JSON string.
  package let string: @Sendable (String) -> String

  /// As most tools write it; what cannot be seen is escaped.
  package static let plain = JSONWriter(colon: ": ", isEmptyOpen: false, string: visibleJSON)
  /// As Xcode writes it.
  package static let xcode = JSONWriter(colon: " : ", isEmptyOpen: true, string: json)

  /// A value over as many lines as it needs, the first of them where the writer stands.
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
    if items.isEmpty { return braces.0 + (isEmptyOpen ? "\n\n" + margin : "") + braces.1 }
    return braces.0 + "\n" + items.map { margin + "  " + $0 }.joined(separator: ",\n") + "\n" + margin
      + braces.1
  }

  /// A value on one line, as an attribute keeps it.
  package static func compact(_ value: JSONValue) -> String {
    switch value {
    case .array(let values): "[" + values.map(compact).joined(separator: ",") + "]"
    case .object(let object):
      "{" + object.members.map { json($0.key) + ":" + compact($0.value) }.joined(separator: ",") + "}"
    default: plain.text(value)
    }
  }

  /// The value of an attribute that `compact` wrote; `nil` where it is no JSON.
  package static func value(_ text: String) -> JSONValue? {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { try? JSONReader.value(of: $0) }
  }
}

/// A text as a JSON string in which everything can be seen: spaces but the plain one, marks of direction, soft hyphens
/// and the like are escapes. Joiners inside a word are part of its spelling and stay.
@Sendable private func visibleJSON(_ text: String) -> String {
  let scalars = Array(json(text).unicodeScalars)
  var visible = ""
  for (index, scalar) in scalars.enumerated() {
    let isJoiner = scalar == "\u{200C}" || scalar == "\u{200D}"
    // A string begins and ends with a quotation mark, so that there is a scalar on both sides.
    if isInvisible(scalar),
      !(isJoiner && isPartOfWord(scalars[index - 1]) && isPartOfWord(scalars[index + 1]))
    {
      for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
        let digits = String(unit, radix: 16)
        visible += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
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
