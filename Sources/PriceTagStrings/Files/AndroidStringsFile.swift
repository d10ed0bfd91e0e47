import PriceTag

extension StringsFile {
  /// Reads Android's `<resources>` with `<string>`, `<plurals>` and `<string-array>`.
  ///
  /// Escapes are undone and spaces drawn together, as Android reads them. A text with markup is XML itself: elements
  /// and `<![CDATA[…]]>` stand in it as they do in the file, and `&lt;`, `&gt;` and `&amp;` stay entities. A text
  /// without markup has the characters themselves, unless they would look like markup: `&lt;b>` in a file is `&lt;b&gt;`
  /// in the text, and `5 &lt; 6` is `5 < 6`. A text that names a resource, such as `@string/app`, is written as it
  /// is; where it was escaped to be text, one backslash stays before it.
  ///
  /// Comments belong to the entry that follows; those before `<resources>` are attributes of the file.
  static func readAndroid(_ bytes: [UInt8], language: String) throws(StringsError) -> StringsFile {
    var reader = AndroidStringsReader(reader: try XMLReader(bytes), language: language)
    return try reader.file()
  }

  /// Four spaces a level; comments before their entries.
  func androidText() throws(StringsError) -> String {
    let language = try onlyLanguage()
    var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    var declarations = attributes.filter { AndroidStrings.isAttribute($0.name) }
    for attribute in attributes where attribute.name == AndroidStrings.comment {
      text += try XMLText.comment(attribute.value) + "\n"
    }
    var body = ""
    for entry in entries {
      for comment in entry.comments { body += "    \(try XMLText.comment(Comment.spaced(comment)))\n" }
      body += try androidElement(entry, language)
    }
    for comment in trailingComments { body += "    \(try XMLText.comment(Comment.spaced(comment)))\n" }
    if body.contains("<xliff:"), !declarations.contains(where: { $0.name == "xmlns:xliff" }) {
      declarations.insert(
        Attribute(name: "xmlns:xliff", value: "urn:oasis:names:tc:xliff:document:1.2"),
        at: 0
      )
    }
    guard let attributes = AndroidStrings.attributes(declarations) else {
      throw StringsError(.notRepresentable, "an attribute of the file \(XMLText.problem)", fix: XMLText.fix)
    }
    return text + "<resources\(attributes)>\n" + body + "</resources>\n"
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
    let (name, items): (String, [(String, String)])
    let value = try onlyValue(of: entry, in: language)
    switch value {
    case .text(let text): return "    <string\(attributes)>\(written(text))</string>\n"
    case .plural(let branches):
      name = "plurals"
      items = try branches.enumerated().map { (index, branch) throws(StringsError) in
        guard let quantity = XMLText.escaped(branch.category, isAttribute: true) else {
          throw notRepresentable(entry, XMLText.problem, fix: XMLText.fix)
        }
        return (" quantity=\"\(quantity)\"" + itemAttributes(entry, index), branch.text)
      }
    case .array(let texts):
      name = "string-array"
      items = texts.enumerated().map { (itemAttributes(entry, $0), $1) }
    case .device, .substituted: throw notRepresentable(entry, value)
    }
    let lines = items.map { "        <item\($0)>\(written($1))</item>\n" }.joined()
    return "    <\(name)\(attributes)>\n\(lines)    </\(name)>\n"
  }

  private func itemAttributes(_ entry: Entry, _ index: Int) -> String {
    let prefix = AndroidStrings.itemPrefix(index)
    let own = entry.attributes.filter { $0.name.hasPrefix(prefix) }.map {
      Attribute(name: String($0.name.dropFirst(prefix.count)), value: $0.value)
    }
    return AndroidStrings.attributes(own.filter { AndroidStrings.isAttribute($0.name) }) ?? ""
  }
}

/// The names that Android's strings use.
enum AndroidStrings {
  /// The attributes of a file with comments before `<resources>`.
  static let comment = "#comment"

  /// What stands before the name of an attribute of an item.
  static func itemPrefix(_ index: Int) -> String { "item \(index + 1) " }

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
