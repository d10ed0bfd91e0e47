import NIOCore

/// A period in which the output buffer of a connection is full.
///
/// The buffer can stay full for a long time while a slow client reads a large response. So a stall is detected by the
/// number of bytes that have left the buffer, not by whether the buffer becomes empty.
struct OutputStall {
  /// When the client's progress is checked next.
  private(set) var deadline: NIODeadline
  private let seconds: Int
  private let minimumByteCount: Int
  private var buffered: Int
  private var written = 0

  /// Creates a stall that begins at `now` with `buffered` bytes in the buffer.
  init(limits: ConnectionLimits, buffered: Int, now: NIODeadline) {
    seconds = limits.writeStallSeconds
    minimumByteCount = limits.minimumResponseBytesPerSecond * limits.writeStallSeconds
    self.buffered = buffered
    deadline = now + .seconds(Int64(seconds))
  }

  /// Adds bytes that were written into the buffer.
  mutating func count(_ more: Int) { written += more }

  /// Returns whether the client has read too few bytes. If it has read enough, starts a new period.
  mutating func isStalled(buffered now: Int, at time: NIODeadline) -> Bool {
    let taken = buffered + written - now
    guard taken > 0, taken >= minimumByteCount else { return true }
    buffered = now
    written = 0
    deadline = time + .seconds(Int64(seconds))
    return false
  }
}
