import Synchronization

/// A cache for the answers of one snapshot.
///
/// Sendable notes: a lock protects the stored answers. Answers are computed outside the lock.
final class AnswerCache: Sendable {
  private struct StoredAnswers {
    var answers: [String: Answer] = [:]
    var previous: [String: Answer] = [:]
    var byteCount = 0
  }

  private let stored = Mutex(StoredAnswers())
  private let maximumByteCount: Int

  /// Creates a cache.
  ///
  /// - Parameter maximumByteCount: The maximum size. When the answers requested most recently take half of it, the
  ///   others are dropped.
  init(maximumByteCount: Int = 64 << 20) {
    self.maximumByteCount = maximumByteCount
  }

  subscript(key: String) -> Answer? {
    stored.withLock { stored in
      if let answer = stored.answers[key] { return answer }
      guard let answer = stored.previous[key] else { return nil }
      Self.store(answer, for: key, in: &stored, maximumByteCount)
      return answer
    }
  }

  /// Stores an answer if it takes at most half of the cache, and sets its ``Answer/isStored``.
  func store(_ answer: inout Answer, for key: String) {
    answer.isStored = answer.byteCount + key.utf8.count <= maximumByteCount / 2
    let stored = answer
    if answer.isStored { self.stored.withLock { Self.store(stored, for: key, in: &$0, maximumByteCount) } }
  }

  private static func store(
    _ answer: Answer,
    for key: String,
    in stored: inout StoredAnswers,
    _ maximumByteCount: Int
  ) {
    let byteCount = answer.byteCount + key.utf8.count
    guard stored.answers[key] == nil else { return }
    if stored.byteCount + byteCount > maximumByteCount / 2 {
      stored.previous = stored.answers
      (stored.answers, stored.byteCount) = ([:], 0)
    }
    stored.answers[key] = answer
    stored.byteCount += byteCount
  }
}
