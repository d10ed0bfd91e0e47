import Synchronization

/// Whether the service begins to stop, and every connection that has to know of it.
///
/// Sendable notes: everything that changes is atomic or under a lock.
package final class ServiceDrain: Sendable {
  private let isOn = Atomic(false)
  private let connections = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

  /// Whether the service has begun to stop.
  package var hasBegun: Bool { isOn.load(ordering: .acquiring) }

  /// A service that goes on.
  package init() {}

  /// Makes the next response of every connection its last.
  package func begin() {
    isOn.store(true, ordering: .releasing)
    for begin in connections.withLock({ Array($0.values) }) { begin() }
  }

  /// Adds a connection.
  ///
  /// - Parameter begin: Called from any thread once the service begins to stop.
  func add(_ connection: ObjectIdentifier, _ begin: @escaping @Sendable () -> Void) {
    connections.withLock { $0[connection] = begin }
  }

  /// Forgets a connection.
  func remove(_ connection: ObjectIdentifier) {
    _ = connections.withLock { $0.removeValue(forKey: connection) }
  }
}
