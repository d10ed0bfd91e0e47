import Mustache
import PriceTag
import PriceTagStrings
import PriceTagTemplates
import PriceTagText

/// The Mustache templates of pages, with their style sheet and script.
///
///     let templates = try PageTemplates(folder: "templates")   // whose product.mustache replaces the embedded one
///
/// Every value that a template is given is escaped already: `{{name}}` and `{{{name}}}` write the same, and neither can
/// bring a product's text to act as HTML.
public struct PageTemplates: Sendable {
  /// What the binary carries.
  public static let embedded = PageTemplates()

  /// A page that there is a template of.
  enum Page: String, CaseIterable {
    case store, product, entry, everywhere, everywhereList
  }

  private let library: MustacheLibrary
  /// The texts of all files, by their names.
  private let texts: [String: String]
  /// What was wrong with the embedded ones.
  private let problem: PagesError?
  /// What browsers may load and run of pages.
  let policy: ContentSecurityPolicy

  static let styleSheet = "store.css"
  static let script = "store.js"
  static let ending = ".mustache"

  private init() {
    let texts = Self.embeddedTexts
    do throws(PagesError) {
      let library = try Self.library(texts, .embedded)
      self.init(library, texts, nil)
    } catch { self.init(MustacheLibrary(), texts, error) }
  }

  private init(_ library: MustacheLibrary, _ texts: [String: String], _ problem: PagesError?) {
    (self.library, self.texts, self.problem) = (library, texts, problem)
    policy = ContentSecurityPolicy(
      templates: texts.filter { $0.key.hasSuffix(Self.ending) },
      styleSheet: texts[Self.styleSheet] ?? ""
    )
  }

  /// The templates of a folder: its `<name>.mustache`, `store.css` and `store.js` replace the embedded files of the same
  /// name, and it may have partials of its own.
  ///
  /// All are read and checked at once: a tag that is not closed, a partial that is not there or includes itself, and a
  /// name that no page has are errors that name file and line.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - strings: The words that templates may ask for: those of a locale data folder may have keys of their own.
  /// - Throws: `.unreadableFile`, `.invalidTemplate`.
  public init(folder path: String, strings: StoreStrings = .embedded) throws(PagesError) {
    var texts: [String: String] = [:]
    for (name, bytes) in try TemplateFolder.files(path) {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw PagesError(
          .invalidTemplate,
          "the file is no UTF-8",
          fix: "save it as UTF-8",
          place: "\(path)/\(name)"
        )
      }
      texts[name] = text
    }
    do throws(PagesError) { try self.init(texts, strings: strings) } catch { throw error.at(printable(path)) }
  }

  /// Templates of texts, by the names of their files; what is not among them is embedded.
  ///
  ///     try PageTemplates(["footer.mustache": "<footer>{{shopName}}</footer>"])
  ///
  /// - Throws: `.invalidTemplate`.
  public init(_ texts: [String: String], strings: StoreStrings = .embedded) throws(PagesError) {
    let texts = Self.embeddedTexts.merging(texts) { $1 }
    self.init(try Self.library(texts, strings), texts, nil)
  }

  /// The embedded files by their names, for who wants to start from them.
  public static var embeddedTexts: [String: String] {
    var texts: [String: String] = [:]
    var index = 0
    while let name = pricetag_template_name(index) {
      index += 1
      var count = 0
      guard let bytes = pricetag_template(name, &count) else { continue }
      texts[String(cString: name)] = String(
        decoding: UnsafeBufferPointer(start: bytes, count: count),
        as: UTF8.self
      )
    }
    return texts
  }

  private static func library(_ texts: [String: String], _ strings: StoreStrings) throws(PagesError)
    -> MustacheLibrary
  {
    let templates = texts.filter { $0.key.hasSuffix(ending) }
    try TemplateCheck(templates, strings).check()
    var library = MustacheLibrary()
    for (name, text) in templates.sorted(by: { $0.key < $1.key }) {
      do {
        library.register(
          try MustacheTemplate(string: escapedByUs + withoutIndentedPartials(text)),
          named: String(name.dropLast(ending.count))
        )
      } catch let error as MustacheTemplate.ParserError {
        throw PagesError(
          .invalidTemplate,
          "the template cannot be read: \(error.error)",
          fix: "correct the tag",
          place: "\(name), line \(error.context.lineNumber - 1)"
        )
      } catch {
        throw PagesError(
          .invalidTemplate,
          "the template cannot be read: \(error)",
          fix: "correct it",
          place: name
        )
      }
    }
    return library
  }

  /// Values come escaped: Mustache's own escaping goes by characters, and leaves a quote alone that has an accent.
  private static let escapedByUs = "{{% CONTENT_TYPE:TEXT}}\n"

  /// Indenting what a partial writes costs more than all the rest, and browsers do not see it.
  private static func withoutIndentedPartials(_ text: String) -> String {
    text.replacing(#/(?m)^[ \t]+(?={{>)/#, with: "")
  }

  /// What the templates have that browsers refuse on pages of a service, whose Content-Security-Policy allows inline
  /// scripts and styles by their hashes alone: `store.mustache, line 12: the attribute onclick of <button>`.
  package var refusedByPolicy: [String] { policy.refused }

  // MARK: Rendering

  func render(_ page: Page, _ values: TemplateValues) throws(PagesError) -> String {
    if let problem { throw problem }
    let rendered = library.render(values, withTemplate: page.rawValue)
    if WorkBudget.current?.excess != nil { throw .interrupted }
    guard let text = rendered else {
      throw PagesError(
        .invalidTemplate,
        "there is no template \(page.rawValue)",
        fix: "add \(page.rawValue)\(Self.ending)"
      )
    }
    return text
  }

  /// The style sheet with the colours of a theme.
  func styleSheet(_ theme: Theme) -> String { theme.css + (texts[Self.styleSheet] ?? "") }

  /// The script.
  var script: String { texts[Self.script] ?? "" }
}

/// The files of a folder of templates.
private enum TemplateFolder {
  static let largest = 1 << 20

  static func files(_ path: String) throws(PagesError) -> [(String, [UInt8])] {
    guard access(path, R_OK | X_OK) == 0, FolderListing.isFolder(path) else {
      throw PagesError(
        .unreadableFile,
        "\(quoted(path)) is no folder that can be read",
        fix: "give a folder of templates"
      )
    }
    var files: [(String, [UInt8])] = []
    for name in (FolderListing.entries(of: path) ?? []).map(\.name) {
      let embedded = PageTemplates.embeddedTexts.keys
      let usual = embedded.first {
        $0.lowercased() == name.lowercased().replacing(/\.html?$/, with: PageTemplates.ending)
      }
      if let usual, usual != name {
        throw PagesError(
          .invalidTemplate,
          "nothing asks for a template of this name",
          fix: "call it \(usual)",
          place: "\(printable(path))/\(printable(name))"
        )
      }
      let isTemplate = name.hasSuffix(PageTemplates.ending)
      let isStyle = name.hasSuffix(".css")
      guard isTemplate || isStyle || name.hasSuffix(".js") else { continue }
      let place = "\(printable(path))/\(printable(name))"
      guard isTemplate || [PageTemplates.styleSheet, PageTemplates.script].contains(name) else {
        throw PagesError(
          .invalidTemplate,
          "no page asks for this file",
          fix:
            "call it \(isStyle ? PageTemplates.styleSheet : PageTemplates.script), or put it among the shop's own files",
          place: place
        )
      }
      let bytes: [UInt8]
      do throws(RegularFile.Failure) {
        bytes = try RegularFile.bytes(of: "\(path)/\(name)", limit: largest)
      } catch {
        throw PagesError(
          .unreadableFile,
          "the file cannot be read: \(error.number == EFBIG ? "it has more than \(largest) bytes" : error.reason)",
          fix: "give a template of a regular file that this process may read",
          place: place
        )
      }
      files.append((name, bytes))
    }
    return files
  }
}
