import PriceTag
import PriceTagText

/// A problem that the lint found in a strings file.
public struct LintFinding: Hashable, Sendable, CustomStringConvertible {
  /// A lint rule. Raw values are stable.
  public enum Rule: String, Hashable, Sendable, CaseIterable, Codable {
    /// The file cannot be read, or violates the rules of its format or encoding.
    case unreadableFile = "unreadable-file"
    /// An entry is not well-formed, or the format's own tools reject it. The other entries are checked.
    case malformedEntry = "malformed-entry"
    /// A translation lacks a key of the development language.
    case missingKey = "missing-key"
    /// The development language does not have the key.
    case extraKey = "extra-key"
    /// A key appears twice, so that one of the texts is never used.
    case duplicateKey = "duplicate-key"
    /// ICU cannot parse a message, for example because of unbalanced braces.
    case malformedMessage = "malformed-message"
    /// A branch of a plural or select appears twice, so that one of the texts is never used.
    case repeatedBranch = "repeated-branch"
    /// The text is empty or only white space.
    case emptyText = "empty-text"
    /// The text was decoded with a wrong encoding.
    case brokenEncoding = "broken-encoding"
    /// A brace has no matching brace.
    case unbalancedBraces = "unbalanced-braces"
    /// A percent sign is neither a placeholder nor doubled, a placeholder has another type than in the development
    /// language, or a substitution of a string catalog has another or an invalid argument or format specifier, or does
    /// not exist.
    case malformedPlaceholder = "malformed-placeholder"
    /// CLDR has no data for the language, so plurals are not checked. A report names these languages.
    case unknownLanguage = "unknown-language"
    /// A select does not have the same branches as in the development language.
    case selectBranch = "select-branch"
    /// A message contains an unsupported format, such as a currency or date format.
    case refusedFormat = "refused-format"
    /// The text lacks a placeholder of the development language's text, or a plural branch lacks its number.
    case missingPlaceholder = "missing-placeholder"
    /// The development language's text does not have the placeholder.
    case extraPlaceholder = "extra-placeholder"
    /// The placeholder is similar to a missing one of the development language's text.
    case misspeltPlaceholder = "misspelt-placeholder"
    /// The placeholder differs only in case from one of the development language's text.
    case placeholderCase = "placeholder-case"
    /// The text lacks a plural category that the language needs.
    case missingPlural = "missing-plural"
    /// The language does not have the plural category.
    case impossiblePlural = "impossible-plural"
    /// The text contains a price.
    case hardCodedPrice = "hard-coded-price"
    /// The text contains a currency symbol.
    case currencySymbol = "currency-symbol"
    /// A currency symbol is beside a placeholder, which is probably for a formatted price.
    case symbolBesidePlaceholder = "symbol-beside-placeholder"
    /// A tag is not closed, or differs from those of the development language's text.
    case tagMismatch = "tag-mismatch"
    /// An apostrophe or quotation mark is not displayed, because ICU or AAPT2 reads it as syntax.
    case swallowedQuote = "swallowed-quote"
    /// A directional control has no matching control.
    case unbalancedIsolate = "unbalanced-isolate"
    /// The text is the same as in the development language.
    case untranslated
    /// The text is much longer than in the development language.
    case tooLong = "too-long"

    /// How serious a violation is.
    public var severity: Severity {
      switch self {
      case .extraKey, .emptyText, .unknownLanguage, .missingPlural, .impossiblePlural, .hardCodedPrice,
        .currencySymbol,
        .symbolBesidePlaceholder, .untranslated, .tooLong, .missingKey:
        .warning
      default: .error
      }
    }

    /// The rules that are applied only if they are named, because more than 5 % of their findings are intended texts.
    public static let optional: Set<Rule> = [.currencySymbol, .tooLong, .unknownLanguage]
  }

  /// How serious a finding is.
  public enum Severity: String, Hashable, Sendable {
    /// The text breaks a build, fails at run time, or is displayed wrong.
    case error
    /// The text is probably not what was meant.
    case warning
  }

  /// The rule that the text violates.
  public let rule: Rule
  /// The path of the file, as given.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column in characters, from 1.
  public let column: Int
  /// The key; empty if the finding concerns the file.
  public let key: String
  /// The language in the file or its path, or empty.
  public let language: String
  /// What is wrong.
  public let problem: String
  /// What to do, as an imperative.
  public let fix: String
  /// The text that the finding is about, with the format's escape sequences resolved; for what cannot be read, a part of
  /// the file. Empty if the finding concerns neither.
  public let text: String

  /// One line: `fr.lproj/Localizable.strings:12: [missing-placeholder] "buy" (fr): …; …`.
  public var description: String {
    let subject =
      (key.isEmpty ? "" : " \(quoted(key))") + (language.isEmpty ? "" : " (\(printable(language)))")
    return "\(printable(file, limit: 1000)):\(line): [\(rule.rawValue)]\(subject): \(problem); \(fix)"
  }
}
