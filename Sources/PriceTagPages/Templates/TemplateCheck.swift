import PriceTag
import PriceTagStrings
import PriceTagText

/// Reads templates for what Mustache would pass over in silence, or follow without an end.
struct TemplateCheck {
  /// The texts of the templates, by the names of their files.
  private let templates: [String: String]
  /// The keys of the messages that need no arguments.
  private let words: Set<String>

  init(_ templates: [String: String], _ strings: StoreStrings) {
    self.templates = templates
    words = Set(
      strings.keys.filter { (try? strings.message($0, in: .development))?.argumentNames.isEmpty ?? false }
    )
  }

  /// How deep sections and included files may stand in each other, and how many files a page may include.
  private static let deepest = 50
  private static let mostIncluded = 10_000

  /// A tag, and the line that it stands in.
  private struct Tag {
    let kind: Character
    let name: String
    let line: Int
  }

  /// What comes of a file with all that it includes.
  private struct Extent {
    var depth = 0
    var included = 0
    /// The names of its sections.
    var sections: Set<String> = []
  }

  /// - Throws: `.invalidTemplate`.
  func check() throws(PagesError) {
    var extents: [String: Extent] = [:]
    for name in templates.keys.sorted() { _ = try extent(of: name, path: [], &extents) }
  }

  private func extent(
    of file: String,
    path: [String],
    _ known: inout [String: Extent]
  ) throws(PagesError) -> Extent {
    if let extent = known[file] { return extent }
    guard !path.contains(file) else {
      throw PagesError(
        .invalidTemplate,
        "it includes itself: \((path.drop { $0 != file } + [file]).joined(separator: ", "))",
        fix: "take one of the {{> tags out",
        place: file
      )
    }
    guard path.count <= Self.deepest else { throw Self.tooDeep(file) }
    var extent = Extent()
    var open: [Tag] = []
    for tag in try tags(of: templates[file] ?? "", file) {
      let partial: String?
      do throws(PagesError) { partial = try check(tag) } catch { throw error.at("\(file), line \(tag.line)") }
      var inner = Extent(depth: 0, included: 0, sections: [])
      if let partial {
        inner = try self.extent(of: partial, path: path + [file], &known)
        inner.depth += 1
        inner.included += 1
      }
      if tag.kind == "#" { inner.sections.insert(tag.name) }
      // What is in itself is written so many times for each of its things, and again for each of those.
      if let again = open.first(where: { $0.kind == "#" && inner.sections.contains($0.name) }) {
        throw PagesError(
          .invalidTemplate,
          "a section \(quoted(again.name)) stands in one of the same name",
          fix: "take one of them out",
          place: "\(file), line \(tag.line)"
        )
      }
      if tag.kind == "#" || tag.kind == "^" { open.append(tag) }
      if tag.kind == "/" {
        let section = open.popLast()
        guard section?.name == tag.name else {
          throw PagesError(
            .invalidTemplate,
            "{{/\(printable(tag.name))}} closes "
              + (section.map { "{{\($0.kind)\(printable($0.name))}} of line \($0.line)" } ?? "no section"),
            fix: section.map { "write {{/\(printable($0.name))}} before it" } ?? "take it out",
            place: "\(file), line \(tag.line)"
          )
        }
      }
      extent.depth = max(extent.depth, open.count + inner.depth)
      extent.included += inner.included
      extent.sections.formUnion(inner.sections)
      let place = "\(file), line \(tag.line)"
      guard extent.depth <= Self.deepest else { throw Self.tooDeep(place) }
      guard extent.included <= Self.mostIncluded else {
        throw PagesError(
          .invalidTemplate,
          "more than \(Self.mostIncluded) files would be included",
          fix: "use fewer",
          place: place
        )
      }
    }
    if let section = open.last {
      throw PagesError(
        .invalidTemplate,
        "the section {{\(section.kind)\(printable(section.name))}} is not closed",
        fix: "end it with {{/\(printable(section.name))}}",
        place: "\(file), line \(section.line)"
      )
    }
    known[file] = extent
    return extent
  }

  private static func tooDeep(_ place: String) -> PagesError {
    PagesError(
      .invalidTemplate,
      "sections and included files stand in each other more than \(deepest) deep",
      fix: "use fewer",
      place: place
    )
  }

  /// - Returns: The name of the file that the tag includes.
  private func check(_ tag: Tag) throws(PagesError) -> String? {
    if tag.name.isEmpty, tag.kind != "!" {
      throw PagesError(.invalidTemplate, "a tag has no name", fix: "name what is to be written")
    }
    switch tag.kind {
    case "!", "/": break
    case "<", "$", "=", "%", "*":
      throw PagesError(
        .invalidTemplate,
        "a tag {{\(tag.kind) is not used here",
        fix: "write sections with {{# and {{^, and include files with {{>"
      )
    case ">":
      let file = tag.name + PageTemplates.ending
      if templates[file] != nil { return file }
      let known = templates.keys.map { String($0.dropLast(PageTemplates.ending.count)) }.sorted()
      throw PagesError(
        .invalidTemplate,
        "there is no template \(quoted(tag.name)) to include",
        fix:
          "give one of \(known.joined(separator: ", "))\(didYouMean(tag.name, among: known)), or add \(printable(file))"
      )
    default: try check(name: tag.name)
    }
    return nil
  }

  /// What a list can be asked, and a place in it.
  private static let transforms: Set<String> = [
    "first", "last", "index", "even", "odd", "count", "empty", "plusone",
  ]

  private func check(name: String) throws(PagesError) {
    var name = name[...]
    while let open = name.firstIndex(of: "("), name.last == ")" {
      let transform = String(name[..<open])
      guard Self.transforms.contains(transform) else {
        throw PagesError(
          .invalidTemplate,
          "there is no \(quoted(transform)) here: prices and words are written as they are",
          fix: "give one of \(Self.transforms.sorted().joined(separator: ", "))"
        )
      }
      name = name[name.index(after: open)...].dropLast()
    }
    if name.isEmpty || name == "." { return }
    for (index, part) in name.split(separator: ".").enumerated() {
      if index > 0, name.hasPrefix("words.") {
        guard words.contains(String(part)) else {
          throw PagesError(
            .invalidTemplate,
            "there is no message \(quoted(part)) without arguments",
            fix: "pricetag strings list names all messages\(didYouMean(String(part), among: words.sorted()))"
          )
        }
        continue
      }
      guard TemplateValues.names.contains(String(part)) else {
        let known = TemplateValues.names.sorted()
        throw PagesError(
          .invalidTemplate,
          "no page has \(quoted(part))",
          fix: "see the embedded templates for the names there are\(didYouMean(String(part), among: known))"
        )
      }
    }
  }

  // MARK: Tags

  private func tags(of text: String, _ file: String) throws(PagesError) -> [Tag] {
    var tags: [Tag] = []
    var rest = text[...]
    var line = 1
    while let open = rest.firstRange(of: "{{") {
      line += rest[..<open.lowerBound].utf8.count { $0 == 0x0A }
      let isTriple = rest[open.upperBound...].first == "{"
      let start = isTriple ? rest.index(after: open.upperBound) : open.upperBound
      let close = rest[start...].firstRange(of: isTriple ? "}}}" : "}}")
      // A name has one line and no bracket: where it seems to, the end is another tag's.
      let isNameless = ["!", "="].contains(rest[start...].first)
      let isClosed = close.map {
        isNameless || !rest[start..<$0.lowerBound].dropFirst().contains { $0.isNewline || "{}<".contains($0) }
      }
      guard let close, isClosed == true else {
        throw PagesError(
          .invalidTemplate,
          "a tag is not closed",
          fix: "end it with }}",
          place: "\(file), line \(line)"
        )
      }
      var name = rest[start..<close.lowerBound].drop { $0.isWhitespace }
      var kind: Character = isTriple ? "{" : " "
      if !isTriple, let first = name.first, "#^/!><$=%&*".contains(first) {
        kind = first
        name = name.dropFirst().drop { $0.isWhitespace }
        if kind == ">", name.first == "*" { kind = "*" }
      }
      while name.last?.isWhitespace == true { name = name.dropLast() }
      tags.append(Tag(kind: kind, name: String(name), line: line))
      line += rest[open.lowerBound..<close.upperBound].utf8.count { $0 == 0x0A }
      rest = rest[close.upperBound...]
    }
    return tags
  }
}
