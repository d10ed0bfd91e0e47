import PriceTag
import PriceTagStrings

extension StringsFile {
  /// Reads an Apple `.strings` file: `"key" = "value";` or a property list, XML or binary.
  ///
  /// A comment belongs to the following entry, or to the previous one if it follows on the same line. If an entry has
  /// other comments than `/* */` above it, its attribute `comments` records the form of each. Comments at the top of the
  /// file that end with an empty line are attributes of the file. The attribute `form` records a key without quotation
  /// marks, and an entry without a value (the key is then also the value).
  static func readApple(_ bytes: [UInt8], language: String) throws(StringsError) -> StringsFile {
    let first = bytes.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    if first == UInt8(ascii: "<") { return try readPropertyList(bytes, language: language) }
    return try bytes.withUnsafeBufferPointer { (bytes) throws(StringsError) in
      var reader = AppleStringsReader(bytes: bytes, language: language)
      return try reader.file()
    }
  }

  /// Returns the file with one entry per line, and an empty line before each entry with comments above it.
  func appleText() throws(StringsError) -> String {
    if attributes.contains(where: { $0.name == PropertyList.attribute }) { return try propertyListText() }
    let language = try onlyLanguage()
    var text = ""
    for entry in entries {
      let value = try onlyText(of: entry, in: language)
      let comments = Self.appleComments(entry.comments, kinds: entry.attributes)
      if !text.isEmpty, !comments.above.isEmpty { text += "\n" }
      text += comments.above
      let form = entry.attributes.first { $0.name == AppleStrings.form }?.value.split(separator: " ") ?? []
      let isBare = form.contains("bare") && AppleStrings.canBeBare(entry.key)
      text += isBare ? entry.key : AppleStrings.quoted(entry.key)
      let isShort = form.contains("short") && entry.key == value
      text += (isShort ? ";" : " = \(AppleStrings.quoted(value));") + comments.endOfLine + "\n"
    }
    let trailing = Self.appleComments(trailingComments, kinds: attributes)
    if !text.isEmpty, !trailingComments.isEmpty { text += "\n" }
    return appleHeading + text + trailing.above + trailing.endOfLine
  }

  /// The comments at the top, followed by an empty line.
  private var appleHeading: String {
    let comments = attributes.filter { $0.name == AppleStrings.heading }.map { Comment.text($0.value) }
    let heading = Self.appleComments(comments, kinds: attributes, named: AppleStrings.headingComments)
    return comments.isEmpty ? "" : heading.above + heading.endOfLine + "\n"
  }

  /// Returns the lines of comments above an entry, and the comments at the end of its line.
  private static func appleComments(
    _ comments: [String],
    kinds: [Attribute],
    named name: String = AppleStrings.comments
  ) -> (above: String, endOfLine: String) {
    let kinds = kinds.first { $0.name == name }?.value.split(separator: " ") ?? []
    var (above, endOfLine) = ("", "")
    for (index, comment) in comments.enumerated() {
      let kind = kinds.indices.contains(index) ? kinds[index] : "/*"
      let isOneLine = !comment.utf8.contains { $0 == 0x0A || $0 == 0x0D }
      let cannotBeBlock = comment.contains("*/")
      var lines = ["/*\(Comment.spaced(comment))*/"]
      if kind.hasSuffix("//") && isOneLine || cannotBeBlock {
        lines = comment.unicodeScalars.split(
          omittingEmptySubsequences: false,
          whereSeparator: { "\n\r".unicodeScalars.contains($0) }
        ).map { $0.isEmpty ? "//" : "// \(String($0))" }
      }
      if kind.hasPrefix(AppleStrings.endOfLinePrefix), lines.count == 1 {
        endOfLine += " " + lines[0]
      } else {
        above += lines.joined(separator: "\n") + "\n"
      }
    }
    return (above, endOfLine)
  }
}

/// Names of attributes, and the syntax, of Apple's `.strings` files, which are old-style property lists.
enum AppleStrings {
  /// The attribute of an entry that has another form than `"key" = "value";`.
  static let form = "form"
  /// The attribute with the form of each comment, if one is not `/*` above its entry: `/*` or `//`, with the prefix `;`
  /// if the comment is at the end of the entry's line.
  static let comments = "comments"
  /// The prefix in `comments` of a comment at the end of the entry's line.
  static let endOfLinePrefix = ";"
  /// The attribute of a file for a comment about the file.
  static let heading = "#comment"
  /// The attribute with the form of each comment about the file, if one is `//`.
  static let headingComments = "headingComments"

  /// Returns a text in quotation marks, with escape sequences.
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

  /// Returns whether a byte is allowed in a string without quotation marks.
  static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "_$/:.-".utf8.contains(byte)
    }
  }

  /// Returns whether a key can be written without quotation marks.
  static func canBeBare(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.allSatisfy(isBare) && !key.contains("//")
  }
}

/// Converts between the contents of a comment and its text.
enum Comment {
  /// Returns the text of a comment: the trimmed contents, or the unchanged contents if they have several lines with
  /// their own indentation.
  static func text(_ contents: String) -> String {
    let contents = contents.replacing("\r\n", with: "\n")
    let trimmed = trimmed(contents)
    if !contents.utf8.contains(0x0A) || contents == " \(trimmed) " { return trimmed }
    return contents
  }

  /// Returns the contents of a comment with a text: the text with a space on both sides, unless it has several lines
  /// with their own indentation.
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
