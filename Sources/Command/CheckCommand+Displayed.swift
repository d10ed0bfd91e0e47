import ArgumentParser
import PriceTag
import PriceTagCatalog
import PriceTagCommandLine
import PriceTagDrift
import PriceTagSystem
import PriceTagText
import PriceTagXML

/// The options of `pricetag check --displayed` without a golden file.
struct DisplayedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The storefront of displayed prices that name none.", valueName: "id"),
    completion: .storefronts
  )
  var storefront: String?

  @Option(
    help: ArgumentHelp(
      """
      The storefront of displayed prices that name none, in files whose path matches a pattern, in which * matches any \
      characters; may be repeated. The first match counts. The path of a page in a folder starts below the folder.
      """,
      valueName: "pattern=id"
    ),
    transform: { try PathRule($0) }
  )
  var storefrontFor: [PathRule] = []

  @OptionGroup(title: "Style") var style: StyleOptions
}

/// The storefront of the files whose paths match a pattern.
struct PathRule {
  let pattern: String
  let storefront: String

  init(_ text: String) throws {
    let parts = text.split(separator: "=").map(String.init)
    guard parts.count == 2 else {
      throw ValidationError("\(quoted(text)) is not a pattern and a storefront; write it as 'de/**=DEU'")
    }
    (pattern, storefront) = (parts[0], parts[1])
  }

  func matches(_ path: String) -> Bool { fnmatch(pattern, path, 0) == 0 }
}

/// `pricetag check --displayed` without a golden file.
extension CheckCommand {
  /// Checks the displayed prices of files and folders, or compares those of one file with a golden file that is named after it.
  func checkDisplayed() throws {
    if displayedFiles.count == 2, Self.isGoldenFile(displayedFiles[1]) {
      var command = self
      command.golden = command.displayedFiles.removeLast()
      try command.validate()
      return try command.run()
    }
    var files = DisplayedFiles(
      check: ShownPriceCheck(style: options.style.style, on: try data.day, in: try data.load()),
      options: options
    )
    for path in displayedFiles { try files.add(path) }
    try finish(files.check.report())
  }

  /// The error if no displayed price was checked.
  var nothingChecked: DriftError {
    DriftError(
      .malformedRow,
      "no displayed price was checked",
      fix:
        "mark prices with data-amount, and name their storefront with data-storefront, --storefront-for or --storefront",
      place: printable(displayed ?? "")
    )
  }

  private static func isGoldenFile(_ path: String) -> Bool {
    guard path != "-", let start = try? CatalogFile(path: path).prefix(64) else { return false }
    return start.starts(with: GoldenFileHeader.titleStart.utf8)
  }

  func validateDisplayed() throws {
    let hasOptions =
      options.style.style != PriceStyle() || options.storefront != nil || !options.storefrontFor.isEmpty
    if golden.isEmpty, displayedFiles.isEmpty {
      throw ValidationError(
        "the golden file or the pack is missing; name one, or use --displayed to check displayed prices"
      )
    }
    if golden.isEmpty, accept || against != nil || catalog != nil || !reading.values.isEmpty {
      throw ValidationError(
        "--displayed without a golden file reads no catalog; remove the options of other comparisons"
      )
    }
    if !golden.isEmpty, displayedFiles.count > 1 {
      throw ValidationError("a golden file is compared with one file; name one file after --displayed")
    }
    if !golden.isEmpty, hasOptions {
      throw ValidationError(
        "a golden file or a pack has its own style and storefronts; remove the options of style and storefronts"
      )
    }
  }
}

/// Reads files and folders of displayed prices, and checks them.
private struct DisplayedFiles {
  let check: ShownPriceCheck
  let options: DisplayedOptions
  private var byteCount = 0

  init(check: ShownPriceCheck, options: DisplayedOptions) { (self.check, self.options) = (check, options) }

  private static let (maximumDepth, maximumPageByteCount, maximumByteCount) = (64, 16 << 20, 8 << 30)

  /// Checks a file of rows, a page, or all pages of a folder.
  mutating func add(_ path: String) throws {
    var status = stat()
    if path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      let root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      try addFolder(root, "", depth: 0)
      return
    }
    let file = CatalogFile(path: inputPath(path))
    do throws(CatalogError) {
      let start = try file.prefix(256).first { !" \t\r\n".utf8.contains($0) }
      if Self.isPage(path) || start == UInt8(ascii: "<") {
        try addPage(file, path)
        return
      }
    } catch { throw DriftError(.unreadableFile, error).at(printable(file.name)) }
    try check.addRows(of: file, storefront: storefront(of: path))
  }

  private static func isPage(_ name: String) -> Bool {
    let name = name.lowercased()
    return [".html", ".htm", ".xhtml"].contains { name.hasSuffix($0) }
  }

  /// Returns the storefront of prices that name none.
  private func storefront(of path: String) -> String? {
    options.storefrontFor.first { $0.matches(path) }?.storefront ?? options.storefront
  }

  // MARK: Pages

  /// Checks the pages of a folder. Links to folders are not followed, because they may lead back.
  ///
  /// - Parameter folder: The path in the root; empty for the root.
  private mutating func addFolder(_ root: String, _ folder: String, depth: Int) throws {
    let path = folder.isEmpty ? root : "\(root)/\(folder)"
    guard depth < Self.maximumDepth, let entries = folderEntries(of: path) else {
      let problem = "cannot read the folder, or folders are nested more than \(Self.maximumDepth) deep"
      return check.reject(DriftError(.unreadableFile, problem, fix: "check its path", place: printable(path)))
    }
    for entry in entries.sorted(by: { $0.name < $1.name }) {
      let inside = folder.isEmpty ? entry.name : "\(folder)/\(entry.name)"
      var status = stat()
      if entry.isFolder ?? (lstat("\(root)/\(inside)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR) {
        try addFolder(root, inside, depth: depth + 1)
      } else if lstat("\(root)/\(inside)", &status) == 0, status.st_mode & S_IFMT == S_IFLNK,
        stat("\(root)/\(inside)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR
      {
        check.skip("links to folders", at: printable("\(root)/\(inside)"))
      } else if Self.isPage(entry.name), check.hasRoom {
        var file = CatalogFile(path: "\(root)/\(inside)")
        file.mayBePipe = false
        do throws(CatalogError) { try addPage(file, inside) } catch {
          check.reject(DriftError(.unreadableFile, error).at(printable(file.name)))
        }
        guard byteCount <= Self.maximumByteCount else {
          throw DriftError(
            .unreadableFile,
            "the pages have more than 8 GB",
            fix: "check fewer",
            place: printable(root)
          )
        }
      }
    }
  }

  /// Checks the marked prices of a page.
  ///
  /// - Parameter path: The path that rules for storefronts see.
  private mutating func addPage(_ file: CatalogFile, _ path: String) throws(CatalogError) {
    var page: [UInt8] = []
    try file.forEachChunk { (chunk) throws(CatalogError) in
      page += chunk
      return page.count <= Self.maximumPageByteCount
    }
    // Each page also counts as the work of opening it.
    byteCount += page.count + (1 << 10)
    guard page.count <= Self.maximumPageByteCount else {
      throw CatalogError(
        .tooLarge,
        "the page is larger than \(Self.maximumPageByteCount >> 20) MB",
        fix: "split it"
      )
    }
    let name = path == "-" ? "standard input" : file.name
    let storefront = storefront(of: path)
    let marks = PriceMarks { [check] mark in
      var origin = mark.origin
      origin.storefront = origin.storefront ?? storefront
      if origin.storefront == nil || mark.amount.isEmpty {
        let missing = origin.storefront == nil ? "a storefront" : "an amount"
        return check.skip("prices without \(missing)", at: "\(name):\(mark.line)")
      }
      check.add(mark.text, amount: mark.amount, origin, product: mark.product, file: name, line: mark.line)
    }
    if let (line, problem) = readHTML(page, marks) {
      let place = "\(printable(name)), line \(line)"
      check.reject(
        DriftError(.unreadableFile, problem, fix: "correct the page, and save it as UTF-8", place: place)
      )
    } else if marks.count == 0 {
      check.skip("pages without marked prices", at: name)
    }
    marks.finish()
  }
}
