import NIOCore

/// A time in which the client does not take what is written for it.
///
/// The buffer may stay full for long while a slow but honest client takes one large response. So it counts
/// what has left the buffer, not whether the buffer has emptied.
struct OutputStall {
  /// When it is judged next.
  private(set) var deadline: NIODeadline
  private let seconds: Int
  private let leastBytes: Int
  private var buffered: Int
  private var written = 0

  /// A stall that begins now, with so many bytes in the buffer.
  init(limits: ConnectionLimits, buffered: Int, now: NIODeadline) {
    seconds = limits.writeStallSeconds
    leastBytes = limits.leastResponseBytesPerSecond * limits.writeStallSeconds
    self.buffered = buffered
    deadline = now + .seconds(Int64(seconds))
  }

  /// More bytes come into the buffer.
  mutating func count(_ more: Int) { written += more }

  /// Whether the client took too little; if not, it has as long again.
  mutating func isStalled(buffered now: Int, at time: NIODeadline) -> Bool {
    let taken = buffered + written - now
    guard taken > 0, taken >= leastBytes else { return true }
    buffered = now
    written = 0
    deadline = time + .seconds(Int64(seconds))
    return false
  }
}
