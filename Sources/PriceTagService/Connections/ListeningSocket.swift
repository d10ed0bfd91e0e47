import NIOCore
import Synchronization

/// The socket that takes connections, once there is one.
///
/// Sendable notes: the channel is under a lock, and its options are set on its own event loop.
final class ListeningSocket: Sendable {
  private let channel = Mutex<(any Channel)?>(nil)

  /// The time that connections which have begun get to be complete, and again to be set up.
  private static let settleTime = Duration.milliseconds(50)
  /// How often it is looked whether any waits to be accepted: for at most two seconds.
  private static let maximumLookCount = 40

  /// Keeps the channel that listens.
  func set(_ listening: any Channel) { channel.withLock { $0 = listening } }

  /// Refuses new connections, and accepts those that wait.
  ///
  /// Closing a socket resets connections that the system has completed and nobody has accepted, and with them requests that
  /// were sent. On Linux a filter first drops packets that ask for a new connection; a client sends them again after the
  /// close, and finds that nobody listens. Elsewhere, and where the system has no such filter, this only waits.
  func stopAccepting() async {
    #if os(Linux)
      guard let options = channel.withLock({ $0 }) as? any SocketOptionProvider else { return }
      let program = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.filter.count)
      program.initialize(from: Self.filter, count: Self.filter.count)
      defer { program.deallocate() }
      let option = FilterProgram(count: UInt16(Self.filter.count), instructions: program)
      try? await options.unsafeSetSocketOption(level: .socket, name: Self.attachFilter, value: option).get()
      for _ in 0..<Self.maximumLookCount {
        try? await Task.sleep(for: Self.settleTime)
        let info: ListenerInfo? = try? await options.unsafeGetSocketOption(level: .tcp, name: Self.tcpInfo)
          .get()
        if info?.waitingCount ?? 0 == 0 { break }
      }
    #endif
    try? await Task.sleep(for: Self.settleTime)
  }

  #if os(Linux)
    /// The kernel's `struct sock_fprog`.
    ///
    /// Sendable notes: the kernel copies it within the call that it is passed to.
    private struct FilterProgram: @unchecked Sendable {
      let count: UInt16
      let instructions: UnsafeMutablePointer<UInt64>
    }

    /// The start of the kernel's `struct tcp_info`.
    private struct ListenerInfo: Sendable {
      let states: UInt64
      let times: UInt64
      let segmentSizes: UInt64
      /// Of a listening socket, the connections that wait to be accepted.
      let waitingCount: UInt32
    }

    /// `TCP_INFO`.
    private static let tcpInfo = NIOBSDSocket.Option(rawValue: 11)
    /// `SO_ATTACH_FILTER`.
    private static let attachFilter = NIOBSDSocket.Option(rawValue: 26)

    /// Drops what has TCP's flag SYN (RFC 9293, 3.1), as classic BPF: `struct sock_filter` has a code in 16 bits, two jumps in
    /// 8 each, and a value in 32.
    private static let filter: [UInt64] = [
      instruction(0x30, value: 13),  // Load the byte of the flags.
      instruction(0x45, otherwise: 1, value: 0x02),  // Where SYN is not set, skip one.
      instruction(0x06, value: 0),  // Drop.
      instruction(0x06, value: 0xFFFF_FFFF),  // Keep all of it.
    ]

    private static func instruction(_ code: UInt64, otherwise: UInt64 = 0, value: UInt64) -> UInt64 {
      #if _endian(little)
        code | otherwise << 24 | value << 32
      #else
        code << 48 | otherwise << 32 | value
      #endif
    }
  #endif
}
