import PriceTag

extension StringsFile {
  /// Reads `"key" = "value";`, or a property list of the same in XML.
  ///
  /// Comments belong to the entry that follows; `//` and `/* */` are told apart by an attribute `comments`. A key
  /// without quotation marks, or without a value (which is then the key), has an attribute `form`.
  static func readApple(_ bytes: [UInt8], language: String) throws(StringsError) -> StringsFile {
    if bytes.starts(with: Array("bplist".utf8)) {
      throw StringsError(
        .malformedFile,
        "the file is a binary property list",
        fix: "convert it with plutil -convert xml1",
        place: "line 1"
      )
    }
    let first = bytes.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    if first == UInt8(ascii: "<") { return try readPropertyList(bytes, language: language) }
    return try bytes.withUnsafeBufferPointer { (bytes) throws(StringsError) in
      var reader = AppleStringsReader(bytes: bytes, language: language)
      return try reader.file()
    }
  }

  /// An entry a line, a blank line before one with comments.
  func appleText() throws(StringsError) -> String {
    if attributes.contains(where: { $0.name == PropertyList.attribute }) { return try propertyListText() }
    let language = try onlyLanguage()
    var text = ""
    for entry in entries {
      let value = try onlyText(of: entry, in: language)
      if !text.isEmpty, !entry.comments.isEmpty { text += "\n" }
      text += Self.appleComments(entry.comments, kinds: entry.attributes)
      let form = entry.attributes.first { $0.name == AppleStrings.form }?.value.split(separator: " ") ?? []
      let isBare = form.contains("bare") && AppleStrings.canBeBare(entry.key)
      text += isBare ? entry.key : AppleStrings.quoted(entry.key)
      let isShort = form.contains("short") && entry.key == value
      text += isShort ? ";\n" : " = \(AppleStrings.quoted(value));\n"
    }
    if !text.isEmpty, !trailingComments.isEmpty { text += "\n" }
    return text + Self.appleComments(trailingComments, kinds: attributes)
  }

  private static func appleComments(_ comments: [String], kinds: [Attribute]) -> String {
    let kinds = kinds.first { $0.name == AppleStrings.comments }?.value.split(separator: " ") ?? []
    var text = ""
    for (index, comment) in comments.enumerated() {
      let isOneLine = !comment.utf8.contains { $0 == 0x0A || $0 == 0x0D }
      let isWanted = kinds.indices.contains(index) && kinds[index] == "//"
      if isWanted && isOneLine || comment.contains("*/") {
        for line in comment.unicodeScalars.split(
          omittingEmptySubsequences: false,
          whereSeparator: { "\n\r".unicodeScalars.contains($0) }
        ) {
          text += line.isEmpty ? "//\n" : "// \(String(line))\n"
        }
      } else {
        text += "/*\(Comment.spaced(comment))*/\n"
      }
    }
    return text
  }
}

/// The words of the old-style property list that Apple's strings are.
enum AppleStrings {
  /// The attribute of an entry that is not written as `"key" = "value";`.
  static let form = "form"
  /// The attribute that says how each comment was written, where one was written with `//`.
  static let comments = "comments"

  /// A text in quotation marks.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        quoted += "\\"
        quoted.unicodeScalars.append(scalar)
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\U" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Whether a byte may stand in a text without quotation marks.
  static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "_$/:.-".utf8.contains(byte)
    }
  }

  /// Whether a key can be written without quotation marks.
  static func canBeBare(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.allSatisfy(isBare) && !key.contains("//")
  }
}

/// The inside of a comment and the text that it says.
enum Comment {
  /// The text: without the spaces around it, but as it stands where it has several lines and they are laid out.
  static func text(_ inside: String) -> String {
    let inside = inside.replacing("\r\n", with: "\n")
    let trimmed = trimmed(inside)
    if !inside.utf8.contains(0x0A) || inside == " \(trimmed) " { return trimmed }
    return inside
  }

  /// The inside that says a text, with a space on both sides where it has none of its own.
  static func spaced(_ text: String) -> String {
    if text.utf8.contains(0x0A), text != trimmed(text) { return text }
    return text.isEmpty ? " " : " \(text) "
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
