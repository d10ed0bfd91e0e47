import PriceTag
import PriceTagStrings
import PriceTagText
import PriceTagXML

/// What a property list of strings keeps of its form.
enum PropertyList {
  /// The attribute of the file that says it is one, with the margin of its keys.
  static let attribute = "plist"
  /// The attribute with the margin of its dictionary, where it has one.
  static let dictionary = "dict"
  /// The attributes with comments before the list.
  static let comment = "#comment"
}

extension StringsFile {
  /// Reads `<plist><dict><key>…</key><string>…</string>…</dict></plist>`.
  static func readPropertyList(_ bytes: [UInt8], language: String) throws(StringsError) -> StringsFile {
    let reader = try XMLReader.reading(bytes)
    var file = StringsFile(format: .apple, language: language, entries: [])
    var heading: [Attribute] = []
    var margins: [String] = []
    var comments: [String] = []
    var open: [String] = []
    var key: (text: String, line: Int)?
    var space = ""
    while let event = try reader.nextEvent() {
      switch event {
      case .text(let text): space = text
      default: break
      }
      switch (open.count, event) {
      case (0, .comment(let inside)): heading.append(Attribute(name: PropertyList.comment, value: inside))
      case (0, .start("plist", _, _)): open = ["plist"]
      case (1, .start("dict", _, _)) where margins.isEmpty:
        open.append("dict")
        margins = [margin(space)]
      case (2, .start("key", _, _)) where key == nil:
        if margins.count == 1 { margins.append(margin(space)) }
        let line = reader.line
        key = (try reader.text(), line)
      case (2, .start("string", _, _)):
        guard let (name, line) = key else {
          throw .malformedXML(
            "a <string> stands without a <key>",
            line: reader.line,
            fix: "write a <key> before it"
          )
        }
        key = nil
        file.entries.append(
          Entry(
            key: name,
            comments: comments,
            localizations: [language: Localization(.text(try reader.text()), line: line)],
            line: line
          )
        )
        comments = []
      case (1..., .comment(let inside)): comments.append(Comment.text(inside))
      case (1..., .end):
        open.removeLast()
        if open.count == 1, let key {
          throw .malformedXML(
            "a <key> has no <string>",
            line: key.line,
            key: key.text,
            fix: "write a <string> behind it"
          )
        }
      case (_, .instruction): continue
      case (_, .text(let text)) where text.utf8.allSatisfy({ $0 <= 0x20 }): continue
      default: throw unexpectedInPropertyList(event, line: reader.line, key: key?.text)
      }
    }
    guard margins.first != nil else {
      throw .malformedXML(
        "the property list has no <dict>",
        line: 1,
        fix: "write <plist><dict>…</dict></plist>"
      )
    }
    file.attributes.append(
      Attribute(name: PropertyList.attribute, value: margins.count > 1 ? margins[1] : "\t")
    )
    if !margins[0].isEmpty {
      file.attributes.append(Attribute(name: PropertyList.dictionary, value: margins[0]))
    }
    file.attributes += heading
    file.trailingComments = comments
    return file
  }

  private static func unexpectedInPropertyList(_ event: XMLEvent, line: Int, key: String?) -> StringsError {
    if let key {
      return .malformedXML(
        "\(event.kind) stands where a <string> is expected",
        line: line,
        key: key,
        fix:
          "write one <string> for each <key>, and keep plurals in a .stringsdict file or a string catalogue"
      )
    }
    return .malformedXML(
      "\(event.kind) stands where it is not expected",
      line: line,
      fix: "write <plist><dict> with a <key> and a <string> for each entry"
    )
  }

  /// The spaces behind the last line break of a text between elements.
  private static func margin(_ space: String) -> String {
    String(space.unicodeScalars.reversed().prefix { $0 == " " || $0 == "\t" }.reversed().map(Character.init))
  }

  /// The property list with the margins that it was read with.
  func propertyListText() throws(StringsError) -> String {
    let language = try onlyLanguage()
    func margin(_ name: String) -> String {
      let value = attributes.first { $0.name == name }?.value ?? ""
      return value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? value : ""
    }
    let (keys, dictionary) = (margin(PropertyList.attribute), margin(PropertyList.dictionary))
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">

      """
    for attribute in attributes where attribute.name == PropertyList.comment {
      text += try XMLText.comment(attribute.value) + "\n"
    }
    text += "<plist version=\"1.0\">\n" + dictionary
    if entries.isEmpty && trailingComments.isEmpty {
      return text + "<dict/>\n</plist>\n"
    }
    text += "<dict>\n"
    for entry in entries {
      for comment in entry.comments { text += keys + (try XMLText.comment(Comment.spaced(comment))) + "\n" }
      guard let key = XMLText.escaped(entry.key),
        let value = XMLText.escaped(try onlyText(of: entry, in: language))
      else { throw notRepresentable(entry, XMLText.problem, fix: XMLText.fix) }
      text += "\(keys)<key>\(key)</key>\n\(keys)<string>\(value)</string>\n"
    }
    for comment in trailingComments { text += keys + (try XMLText.comment(Comment.spaced(comment))) + "\n" }
    return text + dictionary + "</dict>\n</plist>\n"
  }
}

extension XMLText {
  /// A comment with its inside, in which two hyphens cannot follow each other and are set apart.
  static func comment(_ inside: String) throws(StringsError) -> String {
    var comment = "<!--"
    var last: Unicode.Scalar?
    for scalar in inside.unicodeScalars {
      guard canBeHeld(scalar), scalar != "\r" else {
        throw StringsError(
          .notRepresentable,
          "a comment has a character that XML cannot hold",
          fix: fix,
          place: "comment \(quoted(inside))"
        )
      }
      if scalar == "-", last == "-" { comment += " " }
      comment.unicodeScalars.append(scalar)
      last = scalar
    }
    return comment + (last == "-" ? " -->" : "-->")
  }
}
