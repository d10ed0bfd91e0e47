import Synchronization

/// The open connections of a port. Beyond a maximum, the one that has been idle longest is closed for a new one.
///
/// A connection is idle while it has neither a complete request head nor a response that is being sent, so that a client
/// cannot hold its place with an incomplete head. Each operation takes constant time.
///
/// Sendable notes: a lock protects all mutable state, including that of the places.
package final class OpenConnections: Sendable {
  /// The place of a connection among the others.
  final class Place: @unchecked Sendable {
    enum State { case idle, busy, closed }

    fileprivate var state = State.closed
    fileprivate var (previous, next): (Place?, Place?) = (nil, nil)
    fileprivate let close: @Sendable () -> Void

    /// Creates the place of a connection that `close` closes for a new one, on any thread.
    init(close: @escaping @Sendable () -> Void) { self.close = close }
  }

  private struct State {
    /// The idle connections, in the order in which they became idle.
    var (firstIdle, lastIdle): (Place?, Place?) = (nil, nil)
    var (count, busyCount) = (0, 0)

    mutating func set(_ place: Place, _ new: Place.State) {
      switch place.state {
      case .idle:
        if let previous = place.previous { previous.next = place.next } else { firstIdle = place.next }
        if let next = place.next { next.previous = place.previous } else { lastIdle = place.previous }
        (place.previous, place.next) = (nil, nil)
      case .busy: busyCount -= 1
      case .closed: count += 1
      }
      place.state = new
      switch new {
      case .idle:
        place.previous = lastIdle
        if let lastIdle { lastIdle.next = place } else { firstIdle = place }
        lastIdle = place
      case .busy: busyCount += 1
      case .closed: count -= 1
      }
    }
  }

  /// The maximum number of refused connections that stay open until their clients have received the refusal.
  private static let maximumRefusedCount = 64
  /// The number of connections that may be open beyond the maximum: refused ones, and those that are being closed.
  package static let additionalCount = 2 * maximumRefusedCount

  let maximum: Int
  private let onFull: @Sendable (_ isRefused: Bool) -> Void
  private let state = Mutex(State())

  /// Creates the connections of a port.
  ///
  /// - Parameter onFull: Called for a new connection beyond the maximum, which is refused or replaces an idle one.
  package init(maximum: Int, onFull: @escaping @Sendable (_ isRefused: Bool) -> Void) {
    (self.maximum, self.onFull) = (maximum, onFull)
  }

  /// Adds a connection, and returns whether it may have requests. If all others have some, it has to be refused.
  func add(_ place: Place) -> Bool {
    let (isAccepted, oldest) = state.withLock { state -> (Bool, Place?) in
      state.set(place, .idle)
      let isAccepted = state.busyCount < maximum
      let allowedCount = isAccepted ? maximum : state.busyCount + Self.maximumRefusedCount
      guard state.count > allowedCount, let oldest = state.firstIdle, oldest !== place else {
        return (isAccepted, nil)
      }
      state.set(oldest, .closed)
      return (isAccepted, oldest)
    }
    oldest?.close()
    if !isAccepted || oldest != nil { onFull(!isAccepted) }
    return isAccepted
  }

  /// Records that a connection has become idle or busy, or closes. Ignores a connection that was closed for a new one.
  func set(_ place: Place, _ new: Place.State) {
    state.withLock { state in
      if place.state != .closed, place.state != new { state.set(place, new) }
    }
  }
}
