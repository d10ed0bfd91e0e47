import NIOCore

/// The one scheduled task of a connection.
///
/// Deadlines move with every request, and mostly away. The task stays where it is then, and finds out when it
/// runs that it has to run again later, which costs less than to cancel and schedule it for each request.
struct DeadlineTimer {
  private var scheduled: Scheduled<Void>?
  private var runsAt = NIODeadline.distantFuture

  /// Makes the task run at a time or earlier.
  mutating func arm(at deadline: NIODeadline, on eventLoop: any EventLoop, _ run: @escaping () -> Void) {
    if let scheduled {
      if runsAt <= deadline { return }
      scheduled.cancel()
    }
    runsAt = deadline
    scheduled = eventLoop.assumeIsolated().scheduleTask(deadline: deadline, run)
  }

  /// The task has run.
  mutating func hasRun() { scheduled = nil }

  /// Makes the task not run.
  mutating func cancel() {
    scheduled?.cancel()
    scheduled = nil
  }
}
