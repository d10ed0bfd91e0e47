import PriceTagText

/// A thread of the system: the pool of tasks has one for each processor, and a thread may wait for long.
package final class WorkThread {
  private let thread: pthread_t

  /// Starts a thread; `nil` where the system has none left, so that the others do its work.
  package init?(_ body: @escaping @Sendable () -> Void) {
    guard let started = startThread(body) else { return nil }
    thread = started
  }

  /// Waits until the thread has ended.
  package func join() { pthread_join(thread, nil) }
}
