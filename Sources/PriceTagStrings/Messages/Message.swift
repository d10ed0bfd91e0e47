import PriceTag

/// A message in a language: ICU MessageFormat text with named arguments.
///
/// It is read once, by ICU, and evaluated without ICU from then on, to the same bytes as `icu::MessageFormat`. It is
/// a small immutable value: make it once and share it with every thread.
///
///     let message = try Message(
///       "{count, plural, one {# car for {price}} other {# cars for {price}}}",
///       language: UILanguage("en-US")
///     )
///     try message.format(["count": .count(3), "price": .price(price)]).plain   // "3 cars for $14.97"
///
/// Plural (with `offset`, `=N` and `#`), selectordinal, select, `{name, number}`, `{name, number, integer}`,
/// `{name, number, percent}` and ICU's apostrophes are understood. A message cannot format a price: it takes one as
/// finished text, and one that carries a currency format, by style or skeleton, is refused; so are dates and times.
public struct Message: Sendable, CustomStringConvertible {
  package let compiled: CompiledMessage

  /// A message.
  ///
  /// - Parameters:
  ///   - text: ICU MessageFormat, at most 16 KB, nested at most 32 deep.
  ///   - language: The language of its words: it gives plural rules, and writes counts and percents.
  ///   - key: What errors call it.
  /// - Throws: `.malformedMessage`, `.messageTooLarge`, `.refusedFormat`, `.unknownPluralCategory`,
  ///   `.repeatedBranch`, with the key, the language and the position.
  public init(_ text: String, language: UILanguage, key: String = "") throws(StringsError) {
    compiled = try MessageCompiler.compile(text, language: language, key: key)
  }

  /// The ICU MessageFormat text.
  public var text: String { compiled.text }

  /// The language of its words.
  public var language: UILanguage { compiled.language }

  /// The names of its arguments, in the order of their first places.
  public var argumentNames: [String] { compiled.arguments.map(\.name) }

  /// The message with its arguments in place.
  ///
  /// - Throws: `.missingArgument`, `.extraArgument`; `.invalidArgument` for one of a kind that its place has no use
  ///   for, such as a text where a count chooses the plural.
  public func format(_ arguments: MessageArguments = [:]) throws(StringsError) -> FormattedMessage {
    let isolated = try string(arguments)
    return FormattedMessage(isolated: isolated, message: compiled, arguments: arguments)
  }

  /// The text alone, for callers who need nothing else of it.
  ///
  /// - Throws: as `format(_:)`.
  public func string(
    _ arguments: MessageArguments = [:],
    isolation: Isolation = .isolates
  ) throws(StringsError) -> String {
    try MessageEvaluation.string(of: compiled, arguments, .text(isolation))
  }

  /// The best text there is, and what was wrong: for pages that must not fail. An argument that is missing or does
  /// not fit shows its name in braces.
  ///
  ///     let (text, problems) = message.formatBestEffort([:])
  ///     text.plain          // "Buy for {price}"
  ///     problems.first      // en-US, character 9: the argument "price" is missing: give it
  public func formatBestEffort(
    _ arguments: MessageArguments = [:]
  ) -> (message: FormattedMessage, problems: [StringsError]) {
    var problems: [StringsError]? = []
    let isolated: String
    do throws(StringsError) {
      isolated = try MessageEvaluation.text(of: compiled, arguments, .text(.isolates), &problems)
    } catch {
      // Beyond any best effort, such as a number out of range: the message itself.
      isolated = text
      problems = [error]
    }
    let message = FormattedMessage(isolated: isolated, message: compiled, arguments: arguments)
    return (message, problems ?? [])
  }

  /// The ICU MessageFormat text.
  public var description: String { text }
}
