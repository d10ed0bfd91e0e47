import PriceTag

/// An error from recording or checking a golden file, or from comparing packs.
///
/// Every error that this module throws has this type. `code` is stable, for programs; `description` is one line, for
/// people:
///
///     do { _ = try GoldenFile(path: "shop.json") } catch { print(error) }
///     // shop.json, line 1: not a golden file; use a golden file that pricetag record wrote
public typealias DriftError = CodedError<DriftErrorCode>

/// The codes of a ``DriftError``.
public enum DriftErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// A file cannot be read.
  case unreadableFile = "unreadable-file"
  /// A file cannot be written.
  case unwritableFile = "unwritable-file"
  /// A golden file has an invalid header or an unsupported version.
  case malformedGoldenFile = "malformed-golden"
  /// A line of a golden file is invalid and was rejected.
  case malformedLine = "malformed-line"
  /// A row of a shop's own displays is invalid and was rejected.
  case malformedRow = "malformed-row"
  /// A catalog, its UI strings, or its prices cannot be read.
  case catalogFailed = "catalog-failed"
  /// A pack is damaged, or has contents that this version of PriceTag does not have.
  case invalidPack = "invalid-pack"
  /// A formatter cannot be created.
  case formattingFailed = "formatting-failed"
}
