import NIOCore
import PriceTagSystem

/// The IP address of a client, without its port.
///
/// An IPv4 address is stored as its IPv4-mapped IPv6 address (`::ffff:192.0.2.1`), so a client is the same on sockets
/// of both families.
struct ClientAddress: Hashable, Sendable {
  /// The upper and lower 64 bits, the first byte of the address in the highest ones.
  let high: UInt64
  let low: UInt64

  private init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  private init(_ bytes: UnsafeRawBufferPointer) {
    func word(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    (high, low) = bytes.count == 4 ? (0, 0xFFFF << 32 | word(0..<4)) : (word(0..<8), word(8..<16))
  }

  /// Creates the address of a socket's peer; `nil` without an address, as for a Unix domain socket.
  init?(_ address: SocketAddress?) {
    switch address {
    case .v4(let address)?:
      self = withUnsafeBytes(of: address.address.sin_addr) { Self($0) }
    case .v6(let address)?:
      self = withUnsafeBytes(of: address.address.sin6_addr) { Self($0) }
    case .unixDomainSocket?, nil: return nil
    }
  }

  /// Parses an address such as `192.0.2.1` or `2001:db8::1`; `nil` for any other text.
  init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
    let text = String(text)
    var v4 = in_addr()
    if inet_pton(AF_INET, text, &v4) == 1 {
      self = withUnsafeBytes(of: v4) { Self($0) }
      return
    }
    var v6 = in6_addr()
    guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
    self = withUnsafeBytes(of: v6) { Self($0) }
  }

  /// Parses an address from `X-Forwarded-For`, where a port and, for IPv6, brackets are optional.
  init?(forwarded text: some StringProtocol) {
    var text = Substring(text)
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      text = text[text.index(after: text.startIndex)..<end]
    } else if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1, let colon = text.firstIndex(of: ":") {
      text = text[..<colon]
    }
    self.init(text)
  }

  /// Whether this is an IPv4 address.
  var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// Whether this is an address of the machine itself: one of 127.0.0.0/8, or ::1.
  var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

  /// The unit that limits apply to: an IPv4 address, or the first 64 bits of an IPv6 address, the smallest network that
  /// providers assign.
  var network: ClientAddress { isIPv4 ? self : ClientAddress(high: high, low: 0) }

  /// Returns the address with all bits after the first `bits` set to zero.
  func prefix(_ bits: Int) -> ClientAddress {
    let (highBits, lowBits) = (min(max(bits, 0), 64), min(max(bits - 64, 0), 64))
    // Swift's `>>` returns 0 for a shift by 64.
    return ClientAddress(high: high & ~(UInt64.max >> highBits), low: low & ~(UInt64.max >> lowBits))
  }
}

extension ClientAddress: CustomStringConvertible {
  /// The address as text: `192.0.2.1`, `2001:db8::1`.
  var description: String {
    if isIPv4 {
      return [24, 16, 8, 0].map { String(low >> UInt64($0) & 0xFF) }.joined(separator: ".")
    }
    var address = (high.bigEndian, low.bigEndian)
    return text(capacity: 64) { inet_ntop(AF_INET6, &address, $0, socklen_t($1)) != nil } ?? "::"
  }
}
