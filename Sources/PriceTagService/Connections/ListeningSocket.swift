import NIOCore
import Synchronization

/// The socket that accepts connections.
///
/// Sendable notes: a lock protects the channel, and its options are set on its event loop.
final class ListeningSocket: Sendable {
  private let channel = Mutex<(any Channel)?>(nil)

  /// The time for pending handshakes to complete, and for accepted connections to be set up.
  private static let settleTime = Duration.milliseconds(50)
  /// The maximum number of checks for connections that wait to be accepted, which take two seconds in total.
  private static let maximumCheckCount = 40

  /// Stores the listening channel.
  func set(_ listening: any Channel) { channel.withLock { $0 = listening } }

  /// Stops new connections and waits until the pending ones are accepted.
  ///
  /// Closing a listening socket resets connections that are established but not yet accepted, and loses their requests.
  /// A socket filter first drops packets that open a connection. Clients retransmit them, and after the socket
  /// is closed their connection is refused. If the filter is not available, this only waits.
  func stopAccepting() async {
    guard let options = channel.withLock({ $0 }) as? any SocketOptionProvider else { return }
    let program = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.filter.count)
    program.initialize(from: Self.filter, count: Self.filter.count)
    defer { program.deallocate() }
    let option = FilterProgram(count: UInt16(Self.filter.count), instructions: program)
    try? await options.unsafeSetSocketOption(level: .socket, name: Self.attachFilter, value: option).get()
    for _ in 0..<Self.maximumCheckCount {
      try? await Task.sleep(for: Self.settleTime)
      let info: ListenerInfo? = try? await options.unsafeGetSocketOption(level: .tcp, name: Self.tcpInfo)
        .get()
      if info?.waitingCount ?? 0 == 0 { break }
    }
    try? await Task.sleep(for: Self.settleTime)
  }

  /// The kernel's `struct sock_fprog`.
  ///
  /// Sendable notes: the kernel copies the instructions during the call.
  private struct FilterProgram: @unchecked Sendable {
    let count: UInt16
    let instructions: UnsafeMutablePointer<UInt64>
  }

  /// The start of the kernel's `struct tcp_info`.
  private struct ListenerInfo: Sendable {
    let states: UInt64
    let times: UInt64
    let segmentSizes: UInt64
    /// For a listening socket, the number of connections that wait to be accepted.
    let waitingCount: UInt32
  }

  /// `TCP_INFO`.
  private static let tcpInfo = NIOBSDSocket.Option(rawValue: 11)
  /// `SO_ATTACH_FILTER`.
  private static let attachFilter = NIOBSDSocket.Option(rawValue: 26)

  /// A classic BPF program that drops packets with TCP's SYN flag (RFC 9293, 3.1). A `struct sock_filter` has a code
  /// of 16 bits, two jumps of 8 bits and a value of 32 bits.
  private static let filter: [UInt64] = [
    instruction(0x30, value: 13),  // Load the byte with the flags.
    instruction(0x45, otherwise: 1, value: 0x02),  // If SYN is not set, skip the next instruction.
    instruction(0x06, value: 0),  // Drop the packet.
    instruction(0x06, value: 0xFFFF_FFFF),  // Accept the complete packet.
  ]

  private static func instruction(_ code: UInt64, otherwise: UInt64 = 0, value: UInt64) -> UInt64 {
    code | otherwise << 24 | value << 32
  }
}
