import ArgumentParser
import PriceTag
import PriceTagStrings

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
          let name = language.name(of: language)
          return json
            ? jsonObject([
              ("language", PriceTag.json(language.identifier)), ("name", PriceTag.json(name)),
              ("direction", PriceTag.json(language.direction.rawValue)),
            ]) : "\(padded(language.identifier, 8))  \(name)"
        }
      )
      return
    }
    let answering = try strings.answering(language)
    let width = strings.keys.map(\.count).max() ?? 0
    var lines: [String] = []
    for key in strings.keys {
      let message = try strings.message(key, in: answering)
      let names = message.argumentNames.map(PriceTag.json).joined(separator: ",")
      let origin = message.language == answering ? "" : "(\(message.language)) "
      lines.append(
        json
          ? jsonObject([
            ("key", PriceTag.json(key)), ("language", PriceTag.json(message.language.identifier)),
            ("message", PriceTag.json(message.text)), ("arguments", "[\(names)]"),
          ]) : "\(padded(key, width))  \(origin)\(message.text)"
      )
    }
    write(lines)
  }

  private func write(_ lines: [String]) {
    StandardOutput.write(json ? jsonArrayOfLines(lines) : lines.map { $0 + "\n" }.joined())
  }
}
