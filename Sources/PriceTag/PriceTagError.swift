/// What was wrong, where, and what to do about it.
///
/// Every failure of this module is one of these. `code` is stable, for programs; `description` is one line, for
/// people:
///
///     do { _ = try Amount(decimal: "1,234.5") } catch { print(error) }
///     // "1,234.5" is not a decimal amount: write ASCII digits with an optional sign and fraction, such as 1234.50
///
/// A value is quoted with its control and invisible characters escaped, and cut where it is long.
public typealias PriceTagError = CodedError<PriceTagErrorCode>

/// The kinds of a ``PriceTagError``, by their stable names.
public enum PriceTagErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
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
