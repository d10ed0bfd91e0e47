import PriceTagCommandLine
import PriceTagText
import Synchronization

/// A progress line on a terminal.
final class ProgressLine: Sendable {
  /// The time of the last update in tenths of a second, and whether the line is visible.
  private let state = Mutex<(time: UInt64, isShown: Bool)>((0, false))

  /// The control sequence that removes a progress line; empty if standard error is not a terminal.
  static var cleared: String { isatty(STDERR_FILENO) != 0 ? "\r\u{1B}[K" : "" }

  /// Returns `nil` if standard error is not a terminal.
  init?() {
    guard isatty(STDERR_FILENO) != 0 else { return nil }
  }

  /// Writes the line, at most ten times a second.
  func show(_ text: () -> String) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let tenths = UInt64(now.tv_sec) * 10 + UInt64(now.tv_nsec) / 100_000_000
    state.withLock { state in
      guard tenths != state.time else { return }
      state = (tenths, true)
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
