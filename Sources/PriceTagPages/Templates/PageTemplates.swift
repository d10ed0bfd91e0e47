import PriceTag
import PriceTagStrings
import PriceTagSystem
import PriceTagTemplates
import PriceTagText

/// The Mustache templates of pages, with their style sheet and script.
///
///     let templates = try PageTemplates(folder: "templates")   // its product.mustache replaces the embedded one
///
/// All values are already escaped: `{{name}}` and `{{{name}}}` write the same text, and a product's text can never become
/// HTML.
public struct PageTemplates: Sendable {
  /// The templates embedded in the binary.
  public static let embedded = PageTemplates()

  /// A page with a template.
  enum Page: String, CaseIterable {
    case store, list, product, entry, everywhere, everywhereList, productEntry, notFound
  }

  private let program: TemplateProgram
  /// The texts of all files by name.
  let texts: [String: String]
  /// The error of an invalid embedded template.
  private let problem: PagesError?
  let policy: ContentSecurityPolicy

  /// A file besides the templates.
  enum File: String, CaseIterable {
    case styleSheet = "store.css"
    case script = "store.js"
    case quantityScript = "quantity.js"
    case chooseScript = "choose.js"
    case searchScript = "search.js"

    /// The path in a site.
    var path: String { "assets/\(rawValue)" }
  }

  static let ending = ".mustache"

  private init() {
    do throws(PagesError) { try self.init([:]) } catch { self.init([:], [:], own: [:], error) }
  }

  /// Creates templates from all texts, the parts of the templates by file name, and the texts of the shop, which may need more
  /// than the constant policy.
  private init(
    _ texts: [String: String],
    _ parts: [String: [TemplateToken]],
    own: [String: String],
    _ problem: PagesError?
  ) {
    (self.texts, self.problem) = (texts, problem)
    program = TemplateProgram(
      Dictionary(parts.map { (String($0.key.dropLast(Self.ending.count)), $0.value) }) { first, _ in first }
    )
    policy = ContentSecurityPolicy(
      templates: Self.templates(own),
      styleSheet: own[File.styleSheet.rawValue] ?? ""
    )
  }

  /// Reads the templates of a folder.
  ///
  /// Its `<name>.mustache`, `store.css`, `store.js`, `choose.js`, `quantity.js`, and `search.js` replace the embedded files of the
  /// same name. It may
  /// contain additional partials. All templates are checked: an unclosed tag, a missing or recursive partial, and an unknown name
  /// are errors with file and line.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - strings: The UI strings that templates may use, for example those of a locale data folder.
  /// - Throws: `.unreadableFile`, `.invalidTemplate`.
  public init(folder path: String, strings: StoreStrings = .embedded) throws(PagesError) {
    let texts = try Self.files(path)
    do throws(PagesError) { try self.init(texts, strings: strings) } catch { throw error.at(printable(path)) }
  }

  /// Creates templates from texts by file name. Other files are the embedded ones.
  ///
  ///     try PageTemplates(["footer.mustache": "<footer>{{shopName}}</footer>"])
  ///
  /// - Throws: `.invalidTemplate`.
  public init(_ texts: [String: String], strings: StoreStrings = .embedded) throws(PagesError) {
    let all = Self.embeddedTexts.merging(texts) { $1 }
    var parts: [String: [TemplateToken]] = [:]
    for (name, text) in Self.templates(all).sorted(by: { $0.key < $1.key }) {
      parts[name] = try TemplateReader.tokens(of: text, name)
    }
    try TemplateCheck(parts, strings).check()
    self.init(all, parts, own: texts, nil)
  }

  /// Returns the templates of files by name.
  private static func templates(_ texts: [String: String]) -> [String: String] {
    texts.filter { $0.key.hasSuffix(ending) }
  }

  /// The embedded files by name, as a start for custom templates.
  public static var embeddedTexts: [String: String] {
    var texts: [String: String] = [:]
    while let name = pricetag_template_name(texts.count) {
      texts[String(cString: name)] = String(cString: pricetag_template(texts.count))
    }
    return texts
  }

  /// The parts of the templates that browsers block under the Content-Security-Policy of a service:
  /// `store.mustache, line 12: the attribute onclick of <button>`.
  package var blockedByPolicy: [String] { policy.blocked }

  // MARK: Rendering

  func render(_ page: Page, _ values: TemplateValues) throws(PagesError) -> String {
    String(decoding: try bytes(of: page, values), as: UTF8.self)
  }

  /// Returns a page in UTF-8. A file needs no `String`, whose creation would check all bytes.
  func bytes(of page: Page, _ values: TemplateValues) throws(PagesError) -> [UInt8] {
    if let problem { throw problem }
    let rendered = program.render(page.rawValue, values)
    if WorkBudget.current?.excess != nil { throw .interrupted }
    return rendered
  }

  /// Returns the text of a file. The style sheet has the colors of a theme. The embedded one has no comments, which are a
  /// fifth of its compressed size; a shop's own is unchanged.
  func text(of file: File, _ theme: Theme = .standard) -> String {
    let text = texts[file.rawValue] ?? ""
    guard file == .styleSheet else { return text }
    return theme.css + (text == Self.embeddedTexts[file.rawValue] ? Self.servedStyleSheet : text)
  }

  private static let servedStyleSheet = withoutComments(embeddedTexts[File.styleSheet.rawValue] ?? "")

  /// Returns a style sheet without comments and the space before them. Its strings must not contain `/*`.
  static func withoutComments(_ styleSheet: String) -> String {
    var text = ""
    var rest = styleSheet[...]
    while let start = rest.firstRange(of: "/*"), let end = rest[start.upperBound...].firstRange(of: "*/") {
      var before = rest[..<start.lowerBound]
      while before.last?.isWhitespace == true { before.removeLast() }
      text += before
      rest = rest[end.upperBound...]
    }
    return text + rest
  }

  // MARK: Folders

  /// The maximum size of a file.
  private static let maximumByteCount = 1 << 20

  /// Returns the texts of the files in a folder by name.
  private static func files(_ path: String) throws(PagesError) -> [String: String] {
    try FolderListing.checkReadable(path)
    var files: [String: String] = [:]
    for name in (FolderListing.entries(of: path) ?? []).map(\.name) {
      let expectedName = embeddedTexts.keys.first {
        $0.lowercased() == name.lowercased().replacing(/\.html?$/, with: ending)
      }
      let place = "\(printable(path))/\(printable(name))"
      if let expectedName, expectedName != name {
        throw .invalidTemplate(
          "no page uses a template of this name",
          fix: "rename it to \(expectedName)",
          place: place
        )
      }
      let isTemplate = name.hasSuffix(ending)
      let isStyle = name.hasSuffix(".css")
      guard isTemplate || isStyle || name.hasSuffix(".js") else { continue }
      guard isTemplate || File(rawValue: name) != nil else {
        throw .invalidTemplate(
          "no page uses this file",
          fix:
            "rename it to \((isStyle ? File.styleSheet : .script).rawValue), or move it to the shop's own files",
          place: place
        )
      }
      let bytes: [UInt8]
      do throws(RegularFile.Failure) {
        bytes = try RegularFile.bytes(of: "\(path)/\(name)", limit: maximumByteCount)
      } catch {
        throw PagesError(
          .unreadableFile,
          error.number == EFBIG
            ? "the file is larger than \(maximumByteCount >> 20) MB"
            : "cannot read the file: \(error.reason)",
          fix: error.number == EFBIG ? "split it" : "replace it with a readable regular file",
          place: place
        )
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw .invalidTemplate("the file is not UTF-8", fix: "save it as UTF-8", place: "\(path)/\(name)")
      }
      files[name] = text
    }
    return files
  }
}
