import ArgumentParser
import PriceTagCommandLine
import PriceTagStringFiles
import PriceTagStrings

/// `pricetag strings` formats UI strings, and checks string files.
struct StringsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strings",
    abstract: "Format the UI strings of the store, and check string files.",
    discussion: """
      pricetag help strings VERB describes each verb.

      Examples:
        pricetag strings list --language de
        pricetag strings format days --language ru --args '{"count":22}'
        pricetag strings match es-AR zh-HK
        pricetag strings lint Resources --format github
        pricetag strings pseudo en.json --language en-XA

      Exit codes: 0 done; 1 the work could not be done; 2 the command line is wrong; 3 done, with rejected rows or findings.
      """,
    subcommands: [
      StringsListCommand.self, StringsFormatCommand.self, StringsMatchCommand.self, StringsLintCommand.self,
      StringsPseudoCommand.self,
    ]
  )
}

extension StoreStrings {
  /// Returns the UI language that matches a tag best, and prints a note if it is another language.
  func resolvedLanguage(_ tag: String) throws(StringsError) -> UILanguage {
    let requested = try UILanguage(tag)
    if requested.isPseudo { return requested }
    let resolved = try closestLanguage(to: requested)
    if resolved != requested {
      StandardError.write("pricetag: note: \(matcher.match(requested.identifier))\n")
    }
    return resolved
  }
}

extension ResolvedLanguage {
  /// Prints a note if the strings are in the store's default language.
  func writeNote() {
    if isStoreDefault { StandardError.write("pricetag: note: \(self)\n") }
  }
}

/// `pricetag strings match` prints the UI language for a user's languages.
struct StringsMatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Print which UI language a user gets, and why.",
    discussion: """
      Prints one line for each language, or one line for an Accept-Language header.

      Examples:
        pricetag strings match es-AR zh-HK
        pricetag strings match --accept-language 'de-CH, en;q=0.8'

      Exit codes: 0 done; 1 the locale data cannot be read; 2 the command line is wrong.
      """
  )

  @OptionGroup(title: "Locale data") var data: LocaleDataOptions

  @Option(help: ArgumentHelp("The Accept-Language header of an HTTP request.", valueName: "header"))
  var acceptLanguage: String?

  @Argument(help: ArgumentHelp("Languages, BCP 47. Each is matched separately.", valueName: "language"))
  var languages: [String] = []

  func validate() throws {
    if languages.isEmpty, acceptLanguage == nil {
      throw ValidationError("the languages are missing; add a language, or --accept-language")
    }
    if !languages.isEmpty, acceptLanguage != nil {
      throw ValidationError("languages and --accept-language cannot be combined; remove one")
    }
  }

  func run() throws {
    let matcher = try data.loadStrings().matcher
    for language in languages { StandardOutput.write("\(matcher.match(language))\n") }
    if let acceptLanguage { StandardOutput.write("\(matcher.match(acceptLanguage: acceptLanguage))\n") }
  }
}

/// `pricetag strings pseudo` converts a file of strings to a pseudo-locale.
struct StringsPseudoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pseudo",
    abstract: "Convert a file of strings to a pseudo-locale, to test layouts.",
    discussion: """
      The pseudo-locale en-XA has accents and brackets, and longer texts. The pseudo-locale ar-XB runs from right to left. \
      The converted file is printed to standard output; only its texts are changed. Entries that are malformed or not \
      translatable remain as they are.

      Examples:
        pricetag strings pseudo en.json > en-XA.json
        pricetag strings pseudo Localizable.xcstrings --language ar-XB

      Exit codes: 0 done; 1 the file cannot be read; 2 the command line is wrong.
      """
  )

  @Option(help: "The pseudo-locale: en-XA or ar-XB.")
  var language = UILanguage.accentedPseudo.identifier

  @Option(name: .customLong("as"), help: "The format of the file (default: by its extension and contents).")
  var fileFormat: StringsFile.Format?

  @Argument(help: "The file: .json, .arb, .strings, .stringsdict, .xcstrings or .xml.")
  var file: String

  func run() throws {
    let pseudolocale = try Pseudolocale(UILanguage(language))
    let file = try StringsFile(contentsOf: file, format: fileFormat)
    for problem in file.problems.prefix(10) {
      StandardError.write(
        "pricetag: note: line \(file.place(of: problem.offset).line) is not changed: \(problem.problem); \(problem.fix)\n"
      )
    }
    StandardOutput.write(String(decoding: pseudolocale.contents(of: file), as: UTF8.self))
  }
}
