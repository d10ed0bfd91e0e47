import PriceTag

/// An error from reading a displayed price.
///
/// Every error that this module throws has this type. `code` is stable, for programs; `description` is one line, for
/// people:
///
///     do { _ = try PriceReader(storefront: Storefront("DEU")).read("4.99 €") } catch { print(error) }
///     // "4.99 €" is not how de-DE writes 4.99 EUR: it differs at character 2 (U+002E FULL STOP); write "4,99\u{A0}€"
public typealias ReadingError = CodedError<ReadingErrorCode>

/// The codes of a ``ReadingError``.
public enum ReadingErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// The text has no digits or several numbers.
  case notAPrice = "not-a-price"
  /// The number has digits of several scripts, or groups of a size that no locale has.
  case malformedNumber = "malformed-number"
  /// The text could be several amounts.
  case ambiguousNumber = "ambiguous-number"
  /// The text names no known currency.
  case unknownCurrency = "unknown-currency"
  /// The symbol belongs to several currencies.
  case ambiguousCurrency = "ambiguous-currency"
  /// The price locale writes the price differently, or the text is not a price of its currency.
  case notAsWritten = "not-as-written"
  /// The price is in a compact notation, which may not show every digit of its amount, or the reader's style is.
  case compactNotation = "compact-notation"
  /// The amount has more digits than an `Amount` can hold.
  case amountOutOfRange = "amount-out-of-range"
  /// The text has more than 4,096 bytes.
  case textTooLong = "text-too-long"
  /// A formatter cannot be created.
  case formattingFailed = "formatting-failed"
}
