import ArgumentParser
import PriceTag
import PriceTagCommandLine
import PriceTagStringFiles
import PriceTagStrings

/// `pricetag strings`: the words around prices.
struct StringsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strings",
    abstract: "The words around prices: the store's own messages, and files of strings.",
    discussion: """
      Examples:
        pricetag strings list --language de
        pricetag strings format buy_for_price --language ar --args '{"price":{"storefront":"USA","amount":"4.99"}}'
        pricetag strings format --language ru --message '{n, plural, one {# день} few {# дня} other {# дней}}' --args '{"n":3}'
        pricetag strings match es-AR zh-HK
        pricetag strings lint Resources --format github
        pricetag strings pseudo en.json --language en-XA
      """,
    subcommands: [
      StringsListCommand.self, StringsFormatCommand.self, StringsMatchCommand.self, StringsLintCommand.self,
      StringsPseudoCommand.self,
    ]
  )
}

extension StoreStrings {
  /// The language that answers for a tag, and a note where it is another one.
  func answering(_ tag: String) throws(StringsError) -> UILanguage {
    let asked = try UILanguage(tag)
    if asked.isPseudo { return asked }
    let answering = try nearest(asked)
    if answering != asked {
      StandardError.write("pricetag: note: \(matcher.match(asked.identifier))\n")
    }
    return answering
  }
}

/// `pricetag strings match`: which language a reader gets.
struct StringsMatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Tell which of the store's languages a reader gets, and why."
  )

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Option(help: ArgumentHelp("An HTTP request's Accept-Language.", valueName: "header"))
  var acceptLanguage: String?

  @Argument(help: ArgumentHelp("Languages, each by itself.", valueName: "language"))
  var languages: [String] = []

  func validate() throws {
    if languages.isEmpty == (acceptLanguage == nil) {
      throw ValidationError("give languages, or --accept-language")
    }
  }

  func run() throws {
    let matcher = try data.loadStrings().matcher
    for language in languages { StandardOutput.write("\(matcher.match(language))\n") }
    if let acceptLanguage { StandardOutput.write("\(matcher.match(acceptLanguage: acceptLanguage))\n") }
  }
}

/// `pricetag strings pseudo`: a file in a pseudo-locale.
struct StringsPseudoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pseudo",
    abstract: "Write a file of strings in a pseudo-locale, for tests of layouts.",
    discussion: "en-XA has accents, brackets, and is longer; ar-XB runs from right to left."
  )

  @Option(help: ArgumentHelp("en-XA or ar-XB.", valueName: "language"))
  var language = UILanguage.accentedPseudo.identifier

  @Argument(help: ArgumentHelp("A .json, .strings, .xcstrings or .xml file.", valueName: "file"))
  var file: String

  func run() throws {
    let pseudolocale = try Pseudolocale(UILanguage(language))
    StandardOutput.write(try pseudolocale.file(StringsFile(contentsOf: file)).text())
  }
}
