import PriceTag

/// An error in a language tag, a message, its arguments, or a strings file.
///
/// All functions of this module and of `PriceTagStringFiles` throw this type. Programs test `code`, which is stable.
/// `description` is one line for people:
///
///     do { _ = try Message("Buy for {price", language: .development) } catch { print(error) }
///     // en-US, character 9: the braces are not balanced; close every { with a }, …
public typealias StringsError = CodedError<StringsErrorCode>

/// The kind of a ``StringsError``. Raw values are stable.
public enum StringsErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// The text is not a BCP 47 language tag.
  case malformedLanguage = "malformed-language"
  /// ICU has no data for the language, or there are no strings in it.
  case unknownLanguage = "unknown-language"
  /// The text is not valid ICU MessageFormat.
  case malformedMessage = "malformed-message"
  /// The message is longer than 16 KB or nested more than 32 levels deep, or its formatted text is too long.
  case messageTooLarge = "message-too-large"
  /// The message contains a format that PriceTag does not support, such as a currency, date or time format.
  case refusedFormat = "refused-format"
  /// A plural selector is not a CLDR plural category.
  case unknownPluralCategory = "unknown-plural-category"
  /// Two branches of a plural or select have the same selector; ICU would never use the second.
  case repeatedBranch = "repeated-branch"
  /// An argument that the message needs is missing.
  case missingArgument = "missing-argument"
  /// The message has no argument with this name, or the argument is given more than once.
  case extraArgument = "extra-argument"
  /// An argument has the wrong type for its place in the message, or an invalid value.
  case invalidArgument = "invalid-argument"
  /// No message has the key.
  case unknownKey = "unknown-key"
  /// The file does not exist or cannot be read.
  case unreadableFile = "unreadable-file"
  /// The file name's extension is not that of a supported format.
  case unknownFormat = "unknown-format"
  /// The file violates the rules of its format.
  case malformedFile = "malformed-file"
  /// The file format cannot represent the strings.
  case notRepresentable = "not-representable"
  /// A strings file in a locale data folder does not match the development language's file.
  case invalidLocaleData = "invalid-locale-data"
  /// ICU reported an unexpected error.
  case formattingFailed = "formatting-failed"
}

/// Returns a value that is computed from arguments.
///
/// - Throws: The error of the computation, as `.invalidArgument`.
func checkingArguments<Value>(
  _ compute: () throws(PriceTagError) -> Value
) throws(StringsError) -> Value {
  do throws(PriceTagError) { return try compute() } catch { throw StringsError(.invalidArgument, error) }
}
