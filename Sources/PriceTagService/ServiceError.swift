import PriceTag

/// An error of a service: it cannot start, or it cannot serve a new catalog and keeps serving the previous one.
///
/// This module throws no other error type. `code` is stable, for programs; `description` is one line, for people:
///
///     do { _ = try ServiceConfiguration(await ServiceSettings(flags: [.port: "80a"])) } catch { print(error) }
///     // --port: "80a" is not an integer; use an integer from 0 to 65535
public typealias ServiceError = CodedError<ServiceErrorCode>

/// The codes of a ``ServiceError``. Raw values are stable.
public enum ServiceErrorCode: String, Hashable, Sendable, CaseIterable, Codable {
  /// A setting is unknown or has an invalid value.
  case invalidSetting = "invalid-setting"
  /// A configuration file, a certificate or its key cannot be read.
  case unreadableFile = "unreadable-file"
  /// A catalog cannot be read, or a new catalog has no products or less than half of those served.
  case catalogFailed = "catalog-failed"
  /// The service cannot listen on its address.
  case cannotListen = "cannot-listen"
  /// The disk or the memory is full.
  case outOfResources = "out-of-resources"
}
