import PriceTag
import PriceTagStrings
import PriceTagText

/// Checks templates for faults that Mustache ignores, and for recursion that would not end.
struct TemplateCheck {
  /// The tags of the templates by file name.
  private let templates: [String: [TemplateTag]]
  /// The keys of the messages without arguments.
  private let words: Set<String>
  /// The messages of the shop's own; `nil` if there are none.
  private let own: ShopStrings?

  init(_ templates: [String: [TemplateToken]], _ strings: StoreStrings) {
    self.templates = templates.mapValues { tokens in
      tokens.compactMap { if case .tag(let tag) = $0 { tag } else { nil } }
    }
    own = strings.own
    words = Set(
      strings.keys.filter { (try? strings.message($0, in: .development))?.argumentNames.isEmpty ?? false }
    )
  }

  /// The maximum nesting of sections and included files.
  private static let maximumDepth = 50
  /// The maximum number of files that a page includes.
  private static let maximumIncludeCount = 10_000

  /// The size of a file together with all files that it includes.
  private struct Extent {
    var depth = 0
    var included = 0
    /// The names of the sections.
    var sections: Set<String> = []
  }

  /// - Throws: `.invalidTemplate`.
  func check() throws(PagesError) {
    var extents: [String: Extent] = [:]
    for name in templates.keys.sorted() { _ = try extent(of: name, path: [], &extents) }
    try checkUse()
  }

  /// Checks that each file is a page, or that another one includes it: a misspelled name would have no effect.
  private func checkUse() throws(PagesError) {
    var used = Set(PageTemplates.Page.allCases.map { $0.rawValue + PageTemplates.ending })
    for tag in templates.values.joined() where tag.kind == ">" {
      used.insert(tag.name + PageTemplates.ending)
    }
    // A shop's own pages need not include each embedded file.
    let embedded = PageTemplates.embeddedTexts.keys.filter { $0.hasSuffix(PageTemplates.ending) }.sorted()
    guard let unused = templates.keys.filter({ !used.contains($0) && !embedded.contains($0) }).min() else {
      return
    }
    throw .invalidTemplate(
      "no page uses this template",
      fix:
        "include it in another one with {{> \(printable(String(unused.dropLast(PageTemplates.ending.count))))}}, or remove it"
        + didYouMean(unused, among: embedded),
      place: printable(unused)
    )
  }

  private func extent(
    of file: String,
    path: [String],
    _ extents: inout [String: Extent]
  ) throws(PagesError) -> Extent {
    if let extent = extents[file] { return extent }
    guard !path.contains(file) else {
      throw .invalidTemplate(
        "the file includes itself: \((path.drop { $0 != file } + [file]).joined(separator: ", "))",
        fix: "remove one of the {{> tags",
        place: file
      )
    }
    guard path.count <= Self.maximumDepth else { throw Self.tooDeep(file) }
    var extent = Extent()
    var open: [TemplateTag] = []
    for tag in templates[file] ?? [] {
      let partial: String?
      do throws(PagesError) { partial = try check(tag) } catch { throw error.at("\(file), line \(tag.line)") }
      var inner = Extent()
      if let partial {
        inner = try self.extent(of: partial, path: path + [file], &extents)
        inner.depth += 1
        inner.included += 1
      }
      if tag.kind == "#" { inner.sections.insert(tag.name) }
      // A section inside itself would repeat for every pair of its elements, so its output could grow exponentially.
      if let outer = open.first(where: { $0.kind == "#" && inner.sections.contains($0.name) }) {
        throw .invalidTemplate(
          "the section \(quoted(outer.name)) is inside a section of the same name",
          fix: "remove one of them",
          place: "\(file), line \(tag.line)"
        )
      }
      if tag.kind == "#" || tag.kind == "^" { open.append(tag) }
      if tag.kind == "/" {
        let section = open.popLast()
        guard section?.name == tag.name else {
          throw .invalidTemplate(
            "{{/\(printable(tag.name))}} closes "
              + (section.map { "{{\($0.kind)\(printable($0.name))}} of line \($0.line)" } ?? "no section"),
            fix: section.map { "write {{/\(printable($0.name))}} before it" } ?? "remove it",
            place: "\(file), line \(tag.line)"
          )
        }
      }
      extent.depth = max(extent.depth, open.count + inner.depth)
      extent.included += inner.included
      extent.sections.formUnion(inner.sections)
      let place = "\(file), line \(tag.line)"
      guard extent.depth <= Self.maximumDepth else { throw Self.tooDeep(place) }
      guard extent.included <= Self.maximumIncludeCount else {
        throw .invalidTemplate(
          "the page includes more than \(Self.maximumIncludeCount) files",
          fix: "include fewer",
          place: place
        )
      }
    }
    if let section = open.last {
      throw .invalidTemplate(
        "the section {{\(section.kind)\(printable(section.name))}} is not closed",
        fix: "close it with {{/\(printable(section.name))}}",
        place: "\(file), line \(section.line)"
      )
    }
    extents[file] = extent
    return extent
  }

  private static func tooDeep(_ place: String) -> PagesError {
    PagesError(
      .invalidTemplate,
      "sections and included files are nested more than \(maximumDepth) levels deep",
      fix: "nest fewer",
      place: place
    )
  }

  /// Checks a tag.
  ///
  /// - Returns: The name of the file that it includes, if it is a partial.
  private func check(_ tag: TemplateTag) throws(PagesError) -> String? {
    if tag.name.isEmpty {
      throw .invalidTemplate("a tag has no name", fix: "write the name of a value")
    }
    switch tag.kind {
    case "/": break
    case "<", "$", "=", "%", "*":
      throw .invalidTemplate(
        "the tag {{\(tag.kind) is not supported",
        fix: "use {{# and {{^ for sections, and {{> to include files"
      )
    case ">":
      let file = tag.name + PageTemplates.ending
      if templates[file] != nil { return file }
      let known = templates.keys.map { String($0.dropLast(PageTemplates.ending.count)) }.sorted()
      throw .invalidTemplate(
        "unknown template \(quoted(tag.name))",
        fix:
          "use one of \(known.joined(separator: ", "))\(didYouMean(tag.name, among: known)), or add \(printable(file))"
      )
    default: try check(tag.reference)
    }
    return nil
  }

  /// The supported transforms, which apply to lists and their elements.
  private static let transforms: Set<String> = [
    "first", "last", "index", "even", "odd", "count", "empty", "plusone",
  ]

  private func check(_ reference: TemplateReference) throws(PagesError) {
    if let transform = reference.transforms.last(where: { !Self.transforms.contains($0) }) {
      throw .invalidTemplate(
        "unknown transform \(quoted(transform)) (prices and UI strings cannot be transformed)",
        fix: "use one of \(Self.transforms.sorted().joined(separator: ", "))"
      )
    }
    let parent = reference.isImmediate ? nil : reference.names.first?.text
    for (index, name) in reference.names.enumerated() {
      let part = name.text
      if index > 0, parent == "words" {
        guard words.contains(part) else {
          throw .invalidTemplate(
            "unknown message \(quoted(part)) without arguments",
            fix: "run pricetag strings list to see all messages\(didYouMean(part, among: words.sorted()))"
          )
        }
        continue
      }
      if index > 0, parent == "own" {
        try check(ownMessage: part)
        continue
      }
      // A condition for one store: {{#storefront.JPN}}.
      if index == 1, parent == "storefront", part.utf8.count == 3,
        part.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
      {
        do throws(PriceTagError) { _ = try Storefront(part) } catch {
          throw PagesError(.invalidTemplate, error.problem, fix: error.fix)
        }
        continue
      }
      guard name.value != nil else {
        let known = TemplateName.byText.keys.sorted()
        throw .invalidTemplate(
          "unknown name \(quoted(part))",
          fix: "use a name from the embedded templates\(didYouMean(part, among: known))"
        )
      }
    }
  }

  private func check(ownMessage key: String) throws(PagesError) {
    guard let own else {
      throw .invalidTemplate(
        "there are no messages of the shop's own, such as \(quoted(key))",
        fix: "pass a folder of messages with --strings"
      )
    }
    guard own.keys.contains(key) else {
      throw .invalidTemplate(
        "the shop has no message \(quoted(key))",
        fix: "add it to \(UILanguage.development).json" + didYouMean(key, among: own.keys)
      )
    }
    try OwnMessages.check(key, own)
  }
}
