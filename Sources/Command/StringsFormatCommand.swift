import ArgumentParser
import PriceTagCommandLine
import PriceTagStrings
import PriceTagText

extension Isolation: ExpressibleByArgument {}

/// `pricetag strings format` formats messages with arguments.
struct StringsFormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Format a message of the store, or any ICU message, with arguments.",
    discussion: """
      The arguments are a JSON object. A number is a count, a string is a text, {"storefront":"USA","amount":"4.99"} is a \
      price, {"percent":"16"} a percentage, {"period":"P1M"} a period, {"languageName":"ja"} the name of a language, and \
      {"storefrontName":"JPN"} the name of a storefront, and {"date":"2026-12-01"} a date.

      Examples:
        pricetag strings format days --language ru --args '{"count":22}'
        pricetag strings format --message 'Buy {n} cars' --args '{"n":2}'
        pricetag strings format --messages rows.jsonl

      A row of --messages is a JSON object with language, message or key, and args. The output is the row with text or \
      error appended.

      Exit codes: 0 all messages were formatted; 1 no message was formatted; 2 the command line is wrong; 3 some rows \
      were rejected.
      """
  )

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Option(
    help: ArgumentHelp(
      "The UI language, BCP 47. With --messages, that of rows without one.",
      valueName: "tag"
    )
  )
  var language = UILanguage.development.identifier

  @Option(help: ArgumentHelp("The arguments, a JSON object (default: {}).", valueName: "json"))
  var args: String?

  @Option(help: ArgumentHelp("An ICU message, instead of a key.", valueName: "text"))
  var message: String?

  @Option(
    help: ArgumentHelp("A file of messages, as JSON Lines; - for standard input.", valueName: "file"),
    completion: .file()
  )
  var messages: String?

  @Option(help: "Whether the text has direction isolates around inserted values.")
  var isolation: Isolation = .isolates

  @Flag(help: "Print a JSON object with the text, its plain form, HTML and spoken form.")
  var json = false

  @Argument(
    help: "The key of a message of the store.",
    completion: .custom { _, _, _ in StoreStrings.embedded.keys }
  )
  var key: String?

  func validate() throws {
    let sources = [("a key", key), ("--message", message), ("--messages", messages)].filter { $0.1 != nil }
    if sources.isEmpty { throw ValidationError("the message is missing; add a key, --message or --messages") }
    if sources.count > 1 {
      throw ValidationError("\(sources.map(\.0).joined(separator: " and ")) cannot be combined; keep one")
    }
    if messages != nil, json || args != nil {
      throw ValidationError("--messages and \(json ? "--json" : "--args") cannot be combined; remove one")
    }
  }

  func run() throws {
    let strings = try data.loadStrings()
    var reader = MessageArgumentsReader(localeData: try data.load(), at: try data.day)
    if let messages { return try formatAll(messages, strings, &reader) }
    let message = try self.message(strings)
    let formatted = try message.format(reader.arguments(Array((args ?? "{}").utf8)))
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
      let resolved = try strings.resolvedLanguage(language)
      let message = try strings.message(key, in: resolved)
      if message.language != resolved {
        StandardError.write(
          "pricetag: note: \(resolved) has no message \(quoted(key)); used \(message.language)\n"
        )
      }
      return message
    }
    return try Message(message ?? "", language: UILanguage(language))
  }

  /// Prints each row with its text or its error.
  private func formatAll(
    _ path: String,
    _ strings: StoreStrings,
    _ reader: inout MessageArgumentsReader
  ) throws {
    var rows = MessageRows(strings: strings, language: language, isolation: isolation)
    var tally = Tally()
    try InputLines(path: path).forEach { _, _, bytes in
      guard let line = String(validating: bytes, as: UTF8.self) else {
        let error = PriceTagText.json("the row is not UTF-8; save the file as UTF-8")
        StandardOutput.write(jsonObject([("error", error)]) + "\n")
        tally.count(isSuccess: false)
        return
      }
      if line.isEmpty { return }
      let answer = rows.answer(line, &reader)
      StandardOutput.write(answer.line + "\n")
      tally.count(isSuccess: answer.error == nil)
    }
    try tally.finish()
  }
}
