import ArgumentParser
import PriceTagCommandLine
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// `pricetag strings list` lists the messages of the store.
struct StringsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the messages of the store in a language, or the UI languages.",
    discussion: """
      A line has the key and the message, and between them the language if the message is not translated. Without \
      --language, the UI languages are listed, each with its own name.

      Examples:
        pricetag strings list
        pricetag strings list --language de

      Exit codes: 0 done; 1 the language is unknown, or the locale data cannot be read; 2 the command line is wrong.
      """
  )

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Option(
    help: ArgumentHelp(
      "The language of the messages, BCP 47 (default: none, lists the languages).",
      valueName: "tag"
    )
  )
  var language: String?

  @Flag(help: "Print a JSON array.")
  var json = false

  func run() throws {
    let strings = try data.loadStrings()
    guard let language else {
      write(
        strings.languages.map { language in
          json ? language.json : "\(padded(language.identifier, 8))  \(language.name(of: language))"
        }
      )
      return
    }
    let resolved = try strings.resolvedLanguage(language)
    let width = strings.keys.map(\.count).max() ?? 0
    var lines: [String] = []
    for key in strings.keys {
      let message = try strings.message(key, in: resolved)
      let origin = message.language == resolved ? "" : "(\(message.language)) "
      lines.append(
        json ? message.json(key: key) : "\(padded(key, width))  \(origin)\(message.text)"
      )
    }
    write(lines)
  }

  private func write(_ lines: [String]) {
    StandardOutput.write(json ? jsonArrayOfLines(lines) : lines.map { $0 + "\n" }.joined())
  }
}
