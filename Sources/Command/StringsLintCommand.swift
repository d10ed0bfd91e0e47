import ArgumentParser
import PriceTagCommandLine
import PriceTagStringFiles
import PriceTagText

/// `pricetag strings lint` finds problems in string files.
struct StringsLintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find problems in string files.",
    discussion: """
      Compares files of the same name in several languages with the file of the development language, and reports missing \
      and extra keys, placeholders, plural categories, prices in texts, unbalanced braces and isolates, untranslated \
      texts, lengths and encodings. Reads .xcstrings, .strings, strings.xml of Android, and .json files of ICU messages. \
      In a folder, a JSON file must have a language in its path: fr.json, app.fr.json, app_fr.json or fr/app.json.

      Rules: \(LintFinding.Rule.allCases.map(\.rawValue).joined(separator: ", ")).

      To mark a text that is not translated on purpose, use translatable="false" in strings.xml and shouldTranslate in a \
      string catalog. For other formats, use --ignore untranslated.

      Examples:
        pricetag strings lint Resources
        pricetag strings lint Resources --format github --ignore untranslated

      Exit codes: 0 no findings; 1 there are no string files, or none in the development language; 2 the command \
      line is wrong; 3 findings.
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

  @Argument(help: ArgumentHelp("The files and folders to check.", valueName: "path"), completion: .file())
  var paths: [String]

  func run() throws {
    let report = StringsLint(development: development, ignoring: Set(ignore)).check(paths: paths)
    switch format {
    case .text: for finding in report.findings { StandardOutput.write("\(finding)\n") }
    case .github: for finding in report.findings { StandardOutput.write("\(finding.gitHub)\n") }
    case .json: StandardOutput.write(jsonArrayOfLines(report.findings.map(\.json)))
    }
    StandardOutput.flush()
    func note(_ text: String) { StandardError.write("pricetag: \(text)\n") }
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
    if let first = report.skippedFiles.min() {
      note(
        "note: \(counted(report.skippedFiles.count, "JSON file")) skipped, because the path has no language, such as \(printable(first))"
      )
    }
    note(
      "\(counted(report.findings.count, "finding")) in \(counted(report.stringCount, "string")) of \(counted(report.fileCount, "file"))"
    )
    if report.fileCount == 0, report.findings.isEmpty {
      CommandLineProgram.fail("there are no string files; pass files, or a folder that has some")
    }
    if !report.findings.isEmpty { throw ExitCode(3) }
  }
}

extension LintFinding.Rule: ExpressibleByArgument {}

extension LintFinding {
  fileprivate var json: String {
    jsonObject([
      ("rule", PriceTagText.json(rule.rawValue)), ("file", PriceTagText.json(file)), ("line", "\(line)"),
      ("key", PriceTagText.json(key)), ("language", PriceTagText.json(language)),
      ("problem", PriceTagText.json(problem)),
      ("fix", PriceTagText.json(fix)),
    ])
  }

  fileprivate var gitHub: String {
    let who = (key.isEmpty ? "" : "\(quoted(key)) ") + (language.isEmpty ? "" : "(\(printable(language))) ")
    return gitHubAnnotation("error", file, line: line, rule.rawValue, "\(who)\(problem); \(fix)")
  }
}
