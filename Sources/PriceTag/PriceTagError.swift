/// What was wrong, where, and what to do about it.
///
/// Every failure of this module is one of these. `code` is stable, for programs; `description` is one line, for
/// people:
///
///     do { _ = try Amount(decimal: "1,234.5") } catch { print(error) }
///     // "1,234.5" is not a decimal amount: write ASCII digits with an optional sign and fraction, such as 1234.50
///
/// A value is quoted with its control and invisible characters escaped, and cut where it is long.
public struct PriceTagError: ModuleError {
  /// The kinds of failure, by their stable names.
  public enum Code: String, Hashable, Sendable, CaseIterable, Codable {
    /// Text that is no decimal amount, such as `1e9`.
    case malformedAmount = "malformed-amount"
    /// An amount of more digits than an `Amount` holds, or a sum that leaves its range.
    case amountOutOfRange = "amount-out-of-range"
    /// An amount with more digits than are displayed, under `RoundingMode.exact`.
    case needsRounding = "needs-rounding"
    /// Text that is no ISO 4217 code, or a code that ISO does not know.
    case unknownCurrency = "unknown-currency"
    /// Two currencies where one was expected. Nothing converts.
    case currencyMismatch = "currency-mismatch"
    /// A price of one locale given to a formatter of another.
    case localeMismatch = "locale-mismatch"
    /// A currency whose minor unit ISO 4217 does not define.
    case noMinorUnit = "no-minor-unit"
    /// A provider of payments that no data is known of.
    case unknownProvider = "unknown-provider"
    /// Text that is no BCP 47 language tag.
    case malformedLocale = "malformed-locale"
    /// A locale that ICU has no data for.
    case unknownLocale = "unknown-locale"
    /// A locale extension that would change a price, where none was asked for.
    case unexpectedExtension = "unexpected-extension"
    /// A storefront that the registry does not have.
    case unknownStorefront = "unknown-storefront"
    /// A price of which nothing says whose it is.
    case missingStorefront = "missing-storefront"
    /// A date that the calendar does not have.
    case malformedDate = "malformed-date"
    /// A period that is no ISO 8601 duration of whole days, weeks, months or years.
    case malformedPeriod = "malformed-period"
    /// An option outside its range.
    case invalidOption = "invalid-option"
    /// A locale data file that is missing, unreadable or wrong.
    case invalidLocaleData = "invalid-locale-data"
    /// A buffer that is too small for a price.
    case bufferTooSmall = "buffer-too-small"
    /// ICU failed where it should not have.
    case formattingFailed = "formatting-failed"
  }

  /// What the error knows.
  public let facts: ErrorFacts<Code>

  /// An error of what is known.
  public init(facts: ErrorFacts<Code>) {
    self.facts = facts
  }
}

/// A value as an error quotes it: in quotation marks, invisible characters escaped, long text cut.
package func quoted(_ value: some StringProtocol) -> String {
  // Most are short and plain: a rejected row should not cost a search for each of its characters.
  if value.utf8.count <= 48,
    value.utf8.allSatisfy({
      (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    })
  {
    return "\"\(value)\""
  }
  return "\"\(printable(value, limit: 48, isQuoted: true))\""
}

/// A text that fits one line and moves nothing around it: invisible characters escaped, long text cut.
package func printable(
  _ value: some StringProtocol,
  limit: Int = 240,
  isQuoted: Bool = false
) -> String {
  var text = ""
  var count = 0
  for scalar in value.unicodeScalars {
    if count == limit { return text + "…" }
    if isQuoted, scalar == "\"" || scalar == "\\" { text += "\\" }
    text += escaped(scalar)
    count += 1
  }
  return text
}

/// `1 file`, `2 files`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// Whether a text is ASCII without a zero, so that it can be compared in capitals and given to C.
package func isASCII(_ text: some StringProtocol) -> Bool {
  text.utf8.allSatisfy { (0x01...0x7F).contains($0) }
}

/// A scalar as it can be read: itself, or `\u{…}` where it cannot be seen or would move its neighbours.
package func escaped(_ scalar: Unicode.Scalar) -> String {
  if (" "..."~").contains(scalar) { return String(scalar) }
  switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
    return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  case .spaceSeparator where scalar != " ":
    return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  default:
    return String(scalar)
  }
}
