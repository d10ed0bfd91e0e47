import Logging
import PriceTagHTTPGuard
import PriceTagSystem

/// The process's limit of file descriptors.
enum DescriptorLimit {
  /// The descriptors needed besides the connections: for the log, the listening sockets, the catalog, asset files, and
  /// connections that are refused or being closed.
  private static let reservedCount = 64 + OpenConnections.additionalCount

  /// The limit, or `nil`.
  static var current: Int? { ResourceLimit.openFiles.current.flatMap { $0 < Int.max ? $0 : nil } }

  /// Logs a warning if the limit is too low for the maximum number of connections.
  static func warn(_ logger: Logger, connections: Int, limit: Int? = current) {
    guard let limit, limit < connections + reservedCount else { return }
    logger.warning(
      "the limit of file descriptors is too low for --max-connections; raise it (ulimit -n) or lower --max-connections",
      metadata: [
        "limit": .stringConvertible(limit), "needed": .stringConvertible(connections + reservedCount),
        "maxConnections": .stringConvertible(connections),
      ]
    )
  }
}
