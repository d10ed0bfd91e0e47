import Synchronization

/// The client of a connection: the network that its work and memory belong to, and whether it waits for a response.
///
/// Sendable notes: a lock protects all mutable state.
final class ConnectionClient: Sendable {
  /// The owner of waiting and running jobs, between whom they are divided.
  enum Share: Hashable, Sendable {
    case network(ClientAddress)
    /// A connection without a network: from a loopback address, for example of a proxy, or from a Unix domain socket.
    case connection(ObjectIdentifier)
  }

  /// The client of the connection whose requests the current task answers; `nil` without a connection.
  @TaskLocal static var current: ConnectionClient?

  private struct State {
    var network: ClientAddress?
    var isGone = false
    /// Cancels the job of the current request. A connection has one request, and a request one job, at a time.
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// The network of the current request's client; `nil` if the connection has a share of its own.
  var network: ClientAddress? { state.withLock { $0.network } }

  /// The owner of the current request's jobs.
  var share: Share { network.map { .network($0) } ?? .connection(ObjectIdentifier(self)) }

  /// Records the client of the next request.
  func beginRequest(from network: ClientAddress?) {
    state.withLock { ($0.network, $0.isGone) = (network, false) }
  }

  /// Records that a job begins to wait for its turn.
  ///
  /// - Parameter cancel: Called if the client leaves before ``endJob()``.
  /// - Returns: False if the client has left.
  func beginJob(_ cancel: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      if !state.isGone { state.cancel = cancel }
      return !state.isGone
    }
  }

  /// Records that the job has ended.
  func endJob() { state.withLock { $0.cancel = nil } }

  /// Cancels the job of the client, which does not wait for a response any more.
  func leave() {
    let cancel = state.withLock { state in
      state.isGone = true
      return state.cancel.take()
    }
    cancel?()
  }
}
