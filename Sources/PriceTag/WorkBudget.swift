import Synchronization

/// Limits the output and the time of one long piece of work.
///
/// A host that serves several callers gives each piece of work a budget. The work calls ``checkpoint()`` between its
/// steps, and ``add(byteCount:)`` after writing output. Both throw when the budget is used up. The host may also pause the
/// work there, so that shorter work runs first. Work without a budget (a command, a batch) is not limited.
///
///     let budget = WorkBudget(maximumByteCount: 16 << 20)
///     WorkBudget.$current.withValue(budget) { … }      // code inside uses `WorkBudget.current`
///
/// Only one thread at a time may use a budget.
package final class WorkBudget: Sendable {
  /// The reason for stopping work before it is complete.
  package enum Excess: Error, Hashable, Sendable {
    /// The output is longer than the limit.
    case tooManyBytes(limit: Int)
    /// The work has used more CPU time than the limit.
    case tooMuchTime(seconds: Int)
    /// Too much other long work is already paused.
    case busy
  }

  /// The budget of the current work; `nil` if the work is not limited.
  @TaskLocal package static var current: WorkBudget?

  /// The number of bytes after which `add(byteCount:)` calls `checkpoint()`. More calls would cost more than they help.
  private static let bytesPerStep = 1 << 14

  private let maximumByteCount: Int
  private let pause: @Sendable () -> Excess?
  private let byteCount = Atomic(0)
  private let nextStep = Atomic(WorkBudget.bytesPerStep)
  private let firstExcess = Mutex<Excess?>(nil)

  /// Creates an unused budget.
  ///
  /// - Parameters:
  ///   - maximumByteCount: The maximum number of bytes of output.
  ///   - pause: A function that is called between steps. It may block to let other work run first, and returns the reason
  ///     if the work must stop.
  package init(maximumByteCount: Int, pause: @escaping @Sendable () -> Excess? = { nil }) {
    (self.maximumByteCount, self.pause) = (maximumByteCount, pause)
  }

  /// The reason why the work must stop; `nil` while it may continue.
  package var excess: Excess? { firstExcess.withLock { $0 } }

  /// The number of bytes that may still be written.
  package var remainingByteCount: Int { max(0, maximumByteCount - byteCount.load(ordering: .relaxed)) }

  /// Lets other work run first if it is its turn.
  ///
  /// - Throws: The reason if the work must stop.
  package func checkpoint() throws(Excess) {
    if let excess { throw excess }
    if let excess = pause() { try end(excess) }
  }

  /// Counts bytes of output.
  ///
  /// - Throws: The reason if the work must stop.
  package func add(byteCount more: Int) throws(Excess) {
    let (count, hasOverflowed) = byteCount.load(ordering: .relaxed).addingReportingOverflow(more)
    byteCount.store(hasOverflowed ? .max : count, ordering: .relaxed)
    if count > maximumByteCount || hasOverflowed { try end(.tooManyBytes(limit: maximumByteCount)) }
    if count >= nextStep.load(ordering: .relaxed) {
      nextStep.store(count + Self.bytesPerStep, ordering: .relaxed)
      try checkpoint()
    }
  }

  private func end(_ excess: Excess) throws(Excess) {
    throw firstExcess.withLock { first in
      first = first ?? excess
      return first ?? excess
    }
  }
}
