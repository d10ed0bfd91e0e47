import PriceTag

/// A message in one language: ICU MessageFormat text with named arguments.
///
/// ICU parses a message once, when it is created. Formatting it does not call ICU's MessageFormat, and returns the
/// same bytes as `icu::MessageFormat`. A message is a small immutable value: create it once and share it between
/// threads.
///
///     let message = try Message(
///       "{count, plural, one {# car for {price}} other {# cars for {price}}}",
///       language: UILanguage("en-US")
///     )
///     try message.format(["count": .count(3), "price": .price(price)]).plain   // "3 cars for $14.97"
///
/// Supported syntax: `plural` (with `offset`, `=N` and `#`), `selectordinal`, `select`, `{name, number}`,
/// `{name, number, integer}`, `{name, number, percent}`, and quoting with apostrophes. A message cannot format a price
/// and accepts it only as finished text. Currency formats (as a style or a skeleton), dates and times are errors.
public struct Message: Sendable, CustomStringConvertible {
  package let compiled: CompiledMessage

  /// Creates a message from ICU MessageFormat text.
  ///
  /// - Parameters:
  ///   - text: The MessageFormat text, at most 16 KB long and nested at most 32 levels deep.
  ///   - language: The message's language, which determines plural rules and the format of counts and percents.
  ///   - key: The message's key, for errors.
  /// - Throws: `.malformedMessage`, `.messageTooLarge`, `.refusedFormat`, `.unknownPluralCategory`, or
  ///   `.repeatedBranch`, with the key, the language and the position.
  public init(_ text: String, language: UILanguage, key: String = "") throws(StringsError) {
    compiled = try MessageCompiler.compile(text, language: language, key: key)
  }

  /// The ICU MessageFormat text.
  public var text: String { compiled.source.text }

  /// The message's language.
  public var language: UILanguage { compiled.language }

  /// The names of the message's arguments, in the order of their first use.
  public var argumentNames: [String] { compiled.arguments.map(\.name) }

  /// Returns the message formatted with arguments.
  ///
  /// - Throws: `.missingArgument`, `.extraArgument`, or `.invalidArgument` if an argument has the wrong type for its
  ///   place, such as a text for a plural.
  public func format(_ arguments: MessageArguments = [:]) throws(StringsError) -> FormattedMessage {
    let isolated = try string(arguments)
    return FormattedMessage(isolated: isolated, message: compiled, arguments: arguments)
  }

  /// Returns the text of the message formatted with arguments.
  ///
  /// - Throws: The same errors as ``format(_:)``.
  public func string(
    _ arguments: MessageArguments = [:],
    isolation: Isolation = .isolates
  ) throws(StringsError) -> String {
    try MessageEvaluation.string(of: compiled, arguments, .text(isolation))
  }

  /// Returns the message formatted as far as possible, and the problems found.
  ///
  ///     let (text, problems) = message.formatBestEffort([:])
  ///     text.plain          // "Buy for {price}"
  ///     problems.first      // en-US, character 9: the argument "price" is missing; add it
  ///
  /// Use this for pages that must not fail. An argument that is missing or has the wrong type is replaced by its name
  /// in braces.
  public func formatBestEffort(
    _ arguments: MessageArguments = [:]
  ) -> (message: FormattedMessage, problems: [StringsError]) {
    var problems: [StringsError]? = []
    let isolated: String
    do throws(StringsError) {
      isolated = try MessageEvaluation.text(of: compiled, arguments, .text(.isolates), &problems)
    } catch {
      // The message cannot be formatted at all, for example because a number is out of range.
      isolated = text
      problems = [error]
    }
    let message = FormattedMessage(isolated: isolated, message: compiled, arguments: arguments)
    return (message, problems ?? [])
  }

  /// The ICU MessageFormat text.
  public var description: String { text }
}
