import PriceTag
import PriceTagSystem
import PriceTagText

/// An error of this module: what was wrong, where, and how to fix it.
///
/// Programs test the stable `code`. `description` is one line for people:
///
///     // shop.storekit, line 12, product "com.example.level1": 1.995 USD has more decimals than …
public typealias CatalogError = CodedError<CatalogErrorCode>

/// The stable codes of a ``CatalogError``.
public enum CatalogErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// A file is missing or cannot be read.
  case unreadableFile = "unreadable-file"
  /// A file cannot be written.
  case unwritableFile = "unwritable-file"
  /// The format of a file is unknown.
  case unknownFormat = "unknown-format"
  /// The version of a file is unknown.
  case unknownVersion = "unknown-version"
  /// A file violates the rules of its format.
  case malformedFile = "malformed-file"
  /// A file, a line or a list exceeds a size limit.
  case tooLarge = "too-large"
  /// A field is missing, misspelled or of the wrong type.
  case invalidField = "invalid-field"
  /// A product identifier is malformed.
  case malformedIdentifier = "malformed-identifier"
  /// A product, a tier or an identifier appears twice.
  case duplicate
  /// A language tag is unknown.
  case unknownLanguage = "unknown-language"
  /// A storefront is unknown.
  case unknownStorefront = "unknown-storefront"
  /// A price has no storefront, and the file and the import's options name none.
  case missingStorefront = "missing-storefront"
  /// A file and the import's options name different storefronts.
  case storefrontMismatch = "storefront-mismatch"
  /// A currency code is unknown.
  case unknownCurrency = "unknown-currency"
  /// A currency that the storefront does not charge. PriceTag never converts currencies.
  case currencyMismatch = "currency-mismatch"
  /// An amount is malformed or negative.
  case malformedAmount = "malformed-amount"
  /// A price has more decimals than its currency.
  case tooManyDigits = "too-many-digits"
  /// The prices of a storefront contradict each other.
  case conflictingPrices = "conflicting-prices"
  /// A date does not exist, or a range of dates ends before it starts.
  case malformedDate = "malformed-date"
  /// A storefront without a time zone, or with one that ICU does not have.
  case unknownTimeZone = "unknown-time-zone"
  /// A catalog or a file format cannot represent a product, an offer or a price.
  case notRepresentable = "not-representable"
  /// A list of product identifiers could not be fetched.
  case fetchFailed = "fetch-failed"
  /// A file contains no product, tier or group.
  case emptyFile = "empty-file"
  /// The process cannot start another thread or open another file.
  case outOfResources = "out-of-resources"
  /// A catalog cannot be opened, read or written.
  case databaseFailed = "database-failed"
  /// A request in development mode has identifiers whose products cannot be shown.
  case invalidProductIdentifiers = "invalid-product-identifiers"
  /// UI strings of the response could not be formatted.
  case stringsFailed = "strings-failed"
  /// A request is invalid.
  case invalidRequest = "invalid-request"
  /// The host stopped the work because it exceeded its limit of time or output.
  case interrupted
}

extension CatalogError {
  /// Creates the catalog error for an error of the core module.
  package init(_ error: PriceTagError) {
    let code: Code =
      switch error.code {
      case .unknownStorefront: .unknownStorefront
      case .unknownCurrency: .unknownCurrency
      case .currencyMismatch: .currencyMismatch
      case .malformedAmount, .amountOutOfRange: .malformedAmount
      case .needsRounding: .tooManyDigits
      case .malformedDate: .malformedDate
      case .unknownTimeZone: .unknownTimeZone
      default: .invalidField
      }
    self.init(code, error)
  }

  /// Returns the error for a name that appears twice.
  package static func repeated(_ name: String) -> CatalogError {
    CatalogError(.duplicate, "\(quoted(name)) appears twice", fix: "remove one")
  }

  /// Creates an error for invalid JSON.
  package init(_ error: JSONError) {
    self.init(.malformedFile, error.problem, fix: "correct the JSON", place: error.place())
  }
}

/// Returns what a closure returns. Errors of the core module become errors of this module.
package func withCatalogErrors<Value>(
  _ read: () throws(PriceTagError) -> Value
) throws(CatalogError) -> Value {
  do throws(PriceTagError) { return try read() } catch { throw CatalogError(error) }
}
