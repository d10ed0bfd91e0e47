import PriceTag
import PriceTagStrings
import PriceTagText
import PriceTagXML

extension StringsFile {
  /// Reads Android's `<resources>` with `<string>`, `<plurals>` and `<string-array>`.
  ///
  /// Escapes are undone and spaces drawn together, as Android reads them. A text with markup is XML itself: elements
  /// and `<![CDATA[…]]>` stand in it as they do in the file, and `&lt;`, `&gt;` and `&amp;` stay entities. A text
  /// without markup has the characters themselves, unless they would look like markup: `&lt;b>` in a file is `&lt;b&gt;`
  /// in the text, and `5 &lt; 6` is `5 < 6`. A text that names a resource, such as `@string/app`, is written as it
  /// is; where it was escaped to be text, one backslash stays before it.
  ///
  /// Comments belong to the entry that follows. What else stands between entries, such as `<color>` or
  /// `<eat-comment/>`, is kept as XML, with the comments before it, in attributes of the entry that follows or, behind
  /// the last one, of the file; so is a comment before an `<item>`. What stands before or behind `<resources>` is an
  /// attribute of the file.
  static func readAndroid(_ bytes: [UInt8], language: String) throws(StringsError) -> StringsFile {
    var reader = AndroidStringsReader(reader: try XMLReader.reading(bytes), language: language)
    return try reader.file()
  }

  /// Four spaces a level; comments before their entries.
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
      throw StringsError(.notRepresentable, "an attribute of the file \(XMLText.problem)", fix: XMLText.fix)
    }
    text += "<resources\(declared)>\n" + body + "</resources>\n"
    return text + (try AndroidStrings.lines(attributes, named: AndroidStrings.footing))
  }

  private func androidElement(_ entry: Entry, _ language: String) throws(StringsError) -> String {
    var own = [Attribute(name: "name", value: entry.key)]
    if !entry.isTranslatable { own.append(Attribute(name: "translatable", value: "false")) }
    own += entry.attributes.filter { attribute in
      AndroidStrings.isAttribute(attribute.name) && !own.contains { $0.name == attribute.name }
    }
    guard let attributes = AndroidStrings.attributes(own) else {
      throw notRepresentable(entry, XMLText.problem, fix: XMLText.fix)
    }
    func written(_ text: String) -> String { AndroidText(text).written }
    let (name, texts): (String, [(String, String)])
    let value = try onlyValue(of: entry, in: language)
    switch value {
    case .text(let text): return "    <string\(attributes)>\(written(text))</string>\n"
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
      let own = itemAttributes[index + 1] ?? []
      lines += try androidItemComments(own)
      let attributes = AndroidStrings.attributes(own.filter { AndroidStrings.isAttribute($0.name) }) ?? ""
      lines += "        <item\(quantity)\(attributes)>\(written(text))</item>\n"
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

/// The names that Android's strings use.
enum AndroidStrings {
  /// The elements that are entries.
  static let entries = ["string", "plurals", "string-array"]
  /// The attributes of a file with comments before `<resources>`, and of an item with comments before it.
  static let comment = "#comment"
  /// The attributes of a file with XML before `<resources>` that is no comment.
  static let heading = "#heading"
  /// The attributes of a file with XML behind `</resources>`.
  static let footing = "#footing"
  /// The attributes with XML before an entry and its comments, or before the comments at the end.
  static let markup = "#xml"

  /// Lines with the XML of the attributes of a name, refused where they would break the file.
  static func lines(
    _ attributes: [StringsFile.Attribute],
    named name: String,
    margin: String = ""
  ) throws(StringsError) -> String {
    let xml = attributes.filter { $0.name == name }.map { margin + $0.value + "\n" }.joined()
    if xml.isEmpty { return "" }
    guard (try? XMLReader(Array("<r>\(xml)</r>".utf8))) != nil else {
      throw StringsError(
        .notRepresentable,
        "what stands among the strings is no whole XML",
        fix: "correct or remove it",
        place: "XML \(quoted(xml))"
      )
    }
    return xml
  }

  /// What stands before the name of an attribute of an item.
  static func itemPrefix(_ index: Int) -> String { "item \(index + 1) " }

  /// The attributes of the items of an entry by their numbers, from 1; behind the last item, comments at the end.
  static func itemAttributes(_ entry: StringsFile.Entry) -> [Int: [StringsFile.Attribute]] {
    var attributes: [Int: [StringsFile.Attribute]] = [:]
    for attribute in entry.attributes {
      let words = attribute.name.split(separator: " ", maxSplits: 2)
      guard words.count == 3, words[0] == "item", let number = Int(words[1]) else { continue }
      attributes[number, default: []].append(.init(name: String(words[2]), value: attribute.value))
    }
    return attributes
  }

  /// Whether XML can have an attribute of a name; names of what only this library says are none.
  static func isAttribute(_ name: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      byte >= 0x80 || "_:".utf8.contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
    return name.utf8.first.map(isLetter) ?? false
      && name.utf8.allSatisfy { isLetter($0) || "-.".utf8.contains($0) || (0x30...0x39).contains($0) }
  }

  /// Attributes as a tag has them; `nil` where one has a character that XML cannot hold.
  static func attributes(_ attributes: [StringsFile.Attribute]) -> String? {
    var text = ""
    for attribute in attributes {
      guard let value = XMLText.escaped(attribute.value, isAttribute: true) else { return nil }
      text += " \(attribute.name)=\"\(value)\""
    }
    return text
  }
}
