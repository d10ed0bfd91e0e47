import PriceTag

/// Why a service cannot start, or cannot serve a new catalogue: the old one is served on then.
///
/// Every failure of this module is one of these. `code` is stable, for programs; `description` is one line, for people:
///
///     do { _ = try ServiceSettings(flags: [.port: "80a"]) } catch { print(error) }
///     // --port: "80a" is no whole number: give one from 0 to 65535
public typealias ServiceError = CodedError<ServiceErrorCode>

/// The kinds of a ``ServiceError``, by their stable names.
public enum ServiceErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// A setting that nobody knows, or whose value makes no sense.
  case invalidSetting = "invalid-setting"
  /// A file that cannot be read: a configuration, a certificate or its key.
  case unreadableFile = "unreadable-file"
  /// A catalogue that cannot be read, or that has no products in the place of one that had some.
  case catalogFailed = "catalog-failed"
  /// An address that cannot be listened at.
  case cannotListen = "cannot-listen"
  /// The disk, or the memory, is full.
  case outOfResources = "out-of-resources"
}
