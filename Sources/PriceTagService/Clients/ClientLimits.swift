import NIOCore
import Synchronization

/// Limits the connections and the request rate of each client.
///
/// A token bucket that holds the requests of one second limits the rate. Memory is bounded: beyond
/// ``maximumRememberedClients`` the least recently seen clients are forgotten and start with a full bucket again.
///
/// Sendable notes: a lock protects all mutable state.
final class ClientLimits: Sendable {
  /// The maximum number of clients with a stored bucket.
  static let maximumRememberedClients = 1 << 17

  private struct Bucket {
    var tokens: Double
    var filled: NIODeadline
  }

  private struct State {
    var connections: [ClientAddress: Int] = [:]
    var buckets: RecentValues<ClientAddress, Bucket>
  }

  /// The maximum number of connections of a client; 0 for no limit.
  let maximumConnections: Int
  /// The maximum number of requests of a client per second; 0 for no limit.
  let requestsPerSecond: Int
  let proxies: TrustedProxies
  private let state: Mutex<State>

  init(
    maximumConnections: Int,
    requestsPerSecond: Int,
    proxies: TrustedProxies,
    rememberedClients: Int = ClientLimits.maximumRememberedClients
  ) {
    (self.maximumConnections, self.requestsPerSecond) = (maximumConnections, requestsPerSecond)
    self.proxies = proxies
    state = Mutex(State(buckets: RecentValues(maximumCost: rememberedClients)))
  }

  // MARK: Connections

  /// Counts a new connection if the client may open it, and returns whether it may.
  ///
  /// A trusted proxy has no limit, because its connections carry the requests of many clients.
  func openConnection(of peer: ClientAddress) -> Bool {
    guard maximumConnections > 0, !proxies.contains(peer) else { return true }
    return state.withLock { state in
      let count = state.connections[peer.network, default: 0]
      guard count < maximumConnections else { return false }
      state.connections[peer.network] = count + 1
      return true
    }
  }

  /// Counts a closed connection, which ``openConnection(of:)`` must have allowed.
  func closeConnection(of peer: ClientAddress) {
    guard maximumConnections > 0, !proxies.contains(peer) else { return }
    state.withLock { state in
      let count = state.connections[peer.network, default: 0]
      state.connections[peer.network] = count > 1 ? count - 1 : nil
    }
  }

  // MARK: Requests

  /// Takes one request from the client's bucket.
  ///
  /// - Returns: `nil` if the client may make the request; otherwise the seconds until its next request is allowed.
  func takeRequest(of client: ClientAddress, at now: NIODeadline) -> Int? {
    guard requestsPerSecond > 0 else { return nil }
    let rate = Double(requestsPerSecond)
    return state.withLock { state in
      var bucket = state.buckets.value(for: client.network) ?? Bucket(tokens: rate, filled: now)
      let nanoseconds = max(0, (now - bucket.filled).nanoseconds)
      bucket.tokens = min(rate, bucket.tokens + Double(nanoseconds) / 1_000_000_000 * rate)
      bucket.filled = now
      let isAllowed = bucket.tokens >= 1
      if isAllowed { bucket.tokens -= 1 }
      state.buckets.store(bucket, for: client.network)
      return isAllowed ? nil : max(1, Int(((1 - bucket.tokens) / rate).rounded(.up)))
    }
  }

  /// The number of stored buckets.
  var rememberedCount: Int { state.withLock { $0.buckets.count } }
  /// The number of open connections.
  var connectionCount: Int { state.withLock { $0.connections.values.reduce(0, +) } }
}
