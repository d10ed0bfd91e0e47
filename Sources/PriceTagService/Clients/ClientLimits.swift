import NIOCore
import Synchronization

/// What each client may do: how many connections it may have, and how many requests it may make in a second.
///
/// Requests are counted with a token bucket that holds one second's requests. Memory is bounded: beyond
/// ``clientLimit`` clients the ones that were seen longest ago start with a full bucket again.
///
/// Sendable notes: everything that changes is under a lock.
final class ClientLimits: Sendable {
  /// How many clients are remembered.
  static let clientLimit = 1 << 17

  private struct Bucket {
    var tokens: Double
    var filled: NIODeadline
  }

  private struct State {
    var connections: [ClientAddress: Int] = [:]
    var recent: [ClientAddress: Bucket] = [:]
    var older: [ClientAddress: Bucket] = [:]
  }

  /// The connections of a client; 0 for no limit.
  let maximumConnections: Int
  /// The requests of a client in a second; 0 for no limit.
  let requestsPerSecond: Int
  let proxies: TrustedProxies
  private let state = Mutex(State())
  private let rememberedClients: Int

  init(
    maximumConnections: Int,
    requestsPerSecond: Int,
    proxies: TrustedProxies,
    rememberedClients: Int = ClientLimits.clientLimit
  ) {
    (self.maximumConnections, self.requestsPerSecond) = (maximumConnections, requestsPerSecond)
    (self.proxies, self.rememberedClients) = (proxies, rememberedClients)
  }

  // MARK: Connections

  /// Counts a connection that opens; says whether the client may have it. One that it may not have is not counted.
  ///
  /// The connections of a trusted proxy are those of many clients: they have no limit.
  func openConnection(of peer: ClientAddress) -> Bool {
    guard maximumConnections > 0, !proxies.contains(peer) else { return true }
    return state.withLock { state in
      let count = state.connections[peer.network, default: 0]
      guard count < maximumConnections else { return false }
      state.connections[peer.network] = count + 1
      return true
    }
  }

  /// Counts a connection that closes, if it was counted when it opened.
  func closeConnection(of peer: ClientAddress) {
    guard maximumConnections > 0, !proxies.contains(peer) else { return }
    state.withLock { state in
      let count = state.connections[peer.network, default: 0]
      state.connections[peer.network] = count > 1 ? count - 1 : nil
    }
  }

  // MARK: Requests

  /// Takes a request of a client.
  ///
  /// - Returns: `nil` where the client may make it; else the seconds after which it may make one again.
  func takeRequest(of client: ClientAddress, at now: NIODeadline) -> Int? {
    guard requestsPerSecond > 0 else { return nil }
    let rate = Double(requestsPerSecond)
    return state.withLock { state in
      var bucket =
        state.recent[client.network] ?? state.older[client.network] ?? Bucket(tokens: rate, filled: now)
      let nanoseconds = max(0, (now - bucket.filled).nanoseconds)
      bucket.tokens = min(rate, bucket.tokens + Double(nanoseconds) / 1_000_000_000 * rate)
      bucket.filled = now
      let isAllowed = bucket.tokens >= 1
      if isAllowed { bucket.tokens -= 1 }
      // Half of the memory for the clients that were seen since, half for those before.
      if state.recent.count >= rememberedClients / 2, state.recent[client.network] == nil {
        (state.older, state.recent) = (state.recent, [:])
      }
      state.recent[client.network] = bucket
      return isAllowed ? nil : max(1, Int(((1 - bucket.tokens) / rate).rounded(.up)))
    }
  }

  /// How many clients are remembered now.
  var rememberedCount: Int { state.withLock { $0.recent.count + $0.older.count } }
  /// How many connections are counted now.
  var connectionCount: Int { state.withLock { $0.connections.values.reduce(0, +) } }
}
