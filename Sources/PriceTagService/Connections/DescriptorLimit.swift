import Logging
import PriceTagText

/// How many file descriptors the process may have.
enum DescriptorLimit {
  /// What the service needs beside its connections: the log, the listening sockets, the catalog, files that are read.
  private static let ownCount = 64

  /// The limit; `nil` where there is none.
  static var current: Int? {
    guard let limit = ResourceLimit.openFiles.current, limit < Int.max else { return nil }
    return limit
  }

  /// Warns where connections that are allowed could not be accepted.
  static func warn(_ logger: Logger, connections: Int, limit: Int? = current) {
    guard let limit, limit < connections + ownCount else { return }
    logger.warning(
      "the limit of file descriptors is lower than --max-connections needs; raise it (ulimit -n) or lower --max-connections",
      metadata: [
        "limit": .stringConvertible(limit), "needed": .stringConvertible(connections + ownCount),
        "maxConnections": .stringConvertible(connections),
      ]
    )
  }
}
