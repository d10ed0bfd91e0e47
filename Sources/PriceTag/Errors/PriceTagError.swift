/// The error type of this module: what was wrong, where, and how to fix it.
///
/// Programs use the stable `code`, and people read the `description` in one line:
///
///     do { _ = try Amount(decimal: "1,234.5") } catch { print(error) }
///     // "1,234.5" is not a decimal amount; write ASCII digits with an optional sign and fraction, such as 1234.50
///
/// Quoted values have their control and invisible characters escaped, and long values are cut.
public typealias PriceTagError = CodedError<PriceTagErrorCode>

/// The stable codes of a ``PriceTagError``.
public enum PriceTagErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// Text that is not a decimal amount, such as `1e9`.
  case malformedAmount = "malformed-amount"
  /// An amount or result with more digits than an ``Amount`` holds.
  case amountOutOfRange = "amount-out-of-range"
  /// An amount with more digits than are displayed, under `RoundingMode.exact`.
  case needsRounding = "needs-rounding"
  /// Text that is neither an ISO 4217 currency code nor a custom one.
  case unknownCurrency = "unknown-currency"
  /// Two different currencies in one operation. Prices are never converted.
  case currencyMismatch = "currency-mismatch"
  /// A price in another locale than the formatter's.
  case localeMismatch = "locale-mismatch"
  /// A currency whose minor unit ISO 4217 does not define.
  case noMinorUnit = "no-minor-unit"
  /// A payment provider that is not in the data.
  case unknownProvider = "unknown-provider"
  /// Text that is not a BCP 47 tag.
  case malformedLocale = "malformed-locale"
  /// A locale that ICU has no data for.
  case unknownLocale = "unknown-locale"
  /// A locale extension that would change a price and is not allowed.
  case unexpectedExtension = "unexpected-extension"
  /// A storefront that is not in the registry.
  case unknownStorefront = "unknown-storefront"
  /// A price without a storefront, and without both a price locale and a currency.
  case missingStorefront = "missing-storefront"
  /// Text that is not a date, or a date that does not exist.
  case malformedDate = "malformed-date"
  /// Text that is not an instant, or an instant outside the years 1 to 9999.
  case malformedInstant = "malformed-instant"
  /// A storefront without a time zone, or with one that ICU does not have.
  case unknownTimeZone = "unknown-time-zone"
  /// Text that is not an ISO 8601 duration of days, weeks, months or years.
  case malformedPeriod = "malformed-period"
  /// Text that is not the content of a product, or not a reference for unit prices.
  case malformedContent = "malformed-content"
  /// A content and a reference for unit prices that measure different things, or belong to different systems of units.
  case unitMismatch = "unit-mismatch"
  /// An option outside its range.
  case invalidOption = "invalid-option"
  /// A locale data file that is missing, unreadable or wrong.
  case invalidLocaleData = "invalid-locale-data"
  /// A pack that cannot be read, is damaged, or has a layout of another version.
  case invalidPack = "invalid-pack"
  /// A price that a pack cannot format: it lacks the storefront, the price locale, the currency, the style or the form.
  case missingFromPack = "missing-from-pack"
  /// A storefront for which the pack and the locale data have different currencies or price locales.
  case packMismatch = "pack-mismatch"
  /// A buffer that is too small for a price.
  case bufferTooSmall = "buffer-too-small"
  /// An unexpected failure of ICU.
  case formattingFailed = "formatting-failed"
}
