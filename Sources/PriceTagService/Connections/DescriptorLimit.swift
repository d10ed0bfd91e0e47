import Logging

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many file descriptors the process may have.
enum DescriptorLimit {
  /// What the service needs beside its connections: the log, the listening sockets, the catalog, files that are read.
  private static let ownCount = 64

  /// The limit; `nil` where there is none.
  static var current: Int? {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur != rlim_t.max else { return nil }
    return Int(clamping: limit.rlim_cur)
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
