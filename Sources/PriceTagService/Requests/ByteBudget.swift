import Synchronization

/// A number of bytes that all requests share: of memory for bodies and responses, or of disk space for spooled output.
///
/// When more than three quarters are reserved, a client's network may hold a quarter, so that others still find room.
///
/// Sendable notes: a lock protects the dictionary.
final class ByteBudget: Sendable {
  private let limit: Int
  private let used = Atomic(0)
  private let networks = Mutex<[ClientAddress: Int]>([:])

  /// Creates a budget of `limit` bytes.
  init(limit: Int) { self.limit = limit }

  /// The number of reserved bytes.
  var usedByteCount: Int { used.load(ordering: .relaxed) }

  /// Whether all bytes are reserved.
  var isSpent: Bool { usedByteCount >= limit }

  /// Reserves bytes and returns true; reserves none and returns false if too few are left.
  ///
  /// - Parameter network: The network of the client that holds the bytes; `nil` if they do not count for any.
  func reserve(_ byteCount: Int, for network: ClientAddress? = nil) -> Bool {
    let (_, total) = used.add(byteCount, ordering: .relaxed)
    let share = total > limit - limit / 4 ? limit / 4 : limit
    if total <= limit, network.map({ hold(byteCount, $0, limit: share) }) ?? true { return true }
    used.subtract(byteCount, ordering: .relaxed)
    return false
  }

  /// Returns reserved bytes to the budget.
  func release(_ byteCount: Int, for network: ClientAddress? = nil) {
    used.subtract(byteCount, ordering: .relaxed)
    if let network { _ = hold(-byteCount, network, limit: .max) }
  }

  /// Changes the number of bytes that a network holds, unless they become more than a limit.
  private func hold(_ change: Int, _ network: ClientAddress, limit: Int) -> Bool {
    networks.withLock { networks in
      let count = (networks[network] ?? 0) + change
      if count <= limit { networks[network] = count > 0 ? count : nil }
      return count <= limit
    }
  }
}

/// The bytes that a request has reserved. They are released with the object.
///
/// Sendable notes: belongs to a single request, whose parts arrive one after the other.
final class BufferReservation: @unchecked Sendable {
  private let budget: ByteBudget
  private let network: ClientAddress?
  private(set) var byteCount = 0

  /// Creates an empty reservation of a client.
  init(_ budget: ByteBudget, for network: ClientAddress? = ConnectionClient.current?.network) {
    (self.budget, self.network) = (budget, network)
  }

  deinit { budget.release(byteCount, for: network) }

  /// Changes the size of the reservation and returns true; returns false and changes nothing if the budget has too few
  /// bytes left.
  func resize(to newCount: Int) -> Bool {
    if newCount > byteCount {
      guard budget.reserve(newCount - byteCount, for: network) else { return false }
    } else {
      budget.release(byteCount - newCount, for: network)
    }
    byteCount = newCount
    return true
  }
}

extension Problem {
  /// The memory for bodies and responses is in use.
  static let outOfBuffers = Problem(
    unavailable: "out-of-buffers",
    "other requests use all memory for request bodies and responses",
    fix: "retry in a second, or send a smaller request"
  )
}
