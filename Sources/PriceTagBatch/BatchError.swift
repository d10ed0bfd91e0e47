import PriceTag

/// An error that ends a batch. A problem of a single row is a ``BatchReject``.
public typealias BatchError = CodedError<BatchErrorCode>

/// The kinds of ``BatchError``, with stable raw values.
public enum BatchErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// The input is missing, cannot be read, or is damaged (such as a gzip file that ends early).
  case unreadableInput = "unreadable-input"
  /// The output cannot be written.
  case unwritableOutput = "unwritable-output"
  /// The input is UTF-16 or UTF-32.
  case notUTF8 = "not-utf8"
  /// The input cannot be separated into rows, because of a quote that is not closed, a row of more than 1 GB, or a JSON
  /// array with a comma too few or too many, or without an end.
  case malformedInput = "malformed-input"
  /// The CSV header is malformed, has a column twice, or lacks a column that a price needs or an option names.
  case malformedHeader = "malformed-header"
  /// The input already has a column that the batch would write, and `BatchOptions.overwrites` is false.
  case fieldExists = "field-exists"
  /// A row was rejected, and `BatchOptions.isStrict` is true.
  case rejected = "rejected"
  /// There is not enough memory.
  case outOfResources = "out-of-resources"
  /// The catalog cannot be read, or UI strings that it needs are missing.
  case catalogFailed = "catalog-failed"
  /// An option is invalid.
  case invalidOption = "invalid-option"
}
