import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagStrings
import PriceTagText

extension Isolation: ExpressibleByArgument {}

/// `pricetag strings format`: messages with their arguments in place.
struct StringsFormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Put arguments into a message: one of the store's, or any.",
    discussion: """
      Examples:
        pricetag strings format buy_for_price --language fr-FR --args '{"price":{"storefront":"FRA","amount":"4.99"}}'
        pricetag strings format --message '{n, plural, one {# car} other {# cars}}' --args '{"n":2}'
        pricetag strings format --messages rows.jsonl     {"language","message","args"} a line, "text" or "error" appended

      In the arguments a number is a count, a string is a text, {"storefront":"USA","amount":"4.99"} is a price, and \
      {"percent":"16"}, {"period":"P1M"}, {"languageName":"ja"}, {"storefrontName":"JPN"} are what they say.
      """
  )

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Option(help: ArgumentHelp("The language of the words, BCP 47; of rows that name none.", valueName: "tag"))
  var language = UILanguage.development.identifier

  @Option(help: ArgumentHelp("The arguments, a JSON object.", valueName: "json"))
  var args: String?

  @Option(help: ArgumentHelp("Any ICU message, in place of a key.", valueName: "text"))
  var message: String?

  @Option(
    help: ArgumentHelp("JSON Lines of messages (- for standard input).", valueName: "file"),
    completion: .file()
  )
  var messages: String?

  @Option(help: "Whether inserted values stand between direction isolates in the text.")
  var isolation: Isolation = .isolates

  @Flag(help: "Write a JSON object: the text, plain, as HTML and for the ear.")
  var json = false

  @Argument(
    help: ArgumentHelp("The key of one of the store's messages.", valueName: "key"),
    completion: .custom { _, _, _ in StoreStrings.embedded.keys }
  )
  var key: String?

  func validate() throws {
    if [key, message, messages].count(where: { $0 != nil }) != 1 {
      throw ValidationError("give one of: a key, --message, --messages")
    }
    if messages != nil, json || args != nil {
      throw ValidationError(
        "--messages has its arguments in its rows and answers in JSON Lines: leave --args and --json out"
      )
    }
  }

  func run() throws {
    let strings = try data.loadStrings()
    var reader = MessageArgumentsReader(localeData: try data.load(), at: data.at)
    if let messages { return try formatAll(messages, strings, &reader) }
    let message = try self.message(strings)
    let formatted = try message.format(reader.arguments(args ?? "{}"))
    guard json else {
      StandardOutput.write((isolation == .none ? formatted.plain : formatted.isolated) + "\n")
      return
    }
    StandardOutput.write(
      jsonObject([
        ("language", PriceTagText.json(formatted.language.identifier)),
        ("direction", PriceTagText.json(formatted.language.direction.rawValue)),
        ("text", PriceTagText.json(isolation == .none ? formatted.plain : formatted.isolated)),
        ("plain", PriceTagText.json(formatted.plain)), ("html", PriceTagText.json(formatted.html)),
        ("spoken", PriceTagText.json(formatted.spoken)),
      ]) + "\n"
    )
  }

  private func message(_ strings: StoreStrings) throws -> Message {
    if let key {
      let answering = try strings.answering(language)
      let message = try strings.message(key, in: answering)
      if message.language != answering {
        StandardError.write("pricetag: note: \(answering) has no \(key): this is \(message.language)'s\n")
      }
      return message
    }
    return try Message(message ?? "", language: UILanguage(language))
  }

  /// Answers each line with itself and what was asked for; a line that cannot be answered says why.
  private func formatAll(
    _ path: String,
    _ strings: StoreStrings,
    _ reader: inout MessageArgumentsReader
  ) throws {
    var rows = MessageRows(strings: strings, language: language, isolation: isolation)
    var tally = Tally()
    try InputLines(path: path).forEach { line in
      guard let line else {
        let error = PriceTagText.json("the row is not UTF-8: save the file as UTF-8")
        StandardOutput.write(jsonObject([("error", error)]) + "\n")
        tally.count(isAnswered: false)
        return
      }
      if line.isEmpty { return }
      let answer = rows.answer(line, &reader)
      StandardOutput.write(answer.line + "\n")
      tally.count(isAnswered: answer.error == nil)
    }
    try tally.finish()
  }
}
