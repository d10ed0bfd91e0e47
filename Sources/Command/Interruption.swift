import PriceTag
import PriceTagCommandLine
import PriceTagText

/// What happens on SIGINT and SIGTERM: unfinished files are removed, a line says how far the work is, and the process
/// ends by the same signal, as whoever sent it expects.
enum Interruption {
  /// From now on, reports with a line of this text.
  ///
  /// A thread waits for the signals. Where there is none left, the process ends by the signal without the line.
  static func tell(_ text: @escaping @Sendable () -> String) {
    var awaited = sigset_t()
    sigemptyset(&awaited)
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      sigaction(number, nil, &action)
      // A user who ignores it, as nohup does for others, means it.
      if !action.isIgnored { sigaddset(&awaited, number) }
    }
    // Blocked before the other threads start, which inherit it: the waiting one alone gets the signals.
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
