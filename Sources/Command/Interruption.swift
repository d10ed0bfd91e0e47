import PriceTagCommandLine
import PriceTagSystem

/// Handles SIGINT and SIGTERM: removes unfinished files, prints a line with the progress, and ends the process by the same
/// signal, so that its parent sees the signal.
enum Interruption {
  /// Starts handling the signals.
  ///
  /// A thread waits for them. If no thread can be started, a signal ends the process without the line.
  ///
  /// - Parameter text: Returns the progress.
  static func report(_ text: @escaping @Sendable () -> String) {
    var awaited = sigset_t()
    sigemptyset(&awaited)
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      sigaction(number, nil, &action)
      // A signal that is ignored, for example by nohup, stays ignored.
      if !action.isIgnored { sigaddset(&awaited, number) }
    }
    // Threads inherit the mask. Only the waiting thread receives the signals.
    pthread_sigmask(SIG_BLOCK, &awaited, nil)
    let signals = awaited
    let waiting = WorkThread {
      var (signals, number) = (signals, Int32())
      guard sigwait(&signals, &number) == 0 else { return }
      let name = number == SIGINT ? "SIGINT" : "SIGTERM"
      OutputFile.abandonAll {
        StandardError.write("\(ProgressLine.cleared)pricetag: stopped by \(name): \(text())\n")
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        _exit(128 + number)
      }
    }
    if waiting == nil { pthread_sigmask(SIG_UNBLOCK, &awaited, nil) }
  }
}
