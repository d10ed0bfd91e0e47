import PriceTag
import PriceTagStrings
import PriceTagXML

/// Reads Android's `strings.xml`.
struct AndroidStringsReader {
  private let reader: StringsXMLReader
  private let language: String
  /// The contents of the comments before the next entry.
  private var comments: [String] = []
  /// The other XML before the next entry, and the comments before it.
  private var markup: [StringsFile.Attribute] = []

  init(reader: StringsXMLReader, language: String) {
    (self.reader, self.language) = (reader, language)
  }

  mutating func file() throws(StringsError) -> StringsFile {
    var file = StringsFile(format: .android, language: language, entries: [])
    var (heading, footing): ([StringsFile.Attribute], [StringsFile.Attribute]) = ([], [])
    var isInside = false
    var isAfter = false
    while let event = try reader.next() {
      switch event {
      case .comment(let contents) where isAfter:
        footing.append(.init(name: AndroidStrings.footing, value: "<!--\(contents)-->"))
      case .comment(let contents) where !isInside:
        heading.append(.init(name: AndroidStrings.comment, value: contents))
      case .comment(let contents): comments.append(contents)
      case .start("resources", let attributes, _) where !isInside:
        isInside = true
        file.attributes = attributes.ofFile
      case .start(let name, let attributes, _) where isInside && AndroidStrings.entries.contains(name):
        file.entries.append(try entry(name, attributes.ofFile))
      case .start(let name, let attributes, let isEmpty) where isInside:
        store(try element(name, attributes.ofFile, isEmpty))
      case .start: throw unexpected(event, fix: "use <resources> as the root element")
      case .text(let text), .characterData(let text):
        guard text.utf8.allSatisfy({ $0 <= 0x20 }) else {
          throw unexpected(event, fix: "write text inside <string> or <item>")
        }
      case .instruction(let contents) where isInside: store("<?\(contents)?>")
      case .instruction(let contents) where isAfter:
        footing.append(.init(name: AndroidStrings.footing, value: "<?\(contents)?>"))
      case .instruction(let contents):
        heading.append(.init(name: AndroidStrings.heading, value: "<?\(contents)?>"))
      case .end: (isInside, isAfter) = (false, true)
      }
    }
    file.attributes += heading + markup + footing
    file.trailingComments = comments.map(Comment.text)
    return file
  }

  private func unexpected(_ event: XMLEvent, key: String? = nil, fix: String) -> StringsError {
    .malformedXML("\(event.kind) is not allowed here", line: reader.line, key: key, fix: fix)
  }

  /// Stores XML that is not an entry, with the comments before it.
  private mutating func store(_ xml: String) {
    for piece in comments.map({ "<!--\($0)-->" }) + [xml] {
      markup.append(.init(name: AndroidStrings.markup, value: piece))
    }
    comments = []
  }

  private mutating func entry(
    _ element: String,
    _ attributes: [StringsFile.Attribute]
  ) throws(StringsError) -> StringsFile.Entry {
    guard let key = attributes.first(where: { $0.name == "name" })?.value, !key.isEmpty else {
      throw .malformedXML(
        "the attribute \"name\" of <\(element)> is missing",
        line: reader.line,
        fix: "add it"
      )
    }
    var entry = StringsFile.Entry(key: key, localizations: [:], line: reader.line)
    for attribute in attributes where attribute.name != "name" {
      if attribute.name == "translatable", attribute.value == "false" {
        entry.isTranslatable = false
      } else {
        entry.attributes.append(attribute)
      }
    }
    entry.attributes += markup
    entry.comments = comments.map(Comment.text)
    (markup, comments) = ([], [])
    let value: StringsFile.Value =
      switch element {
      case "string": .text(try text(key: key))
      case "plurals": .plural(try branches(of: &entry))
      default: .array(try items(of: &entry))
      }
    entry.localizations = [language: .init(value, line: entry.line)]
    return entry
  }

  private mutating func branches(of entry: inout StringsFile.Entry) throws(StringsError) -> [StringsFile
    .Branch]
  {
    var branches: [StringsFile.Branch] = []
    while let (line, attributes) = try item(branches.count, of: &entry) {
      guard let category = attributes.first(where: { $0.name == "quantity" })?.value else {
        throw .malformedXML(
          "the attribute \"quantity\" of <item> is missing",
          line: line,
          key: entry.key,
          fix: "add it, such as quantity=\"one\" or quantity=\"other\""
        )
      }
      store(attributes.filter { $0.name != "quantity" }, of: branches.count, in: &entry)
      branches.append(.init(category: category, text: try text(key: entry.key)))
    }
    return branches
  }

  private mutating func items(of entry: inout StringsFile.Entry) throws(StringsError) -> [String] {
    var items: [String] = []
    while let (_, attributes) = try item(items.count, of: &entry) {
      store(attributes, of: items.count, in: &entry)
      items.append(try text(key: entry.key))
    }
    return items
  }

  private func store(_ attributes: [StringsFile.Attribute], of index: Int, in entry: inout StringsFile.Entry)
  {
    for attribute in attributes {
      entry.attributes.append(
        .init(name: AndroidStrings.itemPrefix(index) + attribute.name, value: attribute.value)
      )
    }
  }

  /// Reads the start of an entry's next item; returns `nil` at the end of the entry.
  private func item(
    _ index: Int,
    of entry: inout StringsFile.Entry
  ) throws(StringsError) -> (line: Int, attributes: [StringsFile.Attribute])? {
    while let event = try reader.next() {
      switch event {
      case .start("item", let attributes, _): return (reader.line, attributes.ofFile)
      case .comment(let contents):
        store([.init(name: AndroidStrings.comment, value: contents)], of: index, in: &entry)
      case .text(let text) where text.utf8.allSatisfy({ $0 <= 0x20 }): continue
      case .end: return nil
      default: throw unexpected(event, key: entry.key, fix: "write text inside <item>")
      }
    }
    return nil
  }

  /// Reads the text of an element after its start tag, up to its end tag.
  private func text(key: String) throws(StringsError) -> String {
    AndroidText(try pieces(key: key)).text
  }

  /// Reads an element after its start tag, up to its end tag, and returns it as XML.
  private func element(
    _ name: String,
    _ attributes: [StringsFile.Attribute],
    _ isEmpty: Bool
  ) throws(StringsError) -> String {
    let start = try tag(name, attributes, key: nil)
    let contents = try pieces(key: nil).map(\.xml).joined()
    return isEmpty ? "<\(start)/>" : "<\(start)>\(contents)</\(name)>"
  }

  private func tag(
    _ name: String,
    _ attributes: [StringsFile.Attribute],
    key: String?
  ) throws(StringsError) -> String {
    guard let attributes = AndroidStrings.attributes(attributes) else {
      throw unexpected(.start(name: name, attributes: [], isEmpty: false), key: key, fix: XMLText.fix)
    }
    return name + attributes
  }

  /// Reads the contents of an element after its start tag, up to its end tag.
  ///
  /// - Parameter key: The key of a string, in which processing instructions are errors; `nil` for other elements.
  func pieces(key: String?) throws(StringsError) -> [AndroidText.Piece] {
    var pieces: [AndroidText.Piece] = []
    var depth = 0
    while let event = try reader.next() {
      switch event {
      case .text(let text): pieces.append(.text(text))
      case .characterData(let text): pieces.append(.characterData(text))
      case .comment(let contents): pieces.append(.markup("<!--\(contents)-->"))
      case .start(let name, let attributes, let isEmpty):
        pieces.append(.markup("<\(try tag(name, attributes.ofFile, key: key))\(isEmpty ? "/" : "")>"))
        if isEmpty { _ = try reader.next() } else { depth += 1 }
      case .end(let name):
        if depth == 0 { return pieces }
        depth -= 1
        pieces.append(.markup("</\(name)>"))
      case .instruction(let contents):
        guard key == nil else { throw unexpected(event, key: key, fix: "remove it") }
        pieces.append(.markup("<?\(contents)?>"))
      }
    }
    return pieces
  }
}
