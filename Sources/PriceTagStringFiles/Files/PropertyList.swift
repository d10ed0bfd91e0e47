import PriceTag
import PriceTagStrings
import PriceTagText
import PriceTagXML

/// The attributes of a file that preserve the layout of a property list.
enum PropertyList {
  /// The attribute that marks a file as a property list. Its value is the indentation of the keys.
  static let attribute = "plist"
  /// The attribute with the indentation of the dictionary, if any.
  static let dictionary = "dict"
  /// The attribute for a comment before the list.
  static let comment = "#comment"
}

extension StringsFile {
  /// Reads an XML property list: `<plist><dict><key>…</key><string>…</string>…</dict></plist>`.
  static func readPropertyList(_ bytes: [UInt8], language: String) throws(StringsError) -> StringsFile {
    let reader = try StringsXMLReader(bytes)
    var file = StringsFile(format: .apple, language: language, entries: [])
    var heading: [Attribute] = []
    var margins: [String] = []
    var comments: [String] = []
    var open: [String] = []
    var key: (text: String, line: Int)?
    var space = ""
    while let event = try reader.next() {
      switch event {
      case .text(let text): space = text
      default: break
      }
      switch (open.count, event) {
      case (0, .comment(let contents)): heading.append(Attribute(name: PropertyList.comment, value: contents))
      case (0, .start("plist", _, _)): open = ["plist"]
      case (1, .start("dict", _, _)) where margins.isEmpty:
        open.append("dict")
        margins = [margin(space)]
      case (2, .start("key", _, _)) where key == nil:
        if margins.count == 1 { margins.append(margin(space)) }
        let line = reader.line
        key = (try reader.textToEnd(), line)
      case (2, .start("string", _, _)):
        guard let (name, line) = key else {
          throw .malformedXML(
            "a <string> has no <key>",
            line: reader.line,
            fix: "add a <key> before it"
          )
        }
        key = nil
        file.entries.append(
          Entry(
            key: name,
            comments: comments,
            localizations: [language: Localization(.text(try reader.textToEnd()), line: line)],
            line: line
          )
        )
        comments = []
      case (1..., .comment(let contents)): comments.append(Comment.text(contents))
      case (1..., .end):
        open.removeLast()
        if open.count == 1, let key {
          throw .malformedXML(
            "a <key> has no <string>",
            line: key.line,
            key: key.text,
            fix: "add a <string> after it"
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
        "expected a <string>, not \(event.kind)",
        line: line,
        key: key,
        fix: "write one <string> for each <key>, and move plurals to a .stringsdict file or a string catalog"
      )
    }
    return .malformedXML(
      "\(event.kind) is not allowed here",
      line: line,
      fix: "write <plist><dict> with a <key> and a <string> for each entry"
    )
  }

  /// Returns the spaces and tabs at the end of the text before an element.
  private static func margin(_ space: String) -> String {
    String(space.unicodeScalars.reversed().prefix { $0 == " " || $0 == "\t" }.reversed().map(Character.init))
  }

  /// Returns the file as an XML property list, with its original indentation.
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
  /// Returns an XML comment. Consecutive hyphens in its contents, which XML does not allow, are separated by spaces.
  static func comment(_ contents: String) throws(StringsError) -> String {
    var comment = "<!--"
    var last: Unicode.Scalar?
    for scalar in contents.unicodeScalars {
      guard isAllowed(scalar), scalar != "\r" else {
        throw StringsError(
          .notRepresentable,
          "the comment contains a character that XML does not allow",
          fix: fix,
          place: "comment \(quoted(contents))"
        )
      }
      if scalar == "-", last == "-" { comment += " " }
      comment.unicodeScalars.append(scalar)
      last = scalar
    }
    return comment + (last == "-" ? " -->" : "-->")
  }
}
