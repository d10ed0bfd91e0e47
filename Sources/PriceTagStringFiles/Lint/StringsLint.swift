import PriceTag
import PriceTagStrings
import PriceTagText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Something that a file of strings has wrong.
public struct LintFinding: Hashable, Sendable, CustomStringConvertible {
  /// The rules, by their stable names.
  public enum Rule: String, Hashable, Sendable, CaseIterable, Codable {
    /// A file that cannot be read, or breaks the rules of its format or encoding.
    case unreadableFile = "unreadable-file"
    /// An entry of Android's XML that is not well-formed; the others are looked at.
    case malformedEntry = "malformed-entry"
    /// A key of the development language that a translation lacks.
    case missingKey = "missing-key"
    /// A key that the development language does not have.
    case extraKey = "extra-key"
    /// A key that stands twice: one of the texts is never shown.
    case duplicateKey = "duplicate-key"
    /// A message that ICU cannot read, such as one with unbalanced braces.
    case malformedMessage = "malformed-message"
    /// A branch of a plural or select that is repeated: one of the texts is never shown.
    case repeatedBranch = "repeated-branch"
    /// A text without any.
    case emptyText = "empty-text"
    /// A text with what a wrong conversion leaves of a character.
    case brokenEncoding = "broken-encoding"
    /// A brace that closes nothing, or is not closed.
    case unbalancedBraces = "unbalanced-braces"
    /// A percent sign that is no placeholder and is not doubled.
    case malformedPlaceholder = "malformed-placeholder"
    /// A language that ICU has no data for: its plurals are not checked.
    case unknownLanguage = "unknown-language"
    /// A branch of a select that only one of the two has.
    case selectBranch = "select-branch"
    /// A message that would format a currency or a date itself.
    case refusedFormat = "refused-format"
    /// A placeholder of the development language that the text lacks.
    case missingPlaceholder = "missing-placeholder"
    /// A placeholder that the development language's text does not have.
    case extraPlaceholder = "extra-placeholder"
    /// A placeholder that is nearly one of the development language's.
    case misspeltPlaceholder = "misspelt-placeholder"
    /// A placeholder that differs from the development language's in capitals only.
    case placeholderCase = "placeholder-case"
    /// A plural category that the language needs and the text lacks.
    case missingPlural = "missing-plural"
    /// A plural category that the language does not have.
    case impossiblePlural = "impossible-plural"
    /// A price written into the text.
    case hardCodedPrice = "hard-coded-price"
    /// A currency's symbol in the text.
    case currencySymbol = "currency-symbol"
    /// A directional control that is opened and not closed, or closed and not opened.
    case unbalancedIsolate = "unbalanced-isolate"
    /// A text that is the same as in the development language.
    case untranslated
    /// A text much longer than the development language's.
    case tooLong = "too-long"
  }

  /// The rule.
  public let rule: Rule
  /// The file, as its path was given.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The key; empty where it is about the whole file.
  public let key: String
  /// The language, as the file or its path says it; empty where neither does.
  public let language: String
  /// What is wrong.
  public let problem: String
  /// What to do.
  public let fix: String

  /// One line: `fr.lproj/Localizable.strings:12: [missing-placeholder] "buy" (fr): …: …`.
  public var description: String {
    let who = (key.isEmpty ? "" : " \(quoted(key))") + (language.isEmpty ? "" : " (\(printable(language)))")
    return "\(printable(file, limit: 1000)):\(line): [\(rule.rawValue)]\(who): \(problem): \(fix)"
  }
}

/// Finds what is wrong in files of strings: one by one, and each translation against the development language.
///
///     let report = StringsLint(development: "en").check(paths: ["Resources"])
///     for finding in report.findings { print(finding) }
///
/// Files belong together where they have the same name and only the language in their paths differs:
/// `en.lproj/Localizable.strings` and `fr.lproj/Localizable.strings`, `values/strings.xml` and
/// `values-fr/strings.xml`, `en.json` and `fr.json`, `app_en.json` and `app_fr.json`, `en/app.json` and `fr/app.json`. A
/// string catalogue is compared with its own source language.
public struct StringsLint: Sendable {
  /// What was looked at and what was found.
  public struct Report: Sendable {
    /// The findings, by file and line.
    public var findings: [LintFinding] = []
    /// How many files were looked at, readable or not.
    public var fileCount = 0
    /// How many strings they have, each in each language.
    public var stringCount = 0
    /// JSON files of a folder whose paths say no language: they were not looked at.
    public var skippedFiles: Set<String> = []
    /// The files that were compared with no development language, because none was there.
    public var filesWithoutDevelopment: [String] = []
  }

  /// The language that translations are held against, as the files say it; `nil` for the first of these that a group
  /// of files has: none (a `Base.lproj`, a plain `values`), `en`, `en-US`, another English.
  public let development: String?

  /// The rules that are not applied.
  public let ignored: Set<LintFinding.Rule>

  /// A lint.
  public init(development: String? = nil, ignoring ignored: Set<LintFinding.Rule> = []) {
    self.development = development
    self.ignored = ignored
  }

  /// Checks files and folders; of a folder, every file of a known format below it.
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
        let file = recovered.file.sayingItsKeys
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
    // A key whose entry is malformed is neither missing nor extra.
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
          StringsError(.unreadableFile, "there is no such file", fix: "give a file or a folder")
        )
      )
      return []
    }
    guard isFolder else { return [path] }
    var found: [String] = []
    for path in Self.walk(path, depth: 0) {
      // A string file by its name; other JSON and XML of a project is none.
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if name.hasSuffix(".json") {
        let saysLanguage = (try? UILanguage(StringsFile.language(ofPath: path))) != nil
        if saysLanguage { found.append(path) } else { report.skippedFiles.insert(path) }
      } else if name.hasSuffix(".strings") || name.hasSuffix(".xcstrings")
        || ["strings.xml", "plurals.xml", "arrays.xml"].contains(name)
      {
        found.append(path)
      }
    }
    return found
  }

  /// Folders of what others wrote, or what was built.
  private static let passedBy: Set = ["node_modules", "build", "Pods", "DerivedData", "Carthage", "vendor"]

  /// The files below a folder, in order. Links to folders are not followed, hidden folders and builds not entered.
  private static func walk(_ folder: String, depth: Int) -> [String] {
    guard depth < 64, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return []
    }
    return names.sorted().filter { !$0.hasPrefix(".") && !passedBy.contains($0) }.flatMap {
      name -> [String] in
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      return type == .typeDirectory ? walk(path, depth: depth + 1) : [path]
    }
  }

  /// Where a file says otherwise what is wrong with it.
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

  /// The path with the language cut out of it: the same for all languages of a file.
  private func groupKey(_ path: String, _ file: StringsFile) -> String {
    if file.format == .stringCatalog { return path }
    var folders = path.split(separator: "/").dropLast()
    let name = path.split(separator: "/").last ?? ""
    let own: String
    if file.format == .formatJS {
      let found = StringsFile.jsonLanguage(name, folder: folders.last)
      if found.isInFolder { folders.removeLast() }
      own = found.rest
    } else {
      folders.removeAll { $0.hasSuffix(".lproj") || $0.hasPrefix("values") }
      // An export may have the folders in the file's name.
      own = name.split(separator: "__").last.map(String.init) ?? String(name)
    }
    return "\(file.format.rawValue):\(folders.joined(separator: "/")):\(own)"
  }

  // MARK: Checks

  private func check(_ files: [(path: String, file: StringsFile)], _ report: inout Report) {
    for (path, file) in files where file.format == .stringCatalog {
      let languages = Set(file.entries.flatMap(\.localizations.keys)).subtracting([file.language])
      LintRules(path: path, format: file.format, language: file.language).check(
        file,
        language: file.language,
        against: nil,
        &report.findings
      )
      for language in languages.sorted() {
        LintRules(path: path, format: file.format, language: language).check(
          file,
          language: language,
          against: (file, file.language),
          &report.findings
        )
      }
    }
    let single = files.filter { $0.file.format != .stringCatalog }
    let source = developmentFile(of: single)
    for (path, file) in single {
      let isSource = path == source?.path
      // values-night is no translation, and values-de-rAT leaves to values-de what is the same.
      let base = file.language.split(separator: "-").dropLast().joined(separator: "-")
      let isOverlay =
        file.language.isEmpty
        || (!base.isEmpty && single.contains { $0.file.language == base && $0.path != source?.path })
      if source == nil { report.filesWithoutDevelopment.append(path) }
      LintRules(path: path, format: file.format, language: file.language).check(
        file,
        language: file.language,
        against: isSource ? nil : source.map { ($0.file, $0.file.language) },
        isOverlay: isOverlay,
        &report.findings
      )
    }
  }

  private func developmentFile(
    of files: [(path: String, file: StringsFile)]
  ) -> (path: String, file: StringsFile)? {
    if let development {
      let wanted = development.lowercased().replacing("_", with: "-")
      return files.first { $0.file.language.lowercased() == wanted }
    }
    for candidate in ["", "en", "en-US"] {
      if let file = files.first(where: { $0.file.language == candidate }) { return file }
    }
    return files.first { $0.file.language.hasPrefix("en-") }
  }
}
