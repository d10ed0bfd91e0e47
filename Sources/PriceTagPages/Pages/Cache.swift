import Synchronization

/// Values that threads share.
///
/// It is `Sendable` because a lock protects the values. They are created outside the lock.
final class Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values = Mutex<[Key: Value]>([:])
  /// The number of values at which the cache is emptied.
  private let limit: Int

  init(limit: Int = .max) { self.limit = limit }

  /// The stored values, in any order.
  var all: [Value] { values.withLock { Array($0.values) } }

  /// Returns the value of a key, which is created if it is not stored.
  func value<Failure: Error>(
    of key: Key,
    _ create: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if let stored = values.withLock({ $0[key] }) { return stored }
    let new = try create()
    values.withLock { values in
      if values.count >= limit { values = [:] }
      values[key] = new
    }
    return new
  }
}
