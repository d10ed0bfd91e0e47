import PriceTag
import PriceTagText

/// Work that is cut into pieces, done by several threads, and put back in order.
///
/// Each thread takes a piece, works on it, waits for its turn, and hands over what it made: no piece waits in a queue,
/// so memory is what the threads hold.
package protocol OrderedWork: AnyObject, Sendable {
  /// What one thread works with: the piece that it has taken, and what it made of it.
  associatedtype Worker: AnyObject

  func makeWorker() throws(BatchError) -> Worker
  /// Takes the next piece; false where there is none. One thread at a time.
  func take(_ worker: Worker) throws(BatchError) -> Bool
  /// Does the work of a piece. All threads at once.
  func process(_ worker: Worker) throws(BatchError)
  /// Hands over what was made. One thread at a time, in the order that the pieces were taken in.
  func commit(_ worker: Worker) throws(BatchError)
  /// Lets a thread that waits for a piece give up, for something has failed. From any thread.
  func stop()
}

extension OrderedWork {
  /// Does all of the work, with so many threads; the first failure ends it.
  package func run(jobs: Int) throws(BatchError) {
    let order = WorkOrder()
    // This thread is one of them.
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
        try order.inTurn(taken) { () throws(BatchError) in try commit(worker) }
      }
    } catch {
      order.fail(error, at: number)
      stop()
    }
  }
}

/// Numbers the pieces, and lets each be handed over when all before it were.
///
/// Sendable notes: what changes is changed under one of the locks; those are used in place and outlive all threads.
private final class WorkOrder: @unchecked Sendable {
  private let taking: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private let handing: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
  private let turned: UnsafeMutablePointer<pthread_cond_t> = .allocate(capacity: 1)
  private var taken = 0
  private var turn = 0
  /// The failure of the earliest piece: what comes before it is handed over all the same.
  private var firstFailure: (number: Int, error: BatchError)?

  init() {
    pthread_mutex_init(taking, nil)
    pthread_mutex_init(handing, nil)
    pthread_cond_init(turned, nil)
  }

  deinit {
    pthread_cond_destroy(turned)
    pthread_mutex_destroy(handing)
    pthread_mutex_destroy(taking)
    turned.deallocate()
    handing.deallocate()
    taking.deallocate()
  }

  var failure: BatchError? {
    pthread_mutex_lock(handing)
    defer { pthread_mutex_unlock(handing) }
    return firstFailure?.error
  }

  func fail(_ error: BatchError, at number: Int) {
    pthread_mutex_lock(handing)
    defer { pthread_mutex_unlock(handing) }
    if firstFailure.map({ number < $0.number }) ?? true { firstFailure = (number, error) }
    pthread_cond_broadcast(turned)
  }

  /// Takes a piece, and gives its number; `nil` where there is none, or something has failed.
  ///
  /// - Parameter number: Is set to the piece's number also where taking it fails.
  func take(_ body: () throws(BatchError) -> Bool, number: inout Int) throws(BatchError) -> Int? {
    pthread_mutex_lock(taking)
    defer { pthread_mutex_unlock(taking) }
    number = taken
    guard failure == nil, try body() else { return nil }
    taken += 1
    return number
  }

  /// Waits for a piece's turn; does nothing where an earlier one has failed.
  func inTurn(_ number: Int, _ body: () throws(BatchError) -> Void) throws(BatchError) {
    pthread_mutex_lock(handing)
    defer { pthread_mutex_unlock(handing) }
    while turn != number {
      if let firstFailure, firstFailure.number < number { return }
      pthread_cond_wait(turned, handing)
    }
    if let firstFailure, firstFailure.number < number { return }
    try body()
    turn += 1
    pthread_cond_broadcast(turned)
  }
}
