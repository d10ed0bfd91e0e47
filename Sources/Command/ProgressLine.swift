import PriceTagCommandLine
import PriceTagText
import Synchronization

/// A line on standard error that says how far the work is, where that is a terminal.
final class ProgressLine: Sendable {
  /// When it was written last, and whether it stands there.
  private let state = Mutex<(time: UInt64, isShown: Bool)>((0, false))

  /// What takes a line away that may stand there; nothing where standard error is no terminal.
  static var cleared: String { isatty(STDERR_FILENO) != 0 ? "\r\u{1B}[K" : "" }

  /// `nil` where standard error is no terminal.
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

  /// Takes the line away.
  func clear() {
    state.withLock { state in
      if state.isShown { StandardError.write("\r\u{1B}[K") }
      state.isShown = false
    }
  }
}
