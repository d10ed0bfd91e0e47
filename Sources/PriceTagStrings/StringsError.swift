import PriceTag

/// What was wrong with a language, a message, its arguments or a file of strings; where; and what to do about it.
///
/// Every failure of this module is one of these. `code` is stable, for programs; `description` is one line, for
/// people:
///
///     do { _ = try Message("Buy for {price", language: .development) } catch { print(error) }
///     // en-US, character 9: the braces are not balanced: close every { with a }, …
public struct StringsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure, by their stable names.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
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

  private let facts: ErrorFacts<Code>

  /// The kind of failure.
  public var code: Code { facts.code }
  /// What was wrong, with the value.
  public var problem: String { facts.problem }
  /// What to do.
  public var fix: String { facts.fix }
  /// Where: a file, a line, a key, a language, a position. Empty where the caller knows better.
  public var place: String { facts.place }

  package init(_ code: Code, _ problem: String, fix: String, place: String = "") {
    facts = ErrorFacts(code, problem, fix, place)
  }

  /// What the core found wrong, as a failure of this module.
  package init(_ code: Code, _ error: PriceTagError) {
    self.init(code, error.problem, fix: error.fix, place: error.place)
  }

  /// The same failure, at a place that a caller knows.
  package func at(_ place: String) -> StringsError {
    StringsError(code, problem, fix: fix, place: facts.place(within: place))
  }

  /// One line: place, problem, fix.
  public var description: String { facts.description }

  /// Whether both say the same.
  public static func == (first: StringsError, second: StringsError) -> Bool {
    first.code == second.code && first.description == second.description
  }

  /// Hashes what it says.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
