import Synchronization

/// Notifies the connections when the service begins to stop.
///
/// Mutable state is atomic or protected by a lock.
package final class ServiceDrain: Sendable {
  private let isOn = Atomic(false)
  private let connections = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

  /// Whether the service has begun to stop.
  package var hasBegun: Bool { isOn.load(ordering: .acquiring) }

  /// Creates the drain of a running service.
  package init() {}

  /// Notifies all connections, which close after their next response.
  package func begin() {
    isOn.store(true, ordering: .releasing)
    for begin in connections.withLock({ Array($0.values) }) { begin() }
  }

  /// Adds a connection.
  ///
  /// - Parameter begin: Called when the service begins to stop, on any thread.
  func add(_ connection: ObjectIdentifier, _ begin: @escaping @Sendable () -> Void) {
    connections.withLock { $0[connection] = begin }
  }

  /// Removes a connection.
  func remove(_ connection: ObjectIdentifier) {
    _ = connections.withLock { $0.removeValue(forKey: connection) }
  }
}
