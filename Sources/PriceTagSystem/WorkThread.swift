/// A system thread, for work that may block for long. (The task pool has only one thread for each processor.)
package final class WorkThread {
  private let thread: pthread_t

  /// Starts a thread; returns `nil` if the system cannot start another one. The caller then uses fewer threads.
  package init?(_ body: @escaping @Sendable () -> Void) {
    guard let started = startThread(body) else { return nil }
    thread = started
  }

  /// Waits until the thread has ended.
  package func join() { pthread_join(thread, nil) }
}
