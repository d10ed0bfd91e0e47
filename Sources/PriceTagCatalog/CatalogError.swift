import PriceTag
import PriceTagText

/// What was wrong with a catalogue, a file of products, a list of identifiers or a request; where; and what to do.
///
/// Every failure of this module is one of these. `code` is stable, for programs; `description` is one line, for
/// people:
///
///     // shop.storekit, line 12, product "com.example.level1": 1.995 USD has more digits than …
public typealias CatalogError = CodedError<CatalogErrorCode>

/// The kinds of a ``CatalogError``, by their stable names.
public enum CatalogErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// A file that is missing or cannot be read.
  case unreadableFile = "unreadable-file"
  /// A file that cannot be written.
  case unwritableFile = "unwritable-file"
  /// A file whose format is not known.
  case unknownFormat = "unknown-format"
  /// A file of a version that is not known.
  case unknownVersion = "unknown-version"
  /// A file that breaks the rules of its format.
  case malformedFile = "malformed-file"
  /// A file, a line or a list that is larger than is read.
  case tooLarge = "too-large"
  /// A field that is missing, of the wrong type or misspelt.
  case invalidField = "invalid-field"
  /// An identifier that no product can have.
  case malformedIdentifier = "malformed-identifier"
  /// A product, a tier or an identifier that stands twice.
  case duplicate
  /// A language tag that is not known.
  case unknownLanguage = "unknown-language"
  /// A territory that is no storefront.
  case unknownStorefront = "unknown-storefront"
  /// A price without a storefront, where none can be known.
  case missingStorefront = "missing-storefront"
  /// A file that names another storefront than the import's options.
  case storefrontMismatch = "storefront-mismatch"
  /// A code that is no currency.
  case unknownCurrency = "unknown-currency"
  /// A currency that is not the storefront's. Nothing converts.
  case currencyMismatch = "currency-mismatch"
  /// A text that is no amount, or one below zero.
  case malformedAmount = "malformed-amount"
  /// A price with more digits than its currency has.
  case tooManyDigits = "too-many-digits"
  /// Prices of one storefront that contradict each other.
  case conflictingPrices = "conflicting-prices"
  /// A date that the calendar does not have, or a period that ends before it starts.
  case malformedDate = "malformed-date"
  /// A product, an offer or a price of a kind that cannot be kept.
  case notRepresentable = "not-representable"
  /// A list of identifiers that could not be fetched.
  case fetchFailed = "fetch-failed"
  /// A file without a product, a tier or a group.
  case emptyFile = "empty-file"
  /// No thread can be started any more, or no file opened.
  case outOfResources = "out-of-resources"
  /// A catalogue that cannot be opened, read or written.
  case databaseFailed = "database-failed"
  /// Identifiers of a request that no product can be shown for, in development mode.
  case invalidProductIdentifiers = "invalid-product-identifiers"
  /// Words of the response that could not be written.
  case stringsFailed = "strings-failed"
  /// A request that makes no sense.
  case invalidRequest = "invalid-request"
  /// Work that a host ended because it took or wrote too much.
  case interrupted
}

extension CatalogError {
  /// The code of what the core found wrong.
  package init(_ error: PriceTagError) {
    let code: Code =
      switch error.code {
      case .unknownStorefront: .unknownStorefront
      case .unknownCurrency: .unknownCurrency
      case .currencyMismatch: .currencyMismatch
      case .malformedAmount, .amountOutOfRange: .malformedAmount
      case .needsRounding: .tooManyDigits
      case .malformedDate: .malformedDate
      default: .invalidField
      }
    self.init(code, error)
  }

  /// What is wrong with JSON.
  ///
  /// - Parameter firstLine: The line of the file that the JSON starts on.
  package init(_ error: JSONError, firstLine: Int = 1) {
    self.init(
      .malformedFile,
      error.problem,
      fix: "correct the JSON",
      place: error.place(firstLine: firstLine)
    )
  }
}
