import Synchronization

/// Limits the output and the time of one long piece of work.
///
/// A host that serves several callers gives each piece of work a budget. The work calls ``checkpoint()`` between its
/// steps, and ``add(byteCount:)`` after writing output. Both throw when the budget is used up, or when the host no longer
/// needs the work. Work without a budget (a command, a batch) is not limited.
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
    /// The host has no memory for more output.
    case outOfMemory
    /// The caller no longer waits for the work.
    case canceled
  }

  /// The budget of the current work; `nil` if the work is not limited.
  @TaskLocal package static var current: WorkBudget?

  /// The number of bytes after which `add(byteCount:)` calls `checkpoint()`. More calls would cost more than they help.
  private static let bytesPerStep = 1 << 14

  private let maximumByteCount: Int
  private let reserve: @Sendable (Int) -> Bool
  private let check: @Sendable () -> Excess?
  private let byteCount = Atomic(0)
  private let nextStep = Atomic(WorkBudget.bytesPerStep)
  private let firstExcess = Mutex<Excess?>(nil)

  /// Creates an unused budget.
  ///
  /// - Parameters:
  ///   - maximumByteCount: The maximum number of bytes of output.
  ///   - reserve: A function that is called as the output grows, with the number of bytes that it may take until the next
  ///     call. It returns false if the host does not have the memory. Output of less than 16 KB needs no reservation.
  ///   - check: A function that is called between steps and returns the reason if the work must stop.
  package init(
    maximumByteCount: Int,
    reserve: @escaping @Sendable (_ byteCount: Int) -> Bool = { _ in true },
    check: @escaping @Sendable () -> Excess? = { nil }
  ) {
    (self.maximumByteCount, self.reserve, self.check) = (maximumByteCount, reserve, check)
  }

  /// The reason why the work must stop; `nil` while it may continue.
  package var excess: Excess? { firstExcess.withLock { $0 } }

  /// The number of bytes that may still be written.
  package var remainingByteCount: Int { max(0, maximumByteCount - byteCount.load(ordering: .relaxed)) }

  /// Ends a step of the work.
  ///
  /// - Throws: The reason if the work must stop.
  package func checkpoint() throws(Excess) {
    if let excess { throw excess }
    if let excess = check() { try end(excess) }
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
      guard reserve(count + Self.bytesPerStep) else { return try end(.outOfMemory) }
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
