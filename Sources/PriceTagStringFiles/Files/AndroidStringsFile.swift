import PriceTag
import PriceTagStrings
import PriceTagText
import PriceTagXML

extension StringsFile {
  /// Reads Android's `<resources>` with `<string>`, `<plurals>` and `<string-array>`.
  ///
  /// Escape sequences are resolved and white space is collapsed, as in Android. The text of an entry has one of these
  /// forms:
  ///
  /// - With markup, it is XML: elements and `<![CDATA[…]]>` are unchanged, and `&lt;`, `&gt;` and `&amp;` remain
  ///   entities.
  /// - Without markup, it is plain text, unless that would look like markup: `5 &lt; 6` in the file becomes `5 < 6`, but
  ///   `&lt;b>` becomes `&lt;b&gt;`.
  /// - A resource reference such as `@string/app` is unchanged. A text that is escaped so as not to be a reference keeps
  ///   one backslash before it.
  ///
  /// Comments belong to the following entry. Other XML between entries, such as `<color>` or `<eat-comment/>`, is
  /// stored with the comments before it in attributes of the following entry, or of the file after the last entry.
  /// Comments before an `<item>` are stored in attributes of its entry. XML before or after `<resources>` is stored in
  /// attributes of the file.
  static func readAndroid(_ bytes: [UInt8], language: String) throws(StringsError) -> StringsFile {
    var reader = AndroidStringsReader(reader: try StringsXMLReader(bytes), language: language)
    return try reader.file()
  }

  /// Returns the file as XML, indented by four spaces per level, with comments before their entries.
  func androidText() throws(StringsError) -> String {
    let language = try onlyLanguage()
    var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    var declarations = attributes.filter { AndroidStrings.isAttribute($0.name) }
    for attribute in attributes {
      switch attribute.name {
      case AndroidStrings.comment: text += try XMLText.comment(attribute.value) + "\n"
      case AndroidStrings.heading: text += try AndroidStrings.lines([attribute], named: attribute.name)
      default: continue
      }
    }
    var body = ""
    for entry in entries {
      body += try AndroidStrings.lines(entry.attributes, named: AndroidStrings.markup, margin: "    ")
      for comment in entry.comments { body += "    \(try XMLText.comment(Comment.spaced(comment)))\n" }
      body += try androidElement(entry, language)
    }
    body += try AndroidStrings.lines(attributes, named: AndroidStrings.markup, margin: "    ")
    for comment in trailingComments { body += "    \(try XMLText.comment(Comment.spaced(comment)))\n" }
    if body.contains("<xliff:"), !declarations.contains(where: { $0.name == "xmlns:xliff" }) {
      declarations.insert(
        Attribute(name: "xmlns:xliff", value: "urn:oasis:names:tc:xliff:document:1.2"),
        at: 0
      )
    }
    guard let declared = AndroidStrings.attributes(declarations) else {
      throw StringsError(
        .notRepresentable,
        "an attribute of the file contains a character that XML does not allow",
        fix: XMLText.fix
      )
    }
    text += "<resources\(declared)>\n" + body + "</resources>\n"
    return text + (try AndroidStrings.lines(attributes, named: AndroidStrings.footing))
  }

  private func androidElement(_ entry: Entry, _ language: String) throws(StringsError) -> String {
    var elementAttributes = [Attribute(name: "name", value: entry.key)]
    if !entry.isTranslatable { elementAttributes.append(Attribute(name: "translatable", value: "false")) }
    elementAttributes += entry.attributes.filter { attribute in
      AndroidStrings.isAttribute(attribute.name)
        && !elementAttributes.contains { $0.name == attribute.name }
    }
    guard let attributes = AndroidStrings.attributes(elementAttributes) else {
      throw notRepresentable(entry, XMLText.problem, fix: XMLText.fix)
    }
    func xml(_ text: String) -> String { AndroidText(text).xml }
    let (name, texts): (String, [(String, String)])
    let value = try onlyValue(of: entry, in: language)
    switch value {
    case .text(let text): return "    <string\(attributes)>\(xml(text))</string>\n"
    case .plural(let branches):
      name = "plurals"
      texts = try branches.map { (branch) throws(StringsError) in
        guard let quantity = XMLText.escaped(branch.category, isAttribute: true) else {
          throw notRepresentable(entry, XMLText.problem, fix: XMLText.fix)
        }
        return (" quantity=\"\(quantity)\"", branch.text)
      }
    case .array(let items):
      name = "string-array"
      texts = items.map { ("", $0) }
    case .device, .substituted: throw notRepresentable(entry, value)
    }
    let itemAttributes = AndroidStrings.itemAttributes(entry)
    var lines = ""
    for (index, (quantity, text)) in texts.enumerated() {
      let stored = itemAttributes[index + 1] ?? []
      lines += try androidItemComments(stored)
      let attributes = AndroidStrings.attributes(stored.filter { AndroidStrings.isAttribute($0.name) }) ?? ""
      lines += "        <item\(quantity)\(attributes)>\(xml(text))</item>\n"
    }
    lines += try androidItemComments(itemAttributes[texts.count + 1] ?? [])
    return "    <\(name)\(attributes)>\n\(lines)    </\(name)>\n"
  }

  private func androidItemComments(_ attributes: [Attribute]) throws(StringsError) -> String {
    var text = ""
    for attribute in attributes where attribute.name == AndroidStrings.comment {
      text += "        \(try XMLText.comment(attribute.value))\n"
    }
    return text
  }
}

/// Names of elements and attributes for Android's `strings.xml`.
enum AndroidStrings {
  /// The elements that are entries.
  static let entries = ["string", "plurals", "string-array"]
  /// The attribute for a comment before `<resources>` or before an item.
  static let comment = "#comment"
  /// The attribute for other XML before `<resources>`.
  static let heading = "#heading"
  /// The attribute for XML after `</resources>`.
  static let footing = "#footing"
  /// The attribute for XML before an entry and its comments, or before the comments at the end.
  static let markup = "#xml"

  /// Returns the XML in the attributes with a name, one per line.
  ///
  /// - Throws: `.notRepresentable` if the XML is not well-formed.
  static func lines(
    _ attributes: [StringsFile.Attribute],
    named name: String,
    margin: String = ""
  ) throws(StringsError) -> String {
    let xml = attributes.filter { $0.name == name }.map { margin + $0.value + "\n" }.joined()
    if xml.isEmpty { return "" }
    guard (try? StringsXMLReader(Array("<r>\(xml)</r>".utf8))) != nil else {
      throw StringsError(
        .notRepresentable,
        "the XML between the strings is not well-formed",
        fix: "correct or remove it",
        place: "XML \(quoted(xml))"
      )
    }
    return xml
  }

  /// Returns the prefix of the names of an item's attributes.
  static func itemPrefix(_ index: Int) -> String { "item \(index + 1) " }

  /// Returns the attributes of an entry's items by item number, from 1. The number after the last item is used for
  /// comments at the end.
  static func itemAttributes(_ entry: StringsFile.Entry) -> [Int: [StringsFile.Attribute]] {
    var attributes: [Int: [StringsFile.Attribute]] = [:]
    for attribute in entry.attributes {
      let words = attribute.name.split(separator: " ", maxSplits: 2)
      guard words.count == 3, words[0] == "item", let number = Int(words[1]) else { continue }
      attributes[number, default: []].append(.init(name: String(words[2]), value: attribute.value))
    }
    return attributes
  }

  /// Returns whether a name is valid for an XML attribute. The names defined here are not.
  static func isAttribute(_ name: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      byte >= 0x80 || "_:".utf8.contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
    return name.utf8.first.map(isLetter) ?? false
      && name.utf8.allSatisfy { isLetter($0) || "-.".utf8.contains($0) || (0x30...0x39).contains($0) }
  }

  /// Returns attributes as in an XML tag, or `nil` if one contains a character that XML does not allow.
  static func attributes(_ attributes: [StringsFile.Attribute]) -> String? {
    var text = ""
    for attribute in attributes {
      guard let value = XMLText.escaped(attribute.value, isAttribute: true) else { return nil }
      text += " \(attribute.name)=\"\(value)\""
    }
    return text
  }
}
