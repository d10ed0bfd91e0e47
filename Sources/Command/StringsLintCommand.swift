import ArgumentParser
import PriceTagCommandLine
import PriceTagStringFiles
import PriceTagStrings
import PriceTagText

/// `pricetag strings lint` finds problems in string files.
struct StringsLintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find problems in string files.",
    discussion: """
      Compares files of the same name in several languages with the file of the development language, and reports missing \
      and extra keys, placeholders, tags, plural categories, prices in texts, swallowed quotes, unbalanced braces and \
      isolates, untranslated texts, lengths and encodings. Reads .xcstrings, .strings, .stringsdict, strings.xml of \
      Android, .arb, and .json files of ICU messages or of i18next. In a folder, a JSON file must have a language in its \
      path: fr.json, app.fr.json, app_fr.json or fr/app.json.

      A JSON file with @@locale is an .arb file, one with sourceLanguage and strings a string catalog. Otherwise, it is \
      i18next's if more texts have {{name}}, $t(key) or a key that ends in _other than have {name}, and has ICU messages \
      if not. The file of the development language decides for its translations; --as overrides.

      Rules: \(LintFinding.Rule.allCases.map(\.rawValue).joined(separator: ", ")).

      Rules that are applied only with --enable: \
      \(LintFinding.Rule.optional.map(\.rawValue).sorted().joined(separator: ", ")).

      To mark a text that is not translated on purpose, use translatable="false" in strings.xml and shouldTranslate in a \
      string catalog. For other formats, use --ignore untranslated. A baseline contains findings that are accepted: they \
      are not reported as long as their texts do not change.

      Examples:
        pricetag strings lint Resources
        pricetag strings lint Resources --format github --ignore untranslated
        pricetag strings lint Resources --write-baseline lint.baseline
        pricetag strings lint Resources --baseline lint.baseline

      Exit codes: 0 no findings; 1 there are no string files, or none in the development language, or the baseline \
      cannot be read; 2 the command line is wrong; 3 findings.
      """
  )

  /// The format of findings.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    /// A line for each finding.
    case text
    /// A JSON array.
    case json
    /// Commands of GitHub Actions, shown next to the lines of a pull request.
    case github
    /// JUnit XML: a test case for each file.
    case junit
  }

  @Option(help: "The format of the findings.")
  var format: Format = .text

  @Option(
    help: ArgumentHelp(
      "The development language (default: files without a language, else en, en-US or another English).",
      valueName: "language"
    )
  )
  var development: String?

  @Option(help: ArgumentHelp("A rule to ignore; may be repeated.", valueName: "rule"))
  var ignore: [LintFinding.Rule] = []

  @Option(help: ArgumentHelp("An optional rule to apply; may be repeated.", valueName: "rule"))
  var enable: [LintFinding.Rule] = []

  @Option(name: .customLong("as"), help: "The format of JSON files and of files with an unknown extension.")
  var fileFormat: StringsFile.Format?

  @Option(help: ArgumentHelp("A file of accepted findings.", valueName: "file"), completion: .file())
  var baseline: String?

  @Option(help: ArgumentHelp("Write the findings to a file that --baseline accepts.", valueName: "file"))
  var writeBaseline: String?

  @Argument(help: ArgumentHelp("The files and folders to check.", valueName: "path"), completion: .file())
  var paths: [String]

  func run() throws {
    var accepted = try baseline.map { try LintBaseline(contentsOf: $0) }
    let lint = StringsLint(
      development: development,
      ignoring: Set(ignore),
      enabling: Set(enable),
      as: fileFormat
    )
    var report = lint.check(paths: paths)
    if let writeBaseline { try LintBaseline(report.findings, path: writeBaseline).write() }
    let count = report.findings.count
    if accepted != nil { report.findings.removeAll { accepted?.take($0) ?? false } }
    let stale = staleEntries(accepted?.stale(report, ignoring: lint.ignored) ?? [])
    switch format {
    case .text: for finding in report.findings { StandardOutput.write("\(finding)\n") }
    case .github:
      for finding in report.findings { StandardOutput.write("\(finding.gitHub)\n") }
      if let baseline, !stale.isEmpty {
        let text = stale.joined(separator: "\n")
        StandardOutput.write(gitHubAnnotation("notice", baseline, line: 1, "baseline", text) + "\n")
      }
    case .json: StandardOutput.write(jsonArrayOfLines(report.findings.map(\.json)))
    case .junit: StandardOutput.write(report.junit(stale))
    }
    StandardOutput.flush()
    writeNotes(report)
    for line in stale { note(line) }
    let formats = report.formats.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
    let known = count - report.findings.count
    note(
      "\(counted(report.findings.count, "finding"))\(known > 0 ? " and \(known) in the baseline" : "") in \(counted(report.stringCount, "string")) of \(counted(report.fileCount, "file"))"
        + (formats.isEmpty ? "" : " (\(formats))")
    )
    if report.fileCount == 0, report.findings.isEmpty {
      CommandLineProgram.fail("there are no string files; pass files, or a folder that has some")
    }
    if !report.findings.isEmpty { throw ExitCode(3) }
  }

  /// Returns the lines about the entries of the baseline that no longer occur.
  private func staleEntries(_ entries: [String]) -> [String] {
    guard let baseline, !entries.isEmpty else { return [] }
    let (subject, more) = (
      entries.count == 1 ? "1 entry" : "\(entries.count) entries", entries.count - Self.maximumStaleCount
    )
    return [
      "note: \(subject) of \(printable(baseline)) no longer occur\(entries.count == 1 ? "s" : ""); write it again with --write-baseline"
    ] + entries.prefix(Self.maximumStaleCount).map { "no longer occurs: \($0)" }
      + (more > 0 ? ["and \(more) more"] : [])
  }

  private func note(_ text: String) { StandardError.write("pricetag: \(text)\n") }

  /// Writes what was not checked, and why files were read in a format.
  private func writeNotes(_ report: StringsLint.Report) {
    let unmatchedCount = report.filesWithoutDevelopment.count
    if let development, unmatchedCount > 0, unmatchedCount == report.fileCount {
      CommandLineProgram.fail(
        "no file has the development language \(quoted(development)); use a language of the files"
      )
    }
    if unmatchedCount > 0 {
      note(
        "note: \(counted(unmatchedCount, "file")) not compared, because there is no file of the development language; set it with --development"
      )
    }
    for decision in report.decisions.prefix(Self.maximumNameCount) {
      note(
        "note: \(printable(decision.path)) and its translations are read as \(decision.format.rawValue), because of \(quoted(decision.evidence)); --as overrides"
      )
    }
    if report.decisions.count > Self.maximumNameCount {
      note("note: \(report.decisions.count - Self.maximumNameCount) more such files")
    }
    if let first = report.skippedFiles.min() {
      note(
        "note: \(counted(report.skippedFiles.count, "JSON file")) skipped, because the path has no language, such as \(printable(first))"
      )
    }
    if !report.languagesWithoutData.isEmpty {
      let languages = report.languagesWithoutData.sorted().map { printable($0) }.joined(separator: ", ")
      note("note: plurals are not checked in \(languages), because CLDR has no data for the language")
    }
    if !report.passedOver.isEmpty {
      let names = report.passedOver.prefix(Self.maximumNameCount).map { "\(printable($0.path)) (\($0.kind))" }
      let more = report.passedOver.count - names.count
      note(
        "passed over: \(counted(report.passedOver.count, "file")): \(names.joined(separator: ", "))\(more > 0 ? " and \(more) more" : "")"
      )
    }
  }

  /// The maximum number of files that a note names.
  private static let maximumNameCount = 10
  /// The maximum number of entries of a baseline that are shown.
  private static let maximumStaleCount = 100
}

extension LintFinding.Rule: ExpressibleByArgument {}
extension StringsFile.Format: ExpressibleByArgument {}

extension LintFinding {
  fileprivate var json: String {
    jsonObject([
      ("rule", PriceTagText.json(rule.rawValue)), ("severity", PriceTagText.json(rule.severity.rawValue)),
      ("file", PriceTagText.json(file)), ("line", "\(line)"), ("column", "\(column)"),
      ("key", PriceTagText.json(key)), ("language", PriceTagText.json(language)),
      ("problem", PriceTagText.json(problem)),
      ("fix", PriceTagText.json(fix)),
    ])
  }

  fileprivate var gitHub: String {
    let who = (key.isEmpty ? "" : "\(quoted(key)) ") + (language.isEmpty ? "" : "(\(printable(language))) ")
    return gitHubAnnotation(
      rule.severity.rawValue,
      file,
      line: line,
      rule.rawValue,
      "\(who)\(problem); \(fix)"
    )
  }
}

extension StringsLint.Report {
  /// Returns JUnit XML: a test case for each file with findings, which fails, one for the others, and one with the entries
  /// of the baseline that no longer occur.
  fileprivate func junit(_ stale: [String]) -> String {
    var junit = JUnitReport(
      file: "strings",
      origins: "",
      name: "pricetag strings lint"
    )
    for (file, findings) in Dictionary(grouping: findings, by: \.file).sorted(by: { $0.key < $1.key }) {
      let rules = Set(findings.map(\.rule.rawValue)).sorted().joined(separator: ", ")
      junit.add(file, findings.map(\.description), failure: (rules, counted(findings.count, "finding")))
    }
    let clean = checkedFiles.subtracting(findings.map(\.file)).count
    if clean > 0 { junit.add("\(counted(clean, "file")) without findings") }
    if !stale.isEmpty { junit.add("baseline", stale) }
    return junit.xml
  }
}
