import NIOCore

/// The single scheduled task of a connection.
///
/// Every request changes the deadline, usually to a later time. The task then stays scheduled for the earlier time and
/// is rescheduled when it runs. This is cheaper than canceling and scheduling a task for each request.
struct DeadlineTimer {
  private var scheduled: Scheduled<Void>?
  private var runsAt = NIODeadline.distantFuture

  /// Schedules `run` for `deadline` or earlier.
  mutating func arm(at deadline: NIODeadline, on eventLoop: any EventLoop, _ run: @escaping () -> Void) {
    if let scheduled {
      if runsAt <= deadline { return }
      scheduled.cancel()
    }
    runsAt = deadline
    scheduled = eventLoop.assumeIsolated().scheduleTask(deadline: deadline, run)
  }

  /// Records that the task has run.
  mutating func hasRun() { scheduled = nil }

  /// Cancels the task.
  mutating func cancel() {
    scheduled?.cancel()
    scheduled = nil
  }
}
