import PriceTag

/// What was wrong with a language, a message, its arguments or a file of strings; where; and what to do about it.
///
/// Every failure of this module is one of these. `code` is stable, for programs; `description` is one line, for
/// people:
///
///     do { _ = try Message("Buy for {price", language: .development) } catch { print(error) }
///     // en-US, character 9: the braces are not balanced: close every { with a }, …
public typealias StringsError = CodedError<StringsErrorCode>

/// The kinds of a ``StringsError``, by their stable names.
public enum StringsErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// Text that is no BCP 47 language tag.
  case malformedLanguage = "malformed-language"
  /// A language that ICU has no data for, or that there are no strings in.
  case unknownLanguage = "unknown-language"
  /// Text that is no ICU MessageFormat.
  case malformedMessage = "malformed-message"
  /// A message that is longer than 16 KB or nested deeper than 32.
  case messageTooLarge = "message-too-large"
  /// A message that would format a currency, a date or anything else that is not its business.
  case refusedFormat = "refused-format"
  /// A plural branch that CLDR has no category for.
  case unknownPluralCategory = "unknown-plural-category"
  /// A branch of a plural or select that has the name of another one: it would never be shown.
  case repeatedBranch = "repeated-branch"
  /// An argument that the message needs and was not given.
  case missingArgument = "missing-argument"
  /// An argument that was given and the message does not have.
  case extraArgument = "extra-argument"
  /// An argument of a kind that does not fit its place, or whose text says nothing valid.
  case invalidArgument = "invalid-argument"
  /// A key that there is no message for.
  case unknownKey = "unknown-key"
  /// A file that is missing or cannot be read.
  case unreadableFile = "unreadable-file"
  /// A file whose format is not known.
  case unknownFormat = "unknown-format"
  /// A file that breaks the rules of its format.
  case malformedFile = "malformed-file"
  /// Strings that a format has no way to write.
  case notRepresentable = "not-representable"
  /// A locale data file of strings that does not fit the development language's.
  case invalidLocaleData = "invalid-locale-data"
  /// ICU failed where it should not have.
  case formattingFailed = "formatting-failed"
}
