import ArgumentParser
import PriceTag
import PriceTagStrings

/// `pricetag strings lint`: what is wrong in files of strings.
struct StringsLintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find what is wrong in files of strings.",
    discussion: """
      Files of the same name in several languages are held against the development language's: missing and extra \
      keys, placeholders, plural categories, prices in texts, unbalanced braces and isolates, copies, lengths, \
      encodings. Formats: .xcstrings, .strings, Android's strings.xml, .json of ICU messages.

      Exit code 3 where something was found.
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

  @Argument(help: ArgumentHelp("Files and folders.", valueName: "path"), completion: .file())
  var paths: [String]

  func run() throws {
    let report = StringsLint(development: development).check(paths: paths)
    switch format {
    case .text: for finding in report.findings { StandardOutput.write("\(finding)\n") }
    case .github: for finding in report.findings { StandardOutput.write("\(finding.gitHub)\n") }
    case .json:
      StandardOutput.write("[" + report.findings.map { "\n" + $0.json }.joined(separator: ",") + "\n]\n")
    }
    StandardOutput.flush()
    let alone = report.filesWithoutDevelopment
    if !alone.isEmpty {
      StandardError.write(
        "pricetag: note: \(alone.count) of the files were held against nothing: the development language's is not among them (--development names it)\n"
      )
    }
    StandardError.write(
      "pricetag: \(report.findings.count) findings in \(report.stringCount) strings of \(report.fileCount) files\n"
    )
    if !report.findings.isEmpty { throw ExitCode(3) }
  }
}

extension LintFinding {
  fileprivate var json: String {
    jsonObject([
      ("rule", PriceTag.json(rule.rawValue)), ("file", PriceTag.json(file)), ("line", "\(line)"),
      ("key", PriceTag.json(key)), ("language", PriceTag.json(language)), ("problem", PriceTag.json(problem)),
      ("fix", PriceTag.json(fix)),
    ])
  }

  /// GitHub's workflow command, with its own escapes.
  fileprivate var gitHub: String {
    func escaped(_ text: String, isProperty: Bool) -> String {
      var text = text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
      if isProperty { text = text.replacing(":", with: "%3A").replacing(",", with: "%2C") }
      return text
    }
    let who = (key.isEmpty ? "" : "\(quoted(key)) ") + (language.isEmpty ? "" : "(\(printable(language))) ")
    return "::error file=\(escaped(file, isProperty: true)),line=\(line),title=\(rule.rawValue)::"
      + escaped("\(who)\(problem): \(fix)", isProperty: false)
  }
}
