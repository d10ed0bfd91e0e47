import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagStrings
import PriceTagText

/// `pricetag strings list`: the store's own messages.
struct StringsListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the store's own messages in a language.",
    discussion: """
      A line is key, the language where it is another one, and the message. Without --language, the languages are \
      listed, each by its own name.
      """
  )

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Option(help: ArgumentHelp("The language, BCP 47.", valueName: "tag"))
  var language: String?

  @Flag(help: "Write a JSON array.")
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
    let answering = try strings.answering(language)
    let width = strings.keys.map(\.count).max() ?? 0
    var lines: [String] = []
    for key in strings.keys {
      let message = try strings.message(key, in: answering)
      let origin = message.language == answering ? "" : "(\(message.language)) "
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
