import NIOCore

/// Measures the rate at which a client sends a body.
///
/// Only time in which the service waits for the client counts. If the application reads more slowly than the client
/// sends, no time is counted.
struct BodyRate {
  /// The number of bytes that must arrive in a window.
  private let minimumByteCount: Int
  private let window: TimeAmount
  private var length: TimeAmount
  private var isGrace: Bool
  private var waited = TimeAmount.zero
  private var waitingSince: NIODeadline?
  private var bytes = 0

  /// Creates a rate for a body whose first byte has not arrived.
  init(limits: ConnectionLimits) {
    minimumByteCount = limits.minimumBodyBytesPerSecond * limits.bodyWindowSeconds
    window = .seconds(Int64(limits.bodyWindowSeconds))
    isGrace = limits.bodyGraceSeconds > 0
    length = isGrace ? .seconds(Int64(limits.bodyGraceSeconds)) : window
  }

  /// When the window ends if the service keeps waiting; `nil` while it does not wait.
  var deadline: NIODeadline? { waitingSince.map { $0 + (length - waited) } }

  /// Starts counting time, because the service waits for bytes.
  mutating func beginWaiting(at now: NIODeadline) {
    if waitingSince == nil { waitingSince = now }
  }

  /// Adds received bytes.
  mutating func count(_ more: Int) { bytes += more }

  /// Stops counting time, because bytes have arrived.
  mutating func endWaiting(at now: NIODeadline) {
    addWaitingTime(until: now)
    waitingSince = nil
  }

  /// Returns whether a window has ended in which too few bytes arrived. If a window has ended, starts a new one.
  mutating func isTooSlow(at now: NIODeadline) -> Bool {
    addWaitingTime(until: now)
    guard waited >= length else { return false }
    let isSlow = !isGrace && bytes < minimumByteCount
    isGrace = false
    length = window
    waited = .zero
    bytes = 0
    return isSlow
  }

  private mutating func addWaitingTime(until now: NIODeadline) {
    guard let since = waitingSince else { return }
    waited = waited + (now - since)
    waitingSince = now
  }
}
