import PriceTag

/// Why a batch could not be done: nothing of it is in the output. What is wrong with a single row is no such error, but
/// a `BatchReject`.
public typealias BatchError = CodedError<BatchErrorCode>

/// The kinds of a ``BatchError``, by their stable names.
public enum BatchErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// An input that is missing, cannot be read, or is damaged (a gzip file that ends early).
  case unreadableInput = "unreadable-input"
  /// An output that cannot be written.
  case unwritableOutput = "unwritable-output"
  /// An input in UTF-16 or UTF-32.
  case notUTF8 = "not-utf8"
  /// An input whose rows cannot be told apart any more.
  case malformedInput = "malformed-input"
  /// A header of CSV that is broken, names a column twice, or has no column that a price could be read from.
  case malformedHeader = "malformed-header"
  /// A column that the batch would write is there, and replacing it was not asked for.
  case fieldExists = "field-exists"
  /// A row that is set aside, where the first one ends the batch.
  case setAside = "set-aside"
  /// There is no memory left, or no thread.
  case outOfResources = "out-of-resources"
  /// A catalogue that cannot be read, or words that it needs and that are missing.
  case catalogFailed = "catalog-failed"
  /// An option that makes no sense.
  case invalidOption = "invalid-option"
}
