import Synchronization

/// What one piece of long work may use: bytes of output, and the time that its host grants.
///
/// A host that serves several callers gives each piece of work a budget. The work calls ``goOn()`` between its steps and
/// ``add(byteCount:)`` for what it has written; both throw once the budget is spent, and the host may pause the work there so
/// that shorter work gets its turn. Work without a budget (a command, a batch) is not limited.
///
///     let budget = WorkBudget(maximumByteCount: 16 << 20)
///     WorkBudget.$current.withValue(budget) { … }      // the libraries called in there find it in `WorkBudget.current`
///
/// One thread at a time uses a budget.
package final class WorkBudget: Sendable {
  /// Why work has to end before it is complete.
  package enum Excess: Error, Hashable, Sendable {
    /// The output is longer than the limit.
    case tooManyBytes(limit: Int)
    /// The work has used more CPU time than the limit.
    case tooMuchTime(seconds: Int)
    /// Too much other long work is paused already.
    case busy
  }

  /// The budget of the work that calls; `nil` where nothing is limited.
  @TaskLocal package static var current: WorkBudget?

  /// Steps that write less than this are not worth a look at the clock.
  private static let bytesPerStep = 1 << 14

  private let maximumByteCount: Int
  private let pause: @Sendable () -> Excess?
  private let byteCount = Atomic(0)
  private let nextStep = Atomic(WorkBudget.bytesPerStep)
  private let firstExcess = Mutex<Excess?>(nil)

  /// A budget that nothing has been spent of.
  ///
  /// - Parameters:
  ///   - maximumByteCount: The most bytes of output.
  ///   - pause: Called between steps: lets other work go first, and returns why the work has to end, if it has to.
  package init(maximumByteCount: Int, pause: @escaping @Sendable () -> Excess? = { nil }) {
    (self.maximumByteCount, self.pause) = (maximumByteCount, pause)
  }

  /// Why the work has to end; `nil` while it may go on.
  package var excess: Excess? { firstExcess.withLock { $0 } }

  /// The bytes of output that are left.
  package var remainingByteCount: Int { max(0, maximumByteCount - byteCount.load(ordering: .relaxed)) }

  /// Lets other work go first where it is its turn.
  ///
  /// - Throws: Why the work has to end.
  package func goOn() throws(Excess) {
    if let excess { throw excess }
    if let excess = pause() { try end(excess) }
  }

  /// Counts output.
  ///
  /// - Throws: Why the work has to end.
  package func add(byteCount more: Int) throws(Excess) {
    let (count, hasOverflowed) = byteCount.load(ordering: .relaxed).addingReportingOverflow(more)
    byteCount.store(hasOverflowed ? .max : count, ordering: .relaxed)
    if count > maximumByteCount || hasOverflowed { try end(.tooManyBytes(limit: maximumByteCount)) }
    if count >= nextStep.load(ordering: .relaxed) {
      nextStep.store(count + Self.bytesPerStep, ordering: .relaxed)
      try goOn()
    }
  }

  private func end(_ excess: Excess) throws(Excess) {
    throw firstExcess.withLock { first in
      first = first ?? excess
      return first ?? excess
    }
  }
}
