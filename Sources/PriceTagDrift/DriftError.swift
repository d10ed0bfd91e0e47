import PriceTag

/// Why a display could not be read back, or a golden not be made or checked.
///
/// Every failure of this module is one of these. `code` is stable, for programs; `description` is one line, for people:
///
///     do { _ = try PriceReader(storefront: Storefront("DEU")).read("4.99 €") } catch { print(error) }
///     // "4.99 €" is not how de-DE writes 4.99 EUR: write "4,99\u{A0}€", or read it leniently
public typealias DriftError = CodedError<DriftErrorCode>

/// The kinds of a ``DriftError``, by their stable names.
public enum DriftErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// A text without digits, or with several numbers.
  case notAPrice = "not-a-price"
  /// Digits of several scripts, or groups of a size that no locale has.
  case malformedNumber = "malformed-number"
  /// A separator that could stand before a fraction or between groups.
  case ambiguousNumber = "ambiguous-number"
  /// A text that names no currency that is known.
  case unknownCurrency = "unknown-currency"
  /// A symbol that several currencies have.
  case ambiguousCurrency = "ambiguous-currency"
  /// A price that can be read, but is not written as its price locale writes it.
  case notAsWritten = "not-as-written"
  /// An amount of more digits than an `Amount` holds.
  case amountOutOfRange = "amount-out-of-range"
  /// A file that cannot be read.
  case unreadableFile = "unreadable-file"
  /// A file that cannot be written.
  case unwritableFile = "unwritable-file"
  /// A golden whose header is wrong, or of a version that is not known.
  case malformedGolden = "malformed-golden"
  /// A line of a golden that is none: it is set aside.
  case malformedLine = "malformed-line"
  /// A row of a shop's own displays that is wrong: it is set aside.
  case malformedRow = "malformed-row"
  /// A catalogue, its words or its prices that cannot be read.
  case catalogFailed = "catalog-failed"
  /// A formatter that could not be made.
  case formattingFailed = "formatting-failed"
}
