import PriceTag
import PriceTagStrings
import PriceTagSystem
import PriceTagText

/// An error in an order: what was wrong, where, and how to fix it.
///
/// The place is the JSON pointer (RFC 6901) of the value, such as `/lines/0/unitPrice`. Programs test the stable `code`:
///
///     // /charged: the lines add up to 9.98 USD, but 9.99 USD was charged; correct the lines or the charged amount
public typealias ReceiptError = CodedError<ReceiptErrorCode>

/// The stable codes of a ``ReceiptError``.
public enum ReceiptErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// A file with orders cannot be read.
  case unreadableFile = "unreadable-file"
  /// The text is not JSON.
  case malformedJSON = "malformed-json"
  /// An order has too many lines, a text that is too long, or too many bytes.
  case tooLarge = "too-large"
  /// A value has none of the formats that are read as orders.
  case unknownFormat = "unknown-format"
  /// A field of the order is unknown.
  case unknownField = "unknown-field"
  /// A field is missing.
  case missingField = "missing-field"
  /// A field has the wrong type or an invalid value.
  case invalidField = "invalid-field"
  /// Text that is not a decimal amount, or an amount with too many digits.
  case malformedAmount = "malformed-amount"
  /// An amount has more decimals than the currency.
  case tooManyDecimals = "too-many-decimals"
  /// The amounts of an order do not add up to what was charged.
  case sumMismatch = "sum-mismatch"
  /// An amount has the wrong sign, or a part is larger than its whole.
  case contradictoryAmounts = "contradictory-amounts"
  /// The amount of a refund does not fit the state of the order.
  case invalidRefund = "invalid-refund"
  /// A transaction without a charge, or one that is not complete.
  case notAnOrder = "not-an-order"
  /// A storefront is unknown.
  case unknownStorefront = "unknown-storefront"
  /// An order has no storefront, and the options name none.
  case missingStorefront = "missing-storefront"
  /// A currency code is unknown.
  case unknownCurrency = "unknown-currency"
  /// A currency that the storefront does not charge on the date of the order. Amounts are never converted.
  case currencyMismatch = "currency-mismatch"
  /// Text that is not a date, or a date that does not exist.
  case malformedDate = "malformed-date"
  /// A language is unknown, or has no strings.
  case unknownLanguage = "unknown-language"
  /// An amount or a message could not be formatted.
  case formattingFailed = "formatting-failed"
  /// The catalog could not be read.
  case catalogFailed = "catalog-failed"
}

extension ReceiptError {
  /// Creates the error of this module for an error of the core module.
  init(_ error: PriceTagError) {
    let code: Code =
      switch error.code {
      case .unknownStorefront: .unknownStorefront
      case .unknownCurrency: .unknownCurrency
      case .currencyMismatch: .currencyMismatch
      case .malformedAmount, .amountOutOfRange: .malformedAmount
      case .needsRounding: .tooManyDecimals
      case .malformedDate: .malformedDate
      default: .formattingFailed
      }
    self.init(code, error)
  }

  /// Creates the error of this module for an error of the strings.
  init(_ error: StringsError) {
    let isLanguage = error.code == .unknownLanguage || error.code == .malformedLanguage
    self.init(isLanguage ? .unknownLanguage : .formattingFailed, error)
  }
}

/// Returns what a closure returns. Errors of the core module become errors at a JSON pointer.
func reading<Value>(
  _ pointer: String,
  _ read: () throws(PriceTagError) -> Value
) throws(ReceiptError) -> Value {
  do throws(PriceTagError) { return try read() } catch {
    let found = ReceiptError(error)
    throw ReceiptError(found.code, found.problem, fix: found.fix, place: pointer)
  }
}

/// Returns what a closure returns. Errors of the strings become errors of this module.
func readingStrings<Value>(_ read: () throws(StringsError) -> Value) throws(ReceiptError) -> Value {
  do throws(StringsError) { return try read() } catch { throw ReceiptError(error) }
}
