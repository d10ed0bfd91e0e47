import HTTPTypes
import Synchronization

/// A cache for the answers of one snapshot.
///
/// Sendable notes: locks protect the stored answers and the computations. Answers are computed outside the locks.
final class AnswerCache: Sendable {
  /// The computation of an answer, and the number of requests that wait for it.
  private struct Computation {
    let task: Task<Answer, any Error>
    var requestCount = 1
  }

  private let stored: Mutex<RecentValues<String, Answer>>
  private let computations = Mutex<[String: Computation]>([:])
  private let maximumByteCount: Int

  /// Creates a cache.
  ///
  /// - Parameter maximumByteCount: The maximum size. When the answers requested most recently take half of it, the
  ///   others are dropped.
  init(maximumByteCount: Int) {
    self.maximumByteCount = maximumByteCount
    stored = Mutex(RecentValues(maximumCost: maximumByteCount))
  }

  subscript(key: String) -> Answer? { stored.withLock { $0.value(for: key) } }

  /// Stores an answer if it takes at most half of the cache, and sets its ``Answer/isStored``.
  func store(_ answer: inout Answer, for key: String) {
    let cost = answer.byteCount + key.utf8.count
    answer.isStored = cost <= maximumByteCount / 2
    let new = answer
    if new.isStored { stored.withLock { $0.store(new, for: key, cost: cost) } }
  }

  /// Computes an answer once for all requests that wait for it. The computation is canceled with the last of them.
  ///
  /// If it fails only because of the request that started it, which was refused or canceled, the next request starts it
  /// again.
  func shared(
    _ key: String,
    _ compute: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    while true {
      let (task, isOwn) = computations.withLock { computations -> (Task<Answer, any Error>, Bool) in
        if let task = computations[key]?.task {
          computations[key]?.requestCount += 1
          return (task, false)
        }
        // A task of its own, which is not canceled with the request.
        let task = Task { try await compute() }
        computations[key] = Computation(task: task)
        return (task, true)
      }
      let result = await withTaskCancellationHandler {
        await task.result
      } onCancel: {
        leave(task, key)
      }
      computations.withLock { if $0[key]?.task == task { $0[key] = nil } }
      if case .failure(let error) = result, !isOwn, !Task.isCancelled,
        error is CancellationError || (error as? Problem)?.isOfOneRequest == true
      {
        continue
      }
      return try result.get()
    }
  }

  /// The number of requests that wait for the computation of an answer.
  func requestCount(of key: String) -> Int { computations.withLock { $0[key]?.requestCount ?? 0 } }

  private func leave(_ task: Task<Answer, any Error>, _ key: String) {
    let isLast = computations.withLock { computations -> Bool in
      guard computations[key]?.task == task else { return false }
      computations[key]?.requestCount -= 1
      guard computations[key]?.requestCount == 0 else { return false }
      computations[key] = nil
      return true
    }
    if isLast { task.cancel() }
  }
}

extension Problem {
  /// Whether other requests for the same answer may succeed: this one was refused, or its client has left.
  fileprivate var isOfOneRequest: Bool {
    status == .serviceUnavailable || status == Problem(.canceled).status
  }
}
