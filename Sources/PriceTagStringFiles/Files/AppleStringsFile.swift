import PriceTag
import PriceTagStrings

extension StringsFile {
  /// Reads `"key" = "value";`, or a property list of the same, binary or in XML.
  ///
  /// Comments belong to the entry that follows, or to the one before on the same line; where they are not all `/* */`
  /// before their entry, an attribute `comments` says how each is written. Those at the top of the file, with an empty
  /// line behind them, are attributes of the file. A key without quotation marks, or without a value (which is then
  /// the key), has an attribute `form`.
  static func readApple(_ bytes: [UInt8], language: String) throws(StringsError) -> StringsFile {
    let first = bytes.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    if first == UInt8(ascii: "<") { return try readPropertyList(bytes, language: language) }
    return try bytes.withUnsafeBufferPointer { (bytes) throws(StringsError) in
      var reader = AppleStringsReader(bytes: bytes, language: language)
      return try reader.file()
    }
  }

  /// An entry a line, an empty line before one with comments above it.
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
      text += (isShort ? ";" : " = \(AppleStrings.quoted(value));") + comments.behind + "\n"
    }
    let trailing = Self.appleComments(trailingComments, kinds: attributes)
    if !text.isEmpty, !trailingComments.isEmpty { text += "\n" }
    return appleHeading + text + trailing.above + trailing.behind
  }

  /// The comments at the top, with an empty line behind them.
  private var appleHeading: String {
    let comments = attributes.filter { $0.name == AppleStrings.heading }.map { Comment.text($0.value) }
    let heading = Self.appleComments(comments, kinds: attributes, named: AppleStrings.headingComments)
    return comments.isEmpty ? "" : heading.above + heading.behind + "\n"
  }

  /// The lines of comments above an entry, and what stands behind it on its line.
  private static func appleComments(
    _ comments: [String],
    kinds: [Attribute],
    named name: String = AppleStrings.comments
  ) -> (above: String, behind: String) {
    let kinds = kinds.first { $0.name == name }?.value.split(separator: " ") ?? []
    var (above, behind) = ("", "")
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
      if kind.hasPrefix(AppleStrings.behind), lines.count == 1 {
        behind += " " + lines[0]
      } else {
        above += lines.joined(separator: "\n") + "\n"
      }
    }
    return (above, behind)
  }
}

/// The words of the old-style property list that Apple's strings are.
enum AppleStrings {
  /// The attribute of an entry that is not written as `"key" = "value";`.
  static let form = "form"
  /// The attribute that says how each comment is written, where one is not `/*` above its entry: `//`, or with `;`
  /// before either where it stands behind the entry.
  static let comments = "comments"
  /// What stands in it before the kind of a comment behind an entry.
  static let behind = ";"
  /// The attributes of a file with comments about the whole.
  static let heading = "#comment"
  /// The attribute that says how each of those is written, where one is `//`.
  static let headingComments = "headingComments"

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
