import Dispatch
import PriceTagSystem
import PriceTagText
import Synchronization

/// Writes log lines to a descriptor on a thread of its own, so that a slow reader of the log does not slow down the service.
///
/// Lines wait in a queue. A line for which the queue is full, or that cannot be written, is dropped completely and counted.
final class LogSink: Sendable {
  /// The number of lines that all sinks have dropped.
  static let droppedLineCount = Atomic(0)
  private static let all = Mutex<[Int32: LogSink]>([:])

  private let descriptor: Int32
  private let format: ServiceLogHandler.Format
  private let maximumByteCount: Int
  /// A serial queue, which has a thread beside those for tasks.
  private let queue = DispatchQueue(label: "pricetag.log")
  private let waitingByteCount = Atomic(0)
  private let unreportedCount = Atomic(0)
  /// Whether the descriptor has taken only the start of the last line, because a disk is full.
  private let isInLine = Atomic(false)

  init(descriptor: Int32, _ format: ServiceLogHandler.Format = .text, maximumByteCount: Int = 4 << 20) {
    (self.descriptor, self.format, self.maximumByteCount) = (descriptor, format, maximumByteCount)
  }

  /// Returns the sink that all handlers of a descriptor share. Its own lines have the format of the first one.
  static func of(_ descriptor: Int32, _ format: ServiceLogHandler.Format) -> LogSink {
    all.withLock { sinks in
      if sinks.isEmpty { atexit { LogSink.flushAll() } }
      let sink = sinks[descriptor] ?? LogSink(descriptor: descriptor, format)
      sinks[descriptor] = sink
      return sink
    }
  }

  /// Waits until the lines so far are written, for at most a second for each sink.
  static func flushAll() {
    for sink in all.withLock({ Array($0.values) }) { _ = sink.flush() }
  }

  func flush() -> Bool {
    let done = DispatchSemaphore(value: 0)
    queue.async { done.signal() }
    return done.wait(timeout: .now() + 1) == .success
  }

  /// Queues a line.
  func write(_ line: [UInt8]) {
    guard waitingByteCount.add(line.count, ordering: .relaxed).newValue <= maximumByteCount else {
      waitingByteCount.subtract(line.count, ordering: .relaxed)
      return drop()
    }
    queue.async { self.writeNow(line) }
  }

  private func drop() {
    unreportedCount.add(1, ordering: .relaxed)
    Self.droppedLineCount.add(1, ordering: .relaxed)
  }

  private func writeNow(_ line: [UInt8]) {
    if !isInLine.load(ordering: .relaxed) || take([UInt8(ascii: "\n")]), take(line) {
      reportDroppedLines()
    } else {
      drop()
    }
    waitingByteCount.subtract(line.count, ordering: .relaxed)
  }

  /// Writes the number of dropped lines when there is room for further ones.
  private func reportDroppedLines() {
    guard waitingByteCount.load(ordering: .relaxed) <= maximumByteCount / 2 else { return }
    let count = unreportedCount.exchange(0, ordering: .relaxed)
    guard count > 0 else { return }
    let record = LogRecord(
      time: .now(),
      level: .warning,
      label: "pricetag",
      message: "dropped log lines, because the log is read too slowly or cannot be written",
      metadata: ["count": .stringConvertible(count)]
    )
    if !take(record.line(format)) { unreportedCount.add(count, ordering: .relaxed) }
  }

  /// Writes bytes, and returns whether the descriptor has taken all of them.
  private func take(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { PriceTagSystem.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      } else if errno != EINTR {
        isInLine.store(rest.count < bytes.count, ordering: .relaxed)
        return false
      }
    }
    isInLine.store(false, ordering: .relaxed)
    return true
  }
}
