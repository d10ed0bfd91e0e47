import PriceTag
import PriceTagSystem
import Synchronization

/// Work that several threads do in pieces, with results in the order of the pieces.
///
/// Each thread takes a piece, processes it, waits until all earlier pieces are committed, and commits its result. There is
/// no queue, so memory is limited to one piece per thread.
package protocol OrderedPipeline: AnyObject, Sendable {
  /// The state of one thread: the current piece and its result.
  associatedtype Worker: AnyObject

  /// Creates the state of one thread. Called from all threads at once.
  func makeWorker() throws(BatchError) -> Worker
  /// Takes the next piece. Returns false at the end. Called from one thread at a time.
  func take(_ worker: Worker) throws(BatchError) -> Bool
  /// Processes a piece. Called from all threads at once.
  func process(_ worker: Worker) throws(BatchError)
  /// Writes the result of a piece. Called from one thread at a time, in the order of the pieces.
  func commit(_ worker: Worker) throws(BatchError)
  /// Ends a call of `take` that waits for input, after an error. May be called from any thread.
  func stop()
}

extension OrderedPipeline {
  /// Does all work with a number of threads. The first error ends it.
  package func run(jobs: Int) throws(BatchError) {
    let order = WorkOrder()
    // The calling thread is one of them.
    let threads = (1..<max(jobs, 1)).compactMap { _ in WorkThread { self.work(order) } }
    work(order)
    for thread in threads { thread.join() }
    if let failure = order.failure { throw failure }
  }

  private func work(_ order: WorkOrder) {
    var number = Int.max
    do throws(BatchError) {
      let worker = try makeWorker()
      while let taken = try order.take({ () throws(BatchError) in try take(worker) }, number: &number) {
        number = taken
        try process(worker)
        try order.inOrder(taken) { () throws(BatchError) in try commit(worker) }
      }
    } catch {
      order.fail(error, at: number)
      stop()
    }
  }
}

/// Numbers the pieces, and delays each commit until all earlier pieces are committed.
///
/// Sendable notes: the variables change under `commitLock`. The locks outlive all threads.
private final class WorkOrder: @unchecked Sendable {
  private let takenCount = Mutex(0)
  private let commitLock: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  /// Signaled after each commit, and after an error.
  private let commitCondition: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)
  private var committedCount = 0
  /// The error of the earliest piece. Earlier pieces are still committed.
  private var firstFailure: (number: Int, error: BatchError)?

  init() {
    pthread_mutex_init(commitLock, nil)
    pthread_cond_init(commitCondition, nil)
  }

  deinit {
    pthread_cond_destroy(commitCondition)
    pthread_mutex_destroy(commitLock)
    commitCondition.deallocate()
    commitLock.deallocate()
  }

  var failure: BatchError? {
    pthread_mutex_lock(commitLock)
    defer { pthread_mutex_unlock(commitLock) }
    return firstFailure?.error
  }

  func fail(_ error: BatchError, at number: Int) {
    pthread_mutex_lock(commitLock)
    defer { pthread_mutex_unlock(commitLock) }
    if firstFailure.map({ number < $0.number }) ?? true { firstFailure = (number, error) }
    pthread_cond_broadcast(commitCondition)
  }

  /// Takes a piece and returns its number; `nil` at the end, or after an error.
  ///
  /// - Parameter number: Set to the number of the piece, even if taking it fails.
  func take(_ body: () throws(BatchError) -> Bool, number: inout Int) throws(BatchError) -> Int? {
    try takenCount.withLock { (count) throws(BatchError) in
      number = count
      guard failure == nil, try body() else { return nil }
      count += 1
      return number
    }
  }

  /// Waits until all earlier pieces are committed, then calls `body`. Does not call it if an earlier piece has failed.
  func inOrder(_ number: Int, _ body: () throws(BatchError) -> Void) throws(BatchError) {
    pthread_mutex_lock(commitLock)
    defer { pthread_mutex_unlock(commitLock) }
    while committedCount != number {
      if let firstFailure, firstFailure.number < number { return }
      pthread_cond_wait(commitCondition, commitLock)
    }
    if let firstFailure, firstFailure.number < number { return }
    try body()
    committedCount += 1
    pthread_cond_broadcast(commitCondition)
  }
}
