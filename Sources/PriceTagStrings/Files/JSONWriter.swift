import PriceTag

/// Writes JSON as a format of strings has it.
struct JSONWriter {
  /// What stands between a key and its value.
  let colon: String
  /// Whether an empty object or array takes three lines, as Xcode writes it.
  let isEmptyOpen: Bool
  /// A text as a JSON string.
  let string: @Sendable (String) -> String

  /// As most tools write it; what cannot be seen is escaped.
  static let plain = JSONWriter(colon: ": ", isEmptyOpen: false, string: visibleJSON)
  /// As Xcode writes it.
  static let xcode = JSONWriter(colon: " : ", isEmptyOpen: true, string: json)

  /// A value over as many lines as it needs, the first of them where the writer stands.
  func text(_ value: JSONValue, indentation: Int = 0) -> String {
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
  static func compact(_ value: JSONValue) -> String {
    switch value {
    case .array(let values): "[" + values.map(compact).joined(separator: ",") + "]"
    case .object(let object):
      "{" + object.members.map { json($0.key) + ":" + compact($0.value) }.joined(separator: ",") + "}"
    default: plain.text(value)
    }
  }

  /// The value of an attribute that `compact` wrote; `nil` where it is no JSON.
  static func value(_ text: String) -> JSONValue? {
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

extension StringsFile {
  /// The object that a file of JSON is.
  static func jsonObject(_ bytes: [UInt8]) throws(StringsError) -> JSONObject {
    do throws(JSONError) {
      let value = try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
        try JSONReader.value(of: bytes)
      }
      guard case .object(let object) = value else {
        throw JSONError(line: 1, problem: "the file is \(value.kind), not an object")
      }
      return object
    } catch {
      throw StringsError(
        .malformedFile,
        error.problem,
        fix: "correct the JSON",
        place: error.place()
      )
    }
  }
}
