import Synchronization

/// A number of bytes that all requests share: of memory for bodies and responses, or of disk space for spooled output.
final class ByteBudget: Sendable {
  private let limit: Int
  private let used = Atomic(0)

  /// Creates a budget of `limit` bytes.
  init(limit: Int) { self.limit = limit }

  /// The number of reserved bytes.
  var usedByteCount: Int { used.load(ordering: .relaxed) }

  /// Whether all bytes are reserved.
  var isSpent: Bool { usedByteCount >= limit }

  /// Reserves bytes and returns true; reserves none and returns false if too few are left.
  func reserve(_ byteCount: Int) -> Bool {
    let (_, total) = used.add(byteCount, ordering: .relaxed)
    if total <= limit { return true }
    used.subtract(byteCount, ordering: .relaxed)
    return false
  }

  /// Returns reserved bytes to the budget.
  func release(_ byteCount: Int) { used.subtract(byteCount, ordering: .relaxed) }
}

/// The bytes that a request has reserved. They are released with the object.
///
/// Sendable notes: belongs to a single request, whose parts arrive one after the other.
final class BufferReservation: @unchecked Sendable {
  private let budget: ByteBudget
  private(set) var byteCount = 0

  /// Creates an empty reservation.
  init(_ budget: ByteBudget) { self.budget = budget }

  deinit { budget.release(byteCount) }

  /// Changes the size of the reservation and returns true; returns false and changes nothing if the budget has too few
  /// bytes left.
  func resize(to newCount: Int) -> Bool {
    if newCount > byteCount {
      guard budget.reserve(newCount - byteCount) else { return false }
    } else {
      budget.release(byteCount - newCount)
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
