import NIOCore

/// The rate at which a client sends a body, over the time in which the service waits for it.
///
/// While nobody reads, because the application is slower than the client, no time passes here.
struct BodyRate {
  private let bytesPerSecond: Int
  private let window: TimeAmount
  private let windowSeconds: Int
  private var length: TimeAmount
  private var isGrace: Bool
  private var waited = TimeAmount.zero
  private var waitingSince: NIODeadline?
  private var bytes = 0

  /// A body of which nothing has come.
  init(limits: ConnectionLimits) {
    bytesPerSecond = limits.leastBodyBytesPerSecond
    windowSeconds = limits.bodyWindowSeconds
    window = .seconds(Int64(limits.bodyWindowSeconds))
    isGrace = limits.bodyGraceSeconds > 0
    length = isGrace ? .seconds(Int64(limits.bodyGraceSeconds)) : window
  }

  /// When the window ends if the service waits until then; nil while it does not wait.
  var deadline: NIODeadline? { waitingSince.map { $0 + (length - waited) } }

  /// The service asks for bytes.
  mutating func beginWaiting(at now: NIODeadline) {
    if waitingSince == nil { waitingSince = now }
  }

  /// Bytes have come.
  mutating func count(_ more: Int) { bytes += more }

  /// What was asked for has come.
  mutating func endWaiting(at now: NIODeadline) {
    passTime(to: now)
    waitingSince = nil
  }

  /// Whether a window has ended in which too little came. A new one begins where one has ended.
  mutating func isTooSlow(at now: NIODeadline) -> Bool {
    passTime(to: now)
    guard waited >= length else { return false }
    let isSlow = !isGrace && bytes < bytesPerSecond * windowSeconds
    isGrace = false
    length = window
    waited = .zero
    bytes = 0
    return isSlow
  }

  private mutating func passTime(to now: NIODeadline) {
    guard let since = waitingSince else { return }
    waited = waited + (now - since)
    waitingSince = now
  }
}
