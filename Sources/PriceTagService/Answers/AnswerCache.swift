import Synchronization

/// Answers that were made before, of one catalogue: made again they would be the same.
///
/// Sendable notes: everything is kept under a lock, and made outside of it.
final class AnswerCache: Sendable {
  private struct Kept {
    var answers: [String: Answer] = [:]
    var older: [String: Answer] = [:]
    var byteCount = 0
  }

  private let kept = Mutex(Kept())
  private let mostBytes: Int

  /// A cache of so many bytes: half of them for what was asked for last.
  init(mostBytes: Int = 64 << 20) {
    self.mostBytes = mostBytes
  }

  subscript(key: String) -> Answer? {
    kept.withLock { kept in
      if let answer = kept.answers[key] { return answer }
      guard let answer = kept.older[key] else { return nil }
      Self.keep(answer, for: key, in: &kept, mostBytes)
      return answer
    }
  }

  /// Stores an answer, unless it is too large.
  func keep(_ answer: inout Answer, for key: String) {
    answer.isStored = answer.byteCount + key.utf8.count <= mostBytes / 2
    let stored = answer
    if stored.isStored { kept.withLock { Self.keep(stored, for: key, in: &$0, mostBytes) } }
  }

  private static func keep(_ answer: Answer, for key: String, in kept: inout Kept, _ mostBytes: Int) {
    let byteCount = answer.byteCount + key.utf8.count
    guard kept.answers[key] == nil else { return }
    if kept.byteCount + byteCount > mostBytes / 2 {
      kept.older = kept.answers
      (kept.answers, kept.byteCount) = ([:], 0)
    }
    kept.answers[key] = answer
    kept.byteCount += byteCount
  }
}
