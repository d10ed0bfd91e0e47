import PriceTagCommandLine
import PriceTagSystem
import Synchronization

/// A progress line on a terminal.
final class ProgressLine: Sendable {
  /// The time of the next update, and whether the line is visible.
  private let state = Mutex((next: ContinuousClock.now, isShown: false))

  /// The control sequence that removes a progress line; empty if standard error is not a terminal.
  static var cleared: String { isatty(STDERR_FILENO) != 0 ? "\r\u{1B}[K" : "" }

  /// Returns `nil` if standard error is not a terminal.
  init?() {
    guard isatty(STDERR_FILENO) != 0 else { return nil }
  }

  /// Writes the line, at most ten times a second.
  func show(_ text: () -> String) {
    let now = ContinuousClock.now
    state.withLock { state in
      guard now >= state.next else { return }
      state = (now + .milliseconds(100), true)
      StandardError.write("\r\u{1B}[K\(text())")
    }
  }

  /// Removes the line.
  func clear() {
    state.withLock { state in
      if state.isShown { StandardError.write("\r\u{1B}[K") }
      state.isShown = false
    }
  }
}
