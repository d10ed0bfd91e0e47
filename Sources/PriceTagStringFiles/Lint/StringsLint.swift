import FoundationEssentials
import PriceTag
import PriceTagStrings
import PriceTagText

/// Checks strings files for mistakes, and compares translations with the development language.
///
///     let report = StringsLint(development: "en").check(paths: ["Resources"])
///     for finding in report.findings { print(finding) }
///
/// Files are compared if their paths differ only in the language:
///
/// - `en.lproj/Localizable.strings` and `fr.lproj/Localizable.strings`
/// - `values/strings.xml` and `values-fr/strings.xml`
/// - `en.json` and `fr.json`, `app_en.arb` and `app_fr.arb`, `en/app.json` and `fr/app.json`
///
/// The translations in a string catalog are compared with its source language.
public struct StringsLint: Sendable {
  /// The result of a check.
  public struct Report: Sendable {
    /// The findings, sorted by file and line.
    public var findings: [LintFinding] = []
    /// The number of files checked, including unreadable ones.
    public var fileCount: Int { checkedFiles.count }
    /// The paths of the files checked.
    public var checkedFiles: Set<String> = []
    /// The number of strings in the files, counting each language.
    public var stringCount = 0
    /// The number of files that were read in each format.
    public var formats: [StringsFile.Format: Int] = [:]
    /// For each JSON file that decided the format of its translations by its contents: its path, the format, and a key or
    /// text that shows it.
    public var decisions: [(path: String, format: StringsFile.Format, evidence: String)] = []
    /// The strings files of other kinds, which were not checked, each with its kind.
    public var passedOver: [(path: String, kind: String)] = []
    /// The JSON files in folders that were not checked, because their paths contain no language.
    public var skippedFiles: Set<String> = []
    /// The languages whose plurals were not checked, because CLDR has no data for them.
    public var languagesWithoutData: Set<String> = []
    /// The files that were not compared, because no file in the development language exists for them.
    public var filesWithoutDevelopment: [String] = []
  }

  /// The development language, as in the files or their paths.
  ///
  /// If `nil`, translations are compared with the first of these that exists: the file without a language
  /// (`Base.lproj`, `values`), `en`, `en-US`, another variant of English.
  public let development: String?

  /// The rules that are not applied.
  public let ignored: Set<LintFinding.Rule>

  /// The format of JSON files and of files of unknown kinds; `nil` to decide it by their contents.
  public let format: StringsFile.Format?

  /// Creates a lint.
  ///
  /// - Parameters:
  ///   - development: The development language, as in the files or their paths; `nil` to detect it.
  ///   - ignored: The rules not to apply.
  ///   - enabled: The rules to apply of those that are optional.
  ///   - format: The format of JSON files and of files of unknown kinds; `nil` to decide it by their contents.
  public init(
    development: String? = nil,
    ignoring ignored: Set<LintFinding.Rule> = [],
    enabling enabled: Set<LintFinding.Rule> = [],
    as format: StringsFile.Format? = nil
  ) {
    self.development = development
    self.ignored = ignored.union(LintFinding.Rule.optional.subtracting(enabled))
    self.format = format
  }

  /// Checks files, and all files of supported formats in folders and their subfolders.
  public func check(paths: [String]) -> Report {
    var report = Report()
    var groups: [[StringsPath]] = []
    var groupIndex: [String: Int] = [:]
    var seen: Set<String> = []
    // A path is the same with ./ before it.
    let paths = paths.map { path in
      guard path.hasPrefix("./") else { return path }
      let rest = path.dropFirst(2).drop { $0 == "/" }
      return rest.isEmpty ? "." : String(rest)
    }
    for file in paths.flatMap({ files(below: $0, &report) }) where seen.insert(file.path).inserted {
      if let index = groupIndex[file.group] {
        groups[index].append(file)
      } else {
        groupIndex[file.group] = groups.count
        groups.append([file])
      }
    }
    for group in groups { check(group, &report, all: seen) }
    report.languagesWithoutData = Set(report.findings.filter { $0.rule == .unknownLanguage }.map(\.language))
    report.findings.removeAll { ignored.contains($0.rule) }
    report.findings.sort {
      ($0.file, $0.line, $0.key, $0.rule.rawValue) < ($1.file, $1.line, $1.key, $1.rule.rawValue)
    }
    return report
  }

  // MARK: Groups

  /// Checks files whose paths differ only in the language. One translation at a time is in memory.
  private func check(_ files: [StringsPath], _ report: inout Report, all: Set<String>) {
    let source = developmentFile(of: files)
    var format = files[0].format
    var original: LintSource?
    var isUnreadable = source != nil
    let sourceKeys = source.map { keysOfDictionary(beside: $0, all) } ?? []
    if let source, let file = read(source, &format, [], &report) {
      isUnreadable = false
      // A file without any key, as beside a catalog, is not the one to compare with.
      if !file.entries.isEmpty || !file.problems.isEmpty {
        original = LintSource(file, language: file.language)
      }
      check(file, source, files, nil, &report)
    }
    for path in files where path.path != source?.path {
      var own = format
      guard let file = read(path, &own, original?.plurals ?? [], &report) else { continue }
      if original == nil, !isUnreadable, file.format != .stringCatalog {
        report.filesWithoutDevelopment.append(path.path)
      }
      check(
        file,
        path,
        files,
        original,
        &report,
        elsewhere: original == nil ? [] : sourceKeys.union(keysOfDictionary(beside: path, all))
      )
    }
  }

  private func read(
    _ path: StringsPath,
    _ format: inout StringsFile.Format?,
    _ plurals: Set<String>,
    _ report: inout Report
  ) -> StringsFile? {
    do throws(StringsError) {
      let bytes = try StringsFile.bytes(of: path.path)
      let isUndecided = format == nil
      let (file, evidence) = try StringsFile.read(
        bytes,
        format: format,
        language: path.language,
        plurals: plurals
      )
      if isUndecided, let kind = file.kindOfOtherProgram(path.path) {
        report.passedOver.append((path.path, kind))
        return nil
      }
      if let evidence {
        report.decisions.append((path.path, file.format, evidence))
      }
      report.checkedFiles.insert(path.path)
      format = file.format
      report.formats[file.format, default: 0] += 1
      report.stringCount += file.entries.reduce(0) { $0 + $1.texts.count { $0.role.substitution == nil } }
      return file
    } catch {
      report.checkedFiles.insert(path.path)
      report.add(error, path.path)
      return nil
    }
  }

  private func check(
    _ file: StringsFile,
    _ path: StringsPath,
    _ group: [StringsPath],
    _ source: LintSource?,
    _ report: inout Report,
    elsewhere: Set<String> = []
  ) {
    guard file.format != .stringCatalog else {
      let own = LintSource(file, language: file.language)
      let rules = { LintRules(path: path.path, file: file, language: $0, texts: own.texts) }
      report.findings += rules(file.language).problems()
      let languages = own.texts.languages.filter { $0 != file.language }
      let all = Set(languages + [file.language])
      let first = report.findings.count
      for language in [file.language] + languages.prefix(Self.maximumLanguageCount) {
        guard report.findings.count - first < Self.maximumCatalogFindingCount else {
          let problem =
            "the catalog has too many findings, and the languages from \(quoted(language)) on are not checked"
          report.addUnreadable(path.path, problem, fix: "correct these first")
          break
        }
        report.findings += rules(language).check(
          against: language == file.language ? nil : own,
          isOverlay: all.contains(Self.base(of: language))
        )
      }
      if languages.count > Self.maximumLanguageCount {
        let problem =
          "the catalog has \(languages.count + 1) languages, of which \(Self.maximumLanguageCount + 1) are checked"
        report.addUnreadable(path.path, problem, fix: "check the codes of the languages")
      }
      return
    }
    let rules = LintRules(path: path.path, file: file, language: file.language)
    // An overlay need not have all keys: values-night is not a translation, and values-de-rAT has only the entries
    // that differ from values-de.
    let base = Self.base(of: file.language)
    let isOverlay =
      file.language.isEmpty || base == "en" && source?.language.isEmpty == true
      || (!base.isEmpty && group.contains { $0.language == base && $0.language != source?.language })
    report.findings += rules.problems()
    report.findings += rules.check(
      against: source,
      isOverlay: isOverlay,
      elsewhere: elsewhere
    )
  }

  /// Returns the language without its last subtag.
  private static func base(of language: String) -> String {
    language.split(separator: "-").dropLast().joined(separator: "-")
  }

  /// The maximum number of languages of a string catalog that are compared: each may lack each key.
  private static let maximumLanguageCount = 400
  /// The number of findings of a string catalog after which no further language is compared.
  private static let maximumCatalogFindingCount = 200_000

  /// Returns the keys of the `.stringsdict` file beside a `.strings` file, which takes precedence over it.
  private func keysOfDictionary(beside path: StringsPath, _ all: Set<String>) -> Set<String> {
    let other = path.path + "dict"
    guard path.format == .strings, all.contains(other), let file = try? StringsFile(contentsOf: other) else {
      return []
    }
    return Set(file.entries.map(\.key))
  }

  private func developmentFile(of files: [StringsPath]) -> StringsPath? {
    if let development {
      let tag = development.lowercased().replacing("_", with: "-")
      return files.first { $0.language.lowercased() == tag } ?? files.first { $0.language.isEmpty }
    }
    for candidate in ["", "en", "en-US"] {
      if let file = files.first(where: { $0.language == candidate }) { return file }
    }
    return files.first { $0.language.hasPrefix("en-") }
  }

  // MARK: Files

  private func files(below path: String, _ report: inout Report) -> [StringsPath] {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      report.addUnreadable(path, "cannot read the file: No such file or directory", fix: "check the path")
      return []
    }
    guard isFolder else {
      switch FileKind(path: path) {
      case .strings(let format): return [StringsPath(path, format)]
      case .json: return [StringsPath(path, format)]
      case .passedOver where format == nil, .unknown where format == nil:
        report.passedOver.append((path, FileKind(path: path).name))
        return []
      case .passedOver, .unknown: return [StringsPath(path, format)]
      }
    }
    var found: [StringsPath] = []
    for file in walk(path, root: path, depth: 0, &report) {
      let parts = file.split(separator: "/")
      switch FileKind(path: file) {
      case .json where parts.contains("_locales"): report.passedOver.append((file, "browser extension"))
      case .json:
        // Other JSON and XML files in a project are not strings files.
        let hasLanguage = (try? UILanguage(StringsFile.language(ofPath: file))) != nil
        if hasLanguage { found.append(StringsPath(file, format)) } else { report.skippedFiles.insert(file) }
      case .strings(.android):
        let name = parts.last ?? ""
        let folder = parts.dropLast().last ?? ""
        let isInValues = folder == "values" || folder.hasPrefix("values-")
        if name == "strings.xml" || isInValues && hasStrings(file) {
          found.append(StringsPath(file, .android))
        }
      case .strings(let format): found.append(StringsPath(file, format))
      case .passedOver(let kind):
        let hasLanguage = !StringsFile.language(ofPath: file).isEmpty
        if FileKind.isAlwaysNamed(kind) || hasLanguage { report.passedOver.append((file, kind)) }
      case .unknown:
        if StringsPath.isOfUnknownKind(file) { report.passedOver.append((file, FileKind.unknown.name)) }
      }
    }
    return found
  }

  /// Returns whether a file of Android's resources has strings: its name says so, or its contents.
  private func hasStrings(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    if ["string", "plurals", "arrays"].contains(where: name.contains) { return true }
    guard let bytes = try? StringsFile.bytes(of: path) else { return false }
    return bytes.indices.contains { index in
      bytes[index] == UInt8(ascii: "<")
        && (bytes[index...].starts(with: "<string".utf8) || bytes[index...].starts(with: "<plurals".utf8))
    }
  }

  /// The names of folders with dependencies or build products.
  private static let skippedFolders: Set = [
    "node_modules", "build", "Pods", "DerivedData", "Carthage", "vendor",
  ]

  /// Returns the files in a folder and its subfolders, sorted, without hidden files, and without the contents of skipped
  /// folders. A link to a folder is not followed, and one that leads out of the folder is a finding.
  private func walk(_ folder: String, root: String, depth: Int, _ report: inout Report) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
    guard depth < JSONCursor.maximumDepth else {
      let problem = "folders are nested more than \(JSONCursor.maximumDepth) deep"
      report.addUnreadable(folder, problem, fix: "nest them less")
      return []
    }
    var found: [String] = []
    for name in names.sorted() where !name.hasPrefix(".") && !Self.skippedFolders.contains(name) {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      switch type {
      case .typeDirectory?: found += walk(path, root: root, depth: depth + 1, &report)
      case .typeSymbolicLink?:
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let base = URL(filePath: root).resolvingSymlinksInPath().path
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: target, isDirectory: &isFolder)
        if target == base || target.hasPrefix(base.hasSuffix("/") ? base : base + "/") {
          if !isFolder { found.append(path) }
        } else if isFolder || StringsPath.isRead(path) {
          report.addUnreadable(
            path,
            "the link leads out of the folder, so it is not followed",
            fix: "pass \(quoted(target)) as a path, or remove the link"
          )
        }
      default: found.append(path)
      }
    }
    return found
  }
}

extension StringsLint.Report {
  /// Adds the finding for a file that cannot be read, in the line that the error contains.
  fileprivate mutating func add(_ error: StringsError, _ path: String) {
    let line = error.place.split(separator: " ").drop { !$0.hasSuffix("line") }.dropFirst().first.flatMap {
      Int($0.prefix { $0.isNumber })
    }
    addUnreadable(path, error.problem, fix: error.fix, line: line ?? 1)
  }

  /// Adds the finding for a file or folder that cannot be read or checked completely.
  fileprivate mutating func addUnreadable(_ path: String, _ problem: String, fix: String, line: Int = 1) {
    let finding = LintFinding(
      rule: .unreadableFile,
      file: path,
      line: line,
      column: 1,
      key: "",
      language: StringsFile.language(ofPath: path),
      problem: problem,
      fix: fix,
      text: ""
    )
    findings.append(finding)
  }
}

/// A file to check.
private struct StringsPath {
  let path: String
  /// The format; `nil` if the contents decide it.
  let format: StringsFile.Format?
  let language: String
  /// The path without the language, which is the same for all files to be compared.
  let group: String

  init(_ path: String, _ format: StringsFile.Format?) {
    (self.path, self.format) = (path, format)
    language = format == .stringCatalog ? "" : StringsFile.language(ofPath: path)
    group = Self.group(path, format)
  }

  private static func group(_ path: String, _ format: StringsFile.Format?) -> String {
    if format == .stringCatalog { return path }
    var folders = path.split(separator: "/").dropLast()
    let name = path.split(separator: "/").last ?? ""
    let pathExtension = name.split(separator: ".").last ?? ""
    let baseName: String
    if folders.contains(where: { $0.hasSuffix(".lproj") || $0 == "values" || $0.hasPrefix("values-") }) {
      folders.removeAll { $0.hasSuffix(".lproj") || $0 == "values" || $0.hasPrefix("values-") }
      baseName = String(name)
    } else if name.contains("__") {
      // In exports, the file name may contain the folders.
      baseName = name.split(separator: "__").last.map(String.init) ?? String(name)
    } else {
      let components = StringsFile.languageName(name, folder: folders.last)
      if components.isInFolder { folders.removeLast() }
      baseName = components.rest
    }
    return "\(pathExtension):\(folders.joined(separator: "/")):\(baseName)"
  }

  /// Returns whether a file in a folder is read or named in the report.
  static func isRead(_ path: String) -> Bool {
    if case .unknown = FileKind(path: path) { return isOfUnknownKind(path) }
    return true
  }

  /// Returns whether a file of an unknown kind is beside strings files: it is in a folder of a language, and is not one of
  /// the files that such folders also have.
  static func isOfUnknownKind(_ path: String) -> Bool {
    let folder = path.split(separator: "/").dropLast().last ?? ""
    if otherExtensions.contains(FileKind.pathExtension(of: path).lowercased()) { return false }
    if folder == "values" || folder.hasPrefix("values-") { return false }
    return !StringsFile.language(ofPath: path).isEmpty
  }

  private static let otherExtensions: Set = [
    "", "storyboard", "xib", "nib", "html", "htm", "rtf", "rtfd", "md", "txt", "css", "pdf", "swift", "h",
    "m", "png",
    "jpg", "jpeg", "gif", "svg", "webp", "mp3", "mp4", "mov", "ttf", "otf", "woff", "woff2", "plist",
  ]
}

extension FileKind {
  /// The name of the kind.
  var name: String {
    if case .passedOver(let kind) = self { kind } else { "unknown kind" }
  }

  /// Returns whether all files of a kind that is not read are strings files; others are only if their path has a language.
  static func isAlwaysNamed(_ kind: String) -> Bool { ["gettext", "Fluent", "XLIFF"].contains(kind) }
}

extension StringsFile {
  /// What the JSON is, if it is not of a format that is read: `messages.json` of a browser extension, or messages that
  /// FormatJS has compiled.
  fileprivate func kindOfOtherProgram(_ path: String) -> String? {
    guard format == .formatJS, !entries.isEmpty else { return nil }
    if path.split(separator: "/").last == "messages.json",
      entries.contains(where: { $0.key.hasSuffix(".message") }),
      entries.allSatisfy({ entry in
        [".message", ".description"].contains(where: entry.key.hasSuffix)
          || entry.key.contains(".placeholders.")
      })
    {
      return "browser extension"
    }
    let isCompiled =
      problems.contains { $0.key.hasSuffix(".0.type") } && entries.contains { $0.key.hasSuffix(".0.value") }
    return isCompiled ? "compiled messages" : nil
  }
}
