import Synchronization

/// Bytes that all requests share: of memory for their bodies and answers, or of disk for output that waits.
final class ByteBudget: Sendable {
  private let limit: Int
  private let used = Atomic(0)

  /// A budget of so many bytes.
  init(limit: Int) { self.limit = limit }

  /// The bytes that are reserved now.
  var usedByteCount: Int { used.load(ordering: .relaxed) }

  /// Whether no byte is left.
  var isSpent: Bool { usedByteCount >= limit }

  /// Reserves some bytes; false where there are not so many left, and none is reserved.
  func reserve(_ byteCount: Int) -> Bool {
    let (_, total) = used.add(byteCount, ordering: .relaxed)
    if total <= limit { return true }
    used.subtract(byteCount, ordering: .relaxed)
    return false
  }

  /// Gives reserved bytes back.
  func release(_ byteCount: Int) { used.subtract(byteCount, ordering: .relaxed) }
}

/// What one request has of the budget, given back when the last that holds it lets go.
///
/// Sendable notes: one request's, whose parts come one after the other.
final class BufferReservation: @unchecked Sendable {
  private let budget: ByteBudget
  private(set) var byteCount = 0

  /// A reservation of nothing.
  init(_ budget: ByteBudget) { self.budget = budget }

  deinit { budget.release(byteCount) }

  /// Makes the reservation larger or smaller; false where the budget has too little left, and it stays as it is.
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
  /// The memory for bodies and answers is taken.
  static let outOfBuffers = Problem(
    unavailable: "out-of-buffers",
    "other requests take all the memory for bodies and answers",
    fix: "try again in a second, or send less in one request"
  )
}
