import PriceTag
import PriceTagStrings
import PriceTagText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A problem that the lint found in a strings file.
public struct LintFinding: Hashable, Sendable, CustomStringConvertible {
  /// A lint rule. Raw values are stable.
  public enum Rule: String, Hashable, Sendable, CaseIterable, Codable {
    /// The file cannot be read, or violates the rules of its format or encoding.
    case unreadableFile = "unreadable-file"
    /// An entry of Android's `strings.xml` is not well-formed, or there is text between entries. The other entries are
    /// checked.
    case malformedEntry = "malformed-entry"
    /// A translation lacks a key of the development language.
    case missingKey = "missing-key"
    /// The development language does not have the key.
    case extraKey = "extra-key"
    /// A key appears twice, so that one of the texts is never used.
    case duplicateKey = "duplicate-key"
    /// ICU cannot parse a message, for example because of unbalanced braces.
    case malformedMessage = "malformed-message"
    /// A branch of a plural or select appears twice, so that one of the texts is never used.
    case repeatedBranch = "repeated-branch"
    /// The text is empty or only white space.
    case emptyText = "empty-text"
    /// The text was decoded with a wrong encoding.
    case brokenEncoding = "broken-encoding"
    /// A brace has no matching brace.
    case unbalancedBraces = "unbalanced-braces"
    /// A percent sign is neither a placeholder nor doubled, a placeholder has another type than in the development
    /// language, or a substitution of a string catalog has another or an invalid argument or format specifier, or does
    /// not exist.
    case malformedPlaceholder = "malformed-placeholder"
    /// ICU has no data for the language, so plurals are not checked.
    case unknownLanguage = "unknown-language"
    /// A select does not have the same branches as in the development language.
    case selectBranch = "select-branch"
    /// A message contains an unsupported format, such as a currency or date format.
    case refusedFormat = "refused-format"
    /// The text lacks a placeholder of the development language's text, or a plural branch lacks its number.
    case missingPlaceholder = "missing-placeholder"
    /// The development language's text does not have the placeholder.
    case extraPlaceholder = "extra-placeholder"
    /// The placeholder is similar to a missing one of the development language's text.
    case misspeltPlaceholder = "misspelt-placeholder"
    /// The placeholder differs only in case from one of the development language's text.
    case placeholderCase = "placeholder-case"
    /// The text lacks a plural category that the language needs.
    case missingPlural = "missing-plural"
    /// The language does not have the plural category.
    case impossiblePlural = "impossible-plural"
    /// The text contains a price.
    case hardCodedPrice = "hard-coded-price"
    /// The text contains a currency symbol.
    case currencySymbol = "currency-symbol"
    /// A directional control has no matching control.
    case unbalancedIsolate = "unbalanced-isolate"
    /// The text is the same as in the development language.
    case untranslated
    /// The text is much longer than in the development language.
    case tooLong = "too-long"
  }

  /// The rule that the text violates.
  public let rule: Rule
  /// The path of the file, as given.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The key; empty if the finding concerns the file.
  public let key: String
  /// The language in the file or its path, or empty.
  public let language: String
  /// What is wrong.
  public let problem: String
  /// What to do, as an imperative.
  public let fix: String

  /// One line: `fr.lproj/Localizable.strings:12: [missing-placeholder] "buy" (fr): …; …`.
  public var description: String {
    let subject =
      (key.isEmpty ? "" : " \(quoted(key))") + (language.isEmpty ? "" : " (\(printable(language)))")
    return "\(printable(file, limit: 1000)):\(line): [\(rule.rawValue)]\(subject): \(problem); \(fix)"
  }
}

/// Checks strings files for mistakes, and compares translations with the development language.
///
///     let report = StringsLint(development: "en").check(paths: ["Resources"])
///     for finding in report.findings { print(finding) }
///
/// Files are compared if their paths differ only in the language:
///
/// - `en.lproj/Localizable.strings` and `fr.lproj/Localizable.strings`
/// - `values/strings.xml` and `values-fr/strings.xml`
/// - `en.json` and `fr.json`, `app_en.json` and `app_fr.json`, `en/app.json` and `fr/app.json`
///
/// The translations in a string catalog are compared with its source language.
public struct StringsLint: Sendable {
  /// The result of a check.
  public struct Report: Sendable {
    /// The findings, sorted by file and line.
    public var findings: [LintFinding] = []
    /// The number of files checked, including unreadable ones.
    public var fileCount = 0
    /// The number of strings in the files, counting each language.
    public var stringCount = 0
    /// The JSON files in folders that were not checked, because their paths contain no language.
    public var skippedFiles: Set<String> = []
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

  /// Creates a lint.
  ///
  /// - Parameters:
  ///   - development: The development language, as in the files or their paths; `nil` to detect it.
  ///   - ignored: The rules not to apply.
  public init(development: String? = nil, ignoring ignored: Set<LintFinding.Rule> = []) {
    self.development = development
    self.ignored = ignored
  }

  /// Checks files, and all files of supported formats in folders and their subfolders.
  public func check(paths: [String]) -> Report {
    var report = Report()
    var groups: [(key: String, files: [(path: String, file: StringsFile)])] = []
    var read: Set<String> = []
    var groupIndex: [String: Int] = [:]
    var malformedKeys: Set<String> = []
    for path in paths.flatMap({ files(below: $0, &report) }) where read.insert(path).inserted {
      report.fileCount += 1
      do throws(StringsError) {
        let recovered = try StringsFile.recovering(contentsOf: path)
        let file = recovered.file.withSourceTexts
        for entry in recovered.malformed {
          report.findings.append(
            LintFinding(
              rule: .malformedEntry,
              file: path,
              line: entry.line,
              key: entry.key,
              language: file.language,
              problem: entry.problem,
              fix: entry.fix
            )
          )
          malformedKeys.insert(entry.key)
        }
        report.stringCount += file.entries.reduce(0) { $0 + $1.localizations.count }
        let key = groupKey(path, file)
        if let index = groupIndex[key] {
          groups[index].files.append((path, file))
        } else {
          groupIndex[key] = groups.count
          groups.append((key, [(path, file)]))
        }
      } catch {
        report.findings.append(unreadable(path, error))
      }
    }
    for group in groups { check(group.files, &report) }
    // An entry that is malformed must not also be reported as missing or extra.
    report.findings.removeAll {
      ignored.contains($0.rule)
        || ([.missingKey, .extraKey].contains($0.rule) && malformedKeys.contains($0.key))
    }
    report.findings.sort {
      ($0.file, $0.line, $0.key, $0.rule.rawValue) < ($1.file, $1.line, $1.key, $1.rule.rawValue)
    }
    return report
  }

  // MARK: Files

  private func files(below path: String, _ report: inout Report) -> [String] {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      report.findings.append(
        unreadable(
          path,
          StringsError(
            .unreadableFile,
            "cannot read the file: No such file or directory",
            fix: "check the path"
          )
        )
      )
      return []
    }
    guard isFolder else { return [path] }
    var found: [String] = []
    for path in Self.walk(path, depth: 0) {
      // Other JSON and XML files in a project are not strings files.
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if name.hasSuffix(".json") {
        let hasLanguage = (try? UILanguage(StringsFile.language(ofPath: path))) != nil
        if hasLanguage { found.append(path) } else { report.skippedFiles.insert(path) }
      } else if name.hasSuffix(".strings") || name.hasSuffix(".xcstrings")
        || ["strings.xml", "plurals.xml", "arrays.xml"].contains(name)
      {
        found.append(path)
      }
    }
    return found
  }

  /// The names of folders with dependencies or build products.
  private static let skippedFolders: Set = [
    "node_modules", "build", "Pods", "DerivedData", "Carthage", "vendor",
  ]

  /// Returns the files in a folder and its subfolders, sorted, without hidden files, symbolic links to folders, and
  /// the contents of skipped folders.
  private static func walk(_ folder: String, depth: Int) -> [String] {
    guard depth < 64, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return []
    }
    return names.sorted().filter { !$0.hasPrefix(".") && !skippedFolders.contains($0) }.flatMap {
      name -> [String] in
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      return type == .typeDirectory ? walk(path, depth: depth + 1) : [path]
    }
  }

  /// Returns the finding for a file that cannot be read, in the line that the error contains.
  private func unreadable(_ path: String, _ error: StringsError) -> LintFinding {
    let line = error.place.split(separator: " ").drop { !$0.hasSuffix("line") }.dropFirst().first.flatMap {
      Int($0.prefix { $0.isNumber })
    }
    return LintFinding(
      rule: .unreadableFile,
      file: path,
      line: line ?? 1,
      key: "",
      language: StringsFile.language(ofPath: path),
      problem: error.problem,
      fix: error.fix
    )
  }

  /// Returns the path without the language, which is the same for all files to be compared.
  private func groupKey(_ path: String, _ file: StringsFile) -> String {
    if file.format == .stringCatalog { return path }
    var folders = path.split(separator: "/").dropLast()
    let name = path.split(separator: "/").last ?? ""
    let baseName: String
    if file.format == .formatJS {
      let components = StringsFile.jsonLanguage(name, folder: folders.last)
      if components.isInFolder { folders.removeLast() }
      baseName = components.rest
    } else {
      folders.removeAll { $0.hasSuffix(".lproj") || $0.hasPrefix("values") }
      // In exports, the file name may contain the folders.
      baseName = name.split(separator: "__").last.map(String.init) ?? String(name)
    }
    return "\(file.format.rawValue):\(folders.joined(separator: "/")):\(baseName)"
  }

  // MARK: Checks

  private func check(_ files: [(path: String, file: StringsFile)], _ report: inout Report) {
    for (path, file) in files where file.format == .stringCatalog {
      let unreadable = UnreadableSubstitutions(file.entries)
      let languages = Set(file.entries.flatMap(\.localizations.keys)).union(unreadable.languages)
        .subtracting([file.language])
      for language in [file.language] + languages.sorted() {
        report.findings += LintRules(path: path, format: file.format, language: language).check(
          file,
          language: language,
          against: language == file.language ? nil : (file, file.language),
          unreadable: unreadable
        )
      }
    }
    let single = files.filter { $0.file.format != .stringCatalog }
    let source = developmentFile(of: single)
    for (path, file) in single {
      let isSource = path == source?.path
      // An overlay need not have all keys: values-night is not a translation, and values-de-rAT has only the entries
      // that differ from values-de.
      let base = file.language.split(separator: "-").dropLast().joined(separator: "-")
      let isOverlay =
        file.language.isEmpty
        || (!base.isEmpty && single.contains { $0.file.language == base && $0.path != source?.path })
      if source == nil { report.filesWithoutDevelopment.append(path) }
      report.findings += LintRules(path: path, format: file.format, language: file.language).check(
        file,
        language: file.language,
        against: isSource ? nil : source.map { ($0.file, $0.file.language) },
        isOverlay: isOverlay
      )
    }
  }

  private func developmentFile(
    of files: [(path: String, file: StringsFile)]
  ) -> (path: String, file: StringsFile)? {
    if let development {
      let tag = development.lowercased().replacing("_", with: "-")
      return files.first { $0.file.language.lowercased() == tag }
    }
    for candidate in ["", "en", "en-US"] {
      if let file = files.first(where: { $0.file.language == candidate }) { return file }
    }
    return files.first { $0.file.language.hasPrefix("en-") }
  }
}
