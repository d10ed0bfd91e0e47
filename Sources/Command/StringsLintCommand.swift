import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagStringFiles
import PriceTagStrings
import PriceTagText

/// `pricetag strings lint`: what is wrong in files of strings.
struct StringsLintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find what is wrong in files of strings.",
    discussion: """
      Files of the same name in several languages are held against the development language's: missing and extra \
      keys, placeholders, plural categories, prices in texts, unbalanced braces and isolates, copies, lengths, \
      encodings. Formats: .xcstrings, .strings, Android's strings.xml, .json of ICU messages. Of a folder, JSON files are \
      looked at whose paths say a language: fr.json, app.fr.json, app_fr.json, fr/app.json.

      Rules: \(LintFinding.Rule.allCases.map(\.rawValue).joined(separator: ", ")).

      A text that is the same in both languages on purpose is marked by its file: translatable="false" in strings.xml, \
      shouldTranslate in a string catalogue; elsewhere --ignore untranslated.

      Exit code 3 where something was found, 1 where there was nothing to look at.
      """
  )

  /// How findings are written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    /// A line each.
    case text
    /// A JSON array.
    case json
    /// Commands of GitHub Actions, shown beside the lines of a pull request.
    case github
  }

  @Option(help: "How findings are written.")
  var format: Format = .text

  @Option(
    help: ArgumentHelp(
      "The language that translations are held against (default: none, en, en-US, another English).",
      valueName: "language"
    )
  )
  var development: String?

  @Option(help: ArgumentHelp("A rule that is not applied; may be given again.", valueName: "rule"))
  var ignore: [LintFinding.Rule] = []

  @Argument(help: ArgumentHelp("Files and folders.", valueName: "path"), completion: .file())
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
    let alone = report.filesWithoutDevelopment.count
    if let development, alone > 0, alone == report.fileCount {
      PriceTagCommand.fail("no file is of the language \(quoted(development)): name one that is among them")
    }
    if alone > 0 {
      note(
        "note: \(counted(alone, "file")) held against nothing: the development language's is not among them (--development names it)"
      )
    }
    if let first = report.skippedFiles.min() {
      note(
        "note: \(counted(report.skippedFiles.count, "JSON file")) not looked at, for their paths say no language, such as \(printable(first))"
      )
    }
    note(
      "\(counted(report.findings.count, "finding")) in \(counted(report.stringCount, "string")) of \(counted(report.fileCount, "file"))"
    )
    if report.fileCount == 0, report.findings.isEmpty {
      PriceTagCommand.fail("there is no file of strings: give files, or a folder that has some")
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
    return gitHubAnnotation("error", file, line: line, rule.rawValue, "\(who)\(problem): \(fix)")
  }
}
